"""Each declared instruction of assembly, spelled in three ways, does the same."""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.lowering import LOWERINGS
from tests.simt import tensors
from tests.simt.snippets import evaluate, kernel
from tests.simt.spelling import asm, renamed, reordered

WORDS = [0, 1, 7, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0xDEADBEEF]
FLOATS = np.array([0.0, -0.0, 1.5, -2.75, 1e30, -3e-39, 100.25, -0.375], np.float32).tolist()
GIVEN = {
    "i16": [word & 0xFFFF for word in WORDS],
    "i32": WORDS,
    "i64": [word * 0x100000001 % 2**64 for word in WORDS],
    "float": FLOATS,
    "double": FLOATS,
    "half": [0.0, -0.0, 1.5, -2.75, 1000.0, -3e-6, 100.25, -0.375],
}
CONSTANT = {"i16": 5, "i32": 5, "i64": 5, "float": 2.5, "double": 2.5, "half": 2.5}
IMMEDIATE = {"float": "0f40200000", "double": "0d4004000000000000"}


def u(value, bits=32):
    """Without a sign."""
    return value % (1 << bits)


def s(value, bits=32):
    """With a sign."""
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def byte(word, place):
    """A byte with its sign."""
    return s(word >> 8 * place & 0xFF, 8)


def single(value):
    """As a float32."""
    with np.errstate(all="ignore"):
        return float(np.float32(value))


def down(value):
    """The largest float32 that is not larger than a rational."""
    near = np.float32(float(value))
    return float(np.nextafter(near, np.float32(-np.inf)) if Fraction(float(near)) > value else near)


def bits_of(value):
    """The bits of a float32."""
    return struct.unpack("<I", struct.pack("<f", value))[0]


# By the instruction: the text, the type of the result, those of the operands, and what it gives; the last operand is
# the same for all lanes.
PURE = {
    "abs": ("abs.s32 $0, $1;", "i32", "i32", lambda a: s(abs(s(a)))),
    "add": ("add.rm.f32 $0, $1, $2;", "float", "float float", lambda a, b: down(Fraction(a) + Fraction(b))),
    "addc": (
        "{ .reg .b32 low; add.cc.u32 low, $1, 0xFFFFFFFF; addc.u32 $0, $1, $2; }",
        "i32",
        "i32 i32",
        lambda a, b: s(a + b + (u(a) > 0)),
    ),
    "and": ("and.b32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(a & b)),
    "bfe": ("bfe.s32 $0, $1, 4, $2;", "i32", "i32 i32", lambda a, b: s(u(a) >> 4, b)),
    "bfi": ("bfi.b32 $0, $1, 99, 3, $2;", "i32", "i32 i32", lambda a, b: s(99 & ~0xF8 | (a & 31) << 3)),
    "bfind": ("bfind.u32 $0, $1;", "i32", "i32", lambda a: u(a).bit_length() - 1),
    "bmsk": ("bmsk.clamp.b32 $0, 3, $1;", "i32", "i32", lambda a: s(((1 << min(u(a), 32)) - 1) << 3)),
    "brev": ("brev.b32 $0, $1;", "i32", "i32", lambda a: s(int(f"{u(a):032b}"[::-1], 2))),
    "clz": ("clz.b32 $0, $1;", "i32", "i32", lambda a: 32 - u(a).bit_length()),
    "cnot": ("cnot.b32 $0, $1;", "i32", "i32", lambda a: int(u(a) == 0)),
    "copysign": ("copysign.f32 $0, $1, $2;", "float", "float float", lambda a, b: math.copysign(b, a)),
    "cos": ("cos.approx.ftz.f32 $0, $1;", "float", "float", None),
    "createpolicy": ("createpolicy.fractional.L2::evict_first.b64 $0;", "i64", "i32", None),
    "cvt": ("cvt.rni.sat.s16.f32 $0, $1;", "i16", "float", lambda a: max(-32768, min(32767, round(a)))),
    "cvta": ("cvta.to.global.u64 $0, $1;", "i64", "i64", lambda a: s(a, 64)),
    "div": (
        "div.rn.ftz.f32 $0, $1, $2;",
        "float",
        "float float",
        lambda a, b: single(0 * a if abs(a) < 1e-37 else a / b),
    ),
    "dp2a": (
        "dp2a.hi.s32.u32 $0, $1, $1, $2;",
        "i32",
        "i32 i32",
        lambda a, b: s(s(a & 0xFFFF, 16) * (a >> 16 & 0xFF) + s(a >> 16, 16) * (a >> 24 & 0xFF) + b),
    ),
    "dp4a": (
        "dp4a.s32.u32 $0, $1, $1, $2;",
        "i32",
        "i32 i32",
        lambda a, b: s(sum(byte(a, place) * (a >> 8 * place & 0xFF) for place in range(4)) + b),
    ),
    "ex2": ("ex2.approx.ftz.f32 $0, $1;", "float", "float", None),
    "fma": ("fma.rn.ftz.f32 $0, $1, $1, $2;", "float", "float float", None),
    "fns": (
        "fns.b32 $0, $1, 2, $2;",
        "i32",
        "i32 i32",
        lambda a, n: ([p for p in range(2, 32) if a >> p & 1] + [-1] * 9)[n - 1],
    ),
    "lg2": ("lg2.approx.ftz.f32 $0, $1;", "float", "float", None),
    "lop3": ("lop3.b32 $0, $1, 0xFF00FF00, $2, 0x96;", "i32", "i32 i32", lambda a, b: s(a ^ 0xFF00FF00 ^ b)),
    "mad": ("mad.lo.s32 $0, $1, $1, $2;", "i32", "i32 i32", lambda a, b: s(a * a + b)),
    "mad24": ("mad24.lo.u32 $0, $1, 3, $2;", "i32", "i32 i32", lambda a, b: s((a & 0xFFFFFF) * 3 + b)),
    "madc": (
        "{ .reg .b32 low; add.cc.u32 low, $1, 0xFFFFFFFF; madc.lo.u32 $0, $1, 3, $2; }",
        "i32",
        "i32 i32",
        lambda a, b: s(a * 3 + b + (u(a) > 0)),
    ),
    "max": ("max.u32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(max(u(a), u(b)))),
    "min": ("min.ftz.f32 $0, $1, $2;", "float", "float float", None),
    "mov": ("mov.b32 $0, $1;", "i32", "i32", s),
    "mul": ("mul.hi.u32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(u(a) * u(b) >> 32)),
    "mul24": ("mul24.hi.s32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(s(a & 0xFFFFFF, 24) * b >> 16)),
    "neg": ("neg.ftz.f32 $0, $1;", "float", "float", None),
    "not": ("not.b32 $0, $1;", "i32", "i32", lambda a: s(~a)),
    "or": ("or.b32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(a | b)),
    "popc": ("popc.b32 $0, $1;", "i32", "i32", lambda a: u(a).bit_count()),
    "prmt": ("prmt.b32 $0, $1, $2, 0x4012;", "i32", "i32 i32", None),
    "rcp": ("rcp.approx.ftz.f32 $0, $1;", "float", "float", None),
    "rem": ("rem.u32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(u(a) % b)),
    "rsqrt": ("rsqrt.approx.ftz.f32 $0, $1;", "float", "float", None),
    "sad": ("sad.u32 $0, $1, 1000, $2;", "i32", "i32 i32", lambda a, b: s(abs(u(a) - 1000) + b)),
    "selp": (
        "{ .reg .pred q; setp.gt.s32 q, $1, 3; selp.b32 $0, $1, $2, q; }",
        "i32",
        "i32 i32",
        lambda a, b: s(a) if s(a) > 3 else b,
    ),
    "set": ("set.lt.and.u32.s32 $0, $1, $2, 1;", "i32", "i32 i32", None),
    "setp": (
        "{ .reg .pred p, q; setp.lt.ftz.f32 p|q, $1, $2; selp.b32 $0, 1, 2, p; @!q add.s32 $0, $0, 8; }",
        "i32",
        "float float",
        lambda a, b: 9 if a < b else 2,
    ),
    "shf": ("shf.r.clamp.b32 $0, $1, 7, $2;", "i32", "i32 i32", lambda a, b: s((7 << 32 | u(a)) >> b)),
    "shl": ("shl.b32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(a << b)),
    "shr": ("shr.s32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(a) >> b),
    "sin": ("sin.approx.ftz.f32 $0, $1;", "float", "float", None),
    "slct": ("slct.u32.s32 $0, 7, $1, $2;", "i32", "i32 i32", lambda a, _b: 7),
    "sqrt": ("sqrt.rn.ftz.f32 $0, $1;", "float", "float", None),
    "sub": ("sub.sat.s32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: max(-(1 << 31), min((1 << 31) - 1, s(a) - b))),
    "subc": (
        "{ .reg .b32 low; sub.cc.u32 low, $1, 6; subc.u32 $0, $1, $2; }",
        "i32",
        "i32 i32",
        lambda a, b: s(a - b - (u(a) < 6)),
    ),
    "szext": ("szext.wrap.s32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(a, b)),
    "tanh": ("tanh.approx.f32 $0, $1;", "float", "float", None),
    "testp": (
        "{ .reg .pred p; testp.subnormal.f32 p, $1; selp.b32 $0, 1, 0, p; }",
        "i32",
        "float",
        lambda a: int(0 < abs(single(a)) < 2.0**-126),
    ),
    **{
        f"v{name}{count}": (f"v{name}{count}.{kinds} $0, $1, $1, $2;", "i32", "i32 i32", None)
        for name, kinds in {
            **dict.fromkeys(("add", "sub", "avrg", "absdiff", "min", "max"), "s32.u32.s32.sat"),
            "set": "s32.u32.lt.add",
        }.items()
        for count in (2, 4)
    },
    "xor": ("xor.b32 $0, $1, $2;", "i32", "i32 i32", lambda a, b: s(a ^ b)),
}


@pytest.mark.parametrize("name", PURE)
def test_three_spellings_give_the_same(name):
    """Also with a number in place of the last register; with what Python gives, where it says that exactly."""
    text, result, types, expected = PURE[name]
    kinds = types.split()
    inputs = [(ty, GIVEN[ty]) for ty in kinds]
    if len(kinds) > 1:
        inputs[-1] = kinds[-1], [CONSTANT[kinds[-1]]] * len(WORDS)
    operands = [(ty, f"%{letter}") for letter, ty in zip("abc", kinds, strict=False)]
    texts = [text, renamed(text, [result], operands), reordered(text)]
    if len(kinds) > 1:
        number = IMMEDIATE.get(kinds[-1], str(CONSTANT[kinds[-1]]))
        texts.append(reordered(text).replace(f"${len(kinds)}", number))
    values = [evaluate(f"%r = {asm(each, [result], operands)}", result, *inputs) for each in texts]

    for each, other in zip(texts, values, strict=True):
        np.testing.assert_array_equal(other, values[0], err_msg=each)
    if expected is not None:
        wanted = [expected(*row) for row in zip(*(given for _, given in inputs), strict=True)]
        np.testing.assert_array_equal(values[0], np.array(wanted, values[0].dtype), err_msg=text)


SHARED = "@s = internal addrspace(3) global [512 x i32] undef, align 128\n"
SHARED += "@bar = internal addrspace(3) global i64 undef, align 8\n"
# By the instruction: the text, the types of the results, and the operands: %v a number of the lane, %at where its four
# words lie in shared memory, %from where they come from in global memory, %bar a barrier of 32 arrivals.
AT, FROM, BAR, V, SIZE = ("i32", "%at"), ("ptr", "%from"), ("i32", "%bar"), ("i32", "%v"), ("i32", "16")
TOKEN = "{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [$%d]; "
EFFECTS = {
    "activemask": ("activemask.b32 $0;", ["i32"], []),
    "applypriority": ("applypriority.global.L2::evict_normal [$0], 128;", [], [FROM]),
    "atom": ("atom.shared.relaxed.cta.add.u32 $0, [$1+4], $2;", ["i32"], [AT, V]),
    "bar.arrive": ("bar.arrive 1, 64;", [], []),
    "bar.red": ("bar.red.popc.u32 $0, 0, 1;", ["i32"], []),
    "bar.sync": ("bar.sync 0;", [], []),
    "bar.warp.sync": ("bar.warp.sync 0xffffffff;", [], []),
    "barrier.arrive": ("barrier.arrive 1, 64;", [], []),
    "barrier.cluster": ("barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;", [], []),
    "barrier.cta.arrive": ("barrier.cta.arrive 1, 64;", [], []),
    "barrier.cta.red": ("barrier.cta.red.popc.aligned.u32 $0, 0, 1;", ["i32"], []),
    "barrier.cta.sync": ("barrier.cta.sync.aligned 0;", [], []),
    "barrier.red": ("barrier.red.popc.aligned.u32 $0, 0, 1;", ["i32"], []),
    "barrier.sync": ("barrier.sync.aligned 0;", [], []),
    "brkpt": ("{ .reg .pred p; setp.gt.s32 p, $0, 31; @p brkpt; }", [], [("i32", "%t")]),
    "cp.async": ("cp.async.cg.shared.global.L2::128B [$0], [$1], $2;", [], [AT, FROM, SIZE]),
    "cp.async.commit_group": (
        "cp.async.ca.shared.global [$0], [$1], 4; cp.async.commit_group; cp.async.wait_group 0;",
        [],
        [AT, FROM],
    ),
    "cp.async.mbarrier.arrive": ("cp.async.mbarrier.arrive.noinc.shared.b64 [$0];", [], [BAR]),
    "cp.async.wait_all": ("cp.async.ca.shared.global [$0], [$1], 8; cp.async.wait_all;", [], [AT, FROM]),
    "cp.async.wait_group": (
        "cp.async.ca.shared.global [$0], [$1], 16; cp.async.commit_group; cp.async.wait_group 0;",
        [],
        [AT, FROM],
    ),
    "cp.async.bulk": (
        "cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2; "
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
        [],
        [("ptr", "%to"), AT, SIZE],
    ),
    "cp.async.bulk.prefetch": ("cp.async.bulk.prefetch.L2.global [$0], 16;", [], [FROM]),
    "discard": ("discard.global.L2 [$0], 128;", [], [FROM]),
    "elect.sync": (
        "{ .reg .pred p; elect.sync $0|p, 0xffffffff; @p add.s32 $0, $0, 100; }",
        ["i32"],
        [],
    ),
    "exit": ("{ .reg .pred p; setp.gt.s32 p, $0, 31; @p exit; }", [], [("i32", "%t")]),
    "fence": ("fence.acq_rel.gpu;", [], []),
    "fence.mbarrier_init": ("fence.mbarrier_init.release.cluster;", [], []),
    "fence.proxy": ("fence.proxy.async.shared::cta;", [], []),
    "getctarank": ("getctarank.shared::cluster.u32 $0, $1;", ["i32"], [AT]),
    "griddepcontrol": ("griddepcontrol.wait; griddepcontrol.launch_dependents;", [], []),
    "isspacep": (
        "{ .reg .pred p; .reg .b64 a; cvta.shared.u64 a, $1; isspacep.shared p, a; selp.b32 $0, 1, 0, p; }",
        ["i32"],
        [("i64", "%wide")],
    ),
    "ld": ("ld.volatile.global.v2.u32 {$0, $1}, [$2+8];", ["i32", "i32"], [FROM]),
    "ldmatrix.sync": (
        "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$0, $1}, [$2];",
        ["i32", "i32"],
        [AT],
    ),
    "ldu": ("ldu.global.u32 $0, [$1];", ["i32"], [FROM]),
    "mapa": ("mapa.shared::cluster.u32 $0, $1, 0;", ["i32"], [AT]),
    "match.all.sync": (
        "{ .reg .pred p; match.all.sync.b32 $0|p, $1, -1; @p add.s32 $0, $0, 3; }",
        ["i32"],
        [("i32", "%n")],
    ),
    "match.any.sync": ("match.any.sync.b32 $0, $1, -1;", ["i32"], [V]),
    "mbarrier.arrive": ("mbarrier.arrive.release.cta.shared::cta.b64 _, [$0];", [], [BAR]),
    "mbarrier.arrive_drop": ("mbarrier.arrive_drop.shared.b64 _, [$0];", [], [BAR]),
    "mbarrier.complete_tx": (
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0], 16; "
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [$0], 16;",
        [],
        [BAR],
    ),
    "mbarrier.inval": (
        "{ .reg .pred p; setp.eq.s32 p, $1, 0; "
        "@p mbarrier.inval.shared.b64 [$0]; @p mbarrier.init.shared.b64 [$0], 5; }",
        [],
        [BAR, ("i32", "%t")],
    ),
    "mbarrier.pending_count": (
        "{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [$1], 1; "
        "mbarrier.pending_count.b64 $0, state; and.b32 $0, $0, 0; }",
        ["i32"],
        [BAR],
    ),
    "mbarrier.test_wait": (
        "{ .reg .pred p; mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [$1], 0; selp.b32 $0, 1, 0, p; }",
        ["i32"],
        [BAR],
    ),
    "mbarrier.try_wait": (
        "{ .reg .pred p; .reg .b64 state; mbarrier.arrive.shared.b64 state, [$1]; again: "
        "mbarrier.try_wait.shared.b64 p, [$1], state; @!p bra again; selp.b32 $0, 1, 0, p; }",
        ["i32"],
        [BAR],
    ),
    "mbarrier.wait": (
        "{ .reg .pred p; mbarrier.arrive.shared.b64 _, [$0]; again: mbarrier.try_wait.parity.shared.b64 p, [$0], 0; "
        "@p bra.uni done; bra.uni again; done: }",
        [],
        [BAR],
    ),
    "membar": ("membar.gl;", [], []),
    "mma.sync": (
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$0, $1, $2, $3}, "
        "{$4, $4, $4, $4}, {$4, $4}, {$5, $5, $5, $5};",
        ["float"] * 4,
        [("i32", "%pair"), ("float", "%f")],
    ),
    "S_NOP": ("S_NOP 0;", [], []),
    "nanosleep": ("nanosleep.u32 20;", [], []),
    "nop": ("nop;", [], []),
    "pmevent": ("pmevent.mask 0;", [], []),
    "prefetch": ("prefetch.global.L2 [$0];", [], [FROM]),
    "prefetchu": ("prefetchu.L1 [$0];", [], [FROM]),
    "red": ("red.relaxed.cta.shared.add.s32 [$0], $1;", [], [AT, V]),
    "redux.sync": ("redux.sync.max.u32 $0, $1, 0xffffffff;", ["i32"], [V]),
    "setmaxnreg": ("setmaxnreg.inc.sync.aligned.u32 40;", [], []),
    "shfl.sync": ("{ .reg .pred p; shfl.sync.down.b32 $0|p, $1, 3, 31, -1; @!p mov.b32 $0, 7; }", ["i32"], [V]),
    "st": ("st.relaxed.cta.shared.u32 [$0+8], $1;", [], [AT, V]),
    "stmatrix.sync": ("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [$0], {$1, $1};", [], [AT, V]),
    "trap": ("{ .reg .pred p; setp.gt.s32 p, $0, 31; @p trap; }", [], [("i32", "%t")]),
    "vote.sync": ("{ .reg .pred p; setp.gt.s32 p, $1, 3; vote.sync.ballot.b32 $0, p, -1; }", ["i32"], [V]),
    "wmma.load": ("wmma.load.c.sync.aligned.row.m8n8k32.s32 {$0, $1}, [$2], 8;", ["i32", "i32"], [("ptr", "%g")]),
    "wmma.mma": (
        "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {$0, $1}, {$2}, {$2}, {$2, $2};",
        ["i32", "i32"],
        [V],
    ),
    "wmma.store": (
        "wmma.store.d.sync.aligned.col.m8n8k32.s32 [$0], {$1, $1}, 8;",
        [],
        [("ptr", "%out"), V],
    ),
    "wgmma.fence.sync": ("wgmma.fence.sync.aligned;", [], []),
    "wgmma.commit_group.sync": ("wgmma.commit_group.sync.aligned;", [], []),
    "wgmma.wait_group.sync": ("wgmma.wait_group.sync.aligned 0;", [], []),
}
EFFECTS["cp.async.bulk.commit_group"] = EFFECTS["cp.async.bulk.wait_group"] = EFFECTS["cp.async.bulk"]
EFFECTS["mbarrier.expect_tx"] = EFFECTS["mbarrier.complete_tx"]
EFFECTS["mbarrier.init"] = EFFECTS["mbarrier.inval"]
# Spelled in three ways where what they need is: a tensor's map, four warps, AMD.
ELSEWHERE = {"cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor", "wgmma.mma_async.sync"}  # below
ELSEWHERE |= {"v_cmp_u_f32", "v_bfe_u32", "v_add3_u32", "v_cndmask_b32"}
# Whose effect is no number here.
QUIET = {name for name, (_, results, _) in EFFECTS.items() if not results and name[:2] not in ("cp", "st", "re")}
QUIET |= {"cp.async.bulk.prefetch", "cp.async.mbarrier.arrive", "getctarank"}
QUIET |= {"mbarrier.pending_count", "mbarrier.test_wait"}


def effects(text, results, operands):
    """What a piece of assembly gives to each of 32 lanes, and what it leaves in shared and global memory."""
    call = asm(text, results, operands)
    whole = {0: "", 1: "%e0 = "}.get(len(results), "%e = ")
    parts = [
        f"%e{n} = extractvalue {{ {', '.join(results)} }} %e, {n}" for n in range(len(results)) if len(results) > 1
    ]
    stores = [
        line
        for n, ty in enumerate(results)
        for line in (f"%q{n} = getelementptr i32, ptr %mine, i64 {n}", f"store {ty} %e{n}, ptr %q{n}, align 4")
    ]
    body = f"""
      %four = mul i32 %t, 4
      %own = getelementptr i32, ptr addrspace(3) @s, i32 %four
      %at = ptrtoint ptr addrspace(3) %own to i32
      %wide = ptrtoint ptr addrspace(3) %own to i64
      %from = getelementptr i32, ptr %g, i32 %four
      %to = getelementptr i32, ptr %out, i32 %four
      %mine = getelementptr i32, ptr %o, i32 %four
      %v = load i32, ptr %from, align 4
      %n = or i32 %t, 31
      %bits = and i32 %v, 3
      %f = sitofp i32 %bits to float
      %pair = add i32 %bits, {0x3F803F80}
      %words = load <4 x i32>, ptr %from, align 16
      %small = add <4 x i32> %words, splat (i32 1)
      store <4 x i32> %small, ptr addrspace(3) %own, align 16
      %bar = ptrtoint ptr addrspace(3) @bar to i32
      %zero = icmp eq i32 %t, 0
      br i1 %zero, label %begin, label %begun
    begin:
      call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 32)
      br label %begun
    begun:
      call void @llvm.nvvm.fence.proxy.async.shared_cta()
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      {whole}{call}
      {chr(10).join(parts + stores)}
      call void @llvm.nvvm.cp.async.wait.all()
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %last = load <4 x i32>, ptr addrspace(3) %own, align 16
      %back = getelementptr i32, ptr %left, i32 %four
      store <4 x i32> %last, ptr %back, align 16"""
    out, left, copied = np.zeros(128, np.int32), np.zeros(128, np.int32), np.zeros(128, np.int32)
    given = np.arange(128, dtype=np.int32) % 50 + 2
    result = simt.launch(
        kernel(body, "ptr %o, ptr %g, ptr %left, ptr %out", SHARED),
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[out, given, left, copied],
        observers=simt.observers(unwritten=False),
    )
    assert result.verdict == "clean", ([str(finding) for finding in result.findings], result.fault, text)
    return np.concatenate([out, left, copied])


@cache
def effects_of_nothing():
    """The same of an instruction that does nothing."""
    return effects("nop;", [], [])


@pytest.mark.parametrize("name", EFFECTS)
def test_three_spellings_do_the_same(name):
    text, results, operands = EFFECTS[name]
    first = effects(text, results, operands)

    for other in (renamed(text, results, operands), reordered(text)):
        np.testing.assert_array_equal(effects(other, results, operands), first, err_msg=other)
    if name not in QUIET:
        assert (first != effects_of_nothing()).any()


def test_a_box_of_a_tensor_is_loaded_whatever_its_copy_is_called():
    array = np.arange(64, dtype=np.float32).reshape(8, 8)
    text = (
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4}], [$2];"
    )
    operands = [("i32", "%d"), ("ptr", "%m"), ("i32", "%b"), ("i32", "%x"), ("i32", "0")]
    told = "mbarrier::complete_tx::bytes"
    other = text.replace(".tile", "").replace(f".{told}", f".{told}.L2::cache_hint").replace("[$2]", "[$2], 0")
    for each in (text, renamed(text, [], operands), reordered(text), other):
        copy = f"  %x = add i32 0, 4\n  {asm(each, [], operands)}"
        output = np.zeros(32, np.float32)
        assert tensors.run(tensors.copied(copy, 32), simt.TensorMap(array, (8, 4)), output).tolist() == (
            array[:, 4:].ravel().tolist()
        )


def test_a_box_is_reduced_into_a_tensor_whatever_its_copy_is_called():
    """Each element grows by one of the 32 threads' numbers."""
    text = "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [$0, {$2}], [$1]; "
    text += "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
    operands = [("ptr", "%m"), ("i32", "%d"), ("i32", "%x")]
    for each in (text, renamed(text, [], operands), reordered(text)):
        kernel_text = f"""{tensors.HEAD}
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %m) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %f = sitofp i32 %t to float
  store float %f, ptr addrspace(3) %q
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d = ptrtoint ptr addrspace(3) @tile to i32
  %x = add i32 0, 4
  %first = icmp eq i32 %t, 0
  br i1 %first, label %send, label %end
send:
  {asm(each, [], operands)}
  br label %end
end:
  ret void
}}"""
        array = np.full(36, 100, np.float32)
        result = simt.launch(
            kernel_text,
            target="nvidia:sm_90",
            grid=1,
            block=32,
            args=[simt.TensorMap(array, (32,))],
            observers=simt.observers(),
        )
        assert result.verdict == "clean", ([str(finding) for finding in result.findings], result.fault)
        assert array.tolist() == [100] * 4 + [100 + t for t in range(32)]


@pytest.mark.parametrize("blank", [" ", "\t", "\n  // more\n "])
def test_a_product_of_four_warps_may_be_written_over_several_lines(blank):
    """All ones of 16 in depth, and a sum before."""
    text = (
        "{ .reg .pred q; setp.ne.b32 q, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
        "{$0, $1, $2, $3}, $4, $5, q, 1, -1, 0, 0; }"
    ).replace(" ", blank.replace("\n", "\\0A").replace("\t", "\\09"))
    call = f'asm sideeffect "{text}", "=f,=f,=f,=f,l,l,r,0,1,2,3"'
    one = ", ".join(["i16 16256"] * 16)
    body = f"""
      %w = getelementptr <16 x i16>, ptr addrspace(3) @tile, i32 %t
      store <16 x i16> <{one}>, ptr addrspace(3) %w, align 16
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %d = call {{ float, float, float, float }} {call}(i64 64, i64 64, i32 1{", float 20.0" * 4})
      %v = extractvalue {{ float, float, float, float }} %d, 3
      %p = getelementptr float, ptr %o, i32 %t
      store float %v, ptr %p"""
    output = np.zeros(128, np.float32)
    tile = "@tile = internal addrspace(3) global [2048 x i16] undef, align 16"
    result = simt.launch(f"{kernel(body)}\n{tile}", target="nvidia:sm_90", grid=1, block=128, args=[output])

    assert (result.verdict, set(output.tolist())) == ("clean", {4.0})


@pytest.mark.parametrize(
    "text", ["v_bfe_u32 $0, $1, 16, 1", "v_bfe_u32  $0,$1 , 0x10,1 ; the sign", "\nv_bfe_u32 $0, $1, 16,  $2\n"]
)
def test_blanks_and_comments_of_amds_assembly_say_nothing(text):
    body = f'%r = call i32 asm "{text.replace(chr(10), chr(92) + "0A")}", "=v,v,s"(i32 %a, i32 1)'

    assert evaluate(body, "i32", ("i32", [0xFFFF, 0x10000, 0x30000]), target="amd:gfx942").tolist() == [0, 1, 1]


def test_each_declared_instruction_is_spelled():
    assert {".".join(words) for words in LOWERINGS} == {*PURE, *EFFECTS, *ELSEWHERE}
