"""Written proofs for people, made from the obligations that were decided; start reading in ``explanation``.

It checks an alignment anew and writes what was shown: a proof only where every obligation holds, otherwise
where the argument breaks or what is missing. A document is written as Markdown or HTML by ``writers``. The room may
import everything but the command line, the catalogue, releases, caches and policies.
"""

from alignkit.explaining.explanation import Explanation, explain, explanation_of
from alignkit.explaining.tracing import TracedPair, trace, trace_of
from alignkit.explaining.writers import WRITERS, Document, html_trace

__all__ = [
    "WRITERS",
    "Document",
    "Explanation",
    "TracedPair",
    "explain",
    "explanation_of",
    "html_trace",
    "trace",
    "trace_of",
]
