"""The alignments, claims and expected verdicts of the catalogue; installed as `alignkit.proofs`."""
