"""The numbers of a mode that a kernel's writer could take for one another, and their values in every launch.

Each function that a mode launches or calls is looked at alone, over all launches that judge it: the documented one and
the further ones, on each data set, fresh ones among them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.cases.fresh import add_fresh_data
from harness.model.case import Case, Instance, ScalarArgument, TensorArgument
from harness.model.launch import Launch
from harness.model.sources import Sources
from harness.model.steps import Kernel, Step
from harness.model.target import Target
from tests.catalogue.mojo_constants import WARP_SIZE, evaluate, stated
from tests.catalogue.mojo_functions import Function, function_of, launch_texts

__all__ = ["FRESH_SEEDS", "Observation", "Subject", "subjects", "widths_of"]

FRESH_SEEDS = (1, 2, 3)
_EXTENT = re.compile(r"(\w+)\.shape\[\d+\]")
TARGETS = tuple(map(Target.parse, ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")))


@dataclass(frozen=True, slots=True)
class Observation:
    """The quantities of one launch on its data sets that pass the same numbers.

    Attributes:
        launch: The id of the case that is launched.
        dataset: The name of the first of these data sets.
        values: The quantities, by name.
        names: What the file states at that launch, by name.
        width: Lanes of a warp.
    """

    launch: str
    dataset: str
    values: Mapping[str, int]
    names: Mapping[str, str | int]
    width: int

    @property
    def is_fresh(self) -> bool:
        """Whether the data was drawn from a seed."""
        return self.dataset.startswith("fresh-")

    def length(self, axis: str) -> int:
        """The most elements of a tensor along an axis of the grid: x goes over the last axis, y over the one before."""
        from_end = "xy".index(axis) + 1
        several: dict[str, list[int]] = {}
        for name, value in self.values.items():
            if match := _EXTENT.fullmatch(name):
                several.setdefault(match[1], []).append(value)
        lengths = [extents[-from_end] for extents in several.values() if len(extents) >= from_end]
        if axis == "x":
            lengths += [
                value for name, value in self.values.items() if name.startswith("len(") and name[4:-1] not in several
            ]
        return max(lengths, default=0)


@dataclass(frozen=True, slots=True)
class Subject:
    """A kernel of a mode at a warp width, or a function of the host that has a library launch.

    Attributes:
        case: The documented case.
        width: Lanes of a warp.
        name: The function that is called.
        kernel: The kernel that is launched; empty where a library chooses it.
        file: The text that a learner gets.
        function: What that says of the function.
        constraints: What it demands of the kernel's launch.
        launch_texts: Grid and block, as the file states them where it launches the kernel itself.
        observations: All launches; the documented one on its own data first.
    """

    case: Case
    width: int
    name: str
    kernel: str
    file: str
    function: Function
    constraints: str
    launch_texts: tuple[tuple[str, str], ...]
    observations: tuple[Observation, ...]

    @property
    def quantities(self) -> tuple[str, ...]:
        """The names of those that every launch has."""
        first, *others = (observation.values.keys() for observation in self.observations)
        return tuple(name for name in first if all(name in values for values in others))

    def values(self, quantity: str) -> tuple[int, ...]:
        """The values of a quantity in all launches."""
        return tuple(observation.values[quantity] for observation in self.observations)


def widths_of(case: Case) -> tuple[int, ...]:
    """The warp widths of the targets that run a case."""
    return tuple(sorted({target.warp_width for target in TARGETS if case.refusal(target) is None}))


def subjects(
    case: Case, width: int, texts: tuple[str, str] | None = None, seeds: Sequence[int] = FRESH_SEEDS
) -> tuple[Subject, ...]:
    """Return what of a case is looked at, at a warp width: each function with each kernel that it launches.

    Args:
        case: The documented case.
        width: Lanes of a warp.
        texts: The file that a learner gets, and the solved one; None for the puzzle's own.
        seeds: Draw the fresh data.
    """
    problem, solution = texts or (_text(case, "problems"), _text(case, "solutions"))
    found: dict[tuple[str, str], list[Observation]] = {}
    for at in case.sizes:
        instance = at.geometry(width)
        datasets = _datasets(at, instance, seeds)
        names = _names(problem, at, width)
        for step in at.steps:
            function = function_of(problem, step.name)
            taken = dict(zip(function.arguments, instance.arguments_of(step), strict=False))
            parameters = _parameters(step, function, names, width)
            for kernel, launch in _launches(step, width):
                for dataset, scalars in datasets:
                    values = {
                        **_constants(names),
                        **parameters,
                        **_arguments(taken, scalars),
                        **_extents(launch),
                    }
                    observations = found.setdefault((step.name, kernel), [])
                    if not any((seen.launch, seen.values) == (at.id, values) for seen in observations):
                        observations.append(Observation(at.id, dataset, values, names, width))
    return tuple(
        Subject(
            case=case,
            width=width,
            name=name,
            kernel=kernel,
            file=problem,
            function=function_of(problem, name),
            constraints=function_of(problem, kernel).constraints if kernel else "",
            launch_texts=tuple(launch_texts(solution, kernel)) if kernel else (),
            observations=tuple(observations),
        )
        for (name, kernel), observations in found.items()
    )


def _text(case: Case, kernels: str) -> str:
    return Sources(kernels).kernel_file(case).read_text(encoding="utf-8")


def _names(text: str, case: Case, width: int) -> dict[str, str | int]:
    """What the file states at a launch, and the warp's width if the file names it."""
    return {**stated(text), **case.constants, **({WARP_SIZE: width} if WARP_SIZE in text else {})}


def _launches(step: Step, width: int) -> Iterator[tuple[str, Launch | None]]:
    if isinstance(step, Kernel):
        yield step.name, step.launch(width)
    elif step.expected_launches is None:
        yield "", None
    else:
        yield from zip((launched.name for launched in step.expected_launches), step.geometries(width), strict=True)


def _datasets(case: Case, instance: Instance, seeds: Sequence[int]) -> list[tuple[str, Mapping[str, float]]]:
    """Return the names of all data sets, with the scalars that each changes."""
    own = instance.datasets
    fresh = (add_fresh_data(case, instance, seed).datasets[len(own) :] for seed in seeds)
    found = [(dataset.name, dataset.scalars) for dataset in (*own, *(one for drawn in fresh for one in drawn))]
    return found or [("documented", {})]  # geometry alone, where data is large


def _constants(names: Mapping[str, str | int]) -> dict[str, int]:
    values = ((name, evaluate(text, names)) for name, text in names.items())
    return {name: value for name, value in values if isinstance(value, int)}


def _parameters(step: Step, function: Function, names: Mapping[str, str | int], width: int) -> dict[str, int]:
    """The compile-time parameters that are whole numbers."""
    if isinstance(step, Kernel):
        passed = step.parameter_values(width)
    else:
        passed = dict(zip(function.parameters, step.parameters, strict=False))
    values = (
        (name, value if isinstance(value, int) else evaluate(value.removeprefix("file."), names))
        for name, value in passed.items()
    )
    return {name: value for name, value in values if isinstance(value, int)}


def _arguments(taken: Mapping[str, TensorArgument | ScalarArgument], scalars: Mapping[str, float]) -> dict[str, int]:
    """The lengths of tensors, and the numbers that are passed."""
    values: dict[str, int] = {}
    for name, argument in taken.items():
        if isinstance(argument, ScalarArgument):
            if argument.dtype.kind in "iu":
                values[name] = int(scalars.get(argument.name, argument.value))
            continue
        values[f"len({name})"] = argument.elements
        if len(argument.shape) > 1:
            values |= {f"{name}.shape[{axis}]": extent for axis, extent in enumerate(argument.shape)}
    return values


def _extents(launch: Launch | None) -> dict[str, int]:
    if launch is None:
        return {}
    values = {
        f"{kind}_dim.{axis}": extent
        for kind, extents in (("grid", launch.grid), ("block", launch.block))
        for axis, extent in zip("xy", extents, strict=False)
    }
    blocks = math.prod(launch.grid)
    values |= {"blocks": blocks, "threads": blocks * math.prod(launch.block)}
    return values if math.prod(launch.cluster) == 1 else {**values, "cluster": math.prod(launch.cluster)}
