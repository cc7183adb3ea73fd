"""Terms and formulas, the exploration of paths, and the questions that are put to z3 and to cvc5.

A term is a sum of monomials over atoms, a formula an ``and`` and ``or`` of comparisons of terms with 0. Whatever is
computed of them from the bottom up (a value, a substitution, a derivative, z3's own expressions) is a subclass of
``traversal.Traversal``; what is merely mentioned in them is read off ``trees.SymbolicTree``.

This room imports from ``interpreting`` and below. Start reading in ``trees``, ``terms`` and ``formulas``; ``solver``
says what may be asked, and ``voting`` how cvc5 is asked again what z3 called valid.
"""
