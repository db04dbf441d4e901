"""A case at one warp width, as records: arguments with shapes, constants, data sets; the arguments of a step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from harness.model.arguments import ScalarArgument, TensorArgument
from harness.model.lazy import LazyMapping
from harness.model.steps import Step

__all__ = ["Arrays", "Dataset", "Instance"]

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Inputs for one execution of a case.

    Attributes:
        name: Unique within the case.
        inputs: The initial content of inputs and of tensors updated in place, by name; read-only arrays, large ones
            computed when they are first read.
        catches: The wrong kernel that this data exposes.
        scalars: Scalar arguments that differ from the instance's, by name.
    """

    name: str
    inputs: Arrays
    catches: str
    scalars: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for array in () if isinstance(self.inputs, LazyMapping) else self.inputs.values():
            array.flags.writeable = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """A case at one warp width.

    Attributes:
        width: Lanes of a warp.
        arguments: The tensors and scalars that steps name; a step that names none takes all, in this order.
        constants: Sizes that the kernel's file may define at its top, `TPB` for instance; the compiler checks them.
        datasets: The data sets, the documented one first.
        tensors, scalars: The tensor arguments, and the scalar ones.
        inputs: The tensors that the kernel only reads.
        results: The tensors that the kernel writes: outputs, tensors updated in place, and scratch.
    """

    width: int
    arguments: tuple[TensorArgument | ScalarArgument, ...]
    constants: Mapping[str, int] = field(default_factory=dict)
    datasets: tuple[Dataset, ...]
    tensors: tuple[TensorArgument, ...] = field(init=False, repr=False, compare=False)
    scalars: tuple[ScalarArgument, ...] = field(init=False, repr=False, compare=False)
    inputs: tuple[TensorArgument, ...] = field(init=False, repr=False, compare=False)
    results: tuple[TensorArgument, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        tensors: list[TensorArgument] = []
        scalars: list[ScalarArgument] = []
        inputs: list[TensorArgument] = []
        results: list[TensorArgument] = []
        shapes = {}
        for argument in self.arguments:
            if isinstance(argument, ScalarArgument):
                scalars.append(argument)
                continue
            tensors.append(argument)
            (results if argument.written else inputs).append(argument)
            if argument.has_data:
                shapes[argument.name] = argument.shape
        for name, members in (("tensors", tensors), ("scalars", scalars), ("inputs", inputs), ("results", results)):
            object.__setattr__(self, name, tuple(members))
        for dataset in self.datasets:
            arrays = dataset.inputs
            is_lazy = isinstance(arrays, LazyMapping)  # of lazy inputs only the names are there yet
            input_shapes = {name: shapes.get(name) if is_lazy else arrays[name].shape for name in arrays}
            if input_shapes != shapes:
                raise ValueError(f"data set {dataset.name!r} has inputs {input_shapes}, but the case takes {shapes}")
        for kind, entries in (("arguments", self.arguments), ("data sets", self.datasets)):
            names = [entry.name for entry in entries]
            if len(set(names)) != len(names):
                raise ValueError(f"two {kind} share a name: {names}")

    @property
    def initialized(self) -> tuple[TensorArgument, ...]:
        """The tensors that data sets fill: inputs, and tensors updated in place."""
        return tuple(tensor for tensor in self.tensors if tensor.has_data)

    def tensors_of(self, names: str) -> tuple[TensorArgument, ...]:
        """Return the tensors with these names, separated by blanks, in that order; KeyError for an unknown name."""
        by_name = {tensor.name: tensor for tensor in self.tensors}
        return tuple(by_name[name] for name in names.split())

    def arguments_of(self, step: Step) -> tuple[TensorArgument | ScalarArgument, ...]:
        """Return the arguments that a step names, in its order, or all of the case if it names none.

        KeyError for an unknown name.
        """
        by_name = {argument.name: argument for argument in self.arguments}
        return tuple(by_name[name] for name in step.arguments.split()) if step.arguments else self.arguments

    def scalars_of(self, step: Step) -> tuple[ScalarArgument, ...]:
        """Return the scalars among the arguments of a step."""
        return tuple(argument for argument in self.arguments_of(step) if isinstance(argument, ScalarArgument))

    def dataset(self, name: str) -> Dataset:
        """Return the data set with this name; StopIteration if there is none."""
        return next(dataset for dataset in self.datasets if dataset.name == name)
