"""What tools below the compiler say of a file, such as linkers and LLVM's back ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.build.diagnostics import extract_diagnostics

LINKER = """/home/p.mojo:1:1: error: failed to generate amdgpu shared object binary:
lld: error: undefined symbol: malloc
>>> referenced by memory.mojo:451 (Mojo/stdlib/std/memory/memory.mojo:451)
>>>               /tmp/x/p.mojo0-a019781.o:(std_collections_list_List)

from max.gpu import thread_idx
^
/opt/bin/mojo: error: failed to run the pass manager
"""
HOST_LINKER = """Failed to initialize Crashpad.  Crash reporting will not be available.  Cause: while locating
/usr/bin/ld: /tmp/mojo_archive-8dbbfc9.a: in function `main':
u.mojo:(.text+0x51): undefined reference to `nosuchfunction'
collect2: error: ld returned 1 exit status
/opt/bin/mojo: error: failed to link executable
"""
BACK_END = """error: <inline asm>:1:2: invalid instruction
\tbogus.instruction s2;
\t^

/home/w.mojo:1:1: error: failed to generate amdgpu shared object binary:
lld: error: target emulation unknown: -m or at least one .o file required

from std.sys import inlined_assembly
^
"""
BEFORE = """ptxas fatal : Unresolved extern function 'vprintf'
/home/w.mojo:1:1: error: failed to lower to PTX
def main():
^
"""


@pytest.mark.parametrize(
    ("printed", "kept"),
    [
        (
            LINKER,
            [
                "/home/p.mojo:1:1: error: failed to generate amdgpu shared object binary:",
                "lld: error: undefined symbol: malloc",
                ">>> referenced by memory.mojo:451 (Mojo/stdlib/std/memory/memory.mojo:451)",
                ">>>               p.mojo:(std_collections_list_List)",
                "from max.gpu import thread_idx",
                "^",
            ],
        ),
        (
            HOST_LINKER,
            [
                "/usr/bin/ld: mojo_archive: in function `main':",
                "u.mojo:(.text+0x51): undefined reference to `nosuchfunction'",
                "collect2: error: ld returned 1 exit status",
            ],
        ),
        (
            BACK_END,
            [
                "error: <inline asm>:1:2: invalid instruction",
                "\tbogus.instruction s2;",
                "\t^",
                "/home/w.mojo:1:1: error: failed to generate amdgpu shared object binary:",
                "lld: error: target emulation unknown: -m or at least one .o file required",
                "from std.sys import inlined_assembly",
                "^",
            ],
        ),
        (BEFORE, BEFORE.splitlines()),
    ],
    ids=["of a GPU's linker", "of the host's linker", "of LLVM", "before the compiler's own"],
)
def test_what_tools_below_the_compiler_say_is_shown(printed, kept):
    """Their lines have no place of their own; names of temporary files, which change, are left out."""
    assert extract_diagnostics(printed).splitlines() == kept


def test_what_a_tool_says_has_an_end():
    lines = "\n".join(f"ld: undefined symbol: s{number}" for number in range(100))
    said = extract_diagnostics(f"/home/p.mojo:1:1: error: no object:\n{lines}\ndef main():\n^\n").splitlines()

    assert len(said) < 30 and "(84 more lines)" in said and said[-1] == "^"


def test_where_a_file_is_imported_from_is_not_said():
    """It may be a program of ours in a temporary folder, and comes before the place of an error, which says enough."""
    text = """Imported from /tmp/puzzles-1/calls.mojo:4:
/tmp/puzzles-1/own.mojo:4:5: error: use of unknown declaration 'a'
    a(b)
    ^
Imported from /tmp/puzzles-1/calls.mojo:4:
/tmp/puzzles-1/own.mojo:5:5: error: use of unknown declaration 'c'
    c(b)
    ^
"""
    wanted = [f"own.mojo:{line}:5: error: use of unknown declaration '{name}'" for line, name in ((4, "a"), (5, "c"))]
    told = extract_diagnostics(text, {"/tmp/puzzles-1/own.mojo": Path("own.mojo")}).splitlines()

    assert told == [wanted[0], "    a(b)", "    ^", wanted[1], "    c(b)", "    ^"]
