"""A MinHash sketch by randomised response (Aumüller, Bourgeat and Schmurr, SISAP 2020), one bit for each hash function.

One item of a person's set changes at most t of the bits.
"""

from alignkit import Count, Epsilon, Noise, Queries, alignment, exp, mechanism


@mechanism
def noisy_minhash_bits(h: Queries, t: Count, eps: Epsilon, noise: Noise):
    """Report each bit by randomised response with the budget eps / t; outcome 0 is a one."""
    b = [noise.choice([exp(eps / t) if x > 0 else 1, 1 if x > 0 else exp(eps / t)]) for x in h]
    return b


@alignment(noisy_minhash_bits, epsilon="eps", adjacency="few(t)")
def phi(H):
    return H.shift()
