"""`harness.programs.execute`: what is known of a run in Python."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from harness.errors import CompileError, EnvironmentFault, UsageError
from harness.model.target import Target
from harness.programs import Execution, execute
from harness.report import programs
from tests.programs.together import PROGRAMS, execute_beside, in_korean


@pytest.mark.parametrize(("backend", "memory"), [("simulator", True), ("max", False)])
def test_a_program_that_was_killed_is_told_what_buffers_take(backend: str, memory: bool):
    """A machine whose memory is used up does so, and says nothing."""
    target = Target.parse("nvidia:sm_90")
    killed = Execution(file=Path("large.mojo"), target=target, backend=backend, status=-signal.SIGKILL)

    (line,) = programs.format_execution(killed)
    assert line.startswith("========= ENDED BY A SIGNAL: ended by SIGKILL")
    assert line.endswith("a device buffer takes five times its size in the simulator") is memory
    assert killed.exit_code == 128 + signal.SIGKILL


@pytest.mark.slow
def test_a_launch_is_known_with_its_geometry_its_arguments_and_its_line():
    execution = execute_beside("p34_cluster", "nvidia", arguments=["--reduction"])

    (launch,) = execution.launches
    assert launch.kernel == "cluster_collective_operations"
    assert launch.symbol.startswith("p34_cluster_cluster_collective")
    assert (launch.grid, launch.block, launch.cluster) == ((4, 1, 1), (256, 1, 1), (4, 1, 1))
    assert launch.arguments == ("buffer 1", "buffer 0", "buffer 2", "0x00000400")
    assert launch.place.startswith(f"{PROGRAMS / 'p34_cluster.mojo'}:82:")
    assert launch.observed and launch.seconds > 0
    assert execution.counters["global_loads"] == launch.counters["global_loads"] == 1024 + 4
    assert "first_writing_block" in launch.counters and "first_writing_block" not in execution.counters
    assert (execution.status, execution.exit_code, execution.verdict, execution.findings) == (0, 0, "PASS", ())


@pytest.mark.slow
def test_dynamic_shared_memory_is_known():
    (launch,) = execute_beside("shared_dynamic", "nvidia").launches

    assert (launch.shared_bytes, launch.block) == (24, (6, 1, 1))


@pytest.mark.slow
def test_counters_are_those_of_all_launches_that_were_observed():
    execution = execute_beside("many_kernels", "nvidia", arguments=["3"])

    assert execution.counters["global_stores"] == 3 * 64


@pytest.mark.slow
def test_an_error_of_the_program_is_its_own():
    execution = execute_beside("status", "nvidia", arguments=["error"])

    assert (execution.status, execution.verdict) == (1, "MISMATCH")
    assert b"that was all" in execution.errors + execution.output


@pytest.mark.slow
def test_arguments_are_whatever_str_writes_and_whatever_a_command_line_has():
    """A number, a path, and a byte that is no UTF-8, as Python holds it."""
    arguments = ["nothing", 5, Path("a"), "\udcff"]
    execution = execute_beside("status", "nvidia", arguments=arguments)

    assert (execution.status, execution.output) == (0, b"begins 5\n")
    assert execution.arguments == ("nothing", "5", "a", "\udcff")


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ({"backend": "cuda"}, UsageError, "unknown backend 'cuda'"),
        ({"target": "nvidia:sm_1"}, UsageError, "unknown target"),
        (
            {"target": "nvidia:sm_90", "backend": "max"},
            EnvironmentFault,
            'GPU for .*: leave out `backend="max"`',
        ),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_is_compiled(how, error, message, monkeypatch):
    monkeypatch.setattr("harness.backends.devices.discover", list)

    with pytest.raises(error, match=message):
        execute(PROGRAMS / "fills.mojo", **how)


def test_a_file_that_is_no_program_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="no program at"):
        execute(tmp_path / "none.mojo", backend="simulator")
    with pytest.raises(UsageError, match="is a folder: name the file in it that has `main`"):
        execute(tmp_path, backend="simulator")
    (tmp_path / "module.mojo").write_text("def helper():\n    pass\n")
    with pytest.raises(UsageError, match="has no `main`, where a program begins"):
        execute(tmp_path / "module.mojo", backend="simulator")


TAKES_AN_INT = """from max.gpu import global_idx
from max.gpu.host import DeviceContext


def fill(to: Pointer[Float32, MutAnyOrigin], n: Int):
    if Int(global_idx.x) < n:
        to[unsafe_offset=Int(global_idx.x)] = 10


def main() raises:
    with DeviceContext() as ctx:
        var to = ctx.enqueue_create_buffer[DType.float32](4)
        ctx.enqueue_function[fill](to, 4, grid_dim=1, block_dim=4)
"""


@pytest.mark.slow
@pytest.mark.full  # of what the compiler says of it, `tests/build/test_toolchain.py` asserts it
def test_a_program_that_does_not_compile_raises_with_the_compilers_words_at_its_own_line(tmp_path: Path):
    """Though it is the library that the compiler complains of."""
    (tmp_path / "wrong.mojo").write_text(TAKES_AN_INT)

    with pytest.raises(CompileError) as error:
        execute(tmp_path / "wrong.mojo", backend="simulator")
    first, line, _ = error.value.diagnostics.splitlines()
    assert first.startswith(f"{tmp_path}/wrong.mojo:13:35: error: constraint failed: Int and UInt do not conform")
    assert line.strip().startswith("ctx.enqueue_function[fill](to, 4")


@pytest.mark.slow
def test_the_name_of_a_file_may_be_of_any_letters_for_amd():
    """Mojo makes the kernels' symbols of it; for NVIDIA its own compiler refuses these."""
    execution = execute(in_korean(), target="amd", backend="simulator")
    assert (execution.status, execution.output) == (0, b"DeviceBuffer([10, 10, 10, 10])\n")
    assert [launch.kernel for launch in execution.launches] == ["fill"]
