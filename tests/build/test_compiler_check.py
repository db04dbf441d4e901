"""A compiler that cannot work on this machine is told from a file that does not compile."""

from __future__ import annotations

import platform
import re
from pathlib import Path

import pytest

from harness.build import toolchain, versions
from harness.errors import CompileError, EnvironmentFault
from harness.model.sources import MOJO

TRACEBACK = r"""printf 'Traceback (most recent call last):\n  File "%s", line 3, in <module>\n' "$0"
echo "ModuleNotFoundError: No module named 'mojo'"
exit 1"""
WRITES = 'while [ "$1" != -o ]; do shift; done\necho package > "$2"\n'


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Compiles a file by a shell's script in the compiler's place, which does the same whatever it is asked."""
    script, source = tmp_path / "mojo", tmp_path / "p15.mojo"
    source.write_text("")
    monkeypatch.setattr(toolchain, "find_mojo", lambda: script)

    def make(body: str) -> Path:
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(0o755)
        return toolchain.precompile(source, "p15", tmp_path / "stage")

    return make


# How a compiler fails to start, and what is said of it.
STARTS = {
    "a library is missing": (
        'echo "$0: error while loading shared libraries: libM.so: cannot open shared object file" >&2; exit 127',
        r"\(error while loading shared libraries: libM\.so: cannot open shared object file\)",
    ),
    "an old C library": (
        "echo \"$0: /lib/libc.so.6: version 'GLIBC_2.38' not found (required by $0)\"; exit 1",
        r"\(/lib/libc\.so\.6: version 'GLIBC_2\.38' not found",
    ),
    "an old processor": ("kill -ILL $$", r"was killed by SIGILL and printed nothing\)"),
    "a crash": ("kill -SEGV $$", r"was killed by SIGSEGV and printed nothing\)"),
    "a script without its module": (TRACEBACK, r"\(ModuleNotFoundError: No module named 'mojo'\)"),
    "nothing is said": ("exit 3", r"/mojo ended with status 3 and printed nothing\)"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", STARTS)
def test_a_compiler_that_does_not_start_is_the_machine_s_fault(compiled, name):
    body, said = STARTS[name]
    with pytest.raises(EnvironmentFault, match=rf"p15\.mojo: it does not start on this machine .*{said}") as caught:
        compiled(body)
    assert str(caught.value).endswith(
        f": `mojo --version` must work first; {versions.reinstall_command('mojo')} may help."
    )


# What stands in the compiler's place, and what the system says of it.
REFUSED = {
    "another processor": (b"\x7fELF" + bytes(60), "Exec format error."),
    "a script without its interpreter": (
        b"#!/nowhere/python -I\n",
        "No such file or directory (its interpreter /nowhere/python is not there).",
    ),
    "a program without its loader": (
        Path("/bin/sh")
        .resolve()
        .read_bytes()
        .replace(b"/lib64/ld-linux-x86-64.so.2\0", b"/lib64/ld-linux-x86-64.so.9\0"),
        "No such file or directory (its loader /lib64/ld-linux-x86-64.so.9 is not there: "
        "it was built for another C library).",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_a_compiler_that_the_system_refuses_to_start(monkeypatch, tmp_path, name):
    """In the system's words, and with what it does not say."""
    if name == "a program without its loader" and platform.machine() != "x86_64":
        pytest.skip("its loader has another name")
    program, said = REFUSED[name]
    (tmp_path / "mojo").write_bytes(program)
    (tmp_path / "mojo").chmod(0o755)
    monkeypatch.setattr(toolchain, "find_mojo", lambda: tmp_path / "mojo")
    with pytest.raises(EnvironmentFault, match=re.escape(f"cannot start {tmp_path / 'mojo'}: {said}")):
        toolchain.precompile(MOJO / "p15" / "solution.mojo", "p15", tmp_path / "stage")


INCOMPLETE = "echo \"p15.mojo:1:1: error: unable to locate module 'std'\"; exit 1"


@pytest.fixture
def incomplete(monkeypatch, tmp_path):
    """Makes a compiler that lies in an SDK, with a record of its files."""
    root = tmp_path / "site-packages" / "modular"
    record = root.parent / "mojo-1.0.dist-info" / "RECORD"
    for folder in (root / "bin", root / "lib" / "mojo", record.parent):
        folder.mkdir(parents=True)
    (root / "lib" / "mojo" / "std.mojoc").write_bytes(b"library")
    script = root / "bin" / "mojo"
    script.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit 0\n{INCOMPLETE}\n')
    script.chmod(0o755)
    sizes = {"bin/mojo": script.stat().st_size, "lib/mojo/std.mojoc": 7}
    record.write_text("".join(f"modular/{name},sha256=x,{size}\n" for name, size in sizes.items()) + "a,,\n")
    monkeypatch.setattr(toolchain, "find_mojo", lambda: script)
    return root


@pytest.mark.slow
def test_a_file_of_the_compiler_that_is_missing_or_cut_is_named(incomplete, tmp_path):
    """Though the compiler has words for it at a line of the user's file; it lies where pip recorded it."""
    library = incomplete / "lib" / "mojo" / "std.mojoc"
    for broken, said in (
        (lambda: library.write_bytes(b"lib"), "its installation is damaged (LIBRARY has 3 bytes of 7)"),
        (library.unlink, "its installation is incomplete (LIBRARY: No such file or directory)"),
    ):
        broken()
        with pytest.raises(EnvironmentFault, match=re.escape(said.replace("LIBRARY", str(library)))):
            toolchain.precompile(MOJO / "p15" / "solution.mojo", "p15", tmp_path / "stage")


@pytest.mark.slow
def test_a_library_that_does_not_load_is_tried_without_the_file(incomplete, tmp_path):
    """All files are there; an empty file finds no library either."""
    with pytest.raises(EnvironmentFault, match=r"it cannot load its own library .*unable to locate module 'std'"):
        toolchain.precompile(MOJO / "p15" / "solution.mojo", "p15", tmp_path / "stage")


@pytest.mark.slow
def test_a_module_that_is_misspelt_is_the_file_s_fault(incomplete, tmp_path):
    """An empty file compiles."""
    writes = WRITES.replace("while", "[ $(basename $2) = empty ] && while", 1).replace("\necho", " && echo")
    (incomplete / "bin" / "mojo").write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit 0\n{writes}{INCOMPLETE}\n')
    (incomplete.parent / "mojo-1.0.dist-info" / "RECORD").unlink()
    with pytest.raises(CompileError):
        toolchain.precompile(MOJO / "p15" / "solution.mojo", "p15", tmp_path / "stage")
