"""What is worth trying to prove a loop by: invariants, and counters and rates of bounds on its cost. Not trusted.

Start in ``invariants_to_try``; ``running_totals`` and ``marked_iterations`` propose further invariants, and
``counters_of_change`` what a cost may be counted against. All of it is data, formulas and terms over placeholders,
which the kernel obliges. Called by ``plans_to_try`` and ``bounds_to_try``; the kernel imports nothing from here.
"""
