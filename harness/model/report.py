"""Verdicts as records: of one data set, of one case, of a whole run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from harness.model import exit_code
from harness.model.case import Launch
from harness.model.target import Target

__all__ = [
    "BACKENDS",
    "LEVELS",
    "BuildReport",
    "CaseReport",
    "DatasetReport",
    "LearnerReport",
    "Plan",
    "RunReport",
    "Verdict",
]

# What can be asked for: `auto` is a choice, the others are backends.
BACKENDS = ("auto", "max", "simulator", "cpu")
# The levels of a compiled case: the graph's MLIR, the kernel's LLVM IR, its assembly.
LEVELS = ("mo", "llvm", "asm")

# REFERENCE: the op's sequential branch gave the documented result; no kernel ran.
Verdict = Literal[
    "PASS",
    "REFERENCE",
    "MISMATCH",
    "FINDING",
    "COMPILE_ERROR",
    "LAUNCH_ERROR",
    "TIMEOUT",
    "INCOMPLETE",
    "SKIPPED",
]


@dataclass(frozen=True, slots=True)
class Plan:
    """What will run on what.

    Attributes:
        target: What the kernels are compiled for.
        backend: `max`, `simulator` or `cpu`.
        device: For people.
        why: One clause that says why this backend was taken.
        gpus: The numbers of the GPUs that the cases are spread over; see `devices.Device.index`.
    """

    target: Target
    backend: str
    device: str
    why: str
    gpus: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """The verdict of one data set; `reason` is empty when it passed."""

    name: str
    verdict: Verdict
    reason: str = ""
    run_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """The verdict of one case on one target.

    Attributes:
        case: Its id.
        verdict: The first bad one of its data sets, else PASS or REFERENCE.
        reason: Empty when it passed.
        build_seconds: Spent on building its puzzle now; 0 when it was cached.
        run_seconds: Of all data sets.
    """

    case: str
    target: str
    backend: str
    device: str
    verdict: Verdict
    launch: Launch
    reason: str = ""
    datasets: tuple[DatasetReport, ...] = ()
    build_seconds: float = 0.0
    run_seconds: float = 0.0
    findings: tuple[Any, ...] = ()
    counters: Mapping[str, Any] = field(default_factory=dict)
    claims: tuple[Any, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether it ran and nothing was wrong."""
        return exit_code.right(self.verdict)

    @property
    def tally(self) -> str:
        """How many of its data sets passed, `5/6`; `-` where none ran."""
        passed = sum(dataset.verdict in ("PASS", "REFERENCE") for dataset in self.datasets)
        return f"{passed}/{len(self.datasets)}" if self.datasets else "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """A whole run.

    Attributes:
        kernels: Which Mojo files were run, for people.
        environment: Versions and devices, for the record.
    """

    plan: Plan
    kernels: str
    cases: tuple[CaseReport, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """0 only if something ran and nothing failed."""
        return exit_code.of_statuses(case.verdict for case in self.cases)


@dataclass(frozen=True, slots=True)
class LearnerReport:
    """A documented command: the lines that it prints, and whether it is solved."""

    lines: tuple[str, ...]
    passed: bool
    verdict: Verdict
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What `build` did for one case and target.

    Attributes:
        status: `skipped` when the target cannot run the case.
        artifacts: What exists now, by kind: `mef`, `llvm`, `asm`.
    """

    case: str
    target: str
    status: Literal["built", "cached", "skipped", "failed"]
    reason: str = ""
    artifacts: tuple[str, ...] = ()
    seconds: float = 0.0
