"""Simulate one case from its LLVM IR in a child process of a worker; `CaseOrder` is its input."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness.cases import pipeline
from harness.cases.prepare import CompiledCases, import_simulator
from harness.cases.runner import Runner
from harness.catalogue import find_case as case_of
from harness.model import codec
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.process.child import Limits
from harness.process.stage import Stage

__all__ = ["STAGE", "CaseOrder", "KernelFile", "main", "prepare"]


@dataclass(frozen=True, slots=True)
class KernelFile:
    """A file of kernels that its owner alone has, by the owner's name for it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOrder:
    """A case, for the simulator.

    Attributes:
        case: Its id.
        target: What its kernels were compiled for.
        seed: Shuffles the schedule, or None.
        data_seed: Of the fresh data, or None.
        documented_size: As of a `LaunchPlan`.
        kind: Of the sources.
        files: By puzzle, where they are none of ours.
        llvm: By the id of the case at each of its sizes, LLVM IR of each launch; on its way to a worker, the cache's
            key of each.
        limits: On all of it.
    """

    case: str
    target: str
    seed: int | None
    data_seed: int | None
    documented_size: bool
    kind: str
    files: Mapping[str, KernelFile]
    llvm: Mapping[str, tuple[str, ...]]
    limits: Limits


STAGE = Stage(__name__, CaseOrder, CaseReport, most_bytes=256 << 20)


def prepare() -> None:
    """Import what every order needs."""
    import_simulator()


def main() -> None:
    """Run the case that the order names."""
    STAGE.serve(_run_case)


def _run_case(order: CaseOrder, folder: Path) -> CaseReport:
    """Run an order's case on all of its data sets, from the LLVM IR in the order itself, and return its report.

    Kernel files are written to `folder`; in the report, their paths there are replaced by the owner's names.
    """
    paths = {puzzle: folder / f"{puzzle}.mojo" for puzzle in order.files}
    for puzzle, path in paths.items():
        path.write_text(order.files[puzzle].text, encoding="utf-8")
    case, sources = case_of(order.case), Sources(order.kind, paths)
    plan = replace(
        pipeline.plan(order.target, "simulator"),
        documented_size=order.documented_size,
        seed=order.seed,
        data_seed=order.data_seed,
    )
    with Runner([case], plan, sources, compiled=CompiledCases(code=order.llvm)) as runner:
        text = codec.encode(runner.report(case)).decode()
    for puzzle, path in paths.items():  # a report names the file as its owner does
        text = text.replace(json.dumps(str(path))[1:-1], json.dumps(order.files[puzzle].name)[1:-1])
    return codec.decode(CaseReport, text.encode())
