"""The calls to `mojo`: found, judged by their diagnostics, isolated."""

from __future__ import annotations

import dataclasses
import errno
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import llvmlite.binding
import pytest

from harness.build import compiler, sdk, toolchain
from harness.build.diagnostics import NOTES, extract_diagnostics
from harness.build.locations import rewrite_locations
from harness.errors import CompileError, CompileTimeout, EnvironmentFault
from harness.model.sources import MOJO, ROOT
from harness.report.told import parse_diagnostics as places
from harness.simt.ir.debug import unescape_text
from tests.processes import comes_to, heed_signals

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
    assert toolchain.find_mojo() == tmp_path / "env" / "mojo"
    (tmp_path / "env" / "mojo").unlink()
    assert toolchain.find_mojo() == tmp_path / "path" / "mojo"


def test_a_missing_mojo(monkeypatch, tmp_path):
    """One sentence says how to install it."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sdk, "find_executable", lambda _: None)
    with pytest.raises(EnvironmentFault, match="there is no `mojo` here: install it with `pip install"):
        toolchain.precompile(MOJO / "p15" / "solution.mojo", "p15", tmp_path)


def test_a_missing_package(monkeypatch):
    """Versions come without an import; a missing package is a sentence."""
    assert set(toolchain.package_versions()) == {"max", "mojo"}

    monkeypatch.setattr(toolchain, "installed_version", lambda _: "")
    with pytest.raises(EnvironmentFault, match="the Python package `max` is missing"):
        toolchain.package_versions()


@pytest.mark.slow
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
    origins = {"/tmp/stage/src/p34/__init__.mojo": MOJO / "p34" / "solution.mojo"}
    assert extract_diagnostics(ELABORATION, origins) == (
        "mojo/p34/solution.mojo:54:41: error: constraint failed: "
        "block rank identifier is only supported by NVIDIA SM90+ GPUs\n"
        "  mojo/p34/solution.mojo:24:5: note: called from here"
    )


def test_an_error_deep_in_the_library_is_shown_at_the_user_s_call():
    """And the calls around it; what passes through the library is no help."""
    said = """/tmp/p.mojo:11:5: error: function instantiation failed
def main() raises:
    ^
/tmp/p.mojo:20:11: note: call expansion failed with parameter value(s): (...)
    launch(ctx)
          ^
/tmp/p.mojo:14:35: note: call expansion failed with parameter value(s): (..., "target": 0)
    ctx.enqueue_function[fill](to, 4, grid_dim=1, block_dim=4)
                              ^
max/mojo/max/gpu/host/_device_context_extras.mojo:430:43: note: call expansion failed with parameter value(s): (...)
<unknown>:0:0: note: function instantiation failed
Mojo/stdlib/std/simd.mojo:473:8: note: call expansion failed with parameter value(s): (..., "length": 1, ...)
Mojo/stdlib/std/simd.mojo:662:9: note: constraint failed: Int and UInt do not conform to DevicePassable
mojo: error: failed to run the pass manager
"""

    assert extract_diagnostics(said).splitlines() == [
        "/tmp/p.mojo:14:35: error: constraint failed: Int and UInt do not conform to DevicePassable",
        "    ctx.enqueue_function[fill](to, 4, grid_dim=1, block_dim=4)",
        "                              ^",
        "  /tmp/p.mojo:20:11: note: called from here",
        "      launch(ctx)",
        "            ^",
    ]


def test_what_the_compiler_notes_of_an_error_is_kept():
    """Why a call does not fit, in the compiler's words, without its place in a library."""
    said = """/tmp/stage/src/p26/__init__.mojo:5:12: error: no matching function in call to 'shuffle_xor'
    return shuffle_xor(x, offset)
           ^~~~~~~~~~~
max/mojo/max/gpu/primitives/warp.mojo:798:1: note: candidate not viable: 'offset' cannot be converted to 'UInt32'
def shuffle_xor[dtype: DType](val: SIMD[dtype, 1], offset: UInt32)    # note - synthetic signature
^
/tmp/stage/src/p26/__init__.mojo:2:1: note: 'x' is declared here
def kernel(x: Float32):
^
/tmp/stage/src/p26/__init__.mojo:9:5: error: implicit declaration of 'foo' is not allowed
"""
    origins = {"/tmp/stage/src/p26/__init__.mojo": MOJO / "solutions" / "p26.mojo"}

    assert extract_diagnostics(said, origins).splitlines() == [
        "mojo/solutions/p26.mojo:5:12: error: no matching function in call to 'shuffle_xor'",
        "    return shuffle_xor(x, offset)",
        "           ^~~~~~~~~~~",
        "  note: candidate not viable: 'offset' cannot be converted to 'UInt32'",
        "  mojo/solutions/p26.mojo:2:1: note: 'x' is declared here",
        "  def kernel(x: Float32):",
        "  ^",
        "mojo/solutions/p26.mojo:9:5: error: implicit declaration of 'foo' is not allowed",
    ]


def test_a_character_that_only_looks_right_is_named_once():
    """The compiler tells of each of its bytes, and marks none."""
    line = "    if i\u00a0< size\uff1a"
    text = "".join(f"a.mojo:3:{column}: error: unexpected character\n{line}\n" for column in (9, 10, 17, 18, 19))

    assert extract_diagnostics(text).splitlines() == [
        "a.mojo:3:9: error: unexpected character U+00A0 (NO-BREAK SPACE)",
        line,
        "        ^",
        "a.mojo:3:17: error: unexpected character U+FF1A (FULLWIDTH COLON)",
        line,
        "               ^",
    ]


def test_a_folder_may_have_colons_in_its_name():
    """In what the compiler prints, and in what a report takes for a place."""
    lines = "/tmp/a:1:2 b/x.mojo:7:5: error: no", "    print(x)", "    ^"
    said = "\n".join([*lines, "bin/mojo: error: failed to parse the provided source", ""])
    told = extract_diagnostics(said)

    assert told.splitlines() == list(lines)
    ((level, place),) = places(told.splitlines())
    assert (level, place.file, place.line, place.column) == ("error", "/tmp/a:1:2 b/x.mojo", 7, 5)


def test_what_names_no_place_is_told_without_the_compilers_own_noise():
    said = "bin/mojo: error: something else\nbin/mojo: error: failed to parse the provided source\n"

    assert extract_diagnostics(said) == "bin/mojo: error: something else"


def test_notes_are_not_a_flood():
    """Of an overloaded function every candidate has one."""
    said = "a.mojo:1:1: error: no\n" + "b.mojo:1:1: note: candidate\n" * 50
    assert len(extract_diagnostics(said).splitlines()) == 1 + NOTES


def test_device_code_names_files_as_they_are():
    r"""LLVM escapes what is not ASCII, `\C3\A9`; the user's name for a file is found again all the same."""
    text = r'!1 = !DIFile(filename: "__init__.mojo", directory: "")' + "\n"
    text += r'!2 = !DIFile(filename: "/tmp/stage/k\C3\A9rnels/__init__.mojo", directory: "")'
    origins = {"/tmp/stage/kérnels/__init__.mojo": Path("/home/kérnels/p15.mojo")}

    assert '"/home/kérnels/p15.mojo"' in rewrite_locations(text, origins)


def test_a_line_ends_where_the_compiler_says():
    """Python would end it at a form feed too, and the caret would be lost."""
    said = ["/k.mojo:6:13: error: no", "    var i = nothing  # a\fb", "            ^~~~~~~"]
    assert extract_diagnostics("\n".join([*said, ""])).split("\n") == said


def test_a_folder_whose_name_has_a_quote_or_a_backslash_ends_no_text():
    """LLVM reads the module again, and the place in it as the folder is called."""
    folder = '/home/it"s a\\bad name'
    text = '!1 = !DIFile(filename: "/tmp/stage/__init__.mojo", directory: "")\n'
    written = rewrite_locations(text, {"/tmp/stage/__init__.mojo": Path(folder, "p15.mojo")})

    llvmlite.binding.parse_assembly(written)
    (name,) = re.findall(r'filename: "([^"]*)"', written)
    assert unescape_text(name) == f"{folder}/p15.mojo"


def test_text_without_diagnostics_is_not_swallowed():
    """A compiler that crashes leaves its last lines."""
    assert extract_diagnostics("one\ntwo\nStack dump:") == "one\ntwo\nStack dump:"
    assert extract_diagnostics("fatal error: signal 11\nof a linker") == "fatal error: signal 11\nof a linker"


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Makes a shell script take the place of the compiler, and gives how a file fails to compile."""
    script, source = tmp_path / "mojo", tmp_path / "p15.mojo"
    source.write_text("")
    monkeypatch.setattr(toolchain, "find_mojo", lambda: script)

    def make(body: str, *, starts: bool = True, **limits) -> Path:
        version = '[ "$1" = --version ] && exit 0\n' if starts else ""
        script.write_text(f"#!/bin/sh\n{version}{body}\n")
        script.chmod(0o755)
        if limits:
            monkeypatch.setattr(compiler, "LIMITS", dataclasses.replace(compiler.LIMITS, **limits))
        return toolchain.precompile(source, "p15", tmp_path / "stage")

    return make


WRITES = 'while [ "$1" != -o ]; do shift; done\necho package > "$2"\n'


@pytest.mark.slow
def test_a_compiler_that_fails_after_its_work(compiled):
    """The exit status is not what counts: what was written is."""
    assert compiled(f"{WRITES}exit 139").read_text() == "package\n"
    with pytest.raises(CompileError):
        compiled("exit 0")


KERNEL = "define dso_local {word}void @{name}(ptr %0) {{\n  ret void\n}}\n"
HELPER = "define internal void @helper() {\n  ret void\n}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "name"), [("ptx_kernel ", "sum_0f"), ("amdgpu_kernel ", '"sum of 0f"'), ("", "sum_0f")]
)
def test_a_kernel_has_the_name_that_its_code_defines(monkeypatch, tmp_path, word, name):
    """That of its file may be cut; and its functions' types, which take most of the room, are left out."""
    code = f'{HELPER}{KERNEL.format(word=word, name=name)}!1 = !{{!"mojo_source_name", !"pkg std::struct"}}\n'
    script, module = tmp_path / "mojo", tmp_path / "module.ll"
    module.write_text(code)
    script.write_text(f'#!/bin/sh\n{WRITES}cp {module} "$(dirname "$2")/k_s_5db7.nvptx.ll"\n')
    script.chmod(0o755)
    monkeypatch.setattr(toolchain, "find_mojo", lambda: script)

    host, kernels = toolchain.compile_program(tmp_path / "sum.mojo", "sm_90", defines={}, includes=[])

    assert host == "package\n"
    assert kernels == {name.strip('"'): code.replace("pkg std::struct", "")}


@pytest.mark.slow
def test_a_program_for_the_simulator_takes_max_s_own_kernels_unless_it_is_told_otherwise(monkeypatch, tmp_path):
    """Those of the vendor's library need the vendor's driver; for a GPU nothing is defined."""
    script = tmp_path / "mojo"
    script.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/said\n{WRITES}')
    script.chmod(0o755)
    monkeypatch.setattr(toolchain, "find_mojo", lambda: script)

    for defines in ({}, {"MODULAR_DISABLE_VENDOR_FALLBACK": "False"}):
        toolchain.compile_program(tmp_path / "sum.mojo", "sm_90", defines=defines, includes=[])
    toolchain.build_executable(tmp_path / "sum.mojo", "sm_90", tmp_path / "sum", defines={}, includes=[])

    assert re.findall(r"-D \S+", (tmp_path / "said").read_text()) == [
        "-D MODULAR_DISABLE_VENDOR_FALLBACK=True",
        "-D MODULAR_DISABLE_VENDOR_FALLBACK=False",
    ]


TRACEBACK = r"""printf 'Traceback (most recent call last):\n  File "%s", line 3, in <module>\n' "$0"
echo "ModuleNotFoundError: No module named 'mojo'"
exit 1"""


@pytest.mark.parametrize("words", [TRACEBACK, "echo 'mojo: error while loading shared libraries: libm.so'; exit 127"])
def test_a_file_that_prints_what_a_loader_does_is_a_file_that_does_not_compile(compiled, words):
    """Nobody gets out of a verdict by words, with a place or without: the compiler does start."""
    with pytest.raises(CompileError):
        compiled(words)
    with pytest.raises(CompileError):
        compiled(f"echo 'p15.mojo:1:1: error: nothing here'\n{words}")


@pytest.mark.slow
@pytest.mark.parametrize("starts", [True, False])
def test_a_compiler_that_is_killed_is_not_the_file_s_fault(compiled, starts):
    """Whatever was written by then, and whenever it was."""
    said = r"it was killed \(SIGKILL\), as happens when the machine has no memory left"
    with pytest.raises(EnvironmentFault, match=rf"`mojo` could not compile .*p15\.mojo: {said}"):
        compiled(f"{WRITES}kill -9 $$" if starts else "kill -9 $$", starts=starts)


NO_ROOM = [
    "echo 'error: IO failure: No space left on device'; exit 1",
    "echo 'error: cannot write to file to filesystem cache since available space(0) is not enough'; exit 1",
]
NO_MEMORY = "echo 'error: the Mojo compiler ran out of memory.'; exit 1"


@pytest.mark.slow
@pytest.mark.parametrize("body", NO_ROOM, ids=["written", "cached"])
def test_a_disk_without_room_by_what_is_said_and_by_its_account(compiled, monkeypatch, body):
    """What the compiler had on it is removed by then."""
    usage = compiler.shutil.disk_usage("/")._replace(free=100 << 20)
    monkeypatch.setattr(compiler.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(EnvironmentFault, match=r"p15\.mojo: the disk with .* is full; free some room"):
        compiled(body)


@pytest.mark.slow
@pytest.mark.parametrize("short", ["ulimit", "machine"])
def test_no_memory_by_what_is_said_and_by_its_account(compiled, monkeypatch, short):
    if short == "ulimit":
        monkeypatch.setattr(compiler.resource, "getrlimit", lambda _: (1 << 30, compiler.resource.RLIM_INFINITY))
    else:
        monkeypatch.setattr(compiler, "find_free_bytes", lambda: 100 << 20)
    with pytest.raises(EnvironmentFault, match=r"p15\.mojo: it got no more memory; .*\(ulimit\)"):
        compiled(NO_MEMORY)


@pytest.mark.slow
@pytest.mark.parametrize("body", [*NO_ROOM, NO_MEMORY], ids=["written", "cached", "memory"])
def test_words_of_a_file_are_no_fault_of_the_machine(compiled, monkeypatch, body):
    """An error shows lines of the file, which may say anything; nobody gets out of a verdict by it."""
    monkeypatch.setattr(compiler.resource, "getrlimit", lambda _: (compiler.resource.RLIM_INFINITY,) * 2)
    monkeypatch.setattr(compiler, "find_free_bytes", lambda: 16 << 30)
    with pytest.raises(CompileError):
        compiled(body)


def test_a_disk_that_is_full_by_the_account(compiled, monkeypatch):
    """However the compiler words it."""
    usage = compiler.shutil.disk_usage("/")._replace(free=0)
    monkeypatch.setattr(compiler.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(EnvironmentFault, match="is full"):
        compiled("echo 'Failed to initialize Crashpad'; exit 1")


def test_a_full_disk_before_the_compiler_starts(monkeypatch, tmp_path):
    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "symlink_to", refuse)
    with pytest.raises(EnvironmentFault, match=r"cannot write to .* \(No space left on device\): free some room"):
        toolchain.precompile(MOJO / "solutions" / "p15.mojo", "p15", tmp_path)


@pytest.mark.slow
def test_a_file_that_takes_too_long(compiled):
    """Is at fault, as one that does not compile; what a killed compiler has written does not count."""
    with pytest.raises(
        CompileTimeout, match=r"p15\.mojo was still compiling after 1 s of the processor, which is the limit: look"
    ):
        compiled(f"{WRITES}while :; do :; done", cpu_seconds=1)


@pytest.mark.slow
def test_a_compiler_that_waits_is_no_file_s_fault(compiled):
    """A busy machine, or a compiler that sleeps: nothing is known of a `comptime`."""
    with pytest.raises(
        EnvironmentFault, match=r"`mojo` could not compile .*p15\.mojo: it was not done after 0\.5 s by"
    ):
        compiled(f"{WRITES}sleep 600", seconds=0.5)


def test_the_clock_leaves_a_busy_machine_room():
    """Several times what a file may take of the processor."""
    for limits in (compiler.LIMITS, compiler.PROGRAM_LIMITS):
        assert limits.cpu_seconds and limits.seconds and limits.seconds >= 6 * limits.cpu_seconds


@pytest.mark.slow
def test_a_file_that_takes_too_much_memory(compiled):
    """The compiler says so; it had what the limit gives."""
    spend = 'import sys; spent = b"x" * (150 << 20); print("error: the Mojo compiler ran out of memory."); sys.exit(1)'
    with pytest.raises(CompileError, match=r"p15\.mojo does not compile") as caught:
        compiled(f"exec {sys.executable} -c '{spend}'", memory_bytes=200 << 20)
    assert caught.value.diagnostics == "error: the Mojo compiler ran out of memory."


def test_the_compiler_reports_no_crashes_and_leaves_nothing(compiled, tmp_path):
    """Its cache and its temporary files lie in a folder that goes with it."""
    compiled(f'echo "$MODULAR_CRASH_REPORTING_ENABLED $TMPDIR $MODULAR_CACHE_DIR" > {tmp_path}/said\n{WRITES}')
    reporting, temporary, cache = (tmp_path / "said").read_text().split()
    assert reporting == "false" and cache == f"{temporary}/cache"
    assert temporary != tempfile.gettempdir() and not Path(temporary).exists()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('!1 = !DIFile(filename: "/tmp/k/p15.mojo", directory: "")', '!1 = !DIFile(filename: "{}", directory: "")'),
        ('\t.file\t1 "/tmp/k/p15.mojo"', '\t.file\t1 "{}"'),
        ('\t.file\t2 "/tmp/k" "p15.mojo"', '\t.file\t2 "{}"'),
        ('.Linfo_string2:\n\t.asciz\t"/tmp/k/p15.mojo"', '.Linfo_string2:\n\t.asciz\t"{}"'),
    ],
    ids=["llvm", "ptx", "amdgcn", "amdgcn's strings"],
)
def test_debug_locations_name_the_real_file(line, expected):
    """However the format parts folder and name; other text keeps its length."""
    other = '@message = constant [15 x i8] c"/tmp/k/p15.mojo"\n\t.asciz "/tmp/k/p15.mojo"\n\t.file\t1 "max/warp.mojo"'
    real = MOJO / "p15" / "solution.mojo"

    text = rewrite_locations(f"{line}\n{other}", {"/tmp/k/p15.mojo": real})

    assert text == f"{expected.format('mojo/p15/solution.mojo')}\n{other}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found through /proc")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_no_compiler_outlives_the_harness(tmp_path, name):
    """However the harness ends: neither a process nor a folder is left."""
    compiler, temporary = tmp_path / "mojo", tmp_path / "temporary"
    pids = tmp_path / "pids"
    compiler.write_text(f"#!/bin/sh\nsleep 600 &\necho $$ $! > {pids}.part\nmv {pids}.part {pids}\nwait\n")
    compiler.chmod(0o755)
    temporary.mkdir()
    script = (
        "from pathlib import Path; from harness.build import toolchain\n"
        f"toolchain.find_mojo = lambda: Path({str(compiler)!r})\n"
        "toolchain.compile_program(Path('x.mojo'), 'sm_90', defines={}, includes=[])"
    )
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, preexec_fn=heed_signals
    ) as harness:
        assert comes_to(pids.exists) and list(temporary.iterdir())
        harness.send_signal(signal.Signals[name])
    assert comes_to(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids.read_text().split()))
    assert comes_to(lambda: not list(temporary.iterdir()))


def test_something_can_be_done_while_the_compiler_runs():
    """It ends only after what is done meanwhile."""
    waits = "while [ ! -e $TMPDIR/done ]; do sleep 0.01; done; echo compiled"
    with compiler.Compiler(Path("/bin/sh")) as shell:
        said = shell.run(["-c", waits], MOJO, meanwhile=(shell.folder / "done").touch)
    assert said == "compiled\n"


@pytest.mark.slow
def test_what_is_compiled_is_read_before_the_compiler_has_ended():
    """And let go, it ends in the background, with all that is left of it."""
    with compiler.Compiler(Path("/bin/sh")) as shell:
        assert shell.compile_to_text(["-c", 'echo compiled > "$1"; sleep 600']) == "compiled\n"
        shell.abandon()
    assert comes_to(lambda: not shell.folder.exists())


def test_a_compiler_that_writes_nothing_is_asked_why():
    with compiler.Compiler(Path("/bin/sh")) as shell:
        assert shell.compile_to_text(["-c", "echo why; exit 1"]) == ""
        assert shell.finish(MOJO) == "why\n"


def test_what_llvm_says_of_a_files_name_says_what_to_do():
    said = extract_diagnostics("LLVM ERROR: Symbol name with unsupported characters\nStack dump:\n#0 0x00 somewhere\n")

    error, note = said.splitlines()
    assert error == "LLVM ERROR: Symbol name with unsupported characters"
    assert note.startswith("  note: kernels' symbols are made of the file's name") and "rename" in note
