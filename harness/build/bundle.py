"""Write and read a folder of compiled graphs with a manifest (`Bundle`), to build here and run on a GPU machine.

    manifest.json      what was built, for what, with what
    <digest>.mef       compiled graphs; the name begins the SHA-256 of the contents

The folder is written as a whole or not at all, and only read where it is run: no compiler and no cache are needed
there.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.build.around import DIFFERING, WARMUP, surrounding_cases
from harness.build.cache import MAX_BYTES, sha256_hex
from harness.build.graphs import Artifact, Graphs
from harness.build.toolchain import package_versions
from harness.build.unit import Build, compiled_parameters, make_units
from harness.catalogue import KNOWN, select_cases
from harness.catalogue import find_case as case_of
from harness.errors import ArtifactError, EnvironmentFault, UsageError
from harness.model.case import Case
from harness.model.plain_file import read_plain_file
from harness.model.sources import MANIFEST, display_path
from harness.model.target import Target

__all__ = ["Bundle", "keep_portable_launches", "read_bundle", "require_writable_place", "write_bundle"]

FORMAT = 5  # raise it when the manifest changes its meaning
MOST_BYTES = 16 << 20  # of a manifest, which has a few KiB
NAME_DIGITS = 16  # of a digest, in a file's name
FIELDS = {
    "format",
    "target",
    "warp_width",
    "host",
    "versions",
    "kernels",
    "sources",
    "cases",
    "around",
    "files",
}


@dataclass(frozen=True, slots=True)
class Bundle:
    """A folder of artifacts whose manifest and files are intact.

    Attributes:
        folder: Its path.
        target: The target it was built for.
        kernels: The origin of the kernels, for people.
        entries: Graph, file and parameters of each case at each of its sizes, by id.
        around: The same for the kernels launched around each case.
    """

    folder: Path
    target: Target
    kernels: str
    entries: Mapping[str, Mapping[str, Any]]
    around: Mapping[str, Mapping[str, Any]]

    def __str__(self) -> str:
        return f"artifacts in {self.folder} (built from {self.kernels})"

    def select(self, names: Sequence[str]) -> tuple[Case, ...]:
        """Return the named cases in the catalogue's order; without names, all cases of the folder in its order.

        `keep_portable_launches` removes launches that no folder holds. Without names, a case's larger sizes are not
        returned as cases of their own.

        Args:
            names: Ids of cases, or puzzles for all of their cases.

        Raises:
            UsageError: The catalogue has no such name.
            ArtifactError: The folder lacks a named case; or, without names, the catalogue lacks a case of the folder.
        """
        if names:
            cases = tuple(map(keep_portable_launches, select_cases(tuple(names))))
            if lacking := [case.id for case in cases if case.id not in self.entries]:
                available = ", ".join(case.id for case in self.select(()))
                raise ArtifactError(f"the artifacts in {self.folder} lack {', '.join(lacking)}: they hold {available}.")
            return cases
        larger = {size.id for entry in KNOWN for size in entry.sizes[1:]}
        try:
            return tuple(keep_portable_launches(case_of(name)) for name in self.entries if name not in larger)
        except UsageError as error:
            raise ArtifactError(f"the artifacts in {self.folder} do not fit the catalogue: {error}") from None

    def load_graphs(self, cases: Sequence[Case]) -> Graphs:
        """Return the artifacts of cases, and in `Graphs.around` the two of `surrounding_cases`, by id.

        Their MLIR is empty, and no MEF file is read. The folder must hold the cases (`select`), else KeyError.

        Raises:
            ArtifactError: Sizes or launches in the manifest differ from the catalogue.
        """
        width = self.target.warp_width
        artifacts = {
            case.id: self._artifact(case.id, self.entries[case.id], compiled_parameters(case, width)) for case in cases
        }
        surrounding = {case.id: compiled_parameters(case, width) for case in surrounding_cases(self.target)}
        return Graphs(
            artifacts,
            around={
                name: self._artifact(name, self.around[name], documented) for name, documented in surrounding.items()
            },
        )

    def _artifact(self, name: str, entry: Mapping[str, Any], documented: Mapping[str, int | float | str]) -> Artifact:
        """Return an entry of the manifest as an artifact; ArtifactError if its parameters are not `documented`."""
        if entry["parameters"] != documented:
            raise ArtifactError(
                f"the artifacts in {self.folder} hold {name} with {entry['parameters']}, "
                f"but the catalogue has {documented}: build them again."
            )
        return Artifact(self.folder / entry["mef"], entry["graph"], "", documented)


def keep_portable_launches(case: Case) -> Case:
    """Return a case with only those further launches that a folder can hold: none that a host function makes.

    A graph's op is compiled into the MEF file. Other constants of its file make no other graph.
    """
    return replace(case, further=tuple(launch for launch in case.further if launch.graph or not launch.called))


def require_writable_place(folder: Path) -> None:
    """Check, before anything is compiled, that a folder may be replaced by artifacts; permissions are not checked.

    It passes a missing folder, an empty one, and one that holds nothing but artifacts, of any format.

    Raises:
        UsageError: Something else lies there, or other files lie beside artifacts.
    """
    try:
        entries = list(folder.iterdir())
    except FileNotFoundError:
        return
    except OSError:
        entries = [folder]  # a file, or a folder that nobody may look into
    if not entries:
        return
    is_bundle = all(path.name == MANIFEST or path.suffix == ".mef" for path in entries)
    try:
        # Of any format; but a file of that name alone says nothing, other programs have one too.
        is_bundle = is_bundle and {"format", "target", "files"} <= set(json.loads((folder / MANIFEST).read_bytes()))
    except (OSError, ValueError, TypeError):
        is_bundle = False
    if not is_bundle:
        raise UsageError(f"{folder} holds something else than artifacts: name another folder with --out.")


def write_bundle(built: Graphs, cases: Sequence[Case], build: Build, folder: Path) -> None:
    """Write a folder that `read_bundle` accepts: a manifest, and each distinct MEF file once.

    Args:
        built: The graphs at all sizes, with the kernels launched around each case.
        cases: The cases of them that go into the folder.
        build: The options they were built with.
        folder: The folder; made, or replaced if it is such a folder already.

    Raises:
        UsageError: Something else lies there.
        EnvironmentFault: It cannot be written.
    """
    assert set(built.around) == {WARMUP, DIFFERING}
    require_writable_place(folder)
    files = {}

    def entry(artifact: Artifact) -> dict[str, Any]:
        digest_of_file = sha256_hex(artifact.mef.read_bytes())
        file = f"{digest_of_file[:NAME_DIGITS]}.mef"  # cases that were built together share it
        files[file] = (digest_of_file, artifact.mef)
        return {"graph": artifact.graph, "mef": file, "parameters": dict(artifact.parameters)}

    sizes = [size for case in map(keep_portable_launches, cases) for size in case.sizes]
    entries = {size.id: entry(built.artifacts[size.id]) for size in sizes}
    surrounding = {name: entry(artifact) for name, artifact in built.around.items()}
    kernels = dict.fromkeys(unit.file for unit in make_units(cases, build))
    kernels |= dict.fromkeys(build.sources.kernel_file(case) for case in cases if case.graph)
    manifest = {
        "format": FORMAT,
        "target": build.target.name,
        "warp_width": build.target.warp_width,
        "host": os.uname().machine,
        "versions": package_versions(),
        "kernels": build.sources.describe(cases),
        "sources": {display_path(path): sha256_hex(path.read_bytes()) for path in kernels},
        "cases": entries,
        "around": surrounding,
        "files": {file: sha256 for file, (sha256, _) in files.items()},
    }
    try:
        _replace(folder.resolve(), manifest, {file: source for file, (_, source) in files.items()})
    except OSError as error:
        raise EnvironmentFault(f"cannot write the artifacts to {folder}: {error.strerror}.") from None


def _replace(folder: Path, manifest: Mapping[str, Any], files: Mapping[str, Path]) -> None:
    """Put a new folder with copies of these files (by new name) in the place of the old one, if any.

    Makes the folder's parents. If it fails with OSError, the old folder stays.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as temporary:
        stage, old = Path(temporary) / "artifacts", Path(temporary) / "old"
        stage.mkdir()
        for file, source in files.items():
            shutil.copyfile(source, stage / file)
        (stage / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        if folder.exists():
            os.replace(folder, old)
        try:
            os.replace(stage, folder)
        except OSError:
            with contextlib.suppress(OSError):
                os.replace(old, folder)
            raise


def read_bundle(folder: Path) -> Bundle:
    """Read a folder, and check everything that can be checked without a device and the catalogue.

    Raises:
        ArtifactError: It is missing, unreadable or damaged, or was built by other versions, for another kind of host or
            another warp width.
        EnvironmentFault: `max` or `mojo` is not installed here.
    """
    try:
        text = read_plain_file(folder / MANIFEST, MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        how = f"make them with `puzzles build --target T --out {folder}`"
        raise ArtifactError(f"{folder} holds no artifacts: {how}.") from None
    except OSError as error:
        raise ArtifactError(f"cannot read {folder / MANIFEST} ({error.strerror}): make it readable.") from None
    manifest = _parse_manifest(folder, text or b"")
    for file, expected_digest in manifest["files"].items():
        try:
            data = read_plain_file(folder / file, MAX_BYTES)
            intact = data is not None and sha256_hex(data) == expected_digest
        except OSError:
            intact = False
        if not intact:
            raise ArtifactError(f"{folder / file} is missing or damaged: build or copy the artifacts again.")
    versions = package_versions()
    if manifest["versions"] != versions:
        raise ArtifactError(
            f"the artifacts in {folder} were built with {_format_versions(manifest['versions'])}, "
            f"but here is {_format_versions(versions)}: build them again, or install those versions."
        )
    if manifest["host"] != os.uname().machine:
        raise ArtifactError(
            f"the artifacts in {folder} are for hosts with {manifest['host']} processors, "
            f"but this one is {os.uname().machine}: build them on such a machine."
        )
    target, width = Target.parse(manifest["target"]), manifest["warp_width"]
    if width != target.warp_width:
        raise ArtifactError(
            f"the artifacts in {folder} are for warps of {width} lanes, "
            f"but {target} has {target.warp_width}: build them again."
        )
    return Bundle(folder, target, manifest["kernels"], manifest["cases"], manifest["around"])


def _parse_manifest(folder: Path, text: bytes) -> dict[str, Any]:
    """Parse a manifest.

    Raises:
        ArtifactError: It has another format, lacks a field or has more, names an unknown target, or its files are not
            those of its entries. The files themselves are not looked at.
    """
    name = folder / MANIFEST
    damaged = ArtifactError(f"{name} is damaged: build or copy the artifacts again.")
    try:
        manifest: dict[str, Any] = json.loads(text)
        if manifest["format"] != FORMAT:
            raise ArtifactError(
                f"{name} has format {manifest['format']!r}, but this harness reads {FORMAT}: build the artifacts again."
            )
        entries = [*manifest["cases"].values(), *manifest["around"].values()]
        is_complete = (
            set(manifest) == FIELDS
            and set(manifest["around"]) == {WARMUP, DIFFERING}
            and isinstance(manifest["versions"], dict)
            and all(set(entry) == {"graph", "mef", "parameters"} for entry in entries)
            and {entry["mef"] for entry in entries} == set(manifest["files"])
            and all(Path(file).name == file for file in manifest["files"])  # none leads out of the folder
        )
        Target.parse(manifest["target"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, UsageError):
        raise damaged from None
    if not is_complete:
        raise damaged
    return manifest


def _format_versions(versions: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {version}" for name, version in versions.items())
