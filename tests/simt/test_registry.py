"""What the registry says of instructions is what they do."""

from types import SimpleNamespace

import numpy as np
import pytest

from harness import simt
from harness.simt.compile import registry
from harness.simt.compile.declarations import BOTH, NONE, Barrier, Flags, WarpSync
from harness.simt.events import BarrierEvent
from harness.simt.ir.module import GlobalRef
from tests.simt.declared import Declared
from tests.simt.snippets import declarations, recorder


def test_a_name_is_declared_once():
    with pytest.raises(ValueError, match=r"llvm\.trap is already declared"):
        registry.declare_ignored("llvm.trap")


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("@llvm.fma.f32", "llvm.fma"),
        ("@llvm.air.max.u.i32", "air.max.u"),
        ("@llvm.air.fmax.f32", "air.fmax"),
        ("@air.atomic.global.max.u.i32", "air.atomic.global.max.u"),
        ("@air.atomic.global.max.s.i32", "air.atomic.global.max"),
        ("asm:v_cmp_u_f32.i64", "asm:v_cmp_u_f32"),
        ("@llvm.nothing.f32", None),
        ("", None),
    ],
)
def test_names_may_leave_out_their_type(name, known):
    entry = registry.find_intrinsic(name)

    assert (entry and entry.name) == known


def test_an_observer_of_the_tests_sees_what_is_not_declared():
    """A barrier's event at a shuffle: the check of all launches here can fail."""
    instruction = SimpleNamespace(
        opcode="call", type=None, attrs={"callee": GlobalRef("@llvm.nvvm.shfl.sync.idx.i32", None)}
    )
    site = SimpleNamespace(instruction=instruction, text="a shuffle")

    with pytest.raises(AssertionError, match="a shuffle"):
        Declared().barrier(BarrierEvent(((site, None),), 0, np.zeros(1), np.zeros(1), BOTH, True))


def call(name, *values):
    """An op that calls a function with constants."""
    operands = tuple(SimpleNamespace(value=value) for value in values)
    return SimpleNamespace(operands=operands, attrs={"callee": GlobalRef(name, None)})


@pytest.mark.parametrize(
    ("name", "values", "spaces"),
    [
        ("llvm.nvvm.barrier.cta.sync.aligned.all", (0,), BOTH),
        ("llvm.amdgcn.s.barrier", (), NONE),
        ("air.wg.barrier", (1, 0), {"global"}),
        ("air.wg.barrier", (2, 0), {"shared"}),
        ("air.wg.barrier", (3, 0), BOTH),
        ("air.wg.barrier", (0, 0), NONE),
    ],
)
def test_a_barrier_says_which_memory_it_orders(name, values, spaces):
    """On AMD fences do; on Apple a flag decides."""
    wait = registry.find_intrinsic(name).waits

    assert isinstance(wait, Barrier)
    assert wait.ordered_spaces(call(name, *values)) == spaces


def test_flags_that_are_not_constant_may_name_any_space():
    op = SimpleNamespace(operands=(SimpleNamespace(number=7),))

    assert WarpSync(spaces=Flags(0, ((1, "global"), (2, "shared")))).ordered_spaces(op) == BOTH


@pytest.mark.parametrize("kind", ["all", "count"])
@pytest.mark.parametrize("aligned", ["aligned.", ""])
def test_an_event_of_a_barrier_says_what_it_is(kind, aligned):
    """No observer has to look at its name."""
    given = "i32 0, i1 true" if kind == "all" else "i32 0, i32 64, i1 true"
    body = f"%r = call i32 @llvm.nvvm.barrier.cta.red.popc.{aligned}{kind}({given})"
    observer, events = recorder("barrier")

    simt.launch(
        f"{declarations(body)}define ptx_kernel void @k() {{\n{body}\nret void\n}}",
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[],
        observers=(observer,),
    )

    ((_, event),) = events
    assert (event.aligned, event.counted, event.reduces) == (bool(aligned), kind == "count", True)


@pytest.mark.parametrize(("target", "name"), [("nvidia:sm_90", "llvm.nvvm.exit"), ("amd:gfx942", "llvm.amdgcn.endpgm")])
def test_lanes_can_end_in_the_middle_of_a_kernel(target, name):
    """The instruction that ends lanes stands before an `unreachable`, which nobody reaches."""
    out = np.zeros(64, np.int32)
    tid = "llvm.nvvm.read.ptx.sreg.tid.x" if target.startswith("nvidia") else "llvm.amdgcn.workitem.id.x"
    kind = "ptx_kernel" if target.startswith("nvidia") else "amdgpu_kernel"
    text = f"""declare i32 @{tid}()
      declare void @{name}()
      define {kind} void @k(ptr addrspace(1) %o) {{
        %t = call i32 @{tid}()
        %c = icmp ult i32 %t, 5
        br i1 %c, label %stop, label %go
      stop:
        call void @{name}()
        unreachable
      go:
        %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
        store i32 1, ptr addrspace(1) %p
        ret void
      }}"""

    result = simt.launch(text, target=target, grid=1, block=64, args=[out])

    assert (result.verdict, result.findings) == ("clean", ())
    assert out.tolist() == [0] * 5 + [1] * 59


def test_a_loop_that_reads_the_clock_is_no_livelock():
    """Declared of the clock: it gives another value each time."""
    body = """
      br label %loop
    loop:
      %now = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
      %late = icmp sgt i64 %now, 3000
      br i1 %late, label %end, label %loop
    end:
      ret void"""
    text = f"declare i64 @llvm.nvvm.read.ptx.sreg.clock64()\ndefine ptx_kernel void @k() {{{body}\n}}"

    result = simt.launch(text, target="nvidia:sm_90", grid=1, block=2, args=[], options=simt.Options(spin_steps=20))

    assert result.verdict == "clean"


def test_a_module_may_look_intrinsics_up_while_it_is_imported(monkeypatch):
    """One that is imported first loads the others of the same prefixes; they are not loaded again."""
    imported = []

    def import_module(name):
        imported.append(name)
        registry.load_declarations("llvm.made.up")

    monkeypatch.setattr(registry, "import_module", import_module)
    monkeypatch.setattr(registry, "_LAZY_MODULES", {"llvm.": ("first",), "llvm.made": ("second",)})
    registry.load_declarations("llvm.made.up")

    assert imported == ["first", "second"]
