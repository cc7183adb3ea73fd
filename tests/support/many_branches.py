"""Programs with many branches, as text: an adaptive sparse vector, and several tests in one iteration."""

from __future__ import annotations


def adaptive_sparse_vector(branches: int) -> str:
    """Adaptive sparse vector with gap: branches are tried in turn, each with its own noise, cost and lead.

    After Algorithm 1 of Ding, Wang, Xiao, Zhang and Kifer (VLDB Journal 2023) and the text after its Theorem 2.
    """
    every = range(branches)
    lines = [
        *(f"T{j} = Tag('T{j}')" for j in every),
        "",
        "@mechanism",
        "def adaptive(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):",
        "    eps0, eps1 = theta * eps, (1 - theta) * eps / k",
        *(f"    cost{j} = eps1 * {j + 1} / {branches}" for j in every),
        *(f"    sigma{j} = {2 * (branches - 1 - j)} / cost{j}" for j in every),
        "    eta = noise.laplace(1 / eps0)",
        "    threshold = T + eta",
        "    spent = eps0",
        "    for q_i in q:",
        *(f"        e{j} = noise.laplace(2 / cost{j})" for j in every),
    ]
    for j in every:
        lines += [
            f"        {'elif' if j else 'if'} q_i + e{j} - threshold >= sigma{j}:",
            f"            yield T{j}, q_i + e{j} - threshold, cost{j}",
            f"            spent = spent + cost{j}",
        ]
    lines += [
        "        else:",
        "            yield BELOW, 0",
        "        if spent > eps - eps1:",
        "            break",
        "",
        "@alignment(adaptive, epsilon='eps')",
        "def phi(q, q_, omega, H):",
        "    return H.shift(",
        "        eta=1,",
        *(f"        e{j}=[1 + q[i] - q_[i] if w[0] is T{j} else 0 for i, w in enumerate(omega)]," for j in every),
        "    )",
    ]
    return "\n".join(lines) + "\n"


def several_tests(tests: int) -> str:
    """Sparse vector that holds each answer against one noisy threshold several times, with noise for each test.

    The last iteration may pass the limit k by all its tests but one, which the noise allows for.
    """
    every = range(tests)
    lines = [
        "@mechanism",
        "def several(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):",
        "    eta = noise.laplace(2 / eps)",
        "    threshold = T + eta",
        "    count = 0",
        "    for q_i in q:",
        *(f"        e{j} = noise.laplace(4 * (k + {tests - 1}) / eps)" for j in every),
    ]
    for j in every:
        lines += [
            f"        if q_i + e{j} >= threshold + {j}:",
            f"            s{j} = ABOVE",
            "            count = count + 1",
            "        else:",
            f"            s{j} = BELOW",
        ]
    lines += [
        f"        yield {', '.join(f's{j}' for j in every)}",
        "        if count >= k:",
        "            break",
        "",
        "@alignment(several, epsilon='eps')",
        "def phi(q, q_, omega, H):",
        "    return H.shift(",
        "        eta=1,",
        *(f"        e{j}=[1 + q[i] - q_[i] if w[{j}] is ABOVE else 0 for i, w in enumerate(omega)]," for j in every),
        "    )",
    ]
    return "\n".join(lines) + "\n"


def changed(source: str, old: str, new: str) -> str:
    """The source with one line of it, or a part of one, changed."""
    assert source.count(old) == 1, f"{old!r} stands there {source.count(old)} times"
    return source.replace(old, new)
