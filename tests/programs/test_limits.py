"""Limits, each told when it strikes; order and eagerness; what the simulated device has not."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from harness.programs import Execution, Options, execute
from harness.report import programs
from tests.programs.sight import sight_here
from tests.programs.together import execute_beside

HERE = Path(__file__).parent
pytestmark = pytest.mark.slow


def beside(program: str, *arguments: str, **options: object) -> Execution:
    return execute_beside(program, "nvidia", arguments=arguments, options=Options(**options))


def ids(execution: Execution) -> set[str]:
    return {finding.id for finding in execution.findings}


def test_a_kernel_that_never_ends_is_stopped_by_the_limit_of_a_launch():
    execution = beside("endless", "kernel", launch_seconds=0.5)

    assert execution.output == b"begins\n"
    assert (execution.verdict, execution.exit_code) == ("TIMEOUT", 1)
    assert execution.limit.startswith("launched spin, which was stopped: ")
    assert (
        "`Options.launch_seconds` gives a launch more time, `Options(observed_launches=0)` leaves its checks away"
        in execution.limit
    )
    beyond = beside("endless", "kernel", launch_seconds=0.5, observed_launches=0)
    assert beyond.limit.endswith("`Options.launch_seconds` gives a launch more time")
    assert execution.seconds < 30


def test_a_host_that_never_ends_is_stopped_by_the_limit_of_the_program():
    execution = beside("endless", "host", seconds=3.0)

    assert execution.output == b"begins\n"
    assert (execution.verdict, execution.exit_code) == ("TIMEOUT", 1)
    assert execution.limit == "did not end within 3 s: `Options.seconds` raises the limit"
    assert list(programs.format_execution(execution)) == [f"========= LIMIT: the program {execution.limit}"]


def test_memory_is_limited():
    most = 600 + 32 * (os.cpu_count() or 1)  # each thread of Mojo's runtime has a stack, and memory of its own
    execution = beside("endless", "memory", memory_bytes=most << 20)

    assert execution.output.startswith(b"begins\n") and b"ends\n" not in execution.output
    assert execution.exit_code in (1, 128 + signal.SIGILL, 128 + signal.SIGABRT)  # by who is the first to want more
    assert f"{most} that it may have: `Options.memory_bytes` raises the limit" in execution.limit


def test_launches_of_one_kernel_are_limited():
    execution = beside("many_kernels", launches=50)

    assert len(execution.launches) == 50
    assert execution.limit.startswith("launched ") and execution.limit.endswith(
        " more than 50 times: `Options.launches` raises the limit"
    )
    assert execution.exit_code == 1


def test_launches_beyond_those_that_are_observed_are_told():
    execution = beside("many_kernels", observed_launches=7, engine="reference")

    assert [launch.observed for launch in execution.launches] == [True] * 7 + [False] * 93
    (told,) = [finding for finding in execution.findings if finding.id == "launches-unobserved"]
    assert told.severity == "information" and told.values["count"] == 93
    assert execution.exit_code == 0


def test_launches_after_wrong_ones_that_took_long_to_explain_only_compute():
    execution = beside("wrong_again", explain_seconds=0.0)

    assert [launch.observed for launch in execution.launches] == [True, False, False, False]
    told = {finding.id: finding for finding in execution.findings}
    assert told["launches-unexplained"].severity == "information"
    values = told["launches-unexplained"].values
    assert (values["count"], values["observed"], values["kernel"]) == (3, 1, "turn")
    assert any(name.startswith("race.shared") for name in told)
    assert execution.output == b"3 3\n"


def test_a_crash_of_the_host_is_told_with_its_line_and_takes_nothing_with_it():
    execution = beside("endless", "crash")

    (crashed,) = execution.findings
    assert crashed.id == "crashed"
    assert [site.line for site in crashed.sites[:1]] == ([35] if sight_here().lines else [])
    assert (execution.status, execution.exit_code) == (-11, 139)


def test_eager_work_is_done_when_it_is_queued():
    execution = beside("missing_wait", eager=True)

    assert execution.output == b"7.0 7.0\n"
    assert "missing-wait.read" not in ids(execution)


def test_memory_that_nobody_gives_back_is_told_for_information():
    leaking, clean = beside("leak"), beside("fills")

    assert "leak" in ids(leaking) and leaking.exit_code == 0
    assert "leak" not in ids(clean)


@pytest.mark.parametrize("arguments", [(), ("catch",)])
def test_a_function_that_is_not_there_is_named_whether_or_not_the_program_catches_its_error(arguments):
    execution = beside("driver", *arguments)

    assert execution.output == (b"caught: True\n" if arguments else b"")
    (missing,) = execution.missing
    assert missing.startswith("AsyncRT_DeviceContext_cuda_context (handles of the vendor's own driver)")
    assert (execution.verdict, execution.exit_code) == ("INCOMPLETE", 3)


@pytest.mark.full
def test_a_library_of_the_vendor_is_named_and_how_the_program_ends_without_it_is_no_finding():
    execution = execute(HERE / "lacking" / "library.mojo", target="nvidia", backend="simulator")

    assert execution.missing == (
        "cuBLAS (cublasCreate_v2), which needs the vendor's own driver, is not supported by the simulated device",
    )
    assert (execution.verdict, execution.exit_code, execution.findings) == ("INCOMPLETE", 3, ())


def test_another_seed_is_another_order_of_the_threads():
    """A race that the default order hides or shows is told under every one."""
    for seed in (1, 2):
        assert any(name.startswith("race.shared.") for name in ids(beside("kernel_race", seed=seed)))
