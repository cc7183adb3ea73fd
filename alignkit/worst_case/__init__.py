"""What a proved alignment costs at worst, and where: dear runs, expressions fitted to them, and the proof of one.

Start reading in ``cost_analysis``; ``claim_order`` says which of two claims is the smaller. Nothing here decides
whether an alignment is proved. May import ``refuting``, ``proving``, ``symbolic``, ``running`` and what lies below
them.
"""
