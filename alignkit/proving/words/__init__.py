"""What a report says of a proof: how a condition was proved, why it is not proved, and what to write instead.

Start reading in ``reasons``. No status depends on anything here: ``kernel`` asks for words, and does not read them.
``rewrites`` says what to write instead of what is not covered; there a proof's symbols get the names that the program
has for them. ``outputs_read`` holds what an alignment asks of outputs against what its mechanism puts out.
"""
