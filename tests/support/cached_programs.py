"""One mechanism with two alignments, and what an editor may do to it."""

from __future__ import annotations

SPARSE = '''\
from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


def share(eps, k):
    part = eps / 4
    return part / k


@mechanism
def sparse(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / share(eps, k))
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(sparse, epsilon="eps", invariant="count <= k")
def phi(q, q_, omega, H):
    return H.shift(
        eta=1,
        eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)],
    )


@alignment(sparse, epsilon="eps", expect="refuted")
def short_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
'''

# The same mechanism and alignments, written otherwise.
HARMLESS = {
    "a comment": ("    count = 0\n", "    # Nothing was found yet.\n    count = 0\n"),
    "a comment above": ("from alignkit", "# Sparse vector with its gaps.\n\nfrom alignkit"),
    "blank lines": ("    count = 0\n", "    count = 0\n\n\n"),
    "a docstring": ("    eta = noise.laplace(2", '    """Report gaps."""\n    eta = noise.laplace(2'),
    "a line broken in two": ("q_i + eta_i - (T + eta)", "(\n            q_i + eta_i - (T + eta)\n        )"),
    "another local": ("gap", "distance"),
    "the answer in turn": ("q_i", "answer"),
    "a local of a helper": ("part", "piece"),
    "a local that the invariant names": ("count", "winners"),
    "a variable of the alignment": (" w ", " out "),
    "another function": ("def share", "def unused(x):\n    return x\n\n\ndef share"),
}

# Something else is checked.
OTHER = {
    "half the noise": ("noise.laplace(2 / eps)", "noise.laplace(1 / eps)"),
    "a looser comparison": ("gap >= 0", "gap > -1"),
    "a strict comparison": ("gap >= 0", "gap > 0"),
    "one winner more": ("count >= k", "count > k"),
    "a helper": ("eps / 4", "eps / 2"),
    "another draw's name": ("eta_i", "xi_i"),
    "a parameter's name": ("T", "threshold"),
    "a parameter's type": ("T: Real", "T: Epsilon"),
    "a sensitivity": ("q: Queries", "q: Queries(sensitivity=2)"),
    "a default value": (
        "T: Real, k: Count, eps: Epsilon, noise: Noise",
        "T: Real, k: Count, noise: Noise, eps: Epsilon = 1",
    ),
    "another distribution": ("noise.laplace(2 / eps)", "noise.exponential(2 / eps)"),
    "the claim": ('"eps", invariant', '"2 * eps", invariant'),
    "the adjacency": ('"eps", invariant', '"eps", adjacency="monotone", invariant'),
    "what is expected": ('"eps", invariant', '"eps", expect="refuted", invariant'),
    "the invariant": ("count <= k", "count <= k + 1"),
    "no invariant": (', invariant="count <= k"', ""),
    "a shift": ("eta=1,\n        eta_i", "eta=2,\n        eta_i"),
    "a tag": ("yield BELOW", "yield 0 - 1"),
    "a local that means the cost": ("count", "privacy_cost"),
    "the mechanism's name": ("sparse", "sparser"),
    "two variables exchanged": ("gap = q_i + eta_i - (T + eta)", "gap = eta_i + q_i - (T + eta)"),
}


def edited(change: tuple[str, str], source: str = SPARSE) -> str:
    """The source after an edit."""
    before, after = change
    assert before in source
    assert before != after
    return source.replace(before, after)
