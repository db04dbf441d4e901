"""Each fault is one message with place and lane, and leaves nothing in the process."""

import gc
import sys
import types

import numpy as np
import pytest

from harness import simt
from harness.simt.run.interpreter import Interpreter
from tests.simt.snippets import declarations

TAIL = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!9 = !{i32 2, !"Debug Info Version", i32 3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "kernel.mojo", directory: "")
!2 = distinct !DISubprogram(name: "k", file: !1, line: 3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 42, column: 7, scope: !2)
"""
TID = "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
LATE = """%c = icmp ult i32 %t, 5
  br i1 %c, label %x, label %y
x:
  {}
  br label %y
y:
"""
SYNC = "call void @llvm.nvvm.barrier.cta.sync.count(i32 1, i32 64)"
SHUFFLE = "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 31, i32 %t, i32 9, i32 31)"


def text(body):
    """A kernel whose every instruction stands in line 42 of kernel.mojo."""
    lines = []
    for line in (TID + body + "ret void").splitlines():
        plain = not line.strip() or line.strip().endswith(":")
        lines.append(line if plain else f"{line}, !dbg !5")
    return (
        f"declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n{declarations(body)}"
        "define ptx_kernel void @k(ptr %o) !dbg !2 {\n" + "\n".join(lines) + "\n}\n" + TAIL
    )


FAULTS = {
    "deadlock": LATE.format(SYNC),
    "livelock": "br label %l\nl:\n%v = load volatile i32, ptr %o\n%z = icmp ne i32 %v, 77\n"
    "br i1 %z, label %l, label %e\ne:\n",
    "endless-loop": "br label %l\nl:\n%n = phi i64 [0, %0], [%m, %l]\n%m = add i64 %n, 1\n"
    "%z = icmp ne i64 %m, 0\nbr i1 %z, label %l, label %e\ne:\n",
    "budget-exceeded": "br label %l\nl:\n%n = phi i64 [1, %0], [%m, %l]\n%x = mul i64 %n, 5\n%m = or i64 %x, 1\n"
    "%z = icmp ne i64 %m, 0\nbr i1 %z, label %l, label %e\ne:\n",
    "trap": LATE.format("call void @llvm.trap()"),
    "missed-barrier": "%c = icmp ult i32 %t, 5\nbr i1 %c, label %x, label %y\nx:\nret void\ny:\n"
    "call void @llvm.nvvm.barrier.cta.sync.all(i32 0)\n",
    "inactive-source": LATE.format(SHUFFLE),
    "absent-lane": LATE.format("call void @llvm.nvvm.bar.warp.sync(i32 63)")
    + "call void @llvm.nvvm.barrier.cta.sync.all(i32 0)\n",
    "out-of-bounds": "%p = getelementptr i32, ptr %o, i32 %t\nstore i32 1, ptr %p\n",
    "division-by-zero": "%v = udiv i32 1, %t\n",
    "barrier-protocol": "call void @llvm.nvvm.barrier.cta.sync.count(i32 1, i32 8)\n",
    "cluster-protocol": "call void @llvm.nvvm.barrier.cluster.wait()\n",
    "incomplete": LATE.format("call void @llvm.nvvm.nothing.such()"),
}
GOOD = "%p = getelementptr i32, ptr %o, i32 %t\nstore i32 %t, ptr %p\n"


def launch(module, size):
    """32 threads, all observers."""
    output = np.zeros(size, np.int32)
    result = simt.launch(
        module,
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[output],
        observers=simt.observers(),
        options=simt.Options(max_steps=20_000, spin_steps=50),
    )
    return result, output


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAULTS)
def test_one_message_names_kernel_line_block_thread_and_lane(kind):
    """Whether it ends the launch or is found on the way."""
    result, _ = launch(text(FAULTS[kind]), 8)
    if kind == "incomplete":
        assert result.verdict == kind
        message = str(result.fault)
    else:
        (finding,) = [finding for finding in result.findings if finding.kind == kind]
        assert result.verdict == ("incomplete" if kind == "budget-exceeded" else "findings")
        message = str(finding)

    for part in ("kernel k", "kernel.mojo:42:7", "thread (", "block (0,0,0)", "lane "):
        assert part in message, message


def test_a_wrong_argument_names_kernel_and_line():
    """Nothing has run: there is no lane to name."""
    with pytest.raises(simt.ArgumentError, match=r"argument 0 must be a NumPy array .*kernel k, kernel.mojo:3"):
        simt.launch(text(GOOD), target="nvidia:sm_90", grid=1, block=1, args=[7])


def sizes():
    """How much each module of the simulator holds: containers and caches."""
    held = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("harness.simt"):
            for key, value in vars(module).items():
                if isinstance(value, dict | list | set) and not key.startswith("__"):
                    held[name, key] = len(value)
                elif hasattr(value, "cache_info") and not isinstance(value, types.ModuleType):
                    held[name, key] = value.cache_info().currsize
    return held


def engines() -> list[Interpreter]:
    return [thing for thing in gc.get_objects() if type(thing) is Interpreter]


@pytest.mark.slow
def test_a_clean_launch_after_each_fault_is_as_before():
    """The same results, no growth of what modules hold, and no engine kept alive."""
    good, faults = simt.decode(text(GOOD)), {kind: simt.decode(text(body)) for kind, body in FAULTS.items()}
    kept, others = [], engines()  # of other tests, which may hold theirs

    def round_():
        for module in faults.values():
            kept.append(launch(module, 8)[0])
            result, output = launch(good, 32)
            assert (result.verdict, result.findings, output.tolist()) == ("clean", (), list(range(32)))

    round_()
    before = sizes()
    round_()
    gc.collect()

    assert sizes() == before
    assert {id(engine) for engine in engines()} <= {id(engine) for engine in others}
