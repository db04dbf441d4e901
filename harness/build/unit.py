"""`Build`: a build's options; `BuildUnit`: a step of a case with its Mojo file, which it stages and makes keys of.

Functions make, name, group and split units, and check the launches in a graph's MLIR.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from harness.build.cache import Cache, make_key, sha256_hex
from harness.build.migration.compiled_text import compiled_text, replaced_texts, report
from harness.build.redefined import redefine
from harness.build.signatures import find_registered_ops
from harness.build.toolchain import package_versions
from harness.errors import ArtifactError
from harness.model.case import Case, Instance, ScalarArgument, TensorArgument
from harness.model.launch import Launch
from harness.model.sources import SUFFIXES, Sources, display_path, find_reference
from harness.model.steps import HostStep, Kernel, Parameters, Step
from harness.model.target import Target
from harness.process.child import Limits

__all__ = [
    "Build",
    "BuildUnit",
    "Notify",
    "assert_launches",
    "case_names",
    "compiled_parameters",
    "group_values_by_case",
    "make_units",
    "split_group",
]

T = TypeVar("T")
Notify = Callable[[str], None]
FEW = 4  # which are compiled side by side as quickly as one after another in halves
FORMAT = 4  # raise it when an entry of the cache changes its meaning


def _ignore(*_: str) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The options of a build: the target, the kernels, and where results are kept.

    Attributes:
        target: A GPU. The sequential reference is built for its warp width.
        sources: The files of the kernels.
        cache: Where results are looked up and stored.
        notify: Called with one line when something is compiled.
        meanwhile: Called while a compiler of device code runs, to prepare the next step.
        reference: Build the sequential references for the host's processor, not the kernels.
        assertions: Compile `debug_assert` in, which Mojo leaves out otherwise; for device code only.
        debug: Name the source's variables in the device code. That is other code: no verdict rests on it.
        limits: Limits for each run of a compiler; None for that compiler's defaults.
        apart: Whether no file with host functions may access another one that is compiled with it.
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
    def target_name(self) -> str:
        """The name of what is built for: `cpu` or the target's name."""
        return "cpu" if self.reference else self.target.name


@dataclass(frozen=True, slots=True)
class BuildUnit:
    """One step of a case at one warp width, and the file with its kernel, host function or reference.

    Attributes:
        case: The case.
        step: The step's number in the case.
        instance: The case at that width, perhaps without its data.
        file: The Mojo file.
        module: The name under which the file is imported.
        handed_on: The inputs that another op of the same graph has written.
    """

    case: Case
    step: int
    instance: Instance
    file: Path
    module: str
    handed_on: frozenset[str] = frozenset()

    @property
    def kernel(self) -> Kernel:
        """The step as a kernel; AssertionError if it calls a host function."""
        step = self.case.steps[self.step]
        assert isinstance(step, Kernel)
        return step

    @property
    def host(self) -> HostStep:
        """The step as a call of a host function; AssertionError if it is a kernel."""
        step = self.case.steps[self.step]
        assert isinstance(step, HostStep)
        return step

    @property
    def launch(self) -> Launch:
        """The geometry of the launch."""
        return self.kernel.launch(self.instance.width)

    @property
    def parameters(self) -> Parameters:
        """The kernel's compile-time parameters in the order of its signature."""
        return self.kernel.parameter_values(self.instance.width)

    @property
    def arguments(self) -> tuple[TensorArgument | ScalarArgument, ...]:
        """The step's arguments in the order of its signature."""
        return self.instance.arguments_of(self.case.steps[self.step])

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
        """The name of the step's MAX op."""
        return self.case.op if self.step == 0 else f"{self.case.op}_{self.step}"

    @property
    def constants(self) -> dict[str, int]:
        """The sizes of the catalogue, with its values, that the file defines too, by a line `comptime NAME`."""
        stated = set(re.findall(r"^comptime\s+(\w+)", self.file.read_text(encoding="utf-8"), re.MULTILINE))
        return {name: value for name, value in self.instance.constants.items() if name in stated}

    @property
    def registered_ops(self) -> tuple[str, ...]:
        """The names of the MAX ops that its file registers itself."""
        return tuple(find_registered_ops(self._compiled_bytes(self.file).decode()))

    @property
    def files(self) -> tuple[Path, ...]:
        """The files to compile: the file, or all Mojo files of its package, by suffix, then by path."""
        if self.case.package is None:
            return (self.file,)
        return tuple(path for suffix in SUFFIXES for path in sorted(self.case.package.rglob(f"*{suffix}")))

    def stage(self, folder: Path) -> dict[str, Path]:
        """Put the files to compile into an existing folder: the file as `MODULE.mojo`, or its package.

        A file becomes a link, or a text with the case's constants and without older spellings. Nothing else in its own
        folder can be imported. A note about older spellings is printed to stderr, once in a process for each file.

        Returns:
            The real file by its path in the folder.
        """
        for path in self.files:
            report(path)
        if package := self.case.package:
            return {str(place): path for path, place in self._stage_package(folder / package.name, package).items()}
        place, text = folder / f"{self.module}.mojo", compiled_text(self.file)
        if constants := self.case.constants:
            original = self.file.read_text(encoding="utf-8") if text is None else text
            place.write_text(redefine(original, constants), encoding="utf-8")
        elif text is not None:
            place.write_bytes(text.encode())
        else:
            place.symlink_to(self.file)
        return {str(place): self.file}

    def _stage_package(self, folder: Path, package: Path) -> dict[Path, Path]:
        """Make a folder for a package: a link, or a folder of links if the compiler gets another text of a file.

        Return the path in it of each file. If the folder is there already, nothing is written.
        """
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

    def _compiled_bytes(self, path: Path) -> bytes:
        """Return what the compiler gets of a file; of one that is not the unit's, its contents."""
        folders = (self.case.package, self.case.package.parent) if self.case.package and path in self.files else ()
        text = compiled_text(path, folders) if path in self.files else None
        return path.read_bytes() if text is None else text.encode()

    def format_error(self, pattern: str, text: str) -> str:
        """Return an error in a compiler's form, at the first line whose beginning matches a pattern.

        Below it stand that line and a caret. Without a match it is at line 1, alone.
        """
        lines = enumerate(self.file.read_text(encoding="utf-8").split("\n"), 1)  # as Mojo counts them
        number, line = next((place for place in lines if re.match(pattern, place[1])), (1, ""))
        return "\n".join([f"{display_path(self.file)}:{number}:1: error: {text}", *([line, "^"] if line else [])])

    def make_key(self, kind: str, build: Build, generated: str, tools: Iterable[Path], **facts: Any) -> str:
        """Return the cache key for what these tools build from the file and the generated text."""
        return make_key(
            {
                "format": FORMAT,
                "kind": kind,
                "case": self.case.id,
                "sources": [sha256_hex(self._compiled_bytes(path)) for path in (*self.files, *tools)],
                "generated": generated,
                "versions": package_versions(),
                "target": build.target_name,
                **facts,
            }
        )


def make_units(
    cases: Iterable[Case], build: Build, *, force: bool = False, kind: type[Step] = Kernel
) -> tuple[BuildUnit, ...]:
    """Return a unit for each step of one kind, case by case.

    Args:
        cases: The cases. Those that the target refuses are left out; with `build.reference`, those without a reference.
        build: The build's options.
        force: Include what the target refuses.
        kind: The kind of steps. What a host function launches is built with that function (`harness.build.hosts`).
    """
    result = []
    for case in cases:
        if build.reference:
            file, module = find_reference(case), ""
            if file is None:
                continue
            module = f"{file.parent.name}_reference"
        elif force or case.refusal(build.target) is None:
            file, module = build.sources.kernel_file(case), case.module
        else:
            continue
        instance = case.geometry(build.target.warp_width)
        steps = (number for number, step in enumerate(case.steps) if isinstance(step, kind))
        result += [BuildUnit(case, number, instance, file, module) for number in steps]
    return tuple(result)


def case_names(units: Iterable[BuildUnit]) -> str:
    """Return the ids of the documented cases of some units, each once, for people."""
    return ", ".join(dict.fromkeys(unit.case.documented_id for unit in units))


def group_values_by_case(values: Iterable[tuple[BuildUnit, T]]) -> dict[str, tuple[T, ...]]:
    """Group values of units by case id, in the given order, whichever units are between."""
    groups: dict[str, tuple[T, ...]] = {}
    for unit, part in values:
        groups[unit.case.id] = (*groups.get(unit.case.id, ()), part)
    return groups


def split_group(together: Sequence[T]) -> list[Sequence[T]]:
    """Split things that do not compile together: each alone if they are at most `FEW`, else two halves."""
    middle = len(together) // 2
    return [[single] for single in together] if len(together) <= FEW else [together[:middle], together[middle:]]


def compiled_parameters(case: Case, width: int) -> dict[str, int | float | str]:
    """Return what is compiled into a case's graph, by name: each kernel's launch and its parameters that are numbers.

    Names of step N > 0 are `N.name`. The parameters of the graph's op, without defaults, are MLIR text as `OP.name`.
    """
    numbers: dict[str, int | float | str] = {}
    for number, step in enumerate(case.steps):
        if not isinstance(step, Kernel):
            continue
        values = {**step.parameter_values(width), **step.launch(width).parameters()}
        numeric = {name: value for name, value in values.items() if not isinstance(value, str)}
        numbers |= {f"{number}.{name}" if number else name: value for name, value in numeric.items()}
    if case.graph:
        from harness.build.mlir import format_parameter  # late: most cases have no graph

        numbers |= {f"{case.graph.op}.{name}": format_parameter(value) for name, value in case.graph.parameters.items()}
    return numbers


def assert_launches(case: Case, mlir: str, documented: Sequence[Mapping[str, int]]) -> None:
    """Check the launches in a graph's MLIR against the documented ones.

    Args:
        documented: The parameters of the op of each launch, in order.

    Raises:
        ArtifactError: They differ.
    """
    texts = re.findall(r"parameters = \{([^}]*)\}", mlir)
    actual = [{name: int(value) for name, value in re.findall(r"(\w+) = (-?\d+)", part)} for part in texts]
    if actual != [dict(part) for part in documented]:
        raise ArtifactError(f"the graph of {case.id} holds {actual}, but documented are {list(documented)}.")
