"""Cache a case's calls of host functions for the simulator (`HostCalls`), and define what a call takes and returns.

The calls themselves are made in other processes, see `harness.programs.host_calls`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from harness import simt
from harness.backends.base import Failure, Request
from harness.model.case import Case, Dataset, Instance, ScalarArgument, TensorArgument

__all__ = ["CallInputs", "CallReport", "Calls", "HostCalls", "HostRun", "is_independent_call"]


@dataclass(frozen=True, slots=True)
class CallInputs:
    """The arguments of a call: its buffers as the step before left them, and its numbers."""

    buffers: Sequence[simt.Buffer]
    scalars: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class CallReport:
    """A process's report of a call; it may cross processes and is not trusted.

    Attributes:
        journal: What was done with the device, as `harness.programs.host.journal` puts it.
        failure: Why the call did not come to its end, or None.
        findings: What the call did wrong with its device.
        printed: What it wrote to its standard output.
    """

    journal: tuple[object, ...] = ()
    failure: Failure | None = None
    findings: tuple[simt.Finding, ...] = ()
    printed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HostRun:
    """A process's report of a call, and the kernels of its program, by symbol."""

    report: CallReport
    kernels: Mapping[str, simt.Module]


class Calls(Protocol):
    """Makes the calls of a step, one for each data set; the first that fails is the last."""

    def __call__(self, case: Case, step: int, inputs: Sequence[CallInputs], /) -> Sequence[HostRun]: ...


class HostCalls:
    """Calls, made for several data sets at once: a process for each would take longer than all that it does.

    Args:
        calls: Makes them.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._runs: dict[tuple[str, int, str, str], tuple[Dataset, HostRun]] = {}

    def run_call(self, request: Request, step: int, arguments_of: Callable[[Dataset], CallInputs]) -> HostRun:
        """Make a call, remember and return its run. If this step was called with this very data set and fill before,
        return that run, whatever its arguments were. A call's failure is in the run's report, not raised.

        If the call is independent of other steps, it is also made with the instance's data sets after this one, up to
        the first that fails, and those runs are remembered. With fill `zero` only the request's data set is called.

        Args:
            request: Has the case, the data set and the fill.
            step: The number of the call among the case's steps.
            arguments_of: Makes the call's arguments for a data set.
        """
        case, dataset = request.case, request.dataset
        earlier = self._runs.get((case.id, step, request.fill, dataset.name))
        if earlier and earlier[0] is dataset:
            return earlier[1]
        sets = request.instance.datasets
        place = next((at for at, other in enumerate(sets) if other is dataset), None)
        is_independent = is_independent_call(case, request.instance, step)
        alone = not is_independent or place is None or request.fill == "zero"  # only to be printed
        called_sets = (dataset,) if alone else sets[place:]
        runs = self._calls(case, step, [arguments_of(other) for other in called_sets])
        for other, run in zip(called_sets, runs, strict=False):  # up to the first that failed
            self._runs[case.id, step, request.fill, other.name] = other, run
        return runs[0]

    def find_completed(self, case: Case, step: int) -> HostRun | None:
        """Return the run of a call with any data set that came to its end, or None; makes no call."""
        runs = (run for (name, number, *_), (_, run) in self._runs.items() if (name, number) == (case.id, step))
        return next((run for run in runs if run.report.failure is None), None)


def is_independent_call(case: Case, instance: Instance, step: int) -> bool:
    """Return True if a call's arguments follow from the data set alone: no step before it writes any of them."""
    before = {argument.name for earlier in case.steps[:step] for argument in _written(instance.arguments_of(earlier))}
    return not any(argument.name in before for argument in instance.arguments_of(case.steps[step]))


def _written(arguments: Iterable[TensorArgument | ScalarArgument]) -> Iterator[TensorArgument]:
    return (argument for argument in arguments if isinstance(argument, TensorArgument) and argument.written)
