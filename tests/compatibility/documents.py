"""Reports that programs read, made from fixed runs: JSON, SARIF, JUnit XML and CSV.

`python -m tests.compatibility.documents FILE` stores those of this version.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from harness.cli.main import main
from harness.grading.result import GradedMode, Grading, PersonResult
from harness.grading.tables import as_csv, as_json, as_junit
from harness.grading.work import ModeResult, Settings
from harness.model.messages import make_finding
from harness.model.report import BuildReport, ClaimReport, DatasetReport
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.programs import Execution, Launched
from harness.programs.result import Accepted
from harness.report import json_report, junit, programs, sarif
from harness.simt.findings import Finding, SourceLocation, Who
from tests.report.reports import PASSED, WRONG, report

__all__ = ["PROSE", "SOURCE", "describe_documents", "race_in"]

# Keys whose texts may be reworded, or depend on time, machine and version.
PROSE = {
    *("message", "text", "title", "remedy", "reason", "sentence", "promised", "why", "items", "lines"),
    *("version", "seconds", "run_seconds", "build_seconds", "time", "rules", "startColumn", "fidelity"),
}
_KERNEL = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @twice(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %value = load float, ptr addrspace(1) %from, align 4
  %twice = fmul float %value, 2.0
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %twice, ptr addrspace(1) %to, align 4
  ret void
}
"""
SOURCE = "def k():\n    cache[i] = a[i]\n    b[i] = cache[j]\n"


def describe_documents(folder: Path) -> dict[str, Any]:
    """Return every report as values of JSON, from runs in an empty folder, which becomes the current one."""
    os.chdir(folder)
    (folder / "race.mojo").write_text(SOURCE, encoding="utf-8")
    (folder / "twice.ll").write_text(_KERNEL, encoding="utf-8")
    described = {
        **_of_puzzles(folder),
        **_of_programs(folder),
        **_of_gradings(),
        **_of_simulate(folder),
    }
    text = json.dumps(described).replace(folder.resolve().as_posix(), "/FOLDER")
    return dict(json.loads(text))


def race_in(file: Path) -> Finding:
    """Return a race between lines 2 and 3 of a file that holds `SOURCE`."""
    sites = (
        SourceLocation(str(file), 2, 5, "store float", function="k"),
        SourceLocation(str(file), 3, 12, "load float"),
    )
    threads = (Who((0, 0, 0), (1, 0, 0), 0, 1), Who((0, 0, 0), (40, 0, 0), 1, 8))
    values = {"first": "store", "second": "load", "between": "warps", "level": "block"}
    return Finding("race.shared.write-read", "error", "k", sites, threads, argument="cache", values=values, count=7)


def _of_puzzles(folder: Path) -> dict[str, Any]:
    unkept = make_finding("promise.output_writers", "information", sentence="one writer", measured=8, why="elect one")
    unstable = DatasetReport("random", "FINDING", (make_finding("check.unstable", argument="output", runs=8),))
    ran = report("FINDING", PASSED, WRONG, unstable, claims=(ClaimReport("one writer", "1", "8", unkept),))
    absent = report("SKIPPED", reason="no clusters")
    built = BuildReport(case="p15", target="nvidia:sm_90", status="built", artifacts=("mef",))
    return {
        "run.json": json_report.run(ran),
        "run-skipped.json": json_report.run(absent),
        "run.xml": _elements(junit.tree(ran).getroot()),
        "run-skipped.xml": _elements(junit.tree(absent).getroot()),
        "run.sarif": sarif.document(sarif.of_cases(ran.cases), root=folder),
        "build.json": json_report.built((built,)),
        "claims.json": json_report.claims(ran.cases),
    }


def _of_programs(folder: Path) -> dict[str, Any]:
    race = race_in(folder / "race.mojo")
    launch = Launched(
        *("k", "k_1", (1, 1, 1), (64, 1, 1), (1, 1, 1), 0, ("buffer 0", "3"), "race.mojo:9:5", True, 0.25),
        counters={"steps": 3},
    )
    target = Target.parse("nvidia:sm_90")
    ran: dict[str, Any] = {"file": Path("race.mojo"), "target": target, "backend": "simulator", "status": 0}
    executions = [
        Execution(**ran, launches=(launch,), findings=(race,)),
        Execution(**ran, arguments=("--n", "3"), accepted=(Accepted(race, "meant", "inSource"),)),
        Execution(**ran | {"status": 1}, diagnostics="race.mojo:1:1: error: no"),
        Execution(**ran, missing=("unknown function f",)),
    ]
    show = programs.renderer(executions)
    junit.write_programs(folder / "programs.xml", executions, show)
    return {
        "programs.json": programs.as_dict(executions),
        "programs.xml": _elements(ElementTree.parse(folder / "programs.xml").getroot()),
        "programs.sarif": sarif.document(sarif.of_programs(executions), show, root=folder),
    }


def _of_gradings() -> dict[str, Any]:
    right = ModeResult(case="p15", verdict=Verdict.PASS, passed=3, total=3, seconds=0.5)
    wrong = ModeResult(case="p01", verdict=Verdict.MISMATCH, reason="1, not 2", lines=("1, not 2",), total=3)
    modes = (GradedMode(right, "p15.mojo", 1.0, 1.0), GradedMode(wrong, "p01.mojo", 0.0, 1.0))
    settings = Settings(target="nvidia:sm_90", backend="simulator", data_seed=1, versions={"max": "26.7.0"})
    grading = Grading(
        settings=settings, people=(PersonResult("kim", modes),), sandbox="bubblewrap", alike=(), figures={}
    )
    return {
        "grading.json": json.loads(as_json(grading)),
        "grading.xml": _elements(ElementTree.fromstring(as_junit(grading))),
        "grading.csv": [line.split(",") for line in as_csv(grading).decode("utf-8-sig").splitlines()],
    }


def _of_simulate(folder: Path) -> dict[str, Any]:
    flags = ["--kernel", "twice", "--target", "nvidia:sm_90", "--grid", "1", "--block", "8"]
    values = ["--arg", "out=empty:f32:4", "--arg", "in=ones:f32:4"]
    main(["simulate", "twice.ll", *flags, *values, "--json", "simulate.json"])
    return {"simulate.json": json.loads((folder / "simulate.json").read_text(encoding="utf-8"))}


def _elements(element: ElementTree.Element) -> dict[str, Any]:
    """Return an element of XML with its attributes and children; its text is prose."""
    return {
        "tag": element.tag,
        "attributes": dict(element.attrib),
        "text": element.text or "",
        "children": [_elements(child) for child in element],
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        home = Path(sys.argv[1]).absolute()
        home.write_text(json.dumps(describe_documents(Path(empty)), indent=1) + "\n", encoding="utf-8")
