"""Records of reports: data set, promise, case, run, build, learner's command; reasons, tallies, exit code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from harness.model import exit_code
from harness.model.launch import Launch
from harness.model.launch_plan import FAIL_ON, LaunchPlan
from harness.model.named import display_name, relativize_files
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
_RENDERER = Renderer(lambda _: (), named=display_name)
_FIRST_FINDINGS = 3


def _summarize_findings(findings: Sequence[Finding]) -> str:
    """Return at most the first three findings in one line, separated by `; `; information only if all are that."""
    problems = failing(findings, "warning") or findings
    return relativize_files("; ".join(_RENDERER.line(problem) for problem in problems[:_FIRST_FINDINGS]))


@dataclass(frozen=True, slots=True)
class DatasetReport:
    """The verdict of one data set.

    Attributes:
        name: The name of the data set.
        verdict: The verdict.
        findings: The findings that decided the verdict, the worst first, then information.
        run_seconds: The time that its launches took.
        orders: In how many thread orders the simulator ran it; 0 if it did not.
        why_no_more: A clause that says why it ran in no more orders.
        launch: The launch, if it is not the documented one.
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
        """The first three faults in one line; empty if it passed."""
        return "" if exit_code.is_right(self.verdict) else _summarize_findings(self.findings)


@dataclass(frozen=True, slots=True)
class ClaimReport:
    """A promise of the documents, and whether it is kept.

    Attributes:
        sentence: The promise, in one sentence.
        promised: A number with its counter's name, or which instructions.
        measured: The same, as measured.
        unkept: The finding if they do not agree, else None.
        is_known: False if this machine cannot measure it; then `measured` says why.
    """

    sentence: str
    promised: str
    measured: str
    unkept: Finding | None
    is_known: bool = True

    @property
    def holds(self) -> bool:
        """True if the promise is kept."""
        return self.unkept is None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """The verdict of one case on one target.

    Attributes:
        case: The case's id.
        verdict: The first bad verdict of its data sets, else PASS or REFERENCE.
        resized: The size at which it ran, if that was not the documented one.
        launches: The documented geometry of each of its steps.
        findings: The findings of the data set that decided the verdict, or why none ran.
        counters: The counters of each launch on the documented data, by name.
        measured: The launches on the documented data that were observed for a profile.
        fail_on: The lowest severity of findings that make it fail.
        build_seconds: The time spent on building its puzzle now; 0 if it was cached.
        run_seconds: The time of all data sets.
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
        """True if it ran and nothing was wrong."""
        return exit_code.is_right(self.verdict)

    @property
    def decisive(self) -> DatasetReport | None:
        """The first data set that is wrong, if one is."""
        return next((dataset for dataset in self.datasets if not exit_code.is_right(dataset.verdict)), None)

    @property
    def reason(self) -> str:
        """The first three faults in one line, after the name of the decisive data set, or why nothing ran; empty if it
        passed.
        """
        if self.ok:
            return ""
        if dataset := self.decisive:
            return f"{dataset.name}: {_summarize_findings(self.findings or dataset.findings)}"
        return _summarize_findings(self.findings)

    @property
    def tally(self) -> str:
        """How many of its data sets passed, `5/6`; `-` if none ran."""
        return f"{self.passed}/{len(self.datasets)}" if self.datasets else "-"

    @property
    def passed(self) -> int:
        """How many of its data sets are right."""
        return sum(exit_code.is_right(dataset.verdict) for dataset in self.datasets)

    @property
    def unkept(self) -> tuple[Finding, ...]:
        """The findings about promises that a right kernel did not keep; empty unless the case is `ok`.

        Those of `claims` come first, then those of kind `promise` of the first data set that has any.
        """
        if not self.ok:
            return ()
        claims = (claim.unkept for claim in self.claims if claim.unkept)
        promises = ([finding for finding in dataset.findings if finding.kind == "promise"] for dataset in self.datasets)
        return (*claims, *next(filter(None, promises), ()))

    def status(self, *, binding: bool) -> str:
        """Return the status for the exit code: the verdict, or `unkept` if promises bind and one is not kept."""
        return "unkept" if binding and self.unkept else self.verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """The report of a whole run.

    Attributes:
        plan: The plan.
        kernels: The Mojo files that were run, for people.
        cases: The report of each case.
        sources: The Mojo files, for programs; None if artifacts ran that were built elsewhere.
        environment: Versions and devices, for the record.
        profiles: The profiles of each case's kernels on the documented data, by case id, if requested.
    """

    plan: LaunchPlan
    kernels: str
    cases: tuple[CaseReport, ...]
    sources: Sources | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    profiles: Mapping[str, tuple[KernelProfile, ...]] = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """The exit code: 0 only if something ran and nothing failed; a solution must keep all promises too."""
        return exit_code.combine_statuses(case.status(binding=self.binding) for case in self.cases)

    @property
    def binding(self) -> bool:
        """True if the kernels are the documents' own solutions, which must keep every promise."""
        return self.sources is not None and self.sources.kind == "solutions" and not self.sources.overrides


@dataclass(frozen=True, slots=True)
class LearnerReport:
    """The report of a documented command.

    Attributes:
        lines: The lines that the documents show.
        case: The verdict on all data sets.
        printed: What the kernel printed on the documented data, if that can be seen.
        data_seed: The seed of the fresh data, if that decided the verdict.
    """

    lines: tuple[str, ...]
    case: CaseReport
    printed: tuple[str, ...] = ()
    data_seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """The result of `build` for one case and target.

    Attributes:
        status: `skipped` if the target cannot run the case.
        artifacts: The kinds of artifacts that exist now: `mef`, `llvm`, `asm`.
    """

    case: str
    target: str
    status: BuildStatus
    reason: str = ""
    artifacts: tuple[str, ...] = ()
    seconds: float = 0.0
