"""Sparse vector, in the variants of Lyu, Su and Li and of others."""

from literature import sources as s
from literature.row import CANNOT, NOT_PRIVATE, REFUTED, Row

ROWS = (
    Row("above_threshold_index", f"{s.DWORK_ROTH}, Algorithm 1, as it returns the index", "eps"),
    Row("above_threshold_booleans", f"{s.DWORK_ROTH}, Algorithm 1", "eps"),
    Row("first_above_with_index_and_gap", s.FREE_GAP, "eps"),
    Row("lyu_algorithm_1", f"{s.LYU}, Algorithm 1", "eps"),
    Row("lyu_algorithm_2", f"{s.LYU}, Algorithm 2 ({s.DWORK_ROTH}, Algorithm 2)", "eps"),
    Row("lyu_algorithm_3", f"{s.LYU}, Algorithm 3", "eps", NOT_PRIVATE),
    Row("lyu_algorithm_4", f"{s.LYU}, Algorithm 4", "eps", NOT_PRIVATE),
    Row("lyu_algorithm_4_true_cost", f"{s.LYU}, Algorithm 4", "(1 + 6 * c) / 4 * eps"),
    Row("lyu_algorithm_5", f"{s.LYU}, Algorithm 5", "eps", NOT_PRIVATE),
    Row("lyu_algorithm_6", f"{s.LYU}, Algorithm 6", "eps", NOT_PRIVATE),
    Row("lyu_algorithm_7", f"{s.LYU}, Algorithm 7 with numeric answers", "eps1 + eps2 + eps3"),
    Row("sparse_vector_with_gap", s.FREE_GAP, "eps"),
    Row("numeric_sparse_vector", f"{s.DWORK_ROTH}, Algorithm 3", "eps"),
    Row("numeric_sparse_vector_zero_for_losers", s.SHADOWDP, "eps"),
    Row("numeric_sparse_vector_same_noise", f"{s.LYU}, on a wrong use of the tested noise", "eps", REFUTED),
    Row("adaptive_sparse_vector", s.FREE_GAP, "eps"),
    Row("adaptive_sparse_vector_without_tags", s.CHECKDP, "eps"),
    Row("sparse_vector_monotone", f"{s.LYU}, monotonic queries", "eps", adjacency="monotone"),
    Row("sparse_vector_on_running_totals", s.CHAN, "eps", adjacency="one"),
    Row("sparse_vector_about_guesses", s.HARDT_ROTHBLUM, "eps0 + eps1 + eps2"),
    Row("sparse_vector_remaining_budget", s.ROGERS, "eps"),
    Row("sparse_vector_halving_budgets", "written for this list", "eps"),
    Row("sparse_vector_exponential_noise", f"{s.DWORK_ROTH}, Algorithm 1, with one-sided noise", "eps"),
    Row("retraversal", f"{s.LYU}, SVT-ReTr", "eps", CANNOT, why="it passes over the answers again and again: `while`"),
)
