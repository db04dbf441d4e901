"""JSON documents of `run`, `build`, sanitizer runs and promises: dicts, text, files; for programs see `programs`.

Every document has a `schema_version`.  JSON knows no NaN and no infinity: they
are written as the strings "NaN", "Infinity" and "-Infinity".
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import EnvironmentFault
from harness.model.launch_plan import LaunchPlan
from harness.model.report import BuildReport, CaseReport, ClaimReport, RunReport
from harness.model.whole_file import replace_file
from harness.report import profile
from harness.report.findings import make_renderer
from harness.simt.plain import plain
from harness.simt.render import Renderer

if TYPE_CHECKING:
    from harness.backends.compute_sanitizer.run import Examined

__all__ = ["SCHEMA_VERSION", "built", "claims", "examined", "run", "text", "write", "write_plain"]

SCHEMA_VERSION = 2


def text(document: Mapping[str, Any], *, ascii_only: bool = True) -> str:
    """Return a document as indented JSON, with its schema version first.

    Args:
        ascii_only: Whether all else is escaped, for where the encoding is not ours to choose.
    """
    return _text({"schema_version": SCHEMA_VERSION, **document}, ascii_only=ascii_only)


def _text(document: Mapping[str, Any], *, ascii_only: bool) -> str:
    return json.dumps(plain(document), indent=2, ensure_ascii=ascii_only, allow_nan=False)


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document to a file, in UTF-8, with its schema version.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    write_plain(path, {"schema_version": SCHEMA_VERSION, **document})


def write_plain(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document of somebody else's schema as it is.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    try:
        # Halves of surrogate pairs, from names of files, stay the escapes that JSON has for them.
        replace_file(path, (_text(document, ascii_only=False) + "\n").encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise EnvironmentFault(f"cannot write the report to {path}: {error.strerror}.") from error


def run(report: RunReport) -> dict[str, Any]:
    """Return the document of `run`: target, backend, device, environment, exit code, and a list `cases`.

    Each case has its verdict, launches, data sets, findings, counters, claims (promises) and profiles.
    """
    show = make_renderer(report.sources)
    return {
        "target": report.plan.target.name,
        "backend": report.plan.backend,
        "device": report.plan.device,
        "why": report.plan.why,
        "kernels": report.kernels,
        "environment": dict(report.environment),
        "exit_code": report.exit_code,
        "cases": [
            _case(case, show) | {"profiles": profile.as_dict(report.profiles.get(case.case, ()))}
            for case in report.cases
        ],
    }


def built(reports: tuple[BuildReport, ...]) -> dict[str, Any]:
    """Return the document of `build`."""
    return {"builds": [asdict(report) for report in reports]}


def examined(examinations: Sequence[Examined], plan: LaunchPlan) -> dict[str, Any]:
    """Return the document of `run --sanitize`: target, device, exit code, and a list `examined` by tool and case.

    EnvironmentFault if all cases were skipped or there are none.
    """
    from harness.backends.compute_sanitizer.run import compute_exit_code

    return {
        "target": plan.target.name,
        "device": plan.device,
        "exit_code": compute_exit_code(examinations),
        "examined": [asdict(examination) for examination in examinations],
    }


def claims(reports: Sequence[CaseReport]) -> dict[str, Any]:
    """Return a document with a list `cases`; each has its verdict and `claims`, its promises.

    A claim says what was `promised` and `measured`, and whether it `holds`: None if it cannot be measured.
    """
    show = make_renderer()
    return {
        "cases": [
            {
                "case": report.case,
                "target": report.target,
                "verdict": report.verdict,
                "reason": report.reason,
                "claims": [_claim(claim, show) for claim in report.claims],
            }
            for report in reports
        ],
    }


def _case(case: CaseReport, show: Renderer) -> dict[str, Any]:
    return {
        "case": case.case,
        "target": case.target,
        "backend": case.backend,
        "device": case.device,
        "verdict": case.verdict,
        "reason": case.reason,
        "resized": asdict(case.resized) if case.resized else None,
        "launches": [asdict(launch) for launch in case.launches],
        "datasets": [
            {
                "name": dataset.name,
                "verdict": dataset.verdict,
                "reason": dataset.reason,
                "run_seconds": dataset.run_seconds,
                "orders": {"ran": dataset.orders, "why_no_more": dataset.why_no_more} if dataset.orders else None,
                "findings": [show.record(finding) for finding in dataset.findings],
            }
            for dataset in case.datasets
        ],
        "build_seconds": case.build_seconds,
        "run_seconds": case.run_seconds,
        "findings": [show.record(finding) for finding in case.findings],
        "counters": case.counters,
        "claims": [_claim(claim, show) for claim in case.claims],
    }


def _claim(claim: ClaimReport, show: Renderer) -> dict[str, Any]:
    record = show.record(claim.unkept) if claim.unkept else None
    return {
        "sentence": claim.sentence,
        "promised": claim.promised,
        "measured": claim.measured,
        "holds": claim.holds if claim.is_known else None,
        "unkept": record,
    }
