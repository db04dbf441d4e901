"""The result of running a program: exit status, launches, findings, accepted ones; verdict, reason, exit code."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.model import exit_code
from harness.model.profile import KernelProfile, Measured
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.simt.findings import Counts, Finding, Severity, failing
from harness.simt.observing.counted import SUMMED
from harness.simt.result import EngineUsage
from harness.simt.rows import Row

__all__ = ["Accepted", "Execution", "Launched"]

# A byte, and four that say whether it was written and where one that was not comes from.
_TAKEN = "a device buffer takes five times its size in the simulator"


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch that a program made in the simulator.

    Attributes:
        kernel: Its name in the source.
        symbol: Its name in the code.
        grid: Blocks in x, y and z.
        block: Threads in x, y and z.
        cluster: Blocks of a cluster in x, y and z.
        shared_bytes: Dynamic shared memory of a block.
        arguments: For people: `buffer 0`, `buffer 1 + 16`, a number, or bytes.
        place: `file:line:column` of the call, if that is known.
        observed: Whether all checks were on.
        seconds: What the simulation took.
        results: A checksum of what it wrote to the device's memory, of launches that were observed: equal runs have
            equal ones.
        counters: What observers counted.
        profile: The same by the places of the source, where that was asked for.
        findings: What was found in it.
        engine: What ran it.
    """

    kernel: str
    symbol: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared_bytes: int
    arguments: tuple[str, ...]
    place: str
    observed: bool
    seconds: float
    results: int = 0
    counters: Counts = field(default_factory=dict)
    profile: tuple[Row, ...] = ()
    findings: tuple[Finding, ...] = ()
    engine: EngineUsage = field(default_factory=EngineUsage)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that somebody accepted.

    Attributes:
        reason: Why, in their words; empty where a baseline has it.
        kind: `inSource` by a comment where it stands, `external` by a baseline: SARIF's words.
    """

    finding: Finding
    reason: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """A program that ran, or was ended.

    Attributes:
        file: Its source.
        arguments: What it was given.
        target: What its kernels were compiled for.
        backend: `max` on a GPU, `simulator` otherwise.
        status: Its exit status, or minus the number of the signal that ended it.
        output: What it wrote to stdout; empty where that was not kept.
        errors: What it wrote to stderr; the same.
        launches: In the order in which they ran; none on a GPU.
        findings: Errors first.
        accepted: What was found as well, and somebody accepted.
        recorded: What the recorded launches did, by their numbers; `harness.simt.observing.recorded` has its form.
        missing: What the simulator does not know and the program needs.
        limit: The limit that it passed, as a sentence, or empty.
        diagnostics: Why it does not compile, in the compiler's words; empty where it does.
        seconds: From its start to its end, without compiling.
        profiles: Of its kernels, where they were asked for.
        fail_on: The least severity of findings that make it fail.
    """

    file: Path
    arguments: tuple[str, ...] = ()
    target: Target
    backend: str
    status: int
    output: bytes = b""
    errors: bytes = b""
    launches: tuple[Launched, ...] = ()
    findings: tuple[Finding, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    recorded: dict[int, dict[str, Any]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    limit: str = ""
    diagnostics: str = ""
    seconds: float = 0.0
    profiles: tuple[KernelProfile, ...] = ()
    fail_on: Severity = "error"

    @property
    def failing(self) -> list[Finding]:
        """The findings that make it fail: those of severity `fail_on` or worse."""
        return failing(self.findings, self.fail_on)

    @property
    def exit_code(self) -> int:
        """How a command that ran it ends: with the program's own status, unless that hides what is wrong.

        A limit, and findings that make a run of status 0 fail, give `WRONG`; what the simulator lacks gives
        `ENVIRONMENT`; a signal gives 128 and its number.
        """
        if self.limit:
            return exit_code.WRONG
        if self.missing:
            return exit_code.ENVIRONMENT
        if self.status < 0:
            return 128 - self.status
        if self.status == 0 and self.failing:
            return exit_code.WRONG
        return self.status

    @property
    def measured(self) -> list[Measured]:
        """The launches that have a profile, which counts by source location, in the order in which they ran."""
        profiled = (launch for launch in self.launches if launch.profile)
        return [Measured(t.kernel, t.symbol, t.block, t.shared_bytes, t.profile, t.counters) for t in profiled]

    @property
    def name(self) -> str:
        """The program and its arguments."""
        return " ".join([str(self.file), *self.arguments])

    @property
    def verdict(self) -> Verdict:
        """One of the verdicts that reports have: the first that holds.

        It does not compile (`COMPILE_ERROR`), passed a limit (`TIMEOUT`), needs what the simulator lacks
        (`INCOMPLETE`), was ended by a signal (`LAUNCH_ERROR`), ended with a status other than 0 (`MISMATCH`), or has
        findings that make it fail (`FINDING`; `MISMATCH` if its errors are wrong values alone); else `PASS`.
        """
        if self.diagnostics:
            return Verdict.COMPILE_ERROR
        if self.limit:
            return Verdict.TIMEOUT
        if self.missing:
            return Verdict.INCOMPLETE
        if self.status:
            return Verdict.LAUNCH_ERROR if self.status < 0 else Verdict.MISMATCH
        wrong = [finding for finding in self.findings if finding.severity == "error"]
        values = wrong and all(finding.id.startswith("check.") for finding in wrong)
        return (Verdict.MISMATCH if values else Verdict.FINDING) if self.exit_code else Verdict.PASS

    @property
    def reason(self) -> str:
        """Why it is not right, in one line; empty where it is.

        The first that holds: the compiler's first line, a limit, what is missing, the first finding that makes it fail,
        the signal or the status.
        """
        if self.diagnostics:
            return self.diagnostics.splitlines()[0]
        if self.limit:
            return self.limit
        if self.missing:
            return "; ".join(self.missing)
        if counted := self.failing:
            return str(counted[0])
        if self.status == -signal.SIGKILL and self.backend == "simulator":  # no limit struck: somebody else ended it
            return f"ended by SIGKILL, as by a machine that has no memory left: {_TAKEN}"
        if self.status < 0:
            return f"ended by {signal_name(-self.status)}"
        return f"ended with status {self.status}" if self.status else ""

    @property
    def counters(self) -> Counts:
        """Return the sums of the counters in `SUMMED` over all counted launches; empty if none was counted."""
        counted = [launch.counters for launch in self.launches if launch.counters.keys() >= set(SUMMED)]
        return {name: sum(counters[name] or 0 for counters in counted) for name in SUMMED if counted}


def signal_name(number: int) -> str:
    """Return a signal's name: `SIGILL` for 4; `signal 99` for one that this system does not have."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
