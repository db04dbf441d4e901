"""Decide whether a finding is the kernel's fault; ids of missed-barrier findings, the mark of consequential ones."""

from __future__ import annotations

from harness.simt.findings import Finding

__all__ = ["FOLLOWS", "MISSED", "is_fault"]

MISSED = ("missed-barrier", "divergent-barrier", "cluster-protocol", "deadlock")  # threads do not come to a barrier
FOLLOWS = "follows"  # in the values of a finding whose cause is another one of its report
_OF_THE_RUN = ("check", "frame", "run", "case", "promise", "graph")


def is_fault(finding: Finding) -> bool:
    """Return whether a finding is something that the kernel did and must not."""
    return finding.severity != "information" and finding.kind not in _OF_THE_RUN
