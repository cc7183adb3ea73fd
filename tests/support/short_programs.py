"""Programs of a body, shifts and a claim, for tests of soundness."""

import re
import textwrap

SOURCE = """
@mechanism
def m({parameters}, noise: Noise):
{body}

@alignment(m, epsilon="{claim}", adjacency="{adjacency}", queries="{queries}")
def phi({reads}, omega, H):
    return H.shift({shifts})
"""

ONE = "q: Queries, T: Real, k: Count, eps: Epsilon"
TWO = "q: Queries, s: Queries, T: Real, k: Count, eps: Epsilon"


def program(body, shifts, *, claim="eps", adjacency="each", parameters=ONE, queries="fixed"):
    names = re.findall(r"(\w+): ", parameters)
    private = re.findall(r"(\w+): (?:Annotated\[)?Queries", parameters)
    return SOURCE.format(
        parameters=parameters,
        body=textwrap.indent(textwrap.dedent(body).strip(), "    "),
        claim=claim,
        adjacency=adjacency,
        queries=queries,
        reads=", ".join([*names, *(f"{name}_" for name in private)]),
        shifts=shifts,
    )
