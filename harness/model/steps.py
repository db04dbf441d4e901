"""Records of a case's steps: kernel launches, host function calls with expected launches; a puzzle's MAX graph.

Steps share buffers and numbers and run in order. `Graph` describes the MAX graph through which a puzzle's Python calls
an op of its Mojo file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from harness.model.handout import Blank, Handout
from harness.model.launch import Extent, Launch

__all__ = [
    "ANY",
    "LIBRARY",
    "ExpectedLaunch",
    "Extents",
    "Graph",
    "HostStep",
    "Kernel",
    "Parameter",
    "Parameters",
    "Step",
]

# In x, y and z, what is left out being 1; or a function from the warp width to that.
Extents = int | tuple[int, ...] | Callable[[int], int | tuple[int, ...]]
Parameters = Mapping[str, int | str]
# A library makes the launch: one, of a kernel and a geometry of its own, which depend on the target.
LIBRARY: Final = "library"
ANY: Final = "any"  # nothing is promised of its launches


class _Launched:
    """Mixin of launches, whose geometry may depend on the warp width."""

    __slots__ = ()
    grid: Extents
    block: Extents
    cluster: Extents
    shared_bytes: int

    def launch(self, width: int) -> Launch:
        """Return the geometry at a warp width.

        Raises:
            ValueError: The geometry is impossible.
        """
        return Launch(
            grid=_complete_extents(self.grid, width),
            block=_complete_extents(self.block, width),
            cluster=_complete_extents(self.cluster, width),
            shared_bytes=self.shared_bytes,
        )


@dataclass(frozen=True, slots=True)
class Kernel(_Launched):
    """One launch of a kernel of the puzzle's file.

    Attributes:
        name: The Mojo function.
        arguments: The names of its arguments in the order of its signature, separated by blanks; empty for all of the
            case's in their order.
        grid: Blocks, never clusters.
        block: Threads of a block.
        cluster: Blocks of a cluster.
        shared_bytes: Dynamic shared memory of a block, beside what the kernel declares.
        parameters: Its compile-time parameters in the order of its signature, or a function from the warp width to
            them; they are passed as literals. A text is Mojo: a type as `type_of(...)`, a value with its type in front,
            as `DType.float32`.
    """

    name: str
    arguments: str = ""
    grid: Extents = 1
    block: Extents = 1
    cluster: Extents = 1
    shared_bytes: int = 0
    parameters: Parameters | Callable[[int], Parameters] = field(default_factory=dict, hash=False)

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions of the file that the step consists of."""
        return (self.name,)

    def geometries(self, width: int) -> tuple[Launch, ...]:
        """Return the geometry of the step's one launch, in a tuple."""
        return (self.launch(width),)

    def parameter_values(self, width: int) -> Parameters:
        """Return the compile-time parameters at a warp width."""
        return self.parameters(width) if callable(self.parameters) else self.parameters


@dataclass(frozen=True, slots=True)
class ExpectedLaunch(_Launched):
    """A launch that a host function must make.

    Attributes:
        name: The kernel, a function of the puzzle's file.
        grid, block, cluster, shared_bytes: As in `Kernel`.
    """

    name: str
    grid: Extents = 1
    block: Extents = 1
    cluster: Extents = 1
    shared_bytes: int = 0


@dataclass(frozen=True, slots=True)
class HostStep:
    """A call of a host function of the puzzle's file, with buffers of the case and a `DeviceContext` after them.

    Attributes:
        name: The Mojo function, or a struct's: `Conv1DCustomOp.execute`.
        arguments: As in `Kernel`.
        parameters: Its compile-time parameters as Mojo writes them, in the order of its signature; names of the
            puzzle's file begin with `file.`.
        launches: The launches that it must make, in order, or `LIBRARY`, or `ANY`. Fills and copies are not checked.
        also: Further functions of the file that it calls and that are to be filled in.
    """

    name: str
    arguments: str = ""
    parameters: tuple[str, ...] = ()
    launches: tuple[ExpectedLaunch, ...] | str = LIBRARY
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.launches or (isinstance(self.launches, str) and self.launches not in (LIBRARY, ANY)):
            raise ValueError(f"{self.name!r} makes launches, or leaves them to a library, but got {self.launches!r}")

    @property
    def expected_launches(self) -> tuple[ExpectedLaunch, ...] | None:
        """The launches that it must make; None for `LIBRARY` and `ANY`."""
        return None if isinstance(self.launches, str) else self.launches

    @property
    def functions(self) -> tuple[str, ...]:
        """The parts of the file that the step consists of: the function or its struct, the kernels it launches, and
        `also`.
        """
        return (self.name.partition(".")[0], *(launched.name for launched in self.expected_launches or ()), *self.also)

    def geometries(self, width: int) -> tuple[Launch, ...]:
        """Return the geometry of each expected launch at a warp width; empty for `LIBRARY` and `ANY`.

        Raises:
            ValueError: A geometry is impossible.
        """
        return tuple(launched.launch(width) for launched in self.expected_launches or ())


Step = Kernel | HostStep


# A compile-time parameter of an op: an `Int`, a `StaticString` or a `DType`.
Parameter = int | str | np.dtype


@dataclass(frozen=True, slots=True)
class Graph:
    """A MAX graph that the puzzle's Python file builds and executes: one call of an op that its Mojo file registers.

    Attributes:
        name: The Python function. It takes an array for each operand, a session and a device. It lets the session load
            the graph, executes the model once, and returns the results. With `torch` it takes only torch tensors, calls
            the op once through a `CustomOpLibrary`, which makes the graph, and returns the tensor that the op has
            filled.
        op: The name under which the op is registered.
        operands: The names of the case's arguments that the op takes, in its order, separated by blanks.
        results: The names of those that it gives.
        parameters: Its compile-time parameters.
        defaults: Parameters that may be left out, with their default values.
        devices: The devices it runs on; the function is called once for each.
        handout: The form in which a learner gets the Python file.
        torch: Whether the op is called on torch tensors; on a GPU the same graph is executed without torch.
    """

    name: str
    op: str
    operands: str
    results: str = "output"
    parameters: Mapping[str, Parameter] = field(default_factory=dict, hash=False)
    defaults: Mapping[str, Parameter] = field(default_factory=dict, hash=False)
    devices: tuple[Literal["gpu", "cpu"], ...] = ("gpu",)
    handout: Handout = field(default_factory=Blank, hash=False)
    torch: bool = False

    @property
    def checked_devices(self) -> tuple[Literal["gpu", "cpu"], ...]:
        """The devices for which the function is called to check its graph; only the CPU with torch."""
        return ("cpu",) if self.torch else self.devices


def _complete_extents(extents: Extents, width: int) -> Extent:
    value = extents(width) if callable(extents) else extents
    x, y, z = (*(value if isinstance(value, tuple) else (value,)), 1, 1)[:3]
    return x, y, z
