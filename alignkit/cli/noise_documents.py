"""What ``alignkit find --noise --format json`` prints of a search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from alignkit.finding.scales.noise_findings import MendedMechanism, NoiseFindings


def noise_document(findings: NoiseFindings) -> dict[str, Any]:
    """One of ``found``."""
    return {
        "mechanism": findings.mechanism,
        "adjacency": findings.adjacency,
        "verdict": "undecided" if findings.proved is None else "proved",
        "claim": findings.claim,
        "changed": bool(findings.mended),
        "mended": [_mended_document(each) for each in findings.mended],
        "source": None if findings.proved is None else findings.proved.file_text,
        "reason": findings.reason,
        "notes": list(findings.notes),
        "runs": findings.runs,
        "seconds": round(findings.seconds, 3),
    }


def _mended_document(mended: MendedMechanism) -> dict[str, Any]:
    return {
        "scales": [{"name": scale.draw, "before": scale.before, "after": scale.after} for scale in mended.scales],
        "sum_of_variances": [
            {"parameters": dict(each.parameters), "before": each.before, "after": each.after}
            for each in mended.measured
        ],
        "common": mended.common,
        "source": mended.file_text,
    }
