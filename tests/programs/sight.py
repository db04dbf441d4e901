"""What of a program's mistakes a machine shows, by what it says of a fault (`docs/platforms.md`)."""

from __future__ import annotations

from dataclasses import dataclass

from harness.programs import Execution
from harness.programs.host import faults
from tests.programs.expectation import Expectation, Finding

__all__ = ["Sight", "expect", "reported", "sight_here", "unseen"]

# Of these the host reads a written element of a page first; what it reads there afterwards is not seen without steps.
_AFTER_ANOTHER = {"half_elements": {("uninitialised-copy", 15)}, "uninitialised_copy": {("uninitialised-copy", 15)}}
# Two mistakes whose lines are not known are one finding.
_WITHOUT_LINES = {"launch_not_awaited": {"missing-wait.write"}}


@dataclass(frozen=True, slots=True)
class Sight:
    """What a machine says of a program's accesses.

    Attributes:
        steps: Whether it can be followed instruction by instruction.
        lines: Whether the line of an access is known.
        merges: Whether accesses without a line cannot be told from each other.
    """

    steps: bool
    lines: bool
    merges: bool


def sight_here() -> Sight:
    """Return what this machine shows."""
    lines = faults.tells_writes()
    return Sight(faults.follows_accesses(), lines, merges=not lines)


def unseen(run: Expectation, sight: Sight) -> set[tuple[str, int]]:
    """Return the findings, by id and line, that a machine does not see in a run; the run says that there are some."""
    return set() if sight.steps else _AFTER_ANOTHER.get(run.file.stem, set())


def expect(run: Expectation, sight: Sight) -> list[Finding]:
    """Return the errors and warnings that a run comes to on a machine; all lines are 0 where they are not known."""
    merged = _WITHOUT_LINES.get(run.file.stem, set()) if sight.merges else set()
    return sorted(
        (severity, name, line if sight.lines else 0)
        for severity, name, line in run.findings
        if (name, line) not in unseen(run, sight) and name not in merged
    )


def reported(execution: Execution, sight: Sight) -> list[Finding]:
    """Return the errors and warnings of a run in the same form."""
    return sorted(
        (finding.severity, finding.id, finding.sites[0].line if finding.sites and sight.lines else 0)
        for finding in execution.findings
        if finding.severity != "information"
    )
