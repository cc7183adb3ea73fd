"""The conditions of the proof: what each of them asks of a path, as obligations.

The files are ``noise_used``, ``valid_noise``, ``same_outputs``, ``one_to_one/``, ``cost``, which holds the whole cost
against the claim, and ``shifts``, which asks all that concerns a single shift and adds up the costs (those of a vector
by ``vector_costs``, with candidates for rates from ``cost_rates``; those of choices by ``finite_choices``). Termination
is obliged where a run requires to be defined; the bounds of distributions are proved in the tests of noise/. What
settles a condition without a solver is listed too: none is proved by an empty list. Called by the stages and by
``symbolic_trial``. May import runs, vectors, facts and obligations.
"""
