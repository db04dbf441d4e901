"""Counters of kernels that are small enough to count by hand."""

import numpy as np
import pytest

from harness import simt
from harness.simt.observing.counters import Counters

HEAD = """target triple = "nvptx64-nvidia-cuda"
@cells = internal addrspace(3) global [64 x float] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define ptx_kernel void @k(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = mul i32 %b, 32
  %i = add i32 %x, %t
  %w = sext i32 %i to i64
"""
OUT = "%p = getelementptr float, ptr %o, i64 %w\nstore float %v, ptr %p, align 4\nret void\n}\n"
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"


def counters(body, *, grid=1, block=32, elements=None, seed=None):
    """The counters of a kernel on `elements` floats."""
    count = elements or grid * block
    result = simt.launch(
        HEAD + body,
        target="nvidia:sm_90",
        grid=grid,
        block=block,
        args=[np.zeros(count, np.float32), simt.Buffer(np.ones(64 * count, np.float32), "a", writable=False)],
        observers=[Counters()],
        options=simt.Options(seed=seed),
    )
    assert not result.findings
    return result.counters


def load(stride):
    """Each thread loads one float, so many floats apart, and stores it."""
    return f"%y = mul i64 %w, {stride}\n%q = getelementptr float, ptr %a, i64 %y\n%v = load float, ptr %q, align 4\n"


@pytest.mark.parametrize(("stride", "sectors"), [(0, 1), (1, 4), (2, 8), (8, 32), (64, 32)])
def test_a_warp_touches_as_many_sectors_as_it_spans(stride, sectors):
    """32 loads of 4 bytes: 4 sectors of 32 bytes when side by side, 32 when far apart."""
    counted = counters(load(stride) + OUT)

    assert counted["global_transactions"] == sectors + 4
    assert counted["coalescing"] == round(256 / (32 * (sectors + 4)), 4)
    assert (counted["global_loads"], counted["global_load_bytes"]) == (32, 128)
    assert counted["distinct_global_loads"] == (1 if stride == 0 else 32)


@pytest.mark.parametrize(("stride", "conflicts"), [(0, 0), (1, 0), (2, 1), (32, 1), (33, 0)])
def test_threads_that_share_a_bank_take_turns(stride, conflicts):
    """Two words of one bank are one conflict; one word for all is none."""
    count = 2 if stride > 2 else 32
    body = (
        f"%y = mul i32 %t, {stride}\n%q = getelementptr float, ptr addrspace(3) @cells, i32 %y\n"
        "store float 1.0, ptr addrspace(3) %q, align 4\nret void\n}\n"
    )
    counted = counters(body, block=count)

    assert counted["bank_conflicts"] == conflicts
    assert counted["shared_stores"] == count
    assert counted["shared_bytes_per_block"] == 256


def test_a_branch_that_divides_a_warp_is_counted_once_for_each_warp():
    """Of two warps, the branch divides the first only."""
    body = """%c = icmp slt i32 %t, 8
    br i1 %c, label %in, label %end
    in:
    br label %end
    end:
    %v = phi float [ 1.0, %in ], [ 2.0, %0 ]
    """
    assert counters(body + OUT, block=64)["divergent_branches"] == 1
    assert counters(body.replace("%t, 8", "%t, 32") + OUT, block=64)["divergent_branches"] == 0


def test_barriers_and_shuffles_are_counted_by_thread():
    """Two barriers for all, one shuffle for all."""
    body = BARRIER * 2 + (
        "%s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)\n%v = sitofp i32 %s to float\n"
    )
    counted = counters(body + OUT, grid=2)

    assert (counted["barriers"], counted["barriers_per_thread"]) == (128, 2)
    assert (counted["shuffles"], counted["shuffles_per_lane"]) == (64, 1)


@pytest.mark.parametrize("seed", [None, 5])
def test_a_step_is_a_stretch_in_which_threads_take_over_values(seed):
    """Two exchanges with a barrier before each are two steps; reading one's own is none."""
    exchange = (
        "%q{n} = getelementptr float, ptr addrspace(3) @cells, i32 %t\n"
        "store float 1.0, ptr addrspace(3) %q{n}, align 4\n" + BARRIER + "%n{n} = xor i32 %t, {mask}\n"
        "%r{n} = getelementptr float, ptr addrspace(3) @cells, i32 %n{n}\n"
        "%v{n} = load float, ptr addrspace(3) %r{n}, align 4\n" + BARRIER
    )
    two = exchange.format(n=0, mask=1) + exchange.format(n="", mask=2) + OUT
    none = exchange.format(n=0, mask=0) + exchange.format(n="", mask=0) + OUT

    assert counters(two, seed=seed)["reduction_steps"] == 2
    assert counters(none, seed=seed)["reduction_steps"] == 0


def step(number, stride):
    """The threads below the stride add what lies a stride above; the others keep their own."""
    return f"""
      %in{number} = icmp slt i32 %t, {stride}
      %far{number} = add i32 %t, {stride}
      %at{number} = select i1 %in{number}, i32 %far{number}, i32 %t
      %p{number} = getelementptr float, ptr addrspace(3) @cells, i32 %at{number}
      %l{number} = load float, ptr addrspace(3) %p{number}, align 4
      %m{number} = load float, ptr addrspace(3) %own, align 4
      %s{number} = fadd float %l{number}, %m{number}
      {BARRIER}
      store float %s{number}, ptr addrspace(3) %own, align 4
      {BARRIER}"""


@pytest.mark.parametrize("after", ["", BARRIER], ids=["end", "barrier"])
@pytest.mark.parametrize(
    ("last", "steps"),
    [
        ("%t", 3),  # each its own: thread 0 has the sum
        ("0", 3),  # all of them write it
        ("%only", 3),  # one that had no part in the last step
        ("%joined", 4),  # thread 0 adds one more value
    ],
)
def test_handing_the_result_on_is_no_step(last, steps, after):
    """A tree of 8 values has three, whoever writes the sum."""
    body = (
        "%own = getelementptr float, ptr addrspace(3) @cells, i32 %t\nstore float 1.0, ptr addrspace(3) %own, align 4\n"
        + BARRIER
        + "".join(step(number, stride) for number, stride in enumerate((4, 2, 1)))
        + "%is5 = icmp eq i32 %t, 5\n%only = select i1 %is5, i32 0, i32 %t\n"
        + "%is0 = icmp eq i32 %t, 0\n%joined = select i1 %is0, i32 7, i32 %t\n"
        + f"%f = getelementptr float, ptr addrspace(3) @cells, i32 {last}\n"
        + "%v = load float, ptr addrspace(3) %f, align 4\n"
        + after
    )

    assert counters(body + OUT, block=8)["reduction_steps"] == steps


def test_a_result_that_is_read_again_is_a_result():
    """Each thread stores to its element and reads it, as one does that prints it."""
    again = "%again = load float, ptr %o, align 4\n"
    counted = counters("store float 1.0, ptr %o, align 4\n" + again + "ret void\n}\n", block=1, elements=1)

    assert (counted["writes_per_output_element"], counted["output_writers"], counted["scratch_writers"]) == (1, 1, 0)


def test_blocks_that_read_what_others_wrote_communicate():
    """Each block adds to one place: the second has the first's value."""
    atomic = "%v = atomicrmw fadd ptr %o, float 1.0 monotonic, align 4\nret void\n}\n"
    counted = counters(atomic, grid=3, elements=1)
    alone = counters(load(1) + OUT, grid=3)

    assert counted["communicating_blocks"] == 3
    assert (counted["output_writers"], counted["scratch_writers"]) == (96, 0)
    assert alone["communicating_blocks"] == 0
    assert (alone["contributing_blocks"], alone["first_writing_block"]) == (3, 0)


def test_an_element_that_is_left_out_makes_the_count_zero():
    """Each element once is 1; a grid that is too small for the buffer gives 0."""
    assert counters(load(1) + OUT)["writes_per_output_element"] == 1
    assert counters(load(1) + OUT, elements=33)["writes_per_output_element"] == 0


def test_blocks_of_later_chunks_are_other_threads():
    """The same counters whether blocks run side by side or one after another."""
    text = HEAD + load(1) + OUT
    counted = []
    for lanes in (32, 16384):
        result = simt.launch(
            text,
            target="nvidia:sm_90",
            grid=4,
            block=32,
            args=[np.zeros(128, np.float32), simt.Buffer(np.ones(128, np.float32), "a", writable=False)],
            observers=[Counters()],
            options=simt.Options(chunk_lanes=lanes),
        )
        counted.append({name: n for name, n in result.counters.items() if name != "steps"})

    assert counted[0] == counted[1]
    assert counted[0]["output_writers"] == 128


def test_an_element_is_as_wide_as_the_narrowest_access():
    """32 floats and the 16 pairs that lie there: 32 elements, whichever is read first."""
    half = "%h = sdiv i64 %w, 2\n%d = getelementptr <2 x float>, ptr %a, i64 %h\n"
    wide = half + "%e = load i64, ptr %d, align 8\n"

    for body in (wide + load(1), load(1) + wide):
        counted = counters(body + OUT)
        assert counted["distinct_global_loads"] == 32
        assert counted["reads_per_input_element"] == 0  # of 2,048, most are left out
