"""The proof of an alignment for every n: from both runs to obligations, which a solver decides one by one.

Start reading in ``kernel``. A proof takes three steps. ``planning`` tries invariants and ways to be one-to-one; it asks
the solver, but no verdict rests on the answers, and ``proof`` hands its plan to the kernel. ``gathering`` lists every
obligation of the plan, and decides nothing. ``deciding`` puts the obligations to a solver. Nothing counts as proved
that is not an obligation which was decided. The ``words`` of reports decide nothing either.

Obligations come from the paths of ``stages``, which ``planned_runs`` has run under the plan: D, the alignment and D′
(``symbolic_trial``, ``runs``), with the ``conditions`` asked on the way. What is particular to loops
and to vectors is in ``loops`` and ``vectors``. What is known on a path are its ``facts``, and what is owed its
``obligation``. The layers are in pyproject.toml.

Facts come from what runs do, never from the program's text. What looks at the text gives a reading order, candidates,
words or a refusal, or what it says is obliged of every run; ``tests/soundness/test_origins_of_facts.py`` lists each
place that looks, with what it decides, and each that makes a fact.

May import ``symbolic``, ``running`` and what lies below them; nothing here searches for counterexamples, attacks or
prints.
"""
