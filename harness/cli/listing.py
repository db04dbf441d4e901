"""`list`: the catalogue, for people or as JSON."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from harness.catalogue import KNOWN
from harness.model.case import Case
from harness.model.target import DEFAULT_ARCHITECTURES, Target
from harness.report import console, json_report

__all__ = ["facts", "show"]


def show(arguments: Namespace) -> int:
    """Prints every case."""
    rows = [facts(case) for case in KNOWN]
    if arguments.json:
        print(json_report.text({"cases": rows}))
    else:
        console.listing(rows)
    return 0


def facts(case: Case) -> dict[str, Any]:
    """What the catalogue says of a case, by vendor where it depends on one."""
    targets = [Target.parse(vendor) for vendor in DEFAULT_ARCHITECTURES]
    return {
        "case": case.id,
        "title": case.title,
        "kernels": case.kernels,
        "launches": [str(launch) for launch in case.launches(32)],
        "data_sets": len(case.instance(32).datasets),
        "vendors": [target.vendor for target in targets if case.refusal(target) is None],
        "needs": [need.reason for need in case.needs],
        "command": _command(case),
        "remark": "" if case.documented else "full size; run it by name",
    }


def _command(case: Case) -> str:
    if not case.documented:  # no puzzle to solve
        return f"puzzles run {case.id}"
    return f"puzzles {case.puzzle}" + (f" --{case.mode}" if case.mode else "")
