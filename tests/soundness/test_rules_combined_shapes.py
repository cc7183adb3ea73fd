"""Rules 11, 12, 31 and 42: shapes of output combined with one another, with adaptive claims and with sums."""

import pytest
from support.short_programs import program

PROVED = {
    "two outputs for each iteration": program(
        """
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i + e
            yield BELOW
        """,
        "e=[q[i]-q_[i] for i in range(len(q))]",
        claim="len(omega) * eps / 2",
    ),
    "losers are named": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                count += 1
                if count >= k:
                    break
            else:
                yield i
        """,
        "rho=1, nu=[0 if i in omega else 1 + q[i] - q_[i] for i in range(len(q))]",
    ),
    "filtered by what is put out": program(
        """
        e = [noise.laplace(1 / eps) for x in q]
        return [x + f for x, f in zip(q, e) if x + f > 0]
        """,
        "e=[x - y for x, y in zip(q, q_)]",
        adjacency="l1",
    ),
    "winners and losers": program(
        """
        rho = noise.laplace(2 / eps)
        up = []
        down = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                up = [*up, i]
                if len(up) >= k:
                    break
            else:
                down = [*down, i]
        return up, down
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega[0] else 0 for i in range(len(q))]",
    ),
    "the answers above": program(
        """
        out = []
        for q_i in q:
            e = noise.laplace(1 / eps)
            if q_i + e > T:
                out = [*out, q_i + e]
        return out
        """,
        "e=[q[i] - q_[i] for i in range(len(q))]",
        adjacency="l1",
    ),
}

NEVER = {
    "two outputs third": program(
        """
        for q_i in q:
            e = noise.laplace(1 / eps)
            yield q_i + e
            yield BELOW
        """,
        "e=[q[i]-q_[i] for i in range(len(q))]",
        claim="len(omega) * eps / 3",
    ),
    "winner two outputs": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield ABOVE
                yield q_i + nu - T - rho
                count += 1
                if count >= k:
                    break
            else:
                yield BELOW
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if omega[i] is ABOVE else 0 for i in range(len(omega))]",
    ),
    "winner two outputs silent": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield i
                yield q_i + nu
                count += 1
                if count >= k:
                    break
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]",
    ),
    "index and raw": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield i, q_i
                count += 1
                if count >= k:
                    break
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in [w[0] for w in omega] else 0 for i in range(len(q))]",
    ),
    "index off": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield i + 1
                count += 1
                if count >= k:
                    break
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]",
    ),
    "list reset": program(
        """
        rho = noise.laplace(2 / eps)
        out = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                out = []
            else:
                out = [*out, i]
        return out
        """,
        "rho=1, nu=[0 if i in omega else 1 + q[i] - q_[i] for i in range(len(q))]",
    ),
    "list double": program(
        """
        rho = noise.laplace(2 / eps)
        out = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                out = [*out, i]
            if len(out) >= k:
                out = [*out, i]
        return out
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]",
    ),
    "list len break late": program(
        """
        rho = noise.laplace(2 / eps)
        out = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                out = [*out, i]
            if len(out) > k:
                break
        return out
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]",
    ),
    "list not returned all": program(
        """
        rho = noise.laplace(2 / eps)
        out = []
        hidden = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                out = [*out, i]
                hidden = [*hidden, i]
            elif q_i > T:
                hidden = [*hidden, i]
            if len(hidden) >= k:
                break
        return out
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]",
    ),
    "list then private": program(
        """
        rho = noise.laplace(2 / eps)
        out = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                out = [*out, i]
            if len(out) >= k:
                break
        return out, 1 if q[0] > 0 else 0
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega[0] else 0 for i in range(len(q))]",
    ),
    "filtered private": program(
        """
        e = [noise.laplace(1 / eps) for x in q]
        return [x + f for x, f in zip(q, e) if x > 0]
        """,
        "e=[x - y for x, y in zip(q, q_)]",
        adjacency="l1",
    ),
    "filtered noise": program(
        """
        e = [noise.laplace(1 / eps) for x in q]
        return [x + f for x, f in zip(q, e) if f > 0]
        """,
        "e=[x - y for x, y in zip(q, q_)]",
        adjacency="l1",
    ),
    "return inside half": program(
        """
        rho = noise.laplace(1 / eps)
        for i, q_i in enumerate(q):
            nu = noise.laplace(2 / eps)
            if q_i + nu >= T + rho:
                return i
        return -1
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))]",
        claim="3 * eps / 2",
    ),
    "zero for losers equal": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield 0
                count += 1
                if count >= k:
                    break
            else:
                yield 0
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)]",
    ),
    "zero for losers nu": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield q_i + nu
                count += 1
                if count >= k:
                    break
            else:
                yield 0
        """,
        "rho=1, nu=[q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)]",
    ),
    "every other": program(
        """
        for i, q_i in enumerate(q):
            if i % 2 == 0:
                nu = noise.laplace(1 / eps)
                yield q_i + nu
            else:
                yield q_i
        """,
        "nu=[q[i] - q_[i] if i % 2 == 0 else 0 for i in range(len(q))]",
        adjacency="one",
    ),
    "share list unguarded": program(
        """
        for q_i, s in zip(q, share):
            e = noise.laplace(1 / s)
            yield q_i + e
        """,
        "e=[q[i]-q_[i] for i in range(len(omega))]",
        claim="sum(share)",
        parameters="q: Queries, share: Reals",
    ),
    "adaptive: index": program(
        """
        rho = noise.laplace(2 / eps)
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                yield i
                break
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))]",
        queries="adaptive",
    ),
    "adaptive: silent": program(
        """
        rho = noise.laplace(2 / eps)
        count = 0
        for q_i in q:
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                yield ABOVE
                count += 1
                if count >= k:
                    break
        """,
        "rho=1, nu=[1 + q[i] - q_[i] for i in range(len(q))]",
        queries="adaptive",
    ),
    "adaptive: two outputs": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                yield ABOVE
                yield q_i + nu - T - rho
                break
            else:
                yield BELOW
                yield BELOW
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if omega[2 * i] is ABOVE else 0 for i in range(len(q))]",
        queries="adaptive",
    ),
    "adaptive: list sum": program(
        """
        t = 0
        for q_i in q:
            t += q_i
            e = noise.laplace(1 / eps)
            yield t + e
        """,
        "e=[sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(omega))]",
        claim="len(omega) * eps",
        adjacency="one",
        queries="adaptive",
    ),
    "adaptive: zero real": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i in q:
            if q_i == rho:
                yield 1
            else:
                yield rho
        """,
        "rho=0",
        claim="0 * eps",
        queries="adaptive",
    ),
    "spread zero": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                yield q_i + nu - (q_i + nu)
                break
            else:
                yield 0
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)]",
    ),
    "spread discrete": program(
        """
        rho = noise.discrete_laplace(2 / eps)
        for q_i in q:
            nu = noise.discrete_laplace(4 / eps)
            if q_i + nu >= T + rho:
                up = noise.discrete_laplace(4 / eps)
                yield q_i + up
                break
            else:
                yield 0
        """,
        "rho=1, "
        "nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)], "
        "up=[q[i] - q_[i] for i in range(len(omega))]",
        claim="2 * eps",
        parameters="q: Annotated[Queries, Lattice(1)], T: Annotated[Real, Lattice(1)], eps: Epsilon",
    ),
    "spread scaled zero": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                up = noise.laplace(4 / eps)
                yield (q_i + up) * (1 if T > 0 else 0)
                break
            else:
                yield 0
        """,
        "rho=1, "
        "nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)], "
        "up=[q[i] - q_[i] for i in range(len(omega))]",
        claim="2 * eps",
    ),
    "spread old noise": program(
        """
        z = noise.laplace(1 / eps)
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                yield z - z
                break
            else:
                yield 0
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)]",
    ),
    "spread remembered": program(
        """
        z = noise.laplace(1 / eps)
        rho = noise.laplace(2 / eps)
        last = 0
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                yield last
                break
            else:
                yield 0
            last = z if q_i > T else 0
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)]",
    ),
    "clamped zero": program(
        """
        rho = noise.laplace(2 / eps)
        for q_i in q:
            nu = noise.laplace(4 / eps)
            if q_i + nu >= T + rho:
                up = noise.laplace(1 / eps)
                yield max(q_i + up, 0)
                break
            else:
                yield 0
        """,
        "rho=1, "
        "nu=[1 + q[i] - q_[i] if w != 0 else 0 for i, w in enumerate(omega)], "
        "up=[q[i] - q_[i] for i in range(len(omega))]",
        claim="2 * eps",
    ),
    "sum spent two loops": program(
        """
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        t = 0
        for q_i in q:
            t += q_i
        u = 0
        for q_i in q:
            u += q_i
        return t + e, u + f
        """,
        "e=sum(q) - sum(q_), f=sum(q) - sum(q_)",
        adjacency="l1",
    ),
    "return two lists wrong": program(
        """
        rho = noise.laplace(2 / eps)
        up = []
        down = []
        for i, q_i in enumerate(q):
            nu = noise.laplace(4 * k / eps)
            if q_i + nu >= T + rho:
                up = [*up, i]
                if len(up) >= k:
                    break
            else:
                down = [*down, i]
        return up, down
        """,
        "rho=1, nu=[1 + q[i] - q_[i] if i in omega[1] else 0 for i in range(len(q))]",
    ),
    "list of reals raw": program(
        """
        out = []
        for q_i in q:
            e = noise.laplace(1 / eps)
            if q_i + e > T:
                out = [*out, e]
        return out
        """,
        "e=[q[i] - q_[i] for i in range(len(q))]",
        adjacency="l1",
    ),
    "list len only": program(
        """
        out = []
        for q_i in q:
            e = noise.laplace(1 / eps)
            if q_i > T:
                out = [*out, 1]
        return len(out)
        """,
        "e=[0 for i in range(len(q))]",
        adjacency="l1",
    ),
}

@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED.keys())
def test_proved(define, proved, source):
    proved(define(source).phi)


@pytest.mark.parametrize("source", NEVER.values(), ids=NEVER.keys())
def test_never_proved(define, refused_or_never_proved, source):
    refused_or_never_proved(lambda: define(source).phi)
