"""The cache of verdicts: what was proved or refuted once is not searched for again.

Start reading in ``verdict_cache``, which also says when two alignments mean the same, and holds an entry as JSON;
``opening`` says by what a verdict was reached. Files are in a folder that only its owner can write (``folders``). A
refutation from the cache is replayed; a proof is believed. Only the command line and the
pytest plugin use the room, which may import ``checking`` and what is below it.
"""
