"""Functions of public repositories, held against mechanisms: `docs/code_that_runs_results.md` has what came of it.

`sources` says what is fetched, the three files of `cases_…` say how each function is called and what is expected,
`run` runs the cases, and `page` writes the page.
"""
