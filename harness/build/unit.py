"""What a build is made from, and what is built together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from harness.build.cache import Cache, digest, key_of
from harness.build.migration.compiled_text import compiled_text, replaced_texts, report
from harness.build.redefined import redefined
from harness.build.signatures import registered
from harness.build.toolchain import package_versions
from harness.errors import ArtifactError
from harness.model.case import Case, Instance, ScalarArgument, TensorArgument
from harness.model.launch import Launch
from harness.model.sources import SUFFIXES, Sources, reference_file, shown
from harness.model.steps import Host, Kernel, Parameters, Step
from harness.model.target import Target
from harness.process.child import Limits

__all__ = [
    "Build",
    "BuildUnit",
    "Notify",
    "assert_launches",
    "by_case",
    "case_names",
    "parameters_of",
    "smaller",
    "units",
]

T = TypeVar("T")
Notify = Callable[[str], None]
FEW = 4  # which are compiled side by side as quickly as one after another in halves
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
        limits: On each call of a compiler; None for those of each compiler.
        apart: Whether no file with host functions may have to do with another one that is compiled with it.
    """

    target: Target
    sources: Sources = field(default_factory=Sources)
    cache: Cache = field(default_factory=Cache.default)
    notify: Notify = _ignore
    meanwhile: Callable[[], object] = _ignore
    reference: bool = False
    assertions: bool = False
    debug: bool = False
    limits: Limits | None = None
    apart: bool = False

    @property
    def where(self) -> str:
        """What is built for, for people and for keys."""
        return "cpu" if self.reference else self.target.name


@dataclass(frozen=True, slots=True)
class BuildUnit:
    """One step of a case at one warp width, and the file with its kernel, its host function or its reference.

    Attributes:
        case: What is built.
        step: Its number among the case's steps.
        instance: The case at that width, perhaps without its data.
        file: The Mojo file.
        module: The name under which that file is imported.
        handed_on: Inputs that another op of the same graph has written.
    """

    case: Case
    step: int
    instance: Instance
    file: Path
    module: str
    handed_on: frozenset[str] = frozenset()

    @property
    def kernel(self) -> Kernel:
        """What is launched."""
        step = self.case.steps[self.step]
        assert isinstance(step, Kernel)
        return step

    @property
    def host(self) -> Host:
        """What is called."""
        step = self.case.steps[self.step]
        assert isinstance(step, Host)
        return step

    @property
    def launch(self) -> Launch:
        """Its geometry."""
        return self.kernel.launch(self.instance.width)

    @property
    def parameters(self) -> Parameters:
        """Its compile-time parameters in the order of its signature."""
        return self.kernel.values(self.instance.width)

    @property
    def arguments(self) -> tuple[TensorArgument | ScalarArgument, ...]:
        """What it takes, in the order of its signature."""
        return self.instance.taken(self.case.steps[self.step])

    @property
    def tensors(self) -> tuple[TensorArgument, ...]:
        """The tensors among its arguments."""
        return tuple(argument for argument in self.arguments if isinstance(argument, TensorArgument))

    @property
    def scalars(self) -> tuple[ScalarArgument, ...]:
        """The scalars among its arguments."""
        return tuple(argument for argument in self.arguments if isinstance(argument, ScalarArgument))

    @property
    def op(self) -> str:
        """The name of its MAX op."""
        return self.case.op if self.step == 0 else f"{self.case.op}_{self.step}"

    @property
    def constants(self) -> dict[str, int]:
        """The sizes of the catalogue that the file states too."""
        stated = set(re.findall(r"^comptime\s+(\w+)", self.file.read_text(encoding="utf-8"), re.MULTILINE))
        return {name: value for name, value in self.instance.constants.items() if name in stated}

    @property
    def registered_ops(self) -> tuple[str, ...]:
        """The names of the MAX ops that its file registers itself."""
        return tuple(registered(self._text(self.file).decode()))

    @property
    def files(self) -> tuple[Path, ...]:
        """What is compiled: the file, or all files of its package."""
        if self.case.package is None:
            return (self.file,)
        return tuple(path for suffix in SUFFIXES for path in sorted(self.case.package.rglob(f"*{suffix}")))

    def staged(self, folder: Path) -> dict[str, Path]:
        """Puts into a folder what is compiled: the file, or what it is with other constants, or its package.

        A file is linked alone: nothing else in its folder is imported.

        Returns:
            By where it lies there, as a compiler names it, the real file.
        """
        for path in self.files:
            report(path)
        if package := self.case.package:
            return {str(place): path for path, place in self._staged_package(folder / package.name, package).items()}
        place, text = folder / f"{self.module}.mojo", compiled_text(self.file)
        if constants := self.case.constants:
            own = self.file.read_text(encoding="utf-8") if text is None else text
            place.write_text(redefined(own, constants), encoding="utf-8")
        elif text is not None:
            place.write_bytes(text.encode())
        else:
            place.symlink_to(self.file)
        return {str(place): self.file}

    def _staged_package(self, folder: Path, package: Path) -> dict[Path, Path]:
        """Link a package, or make one of links if the compiler gets another text of a file; return places by file."""
        places = {path: folder / path.relative_to(package) for path in self.files}
        texts = replaced_texts(self.files, (package, package.parent))
        if folder.is_symlink() or folder.is_dir():  # another unit's
            return places
        if not texts:
            folder.symlink_to(package, target_is_directory=True)
            return places
        for path, place in places.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            if path in texts:
                place.write_bytes(texts[path].encode())
            else:
                place.symlink_to(path)
        return places

    def _text(self, path: Path) -> bytes:
        """Return what the compiler gets of a file."""
        folders = (self.case.package, self.case.package.parent) if self.case.package and path in self.files else ()
        text = compiled_text(path, folders) if path in self.files else None
        return path.read_bytes() if text is None else text.encode()

    def error_at(self, defined: str, text: str) -> str:
        """An error as a compiler tells it, at the line of the file that begins as a pattern says, else at the first."""
        lines = enumerate(self.file.read_text(encoding="utf-8").split("\n"), 1)  # as Mojo counts them
        number, line = next((place for place in lines if re.match(defined, place[1])), (1, ""))
        return "\n".join([f"{shown(self.file)}:{number}:1: error: {text}", *([line, "^"] if line else [])])

    def key(self, kind: str, build: Build, generated: str, tools: Iterable[Path], **facts: Any) -> str:
        """The cache's key for what is built from the file and the generated text with these tools."""
        return key_of(
            {
                "format": FORMAT,
                "kind": kind,
                "case": self.case.id,
                "sources": [digest(self._text(path)) for path in (*self.files, *tools)],
                "generated": generated,
                "versions": package_versions(),
                "target": build.where,
                **facts,
            }
        )


def units(
    cases: Iterable[Case], build: Build, *, force: bool = False, kind: type[Step] = Kernel
) -> tuple[BuildUnit, ...]:
    """What is built for some cases: a unit for each step of a kind, those of a case one after another.

    Args:
        cases: What the target refuses is left out, and what has no reference where that is wanted.
        build: For what.
        force: Takes what the target refuses too.
        kind: Of the steps; what a host function launches is built with that function (`harness.build.hosts`).
    """
    wanted = []
    for case in cases:
        if build.reference:
            file, module = reference_file(case), ""
            if file is None:
                continue
            module = f"{file.parent.name}_reference"
        elif force or case.refusal(build.target) is None:
            file, module = build.sources.kernel_file(case), case.module
        else:
            continue
        instance = case.geometry(build.target.warp_width)
        steps = (number for number, step in enumerate(case.steps) if isinstance(step, kind))
        wanted += [BuildUnit(case, number, instance, file, module) for number in steps]
    return tuple(wanted)


def case_names(units: Iterable[BuildUnit]) -> str:
    """Return the ids of the documented cases of some units, each once, for people."""
    return ", ".join(dict.fromkeys(unit.case.documented_id for unit in units))


def by_case(parts: Iterable[tuple[BuildUnit, T]]) -> dict[str, tuple[T, ...]]:
    """What there is of each unit, by case id in the order of its launches."""
    found: dict[str, tuple[T, ...]] = {}
    for unit, part in parts:
        found[unit.case.id] = (*found.get(unit.case.id, ()), part)
    return found


def smaller(together: Sequence[T]) -> list[Sequence[T]]:
    """What is tried instead of several things that do not compile together: each of a few, else the halves.

    Of many, the half that compiles is done with.
    """
    middle = len(together) // 2
    return [[one] for one in together] if len(together) <= FEW else [together[:middle], together[middle:]]


def parameters_of(case: Case, width: int) -> dict[str, int | float | str]:
    """What is compiled into a case's graph: sizes and launches, of later steps behind their number, and what an op is
    called with.
    """
    numbers: dict[str, int | float | str] = {}
    for number, step in enumerate(case.steps):
        if not isinstance(step, Kernel):
            continue
        own = {**step.values(width), **step.launch(width).parameters()}
        given = {name: value for name, value in own.items() if not isinstance(value, str)}
        numbers |= {f"{number}.{name}" if number else name: value for name, value in given.items()}
    if case.graph:
        from harness.build.mlir import parameter  # late: most cases have no graph

        numbers |= {f"{case.graph.op}.{name}": parameter(value) for name, value in case.graph.parameters.items()}
    return numbers


def assert_launches(case: Case, mlir: str, documented: Sequence[Mapping[str, int]]) -> None:
    """Reads the launches back from a graph's MLIR.

    Args:
        documented: The parameters of the op of each launch, in order.

    Raises:
        ArtifactError: They are not the documented ones.
    """
    found = re.findall(r"parameters = \{([^}]*)\}", mlir)
    held = [{name: int(value) for name, value in re.findall(r"(\w+) = (-?\d+)", part)} for part in found]
    if held != [dict(part) for part in documented]:
        raise ArtifactError(f"the graph of {case.id} holds {held}, but documented are {list(documented)}.")
