"""`harness.programs.host.a64`: each form of a load, of a store and of neither."""

from __future__ import annotations

from collections.abc import Iterator

import llvmlite.binding as llvm
import pytest

from harness.programs.host.a64 import writes_memory

# Each word, and the assembly that LLVM 14 makes it of.
LOADS = """
f9400020 ldr x0, [x1] | b8408c20 ldr w0, [x1, #8]! | 38401420 ldrb w0, [x1], #1 | 38a26820 ldrsb x0, [x1, x2]
b8a2d820 ldrsw x0, [x1, w2, sxtw #2] | 79400020 ldrh w0, [x1] | 79c00020 ldrsh w0, [x1] | 39c00020 ldrsb w0, [x1]
f85fd020 ldur x0, [x1, #-3] | b8801020 ldursw x0, [x1, #1] | f8400820 ldtr x0, [x1] | 38c00820 ldtrsb w0, [x1]
3d400020 ldr b0, [x1] | 7d400020 ldr h0, [x1] | bd400420 ldr s0, [x1, #4] | fc408420 ldr d0, [x1], #8
3ce27820 ldr q0, [x1, x2, lsl #4] | 3cc05020 ldur q0, [x1, #5] | 58000040 ldr x0, #8 | 18000040 ldr w0, #8
98000040 ldrsw x0, #8 | 1c000040 ldr s0, #8 | 5c000040 ldr d0, #8 | 9c000080 ldr q0, #16 | a9400440 ldp x0, x1, [x2]
29c10440 ldp w0, w1, [x2, #8]! | 68c10440 ldpsw x0, x1, [x2], #8 | a8400440 ldnp x0, x1, [x2]
ad400440 ldp q0, q1, [x2] | 6c400440 ldnp d0, d1, [x2] | c85f7c20 ldxr x0, [x1] | 085f7c20 ldxrb w0, [x1]
885ffc20 ldaxr w0, [x1] | c87f0440 ldxp x0, x1, [x2] | 887f8440 ldaxp w0, w1, [x2] | c8dffc20 ldar x0, [x1]
48dffc20 ldarh w0, [x1] | c8df7c20 ldlar x0, [x1] | f8bfc020 ldapr x0, [x1] | 38bfc020 ldaprb w0, [x1]
d9401020 ldapur x0, [x1, #1] | 99800020 ldapursw x0, [x1] | 4c407800 ld1 {v0.4s}, [x0] | 0d400c00 ld1 {v0.b}[3], [x0]
4ddfcc00 ld1r {v0.2d}, [x0], #8 | 4c408400 ld2 {v0.8h, v1.8h}, [x0] | 4c404800 ld3 {v0.4s, v1.4s, v2.4s}, [x0]
4de1a400 ld4 {v0.d, v1.d, v2.d, v3.d}[1], [x0], x1 | f8200420 ldraa x0, [x1] | f8a01c20 ldrab x0, [x1, #8]!
d9600020 ldg x0, [x1] | d9e00020 ldgm x0, [x1] | f83fd020 ld64b x0, [x1] | 85804000 ldr z0, [x0]
85800000 ldr p0, [x0] | a400a000 ld1b {z0.b}, p0/z, [x0] | a5e14000 ld1d {z0.d}, p0/z, [x0, x1, lsl #3]
a500e000 ldnt1w {z0.s}, p0/z, [x0] | 8540c000 ld1rw {z0.s}, p0/z, [x0] | a4002000 ld1rqb {z0.b}, p0/z, [x0]
a4016000 ldff1b {z0.b}, p0/z, [x0, x1] | a4b0a000 ldnf1h {z0.h}, p0/z, [x0]
85214000 ld1w {z0.s}, p0/z, [x0, z1.s, uxtw #2] | 8521c020 ld1w {z0.s}, p0/z, [z1.s, #4]
c5c1c000 ld1d {z0.d}, p0/z, [x0, z1.d] | a520e000 ld2w {z0.s, z1.s}, p0/z, [x0] | c5a0c020 ld1d {z0.d}, p0/z, [z1.d]
c5e1e000 ldff1d {z0.d}, p0/z, [x0, z1.d, lsl #3] | c402c020 ldnt1b {z0.d}, p0/z, [z1.d, x2]
"""
STORES = """
f9000020 str x0, [x1] | b8008c20 str w0, [x1, #8]! | 38001420 strb w0, [x1], #1 | 78226820 strh w0, [x1, x2]
f81fd020 stur x0, [x1, #-3] | b8000820 sttr w0, [x1] | 38000820 sttrb w0, [x1] | 3d000020 str b0, [x1]
7d000020 str h0, [x1] | bd000420 str s0, [x1, #4] | fc008420 str d0, [x1], #8 | 3ca27820 str q0, [x1, x2, lsl #4]
3c805020 stur q0, [x1, #5] | a9000440 stp x0, x1, [x2] | 29810440 stp w0, w1, [x2, #8]!
a8810440 stp x0, x1, [x2], #16 | a8000440 stnp x0, x1, [x2] | ad000440 stp q0, q1, [x2] | 2c000440 stnp s0, s1, [x2]
c8037c20 stxr w3, x0, [x1] | 08037c20 stxrb w3, w0, [x1] | 8803fc20 stlxr w3, w0, [x1]
c8230440 stxp w3, x0, x1, [x2] | 88238440 stlxp w3, w0, w1, [x2] | c89ffc20 stlr x0, [x1] | 089ffc20 stlrb w0, [x1]
c89f7c20 stllr x0, [x1] | d9001020 stlur x0, [x1, #1] | 59000020 stlurh w0, [x1] | 4c007800 st1 {v0.4s}, [x0]
0d000c00 st1 {v0.b}[3], [x0] | 4c9f2000 st1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x0], #64
4c008400 st2 {v0.8h, v1.8h}, [x0] | 4d00a000 st3 {v0.s, v1.s, v2.s}[2], [x0]
4c810800 st4 {v0.4s, v1.4s, v2.4s, v3.4s}, [x0], x1 | f8200041 ldadd x0, x1, [x2] | b8e00041 ldaddal w0, w1, [x2]
38201041 ldclrb w0, w1, [x2] | 78202041 ldeorh w0, w1, [x2] | f8203041 ldset x0, x1, [x2]
f8204041 ldsmax x0, x1, [x2] | f8205041 ldsmin x0, x1, [x2] | f8206041 ldumax x0, x1, [x2]
f8207041 ldumin x0, x1, [x2] | f820005f stadd x0, [x2] | f8208041 swp x0, x1, [x2] | 38e08041 swpalb w0, w1, [x2]
c8a07c41 cas x0, x1, [x2] | 08e0fc41 casalb w0, w1, [x2] | 48207c82 casp x0, x1, x2, x3, [x4]
0860fc82 caspal w0, w1, w2, w3, [x4] | f83f9100 st64b x0, [x8] | f829b100 st64bv x9, x0, [x8] | d9200820 stg x0, [x1]
d9a01c20 st2g x0, [x1, #16]! | d9601420 stzg x0, [x1], #16 | d9e00820 stz2g x0, [x1] | 69000440 stgp x0, x1, [x2]
d9a00020 stgm x0, [x1] | d9200020 stzgm x0, [x1] | d50b7420 dc zva, x0 | d50b7463 dc gva, x3 | d50b749e dc gzva, x30
19c20420 setp [x0]!, x1!, x2 | 19c24420 setm [x0]!, x1!, x2 | 19c28420 sete [x0]!, x1!, x2
1dc20420 setgp [x0]!, x1!, x2 | e5804000 str z0, [x0] | e5800000 str p0, [x0] | e400e000 st1b {z0.b}, p0, [x0]
e5e14000 st1d {z0.d}, p0, [x0, x1, lsl #3] | e510e000 stnt1w {z0.s}, p0, [x0]
e5618000 st1w {z0.s}, p0, [x0, z1.s, uxtw #2] | e561a020 st1w {z0.s}, p0, [z1.s, #4]
e581a000 st1d {z0.d}, p0, [x0, z1.d] | e470e000 st4b {z0.b, z1.b, z2.b, z3.b}, p0, [x0]
"""
NEITHER = """
f9800000 prfm pldl1keep, [x0] | f8a16810 prfm pstl1keep, [x0, x1] | f8803000 prfum pldl1keep, [x0, #3]
d8000040 prfm pldl1keep, #8 | 1d010440 cpyp [x0]!, [x1]!, x2! | 19410440 cpyfm [x0]!, [x1]!, x2!
d50b7e20 dc civac, x0 | d50b7a20 dc cvac, x0 | d50b7520 ic ivau, x0 | 8b020020 add x0, x1, x2 | 14000002 b #8
d65f03c0 ret | d503201f nop | d4000001 svc #0 | d4200000 brk #0 | d2800020 mov x0, #1
85c10000 prfb pldl1keep, p0, [x0, #1, mul vl] | 8581c000 prfd pldl1keep, p0, [x0, x1, lsl #3]
8403e000 prfb pldl1keep, p0, [z0.s, #3] | c403e000 prfb pldl1keep, p0, [z0.d, #3]
c4618000 prfb pldl1keep, p0, [x0, z1.d] | 84612000 prfh pldl1keep, p0, [x0, z1.s, sxtw #1]
c4214000 prfw pldl1keep, p0, [x0, z1.d, uxtw #2] | 65820020 fadd z0.s, z1.s, z2.s | 1e622820 fadd d0, d1, d2
04e20020 add z0.d, z1.d, z2.d | 2518e3e0 ptrue p0.b
"""
KINDS = ((LOADS, False), (STORES, True), (NEITHER, None))


def instructions() -> Iterator[tuple[int, str, bool | None]]:
    for text, wrote in KINDS:
        for item in text.replace("\n", "|").split("|"):
            if item.strip():
                word, _, assembly = item.strip().partition(" ")
                yield int(word, 16), assembly, wrote


# By hand, from the tables of the manual: nothing is taken from LLVM here.
BY_HAND = [
    (0xF9400020, False),  # ldr x0, [x1]: size 11, 111, V 0, 01, opc 01
    (0xF9000020, True),  # str x0, [x1]: opc 00
    (0xA9400440, False),  # ldp x0, x1, [x2]: L 1
    (0xA9000440, True),  # stp x0, x1, [x2]: L 0
    (0xC8DFFC20, False),  # ldar x0, [x1]
    (0xC89FFC20, True),  # stlr x0, [x1]
    (0xF8200041, True),  # ldadd x0, x1, [x2]
    (0xF8BFC020, False),  # ldapr x0, [x1]
    (0xD50B7420, True),  # dc zva, x0
    (0x58000040, False),  # ldr x0, #8
    (0xF9800000, None),  # prfm pldl1keep, [x0]
    (0x00000000, None),  # udf #0
    (0xD65F03C0, None),  # ret
]


@pytest.mark.parametrize(("word", "wrote"), BY_HAND)
def test_a_word_of_the_manuals_tables_is_told(word: int, wrote: bool | None):
    assert writes_memory(word) is wrote


def test_each_form_is_told_as_it_accesses_memory():
    known = [*instructions()]

    wrong = [f"{word:08x} {line}: {writes_memory(word)}" for word, line, wrote in known if writes_memory(word) != wrote]
    assert not wrong and len(known) > 170


@pytest.mark.parametrize("register", [1, 7, 30])
def test_registers_do_not_matter(register: int):
    """The word differs in bits of registers, offsets and sizes alone: `ldr` and `str` of each."""
    for size in range(4):
        for base in (0b111001 << 24, 0b111000 << 24):
            word = size << 30 | base | register << 5 | (register ^ 1)
            assert writes_memory(word) is True
            assert writes_memory(word | 1 << 22) is False


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("%v = load i64, ptr %p\n ret i64 %v", {False}),
        ("store i64 %x, ptr %p\n ret i64 %x", {True}),
        ("%v = load atomic i64, ptr %p acquire, align 8\n ret i64 %v", {False}),
        ("store atomic i64 %x, ptr %p release, align 8\n ret i64 %x", {True}),
        ("%v = atomicrmw add ptr %p, i64 %x monotonic\n ret i64 %v", {True}),
        ("store <4 x i64> zeroinitializer, ptr %p\n ret i64 %x", {True}),
        ("%r = add i64 %x, %x\n ret i64 %r", set()),
    ],
)
def test_what_llvm_compiles_is_told_as_its_ir_says(body: str, kinds: set[bool]):
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("aarch64-linux-gnu").create_target_machine(features="+lse", opt=2)
    text = f'target triple = "aarch64-linux-gnu"\ndefine i64 @f(ptr %p, i64 %x) {{\n {body}\n}}\n'
    with llvm.parse_assembly(text) as module:
        code = llvm.ObjectFileRef.from_data(machine.emit_object(module))
        (text_of,) = (section.data() for section in code.sections() if section.is_text() and section.size())
    words = (int.from_bytes(text_of[start : start + 4], "little") for start in range(0, len(text_of), 4))
    assert {wrote for word in words if (wrote := writes_memory(word)) is not None} == kinds
