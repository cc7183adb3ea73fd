"""Right mechanisms with right alignments, in pieces that can be changed: what the fuzz of the prover starts from."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Shift:
    """The shift of a draw: one number, or one for each item that a clause such as ``for i in range(3)`` gives."""

    draw: str
    value: str
    clause: str = ""

    @property
    def text(self) -> str:
        return f"{self.draw}=[{self.value} {self.clause}]" if self.clause else f"{self.draw}={self.value}"


@dataclass(frozen=True)
class Draft:
    """A mechanism and its alignment, statement by statement.

    ``body`` may hold the marks LOSER and WINNER, where an iteration is known to be one. ``lists`` and ``singles`` are
    the draws that an alignment may read by index, and by name alone; ``tags`` says whether outputs may be tags.
    ``further`` are parameters of the mechanism with their types, and ``answers`` is the type of the answers.
    """

    name: str
    claim: str
    adjacency: str
    private: str
    shifts: tuple[Shift, ...]
    before: tuple[str, ...] = ()
    over: str = ""
    body: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    singles: tuple[str, ...] = ()
    tags: bool = False
    further: tuple[tuple[str, str], ...] = ()
    answers: str = "Queries"
    invariants: tuple[str, ...] = ()

    @property
    def branches(self) -> bool:
        """Whether iterations go one of two ways."""
        return any(line.strip() == LOSER for line in self.body)

    @property
    def text(self) -> str:
        """The source of the mechanism ``m`` and of the alignment ``phi``."""
        private = {"q": f"q: {self.answers}", "x": "x: Query"}[self.private]
        further = "".join(f", {name}: {kind}" for name, kind in self.further)
        names = "".join(f", {name}" + (f", {name}_" if kind.startswith("Quer") else "") for name, kind in self.further)
        lines = ["@mechanism", f"def m({private}{further}, T: Real, k: Count, eps: Epsilon, noise: Noise):"]
        lines += [f"    {line}" for line in self.before]
        if self.over:
            lines.append(f"    {self.over}:")
            lines += [f"        {line}" for line in self.body]
        lines += [f"    {line}" for line in self.after]
        stated = f", invariant={self.invariants!r}" if self.invariants else ""
        lines += ["", "", f"@alignment(m, epsilon={self.claim!r}, adjacency={self.adjacency!r}{stated})"]
        lines.append(f"def phi({self.private}, {self.private}_{names}, T, k, eps, omega, H):")
        lines += [f"    {line}" for line in self.header]
        lines.append(f"    return H.shift({', '.join(shift.text for shift in self.shifts)})")
        return TAGS + "\n".join(line for line in lines if line.strip() not in (LOSER, WINNER)) + "\n"

    def with_shift(self, number: int, value: str) -> Draft:
        """The draft with another value for one of its shifts."""
        shifts = list(self.shifts)
        shifts[number] = replace(shifts[number], value=value)
        return replace(self, shifts=tuple(shifts))


LOSER, WINNER = "LOSER", "WINNER"
TAGS = 'TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")\n\n\n'

ANSWERS = Draft(
    "noisy answers", "eps", "l1", "q", over="for q_i in q",
    body=("e = noise.laplace(1 / eps)", "yield q_i + e"),
    shifts=(Shift("e", "q[i] - q_[i]", "for i in range(len(q))"),), lists=("e",),
)  # fmt: skip

ANSWERS_BY_OUTPUT = replace(
    ANSWERS, name="noisy answers, an output at a time", adjacency="one",
    shifts=(Shift("e", "q[i] - q_[i]", "for i, w in enumerate(omega)"),),
)  # fmt: skip

SPARSE = Draft(
    "sparse vector", "eps", "each", "q", before=("eta = noise.laplace(2 / eps)", "count = 0"), over="for q_i in q",
    body=(
        "e = noise.laplace(4 * k / eps)",
        "if q_i + e >= T + eta:", f"    {WINNER}", "    yield ABOVE", "    count += 1",
        "else:", f"    {LOSER}", "    yield BELOW",
        "if count >= k:", "    break",
    ),
    shifts=(Shift("eta", "1"), Shift("e", "2 if w is ABOVE else 0", "for i, w in enumerate(omega)")),
    lists=("e",), singles=("eta",), tags=True,
)  # fmt: skip

SPARSE_WITH_GAP = replace(
    SPARSE, name="sparse vector with gap",
    body=tuple(line.replace("yield ABOVE", "yield q_i + e - T - eta") for line in SPARSE.body),
    shifts=(
        Shift("eta", "1"),
        Shift("e", "1 + q[i] - q_[i] if w is not BELOW else 0", "for i, w in enumerate(omega)"),
    ),
)  # fmt: skip

SPARSE_IN_TUPLES = replace(
    SPARSE_WITH_GAP, name="sparse vector with gap and tags",
    body=tuple(line.replace("yield q_i", "yield TOP, q_i") for line in SPARSE_WITH_GAP.body),
)  # fmt: skip

ONE_SIDED_SPARSE = replace(
    SPARSE_WITH_GAP, name="sparse vector with gap, exponential noise",
    body=tuple(line.replace("noise.laplace", "noise.exponential") for line in SPARSE_WITH_GAP.body),
)  # fmt: skip

COUNTED = Draft(
    "one answer, k times", "eps", "each", "x", over="for j in range(k)",
    body=("e = noise.laplace(k / eps)", "yield x + e"),
    shifts=(Shift("e", "x - x_", "for i in range(k)"),), lists=("e",),
)  # fmt: skip

MONOTONE_SPARSE = replace(
    SPARSE_WITH_GAP, name="sparse vector with gap for counting queries", adjacency="monotone",
    body=tuple(line.replace("4 * k", "2 * k") for line in SPARSE_WITH_GAP.body),
    header=("up = 1 if all(q[i] <= q_[i] for i in range(len(q))) else 0",),
    shifts=(
        Shift("eta", "up"),
        Shift("e", "up + q[i] - q_[i] if w is not BELOW else 0", "for i, w in enumerate(omega)"),
    ),
)  # fmt: skip

BY_THRESHOLDS = replace(
    SPARSE, name="sparse vector with a threshold for each query", over="for q_i, T_i in zip(q, thresholds)",
    body=tuple(line.replace(">= T", ">= T_i") for line in SPARSE.body), further=(("thresholds", "Reals"),),
)  # fmt: skip

SELECTED = Draft(
    "the largest, above a threshold", "eps", "each", "q",
    before=(
        "eta = noise.laplace(2 / eps)",
        "e = [noise.laplace(4 * k / eps) for q_i in q]",
        "noisy = [q_i + e_i for q_i, e_i in zip(q, e)]",
    ),
    over="for j in largest(noisy, k)",
    body=("if noisy[j] < T + eta:", "    break", "yield j, noisy[j] - T - eta"),
    header=("selected = {j for j, gap in omega}",),
    shifts=(Shift("eta", "1"), Shift("e", "1 + q[i] - q_[i] if i in selected else 0", "for i in range(len(q))")),
    lists=("e",), singles=("eta",),
)  # fmt: skip

MAXIMUM = Draft(
    "noisy max", "eps", "each", "q",
    before=("e = [noise.laplace(2 / eps) for q_i in q]", "best = largest([q[i] + e[i] for i in range(len(q))], 1)[0]"),
    after=("yield best",),
    header=("best = omega[0]",),
    shifts=(Shift("e", "2 if i == best else 0", "for i in range(len(q))"),), lists=("e",),
)  # fmt: skip

THRICE = Draft(
    "one answer, three times", "eps", "each", "x",
    before=("e = [noise.laplace(3 / eps) for j in range(3)]", "b = noise.laplace(1 / eps)"),
    after=("yield x + e[0]", "yield x + e[1]", "yield x + e[2] if b > T else BELOW"),
    shifts=(Shift("e", "x - x_", "for i in range(3)"),), lists=("e",), singles=("b",), tags=True,
)  # fmt: skip

DRAFTS = (
    ANSWERS, ANSWERS_BY_OUTPUT, SPARSE, SPARSE_WITH_GAP, SPARSE_IN_TUPLES, ONE_SIDED_SPARSE, MONOTONE_SPARSE,
    BY_THRESHOLDS, SELECTED, COUNTED, MAXIMUM, THRICE,
)  # fmt: skip
