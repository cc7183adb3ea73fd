"""The mechanisms and alignments of docs/new_results.md, which quotes them."""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, Tag, alignment, largest, mechanism

HIGH, MIDDLE, LOW, NOBODY = Tag("HIGH"), Tag("MIDDLE"), Tag("LOW"), Tag("NOBODY")


@mechanism
def numeric_sparse_vector(q: Queries, T: Real, k: Count, eps0: Epsilon, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    """Sparse vector for counting queries; each winner comes with its gap and with a fresh noisy answer."""
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    count = 0
    for q_i in q:
        nu_i = noise.laplace(k / eps1)
        if q_i + nu_i >= threshold:
            xi_i = noise.laplace(k / eps2)
            yield q_i + nu_i - threshold, q_i + xi_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(
    numeric_sparse_vector,
    epsilon="max(eps1 + eps2, eps0 + max(eps1, eps2))",
    adjacency="monotone",
    invariant="threshold_ == threshold and privacy_cost <= count * (eps1 + eps2) / k"
    " or threshold_ == threshold + 1 and privacy_cost <= eps0 + count * max(eps1, eps2) / k",
)
def numeric_phi(q, q_, omega, H):
    """Where the answers fall, the threshold stays; where they rise, a test and its fresh answer share a shift of 1."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(
        eta=up,
        nu_i=[0 if w is BELOW else up + q[i] - q_[i] for i, w in enumerate(omega)],
        xi_i=[0 if w is BELOW else q[i] - q_[i] for i, w in enumerate(omega)],
    )


@mechanism
def numeric_sparse_vector_exponential(
    q: Queries, T: Real, k: Count, eps0: Epsilon, eps1: Epsilon, eps2: Epsilon, noise: Noise
):
    """The same with one-sided noise on the threshold and on the tests."""
    eta = noise.exponential(1 / eps0)
    threshold = T + eta
    count = 0
    for q_i in q:
        nu_i = noise.exponential(k / eps1)
        if q_i + nu_i >= threshold:
            xi_i = noise.laplace(k / eps2)
            yield q_i + nu_i - threshold, q_i + xi_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(
    numeric_sparse_vector_exponential,
    epsilon="max(eps1 + eps2, eps0 + max(eps1, eps2))",
    adjacency="monotone",
    invariant="threshold_ == threshold and privacy_cost <= count * (eps1 + eps2) / k"
    " or threshold_ == threshold + 1 and privacy_cost <= eps0 + count * max(eps1, eps2) / k",
)
def numeric_exponential_phi(q, q_, omega, H):
    """The same shifts: neither the threshold nor a test is ever lowered."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(
        eta=up,
        nu_i=[0 if w is BELOW else up + q[i] - q_[i] for i, w in enumerate(omega)],
        xi_i=[0 if w is BELOW else q[i] - q_[i] for i, w in enumerate(omega)],
    )


@mechanism
def two_sided_sparse_vector(q: Queries, low: Real, high: Real, k: Count, eps0: Epsilon, eps1: Epsilon, noise: Noise):
    """Which counting queries leave a band, on which side, and by how much: two noisy thresholds, one test a query."""
    eta = noise.laplace(1 / eps0)
    rho = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(k / eps1)
        if q_i + nu_i >= high + eta:
            yield HIGH, q_i + nu_i - (high + eta)
            count += 1
        elif q_i + nu_i <= low + rho:
            yield LOW, low + rho - (q_i + nu_i)
            count += 1
        else:
            yield MIDDLE
        if count >= k:
            break


@alignment(two_sided_sparse_vector, epsilon="eps0 + eps1", adjacency="monotone")
def two_sided_phi(q, q_, omega, H):
    """Only the threshold moves that the answers move towards; winners keep their gaps."""
    up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0
    return H.shift(
        eta=up,
        rho=up - 1,
        nu_i=[
            0 if w is MIDDLE else up + q[i] - q_[i] if w[0] is HIGH else up - 1 + q[i] - q_[i]
            for i, w in enumerate(omega)
        ],
    )


@mechanism
def two_sided_with_one_threshold(
    q: Queries, low: Real, high: Real, k: Count, eps0: Epsilon, eps1: Epsilon, noise: Noise
):
    """The same with one draw for both thresholds, and without the gaps."""
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(k / eps1)
        if q_i + nu_i >= high + eta:
            yield HIGH
            count += 1
        elif q_i + nu_i <= low - eta:
            yield LOW
            count += 1
        else:
            yield MIDDLE
        if count >= k:
            break


@alignment(two_sided_with_one_threshold, epsilon="eps0 + 2 * eps1")
def one_threshold_phi(q, q_, omega, H):
    """Both thresholds leave the band; a winner makes up for that and for its own change."""
    return H.shift(
        eta=1,
        nu_i=[
            0 if w is MIDDLE else q[i] - q_[i] + 1 if w is HIGH else q[i] - q_[i] - 1 for i, w in enumerate(omega)
        ],
    )


@mechanism
def top_k_or_threshold(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K with Gap that stops at a public threshold, which is item 0 and has half the noise of the queries."""
    rho = noise.laplace(k / eps)
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [T + rho, *[q_i + eta_i for q_i, eta_i in zip(q, eta)]]
    top = largest(noisy, k + 1)
    for i in range(k):
        yield top[i], noisy[top[i]] - noisy[top[i + 1]]
        if top[i] == 0:
            break


def best_of_the_others(q, T, rho, eta, selected):
    """The largest noisy value that is not selected."""
    noisy = [T + rho, *[q_i + eta_i for q_i, eta_i in zip(q, eta)]]
    return max(noisy[j] for j in range(len(noisy)) if j not in selected)


@alignment(top_k_or_threshold, epsilon="len(omega) * eps / k")
def threshold_phi(q, q_, T, omega, H):
    """What is put out keeps its lead over the best of the others; for the threshold that is a shift of 1 at most."""
    selected = {j for j, gap in omega}
    before = best_of_the_others(q, T, H.rho, H.eta, selected)
    after = best_of_the_others(q_, T, H.rho, H.eta, selected)
    return H.shift(
        rho=after - before if 0 in selected else 0,
        eta=[q[i] - q_[i] + after - before if i + 1 in selected else 0 for i in range(len(q))],
    )


@mechanism
def top_k_or_threshold_exponential(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The same with one-sided noise and without the gaps."""
    rho = noise.exponential(k / eps)
    eta = [noise.exponential(2 * k / eps) for q_i in q]
    noisy = [T + rho, *[q_i + eta_i for q_i, eta_i in zip(q, eta)]]
    for j in largest(noisy, k):
        yield j
        if j == 0:
            break


@alignment(top_k_or_threshold_exponential, epsilon="len(omega) * eps / k")
def threshold_exponential_phi(q, q_, omega, H):
    """What is put out rises above the others: the threshold by 1, a query by 1 + q_i - q'_i."""
    return H.shift(
        rho=1 if 0 in omega else 0, eta=[1 + q[i] - q_[i] if i + 1 in omega else 0 for i in range(len(q))]
    )


@mechanism
def noisy_max_with_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Noisy Max that names nobody where the winner is below a noisy threshold."""
    rho = noise.laplace(1 / eps)
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    if noisy[best] >= T + rho:
        return best
    else:
        return NOBODY


@alignment(noisy_max_with_threshold, epsilon="eps")
def nobody_phi(q, q_, omega, H):
    """Either the threshold rises, or the winner does; never both."""
    return H.shift(
        rho=1 if omega is NOBODY else 0, eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))]
    )


@mechanism
def gumbel_top_k_with_gaps(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """The exponential mechanism peeled k times by one vector of Gumbel noise, and the lead of each over the next."""
    eta = [noise.gumbel(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k + 1)
    return [(top[i], noisy[top[i]] - noisy[top[i + 1]]) for i in range(k)]


def levels(q, q_, eta, selected):
    """The best of the losers on D, on D', and where D' is to have it so that no noise need be lowered."""
    before = max(q[i] + eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + eta[i] for i in range(len(q)) if i not in selected)
    return before, after, max(after, before + max(q_[i] - q[i] for i in range(len(q)) if i in selected))


@alignment(gumbel_top_k_with_gaps, epsilon="k * eps")
def gumbel_phi(q, q_, omega, H):
    """Nothing is lowered: the winners are raised, and the best loser on D where all losers of D' fall short."""
    selected = {j for j, gap in omega}
    before, after, level = levels(q, q_, H.eta, selected)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i in selected or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )


@alignment(gumbel_top_k_with_gaps, epsilon="k * eps / 2", adjacency="monotone")
def gumbel_monotone_phi(q, q_, omega, H):
    """The same, for counting queries."""
    selected = {j for j, gap in omega}
    before, after, level = levels(q, q_, H.eta, selected)
    return H.shift(
        eta=[
            q[i] - q_[i] + level - before if i in selected or (after < level and q[i] + H.eta[i] == before) else 0
            for i in range(len(q))
        ]
    )
