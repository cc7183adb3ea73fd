"""Facts: what is known on a path, where it was established, and what of it matters to a question.

Ground facts are assumed on the path, universal ones hold at every index and are instantiated where they matter. Start
in ``path_facts``; ``hypotheses`` is what a question is given of it, ``universals`` how; what was asked while paths
are run is remembered. Nothing here knows of obligations, runs or solvers.
"""
