"""Further mechanisms of the literature, all written down with their expected verdicts before the first was tried.

They are programs as a reader of a paper writes them at first, and none is changed after its first trial. The programs
stand in ``further/``; ``python tests/literature/table.py --further`` tries them.
"""

from dataclasses import replace

from literature import sources as s
from literature.row import NOT_PRIVATE, REFUTED, Row

_PRIVATE = (
    Row("counts_at_thresholds", f"{s.BUN}, the baseline by Laplace noise", "eps", adjacency="one"),
    Row("interval_by_bisection", f"{s.BLR}, interval queries", "eps", adjacency="one"),
    Row("decision_stump", f"{s.KASIVISWANATHAN}, the private learner for thresholds", "eps", adjacency="one"),
    Row("clipped_sums_at_bounds", f"{s.AMIN}, sums at several bounds", "eps", adjacency="one"),
    Row("histogram_of_equal_widths", f"{s.DWORK_ROTH}, 3.3, where a row moves from bin to bin", "eps", adjacency="one"),
    Row("above_threshold_in_rounds", f"{s.DWORK_ROTH}, 3.6, Algorithm 1 started again", "c * eps"),
    Row("numeric_sparse_fresh_thresholds", f"{s.DWORK_ROTH}, 3.6, Algorithm 3, pure", "eps"),
    Row("block_counter", f"{s.CHAN}, second simple counter, blocks only", "eps", adjacency="one"),
    Row("private_partition", f"{s.DNRR}, the online partition", "eps", adjacency="one"),
    Row("fast_with_adaptive_sampling", f"{s.FAN}, FAST with a filter of fixed gain", "eps"),
    Row("budget_distribution", f"{s.KELLARIS}, Budget Distribution for one window", "eps"),
    Row("mean_by_noisy_size", f"{s.DWORK_ROTH}, 3.5, adaptive composition", "eps1 + eps2"),
    Row("geometric_budgets_by_level", f"{s.CORMODE}, geometric budgets", "eps"),
    Row("privacy_filter", f"{s.ROGERS}, a filter by basic composition", "budget"),
    Row("decayed_sum", f"{s.BOLOT}, exponential decay", "eps", adjacency="one"),
    Row("change_point", f"{s.CUMMINGS}, Algorithm 1, OfflinePCPD", "eps", adjacency="one"),
    Row("top_k_by_peeling", f"{s.BHASKAR}, one after another, with Laplace noise", "eps"),
    Row("unary_encoding", f"{s.WANG_LOCAL}, symmetric unary encoding", "eps"),
    Row("binary_local_hashing", f"{s.WANG_LOCAL}, binary local hashing", "eps"),
    Row("privelet_of_four_cells", f"{s.PRIVELET}, Haar wavelet of four cells", "eps", adjacency="one"),
    Row("consistent_leaves", f"{s.HAY}, consistency by least squares, one level", "eps", adjacency="one"),
    Row("noise_first", f"{s.XU}, NoiseFirst on pairs", "eps", adjacency="one"),
    Row("structure_first", f"{s.XU}, StructureFirst with two bins", "eps1 + eps2", adjacency="one"),
    Row("unbounded_quantile", f"{s.DURFEE_QUANTILE}, with Laplace noise", "eps", adjacency="one"),
    Row("noisy_min_exponential", f"{s.MCKENNA}, over losses", "eps"),
    Row("online_change_point", f"{s.CUMMINGS}, Algorithm 2, OnlinePCPD", "eps"),
    Row("sparse_vector_best_allocation", f"{s.LYU}, 4.2, the allocation of the budget", "eps"),
)

_REFUTED = (
    Row("sparse_redraws_before_halting", f"{s.DWORK_ROTH}, 3.6, Algorithm 2", "eps", REFUTED,
        why="the alignment pays for c + 1 thresholds, the last of which no answer is compared with"),
    Row("windows_at_the_price_of_one_answer", f"{s.BOLOT}, windows, with noise for one of them", "eps", REFUTED, "one",
        why="an answer counts in up to w windows"),
    Row("median_of_rows_with_half_the_noise", f"{s.SMITH}, with half the noise", "eps", REFUTED, "one",
        why="the utilities below the median move against those above it: the claim that holds is twice as large"),
    Row("shrinking_budgets_from_the_whole", f"{s.CORMODE}, geometric budgets, not scaled to their sum", "eps", REFUTED,
        why="the budgets add up to eps / (1 - r)"),
    Row("three_levels_at_the_price_of_two", f"{s.HAY}, with the noise of a tree of two levels", "eps", REFUTED, "one",
        why="an answer counts in three levels"),
)

_NOT_PRIVATE = (
    Row("noisy_max_with_public_floor", f"{s.DWORK_ROTH}, 3.3, with a floor", "eps", NOT_PRIVATE, fixed=(("floor", 0),),
        why="every answer may rise towards the floor at once"),
    Row("histogram_with_shared_noise", f"{s.DWORK_ROTH}, 3.3, with one draw", "eps", NOT_PRIVATE, "one",
        why="the differences of the cells are told exactly"),
    Row("bisection_with_one_noise", f"{s.BLR}, interval queries, with one draw", "eps", NOT_PRIVATE, "one",
        fixed=(("low", 0), ("high", 4), ("target", 1), ("k", 2)),
        why="the counts of two points differ by 1 on one database only"),
    Row("unary_encoding_with_the_budget_for_each_bit", f"{s.WANG_LOCAL}, with eps for eps / 2", "eps", NOT_PRIVATE,
        fixed=(("d", 2), ("reach", 1)), why="two bits tell one category from another"),
)

FURTHER = tuple(replace(row, family="further") for row in (*_PRIVATE, *_REFUTED, *_NOT_PRIVATE))
