"""A folder that is built here and run there, and every way in which it may not fit."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from harness.backends.devices import Device
from harness.build import bundle
from harness.build.cache import sha256_hex
from harness.build.graphs import build_graphs
from harness.build.toolchain import package_versions
from harness.build.unit import Build, make_units
from harness.cases import pipeline
from harness.catalogue import KNOWN, find_case, select_cases
from harness.cli.main import main
from harness.errors import ArtifactError, EnvironmentFault
from harness.model import exit_code
from harness.model.sources import ROOT, Sources
from harness.model.target import Target
from harness.process.worker import Worker
from tests import compiled

HERE = Path(__file__).resolve().parent.parent
SM_90 = Target.parse("nvidia:sm_90")
BUILD = Build(target=SM_90)
CASES = [find_case("p15")]
SIZES = [size for entry in CASES for size in entry.sizes]  # each is built
IDS = [size.id for size in SIZES]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The real artifacts of puzzle 15, compiled for sm_90."""
    folder = tmp_path_factory.mktemp("built") / "artifacts"
    compiled.graphs()
    built = build_graphs(SIZES, BUILD, surrounded=True)
    bundle.write_bundle(built, CASES, BUILD, folder)
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
    """Target, cases and files; what is launched around a case goes along."""
    kept = bundle.read_bundle(made)
    assert (kept.target, kept.kernels) == (SM_90, "mojo/p15/solution.mojo")
    assert (list(kept.entries), list(kept.around)) == (IDS, ["warmup", "differing"])
    assert kept.select([]) == tuple(CASES)
    built = kept.load_graphs(CASES)
    assert built.artifacts["p15"].mef.read_bytes()
    assert {name: one.parameters["grid_x"] for name, one in built.around.items()} == {"warmup": 1024, "differing": 64}


def test_the_manifest_says_what_was_built_from_what(made):
    """Digests of every file and of the kernels' sources; a shared MEF lies there once."""
    manifest = json.loads((made / "manifest.json").read_text())
    path = "mojo/p15/solution.mojo"
    assert manifest["sources"] == {path: sha256_hex((ROOT / path).read_bytes())}
    assert manifest["files"] == {path.name: sha256_hex(path.read_bytes()) for path in made.glob("*.mef")}
    assert {"manifest.json", *manifest["files"]} == {path.name for path in made.iterdir()}
    assert (manifest["warp_width"], manifest["host"]) == (32, os.uname().machine)
    assert manifest["versions"] == package_versions()


@pytest.mark.full
def test_a_mef_that_cases_share_is_written_once(tmp_path):
    cases = select_cases(["p26"])
    shared = build_graphs(cases, BUILD, surrounded=True)
    mef = shared.artifacts["p26:pair-swap"].mef
    for name, artifact in shared.artifacts.items():
        shared.artifacts[name] = replace(artifact, mef=mef)
    bundle.write_bundle(shared, cases, BUILD, tmp_path / "artifacts")
    kept = bundle.read_bundle(tmp_path / "artifacts")
    assert len({entry["graph"] for entry in kept.entries.values()}) == len(cases) > 1
    assert len({entry["mef"] for entry in kept.entries.values()}) == 1


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / "manifest.json").unlink(), "holds no artifacts: make them with"),
        (lambda folder: shutil.rmtree(folder), "holds no artifacts: make them with"),
        (lambda folder: (folder / "manifest.json").write_text("{"), r"manifest\.json is damaged"),
        (lambda folder: (folder / "manifest.json").write_bytes(b"\xff"), r"manifest\.json is damaged"),
        (lambda folder: change(folder, format=99), r"has format 99, but this harness reads \d"),
        (lambda folder: change(folder, target="nvidia:sm_1"), r"manifest\.json is damaged"),
        (lambda folder: change(folder, versions=[]), r"manifest\.json is damaged"),
        (lambda folder: change(folder, cases=[]), r"manifest\.json is damaged"),
        (lambda folder: change(folder, files={}), r"manifest\.json is damaged"),
        (lambda folder: change(folder, files=lambda files: {"../x": "", **files}), r"manifest\.json is damaged"),
        (lambda folder: next(folder.glob("*.mef")).unlink(), r"\.mef is missing or damaged"),
        (lambda folder: next(folder.glob("*.mef")).write_bytes(b"x"), r"\.mef is missing or damaged"),
        (lambda folder: change(folder, versions={"max": "1.0", "mojo": "0.1"}), "built with max 1.0 and mojo 0.1, but"),
        (lambda folder: change(folder, host="riscv64"), "for hosts with riscv64 processors"),
        (lambda folder: change(folder, warp_width=64), "for warps of 64 lanes, but nvidia:sm_90 has 32: build"),
    ],
)
def test_a_folder_that_does_not_fit_is_refused(copy, damage, said):
    """One sentence each, and exit code 3."""
    damage(copy)
    with pytest.raises(ArtifactError, match=said) as caught:
        bundle.read_bundle(copy)
    assert exit_code.code_of_error(caught.value) == 3
    assert str(caught.value).count("\n") == 0


def test_cases_that_do_not_fit_are_refused(copy):
    """Another launch, a case that is not there, a case that the catalogue does not know."""
    with pytest.raises(ArtifactError, match=r"lack p26:pair-swap: they hold p15\."):
        bundle.read_bundle(copy).select(["p26:pair-swap"])

    def other(entries):
        entries["p15"]["parameters"]["grid_y"] = 7
        return entries

    change(copy, cases=other)
    with pytest.raises(ArtifactError, match=r"'grid_y': 7.*but the catalogue has .*'grid_y': 4.*build them again"):
        bundle.read_bundle(copy).load_graphs(CASES)
    change(copy, cases=lambda entries: {**entries, "p77": entries["p15"]})
    with pytest.raises(ArtifactError, match="do not fit the catalogue: unknown case 'p77'"):
        bundle.read_bundle(copy).select([])


def test_what_is_launched_around_the_cases_must_be_there_and_fit(copy):
    """Without it shared memory would keep what the last kernel left, and nobody would know."""

    def other(entries):
        entries["warmup"]["parameters"]["grid_x"] = 1
        return entries

    change(copy, around=other)
    with pytest.raises(ArtifactError, match=r"warmup with .*'grid_x': 1,.*build them again"):
        bundle.read_bundle(copy).load_graphs(CASES)
    change(copy, around={})
    with pytest.raises(ArtifactError, match=r"manifest\.json is damaged"):
        bundle.read_bundle(copy)


def machine(monkeypatch, *targets: str) -> None:
    gpus = [Device("Fake GPU", Target.parse(name), index) for index, name in enumerate(targets)]
    monkeypatch.setattr(pipeline.devices, "discover", lambda: gpus)


def test_the_device_must_fit(made, monkeypatch, capsys):
    """Said before anything starts, with what is here."""
    machine(monkeypatch, "nvidia:sm_80")
    assert main(["run", "--artifacts", str(made)]) == 3
    assert "are for nvidia:sm_90, but here is Fake GPU (nvidia:sm_80)" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--backend", "simulator"], "--artifacts are for a GPU"),
        (["--backend", "cpu"], "--artifacts are for a GPU"),
        (["--kernels", "problems"], "hold kernels already"),
        (["--target", "nvidia:sm_100"], "are for nvidia:sm_90, not for nvidia:sm_100."),
        (["--target", "amd"], "are for nvidia:sm_90, not for amd."),
    ],
)
def test_flags_that_contradict_are_refused(made, capsys, flags, said):
    assert main(["run", "--artifacts", str(made), *flags]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_what_is_asked_for_and_lacking_is_refused(made, monkeypatch, capsys):
    machine(monkeypatch, "nvidia:sm_90")
    assert main(["run", "--artifacts", str(made), "p34:reduction"]) == 3
    assert "lack p34:reduction: they hold p15." in capsys.readouterr().err
    assert main(["run", "--artifacts", str(made), "p77"]) == 2


def no_compiler(*_arguments, **_more):
    raise AssertionError("something is compiled")


@pytest.mark.slow
def test_one_worker_begins_before_the_rest_is_loaded_and_serves_the_run(made, monkeypatch, tmp_path):
    """With a file of it damaged, or where another GPU is asked for, none is left over."""
    machine(monkeypatch, "nvidia:sm_90")
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    workers: list[Worker] = []

    def worker(*_: object, **__: object) -> Worker:
        workers.append(Worker("fake_worker", ["print"]))
        return workers[-1]

    monkeypatch.setattr("harness.backends.ahead.Worker", worker)
    folder = shutil.copytree(made, tmp_path / "copied")
    began, read = [], bundle.read_bundle
    monkeypatch.setattr("harness.build.bundle.read_bundle", lambda path: began.append(len(workers)) or read(path))
    assert main(["run", "--artifacts", str(folder)]) == 1
    assert (began, len(workers)) == ([1], 1)
    for file in folder.glob("*.mef"):
        file.write_bytes(b"damaged")
    assert main(["run", "--artifacts", str(folder)]) == 3
    assert len(workers) == 2
    assert main(["run", "--artifacts", str(folder), "--devices", "0"]) == 3
    assert len(workers) == 2
    assert not [worker for worker in workers if worker.folder.exists()]


@pytest.mark.slow
def test_nothing_else_is_needed_to_run_them(made, monkeypatch, capsys, tmp_path):
    """No compiler and no cache: a worker executes what lies in a folder that nothing may be written to."""
    machine(monkeypatch, "nvidia:sm_90")
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "file").touch()
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "file" / "cache"))  # nobody can make it, root neither
    monkeypatch.setattr("harness.build.toolchain.find_mojo", lambda *_: None)
    monkeypatch.setattr("harness.build.stage.Worker", no_compiler)
    monkeypatch.setattr("harness.backends.ahead.Worker", lambda *_, **__: Worker("fake_worker", ["print"]))
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in made.iterdir()}
    report = tmp_path / "run.json"
    os.chmod(made, 0o555)
    try:
        code = main(["run", "--artifacts", str(made), "--target", "nvidia", "--json", str(report)])
    finally:
        os.chmod(made, 0o755)
    # The fake worker gives back what it got: the case ran, and is wrong.
    assert (code, "check.never-written" in capsys.readouterr().out) == (1, True)
    assert json.loads(report.read_text())["kernels"] == f"artifacts in {made} (built from mojo/p15/solution.mojo)"
    assert {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in made.iterdir()} == before


def test_build_writes_them(tmp_path):
    """Made, and made again in place, with nothing left beside the folder."""
    folder = tmp_path / "new" / "artifacts"
    command = ["build", "p15", "--target", "nvidia:sm_90", "--out", str(folder)]
    assert main(command) == 0
    first = (folder / "manifest.json").read_text()
    (folder / "of-an-older-build.mef").write_bytes(b"x")
    assert main(command) == 0
    assert (folder / "manifest.json").read_text() == first
    assert not (folder / "of-an-older-build.mef").exists()
    assert [path.name for path in folder.parent.iterdir()] == ["artifacts"]


def test_a_folder_takes_every_mode_of_which_a_graph_is_built():
    """A mode with a graph of an op goes into it, though its host function also makes further launches."""
    beside_graphs = []
    for entry in KNOWN:
        held = bundle.keep_portable_launches(entry)
        built = {unit.case.id for unit in make_units(held.sizes, BUILD)} | {
            size.id for size in held.sizes if size.graph
        }
        refused = entry.refusal(SM_90) is not None
        assert refused or (entry.called and not entry.graph) or {size.id for size in held.sizes} <= built, entry.id
        beside_graphs += [size.id for size in entry.sizes if entry.graph and size not in held.sizes]
    assert beside_graphs, "no mode with a graph has a further launch that its host function makes"


@pytest.mark.parametrize(
    "lying",
    [
        {"chapter-1": "precious"},
        {"manifest.json": '{"name": "an application of somebody"}'},
        {"manifest.json": "[1]"},
        {"manifest.json": '{"format": 1, "target": "nvidia:sm_90", "files": {}}', "notes": "precious"},
    ],
    ids=["a-thesis", "another-manifest", "a-list", "notes-beside-artifacts"],
)
def test_build_replaces_nothing_else(tmp_path, monkeypatch, capsys, lying):
    """Said before anything is compiled."""
    monkeypatch.setattr("harness.build.product.build_artifacts", no_compiler)
    for name, text in lying.items():
        (tmp_path / name).write_text(text)
    assert main(["build", "p15", "--target", "nvidia:sm_90", "--out", str(tmp_path)]) == 2
    assert "holds something else than artifacts" in capsys.readouterr().err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == lying


def test_a_folder_that_cannot_be_replaced_stays(made, tmp_path, monkeypatch):
    """The old one comes back, and nothing is left beside it."""
    folder = tmp_path / "artifacts"
    shutil.copytree(made, folder)
    real = os.replace

    def failing(source, place):
        if Path(source).name == "artifacts" and Path(place) == folder and Path(source).parent != folder.parent:
            raise OSError(28, "No space left on device")
        real(source, place)

    monkeypatch.setattr(os, "replace", failing)
    built = build_graphs(SIZES, BUILD, surrounded=True)
    with pytest.raises(EnvironmentFault, match=r"cannot write the artifacts to .*: No space left on device\."):
        bundle.write_bundle(built, CASES, BUILD, folder)
    assert [path.name for path in tmp_path.iterdir()] == ["artifacts"]
    assert bundle.read_bundle(folder).target == SM_90


@pytest.mark.parametrize("targets", [["apple"], ["nvidia", "amd"]])
def test_a_folder_is_for_one_target_with_graphs(tmp_path, capsys, targets):
    flags = [flag for target in targets for flag in ("--target", target)]
    assert main(["build", "p15", *flags, "--out", str(tmp_path / "x")]) == 2
    assert "--out takes one target that MAX builds graphs for" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """Sources whose kernels of p26 do not compile."""
    file = tmp_path / "p26.mojo"
    file.write_text("def butterfly_pair_swap(:\n")
    monkeypatch.setattr("harness.cli.running.kernel_sources", lambda *_: Sources(overrides={"p26": file}))


@pytest.mark.slow
def test_a_kernel_that_does_not_compile_is_left_out(broken, tmp_path, capsys):
    """The others are in the folder, and the exit code is that of a failure."""
    folder = tmp_path / "artifacts"
    assert main(["build", "p15", "p26", "--target", "nvidia:sm_90", "--out", str(folder)]) == 1
    assert "p26.mojo:1:" in capsys.readouterr().out
    kept = bundle.read_bundle(folder)
    assert list(kept.entries) == IDS


@pytest.mark.slow
def test_a_build_of_nothing_leaves_the_folder(broken, made, tmp_path):
    """What did not compile replaces nothing that did."""
    folder = tmp_path / "artifacts"
    shutil.copytree(made, folder)
    assert main(["build", "p26", "--target", "nvidia:sm_90", "--out", str(folder)]) == 1
    assert list(bundle.read_bundle(folder).entries) == IDS
