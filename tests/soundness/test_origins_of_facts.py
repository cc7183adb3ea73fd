"""Where the prover's facts come from: a list that new generators must be added to, and no walk over a program's text.

A fact that is read off the text of a program may contradict what a run does, and from a contradiction everything
follows. What is foreseen of runs is obliged at their ends; what is assumed of a type of data has a property test.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from support.defining import define_in

from alignkit.language import program
from alignkit.proving import kernel, planning

PROVING = Path(kernel.__file__).parent

# Of a call that passes on the origin that it is given.
AS_GIVEN = "as given"

# Where something is taken for known, with the origins of what is.
GENERATORS = {
    "stages/pairs_of_runs.py: assume_same_images": {"PAIR"},
    "conditions/vector_costs.py: _as_often_as_the_dearest": {"DEFINITION"},
    "conditions/vector_costs.py: _by_item": {"SCHEMA"},
    "conditions/vector_costs.py: _over_selected": {"DEFINITION", "SCHEMA"},
    "facts/path_facts.py: Facts.assume": {AS_GIVEN},
    "loops/head.py: LoopHead.changed_by": {"SCHEMA"},
    "loops/head.py: LoopHead.count_rounds": {"DEFINITION"},
    "loops/head.py: LoopHead.forget": {"OBLIGED", "SCHEMA"},
    "loops/nested.py: _pass_inner": {"BRANCH"},
    "loops/nested.py: iterate_alone": {"BRANCH"},
    "loops/output_stream.py: Foreseen.assume": {"DEFINITION"},
    "loops/output_stream.py: Foreseen.define": {"DEFINITION"},
    "loops/output_stream.py: OutputStream._at_least": {"DEFINITION", "OBLIGED"},
    "loops/output_stream.py: OutputStream._known_where_asked": {"DEFINITION"},
    "loops/output_stream.py: OutputStream._length_is_known": {"DEFINITION"},
    "loops/output_stream.py: OutputStream._position_at": {"DEFINITION"},
    "loops/output_stream.py: OutputStream.items_of": {"DEFINITION"},
    "loops/passing.py: _left_by_iteration": {"BRANCH"},
    "loops/passing.py: arbitrary_iteration": {"BRANCH"},
    "loops/returned_output.py: ReturnedOutput.__init__": {"OBLIGED"},
    "loops/returned_output.py: ReturnedOutput._say_of_marks": {"OBLIGED"},
    "loops/returned_output.py: ReturnedOutput.outputs_of": {"DEFINITION"},
    "obligation.py: Obligations.foreseen": {"OBLIGED"},
    "obligation.py: Obligations.lemma": {"OBLIGED"},
    "obligation.py: Obligations.require": {"OBLIGED", "PRESUMED"},
    "runs/alignment_run.py: AligningContext.quantified": {"DEFINITION", "SCHEMA"},
    "runs/lemma_calls.py: _is_position": {"OBLIGED"},
    "runs/run_on_d.py: RunContext._chosen": {"BRANCH", "NULL_SET"},
    "runs/run_on_d.py: RunContext.draw": {"SUPPORT"},
    "runs/run_on_d.py: RunContext.draw_family": {"SUPPORT"},
    "runs/second_run.py: assume_same": {"PAIR"},
    "stages/single_runs.py: _reach": {"BRANCH"},
    "symbolic_trial.py: SymbolicTrial.no_limit_broken": {"LIMIT"},
    "stages/single_runs.py: one_inner_iteration": {"BRANCH"},
    "stages/single_runs.py: one_iteration": {"BRANCH"},
    "symbolic_context.py: SymbolicContext.oblige": {"OBLIGED"},
    "vectors/selections.py: agree": {AS_GIVEN},
    "vectors/selections.py: rank_values": {"SCHEMA"},
    "vectors/selections.py: select_extremum": {"SCHEMA"},
    "vectors/selections.py: select_largest": {"SCHEMA"},
}

# Where the text of a program is walked over, and what that decides.
WALKS = {
    "proposals/invariants_to_try.py: _budgets": "candidates",
    "proposals/invariants_to_try.py: _closed": "candidates",
    "proposals/invariants_to_try.py: _most_outputs": "candidates",
    "proposals/invariants_to_try.py: _names": "candidates",
    "proposals/invariants_to_try.py: _not_begun": "candidates",
    "proposals/invariants_to_try.py: guard_missed": "candidates",
    "proposals/invariants_to_try.py: guards": "candidates",
    "proposals/invariants_to_try.py: kept_by_alignment": "candidates",
    "proposals/invariants_to_try.py: loop_candidates": "candidates",
    "proposals/invariants_to_try.py: read_by_scales": "candidates",
    "conditions/adaptive_queries.py: claim_not_fixed": "a claim that is refused",
    "conditions/adaptive_queries.py: on_lattices": "which theorem is tried; what the outputs of paths are is obliged",
    "gathering.py: have_bounds": "more distributions than runs draw from, each obliged to have a bound",
    "kernel.py: _adaptive": "reading order: whether a step reads its own answers alone",
    "kernel.py: _who_asks": "words of an assumption",
    "loops/head.py: changed_variables": "what is forgotten; that nothing else changes is obliged",
    "loops/head.py: truths_kept": "what is taken for True and False; heads and iterations oblige that",
    "loops/head.py: whole_variables": "what is taken for whole numbers; heads and iterations oblige that",
    "loops/head.py: LoopHead.__init__": "names that may not be read any more, and are taken away",
    "loops/head.py: LoopHead.shifts_allowed": "reading order: which public lists come with the answers",
    "loops/invariants.py: ProgramCondition.about_cost": "the condition that an invariant is listed under",
    "loops/nested.py: is_nested": "reading order: which statements of a body are loops",
    "loops/nested.py: iterate": "reading order: whether a body has loops",
    "loops/nested.py: iterate_d_prime": "reading order: whether a body has loops",
    "loops/nested.py: run_body": "reading order: the next loop of a body",
    "loops/passing.py: arbitrary_iteration": "reading order: whether a body has loops",
    "planned_runs.py: _check": "plans that are refused where mechanisms are called",
    "planned_runs.py: _kinds_within": "programs that are refused",
    "planned_runs.py: refuse_calls": "calls that are refused",
    "planned_runs.py: inner_previews": "which loops are planned; a loop without a plan is not covered",
    "planning.py: _find_invariants": "candidates",
    "planning.py: _speaks_of": "which loop a stated invariant is tried for",
    "planning.py: _with_outputs_after": "candidates",
    "plans_to_try.py: _asks_for_length": "candidates",
    "plans_to_try.py: _positions": "candidates",
    "plans_to_try.py: plan_to_try": "candidates",
    "runs/alignment_run.py: AlignmentLoop.__init__": "what is forgotten; an iteration must change nothing else",
    "runs/grown_lists.py: _grows": "what is forgotten; that lists are only appended to is obliged",
    "runs/grown_lists.py: grown_in": "what is forgotten; that lists are only appended to is obliged",
    "runs/lemma_calls.py: call_on_d": "names of calls",
    "stages/pairs_of_runs.py: _align_first": "calls that are refused",
    "symbolic_trial.py: SymbolicTrial.advance": "reading order: the next loop of a program",
    "symbolic_trial.py: SymbolicTrial.has_one_loop": "what is not covered with several loops",
    "words/outputs_read.py: _after_the_loop": "words",
    "words/outputs_read.py: _forms": "words",
    "words/outputs_read.py: _name_of_output": "words",
    "words/outputs_read.py: _put_out": "words",
    "words/outputs_read.py: _tests": "words",
    "words/reasons.py: _distributions": "words",
    "words/reasons.py: _lengths_read": "words",
    "words/reasons.py: _limits": "words",
    "words/reasons.py: _noise_used": "words",
    "words/reasons.py: _termination": "words",
    "words/reasons.py: _valid_noise": "words",
    "words/rewrites.py: _added_up": "words",
    "words/rewrites.py: _stored": "words",
    "words/rewrites.py: _ways_to_loops": "words",
    "words/rewrites.py: _where_it_stands": "words",
    "words/rewrites.py: output_unread": "words",
    "words/rewrites.py: running_extremes": "words",
}


def nodes() -> Iterator[tuple[str, ast.AST]]:
    """All nodes of the prover's own text, each with the file and the function that it stands in."""
    for path in sorted(PROVING.rglob("*.py")):
        file = path.relative_to(PROVING).as_posix()

        def within(node: ast.AST, around: tuple[str, ...], file: str = file) -> Iterator[tuple[str, ast.AST]]:
            for child in ast.iter_child_nodes(node):
                named = isinstance(child, ast.FunctionDef | ast.ClassDef)
                inner = (*around, child.name) if named and len(around) < 2 else around
                yield f"{file}: {'.'.join(around)}", child
                yield from within(child, inner)

        yield from within(ast.parse(path.read_text(encoding="utf-8")), ())


def test_every_generator_of_facts_is_on_the_list():
    found: dict[str, set[str]] = {}
    for where, node in nodes():
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("assume", "universal"):
            if where.endswith("Foreseen.iterations_run") or ast.unparse(node.func).endswith("foreseen.assume"):
                continue  # goes through Foreseen, which obliges it at the end of every run
            attributes = [inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute)]
            named = {inner.attr for inner in attributes if getattr(inner.value, "id", "") == "FactOrigin"}
            found.setdefault(where, set()).update(named or {AS_GIVEN})
    assert found == GENERATORS


# The classes of statements and expressions, and what looks at a program's text on behalf of others.
CLASSES = [value for value in vars(program).values() if isinstance(value, type)]
NODES = {value.__name__ for value in CLASSES if value.__module__ == program.__name__}
LOOKS = {
    "walk", "assigned", "called_mechanisms", "read_by_scales", "not_online", "chosen_along", "call_keys", "is_nested",
}  # fmt: skip
# What was inferred from the text.
INFERRED = {"at_loop", "output", "draws"}


def looks_at_text(node: ast.AST) -> bool:
    """Whether an expression asks which statement or expression of a program something is, or what was inferred."""
    if isinstance(node, ast.Call):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        of_class = called == "isinstance" and len(node.args) == 2
        return called in LOOKS or (of_class and bool(NODES & {getattr(n, "id", "") for n in ast.walk(node.args[1])}))
    if isinstance(node, ast.match_case):
        return bool(NODES & {getattr(n, "id", "") for n in ast.walk(node.pattern)})
    if isinstance(node, ast.Attribute) and node.attr in INFERRED:
        return {"at_loop": "kinds", "output": "kinds", "draws": "mechanism"}[node.attr] in ast.unparse(node.value)
    return False


def test_every_look_at_a_programs_text_is_on_the_list():
    assert {where for where, node in nodes() if looks_at_text(node)} == set(WALKS)


LEAK = """
@mechanism
def tail(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield e + (1000000 if x == 123456789 else 0)

@mechanism
def leak(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        d = noise.laplace(1 / eps)
        yield BELOW
    yield from tail(q[0], eps, noise)

@alignment(leak, epsilon="0")
def phi(q, q_, omega, H):
    return H.shift()
"""


@pytest.mark.parametrize("told", [0, 2, None], ids=["a false record", "another false record", "a true record"])
@pytest.mark.parametrize("asked", [True, False], ids=["paths are asked", "paths are not asked"])
def test_each_of_three_nets_catches_a_false_fact(told, asked, tmp_path, monkeypatch, prover_alone):
    """Records of runs say what follows a loop; the ends of runs oblige it; and every path is asked to be possible."""
    if told is not None:
        record = partial(replace, after=told)
        monkeypatch.setattr(planning, "_with_outputs_after", lambda exploration, plan, *given: record(plan))
    if not asked:
        monkeypatch.setattr(kernel, "_impossible", lambda *given: [])
    assert not prover_alone(define_in(tmp_path, LEAK).phi).complete


# Where facts are made that are assumed of every program, with the property tests that hold them against Python.
SCHEMA_TESTS = {
    "conditions/one_to_one/by_pieces.py: log_facts": (
        "tests/proving/test_log_facts.py::test_sums_of_logarithms_have_the_signs_of_products",
    ),
    "conditions/vector_costs.py: _as_often_as_the_dearest": (
        "tests/proving/test_schemas.py::test_shifts_of_which_nothing_is_known_cost_at_most_their_bound",
    ),
    "conditions/vector_costs.py: _by_item": (
        "tests/proving/test_schemas.py::test_shifts_of_which_nothing_is_known_cost_at_most_their_bound",
        "tests/proving/test_schemas.py::test_a_condition_of_a_length_holds_or_does_not",
    ),
    "conditions/vector_costs.py: _over_selected": (
        "tests/proving/test_selection_facts.py::test_the_sum_over_what_was_selected_is_a_bound",
    ),
    "facts/hypotheses.py: Caches.adjacency": (
        "tests/proving/test_spent_change.py::test_what_is_known_holds_of_every_adjacent_pair",
    ),
    "facts/known_sums.py: facts_of_sums": (
        "tests/proving/test_spent_change.py::test_what_is_known_holds_of_every_adjacent_pair",
        "tests/proving/test_schemas.py::test_running_sums_of_public_items_grow_as_pythons_do",
    ),
    "facts/known_sums.py: facts_of_answers": (
        "tests/proving/test_spent_change.py::test_what_is_known_holds_of_every_adjacent_pair",
    ),
    "facts/known_sums.py: facts_of_lists": (
        "tests/proving/test_spent_change.py::test_what_is_known_holds_of_every_adjacent_pair",
    ),
    "loops/head.py: LoopHead.changed_by": (
        "tests/proving/test_spent_change.py::test_what_loops_know_of_the_change_holds_at_every_iteration",
    ),
    "loops/head.py: LoopHead.forget": (
        "tests/proving/test_spent_change.py::test_what_loops_know_of_the_change_holds_at_every_iteration",
        "tests/proving/test_schemas.py::test_a_condition_of_a_length_holds_or_does_not",
    ),
    "runs/alignment_run.py: AligningContext.quantified": (
        "tests/proving/test_schemas.py::test_any_and_all_are_pythons",
    ),
    "runs/lemma_calls.py: value_of_kind": (
        "tests/proving/test_kinds_of_calls.py::test_a_value_of_a_kind_may_be_each_value_that_shows_it",
    ),
    "runs/run_on_d.py: RunContext._chosen": (
        "tests/proving/test_null_sets.py::test_every_outcome_of_a_choice_that_has_a_weight_is_on_one_path",
    ),
    "runs/run_on_d.py: RunContext.spread": (
        "tests/proving/test_null_sets.py::test_a_number_that_equals_no_fixed_one_is_moved_by_a_coordinate",
        "tests/proving/test_null_sets.py::test_noise_with_atoms_may_tie_and_equal_a_fixed_number",
    ),
    "vectors/selections.py: agree": (
        "tests/proving/test_schemas.py::test_runs_with_equal_outputs_agree_on_the_positions_that_these_list",
        "tests/proving/test_selection_facts.py::test_what_is_assumed_of_a_selection_is_true_of_every_run",
    ),
    "vectors/selections.py: rank_values": (
        "tests/proving/test_selection_facts.py::test_what_is_assumed_of_a_selection_is_true_of_every_run",
    ),
    "vectors/selections.py: select_extremum": (
        "tests/proving/test_schemas.py::test_an_extremum_is_pythons",
        "tests/proving/test_schemas.py::test_any_and_all_on_a_run_are_pythons",
    ),
    "vectors/selections.py: select_largest": (
        "tests/proving/test_schemas.py::test_the_k_largest_are_those_of_a_stable_sort",
    ),
    "vectors/summing.py: total_of": ("tests/proving/test_schemas.py::test_sums_are_pythons",),
    "vectors/ties.py: tie_negligible": (
        "tests/proving/test_null_sets.py::test_ties_left_out_of_account_are_solved_by_one_value_of_a_coordinate",
        "tests/proving/test_null_sets.py::test_noise_with_atoms_may_tie_and_equal_a_fixed_number",
    ),
    "../symbolic/z3_encoder.py: Encoder.question": (
        "tests/symbolic/test_special_functions.py::test_what_is_said_of_functions_leaves_their_values_possible",
        "tests/symbolic/test_solver.py::test_the_encoded_formula_has_the_value_of_the_condition",
    ),
    "../symbolic/z3_encoder.py: related_remainders": (
        "tests/symbolic/test_remainders.py::test_what_is_said_of_remainders_holds_of_pythons",
    ),
}


def functions_of(path: Path) -> set[str]:
    """The functions of a file, and the methods of its classes after the names of these."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        inside = node.body if isinstance(node, ast.ClassDef) else []
        found |= {f"{node.name}.{method.name}" for method in inside if isinstance(method, ast.FunctionDef)}
        found |= {node.name} if isinstance(node, ast.FunctionDef) else set()
    return found


def test_every_schema_has_a_property_test():
    root = Path(__file__).parents[2]
    assumed = {where for where, origins in GENERATORS.items() if origins & {"SCHEMA", "NULL_SET"}}
    assert assumed <= SCHEMA_TESTS.keys()
    for where, tests in SCHEMA_TESTS.items():
        file, _, function = where.partition(": ")
        assert function in functions_of(PROVING / file), where
        for file, _, test in (each.partition("::") for each in tests):
            assert test in functions_of(root / file), test
