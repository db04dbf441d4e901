"""A folder that is built here and run there, and every way in which it may not fit."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness import artifacts, build, pipeline
from harness.__main__ import main
from harness.backends.child import Child
from harness.catalogue import case
from harness.catalogue.hygiene import DIRTY_SHARED, dirty_shared
from harness.devices import Device
from harness.errors import ArtifactError
from harness.sources import Sources
from harness.target import Target

HERE = Path(__file__).resolve().parent
SM_90 = Target.parse("nvidia:sm_90")
CASES = [case("p15")]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The real artifacts of puzzle 15, compiled for sm_90."""
    folder = tmp_path_factory.mktemp("built") / "artifacts"
    built = build.mefs([*CASES, dirty_shared(SM_90)], SM_90, Sources())
    artifacts.write(built, CASES, Sources(), folder)
    return folder


@pytest.fixture
def copy(made, tmp_path):
    """A copy to damage."""
    folder = tmp_path / "artifacts"
    folder.mkdir()
    for path in made.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def change(folder: Path, **fields) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    for name, value in fields.items():
        manifest[name] = value(manifest[name]) if callable(value) else value
    path.write_text(json.dumps(manifest))


def test_what_is_written_is_read(made):
    """Target, cases and files; the graph that fills shared memory goes along."""
    bundle = artifacts.read(made)
    assert (bundle.target, bundle.kernels, list(bundle.entries)) == (SM_90, "mojo/solutions", ["p15", DIRTY_SHARED])
    assert bundle.select([]) == tuple(CASES)
    built = bundle.built(CASES)
    assert built.artifacts["p15"].mef.read_bytes()
    assert built.hygiene is not None and built.hygiene.parameters["grid_x"] == 1024


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "holds no artifacts: make them with"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "damaged or of another version"),
        (lambda folder: change(folder, format=99), "damaged or of another version"),
        (lambda folder: change(folder, target="nvidia:sm_1"), "damaged or of another version"),
        (lambda folder: change(folder, files={}), "damaged or of another version"),
        (lambda folder: change(folder, files=lambda files: {"../x": "", **files}), "damaged or of another version"),
        (lambda folder: next(folder.glob("*.mef")).unlink(), r"\.mef is missing or damaged"),
        (lambda folder: next(folder.glob("*.mef")).write_bytes(b"x"), r"\.mef is missing or damaged"),
        (lambda folder: change(folder, versions={"max": "1.0", "mojo": "0.1"}), "built with max 1.0 and mojo 0.1, but"),
        (lambda folder: change(folder, host="riscv64"), "for hosts with riscv64 processors"),
    ],
)
def test_a_folder_that_does_not_fit_is_refused(copy, damage, said):
    """One sentence each, and exit code 3."""
    damage(copy)
    with pytest.raises(ArtifactError, match=said) as caught:
        artifacts.read(copy)
    assert caught.value.exit_code == 3
    assert str(caught.value).count("\n") == 0


def test_cases_that_do_not_fit_are_refused(copy):
    """Other sizes, a case that is not there, a case that the catalogue does not know."""
    with pytest.raises(ArtifactError, match=r"lack p26:pair-swap: they hold p15\."):
        artifacts.read(copy).select(["p26:pair-swap"])

    def other(entries):
        entries["p15"]["parameters"]["size"] = 7
        return entries

    change(copy, cases=other)
    with pytest.raises(ArtifactError, match=r"'size': 7.*but the catalogue has .*'size': 6.*build them again"):
        artifacts.read(copy).built(CASES)
    change(copy, cases=lambda entries: {"p99": entries["p15"], DIRTY_SHARED: entries[DIRTY_SHARED]})
    with pytest.raises(ArtifactError, match="do not fit the catalogue: unknown case 'p99'"):
        artifacts.read(copy).select([])


def machine(monkeypatch, *targets: str) -> None:
    gpus = [Device("Fake GPU", Target.parse(name), index) for index, name in enumerate(targets)]
    monkeypatch.setattr(pipeline.devices, "discover", lambda: gpus)


def test_the_device_must_fit(made, monkeypatch, capsys):
    """Said before anything starts, with what is here."""
    machine(monkeypatch, "nvidia:sm_80")
    assert main(["run", "--artifacts", str(made)]) == 3
    assert "are for nvidia:sm_90, but here is Fake GPU (nvidia:sm_80)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--backend", "simulator"], "--artifacts are for a GPU"),
        (["--kernels", "problems"], "hold kernels already"),
        (["--target", "nvidia:sm_100"], "are for nvidia:sm_90: leave out --target"),
    ],
)
def test_flags_that_contradict_are_refused(made, capsys, flags, said):
    assert main(["run", "--artifacts", str(made), *flags]) == 2
    assert said in capsys.readouterr().err


def test_nothing_else_is_needed_to_run_them(made, monkeypatch, capsys, tmp_path):
    """No compiler, no cache, no kernels' sources: a worker executes what lies in the folder."""
    machine(monkeypatch, "nvidia:sm_90")
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("harness.toolchain.find", lambda *_: None)
    monkeypatch.setattr("harness.backends.max_engine.Child", lambda _module, _kind: Child("fake_worker", ["print"]))
    os.chmod(made, 0o555)
    try:
        code = main(["run", "--artifacts", str(made), "--target", "nvidia"])
    finally:
        os.chmod(made, 0o755)
    told = capsys.readouterr()
    # The fake worker gives back what it got: the case ran, and nothing was written.
    assert (code, "output never written" in told.out) == (1, True)
    assert f"artifacts in {made} (built from mojo/solutions)" in told.err
    assert not (tmp_path / "cache").exists()


def test_build_writes_them(tmp_path, capsys):
    """Made, made again in place, and never over something else."""
    folder = tmp_path / "new" / "artifacts"
    command = ["build", "p15", "--target", "nvidia:sm_90", "--out", str(folder)]
    assert main(command) == 0
    first = (folder / "manifest.json").read_text()
    assert main(command) == 0
    assert (folder / "manifest.json").read_text() == first
    assert [path.name for path in folder.parent.iterdir()] == ["artifacts"]
    mine = tmp_path / "thesis"
    mine.mkdir()
    (mine / "chapter-1").write_text("precious")
    assert main([*command[:-1], str(mine)]) == 2
    assert "holds something else than artifacts" in capsys.readouterr().err
    assert (mine / "chapter-1").read_text() == "precious"


@pytest.mark.parametrize("targets", [["apple"], ["nvidia", "amd"]])
def test_a_folder_is_for_one_target_with_graphs(tmp_path, capsys, targets):
    flags = [flag for target in targets for flag in ("--target", target)]
    assert main(["build", "p15", *flags, "--out", str(tmp_path / "x")]) == 2
    assert "--out takes one target that MAX builds graphs for" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_kernel_that_does_not_compile_is_left_out(tmp_path, monkeypatch):
    """The others are in the folder, and the exit code is that of a failure."""

    def failing(cases, target, sources, notify=None, **_):
        reports = real(cases, target, sources)
        return tuple(
            pipeline.BuildReport(case=one.case, target=one.target, status="failed", reason="p26 does not compile")
            if one.case.startswith("p26") else one
            for one in reports
        )  # fmt: skip

    real = build.artifacts
    monkeypatch.setattr(pipeline.builder, "artifacts", failing)
    folder = tmp_path / "artifacts"
    assert main(["build", "p15", "p26", "--target", "nvidia:sm_90", "--out", str(folder)]) == 1
    assert list(artifacts.read(folder).entries) == ["p15", DIRTY_SHARED]
