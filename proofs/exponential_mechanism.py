"""The exponential mechanism: Gumbel noise moves up only, since its density falls too fast below 0."""

from alignkit import alignment
from alignkit.mechanisms.exponential_mechanism import exponential_mechanism, exponential_mechanism_with_gap


@alignment(exponential_mechanism, epsilon="eps")
def phi(u, u_, omega, eps, delta, H):
    """Raise the chosen outcome by eps (delta + u_i - u'_i) / (2 delta), which is never below 0."""
    return H.shift(g=[eps * (delta + u[i] - u_[i]) / (2 * delta) if i == omega else 0 for i in range(len(u))])


@alignment(exponential_mechanism, epsilon="eps / 2", adjacency="monotone")
def monotone_phi(u, u_, omega, eps, delta, H):
    """If the utilities rise, the chosen outcome makes up for the others; if they fall, for its own fall."""
    up = delta if u_[omega] >= u[omega] else 0
    return H.shift(g=[eps * (up + u[i] - u_[i]) / (2 * delta) if i == omega else 0 for i in range(len(u))])


def levels(u, u_, g, best):
    """The best of the others on D, on D', and where D' is to have it so that the chosen keeps its lead."""
    before = max(u[j] + g[j] for j in range(len(u)) if j != best)
    after = max(u_[j] + g[j] for j in range(len(u)) if j != best)
    return before, after, max(after, before + u_[best] - u[best])


@alignment(exponential_mechanism_with_gap, epsilon="eps")
def gap_phi(u, u_, omega, H):
    """Nothing is lowered, as with one-sided noise: either the chosen outcome or the best other one on D is raised."""
    best, gap = omega
    before, after, level = levels(u, u_, H.g, best)
    return H.shift(
        g=[
            u[i] - u_[i] + level - before if i == best or (after < level and u[i] + H.g[i] == before) else 0
            for i in range(len(u))
        ]
    )


@alignment(exponential_mechanism_with_gap, epsilon="eps / 2", adjacency="monotone")
def monotone_gap_phi(u, u_, omega, H):
    """The same, for utilities that all move in one direction."""
    best, gap = omega
    before, after, level = levels(u, u_, H.g, best)
    return H.shift(
        g=[
            u[i] - u_[i] + level - before if i == best or (after < level and u[i] + H.g[i] == before) else 0
            for i in range(len(u))
        ]
    )


@alignment(exponential_mechanism_with_gap, epsilon="eps", expect="refuted")
def two_sided_gap_phi(u, u_, omega, H):
    """The alignment of Noisy Max with Gap for Laplace noise: it may lower the choice, which Gumbel noise forbids."""
    best, gap = omega
    before, after, level = levels(u, u_, H.g, best)
    return H.shift(g=[u[i] - u_[i] + after - before if i == best else 0 for i in range(len(u))])
