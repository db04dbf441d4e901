"""Reports as JSON, for programs.

Every document has a `schema_version`.  JSON knows no NaN and no infinity: they
are written as the strings "NaN", "Infinity" and "-Infinity".
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness.compute_sanitizer.run import Examined, verdict
from harness.errors import EnvironmentFault
from harness.model.report import BuildReport, CaseReport, Plan, RunReport

__all__ = ["SCHEMA_VERSION", "built", "examined", "run", "text", "write"]

SCHEMA_VERSION = 1


def text(document: Mapping[str, Any]) -> str:
    """A document as indented JSON, with its schema version first."""
    whole = {"schema_version": SCHEMA_VERSION, **document}
    return json.dumps(_plain(whole), indent=2, ensure_ascii=False, allow_nan=False)


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Writes a document to a file.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    try:
        path.write_text(text(document) + "\n")
    except OSError as error:
        raise EnvironmentFault(f"cannot write the report to {path}: {error.strerror}.") from error


def run(report: RunReport) -> dict[str, Any]:
    """A run: its plan, its environment and every case."""
    return {
        "target": report.plan.target.name,
        "backend": report.plan.backend,
        "device": report.plan.device,
        "why": report.plan.why,
        "kernels": report.kernels,
        "environment": dict(report.environment),
        "exit_code": report.exit_code,
        "cases": [_case(case) for case in report.cases],
    }


def built(reports: tuple[BuildReport, ...]) -> dict[str, Any]:
    """What `build` did."""
    return {"builds": [asdict(report) for report in reports]}


def examined(examinations: Sequence[Examined], plan: Plan) -> dict[str, Any]:
    """What compute-sanitizer said."""
    return {
        "target": plan.target.name,
        "device": plan.device,
        "exit_code": verdict(examinations),
        "examined": [asdict(examination) for examination in examinations],
    }


def _case(case: CaseReport) -> dict[str, Any]:
    return {
        "case": case.case,
        "target": case.target,
        "backend": case.backend,
        "device": case.device,
        "verdict": case.verdict,
        "reason": case.reason,
        "launch": asdict(case.launch),
        "datasets": [asdict(dataset) for dataset in case.datasets],
        "build_seconds": case.build_seconds,
        "run_seconds": case.run_seconds,
        "findings": list(case.findings),
        "counters": dict(case.counters),
        "claims": list(case.claims),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    return value if isinstance(value, str | int | float | bool | None) else str(value)
