"""One price of a public list is selected by how much it would earn from private bids.

McSherry and Talwar, Mechanism Design via Differential Privacy, FOCS 2007, Section 4, the digital goods auction, by
Gumbel noise. Prices lie between 0 and 1, and a bid may change by anything.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Reals, Sensitivity, alignment, clamp, largest, mechanism


def revenue(bids, price):
    return clamp(price, 0, 1) * sum(1 for bid in bids if bid >= price)


@mechanism
def digital_goods_price(
    bids: Annotated[Queries, Sensitivity("delta")], prices: Reals, delta: Positive, eps: Epsilon, noise: Noise
):
    g = [noise.gumbel(2 / eps) for price in prices]
    (best,) = largest([revenue(bids, price) + g_j for price, g_j in zip(prices, g)], 1)
    return best


@alignment(digital_goods_price, epsilon="eps", adjacency="one")
def phi(bids, bids_, prices, omega, H):
    return H.shift(
        g=[1 + revenue(bids, price) - revenue(bids_, price) if j == omega else 0 for j, price in enumerate(prices)]
    )
