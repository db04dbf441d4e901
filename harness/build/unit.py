"""What a build is made from, and what is built together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.build.cache import Cache, digest, key_of
from harness.build.toolchain import package_versions
from harness.errors import ArtifactError
from harness.model.case import Case, Instance
from harness.model.sources import Sources, reference_file
from harness.model.target import Target

__all__ = ["Build", "BuildUnit", "Notify", "assert_launch", "parameters_of", "units"]

Notify = Callable[[str], None]
FORMAT = 4  # raise it when an entry of the cache changes its meaning


def _ignore(*_: str) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """Whose kernels are built for what, and where the results are kept.

    Attributes:
        target: A GPU. The sequential reference is built at its warp width.
        sources: Whose kernels.
        cache: Where results are looked for and stored.
        notify: Gets one line when something is compiled.
        meanwhile: Is called while a compiler of device code runs, to make ready what comes after it.
        reference: Builds the sequential references for the host's processor, not the kernels.
        assertions: Compiles `debug_assert` in, which Mojo leaves out otherwise; of device code alone.
        debug: Names the source's variables in the device code. That is other code: no verdict rests on it.
    """

    target: Target
    sources: Sources = field(default_factory=Sources)
    cache: Cache = field(default_factory=Cache.default)
    notify: Notify = _ignore
    meanwhile: Callable[[], object] = _ignore
    reference: bool = False
    assertions: bool = False
    debug: bool = False

    @property
    def where(self) -> str:
        """What is built for, for people and for keys."""
        return "cpu" if self.reference else self.target.name


@dataclass(frozen=True, slots=True)
class BuildUnit:
    """A case at one warp width, and the file with its kernel or its reference.

    Attributes:
        case: What is built.
        instance: It at that width, perhaps without its data.
        file: The Mojo file.
        module: The name under which that file is imported.
        handed_on: Inputs that another op of the same graph has written.
    """

    case: Case
    instance: Instance
    file: Path
    module: str
    handed_on: frozenset[str] = frozenset()

    @property
    def constants(self) -> dict[str, int]:
        """The sizes of the catalogue that the file states too."""
        stated = set(re.findall(r"^comptime\s+(\w+)", self.file.read_text(encoding="utf-8"), re.MULTILINE))
        return {name: value for name, value in self.instance.constants.items() if name in stated}

    def key(self, kind: str, build: Build, generated: str, tools: Iterable[Path], **facts: Any) -> str:
        """The cache's key for what is built from the file and the generated text with these tools."""
        return key_of(
            {
                "format": FORMAT,
                "kind": kind,
                "case": self.case.id,
                "sources": [digest(path.read_bytes()) for path in (self.file, *tools)],
                "generated": generated,
                "versions": package_versions(),
                "target": build.where,
                **facts,
            }
        )


def units(cases: Iterable[Case], build: Build, *, force: bool = False) -> tuple[BuildUnit, ...]:
    """What is built for some cases.

    Args:
        cases: What the target refuses is left out, and what has no reference where that is wanted.
        build: For what.
        force: Takes what the target refuses too.
    """
    wanted = []
    for case in cases:
        instance = case.geometry(build.target.warp_width)
        if not build.reference:
            if force or case.refusal(build.target) is None:
                wanted.append(BuildUnit(case, instance, build.sources.kernel_file(case), case.module))
        elif file := reference_file(case):
            wanted.append(BuildUnit(case, instance, file, f"{file.parent.name}_reference"))
    return tuple(wanted)


def parameters_of(instance: Instance) -> dict[str, int | float]:
    """Every number that is compiled into a case's graph: sizes and launch."""
    return {**instance.parameters, **instance.launch.parameters()}


def assert_launch(case: Case, mlir: str, documented: dict[str, int]) -> None:
    """Reads the launch back from a graph's MLIR.

    Raises:
        ArtifactError: It is not the documented one.
    """
    match = re.search(r"parameters = \{([^}]*)\}", mlir)
    held = {name: int(value) for name, value in re.findall(r"(\w+) = (-?\d+)", match[1] if match else "")}
    if held != documented:
        raise ArtifactError(f"the graph of {case.id} holds {held}, but documented are {documented}.")
