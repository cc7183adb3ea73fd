"""Reports: results as text, HTML, JSON and in the formats of CI systems. They print what is known, and decide nothing.

Start reading in ``full_report``, which has one result in full, and ``sentences``, which all reports take their wording
from. ``terminal`` prints the results of a run with their table, ``gate_report`` what a policy and a baseline
say of them, and ``json_documents`` the contract with other programs. ``problems_for_ci`` lists what the formats for CI
systems tell. The room may import results and what runs mechanisms.
"""

from alignkit.reporting.full_report import plain_text
from alignkit.reporting.html_report import result_html
from alignkit.results import Views

__all__ = ["FULL_REPORT"]

# What `check` gives each result, so that it prints in full.
FULL_REPORT = Views(plain_text, result_html)
