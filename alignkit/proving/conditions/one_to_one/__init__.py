"""One-to-one: by an order of the noise, or else by pieces and by pairs of runs (see docs/theory/proof-for-all-n.md).

Start in ``by_order``, which covers most alignments. ``by_pieces`` obliges a known determinant on every piece, and
pairs of runs (``pairs_of_runs``) that no two noise vectors with one output have one image.
"""
