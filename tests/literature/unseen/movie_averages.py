"""Averages of all ratings and of each movie: McSherry and Mironov, Recommender Systems, KDD 2009.

A rating in [0, 1] is one more in the sums and one more in the counts; beta imagined ratings damp the averages.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, mechanism

Ratings = Annotated[Queries, Sensitivity(2)]


@mechanism
def movie_averages(s: Ratings, c: Ratings, beta: Positive, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    a = noise.laplace(2 / eps1)
    b = noise.laplace(2 / eps1)
    average = (sum(s) + a) / max(sum(c) + b, 1)
    e = [noise.laplace(2 / eps2) for s_i in s]
    f = [noise.laplace(2 / eps2) for c_i in c]
    return average, [
        (s_i + e_i + beta * average) / max(c_i + f_i + beta, 1) for s_i, e_i, c_i, f_i in zip(s, e, c, f)
    ]


@alignment(movie_averages, epsilon="eps1 + eps2", adjacency="l1")
def phi(s, s_, c, c_, H):
    return H.shift(
        a=sum(s) - sum(s_),
        b=sum(c) - sum(c_),
        e=[s[i] - s_[i] for i in range(len(s))],
        f=[c[i] - c_[i] for i in range(len(c))],
    )
