"""Unseen mechanisms of the literature: programs and expected verdicts were written down without a single trial.

They are programs as a reader of a paper writes them at first, with the claim and the adjacency of the paper. ``why`` is
the argument that the expectation rests on: why the alignment costs the claim, or what is wrong with the mechanism. The
programs stand in ``unseen/``.
"""

from dataclasses import replace

from literature import sources as s
from literature.row import NOT_PRIVATE, REFUTED, Row

_PRIVATE = (
    Row("above_noisy_threshold_uploads", f"{s.DP_SYNC}, DP-ANT", "eps", adjacency="one",
        why="only in the stretch between two uploads with the changed record does the threshold rise by 1, for eps / 4;"
        " its upload moves by at most 2 in the test, for eps / 4, and by 1 in the answer, for eps / 2"),
    Row("selective_gradients", f"{s.SHOKRI}, selective sharing by sparse vector", "eps",
        why="c thresholds rise by delta and c tests by at most 2 delta, for half of 8 eps / 9 each; c answers of noise"
        " 2 c delta / (2 eps / 9) change by delta, for eps / 9"),
    Row("mode_by_permute_and_flip", f"{s.MCKENNA}, monotone utilities", "eps", adjacency="monotone",
        why="the winner rises by 1 and by its fall if counts rise, and by its fall if they fall: between 0 and 1"),
    Row("tuned_by_mistakes", f"{s.CHAUDHURI}, Algorithm 3", "eps",
        why="the winner rises over all others by 1 and by the change of its mistakes: at most 2, at scale 2 / eps"),
    Row("online_quantile_by_responses", f"{s.LIU}, with public steps", "eps", adjacency="one",
        why="the level is made of what was said, so one true answer at most changes, and its coin is turned, for eps"),
    Row("theil_sen_by_matching", f"{s.ALABI}, DPTheilSenMatch with a grid", "eps", adjacency="one",
        why="one slope changes, and each rank by at most 1; the winner rises by at most 2, at scale 2 / eps"),
    Row("range_then_mean", f"{s.KARWA}, the range, then the mean", "eps1 + eps2", adjacency="one",
        why="a count changes by at most 1, so the winner rises by at most 2, for eps1; one clipped value changes by at"
        " most 3 widths, for eps2"),
    Row("prefix_tree_of_trajectories", f"{s.TRANSIT}, two levels", "eps", adjacency="one",
        why="one child changes by 1 and so does its parent alone, each for eps / 2; whether a node has its children"
        " counted is decided by its noisy size, which stays"),
    Row("matrix_mechanism", s.MATRIX, "eps", adjacency="l1",
        why="the answers to the strategy change by s in all, at scale s / eps; the workload is made of noisy answers"),
    Row("predictive_traces", f"{s.CHATZIKOKOLAKIS}, in one dimension", "len(x) * r * (eps_test + eps_noise)",
        why="in every step the test moves by r, and if there is a new report, its noise by at most r"),
    Row("flipped_bloom_filter", s.BLIP, "eps", adjacency="l1",
        why="counts are whole, so at most k bits differ; at each a flip is turned, whose weights have the ratio"
        " exp(eps / k)"),
    Row("staircase_reports", f"{s.GENG_STAIRCASE}, as a local report", "eps", adjacency="one",
        why="one report changes, by at most 2, which is one period, and a period costs period / scale = eps"),
    Row("movie_averages", f"{s.MCSHERRY_MIRONOV}, global and movie effects", "eps1 + eps2", adjacency="l1",
        why="sums and counts change by 2 in all, at scale 2 / eps1 in their totals and 2 / eps2 for each movie"),
    Row("functional_mechanism_of_a_line", f"{s.FUNCTIONAL}, Algorithm 1", "eps", adjacency="l1",
        why="the coefficients change by 8 in all, at scale 8 / eps; the minimum is made of noisy coefficients"),
    Row("two_stars_of_clipped_degree", f"{s.IMOLA}, LocalLap for k = 2", "eps", adjacency="one",
        why="between neighbouring degrees of at most m lie at most m - 1 stars, at scale m / eps"),
    Row("decision_list", f"{s.BLUM}, a learner from statistical queries", "eps", adjacency="one",
        why="each of the two counts of a rule changes by at most 1 and is pushed to its side by 1, for eps / (2 rules);"
        " what is left depends on the rules taken only"),
    Row("misra_gries", f"{s.LEBEDA}, with pure privacy", "eps", adjacency="l1",
        why="the counters change by 2 in all, at scale 2 / eps; which are put out depends on noisy counters"),
    Row("compressive_mechanism", s.COMPRESSIVE, "eps", adjacency="one",
        why="each of k measurements changes by at most 1 / sqrt(k), at scale sqrt(k) / eps: eps / k each"),
    Row("cells_then_blocks", s.DPCUBE, "eps", adjacency="one",
        why="the cell that changes is measured once alone, for alpha eps, and in one block, for (1 - alpha) eps; the"
        " blocks depend on noisy cells"),
    Row("rejecting_subsets", f"{s.KAZAN}, with Tulap noise", "eps", adjacency="one",
        why="one subset changes, so the count does by at most 1; the uniform part of the noise stays"),
    Row("dual_query", f"{s.DUAL_QUERY}, with one sample a round", "eta * rounds * (rounds - 1)",
        why="in round t the winner rises by at most 2 eta t at scale 1, and 0 + 1 + … + (rounds - 1) is"
        " rounds (rounds - 1) / 2"),
    Row("two_means", f"{s.SU}, DPLloyd with two centres on a line", "eps", adjacency="one",
        why="the centres are made of noisy numbers, so in a round two counts and two sums of numbers in [0, 1] change"
        " by at most 1 each, at scale 4 rounds / eps"),
    Row("price_or_chance", f"{s.NISSIM_DESIGN}, the mixed mechanism", "eps",
        why="where the coin asks for scores the winner rises by at most 2, at scale 2 / eps; by chance nothing moves"),
    Row("borda_ranking", f"{s.BORDA}, DP-Borda", "eps", adjacency="l1",
        why="the scores change by delta in all, at scale delta / eps; the order is that of the noisy scores"),
    Row("shortest_path_in_two_lanes", s.SEALFON, "eps", adjacency="l1",
        why="the weights change by 1 in all, at scale 1 / eps; the paths are made of noisy weights"),
    Row("labels_of_the_leaves", f"{s.JAGANNATHAN}, one tree, with labels put out", "eps", adjacency="one",
        why="one count of one leaf changes by 1, and its noise makes up for it; the labels depend on noisy counts"),
)

_REFUTED = (
    Row("uploads_with_one_threshold", f"{s.DP_SYNC}, DP-ANT without fresh thresholds", "eps", REFUTED, "one",
        why="the raised threshold, kept for all uploads, has to be made up for at each, for eps / 8 or more: two"
        " uploads cost 9 eps / 8"),
    Row("forest_with_the_budget_of_one_tree", f"{s.JAGANNATHAN}, each tree with the whole budget", "eps", REFUTED,
        "one", why="all trees see the same examples, so the loss is eps for each tree"),
    Row("gradients_clipped_after_averaging", f"{s.TRAMER}, clipping the mean of the batch", "eps", REFUTED, "one",
        why="one gradient without a bound may move the clipped mean by 2 C, which costs eps for each gradient of the"
        " batch"),
)

_NOT_PRIVATE = (
    Row("split_with_exact_labels", f"{s.FRIEDMAN}, without noise at the leaves", "eps", NOT_PRIVATE,
        why="where both labels are equally frequent, one example decides the label"),
    Row("histogram_of_moved_people", f"{s.LI_THEORY}, unbounded noise for a bounded claim", "eps", NOT_PRIVATE, "l1",
        why="who moves changes two cells by 1 each, at scale 1 / eps: the loss is 2 eps"),
    Row("two_stars_with_the_noise_of_a_degree", f"{s.IMOLA}, with the sensitivity of the degree", "eps", NOT_PRIVATE,
        fixed=(("m", 4),),
        why="from degree 3 to degree 4 three 2-stars are added, at scale 1 / eps: the loss is 3 eps"),
)

UNSEEN = tuple(replace(row, family="unseen") for row in (*_PRIVATE, *_REFUTED, *_NOT_PRIVATE))
