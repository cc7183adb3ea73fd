"""How functions of others are called with parameters of a mechanism, and their outputs read as the mechanism's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from alignkit import ABOVE, BELOW


def arr(q: Any) -> Any:
    """The private answers as an array; an array that is one already stays as it is."""
    return q if isinstance(q, np.ndarray) else np.asarray(q)


def tags(out: Any) -> Any:
    """True and False as tags."""
    return [ABOVE if o else BELOW for o in out]


def is_mark(v: Any, mark: Any) -> Any:
    """Whether an entry is the number that marks something."""
    return isinstance(v, int | float | np.integer | np.floating) and v == mark


def row(out: Any, above: Any = None, below: Any = None, aborted: Any = None) -> Any:
    """A row of DP-Sniper's sparse vectors, with numbers as marks for tags and for the end."""
    stream = []
    for v in out:
        if aborted is not None and is_mark(v, aborted):
            break
        if above is not None and is_mark(v, above):
            stream.append(ABOVE)
        elif below is not None and is_mark(v, below):
            stream.append(BELOW)
        else:
            stream.append(v)
    return stream


def false_is_below(out: Any) -> Any:
    """False where an answer lies below; True, or a number, where it lies above."""
    return [BELOW if o is False or o is np.False_ else (ABOVE if o is True or o is np.True_ else o) for o in out]


def until(out: Any, k: Any) -> Any:
    """A list that goes on with None after the k-th winner, where None means below as well: cut after that winner."""
    stream, count = [], 0
    for o in out:
        stream.append(BELOW if o is None or o is False else (ABOVE if o is True else o))
        count += o is not None and o is not False
        if count >= k:
            break
    return stream


def enum_row(out: Any) -> Any:
    """A row of DP-Auditorium's sparse vectors: members of DataValues, or numbers."""
    stream = []
    for v in out:
        name = getattr(v, "name", None)
        if name == "SVT_NO_RESPONSE":
            break
        stream.append({"SVT_ABOVE_THRESHOLD": ABOVE, "SVT_BELOW_THRESHOLD": BELOW}.get(name, v))
    return stream


def index_of_true(out: Any) -> Any:
    """The place of the first True, -1 where there is none."""
    return out.index(True) if True in out else -1


def one(x: Any) -> Any:
    """An array of one entry."""
    return arr([x])


def auditorium(f: Any, q: Any, T: Any, k: Any, eps: Any) -> Any:
    """DP-Auditorium's sparse vectors compute their queries from data; here the data are the answers themselves."""
    from dp_auditorium.configs import mechanism_config as mc
    from dp_auditorium.mechanisms.sparse_vector_technique import Query

    config = mc.SVTMechanismConfig(
        epsilon=eps, max_value=1.0, min_value=0.0, query_type=mc.QueryType.QUERY_TYPE_SUM, num_queries=len(q),
        threshold=T, max_answered_queries=k,
    )
    mechanism = f(config, np.random)
    mechanism._queries = Query(query_calculator=lambda data: data, sensitivity=1)
    return mechanism(arr(q), 1)[0]


def auditorium_max(f: Any, u: Any, eps: Any) -> Any:
    """DP-Auditorium's noisy max counts its data; a mapping is taken as the counts."""
    from dp_auditorium.configs import mechanism_config as mc

    config = mc.NoisyMaxMechanismConfig(epsilon=eps, num_elements=len(u))
    return f(config, np.random)(dict(enumerate(u)), 1)[0]


def auditorium_mean(f: Any, q: Any, low: Any, width: Any, delta: Any, eps: Any) -> Any:
    """DP-Auditorium's mean with the true count in both places."""
    from dp_auditorium.configs import mechanism_config as mc

    config = mc.MeanMechanismConfig(
        epsilon=eps, delta=0.0, use_noised_counts_for_calculating_mean=False,
        use_noised_counts_for_calculating_noise_scale=False, max_value=low + width, min_value=low,
    )
    return f(config, np.random)(arr(q), 1)[0, 0]


class Wrapped:
    """What dduo asks of a value: the number, and its sensitivities."""

    def __init__(self, val: Any, sensitivity: Any) -> None:
        from duet.duet_envs import SensEnv

        self.val, self.senv = val, SensEnv({"data": sensitivity})


def dduo_max(f: Any, q: Any, delta: Any, eps: Any) -> Any:
    """dduo's noisy max selects among names by a scoring function."""
    from duet.duet_envs import SensEnv
    from duet.duet_vals import DuetWrapper

    names = list(range(len(q)))
    return f(DuetWrapper(0, SensEnv({"data": delta})), names, lambda _, r: Wrapped(q[r], delta), eps)


def pipeline_exponential(f: Any, u: Any, delta: Any, eps: Any) -> Any:
    """PipelineDP's exponential mechanism scores its inputs."""
    scoring = SimpleNamespace(score=lambda i: u[i], global_sensitivity=delta, is_monotonic=False)
    return f(scoring).apply(eps, list(range(len(u))))


def pipeline_vector(f: Any, q: Any, delta: Any, eps: Any) -> Any:
    """PipelineDP's noise on a vector, for the L1 norm."""
    from pipeline_dp import aggregate_params as ap

    params = SimpleNamespace(
        eps=eps, delta=0, max_norm=delta, l0_sensitivity=1, linf_sensitivity=1, norm_kind=ap.NormKind.L1,
        noise_kind=ap.NoiseKind.LAPLACE,
    )
    return f(arr(q), params)


def mwem_select(f: Any, u: Any, eps: Any) -> Any:
    """smartnoise's selection with nothing measured yet; the errors of the queries are the answers."""
    queries = [SimpleNamespace(error=lambda hist, synth, x=x: x, queries=[]) for x in u]
    instance = SimpleNamespace(measure_only=False, max_retries_exp_mechanism=10, debug=False, accountant=[])
    return f(instance, None, None, queries, eps, {}, 0)


def dpcomp_select(f: Any, u: Any, eps: Any) -> Any:
    """dpcomp's selection; the errors of the queries are the answers."""
    return f(0, 0, [SimpleNamespace(eval=lambda diff, x=x: x) for x in u], eps, np.random)


def recovery(f: Any, q: Any, T: Any, k: Any, eps: Any) -> Any:
    """recoveryos' sparse vector, cut after its last winner."""
    return until(f(eps).sparse_vector_technique([lambda x=x: x for x in q], T, k), k)


def items(f: Any, u: Any, delta: Any, eps: Any) -> Any:
    """Acs and others' exponential mechanism selects among objects with a score."""
    return f([SimpleNamespace(q=x, id=i, error=None) for i, x in enumerate(u)], eps, delta).id


def queries_on(q: Any) -> Any:
    """Query functions of a database that is not looked at."""
    return [lambda database, x=x: x for x in q]


def data_of(q: Any) -> Any:
    """A data set that answers query i with q[i]."""
    return SimpleNamespace(evaluate=lambda i: q[i])


def adaptive(out: Any) -> Any:
    """The three arrays of adaptive_sparse_vector as a stream of (index, branch): 2 is the top branch."""
    indices, top, _ = out
    return [(int(i), 2 if int(i) in [int(t) for t in top] else 1) for i in indices]
