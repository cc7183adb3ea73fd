"""The conditions of the proof, one file each: what each asks of a path, as obligations."""
