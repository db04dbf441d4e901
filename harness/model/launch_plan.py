"""One record of how a command launches: target, backend, device, seeds, limits, observers; as JSON, too.

A command decides all of it once, before anything is compiled. What compiles, launches and checks follows the plan:
cases, programs, the grading of files and the Python API alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from harness.model.target import Target
from harness.simt.findings import Severity
from harness.simt.options import Engine

if TYPE_CHECKING:
    from harness.model.case import Case

__all__ = ["CASE_SECONDS", "FAIL_ON", "LaunchPlan"]

# The least severity of findings that make a case fail, unless somebody asks for another one.
FAIL_ON: Severity = "warning"
CASE_SECONDS = 5.0  # the limit of a case's launch; the puzzles take a quarter of it at most
DOCUMENTED_PATIENCE = 4  # times that: at their documented sizes some take half of it


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What is compiled, where it is launched, and with which data, orders, limits and observers.

    Attributes:
        target: The GPU that kernels are compiled for.
        backend: What makes the launches: `max`, `simulator` or `cpu`.
        device: The device, for people.
        why: One clause that says why this backend was taken.
        gpus: The numbers of the GPUs that the cases are spread over; see `devices.Device.index`.
        documented_size: Whether the simulator too runs cases at their documented sizes, however long that takes.
        assertions: Whether `debug_assert` is compiled into the kernels of cases; for the simulator.
        data_seed: The seed of the data drawn beside the documented sets; None for those sets alone.
        seed: The seed of the order of the simulated threads, and of the cases on GPUs; None for the fixed order.
        orders: Whether simulated launches are repeated in other orders of their threads, without a seed.
        launch_seconds: The limit of each simulated launch, longer with `documented_size`; see `seconds_per_chunk`.
        left_out: The names of observers that simulated launches go without; see `harness.simt.observers`.
        counters: Whether the simulator counts all that it can, and not what promises are judged by alone.
        profile: Whether the simulator counts by the places of the source.
        shapes: Whether indices are compared with the shapes of arrays.
        engine: What runs simulated launches; see `harness.simt.Options`.
        workers: How many threads of this process run machine code of a long launch.
        jobs: How many processes of this machine run cases in the simulator, side by side.
        fail_on: The least severity of findings that make a case or a program fail.
    """

    target: Target
    backend: str
    device: str = ""
    why: str = ""
    gpus: tuple[int, ...] = ()
    documented_size: bool = False
    assertions: bool = False
    data_seed: int | None = None
    seed: int | None = None
    orders: bool = True
    launch_seconds: float = CASE_SECONDS
    left_out: tuple[str, ...] = ()
    counters: bool = True
    profile: bool = False
    shapes: bool = False
    engine: Engine = "reference"
    workers: int = 1
    jobs: int = 1
    fail_on: Severity = FAIL_ON

    def as_facts(self) -> dict[str, Any]:
        """Return the plan as values of JSON, for another process."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"target": self.target.name}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> LaunchPlan:
        """Return the plan from the values of `as_facts`; lists, which JSON makes of tuples, become tuples again.

        Raises:
            UsageError: There is no such target.
        """
        lists = {name: tuple(value) for name, value in facts.items() if isinstance(value, list)}
        return cls(**{**facts, **lists, "target": Target.parse(facts["target"])})

    @property
    def seconds_per_chunk(self) -> float:
        """The CPU seconds within which a block must end, again and again; see `harness.simt.options`."""
        return self.launch_seconds * (DOCUMENTED_PATIENCE if self.documented_size else 1)

    def case_to_run(self, case: Case) -> Case:
        """Return a case at the size at which it is run: in the simulator the small one, if it has one."""
        return case.small or case if self.backend == "simulator" and not self.documented_size else case

    def sizes(self, case: Case) -> tuple[Case, ...]:
        """Return a case at its documented launch and at each further one; a reference has no blocks to vary."""
        return (case,) if self.backend == "cpu" else (case, *case.further)

    def runs_graph(self, case: Case) -> bool:
        """Return whether a case's MAX graph is executed, which then takes the place of its steps.

        Never in the simulator, nor for a graph that does not run on the plan's kind of device (GPU or processor).
        """
        if self.backend == "simulator" or case.graph is None:
            return False
        return ("cpu" if self.backend == "cpu" else "gpu") in case.graph.devices
