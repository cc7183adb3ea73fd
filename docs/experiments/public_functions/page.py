"""The page `docs/code_that_runs_results.md`, made of cases and of their results."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from alignkit.implementing import Conformity
from public_functions.case import Case

if TYPE_CHECKING:
    from public_functions.run import Result

CELLS = 12
"""How many draws of an example are shown."""

NOTHING = "–"

# What a difference means, by the case that shows it.
BUGS: Mapping[str, str] = {
    "naive numeric_sparse": (
        "**The first answer is released without noise.** The scale of a released answer is the number of winners so"
        " far times Δ/ε₃, and this number is 0 for the first one. In the example the function gives the private "
        "answer itself. The function came with ac2d3640 (2017-10-17) and was taken out with ecaa5898 (2018-02-21); "
        "`numeric_sparse_2` of the same file implements the mechanism."
    ),
    "online-mw numeric_sparse, scale as location": (
        "**The scale is passed as the location.** `laplace(sigma)` has its first argument as the location, so that "
        "the noise has scale 1 whatever ε is. The next version, 9c82d28a, is right, and implements the same "
        "mechanism."
    ),
    "usability_oracle sparse_vector_technique": (
        "**Half the noise on each query.** 2kΔ/ε stands where queries that may move in both directions need 4kΔ/ε, "
        "and nothing restricts the queries. It implements `sparse_vector_delta_half`, for which a loss of 1.4993 at "
        "ε = 1 is certified."
    ),
    "usability_oracle above_threshold": (
        "**The same in the function that stops at the first winner**: its queries have 2/ε for 4/ε."
    ),
    "quality_selection exponential_mechanism": (
        "**The first element is never returned.** 1 is added to an index that `searchsorted` gives already, so that"
        " each element is chosen with the probability of the one before it, and the last two together are the last."
    ),
    "freegap gap_noisy_max": (
        "**The loop never ends**: its index does not move. Nothing in the repository calls the function. The "
        "verdict is `cut`, since no run ends within the bound on draws."
    ),
    "freegap first sparse_vector_technique": (
        "**Scales as locations, and an index that does not move**: the second query is asked until it has won c "
        "times, and no other query is asked at all."
    ),
    "freegap first gap_noisy_max": "**The same loop without an end**, with scales as locations too.",
    "ektelo exponentialMechanism": (
        "**The argument `sensitivity` is ignored.** The weights are those for sensitivity 1. Its only caller passes"
        " 1, for which the function implements the mechanism."
    ),
    "DesenTelecom ReportNoisyMax1": (
        "**Half the noise of the function that it is a copy of.** DP-Sniper's has 2/ε; the copy has Δ/ε, which is "
        "enough for scores that all move in one direction."
    ),
    "DesenTelecom ReportNoisyMax2": (
        "**The same with exponential noise.**"
    ),
}

HALF_THE_NOISE = (
    "naive report_noisy_max",
    "scores_selection report_noisy_max",
    "list_mechanisms report_noisy_max",
    "usability_oracle report_noisy_max",
    "quality_selection noisy_max",
    "dduo report_noisy_max",
    "ektelo noisyMax",
)

SUBTLE: Mapping[str, str] = {
    "auditorium MeanMechanism": (
        "The scale of its noise is at least 1e-12, and `clipped_mean` has no such bound. The example has a width "
        "that is small enough for it to matter. With the bound written into the mechanism the function implements "
        "it. It does no harm to privacy: the noise is only larger."
    ),
    "auditorium SVT2 as Algorithm 2": (
        "It is numbered after Algorithm 2 of Lyu, Su and Li (VLDB 2017), which draws the threshold again after each"
        " winner. The function draws it once, as its docstring says, and implements `threshold_noise_by_k`. No leak"
        " follows: the threshold has more noise than one that is drawn once needs."
    ),
    "freegap adaptive_sparse_vector, as the paper stops": (
        "It goes on where exactly 2ε₂ of the budget is left, where the paper's algorithm stops. The budget is kept "
        "in both. In floats the shares are added up, so that rounding may decide this comparison."
    ),
    "naive sparse, its default": (
        "`monotonic=True` is the default, with half the noise: right for counts of one table, and not for queries "
        "that may move in both directions. With `monotonic=False` it implements `sparse_vector`."
    ),
    "dpcomp MWEM selection": (
        "It takes the absolute values of its errors itself, and so differs where the errors that it is handed are "
        "below 0. With absolute values in the mechanism nothing is decided: it formats numbers for a log."
    ),
}

NOT_TAKEN = (
    ("NVIDIA/NVFlare, `SVTPrivacy`", "needs the package and objects of its own, uses `np.float`, "
     "and loops until enough are accepted"),
    ("ORNL/PRESTO", "imports torch"),
    ("the scripts of *Hands-On Differential Privacy*", "run as they are imported, and wrap numpy in OpenDP"),
    ("DataResponsibly/DataSynthesizer", "adds noise to columns of pandas"),
    ("Tumult", "needs Spark"),
    ("OpenDP", "draws and adds noise in compiled code: there is no Python to run"),
    ("yxwangcs/freegap at its newest commit", "its functions are compiled by `numba.njit`"),
    ("tensorflow-privacy beyond `pate_2017`", "needs TensorFlow"),
)  # fmt: skip


def page(cases: Sequence[Case], results: Mapping[str, Result]) -> str:
    """The page."""
    return "\n".join(_lines(cases, results)) + "\n"


def table_row(case: Case, result: Result) -> str:
    """The row of a case; what does not come from a run stands in the columns that a test holds."""
    return "| " + " | ".join([*stated_columns(case), *_measured_columns(case, result)]) + " |"


def stated_columns(case: Case) -> list[str]:
    """The columns that the case alone gives: its name, function, mechanism and the names it needs."""
    # Two cases may be about one function: the name of the case tells them apart.
    mechanism = f"`{case.mechanism}`" + (" *" if case.beside else "")
    return [case.name, function_link(case), mechanism, ", ".join(f"`{name}`" for name in case.names) or NOTHING]


def function_link(case: Case) -> str:
    """The function, with a link to the file at its commit where the repository is known."""
    module, _, name = case.where.partition(":")
    source = case.source
    if not source.known:
        return f"`{name}`, `{module}.py`"
    place = f"https://github.com/{source.repository}/blob/{source.commit}/{source.path_of(module)}"
    return f"[`{name}`]({place}), {source.repository} {source.short_commit}"


def _measured_columns(case: Case, result: Result) -> list[str]:
    shown = result.verdict in (Conformity.IMPLEMENTS, Conformity.CUT) and result.paths
    sizes = ", ".join(map(str, case.lengths)) if case.lengths else str(result.n)
    return [result.verdict, sizes if shown else NOTHING, str(result.paths) if shown else NOTHING,
            f"{result.seconds:.1f}"]  # fmt: skip


def example(result: Result) -> str:
    """A difference as a sentence that can be replayed: inputs, noise and both outputs."""
    noise = list((result.noise or {}).items())
    cells = "; ".join(f"{cell} = {value}" for cell, value in noise[:CELLS])
    more = f"; and {len(noise) - CELLS} more" if len(noise) > CELLS else ""
    inputs = ", ".join(f"{name} = {value}" for name, value in (result.inputs or {}).items())
    gives = f"raises: {result.why}" if result.of_function == "None" else f"gives {result.of_function}"
    return (
        f"At {inputs}; {cells}{more}: the function {gives}, and the "
        f"mechanism gives {result.of_mechanism}."
    )


def _lines(cases: Sequence[Case], results: Mapping[str, Result]) -> Iterator[str]:
    by_name = {case.name: case for case in cases}
    yield _HEAD.format(**_figures(cases, results))
    yield "\n## Bugs\n"
    yield _ON_EXAMPLES
    for name, words in BUGS.items():
        yield f"* {function_link(by_name[name])}, beside `{by_name[name].mechanism}`. {words}"
        if results[name].verdict == Conformity.DIFFERS:
            yield f"  {example(results[name])}"
    yield "\n## Noisy max with half the noise\n"
    yield _ON_HALF_THE_NOISE
    for name in HALF_THE_NOISE:
        yield f"* {function_link(by_name[name])}. {example(results[name])}"
    yield "\n## Differences that are no bugs, or not of privacy\n"
    for name, words in SUBTLE.items():
        yield f"* {function_link(by_name[name])}, beside `{by_name[name].mechanism}`. {words} {example(results[name])}"
    yield "\n## What was not decided\n"
    for case in cases:
        result = results[case.name]
        if result.verdict not in (Conformity.IMPLEMENTS, Conformity.DIFFERS):
            where = f", at {result.line}" if result.line else ""
            why = result.why.splitlines()[0].rstrip(".")
            yield f"* {function_link(case)}: {result.verdict}, {why}{where}."
    yield "\n## What was not taken\n"
    for what, why in NOT_TAKEN:
        yield f"* {what}: {why}."
    yield "\n## All cases\n"
    yield _ON_THE_TABLE
    yield "| case | function, repository and commit | mechanism | named | verdict | n | paths | CPU s |"
    yield "|---|---|---|---|---|---:|---:|---:|"
    for case in cases:
        yield table_row(case, results[case.name])


def _figures(cases: Sequence[Case], results: Mapping[str, Result]) -> dict[str, Any]:
    verdicts = Counter(results[case.name].verdict for case in cases)
    implementing = [case for case in cases if results[case.name].verdict == Conformity.IMPLEMENTS]
    seconds = sorted(results[case.name].seconds for case in cases)
    return {
        "cases": len(cases),
        "functions": len({(case.source.repository, case.source.commit, case.where) for case in cases}),
        "repositories": len({case.source.repository for case in cases if case.source.known}),
        "unknown": len({case.where.partition(":")[0] for case in cases if not case.source.known}),
        "implements": verdicts[Conformity.IMPLEMENTS], "differs": verdicts[Conformity.DIFFERS],
        "cut": verdicts[Conformity.CUT], "unsupported": verdicts[Conformity.UNSUPPORTED],
        "unnamed": sum(not case.names for case in implementing),
        "median": f"{seconds[len(seconds) // 2]:.1f}", "most": f"{seconds[-1]:.1f}",
        "total": f"{sum(seconds):.0f}", "python": platform.python_version(), "numpy": version("numpy"),
    }  # fmt: skip


_HEAD = """\
# Code that runs: results

Functions of public repositories, as they stand, were held against mechanisms by `implements` ([code that
runs](code_that_runs.md) says what a verdict says and does not say). There are {cases} cases of {functions} functions,
from {repositories} repositories and from {unknown} files whose repository is not known: {implements} implement their
mechanism, {differs} differ with an example, {cut} are cut and {unsupported} are unsupported. {unnamed} of the
{implements} need no sampler and no source of answers to be named. Nothing of a function was rewritten. A case takes
{median} s of the processor in the median, {most} s at most, {total} s in all, without imports (Python {python}, numpy
{numpy}).

```
python docs/experiments/public_functions/sources.py --sources FOLDER
python docs/experiments/public_functions/run.py --sources FOLDER --write docs/code_that_runs_results.md
```

The first command fetches the repositories at the commits that are named below. The packages that they import are
`PACKAGES` in the same script; `--packages FOLDER` names a folder that `pip install --target` made of them. Files
whose repository is not known cannot be fetched: their cases are run from `FOLDER/unknown`. This page is what the
second command wrote; the tests hold the cases, the mechanisms and the expected verdicts against it.

*A verdict is about one function and one mechanism.* It says nothing on the rest of a library, and "differs" does not
say "not private": some mechanisms here are not private, and some differences do no harm."""

_ON_EXAMPLES = """\
What follows was found in the code of others. Suites that break functions on purpose (StatDP, DP-Sniper,
DP-Auditorium) are left out here. Each example is the one that the comparison gave: inputs, and noise of unit scale by
its family, its line where it has one, and its number; then what both gave on plain floats. Every example was replayed
once more.
"""

_ON_HALF_THE_NOISE = """\
Noisy max with Laplace noise of scale Δ/ε is right where all scores move in one direction, as counts do when a person
is added. For scores that may move in both directions 2Δ/ε is needed: a loss of 1.9989 at ε = 1 is certified for
`noisy_max_with_half_the_noise` of [the catalogue](catalogue.md). Nothing in these functions restricts the scores.
Each of them implements the mechanism with half the noise.
"""

_ON_THE_TABLE = """\
*Verdict* is what the run gave. For `implements`, *n* is the longest list for which all real inputs were covered, on
so many *paths*; where a claim is about lists of one length, it is that length. *Named* are samplers and sources of
answers that the claim names and that are assumed. A star marks mechanisms that stand beside the catalogue, in
`docs/experiments/public_functions/mechanisms_beside.py`.
"""
