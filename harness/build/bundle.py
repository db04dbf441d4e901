"""Compile here, run there: a folder with everything that a GPU machine needs of a build.

    manifest.json      what was built, for what, with what
    <digest>.mef       compiled graphs; the name begins the SHA-256 of the contents

The folder is written whole or not at all, and only read where it is run: no
compiler and no cache are needed there.
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

from harness.build.around import DIFFERING, WARMUP, around
from harness.build.cache import MAX_BYTES, digest
from harness.build.graphs import Artifact, Graphs
from harness.build.toolchain import package_versions
from harness.build.unit import Build, parameters_of, units
from harness.catalogue import KNOWN, select
from harness.catalogue import case as case_of
from harness.errors import ArtifactError, EnvironmentFault, UsageError
from harness.model.case import Case
from harness.model.plain_file import plain_bytes
from harness.model.sources import MANIFEST, shown
from harness.model.target import Target

__all__ = ["Bundle", "portable", "read", "require_place", "write"]

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
        folder: Where it lies.
        target: What it was built for.
        kernels: Whose kernels, for people.
        entries: Graph, file and parameters of each case at each of its sizes, by id.
        around: The same of what is launched around each.
    """

    folder: Path
    target: Target
    kernels: str
    entries: Mapping[str, Mapping[str, Any]]
    around: Mapping[str, Mapping[str, Any]]

    def __str__(self) -> str:
        return f"artifacts in {self.folder} (built from {self.kernels})"

    def select(self, names: Sequence[str]) -> tuple[Case, ...]:
        """The cases that the names ask for, all that are here if there are none.

        Raises:
            UsageError: A name is unknown.
            ArtifactError: A case is not here, or the catalogue does not know it.
        """
        if names:
            cases = tuple(map(portable, select(tuple(names))))
            if lacking := [case.id for case in cases if case.id not in self.entries]:
                held = ", ".join(case.id for case in self.select(()))
                raise ArtifactError(f"the artifacts in {self.folder} lack {', '.join(lacking)}: they hold {held}.")
            return cases
        larger = {size.id for entry in KNOWN for size in entry.sizes[1:]}
        try:
            return tuple(portable(case_of(name)) for name in self.entries if name not in larger)
        except UsageError as error:
            raise ArtifactError(f"the artifacts in {self.folder} do not fit the catalogue: {error}") from None

    def built(self, cases: Sequence[Case]) -> Graphs:
        """The artifacts of these cases, from `select`, and what is launched around each.

        Raises:
            ArtifactError: Sizes or launch are not those of the catalogue.
        """
        width = self.target.warp_width
        held = {case.id: self._artifact(case.id, self.entries[case.id], parameters_of(case, width)) for case in cases}
        own = {case.id: parameters_of(case, width) for case in around(self.target)}
        return Graphs(
            held, around={name: self._artifact(name, self.around[name], wanted) for name, wanted in own.items()}
        )

    def _artifact(self, name: str, entry: Mapping[str, Any], documented: Mapping[str, int | float | str]) -> Artifact:
        if entry["parameters"] != documented:
            raise ArtifactError(
                f"the artifacts in {self.folder} hold {name} with {entry['parameters']}, "
                f"but the catalogue has {documented}: build them again."
            )
        return Artifact(self.folder / entry["mef"], entry["graph"], "", documented)


def portable(case: Case) -> Case:
    """Return a case with those of its further launches that a folder holds: none of those that a host function makes.

    Of a case with a graph, the op's own function stands in the MEF. Other constants of its file make no other graph.
    """
    return replace(case, further=tuple(launch for launch in case.further if launch.graph or not launch.called))


def require_place(folder: Path) -> None:
    """Finds out before anything is compiled whether artifacts may be written there.

    Raises:
        UsageError: Something else lies there, or other files lie beside artifacts.
    """
    try:
        lying = list(folder.iterdir())
    except FileNotFoundError:
        return
    except OSError:
        lying = [folder]  # a file, or a folder that nobody may look into
    if not lying:
        return
    own = all(path.name == MANIFEST or path.suffix == ".mef" for path in lying)
    try:
        # Of any format; but a file of that name alone says nothing, other programs have one too.
        own = own and {"format", "target", "files"} <= set(json.loads((folder / MANIFEST).read_bytes()))
    except (OSError, ValueError, TypeError):
        own = False
    if not own:
        raise UsageError(f"{folder} holds something else than artifacts: name another folder with --out.")


def write(built: Graphs, cases: Sequence[Case], build: Build, folder: Path) -> None:
    """Writes a folder that `read` accepts.

    Args:
        built: For a target, at all sizes, with what is launched around each case.
        cases: Those of it that go into the folder.
        build: What they were built from, and for what.
        folder: Made, or replaced if it is such a folder already.

    Raises:
        UsageError: Something else lies there.
        EnvironmentFault: It cannot be written.
    """
    assert set(built.around) == {WARMUP, DIFFERING}
    require_place(folder)
    files = {}

    def entry(artifact: Artifact) -> dict[str, Any]:
        whole = digest(artifact.mef.read_bytes())
        file = f"{whole[:NAME_DIGITS]}.mef"  # cases that were built together share it
        files[file] = (whole, artifact.mef)
        return {"graph": artifact.graph, "mef": file, "parameters": dict(artifact.parameters)}

    sizes = [size for case in map(portable, cases) for size in case.sizes]
    entries = {size.id: entry(built.artifacts[size.id]) for size in sizes}
    own = {name: entry(artifact) for name, artifact in built.around.items()}
    kernels = dict.fromkeys(unit.file for unit in units(cases, build))
    kernels |= dict.fromkeys(build.sources.kernel_file(case) for case in cases if case.graph)
    manifest = {
        "format": FORMAT,
        "target": build.target.name,
        "warp_width": build.target.warp_width,
        "host": os.uname().machine,
        "versions": package_versions(),
        "kernels": build.sources.shown(cases),
        "sources": {shown(path): digest(path.read_bytes()) for path in kernels},
        "cases": entries,
        "around": own,
        "files": {file: whole for file, (whole, _) in files.items()},
    }
    try:
        _replace(folder.resolve(), manifest, {file: source for file, (_, source) in files.items()})
    except OSError as error:
        raise EnvironmentFault(f"cannot write the artifacts to {folder}: {error.strerror}.") from None


def _replace(folder: Path, manifest: Mapping[str, Any], files: Mapping[str, Path]) -> None:
    """Puts a new folder in the place of the old one, which stays if that fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as made:
        stage, old = Path(made) / "artifacts", Path(made) / "old"
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


def read(folder: Path) -> Bundle:
    """Reads a folder and checks all that can be checked without a device.

    Raises:
        ArtifactError: It is missing or damaged, or was built by other versions
            or for another kind of host.
    """
    try:
        text = plain_bytes(folder / MANIFEST, MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        how = f"make them with `puzzles build --target T --out {folder}`"
        raise ArtifactError(f"{folder} holds no artifacts: {how}.") from None
    except OSError as error:
        raise ArtifactError(f"cannot read {folder / MANIFEST} ({error.strerror}): make it readable.") from None
    manifest = _parsed(folder, text or b"")
    for file, whole in manifest["files"].items():
        try:
            data = plain_bytes(folder / file, MAX_BYTES)
            intact = data is not None and digest(data) == whole
        except OSError:
            intact = False
        if not intact:
            raise ArtifactError(f"{folder / file} is missing or damaged: build or copy the artifacts again.")
    versions = package_versions()
    if manifest["versions"] != versions:
        raise ArtifactError(
            f"the artifacts in {folder} were built with {_said(manifest['versions'])}, "
            f"but here is {_said(versions)}: build them again, or install those versions."
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


def _parsed(folder: Path, text: bytes) -> dict[str, Any]:
    """The manifest, if it is one of this format and says everything that is needed."""
    name = folder / MANIFEST
    damaged = ArtifactError(f"{name} is damaged: build or copy the artifacts again.")
    try:
        manifest: dict[str, Any] = json.loads(text)
        if manifest["format"] != FORMAT:
            raise ArtifactError(
                f"{name} has format {manifest['format']!r}, but this harness reads {FORMAT}: build the artifacts again."
            )
        entries = [*manifest["cases"].values(), *manifest["around"].values()]
        sound = (
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
    if not sound:
        raise damaged
    return manifest


def _said(versions: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {version}" for name, version in versions.items())
