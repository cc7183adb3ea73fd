"""Functions of smaller public repositories."""

from __future__ import annotations

from typing import Any

from alignkit import BELOW
from alignkit.implementing import NoiseDraw
from public_functions import sources
from public_functions.case import Case, adding
from public_functions.reading import (
    adaptive,
    arr,
    data_of,
    false_is_below,
    index_of_true,
    queries_on,
    recovery,
    row,
    tags,
    until,
)


def laplace_of_scale(scale: Any) -> Any:
    """A sampler of Laplace noise whose argument is the scale."""
    return NoiseDraw.laplace(scale)


CASES: list[Case] = []
case = adding(CASES)

# fricklerhandwerk/differential-privacy, naive.py ("a repository that is not known")
P = sources.NAIVE
case("naive report_noisy_max", "naive:report_noisy_max", P, "noisy_max", "differs",
     lambda f, q, eps: f(None, queries_on(q), eps), note="Lap(1 / eps) for scores that need not be monotone")
case("naive report_noisy_max, half", "naive:report_noisy_max", P, "noisy_max_with_half_the_noise", "implements",
     lambda f, q, eps: f(None, queries_on(q), eps))
case("naive above_threshold", "naive:above_threshold", P, "above_threshold_index", "implements",
     lambda f, q, T, eps: f(None, queries_on(q), T, eps / 2, eps / 2), index_of_true)
case("naive sparse", "naive:sparse", P, "sparse_vector", "implements",
     lambda f, q, T, k, eps: f(None, queries_on(q), T, k, eps / 2, eps / 2, monotonic=False), tags)
case("naive sparse, monotonic", "naive:sparse", P, "sparse_vector_monotone", "implements",
     lambda f, q, T, k, eps: f(None, queries_on(q), T, k, eps / 2, eps / 2), tags)
case("naive sparse, its default", "naive:sparse", P, "sparse_vector", "differs",
     lambda f, q, T, k, eps: f(None, queries_on(q), T, k, eps / 2, eps / 2), tags,
     note="monotonic=True is the default")
case("naive numeric_sparse", "naive:numeric_sparse", P, "sparse_numeric_by_shares", "differs",
     lambda f, q, T, c, delta, eps0, eps1, eps2: f(None, queries_on(q), T, c, eps0, eps1, eps2, delta, False),
     false_is_below, note="Lap(c * sensitivity / e3) with the counter c, which is 0 for the first winner: no noise")
case("naive numeric_sparse_2", "naive:numeric_sparse_2", P, "sparse_numeric_by_shares", "implements",
     lambda f, q, T, c, delta, eps0, eps1, eps2: f(None, queries_on(q), T, c, eps0, eps1, eps2, delta, False),
     false_is_below, note="correct: draws the noise of the answers after all the tests")
case("naive sparse_2", "naive:numeric_sparse_2", P, "sparse_vector", "implements",
     lambda f, q, T, k, eps: f(None, queries_on(q), T, k, eps / 2, eps / 2, 0, 1, False), tags,
     note="numeric_sparse_2 without a budget for numbers")
P = sources.NAIVE_LATER
case("naive at HEAD: sparse by ratio", "naive:sparse", P, "nvflare_selection_after", "implements",
     lambda f, q, tau, c, gamma, ratio, eps: f(list(q), list(range(len(q))), tau, eps, ratio, c, gamma, False), tags,
     note="a second module named naive: run it in a process of its own")

# iagocc/esnm ("noisy max with exponential noise") and iagocc/smooth-noisy-max
P = sources.ESNM
case("esnm report_noisy_max", "standard_selection:report_noisy_max", P, "noisy_max_exponential_delta", "implements",
     lambda f, q, delta, eps: f(arr(q), delta, eps))
case("esnm em", "standard_selection:em", P, "gumbel_max", "implements",
     lambda f, u, delta, eps: f(arr(u), delta, eps))
P = sources.SMOOTH_TREE
case("smooth-noisy-max RNM", "src.selection.rnm:RNM", P, "noisy_max_exponential_delta", "implements",
     lambda f, q, delta, eps: f(eps, delta)(arr(q)), note="np.random.default_rng() in each call")
case("smooth-noisy-max SmoothLaplaceRLNM", "src.selection.rnm:SmoothLaplaceRLNM", P, "noisy_max_delta", "implements",
     lambda f, q, delta, eps: f(eps, delta, 0)(arr(q)))
P = sources.SMOOTH_PERCENTILE
case("smooth-noisy-max rnm", "mechanims:rnm", P, "noisy_max_exponential_delta", "implements",
     lambda f, q, delta, eps: f(arr(q), delta, eps), int)
case("smooth-noisy-max em", "mechanims:em", P, "exponential_by_choice", "unsupported",
     lambda f, u, delta, eps: f(arr(u), delta, eps), int,
     note="numba's safe_exp and random.choices with weights")

# Files whose repository is not known (unnamed/): noisy max with Lap(delta / eps)
P = sources.NAMELESS
for name, where, call in [
    ("scores_selection", "scores_selection:report_noisy_max", lambda f, q, delta, eps: f(arr(q), delta, eps)[0]),
    ("list_mechanisms", "list_mechanisms:report_noisy_max", lambda f, q, delta, eps: f(q, eps, delta)),
    ("usability_oracle", "usability_oracle_mechanisms:report_noisy_max", lambda f, q, delta, eps: f(q, delta, eps)),
]:
    case(f"{name} report_noisy_max", where, P, "noisy_max_delta", "differs", call, int,
         note="scale delta / eps")
    case(f"{name} report_noisy_max, half", where, P, "noisy_max_delta_half", "implements", call, int)
case("quality_selection noisy_max", "quality_selection:noisy_max", P, "noisy_max", "differs",
     lambda f, q, eps: f(q, range(len(q)), lambda X, i: X[i], eps), note="arrays of one entry in a list")
case("quality_selection noisy_max, half", "quality_selection:noisy_max", P, "noisy_max_with_half_the_noise",
     "implements", lambda f, q, eps: f(q, range(len(q)), lambda X, i: X[i], eps))
case("quality_selection exponential_mechanism", "quality_selection:exponential_mechanism", P,
     "exponential_by_choice_unit", "differs", lambda f, u, eps: f(u, range(len(u)), lambda X, i: X[i], eps), int,
     note="a real bug: searchsorted(...) + 1 never returns 0, and the last two are one")
case("inverse_laplace report_noisy_max", "inverse_laplace:report_noisy_max", P, "noisy_max_delta_half", "implements",
     lambda f, q, delta, eps: f(q, eps, delta), int, note="Laplace noise as the logarithm of a uniform")
case("inverse_laplace report_noisy_max, sampler named", "inverse_laplace:report_noisy_max", P, "noisy_max_delta_half",
     "implements", lambda f, q, delta, eps: f(q, eps, delta), int,
     samplers={"inverse_laplace:laplace_sample": laplace_of_scale})
case("inverse_laplace report_noisy_top_k, sampler named", "inverse_laplace:report_noisy_top_k", P,
     "noisy_top_k_delta_half", "implements", lambda f, q, k, delta, eps: f(q, eps, delta, k), list,
     samplers={"inverse_laplace:laplace_sample": laplace_of_scale}, note="argsort, reversed")
case("scores_selection exponential", "scores_selection:exponential", P, "exponential_by_choice", "implements",
     lambda f, u, delta, eps: f(arr(u), delta, eps)[0], int, note="np.linalg.norm(ord=1) of exponentials")
case("list_mechanisms laplace_mechanism", "list_mechanisms:laplace_mechanism", P, "laplace_mechanism", "implements",
     lambda f, q, delta, eps: f(q, eps, delta), list)
case("list_mechanisms exponential_mechanism", "list_mechanisms:exponential_mechanism", P, "exponential_by_choice",
     "implements", lambda f, u, delta, eps: f(list(range(len(u))), list(u), eps, delta), int)
case("usability_oracle report_noisy_argmax", "usability_oracle_mechanisms:report_noisy_argmax", P,
     "noisy_max_delta_half_with_maximum", "implements", lambda f, q, delta, eps: f(q, delta, eps), tuple,
     note="not private: the noisy maximum is released too")
case("usability_oracle laplace_mechanism_vector", "usability_oracle_mechanisms:laplace_mechanism_vector", P,
     "laplace_mechanism", "implements", lambda f, q, delta, eps: f(arr(q), delta, eps), list)
case("usability_oracle sparse_vector_technique", "usability_oracle_mechanisms:sparse_vector_technique", P,
     "sparse_vector_delta", "differs", lambda f, q, T, k, delta, eps: until(f(q, T, delta, eps, k), k),
     note="a real bug: 2 k delta / eps on the queries, where 4 k delta / eps is needed")
case("usability_oracle sparse_vector_technique, half", "usability_oracle_mechanisms:sparse_vector_technique", P,
     "sparse_vector_delta_half", "implements", lambda f, q, T, k, delta, eps: until(f(q, T, delta, eps, k), k),)
case("usability_oracle above_threshold", "usability_oracle_mechanisms:above_threshold", P, "above_threshold_index",
     "differs", lambda f, q, T, eps: f(q, T, 1.0, eps), note="the same bug: 2 / eps instead of 4 / eps")
case("svt_cycle SVT", "svt_cycle:SVT", P, "winners_as_list", "cut",
     lambda f, q, T, k, eps: f(q, [T] * len(q), 1, k, eps / 2, eps / 2), lambda o: [i for i, _ in o],
     note="goes round the queries until k have won; does not end for k > n")

# RoyLiberman/OnlineMW-via-NumericSparse
case("online-mw numeric_sparse, scale as location", "OnlineMWEM:numeric_sparse", sources.ONLINE_BEFORE,
     "numeric_sparse_fresh", "differs", lambda f, q, T, k, eps: f(data_of(q), range(len(q)), T, k, eps, 0),
     lambda o: [BELOW if isinstance(v, str) else v for v in o],
     note="a real bug: laplace(sigma) takes the scale as the location; the noise has scale 1 whatever eps is")
case("online-mw numeric_sparse", "OnlineMWEM:numeric_sparse", sources.ONLINE_AFTER,
     "numeric_sparse_fresh", "implements", lambda f, q, T, k, eps: f(data_of(q), range(len(q)), T, k, eps, 0),
     lambda o: [BELOW if isinstance(v, str) else v for v in o],
     note="the fix; a second module named OnlineMWEM: run it in a process of its own")

# yxwangcs/freegap: the code of the papers on gaps
P = sources.FREEGAP
G = "refinedp.gapestimates:"
case("freegap sparse_vector", G + "sparse_vector", P, "winners_as_list", "implements",
     lambda f, q, T, k, eps: f(q, eps, k, T), lambda o: [int(i) for i in o])
case("freegap noisy_top_k", G + "noisy_top_k", P, "noisy_top_k", "implements",
     lambda f, q, k, eps: f(arr(q), eps, k), lambda o: [int(i) for i in o], note="argpartition, then argsort")
case("freegap gap_noisy_max", G + "gap_noisy_max", P, "noisy_max_with_gap", "cut", lambda f, q, eps: f(q, eps),
     lambda o: (int(o[0]), o[1]), note="a real bug: i never moves, so that it never ends (nothing calls it); it also "
     "starts from 0 and would force the second query to win (i == 1). Do not run it on floats without a limit")
case("freegap gap_sparse_vector", G + "gap_sparse_vector", P, "winners_one_by_one", "implements",
     lambda f, q, T, k, eps: f(q, eps, k, T), lambda o: [(int(i), g) for i, g in zip(*o, strict=True)])
case("freegap laplace_mechanism", G + "laplace_mechanism", P, "laplace_by_length", "implements",
     lambda f, q, eps: f(arr(q), eps, list(range(len(q)))), list, note="float(len(...))")
case("freegap gap_noisy_topk", G + "gap_noisy_topk", P, "noisy_top_k_with_gap", "unsupported",
     lambda f, q, k, eps: f(arr(q), eps, k), note="np.float is gone from numpy: AttributeError on every run")
A = "refinedp.adaptivesvt:"
case("freegap adaptivesvt sparse_vector", A + "sparse_vector", P, "winners_as_list", "implements",
     lambda f, q, T, k, eps: f(q, eps, k, T)[0], lambda o: [int(i) for i in o])
case("freegap adaptive_sparse_vector", A + "adaptive_sparse_vector", P, "adaptive_2020_until_more", "implements",
     lambda f, q, T, k, eps: f(q, eps, k, T), adaptive,
     note="in floats, adding shares of eps may pass or miss eps - 2 eps2 where the reals are equal")
case("freegap adaptive_sparse_vector, as the paper stops", A + "adaptive_sparse_vector", P,
     "adaptive_2020_until_enough", "differs", lambda f, q, T, k, eps: f(q, eps, k, T), adaptive,
     note="priv <= epsilon - 2 * epsilon_2 goes on where the catalogue's cost >= eps - 2 * eps2 stops")
P = sources.FREEGAP_FIRST
case("freegap first sparse_vector_technique", "dp_gap.algorithms:sparse_vector_technique", P,
     "sparse_vector_scale_as_location", "cut", lambda f, q, T, c, eps: f(q, T, c, eps), false_is_below,
     note="real bugs: scales as locations, i starts at 1 and never moves; ends after c winners of query 1 only")
case("freegap first gap_noisy_max", "dp_gap.algorithms:gap_noisy_max", P, "noisy_max_with_gap", "cut",
     lambda f, q, eps: f(q, eps), note="never ends: do not run it on floats without a limit")

# greta-47/recoveryos, differential_privacy.py
P = sources.RECOVERYOS
case("recoveryos sparse_vector_technique", "differential_privacy:DifferentialPrivacyMechanism", P,
     "sparse_vector_tested_answer", "implements", lambda f, q, T, c, eps: recovery(f, q, T, c, eps),
     note="the tested answer is released; noise of scale 1 / eps for threshold and queries")
case("recoveryos sparse_vector_technique as a gap", "differential_privacy:DifferentialPrivacyMechanism", P,
     "sparse_vector_with_gap", "differs", lambda f, q, T, k, eps: recovery(f, q, T, k, eps))
case("recoveryos exponential_mechanism", "differential_privacy:DifferentialPrivacyMechanism", P,
     "exponential_by_choice", "implements",
     lambda f, u, delta, eps: f(eps).exponential_mechanism(list(range(len(u))), lambda i: u[i], delta), int)

# MikeAure/DesenTelecom: changed copies of DP-Sniper
P = sources.DESEN_TELECOM
case("DesenTelecom ReportNoisyMax1", "report_noisy_max1:ReportNoisyMax1", P, "noisy_max_delta", "differs",
     lambda f, q, delta, eps: f(eps, delta).m(arr(q))[0], int,
     note="DP-Sniper's 2 / eps became sensitivity / eps")
case("DesenTelecom ReportNoisyMax1, half", "report_noisy_max1:ReportNoisyMax1", P, "noisy_max_delta_half",
     "implements", lambda f, q, delta, eps: f(eps, delta).m(arr(q))[0], int)
case("DesenTelecom ReportNoisyMax2", "report_noisy_max2:ReportNoisyMax2", P, "noisy_max_exponential_delta", "differs",
     lambda f, q, delta, eps: f(eps, delta).m(arr(q))[0], int)
case("DesenTelecom ReportNoisyMax2, half", "report_noisy_max2:ReportNoisyMax2", P, "noisy_max_exponential_delta_half",
     "implements", lambda f, q, delta, eps: f(eps, delta).m(arr(q))[0], int)
case("DesenTelecom NoisyHist1", "noisy_hist1:NoisyHist1", P, "laplace_mechanism", "implements",
     lambda f, q, delta, eps: f(eps, delta).m(arr(q))[0], list)
case("DesenTelecom SVT1", "sparse_vector_technique1:SparseVectorTechnique1", P, "sparse_vector", "unsupported",
     lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0], lambda o: row(o, above=1, below=0, aborted=-1),
     note="puts its noise into texts that it prints")
