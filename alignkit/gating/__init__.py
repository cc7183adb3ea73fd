"""What a project accepts: a policy on verdicts, and a committed table of them that later runs are compared with.

Start reading in ``policy``, which holds what ``[tool.alignkit.policy]`` may say; ``breaches`` says what an alignment
breaks of it, and how it differs from a baseline. ``baseline`` is the table and its file, ``baseline_changes`` compares
an alignment with its entry. ``project_settings`` reads the settings of a project, its policy among them, from
pyproject.toml. Nothing here changes a verdict. The room is for the command line and for plugins of test runners
alike; it may import checks and what lies below them.
"""
