"""IR of strangers is read in a child: what ends LLVM does not end us."""

from __future__ import annotations

import os
import signal

import pytest

from harness.build.foreign_ir import decode_foreign
from harness.cli.main import main
from harness.errors import UsageError
from harness.model import exit_code
from harness.process.box import Sandbox, SandboxAnswer
from harness.process.child import ProcessExit
from harness.simt.errors import DecodeError
from harness.simt.ir.parse import decode

KERNEL = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out) {
  store i32 7, ptr addrspace(1) %out
  ret void
}
"""
LIMITS = Sandbox("limits", "limits")


@pytest.mark.slow
def test_it_is_the_same_module():
    ours, theirs = decode(KERNEL), decode_foreign(KERNEL, LIMITS)

    assert theirs.kernels == ours.kernels == ("k",)
    assert repr(theirs.function("@k").blocks) == repr(ours.function("@k").blocks)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["no IR", "define void @f() { ret i32 0 }", "é\udcff"])
def test_what_llvm_does_not_accept_is_told(text):
    with pytest.raises(DecodeError, match="LLVM does not accept"):
        decode_foreign(text, LIMITS)


@pytest.fixture
def ended(monkeypatch):
    """The child ends in this way, and leaves this answer."""

    def how(status, data=None, limit=""):
        monkeypatch.setattr(Sandbox, "ask", lambda *_, **__: SandboxAnswer(ProcessExit(status, limit), data, ""))

    return how


def test_a_text_that_ends_llvm_is_malformed(ended):
    ended(-signal.SIGABRT)
    with pytest.raises(UsageError, match="malformed: LLVM was killed by SIGABRT"):
        decode_foreign(KERNEL, LIMITS)


def test_a_limit_is_told(ended):
    ended(-signal.SIGXCPU, limit="cpu_seconds")
    with pytest.raises(UsageError, match=r"more than the limit to read it \(cpu seconds\)"):
        decode_foreign(KERNEL, LIMITS)


@pytest.mark.parametrize("data", [b"[]", b"[" * 100_000, b'{"result": {"text": 1}}', b"\x80\x04."])
def test_what_is_no_answer_is_none(ended, data):
    ended(0, data)
    with pytest.raises(UsageError, match="malformed"):
        decode_foreign(KERNEL, LIMITS)


@pytest.mark.slow
def test_simulate_reads_it_in_another_process(tmp_path, monkeypatch, capsys):
    """LLVM is never asked in this one."""
    (tmp_path / "k.ll").write_text(KERNEL)
    monkeypatch.setattr("harness.simt.ir.parse.llvm.parse_assembly", lambda *_, **__: os.abort())

    words = ["--target", "nvidia:sm_90", "--grid", "1", "--block", "1", "--arg", "out=empty:i32:1"]
    assert main(["simulate", str(tmp_path / "k.ll"), *words]) == exit_code.OK
    assert "out = [7]" in capsys.readouterr().out
