"""The evaluator: one reading of a program of the language, on exact numbers, on floats and on symbolic terms.

Start reading in ``evaluator``, which walks the program, and ``context``, which says what a draw, a condition or a
missing value means for one way of running: concrete runs in ``running``, symbolic ones in ``proving``. ``values``
holds what a program computes with beside Python's numbers; ``operations``, ``built_ins`` and ``comprehensions`` say
what the language's operators, functions and comprehensions do with it. ``exploring`` runs a program down each of its
paths.

May import ``language``, ``noise`` and what lies below them.
"""
