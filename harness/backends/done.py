"""`StepOutcome`, the outcome of one step in the simulator: launch results, findings, failure, printed lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness import simt
from harness.backends.base import Failure
from harness.model.case import Launch
from harness.model.profile import Measured

__all__ = ["StepOutcome"]


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome of a step.

    Attributes:
        results: Of its launches.
        failure: Why it has no result, or None.
        findings: Beside those of the launches.
        launches: What a host function launched, as (kernel, geometry); None where the step is one launch.
        printed: What it printed.
        early: Whether it did not come to its end.
        shapes: The geometry of each launch.
    """

    results: Sequence[simt.LaunchResult] = ()
    failure: Failure | None = None
    findings: tuple[simt.Finding, ...] = ()
    launches: Sequence[tuple[str, Launch]] | None = None
    printed: tuple[str, ...] = ()
    early: bool = False
    shapes: Sequence[Launch] = ()

    @property
    def all_findings(self) -> list[simt.Finding]:
        """Return the step's own findings and those of its launches."""
        return [*self.findings, *(finding for result in self.results for finding in result.findings)]

    @property
    def measured(self) -> Iterator[Measured]:
        """Yield the launches that were observed for a profile."""
        for result, shape in zip(self.results, self.shapes, strict=False):
            if result.profile:
                how = result.kernel, result.symbol, shape.block, shape.shared_bytes
                yield Measured(*how, result.profile, result.counters)

    @property
    def is_last(self) -> bool:
        """Return True if no step may follow: it failed, faulted or ended early."""
        return self.early or self.failure is not None or any(result.fault is not None for result in self.results)
