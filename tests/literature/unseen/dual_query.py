"""DualQuery with one sample a round: Gaboardi, Gallego Arias, Hsu, Roth and Wu, Dual Query, ICML 2014.

Each round draws a query by exponential weights; response, row by row, has the answers on the record that is best for
the query that was drawn.
"""

from alignkit import Count, Noise, Positive, Queries, Reals, alignment, largest, mechanism


@mechanism
def dual_query(q: Queries, response: Reals, rounds: Count, eta: Positive, noise: Noise):
    past = [0 for q_i in q]
    for t in range(rounds):
        g = [noise.gumbel(1) for q_i in q]
        (worst,) = largest([eta * (t * q_i - p_i) + g_i for q_i, p_i, g_i in zip(q, past, g)], 1)
        yield worst
        past = [p_i + response[worst * len(q) + i] for i, p_i in enumerate(past)]


@alignment(dual_query, epsilon="eta * rounds * (rounds - 1)")
def phi(q, q_, eta, rounds, omega, H):
    """In round t a query counts t times; the one drawn rises by t for the others and by its own fall."""
    return H.shift(
        g=[[eta * t * (1 + q[i] - q_[i]) if i == omega[t] else 0 for i in range(len(q))] for t in range(rounds)]
    )
