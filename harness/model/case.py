"""The vocabulary of the catalogue: frozen values, validated at birth.

A `Case` is one documented command.  Everything in it that depends on the
target is a function of the warp width `W`; `Case.instance(W)` resolves them into a
`Instance`, which has plain shapes and plain data.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from harness.model.arguments import Role, ScalarArgument, TensorArgument
from harness.model.claims import Claim, CodeClaim, CounterClaim, Need, OccupancyClaim, Within
from harness.model.given import Blank, Given
from harness.model.instance import Arrays, Dataset, Instance
from harness.model.launch import Extent, Launch
from harness.model.sizes import FurtherLaunch, OtherSize, Size
from harness.model.steps import LIBRARY, Graph, Host, Kernel, Launched, Step
from harness.model.target import Target

__all__ = [
    "LIBRARY",
    "Arrays",
    "Case",
    "Claim",
    "CodeClaim",
    "CounterClaim",
    "Dataset",
    "Extent",
    "Graph",
    "Host",
    "Instance",
    "Kernel",
    "Launch",
    "Launched",
    "Need",
    "OccupancyClaim",
    "Peer",
    "Role",
    "ScalarArgument",
    "Size",
    "Step",
    "TensorArgument",
    "Within",
]

Peer = Callable[[Any, Any, Any], Callable[[], object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One documented command: what it launches, on what data, and what is promised of it.

    Attributes:
        puzzle: `p26`; also the folder of its Mojo files below `mojo/` and the name under
            which its kernels are imported, unless `file` names another.
        mode: The command-line flag without its dashes, or None when the
            puzzle has one case and no flag.
        title: A few words.
        steps: What it launches and calls, in order.
        resolve: Resolves everything that depends on the warp width.
        oracle: Inputs and warp width to the expected arrays, by the name of
            the tensor, in float64. Comparison is exact: every intermediate of
            the documented kernels is a multiple of a power of two, at most 2^24 times as large, or a copy; but for
            results that `within` names. Scalars that a data set changes are among the inputs, as arrays of no axis.
            A masked array says of its masked elements that nothing writes them.
        within: By name, the results that rounding may change, and by how much.
        printed: Warp width, a result as shaped by `printed_output` and its expected value to the lines that the
            documents print; `ok` adds those that only a right answer prints.
        printed_output: What is printed, with blanks between names; of several the elements one behind the other.
        needs: What a target must have.
        claims: What the documents promise.
        repetitions: Executions on a GPU whose results must be equal bit for bit.
        file: The kernel's file where there is only one; None for the solved or the
            learner's one of its folder.
        package: The folder, by its whole path, that such a file is a module of, with others that it may import.
        documented: Whether the documents have it; others run when they are named.
        op: The name under which the MAX op is registered; made from the id unless told.
        size: The argument by which the kernel takes other sizes, if there is one.
        peers: What does the same work elsewhere, for timing: by `torch`, `cupy` or `triton`, perhaps with more words,
            what makes the call of that library (of `harness.bench.peers_triton`), first input and empty output.
        draw: Draws inputs that nobody knew before, by name, such that results are exact; or `catalogue.data.drawn`.
        given: What a learner gets of the kernels; the same for all cases of a file, but for the findings of wrong ones.
        small: The same at a size that the simulator takes, where it does not take the documented one; see
            `harness.catalogue.sizes.at_sizes`, which sets it and `resized`.
        further: What is judged beside it: launches that tell apart what happens to be equal at this one, and other
            functions of its file; see `harness.catalogue.further`, and puzzle 18.
        redefined: Of such a launch: constants that its file is compiled with another value of, as Mojo writes it.
        further_of: Of such a launch: the id of the documented case.
        resized: The size that is not the documented one.
        graph: How the puzzle's Python calls the op whose launches the steps are; on a GPU it is executed too.
    """

    puzzle: str
    mode: str | None
    title: str
    steps: tuple[Step, ...]
    resolve: Callable[[int], Instance]
    oracle: Callable[[Arrays, int], dict[str, np.ndarray]]
    printed: Callable[[int, np.ndarray, np.ndarray, bool], Sequence[str]]
    printed_output: str = "output"
    needs: tuple[Need, ...] = ()
    claims: tuple[Claim, ...] = ()
    repetitions: int = 8
    file: Path | None = None
    package: Path | None = None
    documented: bool = True
    op: str = ""
    size: Size | None = None
    within: Mapping[str, Within] = field(default_factory=dict, hash=False)
    draw: Callable[[Instance, np.random.Generator], dict[str, np.ndarray]] | None = None
    peers: Mapping[str, Peer] = field(default_factory=dict, hash=False)
    given: Given = field(default_factory=Blank, hash=False)
    small: Case | None = None
    further: tuple[Case, ...] = ()
    redefined: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    further_of: str = ""
    resized: OtherSize | None = None
    graph: Graph | None = None

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError(f"case {self.id!r} has no step")
        if self.small and (self.small.id, self.small.kernels) != (self.id, self.kernels):
            raise ValueError(f"case {self.id!r} is another one at its small size")
        if not self.op:
            object.__setattr__(self, "op", re.sub(r"\W", "_", self.id))

    @property
    def id(self) -> str:
        """`p26:pair-swap`, or `p15` for a puzzle with one case."""
        return self.puzzle if self.mode is None else f"{self.puzzle}:{self.mode}"

    @property
    def documented_id(self) -> str:
        """The id of the case that it is, or is a further launch of."""
        return self.further_of or self.id

    @property
    def kernel_steps(self) -> tuple[Kernel, ...]:
        """Its steps that are launches of kernels."""
        return tuple(step for step in self.steps if isinstance(step, Kernel))

    @property
    def kernels(self) -> tuple[str, ...]:
        """The Mojo functions that it launches or calls, each once."""
        return tuple(dict.fromkeys(step.name for step in self.steps))

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions and structs of its file that it is made of, each once."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.functions))

    @property
    def called(self) -> str:
        """The host functions that it calls, for people; empty where there are none."""
        return " and ".join(step.name for step in self.steps if isinstance(step, Host))

    @property
    def named(self) -> str:
        """Its kernels, for people."""
        return " and ".join(self.kernels)

    @property
    def module(self) -> str:
        """The name under which its kernel is imported in Mojo."""
        if self.file and self.package:
            parts = self.file.relative_to(self.package.parent).with_suffix("").parts
            return ".".join(part for part in parts if part != "__init__")
        name = self.file.stem if self.file else self.puzzle
        # Short: compilers cut the names of kernels, which begin with it.
        return f"{name}_{zlib.crc32(repr(self.constants).encode()):08x}" if self.constants else name

    @property
    def constants(self) -> Mapping[str, int | str]:
        """The constants of its file that are compiled with another value than the file states, by name."""
        return {**({self.resized.constant: self.resized.value} if self.resized else {}), **self.redefined}

    @property
    def stated(self) -> Mapping[str, int | str]:
        """The same constants with what the file states: the documented value where that is known."""
        size = self.resized
        return {**self.constants, **({size.constant: size.documented} if size and size.documented else {})}

    @property
    def simulated(self) -> Case:
        """The case at the size at which the simulator runs it."""
        return self.small or self

    @property
    def sizes(self) -> tuple[Case, ...]:
        """What is built and run to judge it: itself first, and behind it what is judged beside it."""
        return (self, *self.further)

    def further_launch(self, width: int) -> FurtherLaunch | None:
        """Return the geometry and the constants of a further launch; None if the case is the documented one."""
        if not self.redefined:
            return None
        first = next(iter(self.launches(width)), None)
        # Tuples are the launch itself; of what is computed only a layout says something.
        shown = ((name, value) for name, value in self.redefined.items() if isinstance(value, int) or "[" in value)
        grid, block = (first.grid, first.block) if first else (None, (1, 1, 1))
        return FurtherLaunch(grid, block, tuple(shown))

    def instance(self, width: int) -> Instance:
        """The case at a warp width."""
        return self.resolve(width)

    def geometry(self, width: int) -> Instance:
        """The same for whom the data does not matter: it may lack it where it would be large."""
        return self.resolve(width)

    def launches(self, width: int) -> tuple[Launch, ...]:
        """The documented geometry of all launches at a warp width; nothing of those that a library makes."""
        return tuple(launch for step in self.steps for launch in step.made(width))

    def shown(self, results: Arrays) -> np.ndarray:
        """Of all results what is printed."""
        first, *more = (results[name] for name in self.printed_output.split())
        return np.concatenate([part.ravel() for part in (first, *more)]) if more else first

    def expected(self, dataset: Dataset, width: int) -> dict[str, np.ndarray]:
        """What the oracle says of a data set at a warp width."""
        scalars = {name: np.asarray(value) for name, value in dataset.scalars.items()}
        return self.oracle({**dataset.inputs, **scalars}, width)

    def bound(self, result: str, dataset: str) -> Within | None:
        """How far a result may lie from what the oracle says of a data set; None where it is to be exact."""
        within = self.within.get(result)
        return within if within and dataset in (within.data or (dataset,)) else None

    def repeatable(self, result: str) -> bool:
        """Whether a result is the same bit for bit in each execution."""
        return result not in self.within or not self.within[result].unordered

    def refusal(self, target: Target) -> str | None:
        """Why a target cannot run the case, or None if it can."""
        return next((need.reason for need in self.needs if not need.met(target)), None)
