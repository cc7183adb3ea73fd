"""Documents as Markdown, as HTML and as LaTeX.

A small document: headings, paragraphs, lists, code and definitions by cases, whatever they are written as.

In plain text a formula stands between backticks.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace

from alignkit.explaining.tracing import TracedPair


@dataclass(frozen=True)
class Heading:
    """The title of a document (level 1) or of a part (level 2)."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; ``lead`` is what it begins with, in bold."""

    text: str
    lead: str = ""


@dataclass(frozen=True)
class BulletList:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Code:
    """Lines that keep their blanks."""

    text: str
    language: str = ""


@dataclass(frozen=True)
class CasesFormula:
    """``left`` is ``before`` and one of the cases, each a value and the condition under which it is taken.

    ``over`` says for which indices; empty where there is none.
    """

    left: str
    before: str
    cases: tuple[tuple[str, str], ...]
    over: str = ""


Block = Heading | Paragraph | BulletList | Code | CasesFormula


@dataclass(frozen=True)
class Document:
    """Blocks in the order of reading."""

    blocks: tuple[Block, ...]


_STYLE = """\
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 Georgia, serif;
  color: #222; background: #fff; }
pre, code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.6rem 0.8rem; background: #f4f4f4; }
table.cases { border-collapse: collapse; display: inline-table; vertical-align: middle; border-left: 2px solid; }
table.cases td { padding: 0 0.8rem; }
table.runs td, table.runs th { padding: 0.1rem 0.8rem; text-align: right; white-space: pre; }
table.runs td:first-child, table.runs th:first-child { text-align: left; }
tr.parts { background: #ffe08a; color: #222; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818; } pre { background: #262626; } }
"""

PARTS = ' class="parts"'


def markdown(document: Document) -> str:
    """Write a document as Markdown."""
    return "\n\n".join(map(_markdown, document.blocks)) + "\n"


def html_page(document: Document) -> str:
    """Write a document as a page of HTML that needs no other file."""
    return _page(_title(document).replace("`", ""), html_blocks(document))


def html_blocks(document: Document, *, below: int = 0) -> str:
    """Write a document as HTML to be put into a page; its headings are moved ``below`` by so many levels."""
    moved = (replace(b, level=b.level + below) if isinstance(b, Heading) else b for b in document.blocks)
    return "\n".join(map(_html, moved))


def _page(title: str, body: str) -> str:
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title><style>\n{_STYLE}</style>"
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n<main>\n{body}\n</main>\n</body></html>\n'


def html_trace(pair: TracedPair) -> str:
    """Write two runs side by side as a page of HTML that needs no other file."""
    rows = "\n".join(
        f"<tr{PARTS if mark else ''}><td><code>{html.escape(code)}</code></td>"
        f"<td>{html.escape(one)}</td><td>{html.escape(other)}</td><td>{html.escape(mark)}</td></tr>"
        for code, one, other, mark in pair.rows()
    )
    within = f"<p>{html.escape(pair.within)}</p>\n" if pair.limits else ""
    body = (
        f'<h1>{html.escape(pair.heading)}</h1>\n<p>{html.escape(pair.inputs)}</p>\n{within}<table class="runs">\n'
        f"<tr><th>line</th><th>D on H</th><th>D′ on H′</th><th></th></tr>\n{rows}\n</table>\n"
        f"<p>D: {html.escape(pair.ended)}; D′: {html.escape(pair.ended_)}</p>\n<p>{html.escape(pair.conclusion)}</p>"
    )
    return _page(pair.heading, body)


def latex(document: Document) -> str:
    """Write a document as an article that pdflatex takes."""
    body = "\n\n".join(map(_latex, document.blocks))
    return (
        "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
        "\\usepackage{amsmath,amssymb}\n\\usepackage[margin=2.5cm]{geometry}\n\\setlength{\\parindent}{0pt}\n"
        f"\\setlength{{\\parskip}}{{0.6em}}\n\\sloppy\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )


def _title(document: Document) -> str:
    return next((block.text for block in document.blocks if isinstance(block, Heading)), "")


def _pieces(text: str) -> list[tuple[str, bool]]:
    """The parts of a text, each with whether it is a formula."""
    return [(piece, bool(number % 2)) for number, piece in enumerate(text.split("`")) if piece]


def _markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_escaped(text)}"
        case Paragraph(text, lead):
            return f"**{_escaped(lead)}** {_escaped(text)}" if lead else _escaped(text)
        case BulletList(items):
            return "\n".join(f"* {_escaped(item)}" for item in items)
        case Code(text, language):
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
            return f"{fence}{language}\n{text}\n{fence}"
        case CasesFormula():
            return f"```\n{cases_text(block)}\n```"


def terminal_text(document: Document) -> str:
    """Write a document for a terminal of 80 columns: sentences are broken at blanks, programs and formulas are not."""
    return "\n\n".join(map(_text, document.blocks)) + "\n"


def _text(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{_broken(text)}\n{('=' if level == 1 else '-') * min(len(text), _COLUMNS)}"
        case Paragraph(text, lead):
            return _broken(f"{lead} {text}" if lead else text)
        case BulletList(items):
            return "\n".join(_broken(f"* {item}", "  ") for item in items)
        case Code(text, language):  # what is in a language may be pasted
            return text if language else "\n".join(map(_broken_deeper, text.splitlines()))
        case CasesFormula():
            return cases_text(block)


def _broken_deeper(line: str) -> str:
    return _broken(line, " " * (len(line) - len(line.lstrip()) + 8))


# The width of a terminal that explanations are written for.
_COLUMNS = 80


def _broken(text: str, indent: str = "") -> str:
    return textwrap.fill(text, _COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def cases_text(formula: CasesFormula) -> str:
    """A definition by cases as lines of text."""
    start = f"{formula.left} = {formula.before}"
    over = f"    for {formula.over}" if formula.over else ""
    if len(formula.cases) == 1:
        return f"{start}{formula.cases[0][0]}{over}"
    width = max(len(value) for value, _ in formula.cases)
    rows = [f"{value:<{width}}   {where}".rstrip() for value, where in formula.cases]
    signs = ["⎧", *"⎨" * (len(rows) - 2), "⎩"]
    blank = " " * len(start)
    lines = [f"{start if not n else blank}{sign} {row}" for n, (sign, row) in enumerate(zip(signs, rows, strict=True))]
    return "\n".join([lines[0], *lines[1:-1], f"{lines[-1]}{over}"])


def _escaped(text: str) -> str:
    return "".join(
        f"`{piece}`" if formula else re.sub(r"([\\*<>#\[\]]|(?<!\w)_|_(?!\w))", r"\\\1", piece)
        for piece, formula in _pieces(text)
    )


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{_marked(text)}</h{level}>"
        case Paragraph(text, lead):
            return f"<p>{f'<b>{_marked(lead)}</b> ' if lead else ''}{_marked(text)}</p>"
        case BulletList(items):
            return "<ul>\n" + "\n".join(f"<li>{_marked(item)}</li>" for item in items) + "\n</ul>"
        case Code(text):
            return f'<pre tabindex="0">{html.escape(text)}</pre>'
        case CasesFormula(left, before, cases, over):
            start = f"<code>{html.escape(f'{left} = {before}')}</code>"
            end = f" for <code>{html.escape(over)}</code>" if over else ""
            if len(cases) == 1:
                return f"<p>{start}<code>{html.escape(cases[0][0])}</code>{end}</p>"
            rows = "".join(
                f"<tr><td><code>{html.escape(value)}</code></td><td>{html.escape(where)}</td></tr>"
                for value, where in cases
            )
            return f'<p>{start} <table class="cases">{rows}</table>{end}</p>'.replace("<p>", "<div>").replace(
                "</p>", "</div>"
            )


def _marked(text: str) -> str:
    return "".join(
        f"<code>{html.escape(piece)}</code>" if formula else html.escape(piece) for piece, formula in _pieces(text)
    )


# Signs that LaTeX does not take as they are.
_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "^": r"\^{}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "~": r"\~{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}", "|": r"\ensuremath{|}",
    "≤": r"\ensuremath{\le}", "≥": r"\ensuremath{\ge}", "≠": r"\ensuremath{\ne}", "′": r"\ensuremath{'}",
    "·": r"\ensuremath{\cdot}", "←": r"\ensuremath{\gets}", "φ": r"\ensuremath{\varphi}", "∎": r"\ensuremath{\square}",
    "…": r"\ldots{}",
}  # fmt: skip

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "ς": "varsigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma",
    "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi",
    "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_LATEX |= {letter: rf"\ensuremath{{\{name}}}" for letter, name in _GREEK.items()}


def _latex(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"\\{'section' if level == 1 else 'subsection'}*{{{_in_latex(text)}}}"
        case Paragraph(text, lead):
            return f"\\textbf{{{_in_latex(lead)}}} {_in_latex(text)}" if lead else _in_latex(text)
        case BulletList(items):
            return "\\begin{itemize}\n" + "\n".join(f"\\item {_in_latex(item)}" for item in items) + "\n\\end{itemize}"
        case Code(text):
            lines = (_signs(line).replace(" ", "~") for line in text.splitlines())
            return "{\\ttfamily\\small\\noindent\n" + "\\\\\n".join(line or "~" for line in lines) + "\\par}"
        case CasesFormula(left, before, cases, over):
            rows = r" \\ ".join(f"{_typed(value)} & \\text{{{_in_latex(where)}}}" for value, where in cases)
            value = _typed(cases[0][0]) if len(cases) == 1 else f"\\begin{{cases}} {rows} \\end{{cases}}"
            for_ = f"\\quad\\text{{for {_in_latex(f'`{over}`')}}}" if over else ""
            return f"\\[ {_typed(f'{left} = {before}')} {value} {for_} \\]"


def _typed(text: str) -> str:
    return f"\\text{{\\ttfamily {_signs(text)}}}"


def _in_latex(text: str) -> str:
    return "".join(f"{{\\ttfamily {_signs(piece)}}}" if formula else _signs(piece) for piece, formula in _pieces(text))


def _signs(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)


WRITERS: dict[str, Callable[[Document], str]] = {
    "text": terminal_text,
    "markdown": markdown,
    "html": html_page,
    "latex": latex,
}
