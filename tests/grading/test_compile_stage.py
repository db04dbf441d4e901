"""The box of the compiler: what it took is counted, and it is used again."""

from __future__ import annotations

import re
import zlib
from functools import cache
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.build.cache import Cache
from harness.grading import compile_stage
from harness.grading.judge import judge
from harness.grading.work import Job, solution_text
from harness.process import box as boxes
from harness.programs import jit
from tests.grading.judges import SETTINGS


def _asserting(text, store, limit):
    """With an assertion before a store; its message has the file's name in it."""
    assert text.count(store) == 1
    return text.replace(store, f'        debug_assert[assert_mode="safe"](row < {limit}, "too far")\n{store}')


HOLDS, FAILS = "        output[row, col] = a[row, col] + 10\n", "        output[row, col] = shared[0]\n"
ASSERTING = _asserting(_asserting(solution_text("p10"), HOLDS, 100), FAILS, 0)


@cache
def compiled_in(kind):
    """What a box of a kind makes of a file, in which another order follows; and how many were started."""
    started = []
    begun = boxes._Server.__init__
    order = compile_stage.CompileOrder(files={"p10": ASSERTING}, target=SETTINGS.target, limits=compile_stage.LIMITS)
    with pytest.MonkeyPatch.context() as patch, boxes.SandboxPool(boxes.choose_sandbox(kind)) as warm:
        patch.setattr(boxes._Server, "__init__", lambda self, *given: started.append(begun(self, *given)))
        done = compile_stage.STAGE.ask(order, warm)
        warm.ask(compile_stage.__name__, b"{}", limits=compile_stage.LIMITS)
    return done, len(started)


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize("kind", [boxes.choose_strongest().kind, pytest.param("limits", marks=pytest.mark.full)])
def test_the_compilers_time_is_counted_and_its_box_stays_warm(kind):
    done, started = compiled_in(kind)

    assert done.result and done.result.codes["p10:memory-bug"][0].llvm
    assert done.cpu_seconds > 0.3 and done.peak_bytes > 50 << 20
    assert started == 1


IR = """
source_filename = "/tmp/box/c"
@a = internal constant [36 x i8] c"At /tmp/box/puzzles-1_/kernels/a.mojo", align 1
@b = internal constant [13 x i8] c"/tmp/box/a\\22\\00", align 1
@c = internal constant [10 x i8] c"/tmp/boxes", align 1
!1 = !DIFile(filename: "/tmp/box/a.mojo", directory: "")
"""


def test_strings_of_a_kernel_keep_their_length_and_tell_of_no_folder():
    blank = compile_stage._placeless(IR, Path("/tmp/box"))

    assert f'c"At {"/" * 19}/kernels/a.mojo"' in blank and f'c"{"/" * 8}/a\\22\\00"' in blank
    assert 'c"/tmp/boxes"' in blank and '(filename: "/tmp/box/a.mojo"' in blank
    assert len(blank) == len(IR)


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_an_assertion_that_names_its_file_changes_no_verdict():
    """Its message has the file's name in it, not the folder in which it was compiled."""
    box, (done, _) = boxes.choose_sandbox(boxes.choose_strongest().kind), compiled_in(boxes.choose_strongest().kind)

    holds, fails = judge(Job("p10", ASSERTING), SETTINGS, box, Cache.default(), code=done.result).modes

    assert (holds.verdict, fails.verdict) == ("PASS", "FINDING"), (holds, fails)
    for mode in (holds, fails):
        said = " ".join(mode.lines)
        assert "puzzles-" not in said and "//" not in said
        assert bool(re.search(r"At: p10\.mojo:\d+:\d+: .* Assert Error: too far", said)) is (mode is fails)


HOST = """
define i32 @main() {{
  call void asm sideeffect "{}", ""()
  ret i32 0
}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("assembly", "good"), [("nop", True), ("no such instruction", False)])
def test_assembly_of_a_host_that_is_none_ends_nobody_else(assembly, good):
    """LLVM ends the process that meets it."""
    host = HOST.format(assembly)
    made = compile_stage._machine_code(zlib.compress(host.encode()), compile_stage.LIMITS)

    assert (zlib.decompress(made) == jit.machine_code(host)) if good else made == b""
