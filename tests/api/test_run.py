"""`harness.run` and `harness.empty`: on any data, in the simulator and through MAX on the host."""

from __future__ import annotations

import re
import subprocess
import sys
import threading

import numpy as np
import pytest

import harness
from harness import api
from harness.backends import in_process
from harness.backends.base import Failure, Outcome
from harness.backends.simulator import SimulatorBackend
from harness.catalogue import find_case
from harness.errors import CompileError, EnvironmentFault, LaunchFault, UsageError
from harness.model import exit_code
from harness.model.sources import MOJO, ROOT
from tests import compiled
from tests.learners import known, solution, write

# No documented data: fractions, negative numbers, another order.
DATA = np.random.default_rng(15).normal(size=(4, 6)).astype(np.float32)


@pytest.fixture(scope="module", autouse=True)
def built():
    """Compiled together: one after another takes several times as long."""
    compiled.references()
    compiled.solutions()


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["auto", "simulator", "cpu"])
def test_any_data_is_computed(backend):
    """In the simulator as the kernel does it, on the host as the reference does."""
    result = harness.run("p15", {"a": DATA}, backend=backend)

    np.testing.assert_allclose(result.outputs["output"], DATA.sum(axis=1, keepdims=True), rtol=1e-5)
    assert result.outputs["output"].flags.writeable and result.outputs["output"].dtype == np.float32
    assert (result.case, result.problems, result.seconds > 0) == ("p15", (), True)
    device = "host CPU, sequential reference" if backend == "cpu" else "SIMT simulator, 32 lanes a warp"
    assert (result.backend, result.device) == ("cpu" if backend == "cpu" else "simulator", device)
    assert repr(result) == f"<Result of p15 on {result.device} ({result.backend}): output float32[4, 1]>"


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["simulator", "cpu"])
@pytest.mark.parametrize(
    "given",
    [DATA, np.asfortranarray(DATA), DATA.astype(">f4"), np.repeat(DATA, 2, axis=1)[:, ::2], DATA.tolist()],
    ids=["plain", "Fortran", "byte-swapped", "strided", "list"],
)
def test_the_one_input_needs_no_name(backend, given):
    """However it lies in memory, and it stays as it was: also what may be written to it."""
    result = harness.run("p15", given, backend=backend)
    np.testing.assert_allclose(result.outputs["output"], DATA.sum(axis=1, keepdims=True), rtol=1e-5)
    if isinstance(given, np.ndarray):
        assert given.flags.writeable
        np.testing.assert_array_equal(given, DATA)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["simulator", "cpu"])
def test_scratch_comes_back_too(backend):
    data = np.random.default_rng(34).integers(-99, 99, 1024).astype(np.float32)
    outputs = harness.run(find_case("p34:reduction"), data, backend=backend).outputs
    assert list(outputs) == ["output", "temp_storage"]
    np.testing.assert_array_equal(outputs["temp_storage"], data.reshape(4, 256).sum(axis=1))
    np.testing.assert_array_equal(outputs["output"], data.sum(keepdims=True))


def test_another_target_has_other_warps():
    data = np.arange(64, dtype=np.float32)
    outputs = harness.run("p26:pair-swap", data, target="amd:gfx942", backend="simulator").outputs
    np.testing.assert_array_equal(outputs["output"], data.reshape(32, 2)[:, ::-1].ravel())


def test_results_stay_on_the_device_until_asked_for():
    """MAX's buffers show the same memory to whoever speaks DLPack."""
    result = harness.run("p15", DATA, backend="cpu")
    seen = np.from_dlpack(result.device_outputs["output"])
    np.testing.assert_allclose(seen, DATA.sum(axis=1, keepdims=True), rtol=1e-5)
    assert list(result.device_outputs) == ["output"]
    seen[...] = 7
    np.testing.assert_array_equal(result.outputs["output"], np.full((4, 1), 7, np.float32))
    seen[...] = 8
    assert result.outputs["output"][0, 0] == 7, "what came to the host is a copy"
    with pytest.raises(UsageError, match="use `outputs`"):
        harness.run("p15", DATA, backend="simulator").device_outputs  # noqa: B018


def test_a_result_outlives_the_next_one():
    first = harness.run("p15", DATA, backend="cpu")
    second = harness.run("p15", -DATA, backend="cpu")
    np.testing.assert_array_equal(first.outputs["output"], -second.outputs["output"])


def test_threads_take_turns():
    """Each gets the sums of its own data."""
    sums_of = {}

    def run(number: int) -> None:
        for _ in range(5):
            sums = harness.run("p15", np.full((4, 6), number, np.float32), backend="cpu").outputs["output"]
            sums_of.setdefault(number, set()).update(sums.ravel().tolist())

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums_of == {number: {6.0 * number} for number in range(4)}


def test_one_engine_serves_all_calls(monkeypatch):
    """Starting it takes most of a second."""
    harness.run("p15", DATA, backend="cpu")
    engine = in_process.get_engine(None)
    harness.run("p26:pair-swap", np.arange(32, dtype=np.float32), backend="cpu")
    assert in_process.get_engine(None) is engine


def test_problems_need_no_oracle(monkeypatch):
    """Elements that nobody wrote, writes outside and changed inputs are named; the outputs are there."""
    launch = SimulatorBackend.launch

    def spoilt(self, request):
        outcome = launch(self, request)
        observed = outcome.results["output"]
        observed.before[-1] = 1.0
        observed.values[2] = np.array(0x7FC0BEEF, np.uint32).view(np.float32)
        outcome.inputs["a"][1, 2] += 1
        return outcome

    monkeypatch.setattr(SimulatorBackend, "launch", spoilt)
    result = harness.run("p15", DATA, backend="simulator")
    assert result.problems == (
        "written outside output: 1 before its start, the nearest at index -1",
        "output never written: 1 of 4, at [2, 0]",
        "input a was changed at [1, 2]",
    )
    np.testing.assert_allclose(result.outputs["output"][3], DATA[3].sum(), rtol=1e-5)


def test_the_engine_s_memory_is_checked_too(monkeypatch):
    """The same, seen in the device's memory."""
    execute = in_process.get_engine(None).execute

    def spoilt(order, fill):
        held = execute(order, fill)
        np.from_dlpack(held.buffers["output"])[-1] = 0
        np.from_dlpack(held.buffers["a"])[0, 5] = 99
        return held

    monkeypatch.setattr(in_process.get_engine(None), "execute", spoilt)
    assert harness.run("p15", DATA, backend="cpu").problems == (
        "written outside output: 1 past its end, the nearest at index 67",
        "input a was changed at [0, 5]",
    )


def test_an_unsolved_kernel_writes_nothing():
    known("a region left blank", MOJO / "p15" / "problem.mojo")
    result = harness.run("p15", DATA, kernels="problems", backend="simulator")
    assert "output never written: 4 of 4, at [0, 0], [1, 0], [2, 0], [3, 0]" in result.problems


@pytest.mark.slow
def test_findings_of_the_simulator(tmp_path):
    """A kernel of one's own without its barriers: the race is a finding and a problem."""
    write("no barrier at all", tmp_path / "mine.mojo")
    result = harness.run("p15", DATA, file=tmp_path / "mine.mojo", backend="simulator")
    assert "race" in {finding.kind for finding in result.findings if finding.severity != "information"}
    assert any("write of cache" in problem and "mine.mojo" in problem for problem in result.problems), result.problems


@pytest.mark.slow
def test_a_kernel_that_does_not_compile(tmp_path):
    (tmp_path / "mine.mojo").write_text(solution("p15").replace("barrier()", "barier()"))
    with pytest.raises(CompileError) as caught:
        harness.run("p15", DATA, file=tmp_path / "mine.mojo", backend="simulator")
    assert "barier" in caught.value.diagnostics


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (("p155", DATA), {}, "unknown case 'p155': did you mean 'p15'"),
        (("p26", DATA), {}, "p26 has several [a-z]+: choose one of p26:pair-swap, "),
        ((15, DATA), {}, "case is given by its name, but got int"),
        (("p15", {"b": DATA}), {}, "unknown input 'b'"),
        (("p15", {}), {}, "no input 'a': the case takes 'a'"),
        (("p15", DATA.astype(np.float64)), {}, "input a is float64, which does not convert to float32"),
        (("p15", DATA.T), {}, r"input a has shape \(6, 4\), but the case takes shape \(4, 6\)"),
        (("p15", DATA), {"target": "nvidia:sm_9"}, "unknown target 'nvidia:sm_9'"),
        (("p15", DATA), {"target": ["nvidia"]}, "target is given by its name, but got list"),
        (("p15", DATA), {"backend": "gpu"}, "unknown backend 'gpu'"),
        (("p15", DATA), {"backend": None}, "backend is given by its name, but got NoneType"),
        (("p15", DATA), {"kernels": "solution"}, "unknown kernels 'solution': did you mean 'solutions'"),
        (("p15", DATA), {"file": "no.mojo"}, "no kernel file at no.mojo"),
        (("p15", DATA), {"file": "\n"}, r"no kernel file at \\n\.$"),
        (("p15", DATA), {"file": 3}, "file is a path, but got int"),
    ],
)
def test_bad_arguments(arguments, options, said):
    with pytest.raises(UsageError, match=said):
        harness.run(*arguments, **options)


def test_what_this_machine_cannot_run():
    with pytest.raises(EnvironmentFault, match="no NVIDIA GPU here"):
        harness.run("p15", DATA, backend="max")
    with pytest.raises(EnvironmentFault, match="p34:reduction does not run on amd:gfx942"):
        harness.run("p34:reduction", np.zeros(1024, np.float32), target="amd:gfx942")


def test_a_launch_that_is_given_up(monkeypatch):
    """A failure of the simulator has no result, so it is raised."""
    failed = Outcome(failure=Failure("TIMEOUT", "axis_sum never ends"))
    monkeypatch.setattr(SimulatorBackend, "launch", lambda self, request: failed)
    with pytest.raises(LaunchFault, match="p15: axis_sum never ends"):
        harness.run("p15", DATA, backend="simulator")
    assert exit_code.code_of_error(LaunchFault("")) == 1


@pytest.mark.slow
def test_the_package_exports_them_late():
    """The command line and its children import it too, and must not pay for the rest."""
    script = "import sys, harness; print(sorted(harness.__all__), 'numpy' in sys.modules); harness.run; harness.nothing"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "['Result', 'empty', 'launch', 'run'] False"
    assert "module 'harness' has no attribute 'nothing'" in done.stderr
    assert harness.Result is api.Result and {"run", "launch", "empty", "Result"} <= set(dir(harness))


@pytest.mark.slow
def test_running_from_python_without_max_needs_none():
    """In the simulator, MAX is not imported."""
    script = (
        "import sys, numpy as np, harness; harness.run('p15', np.ones((4, 6), np.float32), backend='simulator')\n"
        "print([name for name in sys.modules if name == 'max' or name.startswith('max.')])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_document_s_example_runs(capsys):
    """As it stands there."""
    section = (ROOT / "docs" / "commands.md").read_text().partition("## From Python\n")[2].partition("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    exec(compile(code, "commands.md", "exec"), {})
    assert capsys.readouterr().out == "[ 15.  51.  87. 123.] SIMT simulator, 32 lanes a warp ()\n"
