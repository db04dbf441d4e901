"""What a case is at one warp width: plain shapes and plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from harness.model.arguments import ScalarArgument, TensorArgument
from harness.model.lazy import Lazy
from harness.model.steps import Step

__all__ = ["Arrays", "Dataset", "Instance"]

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Inputs for one execution of a case.

    Attributes:
        name: Unique within the case.
        inputs: By tensor name, what inputs and what is updated in place hold; read-only arrays, large ones made when
            they are first asked for.
        catches: The wrong kernel that this data would expose.
        scalars: By name, arguments that are not as the instance has them.
    """

    name: str
    inputs: Arrays
    catches: str
    scalars: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for array in () if isinstance(self.inputs, Lazy) else self.inputs.values():
            array.flags.writeable = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """A case at one warp width.

    Attributes:
        width: Lanes of a warp.
        arguments: The tensors and scalars that the steps name; a step that names none takes all, in this order.
        constants: Sizes that the kernel's file states at its top as well, `TPB`
            for instance; the compiler compares those that it states.
        datasets: The documented data first.
    """

    width: int
    arguments: tuple[TensorArgument | ScalarArgument, ...]
    constants: Mapping[str, int] = field(default_factory=dict)
    datasets: tuple[Dataset, ...]

    def __post_init__(self) -> None:
        shapes = {tensor.name: tensor.shape for tensor in self.given}
        for dataset in self.datasets:
            held, late = dataset.inputs, isinstance(dataset.inputs, Lazy)  # then only the names are there yet
            given = {name: shapes.get(name) if late else held[name].shape for name in held}
            if given != shapes:
                raise ValueError(f"data set {dataset.name!r} has inputs {given}, but the case takes {shapes}")
        for kind, named in (("arguments", self.arguments), ("data sets", self.datasets)):
            names = [entry.name for entry in named]
            if len(set(names)) != len(names):
                raise ValueError(f"two {kind} share a name: {names}")

    @property
    def tensors(self) -> tuple[TensorArgument, ...]:
        """The tensor arguments."""
        return tuple(argument for argument in self.arguments if isinstance(argument, TensorArgument))

    @property
    def scalars(self) -> tuple[ScalarArgument, ...]:
        """The scalar arguments."""
        return tuple(argument for argument in self.arguments if isinstance(argument, ScalarArgument))

    @property
    def inputs(self) -> tuple[TensorArgument, ...]:
        """The tensors that the kernel only reads."""
        return tuple(tensor for tensor in self.tensors if not tensor.written)

    @property
    def given(self) -> tuple[TensorArgument, ...]:
        """The tensors that data sets fill: inputs, and what is updated in place."""
        return tuple(tensor for tensor in self.tensors if tensor.given)

    @property
    def results(self) -> tuple[TensorArgument, ...]:
        """The tensors that the kernel writes: outputs, what is updated in place, and scratch."""
        return tuple(tensor for tensor in self.tensors if tensor.written)

    def tensors_of(self, names: str) -> tuple[TensorArgument, ...]:
        """The tensors of these names, with blanks between them, in that order."""
        known = {tensor.name: tensor for tensor in self.tensors}
        return tuple(known[name] for name in names.split())

    def taken(self, step: Step) -> tuple[TensorArgument | ScalarArgument, ...]:
        """The arguments of a step in the order of its signature."""
        known = {argument.name: argument for argument in self.arguments}
        return tuple(known[name] for name in step.arguments.split()) if step.arguments else self.arguments

    def scalars_of(self, step: Step) -> tuple[ScalarArgument, ...]:
        """The scalars among the arguments of a step."""
        return tuple(argument for argument in self.taken(step) if isinstance(argument, ScalarArgument))

    def dataset(self, name: str) -> Dataset:
        """The data set of that name."""
        return next(dataset for dataset in self.datasets if dataset.name == name)
