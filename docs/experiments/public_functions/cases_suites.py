"""Functions of three suites that test differential privacy: many are broken on purpose."""

from __future__ import annotations

import numpy as np

from public_functions import sources
from public_functions.case import Case, adding
from public_functions.reading import arr, auditorium, auditorium_max, auditorium_mean, enum_row, one, row, tags

CASES: list[Case] = []
case = adding(CASES)

# StatDP
P = sources.STATDP
A = "statdp.algorithms:"
case("statdp noisy_max_v1a", A + "noisy_max_v1a", P, "noisy_max", "implements",
     lambda f, q, eps: f(np.random, q, eps), int)
case("statdp noisy_max_v1b", A + "noisy_max_v1b", P, "noisy_max", "differs", lambda f, q, eps: f(np.random, q, eps),
     note="returns the noisy maximum, not its index")
case("statdp noisy_max_v2a", A + "noisy_max_v2a", P, "noisy_max_exponential", "implements",
     lambda f, q, eps: f(np.random, q, eps), int)
case("statdp noisy_max_v2b", A + "noisy_max_v2b", P, "noisy_max_exponential", "differs",
     lambda f, q, eps: f(np.random, q, eps), note="returns the noisy maximum, not its index")
case("statdp histogram", A + "histogram", P, "first_count", "implements", lambda f, q, eps: f(np.random, q, eps),
     note="returns the first count only")
case("statdp histogram, one count", A + "histogram", P, "count_with_noise", "implements",
     lambda f, x, eps: f(np.random, [x], eps))
case("statdp histogram_eps", A + "histogram_eps", P, "first_count", "differs",
     lambda f, q, eps: f(np.random, q, eps), note="scale eps instead of 1 / eps")
case("statdp SVT", A + "SVT", P, "sparse_vector_losers", "implements",
     lambda f, q, T, k, eps: f(np.random, q, eps, k, T), note="returns how many are False")
case("statdp iSVT4", A + "iSVT4", P, "sparse_vector_losers", "differs",
     lambda f, q, T, k, eps: f(np.random, q, eps, k, T), lambda out: out[0],
     note="half the noise on the queries, and it releases the tested answer too (left out by post); > instead of >=")

# DP-Sniper
P = sources.DP_SNIPER
M = "dpsniper.mechanisms."
case("dpsniper ReportNoisyMax1", M + "report_noisy_max:ReportNoisyMax1", P, "noisy_max", "implements",
     lambda f, q, eps: f(eps).m(arr(q))[0], int)
case("dpsniper ReportNoisyMax2", M + "report_noisy_max:ReportNoisyMax2", P, "noisy_max_exponential", "implements",
     lambda f, q, eps: f(eps).m(arr(q))[0], int)
case("dpsniper ReportNoisyMax3", M + "report_noisy_max:ReportNoisyMax3", P, "noisy_max", "differs",
     lambda f, q, eps: f(eps).m(arr(q))[0], note="returns the noisy maximum")
case("dpsniper ReportNoisyMax4", M + "report_noisy_max:ReportNoisyMax4", P, "noisy_max_exponential", "differs",
     lambda f, q, eps: f(eps).m(arr(q))[0], note="returns the noisy maximum")
case("dpsniper NoisyHist1", M + "noisy_hist:NoisyHist1", P, "noisy_histogram", "implements",
     lambda f, q, eps: f(eps).m(arr(q))[0], list)
case("dpsniper NoisyHist2", M + "noisy_hist:NoisyHist2", P, "noisy_histogram", "differs",
     lambda f, q, eps: f(eps).m(arr(q))[0], list, note="scale eps instead of 1 / eps")
case("dpsniper LaplaceMechanism", M + "laplace:LaplaceMechanism", P, "count_with_noise", "implements",
     lambda f, x, eps: f(eps=eps).m(one(x))[0], note="passes the answer as the location of the noise")
case("dpsniper SVT1", M + "sparse_vector_technique:SparseVectorTechnique1", P, "sparse_vector", "implements",
     lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0], lambda o: row(o, above=1, below=0, aborted=-1))
case("dpsniper SVT2", M + "sparse_vector_technique:SparseVectorTechnique2", P, "sparse_vector_with_fresh_thresholds",
     "implements", lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0],
     lambda o: row(o, above=1, below=0, aborted=-1), note="draws a fresh threshold for every query, uses it after wins")
case("dpsniper SVT2 as one threshold", M + "sparse_vector_technique:SparseVectorTechnique2", P, "sparse_vector",
     "differs", lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0], lambda o: row(o, above=1, below=0, aborted=-1))
case("dpsniper SVT3", M + "sparse_vector_technique:SparseVectorTechnique3", P, "tested_answer_unit", "implements",
     lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0], lambda o: row(o, below=-1000.0, aborted=-2000.0))
case("dpsniper SVT3 as a gap", M + "sparse_vector_technique:SparseVectorTechnique3", P, "sparse_vector_with_gap",
     "differs", lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0], lambda o: row(o, below=-1000.0, aborted=-2000.0))
case("dpsniper SVT4", M + "sparse_vector_technique:SparseVectorTechnique4", P, "lee_and_clifton_unit", "implements",
     lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0], lambda o: row(o, above=1, below=0, aborted=-1))
case("dpsniper SVT4 as sparse vector", M + "sparse_vector_technique:SparseVectorTechnique4", P, "sparse_vector",
     "differs", lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0], lambda o: row(o, above=1, below=0, aborted=-1))
case("dpsniper SVT5", M + "sparse_vector_technique:SparseVectorTechnique5", P, "stoddard_unit", "implements",
     lambda f, q, T, eps: f(eps, 1, T).m(arr(q))[0], tags)
case("dpsniper SVT6", M + "sparse_vector_technique:SparseVectorTechnique6", P, "chen_unit", "implements",
     lambda f, q, T, eps: f(eps, 1, T).m(arr(q))[0], tags)
case("dpsniper NumericalSVT", M + "sparse_vector_technique:NumericalSVT", P, "numeric_or_zero", "implements",
     lambda f, q, T, k, eps: f(eps, k, T).m(arr(q))[0], lambda o: row(o, aborted=-1000.0))
case("dpsniper PrefixSum", M + "prefix_sum:PrefixSum", P, "prefix_sums_unit", "implements",
     lambda f, q, eps: f(eps).m(arr(q))[0], list)

# DP-Auditorium
P = sources.DP_AUDITORIUM
M = "dp_auditorium.mechanisms."
S = M + "sparse_vector_technique:"
case("auditorium SVT1", S + "SVT1", P, "sparse_vector", "implements", auditorium, enum_row)
case("auditorium SVT2", S + "SVT2", P, "threshold_noise_by_k", "implements", auditorium, enum_row)
case("auditorium SVT2 as Algorithm 2", S + "SVT2", P, "sparse_vector_with_fresh_thresholds", "differs", auditorium,
     enum_row, note="numbered after Algorithm 2 of the paper; the threshold is never drawn again")
case("auditorium SVT3", S + "SVT3", P, "tested_answer_unit", "implements", auditorium, enum_row)
case("auditorium SVT3 as a gap", S + "SVT3", P, "sparse_vector_with_gap", "differs", auditorium, enum_row)
case("auditorium SVT4", S + "SVT4", P, "lee_and_clifton_unit", "implements", auditorium, enum_row)
case("auditorium SVT5", S + "SVT5", P, "sparse_vector_without_query_noise", "implements", auditorium, enum_row)
case("auditorium SVT6", S + "SVT6", P, "chen_stopped_unit", "implements", auditorium, enum_row)
case("auditorium SVT6 as sparse vector", S + "SVT6", P, "sparse_vector", "differs", auditorium, enum_row)
case("auditorium NoisyMaxMechanism", M + "noisy_max:NoisyMaxMechanism", P, "gumbel_max_unit", "implements",
     auditorium_max, int)
case("auditorium MeanMechanism", M + "mean:MeanMechanism", P, "clipped_mean", "differs", auditorium_mean,
     note="its guard makes the scale at least 1e-12; draws noise for the count that is not used")
case("auditorium MeanMechanism, with its guard", M + "mean:MeanMechanism", P, "clipped_mean_with_guard",
     "implements", auditorium_mean)
