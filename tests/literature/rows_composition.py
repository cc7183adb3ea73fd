"""Mechanisms made of mechanisms, and budgets that vary."""

from literature import sources as s
from literature.row import CANNOT, NOT_PRIVATE, REFUTED, Row

ROWS = (
    Row("two_sparse_vectors", f"{s.DWORK_ROTH}, 3.5, of Algorithm 1", "2 * eps"),
    Row("sparse_vector_then_histogram", f"{s.DWORK_ROTH}, 3.5", "2 * eps", adjacency="one"),
    Row("noisy_max_then_sparse_vector", f"{s.DWORK_ROTH}, 3.5", "2 * eps"),
    Row("noisy_max_then_measured", f"{s.FREE_GAP}, selection then measurement", "eps"),
    Row("top_k_then_measured", f"{s.FREE_GAP}, selection then measurement", "eps"),
    Row("mwem_round", s.HARDT_MWEM, "eps"),
    Row("mwem", s.HARDT_MWEM, "eps"),
    Row("queries_by_thresholds", "written for this list", "len(T) * eps"),
    Row("k_means_step", s.BLUM, "eps", adjacency="one"),
    Row("halving_budgets", s.ROGERS, "eps", adjacency="each"),
    Row("quadratic_budgets", s.ROGERS, "2 * eps"),
    Row("noise_scaled_by_a_release", s.XIAO, "eps1 + eps2"),
    Row("per_query_budgets", f"{s.DWORK_ROTH}, 3.5", "sum(share)"),
    Row("equal_shares", f"{s.DWORK_ROTH}, 3.5", "eps"),
    Row("noisy_sgd_with_clipped_gradients", s.SONG, "eps"),
    Row("parallel_composition", s.MCSHERRY, "max(eps1, eps2)", adjacency="one"),
    Row("two_histograms", s.MCSHERRY, "eps", adjacency="one"),
    Row("gated_release", f"{s.DWORK_LEI}, the part that is pure", "eps"),
    Row("propose_test_release", s.DWORK_LEI, "eps", NOT_PRIVATE, "one", why="it is private with a delta only"),
    Row("sample_and_aggregate_mean", s.NISSIM, "eps", adjacency="one"),
    Row("suppressed_histogram", f"{s.KOROLOVA}, on a fixed list of bins", "eps", adjacency="one"),
    Row("measured_again_if_large", f"{s.DWORK_ROTH}, 3.5", "eps1 + eps2"),
    Row("three_releases_at_the_price_of_two", "written for this list", "2 * eps", REFUTED),
    Row("dp_sgd_with_gaussian_noise", "Abadi et al., Deep Learning with Differential Privacy, CCS 2016", "eps", CANNOT,
        why="Gaussian noise is not in the language, and the guarantee has a delta"),
)
