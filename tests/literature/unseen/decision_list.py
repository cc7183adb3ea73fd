"""A decision list from noisy counts: statistical queries by Blum, Dwork, McSherry and Nissim, SuLQ, PODS 2005.

yes and no count the examples of each kind by label. Rule i covers kind j if covers[i * len(yes) + j] is above 0; it is
taken if few of the examples that it covers, and that no earlier rule has taken, have the other label.
"""

from alignkit import Count, Epsilon, Noise, Queries, Real, Reals, Tag, alignment, mechanism

THEN_YES = Tag("THEN_YES")
THEN_NO = Tag("THEN_NO")
SKIP = Tag("SKIP")


@mechanism
def decision_list(
    yes: Queries, no: Queries, covers: Reals, rules: Count, tau: Real, eps: Epsilon, noise: Noise
):
    left = [1 for y in yes]
    for i in range(rules):
        a_i = noise.laplace(2 * rules / eps)
        b_i = noise.laplace(2 * rules / eps)
        for_yes = sum(y for j, y in enumerate(yes) if left[j] > 0 and covers[i * len(yes) + j] > 0) + a_i
        for_no = sum(n for j, n in enumerate(no) if left[j] > 0 and covers[i * len(yes) + j] > 0) + b_i
        if for_no <= tau:
            yield THEN_YES
            left = [0 if covers[i * len(yes) + j] > 0 else x for j, x in enumerate(left)]
        elif for_yes <= tau:
            yield THEN_NO
            left = [0 if covers[i * len(yes) + j] > 0 else x for j, x in enumerate(left)]
        else:
            yield SKIP


@alignment(decision_list, epsilon="eps", adjacency="one")
def phi(omega, H):
    """A count changes by at most 1, and each is pushed by 1 to its own side of the threshold."""
    return H.shift(
        a_i=[0 if w is THEN_YES else -1 if w is THEN_NO else 1 for w in omega],
        b_i=[-1 if w is THEN_YES else 1 for w in omega],
    )
