"""The noisy votes of the teachers of PATE-GAN (Jordon, Yoon and van der Schaar, ICLR 2019)."""

from alignkit import Noise, Positive, Queries, Tag, alignment, mechanism

REAL = Tag("REAL")
FAKE = Tag("FAKE")


@mechanism
def discriminator_votes(real: Queries, fake: Queries, gamma: Positive, noise: Noise):
    """Say of each sample which label has more votes of the teachers, after Laplace noise on both counts."""
    for r, f in zip(real, fake):
        u = noise.laplace(1 / gamma)
        v = noise.laplace(1 / gamma)
        if r + u >= f + v:
            yield REAL
        else:
            yield FAKE


@alignment(discriminator_votes, epsilon="2 * gamma * len(real)")
def phi(real, real_, fake, fake_, omega, H):
    return H.shift(
        u=[real[i] - real_[i] for i in range(len(omega))],
        v=[fake[i] - fake_[i] for i in range(len(omega))],
    )
