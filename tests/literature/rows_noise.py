"""Kinds of noise, randomised response, tests of hypotheses, and pieces of DP-Auditorium."""

from literature import sources as s
from literature.row import CANNOT, NOT_PRIVATE, Row

ROWS = (
    Row("laplace_mechanism", s.DMNS, "eps", adjacency="l1", program="proofs/laplace.py::phi"),
    Row("discrete_laplace", s.GHOSH, "eps"),
    Row("truncated_geometric", s.GHOSH, "eps"),
    Row("clamped_output", f"{s.DWORK_ROTH}, post-processing", "eps"),
    Row("rounded_output", f"{s.DWORK_ROTH}, post-processing", "eps"),
    Row("rounded_to_a_grid_of_floats", f"{s.MIRONOV}, over the real numbers", "eps"),
    Row("randomised_response", s.WARNER, "log(3)", rewrite="a coin that does not read the answer"),
    Row("randomised_response_with_budget", s.KAIROUZ, "eps", rewrite="a coin that does not read the answer"),
    Row("k_ary_randomised_response", s.KAIROUZ, "eps",
        rewrite="three categories, and the noise is drawn apart from them"),
    Row("randomised_response_one_bit_in_the_clear", "github.com/opendp/opendp before commit f25a6cd18, on bit vectors",
        "len(omega) * log(3)", NOT_PRIVATE),
    Row("one_bit_mean", s.DUCHI, "eps"),
    Row("staircase_mechanism", s.GENG, "eps"),
    Row("uniform_noise", s.GENG_APPROXIMATE, "eps", NOT_PRIVATE),
    Row("truncated_laplace", s.GENG_TRUNCATED, "eps", NOT_PRIVATE, why="it is private with a delta only"),
    Row("histogram_with_inverted_scale", f"{s.STATDP}, histogram_eps", "eps", NOT_PRIVATE, "one",
        program="tests/finding/peer_mechanisms.py::histogram_with_inverted_scale", eps="1/2"),
    Row("noise_of_scale_one", "several public implementations of Laplace noise", "eps", NOT_PRIVATE),
    Row("binomial_test", f"{s.AWAN}, with noise of geometric law", "eps"),
    Row("rank_statistic_test", s.COUCH, "eps"),
    Row("mean_of_noisy_sum_and_count", f"{s.AUDITORIUM}, MeanMechanism with noised counts, kept at least 1", "eps"),
    Row("mean_with_exact_n", f"{s.AUDITORIUM}, MeanMechanism with exact counts", "eps", NOT_PRIVATE, effort=20_000,
        why="the attack tries small sums and counts only, and finds no loss above the claim"),
    Row("rappor", "Erlingsson, Pihur and Korolova, RAPPOR, CCS 2014", "eps", CANNOT,
        why="it hashes its input into a Bloom filter"),
    Row("gaussian_mechanism", f"{s.DWORK_ROTH}, appendix A", "eps", CANNOT,
        why="Gaussian noise is not in the language, and the guarantee has a delta"),
)
