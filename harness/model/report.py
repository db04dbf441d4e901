"""Verdicts as records: of one data set, of one case, of a whole run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from harness.model import exit_code
from harness.model.launch import Launch
from harness.model.launch_plan import FAIL_ON, LaunchPlan
from harness.model.named import from_here, named
from harness.model.profile import KernelProfile, Measured
from harness.model.sizes import FurtherLaunch, OtherSize
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from harness.simt.findings import Counts, Finding, Severity, failing
from harness.simt.render import Renderer

__all__ = [
    "BACKENDS",
    "LEVELS",
    "BuildReport",
    "BuildStatus",
    "CaseReport",
    "ClaimReport",
    "DatasetReport",
    "LearnerReport",
    "RunReport",
]

# What can be asked for: `auto` is a choice, the others are backends.
BACKENDS = ("auto", "max", "simulator", "cpu")
# The levels of a compiled case: the generated Mojo, the graph's MLIR, the kernel's LLVM IR, its assembly.
LEVELS = ("op", "mo", "llvm", "asm")

BuildStatus = Literal["built", "cached", "skipped", "failed"]


# Without the lines of any source: a reason is one line of a table or of a record.
_RENDERER = Renderer(lambda _: (), named=named)
_FIRST_FINDINGS = 3


def _reason(findings: Sequence[Finding]) -> str:
    """The first findings in one line; what is for information only where there is nothing else."""
    problems = failing(findings, "warning") or findings
    return from_here("; ".join(_RENDERER.line(problem) for problem in problems[:_FIRST_FINDINGS]))


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """The verdict of one data set.

    Attributes:
        findings: What decided the verdict, the worst first, then what is for information.
        orders: In how many orders of the threads the simulator ran it; 0 where it did not run there.
        why_no_more: Why in no more, in a clause.
        launch: At which it ran, if that is not the documented one.
    """

    name: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    run_seconds: float = 0.0
    orders: int = 0
    why_no_more: str = ""
    launch: FurtherLaunch | None = None

    @property
    def reason(self) -> str:
        """What is wrong, in one line; empty when it passed."""
        return "" if exit_code.right(self.verdict) else _reason(self.findings)


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A promise of the documents and what became of it.

    Attributes:
        sentence: The promise, in one sentence.
        promised: A number with its counter's name, or which instructions.
        measured: The same, as found.
        unkept: What is told where they do not agree.
        is_known: False where this machine cannot measure it; then `measured` says why.
    """

    sentence: str
    promised: str
    measured: str
    unkept: Finding | None
    is_known: bool = True

    @property
    def holds(self) -> bool:
        """Whether the promise is kept."""
        return self.unkept is None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """The verdict of one case on one target.

    Attributes:
        case: Its id.
        verdict: The first bad one of its data sets, else PASS or REFERENCE.
        resized: The size at which it ran, if that was not the documented one.
        launches: The documented geometry of each of its steps.
        findings: Of the data set that decided the verdict, or why none ran.
        counters: Of each launch on the documented data, by name.
        measured: The launches on the documented data that were observed for a profile.
        fail_on: The least severity of findings that make it fail.
        build_seconds: Spent on building its puzzle now; 0 when it was cached.
        run_seconds: Of all data sets.
    """

    case: str
    target: str
    backend: str
    device: str
    verdict: Verdict
    launches: tuple[Launch, ...]
    resized: OtherSize | None = None
    datasets: tuple[DatasetReport, ...] = ()
    build_seconds: float = 0.0
    run_seconds: float = 0.0
    findings: tuple[Finding, ...] = ()
    counters: tuple[Counts, ...] = ()
    measured: tuple[Measured, ...] = ()
    claims: tuple[ClaimReport, ...] = ()
    fail_on: Severity = FAIL_ON

    @property
    def ok(self) -> bool:
        """Whether it ran and nothing was wrong."""
        return exit_code.right(self.verdict)

    @property
    def decisive(self) -> DatasetReport | None:
        """The first data set that is wrong, if one is."""
        return next((dataset for dataset in self.datasets if not exit_code.right(dataset.verdict)), None)

    @property
    def reason(self) -> str:
        """What is wrong, in one line, or why nothing ran; empty when it passed."""
        if self.ok:
            return ""
        if dataset := self.decisive:
            return f"{dataset.name}: {_reason(self.findings or dataset.findings)}"
        return _reason(self.findings)

    @property
    def tally(self) -> str:
        """How many of its data sets passed, `5/6`; `-` where none ran."""
        return f"{self.passed}/{len(self.datasets)}" if self.datasets else "-"

    @property
    def passed(self) -> int:
        """How many of its data sets are right."""
        return sum(exit_code.right(dataset.verdict) for dataset in self.datasets)

    @property
    def unkept(self) -> tuple[Finding, ...]:
        """What the puzzle asks for beside a right answer, and did not get."""
        if not self.ok:
            return ()
        claims = (claim.unkept for claim in self.claims if claim.unkept)
        held = ([finding for finding in dataset.findings if finding.kind == "promise"] for dataset in self.datasets)
        return (*claims, *next(filter(None, held), ()))

    def status(self, *, binding: bool) -> str:
        """What the exit code comes from: the verdict, or `unkept` where promises bind and one is not kept."""
        return "unkept" if binding and self.unkept else self.verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """A whole run.

    Attributes:
        kernels: Which Mojo files were run, for people.
        sources: The same for programs; None where artifacts ran that were built elsewhere.
        environment: Versions and devices, for the record.
        profiles: Of the kernels of each case on the documented data, by its id, where they were asked for.
    """

    plan: LaunchPlan
    kernels: str
    cases: tuple[CaseReport, ...]
    sources: Sources | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    profiles: Mapping[str, tuple[KernelProfile, ...]] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """0 only if something ran and nothing failed; a solution keeps what the documents promise, too."""
        return exit_code.of_statuses(case.status(binding=self.binding) for case in self.cases)

    @property
    def binding(self) -> bool:
        """Whether the kernels are the documents' own solutions, which must keep every promise."""
        return self.sources is not None and self.sources.kind == "solutions" and not self.sources.overrides


@dataclass(frozen=True, slots=True)
class LearnerReport:
    """A documented command.

    Attributes:
        lines: What the documents show.
        case: The verdict on all data sets.
        printed: What the kernel printed on the documented data, where that can be seen.
        data_seed: Of the fresh data, where that decided the verdict.
    """

    lines: tuple[str, ...]
    case: CaseReport
    printed: tuple[str, ...] = ()
    data_seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What `build` did for one case and target.

    Attributes:
        status: `skipped` when the target cannot run the case.
        artifacts: What exists now, by kind: `mef`, `llvm`, `asm`.
    """

    case: str
    target: str
    status: BuildStatus
    reason: str = ""
    artifacts: tuple[str, ...] = ()
    seconds: float = 0.0
