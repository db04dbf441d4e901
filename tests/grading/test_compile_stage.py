"""The box of the compiler: what it took is counted, and it is used again."""

from __future__ import annotations

import zlib

import pytest

from harness.build import toolchain
from harness.grading import compile_stage
from harness.model.sources import MOJO
from harness.process import box as boxes
from harness.programs import jit


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


HOST = """
define i32 @main() {{
  call void asm sideeffect "{}", ""()
  ret i32 0
}}
"""


@pytest.mark.parametrize(("assembly", "good"), [("nop", True), ("no such instruction", False)])
def test_assembly_of_a_host_that_is_none_ends_nobody_else(assembly, good):
    """LLVM ends the process that meets it."""
    host = HOST.format(assembly)
    made = compile_stage._machine_code(zlib.compress(host.encode()), compile_stage.LIMITS)

    assert (zlib.decompress(made) == jit.machine_code(host)) if good else made == b""
