"""What is built together: the cases of one puzzle, from one kernel file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.build.cache import digest, key_of
from harness.build.toolchain import package_versions
from harness.catalogue import CASES
from harness.errors import ArtifactError
from harness.model.case import Case, Instance
from harness.model.sources import MOJO, Sources
from harness.model.target import Target

__all__ = ["BuildUnit", "assert_launch", "parameters_of", "units"]

FORMAT = 3  # raise it when an entry of the cache changes its meaning


@dataclass(frozen=True, slots=True)
class BuildUnit:
    """The cases of a puzzle at one warp width.

    Attributes:
        puzzle: `p26`.
        cases: All of the puzzle's cases that the target can run, so that asking
            for one now and for another later builds once.
        width: Lanes of a warp.
        kernel: The file with the kernels.
    """

    puzzle: str
    cases: tuple[Case, ...]
    width: int
    kernel: Path

    @property
    def module(self) -> str:
        """The name of the kernels' Mojo module."""
        return self.cases[0].source

    @property
    def op(self) -> Path:
        """The file that registers the MAX ops."""
        return MOJO / "ops" / f"{self.cases[0].stem}.mojo"

    @property
    def device_program(self) -> Path:
        """The program that instantiates the kernels; no module may import itself, hence its name."""
        return MOJO / "device_ir" / f"{self.cases[0].stem}_device.mojo"

    def instance(self, case: Case) -> Instance:
        """A case at this group's warp width."""
        return case.instance(self.width)

    def key(self, kind: str, sources: Sequence[Path], **facts: Any) -> str:
        """The cache's key for what is built from these files with these facts."""
        return key_of(
            {
                "format": FORMAT,
                "kind": kind,
                "puzzle": self.puzzle,
                "sources": [digest(path.read_bytes()) for path in sources],
                "versions": package_versions(),
                "parameters": {case.id: parameters_of(self.instance(case)) for case in self.cases},
                **facts,
            }
        )


def parameters_of(instance: Instance) -> dict[str, int]:
    """Every compile-time parameter of a case's op: sizes, scalars and launch."""
    scalars = {scalar.name: scalar.value for scalar in instance.scalars}
    return {**instance.parameters, **scalars, **instance.launch.parameters()}


def assert_launch(case: Case, mlir: str, documented: dict[str, int]) -> None:
    """Reads an op's parameters back from a graph's MLIR.

    Raises:
        ArtifactError: They are not the documented sizes, scalars and launch.
    """
    match = re.search(r"parameters = \{([^}]*)\}", mlir)
    held = {name: int(value) for name, value in re.findall(r"(\w+) = (-?\d+)", match[1] if match else "")}
    if held != documented:
        raise ArtifactError(f"the graph of {case.id} holds {held}, but documented are {documented}.")


def units(
    cases: Sequence[Case], target: Target | None, sources: Sources, width: int, *, force: bool = False
) -> tuple[BuildUnit, ...]:
    """The groups that hold the given cases.

    Args:
        cases: What is wanted; what the target refuses is left out.
        target: None for the host CPU, which refuses nothing.
        sources: Whose kernels.
        width: Lanes of a warp.
        force: Takes exactly the given cases, refused or not.
    """
    wanted: dict[str, list[Case]] = {}
    for case in cases:
        if force or target is None or case.refusal(target) is None:
            wanted.setdefault(case.puzzle, []).append(case)
    groups = []
    for puzzle, asked in wanted.items():
        known: Mapping[str, Case] = {case.id: case for case in CASES if case.puzzle == puzzle}
        if not force and all(known.get(case.id) is case for case in asked):
            asked = [case for case in known.values() if target is None or case.refusal(target) is None]
        kernel = sources.kernel_file(puzzle, asked[0].folder, asked[0].source)
        groups.append(BuildUnit(puzzle, tuple(asked), width, kernel))
    return tuple(groups)
