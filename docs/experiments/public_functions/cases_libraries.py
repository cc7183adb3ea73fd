"""Functions of libraries."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

from alignkit.implementing import NoiseDraw
from public_functions import sources
from public_functions.case import Case, adding
from public_functions.reading import (
    Wrapped,
    arr,
    dduo_max,
    dpcomp_select,
    items,
    mwem_select,
    pipeline_exponential,
    pipeline_vector,
)  # fmt: skip


class LaplaceInCpp:
    """python-dp's C++ class, as PipelineDP uses it."""

    def __init__(self, epsilon: Any, sensitivity: Any) -> None:
        self.scale = sensitivity / epsilon

    def add_noise(self, value: Any) -> Any:
        """The value with Laplace noise."""
        return NoiseDraw.laplace(self.scale, value)


def coin(gamma: Any, rng: Any = None) -> Any:
    """diffprivlib's coin: 1 with probability exp(-gamma)."""
    return NoiseDraw.bernoulli(np.exp(-gamma))


def two_sided_truncated(self: Any, value: Any) -> Any:
    """diffprivlib's truncated geometric mechanism, between 0 and the largest int of the machine."""
    return NoiseDraw.discrete_laplace(np.exp(-self.epsilon), lambda noise: min(sys.maxsize, max(0, value + noise)))


def laplace_of_scale(scale: Any, *_: Any) -> Any:
    """A sampler of Laplace noise whose first argument is the scale."""
    return NoiseDraw.laplace(scale)


def counts_and_edges(q: Any) -> Any:
    """What numpy.histogram gives: the counts, and edges that nothing depends on."""
    return q, np.arange(len(q) + 1)


CASES: list[Case] = []
case = adding(CASES)

# private-pgm
P = sources.PRIVATE_PGM
case("private-pgm exponential_mechanism", "mechanism:Mechanism.exponential_mechanism", P, "exponential_by_choice",
     "implements", lambda f, u, delta, eps: f(SimpleNamespace(prng=np.random), arr(u), eps, delta), int,
     note="softmax of scipy.special, then choice(p=...)")
case("private-pgm permute_and_flip", "mechanism:Mechanism.permute_and_flip", P, "permute_and_flip_of_two_base_e",
     "implements", lambda f, u, delta, eps: f(None, arr(u), eps, delta), int, lengths=(2,),
     note="np.random.permutation, then rand() <= p; for n = 2 only")
case("private-pgm laplace_noise", "mechanism:Mechanism.laplace_noise", P, "laplace_mechanism", "implements",
     lambda f, q, delta, eps: arr(q) + f(SimpleNamespace(prng=np.random), delta / eps, len(q)), list)

# PipelineDP
P = sources.PIPELINE_DP
M = "pipeline_dp.dp_computations:"
CPP = {"pipeline_dp.dp_computations:dp_mechanisms.LaplaceMechanism": LaplaceInCpp}
case("pipelinedp apply_laplace_mechanism", M + "apply_laplace_mechanism", P, "laplace_one", "implements",
     lambda f, x, delta, eps: f(x, eps, delta), samplers=CPP)
case("pipelinedp add_noise_vector", M + "add_noise_vector", P, "laplace_mechanism", "implements", pipeline_vector,
     list, samplers=CPP)
case("pipelinedp LaplaceMechanism", M + "LaplaceMechanism", P, "laplace_one", "implements",
     lambda f, x, delta, eps: f.create_from_epsilon(eps, delta).add_noise(x), samplers=CPP)
case("pipelinedp ExponentialMechanism", M + "ExponentialMechanism", P, "exponential_by_choice", "implements",
     pipeline_exponential, int, note="default_rng().choice(p=...); no maximum is subtracted: exp overflows")

# diffprivlib
P = sources.DIFFPRIVLIB
M = "diffprivlib.mechanisms."
case("diffprivlib Laplace", M + "laplace:Laplace", P, "laplace_one", "implements",
     lambda f, x, delta, eps: f(epsilon=eps, sensitivity=delta).randomise(x),
     note="the noise is subtracted; uniforms come from secrets.SystemRandom")
case("diffprivlib LaplaceTruncated", M + "laplace:LaplaceTruncated", P, "laplace_one", "differs",
     lambda f, x, delta, eps: f(epsilon=eps, sensitivity=delta, lower=0, upper=10).randomise(x),
     note="clamps to [0, 10] after the noise")
case("diffprivlib Exponential", M + "exponential:Exponential", P, "exponential_by_choice", "implements",
     lambda f, u, delta, eps: f(epsilon=eps, sensitivity=delta, utility=list(u)).randomise(), int,
     note="one uniform against the cumulated probabilities")
case("diffprivlib Exponential, monotonic", M + "exponential:Exponential", P, "exponential_by_choice", "differs",
     lambda f, u, delta, eps: f(epsilon=eps, sensitivity=delta, utility=list(u), monotonic=True).randomise(), int,)
case("diffprivlib PermuteAndFlip", M + "exponential:PermuteAndFlip", P, "permute_and_flip_of_two_base_e",
     "implements",
     lambda f, u, delta, eps: f(epsilon=eps, sensitivity=delta, utility=[float(x) for x in u]).randomise(), int,
     lengths=(2,),
     samplers={"diffprivlib.mechanisms.exponential:bernoulli_neg_exp": coin},
     note="without its Bernoulli named, unsupported (a loop without bound)")
case("diffprivlib Geometric", M + "geometric:Geometric", P, "discrete_laplace_mechanism", "unsupported",
     lambda f, q, delta, gamma, eps: [f(epsilon=eps, sensitivity=delta).randomise(x) for x in q], list,
     note="logarithm of a uniform; wants integers (Integral) for answers and sensitivity")
case("diffprivlib histogram", "diffprivlib.tools.histograms:histogram", P, "truncated_histogram", "implements",
     lambda f, q, eps: f(np.zeros(1), epsilon=eps, bins=len(q), range=(0, 1))[0], list,
     answers={"numpy:histogram": counts_and_edges},
     samplers={"diffprivlib.mechanisms.geometric:GeometricTruncated.randomise": two_sided_truncated},
     note="whole counts; writes into zeros_like(hist), "
     "an int array, and calls int() on each count")

# smartnoise-sdk
P = sources.SMARTNOISE
case("snsynth MWEM selection", "snsynth.mwem:MWEMSynthesizer._exponential_mechanism", P, "exponential_by_choice_unit",
     "implements", mwem_select, int,
     note="with nothing measured yet; random.random() of the standard library, math.exp")
case("snsynth MWEM measurement", "snsynth.mwem:MWEMSynthesizer._laplace", P, "count_with_noise", "implements",
     lambda f, x, eps: x + f(None, 1.0 / eps), samplers={"snsynth.mwem:laplace_noise": laplace_of_scale},
     note="the sampler itself raises with opendp 0.16 (the package asks for an older one): it must be named")
case("snsynth exponential_mechanism", "snsynth.utils:exponential_mechanism", P, "exponential_by_choice", "implements",
     lambda f, u, delta, eps: f(list(u), eps, delta), int, note="softmax of scipy.special")

# tensorflow/privacy, research/pate_2017
P = sources.PATE
case("pate_2017 noisy_max", "aggregation:noisy_max", P, "noisy_max", "implements",
     lambda f, q, eps: f(np.zeros((1, 1, 10)), 2 / eps)[0], int, answers={"numpy:bincount": "q"}, lengths=(10,),
     note="ten classes always; counts become float32, and the noise is added there")

# recurve-inc/eeprivacy
P = sources.EEPRIVACY
case("eeprivacy LaplaceMechanism.execute", "eeprivacy.mechanisms:LaplaceMechanism.execute", P, "laplace_one",
     "implements", lambda f, x, delta, eps: f(value=x, epsilon=eps, sensitivity=delta))
case("eeprivacy LaplaceMechanism.execute_batch", "eeprivacy.mechanisms:LaplaceMechanism.execute_batch", P,
     "laplace_mechanism", "implements", lambda f, q, delta, eps: f(values=q, epsilon=eps, sensitivity=delta), list,
     note="a list plus an array")
case("eeprivacy PrivateHistogram", "eeprivacy.operations:PrivateHistogram", P, "noisy_histogram", "implements",
     lambda f, q, eps: f(bins=list(range(len(q) + 1))).execute(values=[0.0], epsilon=eps), list,
     answers={"numpy:histogram": counts_and_edges},
     note="np.histogram returns (counts, edges): the answer is the first")

# uvm-plaid/dduo-python
P = sources.DDUO
case("dduo report_noisy_max", "duet.duet_core:report_noisy_max", P, "noisy_max_delta", "differs", dduo_max, int,
     note="scale sensitivity / eps")
case("dduo report_noisy_max, half", "duet.duet_core:report_noisy_max", P, "noisy_max_delta_half", "implements",
     dduo_max, int)
case("dduo above_threshold", "duet.duet_core:above_threshold", P, "above_threshold_index", "implements",
     lambda f, q, T, eps: f([lambda df, x=x: Wrapped(x, 1) for x in q], None, T, eps))
case("dduo laplace", "duet.duet_core:laplace", P, "laplace_mechanism", "implements",
     lambda f, q, delta, eps: f(Wrapped(arr(q), delta), epsilon=eps), list,
     note="draws one number more, which only the scalar case uses")

# ektelo/ektelo, dpcomp-org/dpcomp_core
P = sources.EKTELO
E = "ektelo.private.pselection:"
case("ektelo noisyMax", E + "noisyMax", P, "noisy_max_delta", "differs",
     lambda f, q, delta, eps: f(q, delta, eps, np.random, []), int, note="scale sensitivity / eps")
case("ektelo noisyMax, half", E + "noisyMax", P, "noisy_max_delta_half", "implements",
     lambda f, q, delta, eps: f(q, delta, eps, np.random, []), int)
case("ektelo exponentialMechanism", E + "exponentialMechanism", P, "exponential_by_choice", "differs",
     lambda f, u, delta, eps: f(arr(u), delta, eps, np.random, []), int,
     note="ignores its argument sensitivity")
case("ektelo exponentialMechanism, sensitivity 1", E + "exponentialMechanism", P, "exponential_by_choice_unit",
     "implements", lambda f, u, eps: f(arr(u), 1, eps, np.random, []), int)
P = sources.DPCOMP
case("dpcomp MWEM selection", "dpcomp_core.algorithm.mwemND:mwemND_simple_engine._exponentialMechanism", P,
     "exponential_by_choice_unit", "differs", dpcomp_select, int,
     note="it takes the absolute values of the errors itself")
case("dpcomp MWEM selection, by absolute errors",
     "dpcomp_core.algorithm.mwemND:mwemND_simple_engine._exponentialMechanism", P,
     "exponential_by_choice_of_errors", "unsupported", dpcomp_select, int,
     note="formats numbers for a log in each run")
case("dpcomp identity_engine", "dpcomp_core.algorithm.identity:identity_engine", P, "noisy_histogram", "unsupported",
     lambda f, q, eps: f().Run(None, arr(q), eps, 0), list, note="RandomState(seed) within the function: a fixed seed")
case("acs12 LPA", "acs12.LPA:LPA", P, "laplace_mechanism", "implements", lambda f, q, delta, eps: f(q, delta, eps),
     list, note="float(sensitivity); noise of size 1, entry 0")
case("acs12 ExpMechanism.run", "acs12.ExpMechanism:run", P, "exponential_by_choice", "implements", items, int,
     note="random.random() of the standard library, math.exp")

# amazon-science/relaxed-adaptive-projection
case("rap select_noisy_q", "privacy_budget_tracking.privacy_util:select_noisy_q", sources.RAP,
     "gumbel_max_zcdp", "implements", lambda f, u, delta, rho: f(arr(u), np.array([]), 1, rho, delta)[0], int,
     note="argpartition; math.sqrt of a parameter; the module imports jax")
