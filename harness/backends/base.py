"""The interface of all backends: `Backend.launch` takes a `Request`; its `Outcome` has results or a `Failure`.

`Request` also decides which orders of the threads are tried. `select_executed` reduces a case with a graph to the
tensors of that graph.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from harness import simt
from harness.backends.guarded import Fill
from harness.model.case import Case, CounterClaim, Dataset, Instance, Launch
from harness.model.profile import Measured
from harness.model.verdict import Verdict
from harness.simt.findings import Counts, Finding, Severity

__all__ = ["Backend", "Failure", "Observed", "Outcome", "Request", "select_executed"]

_TRIED = 2  # data sets with which an order is tried: each launch more is one that a learner waits for


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One execution of one case.

    Attributes:
        case: What to run.
        instance: The case at the target's warp width.
        dataset: The inputs.
        fill: What outputs and scratch hold before the launch.
        others: What they hold in further executions, whose outcomes are to be the same; on hardware.
        time_limit_seconds: After this the kernel is given up; None is the backend's own limit.
        repeats: Executions whose results must be equal bit for bit.
        counted: Whether the simulator counts what the documents make promises about.
        tensors: Inputs that lie on the device already, instead of the data set's; for an engine of this process.
        oracle: Gives what the case's oracle says of the data set, where that is kept for several requests.
        right: Results that were found to be what they should be, by name: the same arrays are not looked at again.
        fail_on: The least severity of findings that make it fail.
    """

    case: Case
    instance: Instance
    dataset: Dataset
    fill: Fill = "poison"
    others: tuple[Fill, ...] = ()
    time_limit_seconds: float | None = None
    repeats: int = 1
    counted: bool = True
    tensors: Mapping[str, Any] = field(default_factory=dict)
    oracle: Callable[[], dict[str, np.ndarray]] | None = None
    right: Mapping[str, Observed] = field(default_factory=dict)
    fail_on: Severity = "warning"

    @property
    def expected(self) -> dict[str, np.ndarray]:
        """Return the results that the case's oracle computes for the data set, by name."""
        return self.oracle() if self.oracle else self.case.expected(self.dataset, self.instance.width)

    @property
    def scalars(self) -> dict[str, np.generic]:
        """The scalar arguments, each of its type, by name in the order of the kernel's signature.

        The data set's values; the argument's own value where it has none.
        """
        values = self.dataset.scalars
        return {part.name: part.dtype.type(values.get(part.name, part.value)) for part in self.instance.scalars}

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds, of `simt.SEEDS`, of the other orders of the threads to try with this request's data set.

        All of them if the case has fewer data sets than there are seeds, or this one is not the case's own. Otherwise
        the first `2 * len(simt.SEEDS)` data sets take one seed each, in turn, and later ones none. A case with
        `redefined` constants tries the first seed with its first data set alone: its documented launch tries them all.
        Empty with fill `zero`.
        """
        if self.fill == "zero":  # only to be printed: the same data follows on poison
            return ()
        datasets, seeds = [dataset.name for dataset in self.instance.datasets], simt.SEEDS
        if self.case.redefined:
            return seeds[:1] if self.dataset.name == datasets[0] else ()
        if len(datasets) < len(seeds) or self.dataset.name not in datasets:
            return seeds
        place = datasets.index(self.dataset.name)
        return (seeds[place % len(seeds)],) if place < _TRIED * len(seeds) else ()

    def promised_counters(self, vendor: str) -> list[str]:
        """Return, sorted, each counter that a promise of the case about a vendor's GPUs, or all GPUs, is judged by."""
        claims = self.case.claims
        return sorted(
            {each.counter for each in claims if isinstance(each, CounterClaim) and each.vendor in (None, vendor)}
        )


@dataclass(frozen=True, slots=True)
class Observed:
    """A result buffer after the launch, with the guard words around it.

    Attributes:
        values: As shaped by its `TensorArgument`.
        before: The guard words in front of it, raw.
        after: The guard words behind it, raw.
    """

    values: np.ndarray
    before: np.ndarray
    after: np.ndarray


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a launch has no result.

    Attributes:
        kind: The verdict that follows.
        reason: One sentence, with phase, kernel and the driver's own error.
    """

    kind: Verdict
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The results of a launch, or why it has none.

    Attributes:
        others: The outcomes of the request's other fills, up to one that is a failure.
        results: Outputs and scratch by name; empty after a failure.
        inputs: The data set's inputs as they are afterwards, by name.
        buffers: The results as they lie on the device, if they stay there.
        traced: The launches that the driver saw, as (kernel, grid, block);
            None where nothing traces.
        host_launches: What each host function launched, as (kernel, geometry), by the number of its step.
        run_seconds: From the launch to the end of its synchronisation.
        failure: Set when the launch has no result.
        findings: What the simulator found wrong, if it ran there.
        counters: The simulator's counters of each launch, by name.
        measured: The launches that were observed for a profile.
        unstable: The results that some repetition changed.
        printed: What the kernel printed, where that can be seen.
        orders: In how many orders of the threads the simulator ran it; 0 where it did not run there.
        why_no_more: Why in no more, in a clause; empty if all that it would try were tried.
    """

    others: tuple[Outcome, ...] = ()
    results: Mapping[str, Observed] = field(default_factory=dict)
    inputs: Mapping[str, np.ndarray] = field(default_factory=dict)
    buffers: Mapping[str, Any] = field(default_factory=dict)
    traced: tuple[tuple[str, Launch], ...] | None = None
    host_launches: Mapping[int, Sequence[tuple[str, Launch]]] = field(default_factory=dict)
    run_seconds: float = 0.0
    failure: Failure | None = None
    findings: tuple[Finding, ...] = ()
    counters: tuple[Counts, ...] = ()
    measured: tuple[Measured, ...] = ()
    unstable: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    orders: int = 0
    why_no_more: str = ""


class Backend(Protocol):
    """Something that executes a compiled kernel.

    Attributes:
        name: `max`, `simulator` or `cpu`.
        executes_kernel: False for the sequential reference branch.
    """

    name: str
    executes_kernel: bool

    @property
    def device(self) -> str:
        """Return the device's name for people: `NVIDIA H200 (sm_90)`."""
        ...

    def launch(self, request: Request) -> Outcome:
        """Execute one request; never raise for a fault of the kernel."""
        ...

    def close(self) -> None:
        """End the processes that the backend holds."""
        ...


def select_executed(case: Case, instance: Instance, backend: Backend) -> Instance:
    """Return the instance that a backend executes.

    It is unchanged if the case has no graph, or if the simulator runs the launches that the graph makes. Otherwise it
    keeps only the tensors that are the graph's operands and results, and no data sets.

    Args:
        case: May have a graph.
        instance: The case at a warp width.
        backend: Only its name is looked at.
    """
    if case.graph is None or backend.name == "simulator":
        return instance
    tensors = instance.tensors_of(f"{case.graph.operands} {case.graph.results}")
    return replace(instance, arguments=tensors, datasets=())
