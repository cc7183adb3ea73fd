"""The language: a subset of Python, read from a function's source into a typed program, with errors that point.

This room imports from ``noise`` and below; what a program does when it is run is not known here. Start reading in
``reader``, which reads a function, and ``program``, which holds what it reads.
"""
