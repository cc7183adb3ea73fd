"""Exploring a stage: one trial for each path through it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from alignkit.errors import Clash, Infeasible, Parted, Undefined
from alignkit.interpreting.exploring import explore
from alignkit.proving.facts.hypotheses import Caches
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.lemma_calls import Lemmas
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.proving.symbolic_trial import Record, SymbolicTrial
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.symbolic.paths import Path

# Runs one path of a trial.
Stage = Callable[[SymbolicTrial], None]


@dataclass(frozen=True)
class Exploration:
    """Explores the stages of an alignment on given inputs; ``tick`` raises OutOfTime where the time is used up.

    ``last_run`` remembers, for ``planned_runs``, under what each stage was last run, with its records.
    """

    alignment: AlignmentProgram
    inputs: Inputs
    tick: Callable[[], object]
    lemmas: Lemmas | None = None
    caches: Caches = field(default_factory=Caches, repr=False)
    last_run: dict[Hashable, tuple[Any, list[Record]]] = field(default_factory=dict, repr=False, compare=False)

    def records(self, stage: Stage) -> list[Record]:
        """One record for each path through a stage."""
        return list(explore(lambda choices: self._run(stage, Path(choices, self.tick))))

    def _run(self, stage: Stage, path: Path) -> Record:
        """What a path gives rise to. However it ends, the obligations from before its end stand."""
        trial = SymbolicTrial(self.alignment, self.inputs, path, self.tick, self.caches, self.lemmas)
        try:
            stage(trial)
        except Parted as parted:
            trial.owed.exclude(parted.condition, parted.place, parted.words)
        except Undefined as problem:
            # A requirement may have obliged this already, but not every way of being undefined comes with one.
            trial.owed.exclude(trial.serving, problem.place, f"the run is defined: {problem.problem}")
        except Clash as clash:
            words = f"what is assumed of {clash.words} is what runs do"
            hypotheses = trial.facts.of_runs(False)
            trial.record.obligations.append(Obligation("same_output", hypotheses, False, words, trial.place))
        except Infeasible:
            pass
        finally:
            trial.facts.over()
        return trial.record
