"""One-to-one: by an order of the noise, or else by pieces and by pairs of runs (see docs/theory/one-to-one.md)."""
