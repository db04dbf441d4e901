"""Options of a program's run: limits, seed, engine, counters, profile, thread orders; a `LaunchPlan` from them."""

from __future__ import annotations

from dataclasses import dataclass

from harness.errors import unknown_name
from harness.model.launch_plan import LaunchPlan
from harness.model.target import Target
from harness.simt.findings import SEVERITIES, Severity
from harness.simt.options import Engine

__all__ = ["BACKENDS", "Options"]

BACKENDS = ("auto", "max", "simulator")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a program runs, and what it may use.

    Attributes:
        seed: Of the schedule of each launch; see `harness.simt.Options`.
        eager: Run work when it is queued, not when it is waited for.
        seconds: For the whole program, by the wall clock.
        launch_seconds: Seconds of a usual processor within which blocks of a launch must end, again and again.
        memory_bytes: For the whole program; None for any.
        launches: Of one kernel; None for any number.
        observed_launches: Of one kernel with all checks; later ones have them where machine code runs them, and in
            Python only compute.
        explain_seconds: Seconds of CPU that wrong launches of one kernel take until later ones only compute.
        engine: What runs a launch; see `harness.simt.Options`.
        counters: Whether what observed launches do is counted, but of one for which Python would take long, where
            machine code cannot count.
        recorded: What is kept step by step: the numbers of launches, from 1, each with the numbers of the blocks to
            keep, or None for all. The kernels are then those of a debug build.
        profile: Whether observed launches are counted by the places of the source.
        orders: Whether observed launches that may depend on the order of their threads are tried in others too.
        shapes: Whether indices are held against the shapes of arrays. The kernels are then those of a debug build, with
            the library's assertions.
        fail_on: The least severity of findings that make the run fail.
        workers: The most threads that run machine code of one long launch.

    Raises:
        UsageError: `fail_on` is no severity.
    """

    seed: int | None = None
    eager: bool = False
    seconds: float = 600.0
    launch_seconds: float = 60.0
    memory_bytes: int | None = None
    launches: int | None = None
    observed_launches: int = 20
    explain_seconds: float = 5.0
    engine: Engine = "auto"
    counters: bool = True
    recorded: tuple[tuple[int, tuple[int, ...] | None], ...] = ()
    profile: bool = False
    orders: bool = True
    shapes: bool = False
    fail_on: Severity = "error"
    workers: int = 1

    def __post_init__(self) -> None:
        if self.fail_on not in SEVERITIES:
            raise unknown_name("severity", str(self.fail_on), SEVERITIES)

    def plan(self, target: Target, backend: str) -> LaunchPlan:
        """Return the plan of a program's launches with these options."""
        return LaunchPlan(
            target,
            backend,
            seed=self.seed,
            orders=self.orders,
            launch_seconds=self.launch_seconds,
            left_out=("unwritten",),  # elements that one launch leaves out the next one may write
            counters=self.counters,
            profile=self.profile,
            shapes=self.shapes,
            engine=self.engine,
            fail_on=self.fail_on,
            workers=self.workers,
        )

    @property
    def debug(self) -> bool:
        """True if a debug build is needed, which names variables and reports indices."""
        return bool(self.recorded) or self.shapes

    @property
    def too_late(self) -> str:
        """The sentence about a program that took longer than `seconds`."""
        return f"did not end within {self.seconds:g} s: `--seconds` raises the limit"
