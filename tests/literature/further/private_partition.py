"""A stream is cut into segments: a segment ends when its noisy sum passes a threshold with fresh noise."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def private_partition(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    threshold = T + rho
    total = 0
    for q_i in q:
        total += q_i
        nu_i = noise.laplace(4 / eps)
        if total + nu_i >= threshold:
            yield ABOVE
            total = 0
            fresh = noise.laplace(2 / eps)
            threshold = T + fresh
        else:
            yield BELOW


def segment(omega, i):
    return sum(1 for j in range(i) if omega[j] is ABOVE)


@alignment(private_partition, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    """Only the segment with the answer that changes pays: for its threshold, and for its end."""
    touched = sum(segment(omega, j) for j in range(len(q)) if q[j] != q_[j])
    return H.shift(
        rho=1 if touched == 0 else 0,
        fresh=[1 if segment(omega, i) + 1 == touched else 0 for i in range(len(omega))],
        nu_i=[
            1 + sum(q[j] - q_[j] for j in range(i + 1) if segment(omega, j) == touched)
            if w is ABOVE and segment(omega, i) == touched
            else 0
            for i, w in enumerate(omega)
        ],
    )
