"""What a command loads before it starts what takes long: a compiler, or MAX in its worker."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from harness.build import toolchain
from harness.model.sources import MANIFEST, MOJO, ROOT
from harness.simt.intrinsics import LAZY_MODULES

# Tells what is loaded when the first command is started below a reaper, and ends.
PROBE = """
import json, os, sys
from harness.process.child import Child
from harness.cli.main import main
def start(*_):
    sys.stdout.write(json.dumps(sorted(sys.modules)))
    sys.stdout.flush()
    os._exit(0)
Child.start = start
main(sys.argv[1:])
"""


def loaded(*arguments: str, cache: str) -> set[str]:
    told = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=ROOT,
        env={**os.environ, "HARNESS_CACHE": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(told.stdout))


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_the_compiler_starts_before_what_comes_after_it_is_loaded(tmp_path):
    """The simulator, tables and whole programs are not: the first is loaded while the compiler runs."""
    file = MOJO / "p15" / "solution.mojo"
    modules = loaded("p15", "--target", "nvidia:sm_90", "--file", str(file), cache=str(tmp_path))
    assert "harness.build.compiler" in modules
    assert not {"llvmlite", "rich", "harness.simt.public", "harness.programs", "numpy.ma", "max"} & modules


@pytest.mark.slow
def test_what_is_loaded_is_not_looked_through_for_garbage():
    """What a command itself leaves behind is."""
    told = "import gc; from harness.cli import main; from harness.__main__ import command; execute = main.execute; "
    told += "main.execute = lambda argv: [execute(argv), print(gc.isenabled(), gc.get_freeze_count() > 1000)][0]; "
    done = subprocess.run(
        [sys.executable, "-c", told + "command()", "list"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "True True"


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_run_in_the_simulator_loads_what_it_needs():
    """From a warm cache: no other vendor's instructions, no other language, nothing of graphs, artifacts, reports."""
    code = "import json, sys; from harness.cli.main import main; main(sys.argv[1:]); print(json.dumps([*sys.modules]))"
    arguments = ["run", "p15", "p26:pair-swap", "p34:reduction", "--target", "nvidia:sm_90", "--backend", "simulator"]
    for _ in ("cold", "warm"):
        told = subprocess.run(
            [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
        )
    modules = set(json.loads(told.stdout.splitlines()[-1]))
    assert {"harness.backends.simulator", "harness.simt.intrinsics.nvvm_warp"} <= modules
    intrinsics = {f"harness.simt.intrinsics.{name}" for names in LAZY_MODULES.values() for name in names}
    build = {f"harness.build.{name}" for name in ("bundle", "graphs", "max_compiler", "product")}
    report = {f"harness.report.{name}" for name in ("json_report", "junit", "sarif")}
    elsewhere = {"rich", "importlib.metadata", "pynvml", "concurrent.futures", "max"}
    unneeded = {
        *intrinsics,
        *build,
        *report,
        "harness.programs",
        "harness.cluster",
        "harness.grading",
        "harness.learning",
    }
    assert not {*unneeded, *elsewhere} & modules
    assert not [name for name in modules if name.startswith("harness.") and re.search(r"[._]ko(_|$)", name)]


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_a_program_and_what_starts_it_load_what_each_of_them_needs(tmp_path):
    """The one simulates, the other compiles, waits and tells."""
    file = ROOT / "tests" / "programs" / "programs" / "fills.mojo"
    modules = loaded("exec", str(file), "--target", "nvidia", "--backend", "simulator", cache=str(tmp_path))
    assert "harness.programs.simulated" in modules
    assert not {"numpy", "llvmlite", "rich", "harness.simt.ir", "harness.simt.public"} & modules

    code = "import json, sys, harness.programs.child; print(json.dumps(sorted(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = set(json.loads(told.stdout))
    assert {"numpy", "harness.programs.jit"} <= modules
    assert not {"harness.programs.program_plan", "harness.backends", "harness.process", "harness.build.cache"} & modules


def test_max_is_on_its_way_before_what_uses_it_is_loaded(tmp_path):
    (tmp_path / MANIFEST).write_text('{"target": "nvidia:sm_90"}')
    modules = loaded("run", "--artifacts", str(tmp_path), cache=str(tmp_path))
    assert "harness.backends.ahead" in modules
    later = {"harness.cases", "harness.build", "harness.report", "harness.programs", "harness.catalogue"}
    assert not {*later, "numpy", "llvmlite", "rich"} & modules
