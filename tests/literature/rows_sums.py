"""Sums, means, counters of a stream, and trees of counts."""

from literature import sources as s
from literature.row import NOT_PRIVATE, REFUTED, Row

ROWS = (
    Row("laplace_sum", s.DMNS, "eps", adjacency="one"),
    Row("laplace_sum_l1", s.DMNS, "eps", adjacency="l1"),
    Row("laplace_count", f"{s.DWORK_ROTH}, 3.3", "eps", adjacency="one"),
    Row("clipped_sum", s.MCSHERRY, "eps", adjacency="one"),
    Row("mean_with_public_n", s.DMNS, "eps", adjacency="one"),
    Row("partial_sum", s.SHADOWDP, "eps", adjacency="one"),
    Row("partial_sum_with_half_the_noise", s.CHECKDP, "eps", NOT_PRIVATE, "one"),
    Row("prefix_sum", s.SHADOWDP, "eps", adjacency="one"),
    Row("prefix_sum_every_answer", s.SHADOWDP, "eps", NOT_PRIVATE),
    Row("simple_counter_fresh_noise", f"{s.CHAN}, first simple counter", "len(q) * eps", adjacency="one"),
    Row("smart_sum", s.SHADOWDP, "2 * eps", adjacency="one"),
    Row("smart_sum_with_remainder", s.CHECKDP, "2 * eps", adjacency="one"),
    Row("smart_sum_without_noise_on_blocks", s.CHECKDP, "2 * eps", NOT_PRIVATE, "one"),
    Row("two_level_counter", f"{s.CHAN}, two-level mechanism", "eps", adjacency="one"),
    Row("tree_counter_8", f"{s.DNPR}; {s.CHAN}", "eps", adjacency="one"),
    Row("tree_of_counts_by_level", s.HAY, "eps", adjacency="one"),
    Row("sliding_window_of_two", s.BOLOT, "eps", adjacency="one"),
    Row("quadtree_level", s.CORMODE, "eps", adjacency="one"),
    Row("marginals_of_a_table", s.BARAK, "eps", adjacency="one"),
    Row("differences_of_neighbours", f"{s.KELLARIS}, without its budget for dissimilarity", "eps", adjacency="one"),
    Row("mean_with_the_noise_of_a_sum_over_n_squared", "written for this list", "eps", REFUTED, "one"),
)
