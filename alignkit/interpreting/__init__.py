"""What it takes to interpret a program of the alignkit language, whatever its numbers stand for.

Imports nothing of alignkit but errors, language and noise. Start reading in ``exploring``, which runs a program down
each of its paths.
"""
