"""The conditions of the proof: what each of them asks of a path, as obligations.

The files are ``noise_used``, ``valid_noise``, ``same_outputs``, ``one_to_one/``, ``costs`` (of single draws; of vectors
``vector_costs``, candidates for rates ``cost_rates``) and ``countable``; ``vector_shifts`` asks all that concerns the
shifts of a vector. Termination is obliged where a run requires to be defined, and the distributions are proved in the
tests of noise/. Called by the stages; what every stage asks of single draws stands in ``symbolic_trial``, of vectors in
``vector_shifts``. May import runs, vectors, facts and obligations.
"""
