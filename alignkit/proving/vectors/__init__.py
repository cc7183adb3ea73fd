"""Vectors of symbolic length: what is selected from them, how they are ordered, and when ties do not matter.

A selection is named by new indices, an order by two arrays; that they are right is said by facts. Start in
``selections``, the symbolic run that selects. May import facts, obligations and the symbolic context, no run or
condition.
"""
