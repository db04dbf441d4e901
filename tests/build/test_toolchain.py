"""The calls to `mojo`: found, judged by their diagnostics, isolated."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.errors import CompileError, EnvironmentFault
from harness.model.sources import MOJO

BROKEN = '''from max.gpu import thread_idx


def kernel():
    """Does nothing that exists."""
    var i = thread_idx.x + nothing
'''
# What MAX says when a constraint of its library is not met, around staged files.
ELABORATION = """Graph compilation failed:
error: failed to run the pass manager for offload functions
error: function instantiation failed
/tmp/stage/src/p34/__init__.mojo:24:5: note: call expansion failed with parameter value(s): (...)
/tmp/stage/src/p34/__init__.mojo:24:5: note: function instantiation failed
/tmp/stage/src/p34/__init__.mojo:54:41: note: call expansion failed
note: constraint failed: block rank identifier is only supported by NVIDIA SM90+ GPUs
error: The graph compiler could not elaborate the generated KGEN
"""


def test_mojo_is_taken_from_beside_the_interpreter(monkeypatch, tmp_path):
    """Before any other on PATH."""
    for folder in ("env", "path"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mojo").write_text("#!/bin/sh\n")
        (tmp_path / folder / "mojo").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "env" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    assert toolchain.find() == tmp_path / "env" / "mojo"
    (tmp_path / "env" / "mojo").unlink()
    assert toolchain.find() == tmp_path / "path" / "mojo"


def test_a_missing_mojo(monkeypatch, tmp_path):
    """One sentence says how to install it."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentFault, match="there is no `mojo` here: install it with `pip install"):
        toolchain.precompile(MOJO / "solutions" / "p15.mojo", "p15", tmp_path)


def test_a_missing_package(monkeypatch):
    """Versions come without an import; a missing package is a sentence."""
    assert set(toolchain.package_versions()) == {"max", "mojo"}

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(toolchain, "version", missing)
    with pytest.raises(EnvironmentFault, match="the Python package `max` is missing"):
        toolchain.package_versions()


def test_a_file_that_does_not_compile(tmp_path):
    """Only the error, its source line and its caret; the file's own path, not the staged one."""
    source = tmp_path / "broken.mojo"
    source.write_text(BROKEN)
    with pytest.raises(CompileError, match=r"broken\.mojo does not compile") as caught:
        toolchain.precompile(source, "p15", tmp_path / "stage")
    first, code, caret = caught.value.diagnostics.splitlines()
    assert first == f"{source}:6:28: error: use of unknown declaration 'nothing'"
    assert code.strip() == "var i = thread_idx.x + nothing" and set(caret.strip()) <= set("^~")


def test_diagnostics_of_an_elaboration():
    """The place in the puzzle's file and the library's reason; nothing of the outer text."""
    origins = {"/tmp/stage/src/p34/__init__.mojo": MOJO / "solutions" / "p34.mojo"}
    assert toolchain.diagnostics(ELABORATION, origins) == (
        "mojo/solutions/p34.mojo:54:41: error: constraint failed: "
        "block rank identifier is only supported by NVIDIA SM90+ GPUs"
    )


def test_text_without_diagnostics_is_not_swallowed():
    """A compiler that crashes leaves its last lines."""
    assert toolchain.diagnostics("one\ntwo\nStack dump:") == "one\ntwo\nStack dump:"
    assert toolchain.diagnostics("fatal error: signal 11\nnoise") == "fatal error: signal 11"


def test_a_compiler_that_fails_after_its_work(monkeypatch, tmp_path):
    """The exit status is not what counts: what was written is."""
    script = tmp_path / "mojo"
    script.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho package > "$2"\nexit 139\n')
    script.chmod(0o755)
    monkeypatch.setattr(toolchain, "find", lambda: script)
    source = tmp_path / "p15.mojo"
    source.write_text("")
    out = toolchain.precompile(source, "p15", tmp_path / "stage")
    assert out.read_text() == "package\n"
    script.write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(CompileError):
        toolchain.precompile(Path(source), "p15", tmp_path / "stage")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('!1 = !DIFile(filename: "/tmp/k/p15.mojo", directory: "")', '!1 = !DIFile(filename: "{}", directory: "")'),
        ('\t.file\t1 "/tmp/k/p15.mojo"', '\t.file\t1 "{}"'),
        ('\t.file\t2 "/tmp/k" "p15.mojo"', '\t.file\t2 "{}"'),
    ],
    ids=["llvm", "ptx", "amdgcn"],
)
def test_debug_locations_name_the_real_file(line, expected):
    """However the format parts folder and name; other text keeps its length."""
    other = '@message = constant [15 x i8] c"/tmp/k/p15.mojo"\n\t.file\t1 "max/warp.mojo"'
    real = MOJO / "solutions" / "p15.mojo"

    text = toolchain._located(f"{line}\n{other}", {"/tmp/k/p15.mojo": real})

    assert text == f"{expected.format('mojo/solutions/p15.mojo')}\n{other}"
