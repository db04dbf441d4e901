"""The box of the compiler: what it took is counted, and it is used again."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.grading import compile_stage
from harness.grading.work import solution
from harness.model.sources import MOJO
from harness.process import box as boxes
from harness.programs import jit
from tests.exploits.__main__ import judged


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize("kind", [boxes.strongest().kind, pytest.param("limits", marks=pytest.mark.full)])
def test_the_compilers_time_is_counted_and_its_box_stays_warm(kind, monkeypatch):
    started = []
    begun = boxes._Server.__init__
    monkeypatch.setattr(boxes._Server, "__init__", lambda self, *given: started.append(begun(self, *given)))
    text, limits = (MOJO / "p15" / "solution.mojo").read_text(), compile_stage.LIMITS
    order = compile_stage.CompileOrder(files={"p15": text}, target="nvidia:sm_90", limits=limits)

    with boxes.WarmBoxes(boxes.box(kind)) as warm:
        done = compile_stage.STAGE.ask(order, warm)
        warm.ask(compile_stage.__name__, b"{}", limits=limits)

    assert done.result and done.result.codes["p15"][0].llvm and done.cpu_seconds > 0.3 and done.peak_bytes > 50 << 20
    assert len(started) == 1


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


STORE = "        output[batch, 0] = cache[0]\n"


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize(("limit", "verdict"), [(100, "PASS"), (0, "FINDING")])
def test_an_assertion_that_names_its_file_changes_no_verdict(limit, verdict):
    """Its message has the file's name in it, not the folder in which it was compiled."""
    text = solution("p15")
    asserted = f'        debug_assert[assert_mode="safe"](batch < {limit}, "too far")\n{STORE}'
    assert STORE in text

    mode = judged(text.replace(STORE, asserted), boxes.strongest().kind)

    assert mode.verdict == verdict, mode
    said = " ".join(mode.lines)
    assert "puzzles-" not in said and "//" not in said
    assert bool(re.search(r"At: p15\.mojo:\d+:\d+: .* Assert Error: too far", said)) is (verdict == "FINDING")


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
