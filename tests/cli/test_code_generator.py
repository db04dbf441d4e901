"""Simulating for Apple says in one line that Metal's own code generator did not run; other targets' says nothing."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from harness.cases import pipeline
from harness.cli.main import main
from harness.report import console
from tests.programs.together import CHOICE, PROGRAMS, together

pytestmark = pytest.mark.slow  # each runs a command

NOTE = {
    "en": "note: Metal's own code generator was not run: what it refuses, or compiles wrongly, is not found here.\n",
    "ko": "참고: Metal의 코드 생성기는 실행하지 않았습니다. "
    "Metal이 거부하거나 잘못 컴파일하는 코드는 여기서 찾지 못합니다.\n",
}
KERNELS = """
define ptx_kernel void @one(ptr %o) {
  store i32 1, ptr %o
  ret void
}
define ptx_kernel void @heap(ptr %o) {
  %p = call ptr @malloc(i64 4)
  store i32 1, ptr %o
  ret void
}
declare ptr @malloc(i64)
"""


def simulate(tmp_path, target, kernel="one", language="en", *more):
    file = tmp_path / "kernels.ll"
    file.write_text(KERNELS)
    given = ["--target", target, "--kernel", kernel, "--grid", "1", "--block", "1", "--arg", "o=zeros:i32:1"]
    return main(["simulate", str(file), *given, "--language", language, *more])


@pytest.mark.parametrize("language", NOTE)
def test_simulate_says_it_once(tmp_path, capsys, language):
    assert simulate(tmp_path, "apple", "one", language) == 0
    assert capsys.readouterr().err.count(NOTE[language]) == 1


@pytest.mark.parametrize("target", ["nvidia", "amd"])
def test_where_the_compiler_is_at_hand_nothing_is_said(tmp_path, capsys, target):
    assert simulate(tmp_path, target) == 0
    assert "Metal" not in capsys.readouterr().err


@pytest.mark.parametrize("engine", ["reference", "native", "auto"])
def test_a_heap_ends_simulate_as_an_error(tmp_path, capsys, engine):
    assert simulate(tmp_path, "apple", "heap", "en", "--engine", engine) == 1
    assert "`malloc` is called, but kernels on apple:apple-m4 have no heap" in capsys.readouterr().out


def test_the_head_of_a_run_says_it(capsys):
    for target, count in (("apple", 1), ("amd", 0)):
        console.print_header(pipeline.plan(target, "simulator"), "kernels")
        assert capsys.readouterr().err.count(NOTE["en"]) == count


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
@pytest.mark.parametrize("engine", ["reference", "native", "auto"])
def test_exec_finds_a_heap_for_apple_and_says_it_once(monkeypatch, capfd, engine):
    monkeypatch.setenv(CHOICE, "kernel_heap")
    file = str(together("kernel_heap", "apple"))
    given = ["--target", "apple", "--backend", "simulator", "-I", str(PROGRAMS), "--engine", engine, "--language", "en"]
    code = main(["exec", file, *given])

    told = capfd.readouterr()
    assert code == 1
    assert "12.0 12.0" in told.out
    assert "`malloc` is called, but kernels on apple:apple-m4 have no heap" in told.err
    assert told.err.count(NOTE["en"]) == 1
