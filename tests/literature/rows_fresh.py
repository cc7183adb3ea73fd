"""Fresh mechanisms of the literature: programs and expected verdicts were written down without a single trial.

They are programs as a reader of a paper writes them at first, with the claim and the adjacency of the paper. ``why`` is
the argument that the expectation rests on: why the alignment costs the claim, or what is wrong with the mechanism. The
programs stand in ``fresh/``.
"""

from dataclasses import replace

from literature import sources as s
from literature.row import NOT_PRIVATE, REFUTED, Row

_PRIVATE = (
    Row("thresholdout", f"{s.THRESHOLDOUT}, Thresholdout", "2 * B / sigma",
        why="each answer pays 1/2 of 1/sigma for a threshold, 2/4 for being told and 1 for its number; the threshold is"
        " not drawn again after the last one"),
    Row("doubling_thresholds", f"{s.HENZINGER}, growing thresholds for one total", "eps", adjacency="one",
        why="running totals change by at most 1: the threshold pays eps / 2, each of k totals above it eps / (2 * k)"),
    Row("exponential_mechanism_with_prior", f"{s.TALWAR}, Definition 2", "eps",
        why="the prior is the same on both databases, and the chosen outcome rises by at most eps"),
    Row("pate_votes", f"{s.PATE}, aggregation by Laplace noise", "2 * gamma * (len(n) // classes)",
        why="in each round the label that is told is raised by at most 2"),
    Row("quartiles_on_a_grid", f"{s.KAPLAN}, Algorithm 1", "eps", adjacency="one",
        why="each of three utilities changes by at most 1, so each choice is raised by at most 2 at scale 6 / eps"),
    Row("median_of_a_perturbed_histogram", f"{s.LEI}, perturbed histogram", "eps", adjacency="l1",
        why="all noisy cells stay as they are, and the changes add up to at most 2"),
    Row("clusters_by_noisy_counts", f"{s.AHP}, with two clusters", "eps1 + eps2", adjacency="one",
        why="the noisy counts stay, and with them the clusters; the cell that changes is in one cluster only"),
    Row("adaptive_grid", f"{s.QARDAJI}, Adaptive Grids", "eps", adjacency="one",
        why="the noisy count of the cell pays alpha * eps, and the quarter in it the rest if it is counted"),
    Row("walsh_coefficients", f"{s.BARAK}, Fourier coefficients", "eps", adjacency="one",
        why="each of four coefficients changes by at most 1 at scale 4 / eps"),
    Row("logarithmic_counter", f"{s.CHAN}, Logarithmic Mechanism", "eps", adjacency="one",
        why="the noisy sums are of disjoint blocks, and an answer is in one of them"),
    Row("totals_every_b_steps", f"{s.JAIN}, recomputed at regular intervals", "eps", adjacency="one",
        why="each of len(q) // B measurements changes by at most 1, and that many share the budget"),
    Row("basic_rappor_of_one_bit", f"{s.RAPPOR}, Basic RAPPOR", "eps",
        why="the permanent answer stays, and its probability falls by exp(eps) at most; the reports follow from it"),
    Row("response_among_two_labels", f"{s.GHAZI}, RRTop-k", "eps",
        why="what is told has a probability of exp(eps) / (1 + exp(eps)), 1/2 or 1 / (1 + exp(eps))"),
    Row("doubling_until_accurate", f"{s.LIGETT}, the doubling method", "31 * eps",
        why="five measurements cost (1 + 2 + 4 + 8 + 16) * eps at most, and they decide where the run ends"),
    Row("sulq_perceptron", f"{s.BLUM}, perceptron", "eps", adjacency="one",
        why="the weight stays the same in each round, so one row changes the sum by at most 2 at scale 2 * k / eps"),
    Row("frank_wolfe_on_the_simplex", f"{s.TALWAR_LASSO}, Algorithm 2 with basic composition", "eps",
        why="the corners that are told fix w, and each is raised by at most 2 at scale 2 * k / eps"),
    Row("most_telling_attribute", f"{s.PRIVBAYES}, one attribute", "eps1 + eps2",
        why="the selection costs eps1; the two counts change by at most 1 each at scale 2 / eps2"),
    Row("approximate_bounds_then_sum", f"{s.WILSON}, Approximate Bounds", "eps1 + eps2", adjacency="one",
        why="a value that changes leaves one bin and enters another, and moves the clipped sum by at most one unit"),
    Row("mean_and_variance", f"{s.WILSON}, ANON_VAR with a public count", "eps", adjacency="one",
        why="the sum and the sum of squares change by at most 1 each at scale 2 / eps"),
    Row("count_min_sketch", f"{s.MELIS}, Count-Min with Laplace noise", "eps", adjacency="one",
        why="in each of two rows an item counts in one bucket at most, at scale 2 / eps"),
    Row("greedy_coverage", f"{s.MITROVIC}, Algorithm 1 with exponential noise", "eps", adjacency="one",
        why="earlier choices fix what is covered, each gain changes by at most 1, and each choice is raised by 2"),
    Row("clamped_likelihood_ratio", f"{s.CANONNE}, noisy clamped log-likelihood ratio", "eps", adjacency="one",
        why="one clamped ratio changes by at most 2 * c"),
    Row("top_down_of_one_level", f"{s.CENSUS}, with geometric noise", "eps", adjacency="one",
        why="the total and one cell change by at most 1 each at scale 2 / eps"),
    Row("heaviest_noisy_counts", f"{s.BALCER}, KeepHeavy", "eps", adjacency="l1",
        why="all noisy counts stay as they are, and the changes add up to at most 2"),
    Row("degree_sequence", f"{s.HAY_DEGREES}, sorted degrees", "eps", adjacency="l1",
        why="all noisy degrees stay as they are, and the changes add up to at most 2"),
    Row("digital_goods_price", f"{s.TALWAR}, Section 4, digital goods auction", "eps", adjacency="one",
        why="a bid changes each revenue by at most 1, and the price that is told is raised by at most 2"),
)

_REFUTED = (
    Row("sum_clipped_on_both_sides", f"{s.CASACUBERTA}, the sensitivity of a sum", "eps", REFUTED, "one",
        why="a value that changes from -bound to bound changes the sum by 2 * bound"),
    Row("goodness_of_fit_with_the_noise_of_one_cell", f"{s.GABOARDI}, with half the noise", "eps", REFUTED, "l1",
        why="a row that moves changes two cells by 1 each, at a cost of 2 * eps"),
    Row("answer_with_the_noise_of_the_threshold", f"{s.LYU}, after the fault of Algorithm 3", "eps", REFUTED,
        why="the threshold must be raised for the losers, and may not be, since its noise is told"),
)

_NOT_PRIVATE = (
    Row("fresh_reports_every_day", f"{s.TANG}, the budget of one day", "log(3)", NOT_PRIVATE, fixed=(("k", 2),),
        why="two reports lose 2 * log(3)"),
    Row("cells_with_an_exact_total", f"{s.CENSUS}, with an invariant", "eps", NOT_PRIVATE, "one",
        why="the total tells one database from the other"),
    Row("noise_on_the_cells_in_use", f"{s.WILSON}, GROUP BY without a threshold", "eps", NOT_PRIVATE, "one",
        why="a cell with one person in it is told to be empty only without that person"),
)

FRESH = tuple(replace(row, family="fresh") for row in (*_PRIVATE, *_REFUTED, *_NOT_PRIVATE))
