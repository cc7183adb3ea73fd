"""Further mechanisms of the literature: programs and expected verdicts were written down before the first trial.

They are programs as a reader of a paper writes them at first, with the claim and the adjacency of the paper. ``why`` is
the argument that the expectation rests on: why the alignment costs the claim, or what is wrong with the mechanism. The
programs stand in ``untried/``.
"""

from dataclasses import replace

from literature import sources as s
from literature.row import NOT_PRIVATE, REFUTED, Row

_PRIVATE = (
    Row("shaky_ladder", f"{s.HARDT_LADDER}, the Shaky Ladder", "eps",
        why="the threshold falls by 1, for eps / 3, so that losers stay; each of k improvements falls by 1 and makes up"
        " for its change: at most 2 at scale 6 k / eps, and at most 1 in the number, at scale 3 k / eps"),
    Row("private_sprt", f"{s.ZHANG_SPRT}, PrivSPRT with Laplace noise", "eps", adjacency="one",
        why="the sum changes by at most delta; both thresholds move outwards by delta, for eps / 4 each, and the one"
        " step that ends the test moves by at most 2 delta, for eps / 2"),
    Row("hypothesis_by_worst_comparison", f"{s.BUN_SELECTION}, with three rivals", "eps",
        why="the smallest of three comparisons changes by at most 1, and the winner rises by 1 and by its change: at"
        " most 2 and never below 0, at scale 2 / eps"),
    Row("discriminator_votes", f"{s.PATE_GAN}, the noisy votes", "2 * gamma * len(real)",
        why="both counts of a sample change by at most 1 at scale 1 / gamma, and their noise makes up for it"),
    Row("quantile_by_noisy_steps", f"{s.ANDREW}, the linear update, with Laplace noise", "eps", adjacency="one",
        why="the levels were put out, so in each round one value changes the count below the level by at most 1, at"
        " scale rounds / eps"),
    Row("interval_for_the_median", f"{s.DRECHSLER}, ExpMech with exponential noise", "eps",
        program="tests/literature/untried/interval_for_the_median.py::phi",
        why="the distance of a count from a rank changes by at most 1, so a winner rises by between 0 and 2 at scale"
        " 2 / (eps / 2): eps / 2 for each end"),
    Row("ordered_mechanism", f"{s.BLOWFISH}, the Ordered Mechanism", "eps", adjacency="one",
        why="under the policy one cumulative count changes by 1, and its noise makes up for it; the running maximum is"
        " made of noisy counts"),
    Row("naive_bayes_counts", f"{s.VAIDYA}, categorical attributes", "eps", adjacency="few(d)",
        why="at most d counts change by 1 each, at scale d / eps; the shares are made of noisy counts"),
    Row("prefixes_by_subtraction", f"{s.ELDERS}, one block of five days", "eps", adjacency="one",
        why="a day is in the total and in at most one other node, each at scale 2 / eps; the prefixes are made of"
        " noisy nodes"),
    Row("fixed_rate_sampling", f"{s.FAN}, sampling at a fixed rate", "eps",
        why="at most as many counts are measured as there are samples, and each changes by at most 1 at scale"
        " samples / eps"),
    Row("subset_selection_of_four", f"{s.YE_BARG}, pairs of four values", "eps",
        why="each value is in three of the six pairs, so the weights always add up to 3 exp(eps) + 3, and one weight"
        " changes by the factor exp(eps) at most"),
    Row("key_value_report", f"{s.PRIVKV}, the local perturbation", "eps1 + eps2",
        why="the weights of the sign add up to 2 exp(eps2) + 2 and lie between 2 and 2 exp(eps2), for eps2; the key is"
        " randomised response, for eps1"),
    Row("pan_private_density", f"{s.PAN_PRIVATE}, one intrusion", "2 * log(2 / (2 - a))", adjacency="few(2)",
        why="a user's bit at the intrusion keeps its value, for log(2 / (2 - a)) at most; the later appearance changes"
        " the number of ones by at most 1, for as much; two such changes are allowed"),
    Row("blocks_of_a_stream", f"{s.SAGE}, block composition", "eps", adjacency="one",
        why="one block changes, which two of the three statistics read, each at scale 2 / eps"),
    Row("pythia", f"{s.PYTHIA}, one feature and two algorithms", "eps", adjacency="one",
        why="the number of cells in use changes by at most 1, for eps / 2; then one cell, or the total, changes by at"
        " most 1, for eps / 2"),
    Row("top_m_filter", f"{s.TOP_M}, the Top-m Filter", "eps1 + eps2", adjacency="one",
        why="the number of edges changes by at most 1, for eps1, and stays as it was put out; one cell changes by at"
        " most 1, for eps2, and all noisy cells stay as they are"),
    Row("privada_sum", f"{s.PRIVADA}, the discrete Laplace mechanism", "eps", adjacency="one",
        why="one clipped whole number changes by at most m, at scale m / eps"),
    Row("race_to_the_top", f"{s.R2T}, for a sum", "eps", adjacency="one",
        why="the sum truncated at t changes by at most t, at scale len(tau) t / eps, for each of len(tau) thresholds"),
    Row("count_sketch_row", f"{s.MELIS}, one row of a Count Sketch", "eps", adjacency="one",
        why="one count changes by at most 1, and is in one of the two buckets, with either sign, at scale 1 / eps"),
    Row("noisy_minhash_bits", f"{s.AUMULLER}, one bit for each hash function", "eps", adjacency="few(t)",
        why="at most t bits change, and each report keeps its value, for eps / t"),
    Row("sage_accept", f"{s.SAGE}, the ACCEPT test of a loss", "eps",
        why="the total of the losses changes by at most B at scale 2 B / eps, and the count by at most 1 at scale"
        " 2 / eps; their noise makes up for both"),
    Row("identity_test_by_coin", f"{s.ACHARYA}, the coin", "eps",
        why="the odds change by the factor exp(eps) at most, and neither probability changes by more than the odds"),
    Row("smoothed_histogram_samples", f"{s.WASSERMAN}, two bins", "k * log(1 + 2 * (1 - d) / (n * d))",
        why="the weights add up to 1; one changes by at most (1 - d) / n and is never below d / 2, so its logarithm"
        " changes by at most log(1 + 2 (1 - d) / (n d)), for each of k samples"),
    Row("labels_by_cluster", f"{s.ESFANDIARI}, two labels", "eps", adjacency="l1",
        why="the counts change by at most 2 in all, at scale 2 / eps; the labels are drawn by the noisy counts"),
    Row("consensus_messages", f"{s.HUANG}, with as many messages as averages", "eps",
        why="in round t the states differ by at most (1 - s)^t, at scale len(y) (1 - s)^t / eps: eps / len(y) for each"
        " of len(y) rounds"),
    Row("two_arms_by_elimination", f"{s.SAJED}, DP-SE with two arms", "eps", adjacency="one",
        why="one reward is in one total of one epoch, which changes by at most 1 at scale 1 / eps; all noisy totals"
        " stay as they are"),
)

_REFUTED = (
    Row("race_to_the_top_with_one_budget", f"{s.R2T}, the whole budget for each threshold", "eps", REFUTED, "one",
        why="a value that rises from 0 above all thresholds moves each truncated sum by its threshold t, at scale"
        " t / eps: two thresholds cost 2 eps"),
    Row("messages_with_the_noise_of_one_round", f"{s.HUANG}, the budget of one message", "eps", REFUTED,
        why="the states of round t differ by (1 - s)^t, at scale (1 - s)^t / eps: two rounds cost 2 eps"),
    Row("acceptance_by_an_exact_count", f"{s.SAGE}, without noise on the count", "eps", REFUTED,
        why="the count is private and moves the bound by tau, which no noise makes up for, so the answer changes"),
)

_NOT_PRIVATE = (
    Row("values_of_owners_only", f"{s.PRIVKV}, without values for those who have none", "eps", NOT_PRIVATE,
        why="who has the key never sends a zero, and who does not have it may: the loss has no bound"),
    Row("naive_bayes_at_the_price_of_one_attribute", f"{s.VAIDYA}, the budget counted once", "eps", NOT_PRIVATE,
        "few(d)", fixed=(("d", 2),),
        why="d counts change by 1 each, at scale 1 / eps: the loss is d eps"),
    Row("cumulative_counts_of_any_move", f"{s.BLOWFISH}, the Ordered Mechanism outside its policy", "eps", NOT_PRIVATE,
        why="a person who moves far changes many cumulative counts by 1, at scale 1 / eps: two of them cost 2 eps"),
)

UNTRIED = tuple(replace(row, family="untried") for row in (*_PRIVATE, *_REFUTED, *_NOT_PRIVATE))
