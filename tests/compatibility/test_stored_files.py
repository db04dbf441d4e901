"""Files that 24f83de3 wrote go on to open: a workspace, a grading, a baseline, an entry of the cache, artifacts.

`known` holds what its commands wrote; of the artifacts the manifest alone, whose graphs would be megabytes.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.build.bundle import read_bundle
from harness.build.cache import Cache, sha256_hex
from harness.build.toolchain import package_versions
from harness.cli.main import main
from harness.grading.store import open_store
from harness.grading.work import Job, Settings
from harness.learning.progress import LearnerProgress
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.model.workspace import find_workspace
from harness.programs import Execution
from harness.report.acceptances import Acceptances
from tests.compatibility.documents import SOURCE, race_in

KNOWN = Path(__file__).parent / "known"


def test_a_workspace_keeps_its_progress(tmp_path):
    shutil.copy(KNOWN / "puzzles.toml", tmp_path / "puzzles.toml")
    shutil.copy(KNOWN / "progress.json", tmp_path / ".progress.json")
    (tmp_path / "p15").mkdir()

    root = find_workspace(tmp_path / "p15")
    assert root == tmp_path
    progress = LearnerProgress.read(root)
    assert sorted(progress.cases) == ["p01", "p15"]
    assert (progress.of("p01").day[:7], progress.of("p01").tries, progress.of("p15").hints) == ("2026-11", 1, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".progress.json", "p15", "puzzles.toml"]


def test_a_grading_goes_on(tmp_path):
    """With its settings, and without judging again what was judged."""
    (tmp_path / "jobs").mkdir()
    shutil.copy(KNOWN / "grading" / "grading.json", tmp_path / "grading.json")
    (result,) = (KNOWN / "grading").glob("p01-*.json")
    shutil.copy(result, tmp_path / "jobs" / result.name)
    held = json.loads((tmp_path / "grading.json").read_text(encoding="utf-8"))
    settings = Settings(target="nvidia:sm_90", backend="simulator", data_seed=1, versions=held["versions"])
    people = json.loads(result.read_text(encoding="utf-8"))["people"]
    job = Job("p01", (KNOWN / "p01.mojo").read_text(encoding="utf-8"), people)

    with open_store(tmp_path, settings, seeded=False) as store:
        (judged,) = store.results({job.key: job}).values()
    assert store.settings.data_seed == held["data_seed"]
    assert [(mode.case, mode.verdict, mode.passed) for mode in judged.modes] == [("p01", Verdict.PASS, 5)]


def test_a_baseline_accepts_the_same_finding(tmp_path, monkeypatch):
    """By its fingerprint: the finding is equal, and no program has to be compiled."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "race.mojo"
    file.write_text(SOURCE, encoding="utf-8")
    log = json.loads((KNOWN / "documents.json").read_text(encoding="utf-8"))["programs.sarif"]
    for run in log["runs"]:
        run["results"] = [each for each in run["results"] if "suppressions" not in each]
    Path("baseline.sarif").write_text(json.dumps(log), encoding="utf-8")

    ran: dict[str, Any] = {"file": file, "target": Target.parse("nvidia:sm_90"), "backend": "simulator", "status": 0}
    judged = Acceptances([Path("baseline.sarif")]).judged(Execution(**ran, findings=(race_in(file),)))
    assert ([each.kind for each in judged.execution.accepted], judged.execution.findings) == (["external"], ())


@pytest.mark.slow
def test_a_baseline_accepts_what_a_program_does(tmp_path, monkeypatch, capsys):
    shutil.copy(KNOWN / "race.mojo", tmp_path / "race.mojo")
    monkeypatch.chdir(tmp_path)
    command = ["exec", "race.mojo", "--target", "nvidia:sm_90", "--backend", "simulator"]

    assert main(command) == 1
    assert main([*command, "--baseline", str(KNOWN / "baseline.sarif")]) == 0, capsys.readouterr().err


def test_the_cache_has_what_it_held(tmp_path):
    """An entry that no longer opened would be dropped with a notice, and made again."""
    shutil.copytree(KNOWN / "cache", tmp_path / "cache")
    notices: list[str] = []
    (entry,) = (tmp_path / "cache" / "entries").iterdir()

    blobs = Cache(tmp_path / "cache", notices.append).get(entry.stem, ("llvm", "asm"))
    assert blobs and blobs["llvm"].text.startswith("; ModuleID") and ".visible .entry" in blobs["asm"].text
    assert notices == []


def test_artifacts_are_read(tmp_path):
    """A manifest fits the versions of MAX and Mojo that built its graphs, so it gets those that are here."""
    manifest = json.loads((KNOWN / "manifest.json").read_text(encoding="utf-8"))
    graphs = {name: name.encode() for name in manifest["files"]}
    for name, graph in graphs.items():
        (tmp_path / name).write_bytes(graph)
    manifest |= {"versions": package_versions(), "files": {name: sha256_hex(graph) for name, graph in graphs.items()}}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")

    bundle = read_bundle(tmp_path)
    (case,) = bundle.select(())
    built = bundle.load_graphs([case])
    assert (bundle.target.name, case.id, sorted(built.around)) == ("nvidia:sm_90", "p01", ["differing", "warmup"])
