"""What is assumed of selections of symbolic size, held against concrete runs: every fact must be true of them.

A correct mechanism and alignment are run symbolically; whatever the prover then takes as known (that positions are
ranked, that D′ agrees with D by the selection lemma, what the sum over the selected comes to) is evaluated on random
databases and noise, at every index.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from support.concrete_numbers import Numbers, instances

from alignkit import Count, Epsilon, Noise, Queries, Real, alignment, largest, mechanism
from alignkit.interpreting.exploring import Choices
from alignkit.proving.conditions.shifts import cost_of_draws, cost_of_vectors
from alignkit.proving.conditions.vector_costs import Selected
from alignkit.proving.facts.universals import Quantifier
from alignkit.proving.runs.alignment_run import AligningContext, noise_drawn
from alignkit.proving.runs.seen_output import seen
from alignkit.proving.stages.single_runs import complete_run
from alignkit.proving.symbolic_inputs import primed, unbounded
from alignkit.proving.symbolic_trial import SymbolicTrial
from alignkit.proving.vectors.selections import revealed
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.paths import Path
from alignkit.symbolic.substitution import evaluate, holds


@mechanism
def top_k_with_gap(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k + 1)
    return [(top[i], noisy[top[i]] - noisy[top[i + 1]]) for i in range(k)]


@alignment(top_k_with_gap, epsilon="eps")
def top_k_phi(q, q_, omega, H):
    selected = {j for j, gap in omega}
    before = max(q[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    after = max(q_[i] + H.eta[i] for i in range(len(q)) if i not in selected)
    return H.shift(eta=[q[i] - q_[i] + after - before if i in selected else 0 for i in range(len(q))])


@mechanism
def top_k_with_threshold(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta_0 = noise.laplace(2 * k / eps)
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    return largest([T + eta_0, *[q_i + eta_i for q_i, eta_i in zip(q, eta)]], k)


@alignment(top_k_with_threshold, epsilon="eps")
def threshold_phi(q, q_, T, omega, H):
    answers, answers_ = [T, *q], [T, *q_]
    moves = [1 + answers[i] - answers_[i] if i in omega else 0 for i in range(len(answers))]
    return H.shift(eta_0=moves[0], eta=[moves[i + 1] for i in range(len(q))])


class Concrete(Numbers):
    """Numbers for every symbol of a trial: a database, an adjacent one, noise, and what follows from these."""

    def __init__(self, trial: SymbolicTrial, draw: random.Random) -> None:
        self.trial = trial
        self.n = draw.randint(2, 4)
        self.public = {"len(q)": self.n, "k": draw.randint(1, self.n - 1), "eps": Fraction(1), "T": Fraction(1, 3)}
        self.others: dict[str, int] = {}
        q = [Fraction(draw.randint(-2, 2)) for _ in range(self.n)]
        moved = [x + draw.choice((-1, 0, 1)) for x in q]
        arrays = {"q": q, primed("q"): moved, "eta": [_noise(draw) for _ in q]}
        super().__init__(draw, arrays, {**self.public, "eta_0": _noise(draw)})
        for ranking in trial.facts.rankings:
            values = [self.value(ranking.values.element(i)) for i in self.listed(ranking.values)]
            order = sorted(range(len(values)), key=lambda i: (-values[i], i))
            self.arrays[ranking.positions] = order
            self.arrays[ranking.ranks] = [order.index(i) for i in range(len(order))]

    def selected(self, atom: Symbol) -> int:
        family = self.trial.facts.dependencies.families[atom.key]
        return max(self.listed(family), key=lambda i: self.value(family.element(i)))

    def named(self, atom: Symbol) -> Fraction | int:
        if atom.name in self.single:
            return self.single[atom.name]
        if atom.key not in self.others:
            chosen = atom.key in self.trial.facts.dependencies.families
            self.others[atom.key] = self.selected(atom) if chosen else self.draw.randint(-1, self.n)
        return self.others[atom.key]


def _noise(draw: random.Random) -> Fraction:
    """So fine that ties are out of the question, as they are for real noise."""
    return Fraction(draw.randint(-5 * 10**12, 5 * 10**12), 10**12 + 39)


def run_of_d(aligned) -> SymbolicTrial:
    inputs = unbounded(aligned.mechanism, aligned.adjacency)
    trial = SymbolicTrial(aligned, inputs, Path(Choices()), lambda: None)
    trial.run_d()
    return trial


@pytest.mark.parametrize("aligned", [top_k_phi, threshold_phi], ids=["gap", "threshold"])
def test_what_is_assumed_of_a_selection_is_true_of_every_run(aligned):
    trial, draw = run_of_d(aligned), random.Random(20)
    complete_run(trial)
    assert {fact.over for fact in trial.facts.universals} >= {Quantifier.RANK, Quantifier.POSITION, Quantifier.PAIR}
    checked = 0
    for _ in range(30):
        values = Concrete(trial, draw)
        for fact, indices, instance in instances(trial.facts, range(-1, values.n + 2)):
            assert values.hold(instance), (fact.over, indices, instance)
            checked += 1
        for assumed in trial.facts.path.assumed:
            if "dearest" not in assumed.key:
                assert values.hold(assumed), assumed
                checked += 1
    assert checked > 2_500


@pytest.mark.parametrize("aligned", [top_k_phi, threshold_phi], ids=["gap", "threshold"])
def test_the_sum_over_what_was_selected_is_a_bound(aligned):
    """With the dearest of the selected put in, the bound is at least the exact sum of the costs."""
    trial, draw = run_of_d(aligned), random.Random(21)
    output = trial.run.emitted[0].value
    shifts = trial.align(seen(output), AligningContext(trial.owed, noise_drawn(trial.run)))
    size = revealed(trial.facts, [output], trial.run.rankings[0])
    selected = Selected(trial.run.rankings[0], size)
    bound = cost_of_vectors(trial.owed, trial.run.families, shifts, (), selected, trial.place)
    bound = bound + cost_of_draws(trial.run.drawn, shifts)
    (whole,) = {a for a in bound.within if isinstance(a, Symbol) and a.name.startswith("total shift")}
    (product,) = [f for f in trial.facts.path.assumed if whole in f.within and getattr(f, "relation", "") == "=="]
    (dearest,) = {a for a in product.within if isinstance(a, Symbol) and a.name.startswith("dearest")}
    facts = [f for f in trial.facts.path.assumed if {dearest, whole} & set(f.within)]
    assert len(facts) > 5
    exact = 0
    for _ in range(30):
        values = Concrete(trial, draw)
        bounds = []
        for candidate in range(values.n):
            values.others |= {dearest.key: candidate, whole.key: 0}
            missing = evaluate(product.term, values) / product.term.parts[((whole, 1),)]
            values.others[whole.key] = -missing
            if all(holds(fact, values) for fact in facts):
                bounds.append(evaluate(bound, values))
        single = {"eta_0": values.single["eta_0"]} if aligned is threshold_phi else {}
        noise = {"eta": values.arrays["eta"], **single}
        parameters = {name: values.public[name] for name in aligned.mechanism.public}
        run = aligned.replay(values.arrays["q"], values.arrays[primed("q")], H=noise, **parameters)
        assert max(bounds) >= run.cost
        exact += max(bounds) == run.cost
    assert exact > 2, "and it is the sum itself where one costs as much as another"
