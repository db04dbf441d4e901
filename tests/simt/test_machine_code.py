"""What machine code proves clean is what Python finds nothing in, and it leaves the same; the rest runs in Python."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.result import Ran
from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, LANES, OUT, VALUE, both, run, runs_natively

INTEGERS = (
    "add i32 %v, 5",
    "mul nsw i32 %v, -3",
    "sub nuw i32 100, %x",
    "sdiv i32 %v, 3",
    "srem i32 %v, -4",
    "udiv i32 %v, 7",
    "urem i32 %v, 6",
    "shl i32 %v, 3",
    "lshr i32 %v, 30",
    "ashr i32 %v, 2",
    "and i32 %v, 12",
    "or disjoint i32 %e, 1",
    "xor i32 %v, %x",
    "call i32 @llvm.smax.i32(i32 %v, i32 3)",
    "call i32 @llvm.umin.i32(i32 %v, i32 3)",
    "call i32 @llvm.ctpop.i32(i32 %v)",
    "call i32 @llvm.ctlz.i32(i32 %v, i1 false)",
    "call i32 @llvm.cttz.i32(i32 %v, i1 false)",
    "call i32 @llvm.bitreverse.i32(i32 %v)",
    "call i32 @llvm.abs.i32(i32 %v, i1 true)",
    "select i1 %c, i32 %v, i32 %x",
)


@pytest.mark.optimised
@pytest.mark.slow
@pytest.mark.parametrize("instruction", INTEGERS)
def test_integers_are_the_same(instruction):
    before = "%x = and i32 %v, 15\n  %e = shl i32 %x, 1\n  %c = icmp slt i32 %v, %x"

    assert runs_natively(f"{before}\n  %w = {instruction}")


FLOATS = (
    "fadd float %f, 0.5",
    "fsub contract float 1.0, %f",
    "fmul float %f, %f",
    "fdiv float 1.0, %f",
    "fneg float %f",
    "call float @llvm.fma.f32(float %f, float %f, float 1.0)",
    "call float @llvm.sqrt.f32(float %f)",
    "call float @llvm.maxnum.f32(float %f, float 0.0)",
    "call float @llvm.minnum.f32(float %f, float 0.0)",
    "call float @llvm.floor.f32(float %f)",
    "call float @llvm.copysign.f32(float 2.0, float %f)",
)
SPECIAL = np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e-45, 3.4e38, 1e10, -1e-3, 0.5] * 6, np.float32)


@pytest.mark.optimised
@pytest.mark.slow
@pytest.mark.parametrize("instruction", FLOATS)
def test_floats_are_the_same(instruction):
    lines = f"%f = bitcast i32 %v to float\n  %g = {instruction}\n  %w = bitcast float %g to i32"

    assert runs_natively(lines, values=SPECIAL[:LANES].view(np.int32).copy())


BITS = "\n  %w = bitcast float %g to i32"
FLOAT = "%f = bitcast i32 %v to float\n  "
APPLE = (
    "%w = call i32 @air.max.s.i32(i32 %v, i32 3)",
    "%w = call i32 @air.min.u.i32(i32 %v, i32 -3)",
    f"{FLOAT}%g = call float @air.fmax.f32(float %f, float 0.0){BITS}",
    f"{FLOAT}%g = call float @air.fast_fmin.f32(float -0.0, float %f){BITS}",
    f"%g = call float @air.convert.f.f32.s.i32(i32 %v){BITS}",
    f"%k = zext i32 %v to i64\n  %g = call float @air.convert.f.f32.u.i64(i64 %k){BITS}",
    f"{FLOAT}%w = call i32 @air.convert.s.i32.f.f32(float %f)",
    f"{FLOAT}%k = call i8 @air.convert.u.i8.f.f32(float %f)\n  %w = zext i8 %k to i32",
    f"{FLOAT}%d = call half @air.convert.f.f16.f.f32(float %f)\n"
    f"  %e = fmul half %d, 3.0\n  %g = call float @air.convert.f.f32.f.f16(half %e){BITS}",
    "%k = call i8 @air.convert.s.i8.s.i32(i32 %v)\n  %w = call i32 @air.convert.s.i32.u.i8(i8 %k)",
    "%k = trunc i32 %v to i8\n  %w = call i32 @air.convert.u.i32.s.i8(i8 %k)",
    "%w = call i32 @air.convert.u.i32.s.i32(i32 %v)",
)


@pytest.mark.slow
@pytest.mark.parametrize("lines", APPLE)
def test_what_apple_computes_is_the_same(lines):
    assert runs_natively(lines, values=SPECIAL[:LANES].view(np.int32).copy(), target="apple:apple-m4")


CONVERSIONS = (
    "%k = trunc i32 %v to i8\n  %w = sext i8 %k to i32",
    "%k = sitofp i32 %v to float\n  %w = fptosi float %k to i32",
    "%k = uitofp i32 %v to double\n  %l = fptrunc double %k to float\n  %w = bitcast float %l to i32",
    "%k = insertelement <2 x i32> poison, i32 %v, i32 0\n  %l = insertelement <2 x i32> %k, i32 9, i32 1\n"
    "  %m = shufflevector <2 x i32> %l, <2 x i32> poison, <2 x i32> <i32 1, i32 0>\n"
    "  %w = extractelement <2 x i32> %m, i32 1",
    "%k = insertelement <2 x i32> <i32 1, i32 1>, i32 %v, i32 1\n"
    "  %l = call <2 x i32> @llvm.abs.v2i32(<2 x i32> %k, i1 true)\n  %w = extractelement <2 x i32> %l, i32 1",
    "%k = insertvalue {i32, i64} poison, i32 %v, 0\n  %w = extractvalue {i32, i64} %k, 0",
)


@pytest.mark.slow
@pytest.mark.parametrize("lines", CONVERSIONS)
def test_conversions_and_parts_are_the_same(lines):
    assert runs_natively(lines)


def test_a_loop_and_a_barrier_are_the_same():
    body = f"""{VALUE}{IN_TILE}
  {BARRIER}
  br label %loop
loop:
  %j = phi i64 [ 0, %0 ], [ %j1, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %sum1, %loop ]
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %j
  %y = load i32, ptr addrspace(3) %u
  %sum1 = add i32 %sum, %y
  %j1 = add i64 %j, 1
  %more = icmp ule i64 %j1, %i
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %sum1, ptr %q"""

    assert both(body).engine.native == 1


LOCAL = f"""{VALUE}
  %l = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %l)
  store i32 %v, ptr %l
  BETWEEN
  %w = load i32, ptr %l{OUT}"""


def test_local_variables_are_the_same():
    assert both(LOCAL.replace("BETWEEN", "fence acq_rel")).engine.native == 1


def test_a_local_variable_whose_life_begins_again_is_undefined():
    result = both(LOCAL.replace("BETWEEN", "call void @llvm.lifetime.start.p0(i64 4, ptr %l)"))

    assert {finding.kind for finding in result.findings} == {"uninitialised"}


@pytest.mark.slow
def test_an_assumption_is_checked():
    text = f"{VALUE}\n  %c = icmp slt i32 %v, LIMIT\n  call void @llvm.assume(i1 %c)\n  %w = add i32 %v, 1{OUT}"

    assert both(text.replace("LIMIT", "100")).engine.native == 1
    assert both(text.replace("LIMIT", "10")).findings


def test_shuffles_are_the_same_where_all_of_a_warp_come():
    step = "call i32 @llvm.nvvm.shfl.sync.{}.i32(i32 -1, i32 {}, i32 {}, i32 {})"
    chain = ("%v", "%k0", "%k1", "%k2", "%k3")
    modes = (("down", 16, 31), ("bfly", 5, 31), ("up", 2, 0), ("idx", 3, 31 | 24 << 8))
    lines = [
        f"  {chain[n + 1]} = {step.format(mode, chain[n], by, clamp)}" for n, (mode, by, clamp) in enumerate(modes)
    ]

    assert both("\n".join([VALUE, *lines, "  %w = add i32 %k3, %v", OUT])).engine.native == 1


WRONG = {
    "bounds": (
        f"{VALUE}\n  %w = add i32 %v, 1\n  %n = add i64 %i, 60\n  %q = getelementptr i32, ptr %o, i64 %n\n"
        "  store i32 %w, ptr %q"
    ),
    "alignment": f"{VALUE}\n  %n = getelementptr i8, ptr %a, i64 1\n  %w = load i32, ptr %n{OUT}",
    "read-only": f"{VALUE}\n  %w = add i32 %v, 1\n  store i32 %w, ptr %p{OUT}",
    "race in shared memory": f"{VALUE}{IN_TILE}{FROM_TILE}{OUT}",
    "race in global memory": f"{VALUE}\n  %w = add i32 %v, 1\n  store i32 %v, ptr %o{OUT}",
    "undefined": f"{FROM_TILE}{OUT}",
    "never written": f"{VALUE}\n  %w = add i32 %v, 1\n  %h = lshr i64 %i, 1\n  %q = getelementptr i32, ptr %o, i64 %h",
    "division": f"{VALUE}\n  %w = sdiv i32 1, %v{OUT}",
    "shift": f"{VALUE}\n  %w = shl i32 1, %v{OUT}",
    "overflow": f"{VALUE}\n  %w = mul nuw i32 %v, 3{OUT}",
    "absent": f"""{VALUE}
  %c = icmp slt i64 %i, 7
  br i1 %c, label %here, label %end
here:
  {BARRIER}
  br label %end
end:
  %w = add i32 %v, 1{OUT}""",
}


@pytest.mark.optimised
@pytest.mark.slow
@pytest.mark.parametrize("fault", WRONG)
def test_what_is_wrong_is_found_by_python_and_leaves_what_it_leaves(fault):
    result = both(WRONG[fault])

    assert (result.engine.native, result.engine.python) == (0, 1)
    assert result.findings


@pytest.mark.slow
def test_one_wrong_block_among_others_costs_that_block():
    body = f"{VALUE}\n  %w = add i32 %v, 1{OUT}"
    result = both(body, grid=5, block=16)

    assert (result.engine.native, result.engine.python) == (4, 1)
    assert {finding.kind for finding in result.findings} == {"out-of-bounds"}


@pytest.mark.slow
def test_blocks_that_meet_in_one_place_race():
    body = (
        f"{VALUE}\n  %w = add i32 %v, 1\n  %h = and i64 %i, 15\n  %q = getelementptr i32, ptr %o, i64 %h\n"
        "  store i32 %w, ptr %q"
    )
    result = both(body, grid=4, block=16, initialised=True)

    assert not result.engine.native
    assert {finding.kind for finding in result.findings} == {"race"}


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"seed": 1}, "a seed, which is an order of the threads"),
        ({"max_steps": 1000}, "a limit in steps"),
        ({"observers": simt.observers()}, "counting what goes as no other block does"),
    ],
)
def test_what_only_python_can_run_says_so(how, why):
    result = both(f"{VALUE}\n  %w = add i32 %v, 1{OUT}", **how)

    assert result.engine == Ran(0, 1, result.engine.cause) and result.engine.why == why


@pytest.mark.slow
def test_an_element_of_a_local_vector_is_replaced_by_a_number_that_nobody_bounds():
    """LLVM would make a store of the element alone of it, and end the process."""
    body = f"""{VALUE}
  %l = alloca [2 x i32], align 8
  store i64 0, ptr %l
  %q0 = getelementptr i32, ptr %o, i64 %i
  %u = atomicrmw min ptr %q0, i32 %v monotonic
  %m = add i32 %v, %u
  %x = load <2 x i32>, ptr %l, align 4
  %n = urem i32 %m, 2
  %y = insertelement <2 x i32> %x, i32 %v, i32 %n
  store <2 x i32> %y, ptr %l, align 4"""

    assert not both(body, initialised=True).engine.python


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("%f = atomicrmw fadd ptr %o, float 1.0 monotonic\n  %w = fptosi float %f to i32", "atomicrmw of float"),
        ("%k = freeze i32 undef\n  %w = add i32 %k, %v", "an undefined value in the code"),
    ],
)
def test_what_has_no_native_form_is_named(lines, why):
    ran = both(f"{VALUE}\n  {lines}{OUT}", initialised=True).engine

    assert ran == Ran(0, 1, ran.cause) and ran.why == why


def test_a_loop_that_never_ends_is_left_to_python():
    body = f"{VALUE}\n  br label %loop\nloop:\n  br label %loop"
    result, _ = run(body, "native", max_seconds=0.2)

    assert result.engine.python == 1


def test_an_engine_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="engine must be one of auto, native, reference, but got 'fast'"):
        simt.Options(engine="fast")
