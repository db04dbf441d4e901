"""Calls of host functions: what each gets, and what its process tells of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from harness import simt
from harness.backends.base import Failure, Request
from harness.model.case import Case, Dataset, Instance, ScalarArgument, TensorArgument

__all__ = ["Calls", "Given", "HostCalls", "HostRun", "Told", "on_its_own"]


@dataclass(frozen=True, slots=True)
class Given:
    """What a call gets: its buffers as the step before left them, and its numbers."""

    buffers: Sequence[simt.Buffer]
    scalars: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What a process told of a call: a stranger's word, which may cross processes.

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
    """What was told of a call, and the kernels of its program, by symbol."""

    told: Told
    kernels: Mapping[str, simt.Module]


class Calls(Protocol):
    """Makes the calls of a step, one for each data set; the first that fails is the last."""

    def __call__(self, case: Case, step: int, given: Sequence[Given], /) -> Sequence[HostRun]: ...


class HostCalls:
    """Calls, made for several data sets at once: a process for each would take longer than all that it does.

    Args:
        calls: Makes them.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._runs: dict[tuple[str, int, str, str], tuple[Dataset, HostRun]] = {}

    def of(self, request: Request, step: int, given: Callable[[Dataset], Given]) -> HostRun:
        """What came of a call.

        Args:
            request: Which data set; those behind it are run with it, where the call is on its own.
            step: The number of the call among the case's steps.
            given: What the call gets with a data set.
        """
        case, dataset = request.case, request.dataset
        known = self._runs.get((case.id, step, request.fill, dataset.name))
        if known and known[0] is dataset:
            return known[1]
        sets = request.instance.datasets
        place = next((at for at, other in enumerate(sets) if other is dataset), None)
        own = on_its_own(case, request.instance, step)
        alone = not own or place is None or request.fill == "zero"  # only to be printed
        wanted = (dataset,) if alone else sets[place:]
        runs = self._calls(case, step, [given(other) for other in wanted])
        for other, run in zip(wanted, runs, strict=False):  # up to the first that failed
            self._runs[case.id, step, request.fill, other.name] = other, run
        return runs[0]

    def known(self, case: Case, step: int) -> HostRun | None:
        """Return what came of a call with any data set, if one came to its end."""
        runs = (run for (name, number, *_), (_, run) in self._runs.items() if (name, number) == (case.id, step))
        return next((run for run in runs if run.told.failure is None), None)


def on_its_own(case: Case, instance: Instance, step: int) -> bool:
    """Whether what a call gets follows from the data set alone: no step before it writes any of it."""
    before = {argument.name for earlier in case.steps[:step] for argument in _written(instance.arguments_of(earlier))}
    return not any(argument.name in before for argument in instance.arguments_of(case.steps[step]))


def _written(arguments: Iterable[TensorArgument | ScalarArgument]) -> Iterator[TensorArgument]:
    return (argument for argument in arguments if isinstance(argument, TensorArgument) and argument.written)
