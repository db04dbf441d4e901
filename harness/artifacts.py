"""Compile here, run there: a folder with everything that a GPU machine needs of a build.

    manifest.json      what was built, for what, with what
    <digest>.mef       compiled graphs; the name begins the SHA-256 of the contents

The folder is written whole or not at all, and only read where it is run: no
compiler and no cache are needed there.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.build import Artifact, Built
from harness.cache import digest
from harness.catalogue import case as case_of
from harness.catalogue import select
from harness.catalogue.hygiene import DIRTY_SHARED, dirty_shared
from harness.errors import ArtifactError, EnvironmentFault, UsageError
from harness.groups import parameters_of
from harness.sources import Sources, shown
from harness.spec import Case
from harness.target import Target
from harness.toolchain import package_versions

__all__ = ["Bundle", "read", "write"]

FORMAT = 1  # raise it when the manifest changes its meaning
MANIFEST = "manifest.json"
NAME_DIGITS = 16  # of a digest, in a file's name
FIELDS = {"format", "target", "host", "versions", "kernels", "sources", "cases", "files"}


@dataclass(frozen=True, slots=True)
class Bundle:
    """A folder of artifacts whose manifest and files are intact.

    Attributes:
        folder: Where it lies.
        target: What it was built for.
        kernels: Whose kernels, for people.
        entries: Graph, file and parameters of each case, by id.
    """

    folder: Path
    target: Target
    kernels: str
    entries: Mapping[str, Mapping[str, Any]]

    def __str__(self) -> str:
        return f"artifacts in {self.folder} (built from {self.kernels})"

    def select(self, names: Sequence[str]) -> tuple[Case, ...]:
        """The cases that the names ask for, all that are here if there are none.

        Raises:
            UsageError: A name is unknown.
            ArtifactError: A case is not here, or the catalogue does not know it.
        """
        here = [name for name in self.entries if name != DIRTY_SHARED]
        if names:
            cases = select(names)
            if lacking := [case.id for case in cases if case.id not in here]:
                raise ArtifactError(
                    f"the artifacts in {self.folder} lack {', '.join(lacking)}: they hold {', '.join(here)}."
                )
            return cases
        try:
            return tuple(case_of(name) for name in here)
        except UsageError as error:
            raise ArtifactError(f"the artifacts in {self.folder} do not fit the catalogue: {error}") from None

    def built(self, cases: Sequence[Case]) -> Built:
        """The artifacts of these cases, and the graph that is launched before each.

        Raises:
            ArtifactError: Sizes or launch are not those of the catalogue.
        """
        built = Built(self.target)
        around = [dirty_shared(self.target)] if DIRTY_SHARED in self.entries else []
        for case in (*cases, *around):
            entry, documented = self.entries[case.id], parameters_of(case.at(self.target.warp_width))
            if entry["parameters"] != documented:
                raise ArtifactError(
                    f"the artifacts in {self.folder} hold {case.id} with {entry['parameters']}, "
                    f"but the catalogue has {documented}: build them again."
                )
            path = self.folder / entry["mef"]
            built.artifacts[case.id] = Artifact(path, entry["graph"], "", documented)
        return built


def write(built: Built, cases: Sequence[Case], sources: Sources, folder: Path) -> None:
    """Writes a folder that `read` accepts.

    Args:
        built: Its target is not None.
        cases: Those of it that go into the folder; the graph that is launched
            before each goes along.
        sources: What they were built from.
        folder: Made, or replaced if it is such a folder already.

    Raises:
        UsageError: Something else lies there.
        EnvironmentFault: It cannot be written.
    """
    assert built.target is not None
    if folder.exists() and not (folder / MANIFEST).is_file() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} holds something else than artifacts: name another folder with --out.")
    entries, files = {}, {}
    ids = [case.id for case in cases] + ([DIRTY_SHARED] if built.hygiene else [])
    for name in ids:
        artifact = built.artifacts[name]
        whole = digest(artifact.mef.read_bytes())
        file = f"{whole[:NAME_DIGITS]}.mef"
        files[file] = (whole, artifact.mef)
        entries[name] = {"graph": artifact.graph, "mef": file, "parameters": dict(artifact.parameters)}
    kernels = [sources.kernel_file(case.puzzle, case.folder, case.source) for case in cases]
    manifest = {
        "format": FORMAT,
        "target": built.target.name,
        "host": os.uname().machine,
        "versions": package_versions(),
        "kernels": sources.shown(case.folder for case in cases),
        "sources": {shown(path): digest(path.read_bytes()) for path in kernels},
        "cases": entries,
        "files": {file: whole for file, (whole, _) in files.items()},
    }
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as made:
            stage = Path(made) / "artifacts"
            stage.mkdir()
            for file, (_, source) in files.items():
                shutil.copyfile(source, stage / file)
            (stage / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
            if folder.exists():
                os.replace(folder, Path(made) / "old")
            os.replace(stage, folder)
    except OSError as error:
        raise EnvironmentFault(f"cannot write the artifacts to {folder}: {error.strerror}.") from None


def read(folder: Path) -> Bundle:
    """Reads a folder and checks all that can be checked without a device.

    Raises:
        ArtifactError: It is missing or damaged, or was built by other versions
            or for another kind of host.
    """
    try:
        text = (folder / MANIFEST).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise ArtifactError(f"{folder} holds no artifacts: make them with `puzzles build --out {folder}`.") from None
    manifest = _parsed(folder, text)
    for file, whole in manifest["files"].items():
        try:
            intact = digest((folder / file).read_bytes()) == whole
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
    return Bundle(folder, Target.parse(manifest["target"]), manifest["kernels"], manifest["cases"])


def _parsed(folder: Path, text: str) -> dict[str, Any]:
    """The manifest, if it is one of this format and says everything that is needed."""
    again = f"{folder / MANIFEST} is damaged or of another version: build the artifacts again."
    try:
        manifest = json.loads(text)
        if manifest["format"] != FORMAT or set(manifest) != FIELDS:
            raise ArtifactError(again)
        Target.parse(manifest["target"])
        used = {entry["mef"] for entry in manifest["cases"].values()}
        named = all(Path(file).name == file for file in manifest["files"])
        if not named or used != set(manifest["files"]):
            raise ArtifactError(again)
        if any(set(entry) != {"graph", "mef", "parameters"} for entry in manifest["cases"].values()):
            raise ArtifactError(again)
    except (ValueError, KeyError, TypeError, AttributeError, UsageError):
        raise ArtifactError(again) from None
    return manifest


def _said(versions: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {version}" for name, version in versions.items())
