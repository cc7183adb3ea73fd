"""The stages of a proof: functions that run one path of a trial each, and read from top to bottom.

``single_runs`` holds whole runs and the stages of a loop, ``pairs_of_runs`` those that compare two runs. A stage calls
the conditions; it decides nothing. May import loops and symbolic trials, and what these may import.
"""
