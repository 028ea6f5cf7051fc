"""Check a finished game from its transcript alone, with no secrets (SPEC 8.12)."""

from p2pcoup.audit.audit import Report, Verdict, audit, audit_file, match_flaw

__all__ = ["Report", "Verdict", "audit", "audit_file", "match_flaw"]
