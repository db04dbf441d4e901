"""A documented command as a frozen, validated record: steps, data, oracle, tolerances, promises, sizes, hand-out.

Everything in a `Case` that depends on the target is a function of the warp width; `Case.instance(width)` resolves it to
an `Instance` with concrete shapes and data. This module also exports the records that a case consists of.
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
from harness.model.handout import Blank, Handout
from harness.model.instance import Arrays, Dataset, Instance
from harness.model.launch import Extent, Launch
from harness.model.sizes import FurtherLaunch, OtherSize, Size
from harness.model.steps import LIBRARY, ExpectedLaunch, Graph, HostStep, Kernel, Step
from harness.model.target import Target

__all__ = [
    "LIBRARY",
    "Arrays",
    "Case",
    "Claim",
    "CodeClaim",
    "CounterClaim",
    "Dataset",
    "ExpectedLaunch",
    "Extent",
    "Graph",
    "HostStep",
    "Instance",
    "Kernel",
    "Launch",
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
        puzzle: `p26`; also the folder of its Mojo files below `mojo/` and the name under which its kernels are
            imported, unless `file` names another.
        mode: The command-line flag without its dashes; None if the puzzle has one case and no flag.
        title: A few words.
        steps: The launches and calls, in order.
        resolve: Resolves everything that depends on the warp width.
        oracle: Returns the expected arrays in float64, by tensor name, for inputs and a warp width. Comparison is
            exact, except for results that `within` names: every intermediate of the documented kernels is a multiple of
            a power of two, at most 2^24 times as large, or a copy. Scalars that a data set changes are among the
            inputs, as arrays of no axis. Masked elements are not written by anything.
        printed: Returns the lines that the documents print, from the warp width, a result of the shape of
            `printed_output`, its expected value, and `ok`, which adds the lines that only a right answer prints.
        printed_output: The names of the printed results, separated by blanks; several are concatenated.
        needs: The requirements on a target.
        claims: The promises of the documents.
        repetitions: The number of executions on a GPU whose results must be equal bit for bit.
        file: The kernel's file if there is only one; None for the solution or the learner's file of its folder.
        package: The absolute path of the folder that `file` is a module of.
        documented: Whether the documents have it; others run only when they are named.
        op: The name of the MAX op; made from the id if empty.
        size: The argument by which the kernel takes other sizes, if there is one.
        within: The tolerances of results that rounding may change, by name.
        draw: Draws new random inputs by name, such that results are exact; or `catalogue.data.DEFAULT_DRAW`.
        peers: Equivalent calls for timing, by `torch`, `cupy` or `triton`, perhaps with more words; each is made from
            the library (of `harness.bench.peers_triton`), the first input and an empty output.
        handout: The form in which a learner gets the kernels; the same for all cases of a file, except the findings.
        small: The case at a size that the simulator can run, if it cannot run the documented one; see
            `harness.catalogue.sizes.at_sizes`, which sets it and `resized`.
        further: Cases judged beside it: launches whose sizes all differ, and other functions of its file; see
            `harness.catalogue.further`, and puzzle 18.
        redefined: Constants that the file of a further launch is compiled with, as Mojo writes them.
        further_of: The id of the documented case of a further launch.
        resized: The size that replaces the documented one.
        graph: The call of the op by the puzzle's Python; on a GPU it is executed too.
        kernel_steps: The steps that launch kernels.
        kernels: The Mojo functions that it launches or calls, each once.
        called: The host functions that it calls, for people; empty if there are none.
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
    handout: Handout = field(default_factory=Blank, hash=False)
    small: Case | None = None
    further: tuple[Case, ...] = ()
    redefined: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    further_of: str = ""
    resized: OtherSize | None = None
    graph: Graph | None = None
    kernel_steps: tuple[Kernel, ...] = field(init=False, repr=False, compare=False)
    kernels: tuple[str, ...] = field(init=False, repr=False, compare=False)
    called: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        launches = tuple(step for step in self.steps if isinstance(step, Kernel))
        object.__setattr__(self, "kernel_steps", launches)
        object.__setattr__(self, "kernels", tuple(dict.fromkeys(step.name for step in self.steps)))
        names = (step.name for step in self.steps if isinstance(step, HostStep))
        object.__setattr__(self, "called", " and ".join(names))
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
    def functions(self) -> tuple[str, ...]:
        """The functions and structs of the file that the case consists of, each once."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.functions))

    @property
    def kernel_names(self) -> str:
        """The names of its kernels, for people."""
        return " and ".join(self.kernels)

    @property
    def module(self) -> str:
        """The name under which its file is imported in Mojo.

        In a package it is dotted, from the package's name on, without `__init__`. Otherwise it is the stem of `file`,
        or `puzzle` without a `file`; only then `_` and a hash of the `constants` follow, if there are any.
        """
        if self.file and self.package:
            names = self.file.relative_to(self.package.parent).with_suffix("").parts
            return ".".join(part for part in names if part != "__init__")
        name = self.file.stem if self.file else self.puzzle
        # Short: compilers cut the names of kernels, which begin with it.
        return f"{name}_{zlib.crc32(repr(self.constants).encode()):08x}" if self.constants else name

    @property
    def constants(self) -> Mapping[str, int | str]:
        """The constants of its file that are compiled with another value, by name."""
        return {**({self.resized.constant: self.resized.value} if self.resized else {}), **self.redefined}

    @property
    def stated(self) -> Mapping[str, int | str]:
        """`constants`, but the one of `resized` has the value in the file, if that is known, else the compiled one.

        The others, those of `redefined`, have the values that they are compiled with.
        """
        size = self.resized
        return {**self.constants, **({size.constant: size.documented} if size and size.documented else {})}

    @property
    def simulated(self) -> Case:
        """The case at the size that the simulator runs."""
        return self.small or self

    @property
    def sizes(self) -> tuple[Case, ...]:
        """All cases that are built and run to judge it: itself first, then the further ones."""
        return (self, *self.further)

    def further_launch(self, width: int) -> FurtherLaunch | None:
        """Return the geometry and `redefined` constants of this case, a further launch; None without such constants.

        The geometry is that of its first launch. If only a library launches, the grid is None and the block (1, 1, 1).
        Of the constants, only numbers and layouts are returned.
        """
        if not self.redefined:
            return None
        first = next(iter(self.launches(width)), None)
        # Tuples are the launch itself; of what is computed only a layout says something.
        constants = ((name, value) for name, value in self.redefined.items() if isinstance(value, int) or "[" in value)
        grid, block = (first.grid, first.block) if first else (None, (1, 1, 1))
        return FurtherLaunch(grid, block, tuple(constants))

    def instance(self, width: int) -> Instance:
        """Resolve the case at a warp width."""
        return self.resolve(width)

    def geometry(self, width: int) -> Instance:
        """Resolve the case at a warp width, perhaps without large data."""
        return self.resolve(width)

    def launches(self, width: int) -> tuple[Launch, ...]:
        """Return the documented geometry of all launches at a warp width; a library's launches are left out."""
        return tuple(launch for step in self.steps for launch in step.geometries(width))

    def printed_values(self, results: Arrays) -> np.ndarray:
        """Return the results that `printed_output` names: one in its shape, or several in order as one flat array."""
        first, *more = (results[name] for name in self.printed_output.split())
        return np.concatenate([part.ravel() for part in (first, *more)]) if more else first

    def expected(self, dataset: Dataset, width: int) -> dict[str, np.ndarray]:
        """Return the oracle's results for a data set at a warp width, by tensor name; scalars that the data set changes
        are passed as arrays of no axis.
        """
        scalars = {name: np.asarray(value) for name, value in dataset.scalars.items()}
        return self.oracle({**dataset.inputs, **scalars}, width)

    def tolerance(self, result: str, dataset: str) -> Within | None:
        """Return the tolerance of a result on a data set; None if it must be exact there."""
        within = self.within.get(result)
        return within if within and dataset in (within.data or (dataset,)) else None

    def is_repeatable(self, result: str) -> bool:
        """Return whether a result is the same bit for bit in each execution."""
        return result not in self.within or not self.within[result].unordered

    def refusal(self, target: Target) -> str | None:
        """Return the reason why a target cannot run the case, or None."""
        return next((need.reason for need in self.needs if not need.met(target)), None)
