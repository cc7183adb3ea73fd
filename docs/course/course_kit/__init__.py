"""What the notebooks of the course share: blanks to fill in, feedback on an answer, and hints in steps."""

from course_kit.blanks import TODO, Unread, alignment, mechanism
from course_kit.feedback import Feedback, Status
from course_kit.hints import hints
from course_kit.judging import judge, judge_run, no_failing_run, not_the_step, show, show_opinions

__all__ = [
    "TODO",
    "Feedback",
    "Status",
    "Unread",
    "alignment",
    "hints",
    "judge",
    "judge_run",
    "mechanism",
    "no_failing_run",
    "not_the_step",
    "show",
    "show_opinions",
]
