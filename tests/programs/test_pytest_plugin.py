"""Programs and cases as tests of pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import pytest_plugin
from harness.backends import devices
from tests.processes import import_path
from tests.programs.together import PROGRAMS, in_korean

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.slow


@pytest.fixture
def repository(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Somebody's repository: a right program, a wrong one, and a test that must not run by itself."""
    monkeypatch.setenv("PYTHONPATH", import_path(Path(__file__).parents[2]))
    for name in ("fills", "copy_too_short"):
        (pytester.path / f"{name}.mojo").symlink_to(in_korean())  # compiled for others too, it does as it is called
    pytester.makepyfile(test_other="def test_other(): raise AssertionError")
    return pytester


PLUGINS = ("-p", "harness.pytest_plugin", "-p", "no:cacheprovider")


def run(repository: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return repository.runpytest_subprocess(*PLUGINS, *arguments)


def run_here(repository: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """In this process: where no program runs, starting another one is all that takes time."""
    return repository.runpytest_inprocess(*PLUGINS, *arguments)


def test_each_program_is_a_test_and_a_finding_fails_it(repository: pytest.Pytester):
    result = run(repository, "--target", "amd", "--backend", "simulator", "--mojo", ".")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*MISMATCH: a copy takes as many bytes as buffer 0 has, 16, but buffer 1 has 12*"])


def test_a_program_is_named_from_the_root_folder(repository: pytest.Pytester, monkeypatch):
    """As pytest names its own tests; what it tells is relative to where it was called."""
    repository.makeini("[pytest]")
    folder = repository.mkdir("kernels")
    (repository.path / "fills.mojo").rename(folder / "fills.mojo")
    monkeypatch.chdir(folder)

    result = run_here(repository, "--collect-only", "-q", "--mojo", ".")

    result.stdout.fnmatch_lines(["kernels/fills.mojo::main"])


def test_a_test_of_ones_own_runs_a_program_and_sees_what_it_prints(repository: pytest.Pytester):
    repository.makepyfile(
        test_mine="""
        def test_right(mojo):
            assert mojo("fills.mojo").output.startswith(b"DeviceBuffer([10,")

        def test_wrong(mojo):
            mojo("copy_too_short.mojo")

        def test_wrong_on_purpose(mojo):
            assert mojo("copy_too_short.mojo", check=False).exit_code == 1

        def test_compiled(mojo):
            mojo("wrong.mojo")
        """
    )
    (repository.path / "wrong.mojo").write_text("def main():\n    nothing_of_this_name()\n")

    result = run(repository, "--target", "amd", "--backend", "simulator", "test_mine.py")

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["*wrong.mojo:2:5: error: use of unknown declaration 'nothing_of_this_name'"])
    result.stdout.no_fnmatch_line("*During handling*")  # it would all be told twice
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


@pytest.mark.full
def test_a_test_of_ones_own_calls_an_op(repository: pytest.Pytester):
    """What is not right fails it, with the finding."""
    repository.makepyfile(
        test_mine=f"""
        import numpy as np

        A, HOW = np.ones((4, 4), np.float32), {{"parameters": {{"defect": 0}}}}

        def test_right(mojo_op):
            assert mojo_op("{PROGRAMS.parent}/ops", "matmul", [A, A], expected=[4 * A], **HOW).ok

        def test_wrong(mojo_op):
            mojo_op("{PROGRAMS.parent}/ops", "matmul", [A, A], expected=[5 * A], **HOW)

        def test_wrong_on_purpose(mojo_op):
            assert not mojo_op("{PROGRAMS.parent}/ops", "matmul", [A, A], expected=[5 * A], check=False, **HOW).ok

        def test_no_op(mojo_op):
            mojo_op("{PROGRAMS.parent}/ops", "matmuls", [A, A])
        """
    )

    result = run(repository, "--target", "nvidia", "--backend", "simulator", "test_mine.py")

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        ["*MISMATCH on data set given*", "*16 of 16 wrong in output*", "*did you mean 'matmul'?"]
    )
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_a_case_of_the_catalogue_is_a_test(repository: pytest.Pytester):
    result = run(repository, "--target", "nvidia", "--backend", "simulator", "--puzzles", "p15")

    result.assert_outcomes(passed=1)


def test_a_missing_program_is_one_sentence(repository: pytest.Pytester):
    result = run_here(repository, "--mojo", "nothing.mojo")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: no program at nothing.mojo."])


def test_an_unknown_target_is_one_sentence(repository: pytest.Pytester):
    result = run_here(repository, "--mojo", "fills.mojo", "--target", "nvidiaa")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: unknown target 'nvidiaa': did you mean *"])
    result.stdout.no_fnmatch_line("*Error*")


def test_a_gpu_that_is_not_there_is_told_with_the_flag_that_asked(repository):
    if devices.discover():
        pytest.skip("there is a GPU on this machine")

    result = run_here(repository, "--target", "nvidia:sm_90", "--backend", "max", "--mojo", ".")

    assert "leave out `--backend max`." in "\n".join([*result.outlines, *result.errlines])


def test_a_case_without_its_gpu_fails_with_a_sentence(repository, monkeypatch):
    monkeypatch.setattr(devices, "discover", lambda *_: [])

    result = run_here(repository, "--backend", "max", "--puzzles", "p15", "p01")

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["no NVIDIA GPU here: *"])
    result.stdout.no_fnmatch_line("*Error*")


def test_an_error_that_nobody_foresaw_fails_its_case_with_a_traceback(repository, monkeypatch):
    """And only that: the other tests run."""
    monkeypatch.setattr(pytest_plugin.pipeline, "run", lambda *_, **__: 1 / 0)

    result = run_here(repository, "--target", "amd", "--backend", "simulator", "--puzzles", "p15", "p01")

    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["E*ZeroDivisionError: division by zero"])
