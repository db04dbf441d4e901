"""compute-sanitizer around the worker: what it says, and what becomes of it; by a stand-in where there is no GPU."""

from __future__ import annotations

import json
import stat
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.backends.base import Request
from harness.backends.compute_sanitizer import run
from harness.backends.compute_sanitizer import tool as sanitizer
from harness.backends.devices import Device
from harness.backends.guarded import find_damaged, make_guarded, split
from harness.backends.simulator import SimulatorBackend
from harness.build import toolchain
from harness.build.graphs import Artifact, Graphs
from harness.build.unit import Build, compiled_parameters, make_units
from harness.cases import pipeline
from harness.catalogue import find_case
from harness.cli.main import main
from harness.errors import CompileError, EnvironmentFault, UsageError
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import HARNESS_MOJO, Sources
from harness.model.target import Target
from tests import compiled

pytestmark = pytest.mark.slow  # together they take four seconds

HERE = Path(__file__).resolve().parents[2]
SM_90 = Target.parse("nvidia:sm_90")
PLAN = LaunchPlan(SM_90, "max", "Fake GPU", "", (0,))

# As compute-sanitizer 2025.3.1 wrote them on an H200, shortened.
OUT_OF_BOUNDS = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at p15_axis_sum_c853+0x200
=========     by thread (0,0,0) in block (0,3,0)
=========     Access to 0x7f5c44a00010 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f5c44a00000 of size 16 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: cuLaunchKernelEx [0x39fc2f] in libcuda.so.1
=========
========= Invalid __global__ write of size 4 bytes
=========     at p15_axis_sum_c853+0x200
=========     by thread (1,0,0) in block (0,3,0)
=========     Access to 0x7f5c44a00014 is out of bounds
========= Target application returned an error
========= ERROR SUMMARY: 2 errors
"""
RACE = """========= COMPUTE-SANITIZER
========= Warning: Race reported between Write access at p15_axis_sum_c853+0x230
=========     and Read access at p15_axis_sum_c853+0x250 [128 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)
"""
CLEAN = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n"
NO_RACE = "========= COMPUTE-SANITIZER\n========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"


def test_findings_are_one_line_for_a_place():
    """What, where, by whom and how far off, with how often."""
    log = sanitizer.parse(OUT_OF_BOUNDS)
    assert log.errors == 2
    (message,) = log.messages
    assert message == (
        "Invalid __global__ write of size 4 bytes, at p15_axis_sum_c853+0x200, by thread (0,0,0) in block (0,3,0), "
        "Access to 0x7f5c44a00010 is out of bounds, and is 1 bytes after the nearest allocation at 0x7f5c44a00000 "
        "of size 16 bytes (2 times)"
    )


@pytest.mark.parametrize(
    ("text", "errors", "messages"),
    [
        (RACE, 1, 1),
        (CLEAN, 0, 0),
        (NO_RACE, 0, 0),
        ("", None, 0),
        ("========= COMPUTE-SANITIZER\n", None, 0),
        ("========= Barrier error detected. Divergent thread(s) in warp.\n========= ERROR SUMMARY: 3 errors\n", 3, 1),
        ("something else\n========= \n========= a line that nobody knows\n========= ERROR SUMMARY: 0 errors", 0, 1),
    ],
)
def test_a_summary_counts_and_its_absence_is_known(text, errors, messages):
    log = sanitizer.parse(text)
    assert (log.errors, len(log.messages)) == (errors, messages)


def test_a_buffer_without_guards_has_no_damaged_ones():
    """As buffers are for a sanitizer, which keeps account of the bounds itself."""
    whole = make_guarded((4, 1), np.float32, "zero", 0)
    values, before, after = split(whole, (4, 1), 0)

    assert (values.shape, before.size, after.size) == ((4, 1), 0, 0)
    assert find_damaged(before).size == find_damaged(after).size == 0


def test_tools_are_named():
    """None means all; the nearest is named for one that does not exist."""
    assert run.parse_tools("") == sanitizer.TOOLS
    assert run.parse_tools("racecheck, memcheck,racecheck") == ("racecheck", "memcheck")
    with pytest.raises(UsageError, match="did you mean 'memcheck'"):
        run.parse_tools("memchek")


def test_every_tool_has_a_kernel_that_it_must_report():
    assert {path.stem for path in (HARNESS_MOJO / "controls").glob("*.mojo")} == set(sanitizer.TOOLS)
    assert set(run.EXPECTED) == set(sanitizer.TOOLS)


@pytest.fixture(scope="module")
def controls() -> dict[str, str]:
    """The code of the kernels that a tool must report, by the tool."""
    (unit,) = make_units([find_case("p15")], Build(target=SM_90))
    files = [HARNESS_MOJO / "controls" / f"{tool}.mojo" for tool in sanitizer.TOOLS]
    parts = [(replace(unit, file=file, module=file.stem), SM_90) for file in files]
    return dict(zip(sanitizer.TOOLS, compiled.kernels(parts), strict=True))


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("memcheck", "out-of-bounds"),
        ("racecheck", "race"),
        ("synccheck", "divergent-barrier"),
        ("initcheck", "uninitialised"),
    ],
)
def test_the_kernels_do_what_they_are_there_for(controls, tool, kind):
    """The simulator finds the fault, and no other that would make a tool speak."""
    entry = find_case("p15")
    instance = entry.instance(32)
    backend = SimulatorBackend(LaunchPlan(SM_90, "simulator"), {entry.id: (controls[tool],)})
    outcome = backend.launch(Request(case=entry, instance=instance, dataset=instance.datasets[0]))

    assert outcome.failure is None
    kinds = {finding.kind for finding in outcome.findings if finding.severity != "information"}
    assert kinds - {"missed-barrier"} == {kind}


@pytest.fixture
def tool(tmp_path, monkeypatch):
    """A stand-in for compute-sanitizer: runs the worker, then says what the next text has."""
    program = tmp_path / "compute-sanitizer"
    program.write_text(
        f"#!{sys.executable}\n"
        "import subprocess, sys\n"
        "from pathlib import Path\n"
        "here = Path(__file__).parent\n"
        "log = Path(sys.argv[sys.argv.index('--log-file') + 1])\n"
        f"start = sys.argv.index({sys.executable!r})\n"
        "code = subprocess.run(sys.argv[start:], close_fds=False).returncode\n"
        "calls = here / 'calls'\n"
        "number = len(calls.read_text().split()) if calls.exists() else 0\n"
        "with calls.open('a') as file: file.write(sys.argv[2] + '\\n')\n"
        "text = (here / f'{number}.log').read_text()\n"
        "if text: log.write_text(text)\n"
        "sys.exit(code)\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    monkeypatch.setattr(sanitizer, "find", lambda: str(program))
    monkeypatch.setattr(sanitizer, "WORKER", "fake_worker")
    artifacts = {"p15": Artifact(Path("none"), "p15", "", compiled_parameters(find_case("p15"), 32))}
    monkeypatch.setattr(run, "build_graphs", lambda *_, **__: Graphs(dict(artifacts)))

    def saying(*texts: str) -> Path:
        for number, text in enumerate(texts):
            (tmp_path / f"{number}.log").write_text(text)
        return tmp_path / "calls"

    return saying


def examine(*chosen: str):
    return run.run([find_case("p15")], plan=PLAN, sources=Sources(), tools_to_run=chosen)


def test_the_control_runs_first_for_each_tool(tool):
    """Then the case; a process for each."""
    calls = tool(OUT_OF_BOUNDS, CLEAN, RACE, NO_RACE)
    examinations = examine("memcheck", "racecheck")
    assert [(examination.tool, examination.case, examination.status) for examination in examinations] == [
        ("memcheck", "p15", "clean"),
        ("racecheck", "p15", "clean"),
    ]
    assert calls.read_text().split() == ["memcheck", "memcheck", "racecheck", "racecheck"]
    assert run.compute_exit_code(examinations) == 0


def test_a_function_of_the_host_is_passed_by(tool):
    """No graph is built of it; the next case is examined."""
    tool(OUT_OF_BOUNDS, CLEAN)
    examinations = run.run(
        [find_case("p23:tiled"), find_case("p15")],
        plan=PLAN,
        sources=Sources(),
        tools_to_run=["memcheck"],
        notify=lambda _: None,
    )

    assert [examination.status for examination in examinations] == ["skipped", "clean"]
    assert "a function of the host, and --sanitize takes launches of kernels alone" in examinations[0].reason
    with pytest.raises(EnvironmentFault, match="nothing was examined: p23:tiled calls"):
        run.compute_exit_code(examinations[:1])
    with pytest.raises(EnvironmentFault, match="nothing was examined: there are no cases"):
        run.compute_exit_code(())


def test_findings_are_told(tool):
    tool(OUT_OF_BOUNDS, OUT_OF_BOUNDS)
    (examination,) = examine("memcheck")
    assert (examination.status, examination.errors, len(examination.messages)) == ("findings", 2, 1)
    assert run.compute_exit_code([examination]) == 1


@pytest.mark.parametrize(
    ("said", "how"),
    [
        (CLEAN, "does not report what is wrong"),
        ("", "gives no summary"),
        (OUT_OF_BOUNDS.replace("Invalid __global__ write", "Some other error"), "does not report what is wrong"),
    ],
)
def test_a_blind_tool_gives_no_verdict(tool, said, how):
    """Whatever it would say of the cases."""
    tool(said, CLEAN)
    control = r"harness/build/mojo/controls/memcheck\.mojo"
    with pytest.raises(EnvironmentFault, match=rf"memcheck {how} on the known-bad kernel {control}"):
        examine("memcheck")


def test_a_known_bad_kernel_that_does_not_compile_is_the_harness_s_fault(tool, monkeypatch):
    tool(OUT_OF_BOUNDS, CLEAN)
    broken = Graphs(errors={"p15": CompileError("p15 does not compile", "memcheck.mojo:3:1: error: it has moved")})
    monkeypatch.setattr(run, "build_graphs", lambda *_, **__: broken)
    with pytest.raises(EnvironmentFault, match=r"controls/memcheck\.mojo does not compile here, .* it has moved"):
        examine("memcheck")


def test_a_missing_summary_is_no_clean_case(tool):
    tool(OUT_OF_BOUNDS, "")
    (examination,) = examine("memcheck")
    assert (examination.status, examination.reason) == ("failed", "memcheck gave no summary, so nothing is known")
    assert run.compute_exit_code([examination]) == 1


def test_a_launch_without_a_result_is_no_clean_case(tool, monkeypatch):
    """The tool may be content where the process was not."""
    tool(OUT_OF_BOUNDS, CLEAN)
    started = []

    class Dying(sanitizer.Sanitized):
        def __init__(self, kind, *rest):
            started.append(kind)
            super().__init__("gpu" if len(started) == 1 else "illegal-address", *rest)

    monkeypatch.setattr(sanitizer, "Sanitized", Dying)
    (examination,) = examine("memcheck")
    assert examination.status == "failed" and "CUDA_ERROR_ILLEGAL_ADDRESS" in examination.reason


def test_a_worker_behind_a_tool_dies_with_the_harness(tool, tmp_path):
    """Both processes of it, and `close` leaves none."""
    tool(CLEAN)
    child = sanitizer.Sanitized("gpu", {}, sanitizer.find(), "memcheck", tmp_path / "log")
    assert child.receive(20).architecture == "sm_90"
    child.close()
    assert (tmp_path / "log").read_text() == CLEAN
    child.close()  # a second time does no harm


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (["--sanitize", "memchek"], 2, "did you mean 'memcheck'"),
        (["--sanitize", "--backend", "simulator"], 2, "in the simulator its own checks always run"),
        (["--sanitize", "--junit", "x.xml"], 2, "--sanitize and --junit cannot be combined"),
        (["--sanitize", "--seed", "0"], 2, "--sanitize and --seed cannot be combined"),
        (["--sanitize", "--counters"], 2, "--sanitize and --counters cannot be combined"),
        (["--sanitize", "--jobs", "2"], 2, "--sanitize and --jobs cannot be combined"),
        (["--sanitize", "--documented-size"], 2, "--sanitize and --documented-size cannot be combined"),
        (["--sanitize", "--engine", "reference"], 2, "--sanitize and --engine cannot be combined"),
        (["--sanitize", "--engine", "native"], 2, "--sanitize and --engine cannot be combined"),
        (["--sanitize", "p26:pair-swap"], 2, "p26:pair-swap is a case: name it first, `run p26:pair-swap --sanitize`"),
        (["--sanitize"], 3, "compute-sanitizer is not installed"),
    ],
)
def test_the_command_line(monkeypatch, capsys, flags, code, said):
    """One sentence each."""
    gpu = Device("Fake GPU", SM_90)
    monkeypatch.setattr(pipeline.devices, "discover", lambda: [gpu])
    monkeypatch.setattr(sanitizer.shutil, "which", lambda _: None)
    monkeypatch.setattr(sanitizer, "USUAL", Path("/nonexistent"))
    assert main(["run", "p15", *flags]) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("present", [[], [Device("Fake GPU", Target.parse("amd:gfx942"))]], ids=["none", "amd"])
def test_without_an_nvidia_gpu_nothing_is_examined(monkeypatch, capsys, present):
    """On a machine with another vendor's GPU too."""
    monkeypatch.setattr(pipeline.devices, "discover", lambda: present)
    assert main(["run", "p15", "--sanitize"]) == 3
    assert "--sanitize needs an NVIDIA GPU" in capsys.readouterr().err


def test_the_report_is_json_too(tool, monkeypatch, tmp_path, capsys):
    tool(OUT_OF_BOUNDS, OUT_OF_BOUNDS)
    monkeypatch.setattr(pipeline.devices, "discover", lambda: [Device("Fake GPU", SM_90)])
    path = tmp_path / "report.json"
    assert main(["run", "p15", "--sanitize", "memcheck", "--json", str(path)]) == 1
    document = json.loads(path.read_text())
    assert document["examined"][0]["status"] == "findings"
    assert "memcheck: p15: Invalid __global__ write" in capsys.readouterr().out
