"""Values that LLVM, a host's instructions and NumPy make otherwise, or that machine code has no form for."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch  # without the tests' own observers
from tests.simt.engines import OUT, VALUE, both
from tests.simt.snippets import kernel

FLOAT = f"{VALUE}\n  %x = bitcast i32 %v to float"
QUIET, INFINITE, LESS = 0x7FC12345, 0x7F800000, -4194304  # the last is a NaN with a sign


def bits(value):
    return np.full(64, value, np.int32)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ("%n = fmul float %x, -1.0", LESS),
        ("%n = fsub float -0.0, %x", LESS),
        ("%m = fmul float %x, 0.0\n  %n = fneg float %m", INFINITE),
        ("%n = fdiv float 0.0, 0.0", 0),
        ("%n = call float @llvm.fma.f32(float 0x7FF0000000000000, float 0.0, float %x)", QUIET),
    ],
    ids=["times -1", "0 less it", "infinity times 0", "0 by 0", "fma"],
)
@pytest.mark.parametrize(
    "seen",
    [
        "%b = bitcast float %n to i32\n  %w = xor i32 %b, 1",
        "%s = call float @llvm.copysign.f32(float 1.0, float %n)\n  %w = fptosi float %s to i32",
    ],
    ids=["its bits", "its sign"],
)
def test_where_the_bits_of_a_nan_decide_python_runs(lines, value, seen):
    """It was computed: LLVM leaves its sign and payload open."""
    both(f"{FLOAT}\n  {lines}\n  {seen}{OUT}", values=bits(value))


def test_the_sign_of_a_nan_does_not_hide_an_access_out_of_bounds():
    body = f"""{FLOAT}
  %n = fmul float %x, -1.0
  %b = bitcast float %n to i32
  %neg = lshr i32 %b, 31
  %k = mul i32 %neg, 100
  %g = getelementptr i32, ptr %a, i32 %k
  %w = load i32, ptr %g{OUT}"""
    result = both(body, values=bits(LESS))

    assert [finding.kind for finding in result.findings] == ["out-of-bounds"]


@pytest.mark.parametrize("flag", ["nnan", "fast"])
def test_what_a_conversion_s_flags_rule_out_is_told(flag):
    body = f"""{FLOAT}
  %d = call {flag} float @air.convert.f.f32.f.f32(float %x)
  %w = bitcast float %d to i32{OUT}"""
    result = both(body, values=bits(QUIET), target="apple:apple-m4")

    assert [finding.kind for finding in result.findings] == ["uninitialised"]


WIDE = (
    f"{VALUE}\n  %four = insertelement <4 x i32> zeroinitializer, i32 %v, i32 0\n  %d = bitcast <4 x i32> %four to i128"
)


@pytest.mark.parametrize("opcode", ["uitofp", "sitofp"])
def test_an_integer_of_128_bits_becomes_a_half_in_python(opcode):
    """A host calls a function for it; and what is launched next runs as machine code again."""
    result = both(
        f"{WIDE}\n  %h = {opcode} i128 %d to half\n  %b = bitcast half %h to i16\n  %w = zext i16 %b to i32{OUT}"
    )

    assert result.engine.python
    assert not both(f"{VALUE}\n  %w = add i32 %v, 12345{OUT}").engine.python


def test_code_that_does_not_link_runs_in_python(monkeypatch):
    """Whatever it calls, and what is made behind it links."""
    from harness.simt.native.jit import compiler as machine

    object_of = machine._object
    calls = "declare i32 @nobody_has_it()\ndefine i32 @run() {\n  %r = call i32 @nobody_has_it()\n  ret i32 %r\n}"
    monkeypatch.setattr(machine, "_object", lambda _text, level=1: object_of(calls, level))
    again = f"{VALUE}\n  %w = add i32 %v, 54321{OUT}"
    assert both(again).engine.why == "a function that this computer does not have"
    monkeypatch.undo()
    assert not both(f"{VALUE}\n  %w = add i32 %v, 54322{OUT}").engine.python


@pytest.mark.slow
def test_a_bit_as_an_index_is_signed():
    """As every index: `true` is one element before."""
    result = both(
        f"{VALUE}\n  %c = icmp ugt i32 %t, 31\n  %g = getelementptr i32, ptr %p, i1 %c\n  %w = load i32, ptr %g{OUT}"
    )
    assert result.findings == ()
    before = both(f"{VALUE}\n  %g = getelementptr i32, ptr %p, i1 true\n  %w = load i32, ptr %g{OUT}")
    assert [finding.id for finding in before.findings] == ["out-of-bounds.before"]


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_bit_takes_the_case_true(engine):
    output = np.zeros(64, np.int32)
    body = f"""
  %c = trunc i32 %t to i1
  switch i1 %c, label %d [ i1 true, label %e ]
d:
  br label %f
e:
  br label %f
f:
  %w = phi i32 [ 1, %d ], [ 2, %e ]{OUT}"""
    options = simt.Options(engine=engine)
    launch(kernel(body, "ptr %o"), target="nvidia:sm_90", grid=1, block=64, args=[output], options=options)

    assert output.tolist() == [1, 2] * 32


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_parameter_of_several_bits(engine):
    output = np.zeros(64, np.int32)
    text = kernel(f"\n  %e = extractelement <2 x i1> %b, i32 1\n  %w = zext i1 %e to i32{OUT}", "ptr %o, <2 x i1> %b")
    options = simt.Options(engine=engine)
    launch(text, target="nvidia:sm_90", grid=1, block=64, args=[output, np.array([False, True])], options=options)

    assert output.tolist() == [1] * 64


@pytest.mark.parametrize("how", ["volatile i32, ptr %l", "atomic i32, ptr %l monotonic, align 4"])
def test_nobody_else_is_in_a_local_variable(how):
    """Whatever its accesses are called, no order of the threads decides about them."""
    result = both(f"{VALUE}\n  %l = alloca i32\n  store i32 %v, ptr %l\n  %w = load {how}{OUT}")

    assert (result.ordered, result.engine.python) == (True, 0)


HOLE = "%x = insertelement <2 x i32> undef, i32 %v, i32 0\n  %e = extractelement <2 x i32> %x, i32 1\n  "
BY_OTHERS = {
    "dpp": ("amd:gfx942", "update.dpp.i32(i32 0, i32 %e, i32 177, i32 15, i32 15, i1 false)"),
    "address": ("amd:gfx1100", "ds.bpermute(i32 4, i32 %e)"),
    "number": ("amd:gfx942", "readlane(i32 %e, i32 3)"),
    "shuffle": ("nvidia:sm_90", "shfl.sync.idx.i32(i32 -1, i32 %e, i32 3, i32 31)"),
}


@pytest.mark.parametrize(("target", "call"), BY_OTHERS.values(), ids=BY_OTHERS)
def test_what_is_undefined_by_the_code_is_so_for_the_lane_that_takes_it(target, call):
    word = "nvvm" if target.startswith("nvidia") else "amdgcn"
    result = both(f"{VALUE}\n  {HOLE}%w = call i32 @llvm.{word}.{call}{OUT}", target=target)

    assert [finding.id for finding in result.findings] == ["uninitialised.output"]


@pytest.mark.parametrize(
    ("call", "to"),
    [
        ("f.f32.s.i1(i1 %c)", "%w = bitcast float %x to i32"),
        ("s.i32.s.i1(i1 %c)", "%w = add i32 %x, 0"),
        ("s.i8.u.i1(i1 %c)", "%w = zext i8 %x to i32"),
        ("u.i1.s.i32(i32 %v)", "%w = zext i1 %x to i32"),
    ],
)
def test_truth_is_converted_as_apple_has_it(call, to):
    """It is 0 or 1, and any number but 0 is true."""
    kind = {"f32": "float"}.get(call.split(".")[1], call.split(".")[1])
    body = f"{VALUE}\n  %c = trunc i32 %v to i1\n  %x = call {kind} @air.convert.{call}\n  {to}{OUT}"

    assert not both(body, target="apple:apple-m4").findings


def test_a_lane_s_number_may_be_wide():
    both(f"{VALUE}\n  %w = call i32 @air.simd_shuffle.i32(i32 %v, i64 3){OUT}", target="apple:apple-m4")


CONSTANT = "@c = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
BY_SELECT = """
  %l = alloca i32
  %k = alloca i32
  store i32 1, ptr %l
  store i32 2, ptr %k
  %c = icmp eq i32 %t, 4
  %p = select i1 %c, ptr %l, ptr %k"""
ALONE_THERE = {
    "volatile, of what is only read": "\n  %p = getelementptr i32, ptr %a, i64 %i\n  %w = load volatile i32, ptr %p",
    "atomic": "\n  %p = getelementptr i32, ptr %a, i64 %i\n  %w = load atomic i32, ptr %p monotonic, align 4",
    "of a constant": "\n  %w = load volatile i32, ptr addrspace(4) @c",
    "of a thread's own": f"{BY_SELECT}\n  %w = load volatile i32, ptr %p",
}


@pytest.mark.slow
@pytest.mark.parametrize("lines", ALONE_THERE.values(), ids=ALONE_THERE)
def test_a_volatile_or_atomic_access_that_nobody_meets_leaves_no_order_open(lines):
    result = both(simt.decode(kernel(lines + OUT, "ptr %a, ptr %o", CONSTANT)))

    assert (result.engine.native, result.ordered) == (1, True)


def test_one_that_others_may_meet_does():
    lines = "\n  %q = getelementptr i32, ptr %o, i64 %i\n  store volatile i32 1, ptr %q"
    assert (both(lines).engine.native, both(lines).ordered) == (1, False)
