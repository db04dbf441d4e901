"""What a case does, in order, on the buffers and numbers that its steps share: launches of kernels, and calls of
functions of the host that make launches of their own; and the MAX graph through which a puzzle's Python calls an op of
its Mojo file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from harness.model.given import Blank, Given
from harness.model.launch import Extent, Launch

__all__ = ["ANY", "LIBRARY", "Extents", "Graph", "Host", "Kernel", "Launched", "Parameter", "Parameters", "Step"]

# In x, y and z, what is left out being 1; or a function from the warp width to that.
Extents = int | tuple[int, ...] | Callable[[int], int | tuple[int, ...]]
Parameters = Mapping[str, int | str]
# A library makes the launch: one, of a kernel and a geometry of its own, which depend on the target.
LIBRARY: Final = "library"
ANY: Final = "any"  # nothing is promised of its launches


@dataclass(frozen=True, slots=True)
class Kernel:
    """One launch of a kernel of the puzzle's file.

    Attributes:
        name: The Mojo function.
        arguments: Of the case's arguments those that it takes, by name in the order of its signature, with blanks
            between them; empty for all of them in the case's order.
        grid: Blocks, never clusters.
        block: Threads of a block.
        cluster: Blocks of a cluster.
        shared_bytes: Dynamic shared memory of a block, beside what the kernel declares.
        parameters: Its compile-time parameters in the order of its signature, or a function from the warp width to
            them; they are passed as literals. What is no number is Mojo: a type as
            `type_of(...)`, of what is none the type in front, `DType.float32`.
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
        """What of the file it is made of."""
        return (self.name,)

    def launch(self, width: int) -> Launch:
        """Its geometry at a warp width.

        Raises:
            ValueError: There is no such launch.
        """
        return _launch(self, width)

    def made(self, width: int) -> tuple[Launch, ...]:
        """The one launch that it is."""
        return (self.launch(width),)

    def values(self, width: int) -> Parameters:
        """Its compile-time parameters at a warp width."""
        return self.parameters(width) if callable(self.parameters) else self.parameters


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch that a function of the host is to make.

    Attributes:
        name: The kernel, a function of the puzzle's file.
        grid: As of a `Kernel`, and so are the others.
    """

    name: str
    grid: Extents = 1
    block: Extents = 1
    cluster: Extents = 1
    shared_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Host:
    """A call of a host function of the puzzle's file, with buffers of the case and a `DeviceContext` behind them.

    Attributes:
        name: The Mojo function, or one of a struct: `Conv1DCustomOp.execute`.
        arguments: As of a `Kernel`.
        parameters: Its compile-time parameters as Mojo writes them, in the order of its signature; `file.` stands
            before what the puzzle's file defines.
        launches: What it is to launch, in order, or `LIBRARY`, or `ANY`. What else it does on the device, fills
            and copies, is its own business.
        also: Functions of the file that it calls and that are to be filled in, beside itself and its kernels.
    """

    name: str
    arguments: str = ""
    parameters: tuple[str, ...] = ()
    launches: tuple[Launched, ...] | str = LIBRARY
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.launches or (isinstance(self.launches, str) and self.launches not in (LIBRARY, ANY)):
            raise ValueError(f"{self.name!r} makes launches, or leaves them to a library, but got {self.launches!r}")

    @property
    def own(self) -> tuple[Launched, ...] | None:
        """The launches that are promised of it; None where a library makes them."""
        return None if isinstance(self.launches, str) else self.launches

    @property
    def functions(self) -> tuple[str, ...]:
        """What of the file it is made of: the function, or its struct, and the kernels that it launches."""
        return (self.name.partition(".")[0], *(launched.name for launched in self.own or ()), *self.also)

    def made(self, width: int) -> tuple[Launch, ...]:
        """The geometry of the launches that are promised, at a warp width."""
        return tuple(_launch(launched, width) for launched in self.own or ())


Step = Kernel | Host


# A compile-time parameter of an op: an `Int`, a `StaticString` or a `DType`.
Parameter = int | str | np.dtype


@dataclass(frozen=True, slots=True)
class Graph:
    """A MAX graph that the puzzle's Python file builds and executes: one call of an op that its Mojo file registers.

    Attributes:
        name: The Python function. It takes an array for each operand, a session and a device, has the session load the
            graph, executes the model that comes of it once, and gives back what that gives. With `torch` it takes
            tensors of torch alone, calls the op once through a `CustomOpLibrary`, which makes the graph, and gives back
            the tensor that the op has filled.
        op: The name under which the op is registered.
        operands: Of the case's arguments those that the op takes, by name in its order, with blanks between them.
        results: The same of those that it gives.
        parameters: Its compile-time parameters.
        defaults: Those that may be left out, with the values that they then have.
        devices: Where it runs, each at a time: the function is called for each of them.
        given: What a learner gets of the Python file.
        torch: Whether the op is called on torch's tensors; what is executed on a GPU is the same graph without torch.
    """

    name: str
    op: str
    operands: str
    results: str = "output"
    parameters: Mapping[str, Parameter] = field(default_factory=dict, hash=False)
    defaults: Mapping[str, Parameter] = field(default_factory=dict, hash=False)
    devices: tuple[Literal["gpu", "cpu"], ...] = ("gpu",)
    given: Given = field(default_factory=Blank, hash=False)
    torch: bool = False

    @property
    def asserted(self) -> tuple[Literal["gpu", "cpu"], ...]:
        """The devices for which the function is called to see its graph, which torch's tensors are not needed on."""
        return ("cpu",) if self.torch else self.devices


def _launch(of: Kernel | Launched, width: int) -> Launch:
    return Launch(
        grid=_whole(of.grid, width),
        block=_whole(of.block, width),
        cluster=_whole(of.cluster, width),
        shared_bytes=of.shared_bytes,
    )


def _whole(extents: Extents, width: int) -> Extent:
    given = extents(width) if callable(extents) else extents
    x, y, z = (*(given if isinstance(given, tuple) else (given,)), 1, 1)[:3]
    return x, y, z
