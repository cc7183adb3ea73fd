"""The plugin of pytest: each alignment of a proof file is a test, which passes where its verdict is the expected one.

Start reading in ``hooks``, which pytest loads whenever it starts, and which therefore imports pytest and the standard
library only. ``project`` has the settings of the project, ``proof_files`` the tests that are collected, and
``requiring`` the check that they and the fixture share. The room may import everything but the command line; the texts
of reports are those of ``reporting``.
"""
