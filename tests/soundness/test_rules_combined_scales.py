"""Rules 41 to 45: scales, choices, several lists and public lists, combined with one another and with outputs."""

import pytest
from support.short_programs import TWO, program

PROVED = {
    "two sums under one": program(
        """
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        return sum(q) + e, sum(s) + f
        """,
        "e=sum(q) - sum(q_), f=sum(s) - sum(s_)",
        adjacency="one",
        parameters=TWO,
    ),
    "two lists in step": program(
        """
        for q_i, s_i in zip(q, s):
            e = noise.laplace(1 / eps)
            yield q_i + s_i + e
        """,
        "e=[q[i] + s[i] - q_[i] - s_[i] for i in range(len(omega))]",
        adjacency="l1",
        parameters=TWO,
    ),
    "the larger of two answers": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i, s_i in zip(q, s):
            nu = noise.laplace(4 / eps)
            if max(q_i, s_i) + nu >= T + rho:
                yield ABOVE
                break
            else:
                yield BELOW
        """,
        "rho=1, "
        "nu=[1 + max(q[i], s[i]) - max(q_[i], s_[i]) if w is ABOVE else 0 for i, w in enumerate(omega)]",
        adjacency="l1",
        parameters=TWO,
    ),
    "a coin turned by noise": program(
        """
        e = noise.laplace(1 / eps)
        c = noise.choice([1, 3])
        if q[0] + e > 0:
            return c
        return 1 - c
        """,
        "c=0, e=q[0] - q_[0]",
    ),
    "shares of at least 1": program(
        """
        for q_i, s in zip(q, share):
            e = noise.laplace(1 / (1 + abs(s)))
            yield q_i + e
        """,
        "e=[q[i]-q_[i] for i in range(len(omega))]",
        claim="sum(1 + abs(s) for s in share)",
        parameters="q: Queries, share: Reals",
    ),
    "a scale from a release": program(
        """
        s = 1
        for q_i in q:
            e = noise.laplace(s / eps)
            yield q_i + e
            s = 1 + abs(q_i + e)
        """,
        "e=[q[i] - q_[i] for i in range(len(omega))]",
        claim="len(omega) * eps",
        queries="adaptive",
    ),
    "halving budgets": program(
        """
        left = eps / 2
        for q_i in q:
            e = noise.laplace(1 / left)
            yield q_i + e
            left = left / 2
        """,
        "e=[q[i] - q_[i] for i in range(len(omega))]",
        queries="adaptive",
    ),
}

NEVER = {
    "scale by len out": program(
        """
        out = []
        for i, q_i in enumerate(q):
            nu = noise.laplace((1 + len(out)) / eps)
            if q_i + nu >= T:
                out = [*out, i]
        return out
        """,
        "nu=[q[i] - q_[i] for i in range(len(q))]",
        adjacency="l1",
    ),
    "scale shrinks with len": program(
        """
        out = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(1 / (eps * (1 + len(out))))
            if q_i + nu >= T:
                out = [*out, i]
        return out
        """,
        "nu=[q[i] - q_[i] for i in range(len(q))]",
        adjacency="l1",
    ),
    "scale by count silent": program(
        """
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace((1 + count) / eps)
            if q_i + nu >= T:
                count += 1
        yield BELOW
        """,
        "nu=[q[i] - q_[i] for i in range(len(q))]",
        claim="eps / 2",
        adjacency="one",
    ),
    "scale by parity": program(
        """
        for i, q_i in enumerate(q):
            nu = noise.laplace((1 + i % 2) / eps)
            yield q_i + nu
        """,
        "nu=[q[i] - q_[i] for i in range(len(q))]",
        claim="eps / 2",
        adjacency="one",
    ),
    "two lists l1 half": program(
        """
        e = noise.laplace(1 / eps)
        f = noise.laplace(2 / eps)
        return sum(q) + e, sum(s) + f
        """,
        "e=sum(q) - sum(q_), f=sum(s) - sum(s_)",
        claim="eps / 2",
        adjacency="l1",
        parameters=TWO,
    ),
    "two lists diff weights": program(
        """
        for q_i, s_i in zip(q, s):
            e = noise.laplace(1 / eps)
            yield q_i + 2 * s_i + e
        """,
        "e=[q[i] + 2 * s[i] - q_[i] - 2 * s_[i] for i in range(len(omega))]",
        adjacency="l1",
        parameters=TWO,
    ),
    "two lists svt sum each": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i, s_i in zip(q, s):
            nu = noise.laplace(4 / eps)
            if q_i + s_i + nu >= T + rho:
                yield ABOVE
                break
            else:
                yield BELOW
        """,
        "rho=1, nu=[1 + q[i] + s[i] - q_[i] - s_[i] if w is ABOVE else 0 for i, w in enumerate(omega)]",
        parameters=TWO,
    ),
    "choice flip wrong": program(
        """
        c = noise.choice([1, 3])
        if q[0] > 0:
            return c
        return 1 - c
        """,
        "c=(1 if omega == 0 else -1) if (q[0] > 0) != (q_[0] > 0) else 0",
        claim="log(2)",
    ),
    "choice own": program(
        """
        c = noise.choice([1, 1])
        if q[0] > 0:
            d = c
        else:
            d = 0
        return 0
        """,
        "c=1 - 2 * H.c if H.c == 1 else 0",
        claim="0 * eps",
    ),
    "release scale other branch": program(
        """
        e = noise.laplace(1 / eps)
        r = q[0] + e
        x = noise.laplace(1 + abs(r))
        if q[1] + x > 0:
            return r
        return 0
        """,
        "e=q[0] - q_[0], x=q[1] - q_[1]",
        claim="2 * eps",
    ),
    "release scale negative": program(
        """
        e = noise.laplace(1 / eps)
        r = q[0] + e
        x = noise.laplace(1 / (eps * (1 + abs(r))))
        return r, q[1] + x
        """,
        "e=q[0] - q_[0], x=q[1] - q_[1]",
        claim="2 * eps",
    ),
    "share abs": program(
        """
        for q_i, s in zip(q, share):
            e = noise.laplace(1 / (1 + abs(s)))
            yield q_i + e
        """,
        "e=[q[i]-q_[i] for i in range(len(omega))]",
        claim="sum(abs(s) for s in share)",
        parameters="q: Queries, share: Reals",
    ),
    "vector equal short": program(
        """
        e = [noise.laplace(len(q) / eps) for x in q]
        return [2 * x + y for x, y in zip(q, e)]
        """,
        "e=[2 * (x - y) for x, y in zip(q, q_)]",
    ),
    "vector share m": program(
        """
        e = [noise.laplace(k / eps) for x in q]
        return [x + y for x, y in zip(q, e)]
        """,
        "e=[x - y for x, y in zip(q, q_)]",
    ),
    "zero budget": program(
        """
        left = eps
        for q_i in q:
            left = left / 2
            e = noise.laplace(1 / left)
            yield q_i + e
        """,
        "e=[q[i]-q_[i] for i in range(len(omega))]",
        claim="eps / 2",
    ),
    "budget neg": program(
        """
        left = eps
        for q_i in q:
            e = noise.laplace(2 / left)
            yield q_i + e
            left = left - eps / 4
        """,
        "e=[q[i]-q_[i] for i in range(len(omega))]",
        claim="2 * eps",
    ),
    "floor div leak": program(
        """
        c = 0
        for q_i in q:
            if q_i > T:
                c += 1
        e = noise.laplace(1 / eps)
        return c // 2 + e
        """,
        "e=0",
    ),
    "adaptive: scale hidden": program(
        """
        s = 1
        for q_i in q:
            e = noise.laplace(s / eps)
            yield q_i + e
            s = 1 + abs(q_i)
        """,
        "e=[q[i] - q_[i] for i in range(len(omega))]",
        claim="len(omega) * eps",
        queries="adaptive",
    ),
}

@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_proved(define, proved, source):
    proved(define(source).phi)


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_proved(define, refused_or_never_proved, source):
    refused_or_never_proved(lambda: define(source).phi)
