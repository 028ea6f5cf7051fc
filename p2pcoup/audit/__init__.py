"""Check a finished game from its transcript alone, with no secrets (SPEC 8.12)."""

from p2pcoup.audit.audit import Report, Verdict, audit, audit_file, match_flaw
from p2pcoup.audit.evidence import (
    EvidenceError,
    Finding,
    make_evidence,
    verify_evidence,
    verify_evidence_file,
)

__all__ = [
    "EvidenceError",
    "Finding",
    "Report",
    "Verdict",
    "audit",
    "audit_file",
    "make_evidence",
    "match_flaw",
    "verify_evidence",
    "verify_evidence_file",
]
