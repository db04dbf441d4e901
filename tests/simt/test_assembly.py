"""Inline assembly: what a block of it does, statement by statement, and what PTX says of single instructions."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.assembling import assemble
from harness.simt.ir.instructions import read_instruction
from harness.simt.ir.module import Asm, Const, Instruction, Local, Location
from harness.simt.ir.types import Float, Int, Pointer, Struct
from tests.simt.snippets import evaluate, kernel, undefined

NUMBERS = [0, 1, 7, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0xDEADBEEF]


def signed(number):
    """The 32 bits of a number as a signed one."""
    return number - (number >> 31 << 32)


def test_a_wide_product_of_signed_numbers_has_all_its_bits():
    first, second = NUMBERS * 4, [number for number in NUMBERS for _ in range(4)]
    body = '%r = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %a, i32 %b)'

    products = evaluate(body, "i64", ("i32", first), ("i32", second)).tolist()
    assert products == [signed(a) * signed(b) for a, b in zip(first, second, strict=True)]


@pytest.mark.parametrize("table", [0x00, 0x1E, 0x96, 0xE8, 0xEA, 0xFF])
def test_a_table_says_what_three_bits_make(table):
    """The first operand's bit is the highest of the row's number."""
    first, second, third = NUMBERS, NUMBERS[::-1], NUMBERS[3:] + NUMBERS[:3]
    body = f'%r = call i32 asm "lop3.b32 $0, $1, $2, $3, $4;", "=r,r,r,r,n"(i32 %a, i32 %b, i32 %c, i32 {table})'

    result = evaluate(body, "i32", ("i32", first), ("i32", second), ("i32", third)).astype(np.uint32).tolist()
    for a, b, c, made in zip(first, second, third, result, strict=True):
        rows = [(a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1) for bit in range(32)]
        assert made == sum((table >> row & 1) << bit for bit, row in enumerate(rows))


def test_a_bfloat_is_the_upper_half_of_a_float():
    shorts = [0x0000, 0x3F80, 0xC000, 0x7F7F, 0x0001, 0xFF80]
    expected = np.array([short << 16 for short in shorts], np.uint32)

    for text in ("cvt.f32.bf16 $0, $1;", "mov.b32 $0, {0, $1};"):
        body = f'%h = trunc i32 %a to i16\n%r = call float asm "{text}", "=f,h"(i16 %h)'
        assert evaluate(body, "float", ("i32", shorts)).view(np.uint32).tolist() == expected.tolist()
    body = '%h = trunc i32 %a to i16\n%r = call i32 asm "mov.b32 $0, {0, $1};", "=r,h"(i16 %h)'
    assert evaluate(body, "i32", ("i32", shorts)).astype(np.uint32).tolist() == expected.tolist()


def test_the_reciprocal_of_a_double():
    numbers = [1.0, -2.0, 3.0, 1e300, 0.1]
    body = "%r = call double @llvm.nvvm.rcp.approx.ftz.d(double %a)"

    got = evaluate(body, "double", ("double", numbers))
    np.testing.assert_allclose(got, [1 / number for number in numbers], rtol=2**-20)
    assert not (got.view(np.uint64) & 0xFFFFFFFF).any()


def test_what_an_h200_leaves_of_a_gross_reciprocal_and_of_a_nan_as_a_half():
    doubles = [0x3FF8000000000000, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF]
    got = evaluate(
        "%d = bitcast i64 %a to double\n%r = call double @llvm.nvvm.rcp.approx.ftz.d(double %d)",
        "double",
        ("i64", doubles),
    )
    assert [hex(bits) for bits in got.view(np.uint64)] == ["0x3fe5555500000000", "0x0", "0x8000000000000000"]
    for name in ("f2h.rn", "f2h.rn.ftz"):
        body = f"%f = bitcast i32 %a to float\n%h = call i16 @llvm.nvvm.{name}(float %f)\n%r = zext i16 %h to i32"
        assert evaluate(body, "i32", ("i32", [0x7FC00000, 0xFFC00000, 0x7F800001])).tolist() == [0x7FFF] * 3


def test_the_hyperbolic_tangent_of_halves():
    """PTX says by how much it may be wrong: 2 to the power of -10.987."""
    numbers = np.concatenate([np.linspace(-6, 6, 97), [-np.inf, -0.0, 2.0**-24, np.inf]]).astype(np.float16)
    body = '%r = call half asm "tanh.approx.f16 $0, $1;", "=h,h"(half %a)'

    got = evaluate(body, "half", ("half", numbers)).astype(np.float64)
    np.testing.assert_allclose(got, np.tanh(numbers.astype(np.float64)), rtol=0, atol=2**-10.987)


PEERS = """
target triple = "nvptx64-nvidia-cuda"
@bar = internal addrspace(3) global [1 x i64] undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3), i32)
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  call void asm sideeffect "setmaxnreg.inc.sync.aligned.u32 $0;", "n"(i32 240)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %ready
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 32)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %i = mul i32 %r, 32
  %j = add i32 %i, %t
  %p = getelementptr i32, ptr %o, i32 %j
  store i32 %j, ptr %p, align 4
  %b = ptrtoint ptr addrspace(3) @bar to i32
  %other = sub i32 1, %r
  %far = call i32 asm "mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r"(i32 %b, i32 %other)
  call void asm sideeffect "mbarrier.arrive.shared::cluster.b64 _, [$0];", "r"(i32 %far)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %read, label %wait
read:
  %m = sub i32 63, %j
  %q = getelementptr i32, ptr %o, i32 %m
  %v = load i32, ptr %q, align 4
  %n = add i32 %j, 64
  %w = getelementptr i32, ptr %o, i32 %n
  store i32 %v, ptr %w, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  ret void
}"""


def test_threads_arrive_at_the_barrier_of_a_peer():
    """By an address of 32 bits; what they wrote before is seen there."""
    out = np.zeros(128, np.int32)
    result = simt.launch(
        PEERS, target="nvidia:sm_90", grid=2, block=32, cluster=2, args=[out], observers=simt.observers()
    )

    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    assert out.tolist() == [*range(64), *reversed(range(64))]


def test_what_changes_no_value_does_nothing():
    body = """
      call void asm sideeffect "prefetch.global.L2 [$0];", "l"(ptr %o)
      call void asm sideeffect "setmaxnreg.dec.sync.aligned.u32 $0;", "n"(i32 40)
      call void asm sideeffect "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;", ""()
      call void asm sideeffect "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;", ""()
      store i32 5, ptr %o"""
    out = np.zeros(1, np.int32)

    assert simt.launch(kernel(body), target="nvidia:sm_90", grid=1, block=1, args=[out]).verdict == "clean"
    assert out.tolist() == [5]


def test_statements_run_one_after_another_with_registers_of_their_own():
    """Over several lines, in scopes that hide one another's names, with comments and a loop."""
    text = r"""{  // the product of 1 to $1
        .reg .b32 i, total<2>; .reg .pred p;
        mov.b32 total0, 1; mov.u32 i, 0x1U;
        L_${:uid}:
        /* a scope
           whose i is another one */
        { .reg .b32 i; mov.b32 i, 7; add.s32 total1, i, 0; }
        mul.lo.s32 total0, total0, i; add.u32 i, i, 1; setp.le.s32 p, i, $1;
        @p bra.uni L_${:uid};
        .loc 1 2 3
        .pragma "nounroll";
        add.s32 $0, total0, total1;
    }"""
    escaped = text.replace("\n", "\\0A").replace('"', "\\22")
    body = f'%r = call i32 asm sideeffect "{escaped}", "=r,r"(i32 %a)'

    assert evaluate(body, "i32", ("i32", [1, 2, 3, 5, 10])).tolist() == [8, 9, 13, 127, 3628807]


def test_a_predicate_leaves_what_was_there():
    body = """
      %s = call { i32, i32 } asm "{ .reg .pred p; setp.gt.s32 p, $2, 0; @p add.s32 $0, $0, 100; @!p mov.b32 $1, -1; }",
        "=r,=r,r,0,1"(i32 %a, i32 1, i32 2)
      %x = extractvalue { i32, i32 } %s, 0
      %y = extractvalue { i32, i32 } %s, 1
      %z = mul i32 %x, 1000
      %r = add i32 %z, %y""".replace(",\n        ", ", ")

    assert evaluate(body, "i32", ("i32", [-3, 4])).tolist() == [999, 101002]


def test_what_no_lane_wrote_is_undefined():
    body = '%r = call i32 asm "{ .reg .pred p; setp.gt.s32 p, $1, 0; @p mov.b32 $0, 5; }", "=r,r"(i32 %a)'

    assert undefined(body, "i32", ("i32", [1, -1, 2])) == [False, True, False]


UNKNOWN = {
    "frobnicate.rn.f32 $0, $1;": "frobnicate.rn.f32",
    "add.s32 $0, $1, 1; add.rn.upside.s32 $0, $1, 2;": "add.rn.upside.s32",
    "mov.u32 $0, %pm3;": "%pm3",
    "{ .reg .b16 h; cvt.rni.s16.f16x2 h, $1; mov.b32 $0, 1; }": "cvt.rni.s16.f16x2",
    "sub.cc.s16x2 $0, $1, 6;": "sub.cc.s16x2",
    "fns.bf16 $0, $1, 2, 3;": "fns.bf16",
    "{ .reg .b32 h; set.lt.f16x2.s32 h, $1, 3; mov.b32 $0, h; }": "set.lt.f16x2.s32",
    "add.s32 $0, $1;": "add.s32",
    "{ .shared .b32 x; mov.b32 $0, 1; }": ".shared",
    "ld.u32 $0, [$1": "inline assembly",
    "add.s32 $0, $1, 08;": "'08'",
    "{ .reg .b32 r<1000000000>; mov.b32 $0, 1; }": "1000000000 registers",
    "{ .reg .b32 r<x>; mov.b32 $0, 1; }": "'x'",
    f"mov.b32 $0, {'{' * 5000}1{'}' * 5000};": "this deep",
}


@pytest.mark.parametrize("text", UNKNOWN, ids=UNKNOWN.values())
def test_what_is_not_known_is_refused_by_name_where_lanes_come_to_it(text):
    body = f"""
      %some = icmp eq i32 %t, 9
      br i1 %some, label %there, label %done
    there:
      %r = call i32 asm sideeffect "{text}", "=r,r"(i32 %t)
      store i32 %r, ptr %o
      br label %done
    done:"""
    clean, refused = (
        simt.launch(kernel(body), target="nvidia:sm_90", grid=1, block=block, args=[np.zeros(1, np.int32)])
        for block in (9, 10)
    )

    assert clean.verdict == "clean"
    assert refused.verdict == "incomplete"
    assert UNKNOWN[text] in str(refused.fault)


@pytest.mark.parametrize(
    ("text", "letters", "values", "expected"),
    [
        ("{.reg .f16 low,high; mov.b32 {low,high}, $1; cvt.f32.f16 $0, high;}", "=f,r", 0x3E003C00, 1.5),
        ("{.reg .b16 l,h; cvt.rn.f16.f32 l, 0f3FC00000; mov.b16 h, 0x4000; mov.b32 $0, {l,h};}", "=f,r", 0, 0x40003E00),
        ("{cvt.rn.bf16x2.f32 $0, 0f40000000, 0f3F800000;}", "=f,r", 0, 0x40003F80),
        ("{ set.lt.f16x2.f16x2 $0, $1, 0x40004000;}", "=f,r", 0x41003C00, 0x00003C00),
        ("{ fma.rn.relu.bf16x2 $0, $1, $1, 0xc100c100;}", "=f,r", 0x40003F80, 0),
        ("{ max.NaN.f16x2 $0, $1, 0x40004000;}", "=f,r", 0x7E003C00, 0x7E004000),
    ],
)
def test_two_floats_of_16_bits_in_a_register(text, letters, values, expected):
    kind = "float" if isinstance(expected, float) else "i32"
    call = f'%r = call {kind} asm "{text}", "{letters if kind == "float" else "=r,r"}"(i32 %a)'
    found = evaluate(call, kind, ("i32", [values]))[0]

    assert (found if kind == "float" else int(found) & 0xFFFFFFFF) == expected


VIDEO = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "avrg": lambda a, b: (a + b + (a + b >= 0)) >> 1,
    "absdiff": lambda a, b: abs(a - b),
    "min": min,
    "max": max,
    "set.lt": lambda a, b: int(a < b),
}


@pytest.mark.parametrize("kind", ["s32", "u32"])
@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("name", VIDEO)
def test_parts_of_words_are_computed_with_at_once(name, count, kind):
    """As they come, held at the edges of their type, or added up."""
    stem, _, compares = name.partition(".")
    bits = 32 // count

    def parts(word):
        own = [word >> bits * place & (1 << bits) - 1 for place in range(count)]
        return [part - (part >> bits - 1 << bits) if kind == "s32" else part for part in own]

    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind == "s32" else (0, (1 << bits) - 1)
    first, second = NUMBERS, NUMBERS[1:] + NUMBERS[:1]
    made = [
        [VIDEO[name](*pair) for pair in zip(parts(a), parts(b), strict=True)]
        for a, b in zip(first, second, strict=True)
    ]
    for end in ("", ".sat", ".add"):
        kinds = ".".join([kind] * (2 if compares else 3) + ([compares] if compares else []))
        body = f'%r = call i32 asm "v{stem}{count}.{kinds}{end} $0, $1, $2, 1000;", "=r,r,r"(i32 %a, i32 %b)'
        got = evaluate(body, "i32", ("i32", first), ("i32", second)).tolist()
        for row, found in zip(made, got, strict=True):
            kept = [max(low, min(high, part)) for part in row] if end == ".sat" else row
            word = sum((part & (1 << bits) - 1) << bits * place for place, part in enumerate(kept))
            assert found & 0xFFFFFFFF == ((sum(row) + 1000) & 0xFFFFFFFF if end == ".add" else word)


@pytest.mark.slow
def test_no_text_ends_otherwise_than_with_a_refusal():
    """Instructions with letters, words and signs changed by chance, as a stranger may write them."""
    drawn = random.Random(20)
    words = re.compile(r"\s+|[\w$%.:]+|.")
    known = [
        "{ .reg .pred p; setp.gt.s32 p, $1, 0; @!p add.s32 $0, $1, 0x10; }",
        "{ .reg .b16 l<2>; mov.b32 {l0, l1}, $1; cvt.rn.f16x2.f32 $0, 0f3F800000, 1.5; }",
        "ld.global.v2.f32 {$0, $1}, [$2+8]; shfl.sync.down.b32 $0|p, $1, 3, 31, -1;",
        "again: mbarrier.try_wait.parity.shared::cta.b64 p, [$1], 0; @p bra again;",
    ]
    parts = sorted({part for text in known for part in words.findall(text)})
    for _ in range(3000):
        text = words.findall(drawn.choice(known))
        for _ in range(drawn.randint(1, 4)):
            at = drawn.randrange(len(text))
            text[at] = drawn.choice([*parts, "", "", text[at][:1], text[at] * 2, "|", "}", "{", "<9>", "09"])
        results = tuple(drawn.choice([Int(16), Int(32), Float("float")]) for _ in range(2))
        operands = (Local("%a", drawn.choice([Int(32), Int(64), Pointer()])), Const(Int(32), 4))
        callee = Asm("".join(text), "=r,=r,r,n,~{memory}", Pointer())
        call = Instruction("call", "%r", Struct(results), operands, frozenset(), {"callee": callee}, "", None)
        assert assemble(call, ptx=True).blocks


def test_a_negated_predicate_in_assembly_is_no_metadata():
    """`, !p` stands within the string, and the location after it."""
    assembly = "{ .reg .pred p; setp.ne.s32 p, $1, 0; selp.s32 $0, 1, 2, p; }"
    line = f'%1 = call i32 asm "{assembly.replace(", p; }", ", !p; }")}", "=r,r"(i32 %0), !dbg !7, !srcloc !8'
    where: list[int] = []

    instruction = read_instruction(line, {}, lambda number: where.append(number) or Location(()))

    assert "selp.s32 $0, 1, 2, !p" in instruction.text and "srcloc" not in instruction.text
    assert where == [7]
