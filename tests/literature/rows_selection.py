"""Noisy max, the exponential mechanism and top-k."""

from literature import sources as s
from literature.row import CANNOT, NOT_PRIVATE, REFUTED, Row

ROWS = (
    Row("noisy_max", f"{s.DWORK_ROTH}, 3.3", "eps", program="proofs/noisy_max.py::phi"),
    Row("noisy_max_in_a_loop", s.CHECKDP, "eps"),
    Row("noisy_max_with_maximum", f"{s.STATDP}, noisy_max_v1b", "eps", NOT_PRIVATE,
        program="tests/finding/peer_mechanisms.py::noisy_maximum"),
    Row("noisy_max_with_half_the_noise", "half the scale, as a control", "eps", REFUTED,
        program="proofs/noisy_max_broken.py::half_the_noise_phi"),
    Row("noisy_max_index_and_gap", s.FREE_GAP, "eps", program="proofs/noisy_max.py::gap_phi"),
    Row("noisy_min", f"{s.DWORK_ROTH}, 3.3, turned over", "eps"),
    Row("noisy_max_exponential", f"{s.DWORK_ROTH}, 3.3", "eps", program="proofs/noisy_max.py::exponential_phi"),
    Row("exponential_mechanism", s.TALWAR, "eps", program="proofs/exponential_mechanism.py::phi"),
    Row("exponential_mechanism_by_choice", s.TALWAR, "eps"),
    Row("permute_and_flip", f"{s.MCKENNA}, as exponential noisy max", "eps"),
    Row("permute_and_flip_by_coins", f"{s.MCKENNA}, Algorithm 1, without the permutation", "eps",
        NOT_PRIVATE, at_first="proved",
        why="the published algorithm goes through the candidates in a random order; in a public order the first of"
        " several with the largest utility always wins"),
    Row("gumbel_top_k", s.DURFEE, "k * eps"),
    Row("oneshot_top_k", s.QIAO, "eps"),
    Row("top_k_with_gap", s.FREE_GAP, "eps", program="proofs/top_k.py::gap_phi"),
    Row("top_k_indices_as_a_list", s.QIAO, "eps"),
    Row("private_median_on_a_grid", s.SMITH, "eps"),
    Row("binary_search_for_a_quantile", f"{s.SMITH}, by noisy counts", "k * eps"),
    Row("decision_tree_split", s.FRIEDMAN, "eps", rewrite="zip selects among as many splits as the shortest list has"),
    Row("private_counts_of_a_step_of_k_means", s.BLUM, "eps", adjacency="one"),
    Row(
        "smooth_sensitivity_median", s.NISSIM, "eps", CANNOT, "one",
        why="the scale of the noise is a function of private data, and Cauchy noise is not in the language",
    ),
)
