"""The language: a subset of Python, read from a function's source into a typed program, with errors that point.

Start reading in ``reader``, which reads a function, and ``program``, which holds what it reads.
"""
