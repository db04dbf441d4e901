"""A use of each capability of the table, with a target that has it and one that lacks it.

A sample of PTX is a statement: `d0` is an address in global memory, `r0` one in shared memory. All others are the body
of a kernel that takes the pointer `%o`.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AMD", "APPLE", "CALLS", "PTX", "Sample", "kernel", "ptx_module", "statement"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A use.

    Attributes:
        what: Of the row.
        code: The statement, or the body.
        has: A target that has it; empty where no target of the vendor has it.
        lacks: One that lacks it.
        declarations: Of what the code names.
    """

    what: str
    code: str
    has: str
    lacks: str
    declarations: str = ""

    def __str__(self) -> str:
        return f"{self.what}, {self.code.strip().splitlines()[0][:60]}"


MMA = "mma.sync.aligned"
WGMMA = "wgmma.fence.sync.aligned;"
_STATEMENTS = (
    ("arithmetic of `f16`", "fma.rn.f16 h1, h2, h3, h4;", 60, 52),
    ("atomics with a scope", "atom.cta.global.add.u32 r1, [d0], r2;", 60, 52),
    ("atomic `add` of `f64`, `f16x2`", "atom.global.add.f64 e1, [d0], e2;", 60, 52),
    ("`dp4a`, `dp2a`", "dp4a.s32.s32 r1, r2, r3, r4;", 61, 60),
    ("atomic `add` of `f16`, `cas` of `b16`", "atom.global.add.noftz.f16 h1, [d0], h2;", 70, 61),
    ("accesses with an order", "ld.acquire.gpu.global.u32 r1, [d0];", 70, 61),
    ("fences with an order", "fence.acq_rel.gpu;", 70, 61),
    ("`match.sync`", "match.any.sync.b32 r1, r2, 0xffffffff;", 70, 61),
    ("`nanosleep`", "nanosleep.u32 10;", 70, 61),
    ("`bmsk`, `szext`", "bmsk.clamp.b32 r1, r2, r3;", 70, 61),
    ("`ldmatrix`", "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r1}, [r0];", 75, 70),
    ("`tanh`", "tanh.approx.f32 f1, f2;", 75, 70),
    ("`ex2` of `f16`", "ex2.approx.f16 h1, h2;", 75, 70),
    (
        "`mma` m16n8k8 of `f16`",
        f"{MMA}.m16n8k8.row.col.f32.f16.f16.f32 {{f1, f2, f3, f4}}, {{r1, r2}}, {{r3}}, {{f1, f2, f3, f4}};",
        75,
        70,
    ),
    (
        "`mma` of `bf16`, `tf32`, `f64`, and m16n8k16",
        f"{MMA}.m16n8k8.row.col.f32.bf16.bf16.f32 {{f1, f2, f3, f4}}, {{r1, r2}}, {{r3}}, {{f1, f2, f3, f4}};",
        80,
        75,
    ),
    (
        "`mma` of `bf16`, `tf32`, `f64`, and m16n8k16",
        f"{MMA}.m16n8k16.row.col.f32.f16.f16.f32 {{f1, f2, f3, f4}}, {{r1, r2, r3, r4}}, {{r5, r6}}, "
        "{f1, f2, f3, f4};",
        80,
        75,
    ),
    ("`cp.async`", "cp.async.ca.shared.global [r0], [d0], 4;", 80, 75),
    ("`cp.async`", "cp.async.commit_group;", 80, 75),
    ("`mbarrier`", "mbarrier.init.shared.b64 [r0], 1;", 80, 75),
    ("`redux.sync`", "redux.sync.add.s32 r1, r2, 0xffffffff;", 80, 75),
    ("`min` and `max` of `f16`, `bf16`", "min.f16 h1, h2, h3;", 80, 75),
    ("`min` and `max` that keep a NaN", "max.NaN.f32 f1, f2, f3;", 80, 75),
    ("`fma`, `abs`, `neg` of `bf16`", "fma.rn.bf16 h1, h2, h3, h4;", 80, 75),
    ("conversions to and from `bf16`, to `tf32`, of pairs", "cvt.rn.bf16.f32 h1, f1;", 80, 75),
    ("conversions to and from `bf16`, to `tf32`, of pairs", "cvt.rn.f16x2.f32 r1, f1, f2;", 80, 75),
    ("conversions to and from `bf16`, to `tf32`, of pairs", "cvt.rna.tf32.f32 r1, f1;", 80, 75),
    ("hints: `applypriority`, `discard`, `createpolicy`", "discard.global.L2 [d0], 128;", 80, 75),
    ("`min` and `max` with `xorsign`", "min.xorsign.abs.f32 f1, f2, f3;", 86, 80),
    ("conversions of 8-bit floats", "cvt.rn.satfinite.e4m3x2.f32 h1, f1, f2;", 89, 86),
    ("conversions of 8-bit floats", "cvt.rn.f16x2.e4m3x2 r1, h1;", 89, 86),
    (
        "`mma` of 8-bit floats",
        f"{MMA}.m16n8k32.row.col.f32.e4m3.e4m3.f32 {{f1, f2, f3, f4}}, {{r1, r2, r3, r4}}, {{r5, r6}}, "
        "{f1, f2, f3, f4};",
        89,
        86,
    ),
    (
        "`mma` m16n8 of `f64`",
        f"{MMA}.m16n8k4.row.col.f64.f64.f64.f64 {{e1, e2, e3, e4}}, {{e5, e6}}, {{e7}}, {{e1, e2, e3, e4}};",
        90,
        89,
    ),
    ("`add`, `sub`, `mul`, `setp` of `bf16`", "add.bf16 h1, h2, h3;", 90, 89),
    ("`tanh`, `ex2` of `bf16`", "tanh.approx.bf16 h1, h2;", 90, 89),
    ("atomic `add` of `bf16`", "atom.global.add.noftz.bf16 h1, [d0], h2;", 90, 89),
    ("atomics of vectors and of 128 bits", "red.global.add.v2.f32 [d0], {f1, f2};", 90, 89),
    ("`stmatrix`", "stmatrix.sync.aligned.m8n8.x1.shared.b16 [r0], {r1};", 90, 89),
    (
        "`mbarrier` of transactions, of clusters, and `try_wait`",
        "mbarrier.arrive.expect_tx.shared.b64 d2, [r0], r1;",
        90,
        89,
    ),
    (
        "`mbarrier` of transactions, of clusters, and `try_wait`",
        "mbarrier.try_wait.parity.shared.b64 p0, [r0], r1;",
        90,
        89,
    ),
    ("bulk and tensor copies", "cp.async.bulk.commit_group;", 90, 89),
    ("maps of tensors", "prefetch.tensormap [d0];", 90, 89),
    ("fences of the asynchronous proxy and of `mbarrier.init`", "fence.proxy.async;", 90, 89),
    ("fences of the asynchronous proxy and of `mbarrier.init`", "fence.mbarrier_init.release.cluster;", 90, 89),
    ("clusters", "mapa.shared::cluster.u32 r1, r0, r2;", 90, 89),
    ("clusters", "fence.acq_rel.cluster;", 90, 89),
    ("clusters", "mov.u32 r1, %cluster_ctarank;", 90, 89),
    ("`elect.sync`", "elect.sync _|p0, 0xffffffff;", 90, 89),
    ("programmatic launches: `griddepcontrol`", "griddepcontrol.wait;", 90, 89),
    ("`setmaxnreg`", "setmaxnreg.inc.sync.aligned.u32 232;", 90, 89),
    ("`wgmma`", WGMMA, 90, 89),
    ("`wgmma`", WGMMA, 90, 100),
)
PTX = [Sample(what, code, f"nvidia:sm_{has}", f"nvidia:sm_{lacks}") for what, code, has, lacks in _STATEMENTS]
_REGISTERS = {"pred": "p", "b16": "h", "b32": "r", "b64": "d", "f32": "f", "f64": "e"}
PTX_REGISTERS = " ".join(
    f".reg .{kind} {', '.join(f'{letter}{number}' for number in range(8))};" for kind, letter in _REGISTERS.items()
)


def ptx_module(sample: Sample, target: str) -> str:
    """A module of PTX with a sample's statement, for a target."""
    name = target.partition(":")[2]
    architecture = f"{name}a" if sample.what in ("`setmaxnreg`", "`wgmma`") and name != "sm_89" else name
    return (
        f".version 8.8\n.target {architecture}\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n"
        f"{PTX_REGISTERS}\n.shared .align 128 .b8 s[4096];\n"
        f"ld.param.u64 d0, [p]; mov.u32 r0, s;\n{sample.code}\nret;\n}}\n"
    )


def statement(sample: Sample) -> Sample:
    """The same as a call of inline assembly."""
    text = f"{{ {PTX_REGISTERS} mov.u64 d0, $0; mov.u32 r0, $1; {sample.code} }}"
    call = f'  call void asm sideeffect "{text}", "l,r"(ptr %o, i32 ptrtoint (ptr addrspace(3) @s to i32))\n'
    shared = "@s = internal addrspace(3) global [4096 x i8] poison, align 128\n"
    return Sample(sample.what, call, sample.has, sample.lacks, shared)


_DECLARED = {
    "malloc": "ptr @malloc(i64)",
    "free": "void @free(ptr)",
    "vprintf": "i32 @vprintf(ptr, ptr)",
    "air.atomic.global.max.u.i64": "i64 @air.atomic.global.max.u.i64(ptr, i64, i32, i32, i1)",
    "air.atomic.global.add.s.i64": "i64 @air.atomic.global.add.s.i64(ptr, i64, i32, i32, i1)",
    "air.atomic.local.add.f32": "float @air.atomic.local.add.f32(ptr addrspace(3), float, i32, i32, i1)",
}


def kernel(sample: Sample, reached: bool) -> str:
    """A kernel with a sample's code, which its threads come to or not: the argument is 0."""
    declared = "".join(f"declare {text}\n" for name, text in _DECLARED.items() if f"@{name}(" in sample.code)
    other = "eq" if reached else "ne"
    return (
        f"{sample.declarations}{declared}define ptx_kernel void @k(ptr %o, i32 %n) {{\n  %c = icmp {other} i32 %n, 0\n"
        f"  br i1 %c, label %there, label %end\nthere:\n{sample.code}  br label %end\nend:\n  ret void\n}}\n"
    )


# Of the rows with an intrinsic of LLVM: a call.
CALLS = [
    Sample(
        "`dp4a`, `dp2a`", "  %r = call i32 @llvm.nvvm.idp4a.s.s(i32 1, i32 2, i32 3)\n", "nvidia:sm_61", "nvidia:sm_60"
    ),
    Sample(
        "`match.sync`", "  %r = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 2)\n", "nvidia:sm_70", "nvidia:sm_61"
    ),
    Sample("`nanosleep`", "  call void @llvm.nvvm.nanosleep(i32 3)\n", "nvidia:sm_70", "nvidia:sm_61"),
    Sample(
        "`redux.sync`", "  %r = call i32 @llvm.nvvm.redux.sync.add(i32 1, i32 -1)\n", "nvidia:sm_80", "nvidia:sm_75"
    ),
    Sample("`cp.async`", "  call void @llvm.nvvm.cp.async.wait.all()\n", "nvidia:sm_80", "nvidia:sm_75"),
    Sample(
        "`mbarrier`",
        "  call void @llvm.nvvm.mbarrier.inval(ptr %o)\n",
        "nvidia:sm_80",
        "nvidia:sm_75",
    ),
    Sample(
        "bulk and tensor copies",
        "  call void @llvm.nvvm.cp.async.bulk.commit.group()\n",
        "nvidia:sm_90",
        "nvidia:sm_89",
    ),
    Sample("clusters", "  call void @llvm.nvvm.barrier.cluster.arrive()\n", "nvidia:sm_90", "nvidia:sm_89"),
    Sample("clusters", "  %r = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n", "nvidia:sm_90", "nvidia:sm_89"),
    Sample("`elect.sync`", "  %r = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)\n", "nvidia:sm_90", "nvidia:sm_89"),
    Sample(
        "programmatic launches: `griddepcontrol`",
        "  call void @llvm.nvvm.griddepcontrol.wait()\n",
        "nvidia:sm_90",
        "nvidia:sm_89",
    ),
    Sample(
        "accesses with an order",
        "  %v = load atomic i32, ptr %o acquire, align 4\n",
        "nvidia:sm_70",
        "nvidia:sm_61",
    ),
    Sample(
        "atomics of vectors and of 128 bits",
        "  %r = atomicrmw xchg ptr %o, i128 1 monotonic\n",
        "nvidia:sm_90",
        "nvidia:sm_89",
    ),
    Sample("clusters", '  fence syncscope("cluster") acq_rel\n', "nvidia:sm_90", "nvidia:sm_89"),
    Sample("`wgmma`", "  call void @llvm.nvvm.wgmma.fence.sync.aligned()\n", "nvidia:sm_90", "nvidia:sm_120"),
]


def _amd(what: str, result: str, name: str, arguments: str, has: str, lacks: str) -> Sample:
    code = (
        "  %v = load i32, ptr %o\n  %b = icmp slt i32 %v, 7\n"
        f"  %r = call {result} @llvm.amdgcn.{name}({arguments})\n  store volatile {result} %r, ptr %o\n"
    )
    return Sample(what, code, has and f"amd:{has}", f"amd:{lacks}")


_ZEROS = "i32 0, i32 0, i32 0"
AMD = [
    _amd(
        "`mfma`",
        "<4 x float>",
        "mfma.f32.16x16x16f16",
        f"<4 x half> zeroinitializer, <4 x half> zeroinitializer, <4 x float> zeroinitializer, {_ZEROS}",
        "gfx90a",
        "gfx1100",
    ),
    _amd(
        "`mfma` of 8-bit floats, and the larger ones of 8-bit integers",
        "<4 x float>",
        "mfma.f32.16x16x32.fp8.fp8",
        f"i64 0, i64 0, <4 x float> zeroinitializer, {_ZEROS}",
        "gfx942",
        "gfx90a",
    ),
    _amd(
        "the larger `mfma` of 16-bit floats",
        "<4 x float>",
        "mfma.f32.16x16x32.f16",
        f"<8 x half> zeroinitializer, <8 x half> zeroinitializer, <4 x float> zeroinitializer, {_ZEROS}",
        "gfx950",
        "gfx942",
    ),
    _amd(
        "`wmma`",
        "<8 x i32>",
        "wmma.i32.16x16x16.iu8.v8i32.v4i32",
        "i1 false, <4 x i32> zeroinitializer, i1 false, <4 x i32> zeroinitializer, <8 x i32> zeroinitializer, i1 false",
        "gfx1100",
        "gfx1030",
    ),
    _amd(
        "`wmma` of operands that both halves of a wave hold",
        "<8 x float>",
        "wmma.f32.16x16x16.f16.v8f32.v16f16",
        "<16 x half> zeroinitializer, <16 x half> zeroinitializer, <8 x float> zeroinitializer",
        "gfx1150",
        "gfx1200",
    ),
    _amd(
        "conversions to 8-bit floats",
        "i32",
        "cvt.pk.fp8.f32",
        "float 1.0, float 2.0, i32 0, i1 false",
        "gfx1200",
        "gfx1100",
    ),
    _amd("the scalar clocks `s_memtime`, `s_memrealtime`", "i64", "s.memtime", "", "gfx1030", "gfx1100"),
    _amd("votes of 32 lanes", "i32", "ballot.i32", "i1 %b", "gfx1100", "gfx942"),
    _amd("`v_tanh`", "float", "tanh.f32", "float 1.0", "", "gfx1200"),
    Sample(
        "copies from global to shared memory",
        "  %b = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p0(ptr %o, i16 0, i64 64, i32 0)\n"
        "  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %b, ptr addrspace(3) @s, i32 4, i32 0, "
        "i32 0, i32 0, i32 0)\n",
        "amd:gfx942",
        "amd:gfx1100",
        "@s = internal addrspace(3) global [64 x i8] poison, align 4\n",
    ),
]
_HEAP = "  %h = call ptr @malloc(i64 8)\n  store i32 1, ptr %h\n  %v = load i32, ptr %h\n  store i32 %v, ptr %o\n"
APPLE = [
    Sample(
        "a heap in a kernel: `malloc`, `free`", f"{_HEAP}  call void @free(ptr %h)\n", "nvidia:sm_90", "apple:apple-m4"
    ),
    Sample("`malloc` that the module does not define", _HEAP, "nvidia:sm_90", "amd:gfx942"),
    Sample(
        "doubles: 64-bit floats, computed with or moved",
        "  %v = load i32, ptr %o\n  %d = uitofp i32 %v to double\n  %e = fmul double %d, 1.5\n"
        "  %w = fptoui double %e to i32\n  store i32 %w, ptr %o\n",
        "amd:gfx942",
        "apple:apple-m4",
    ),
    Sample(
        "64-bit atomics: unsigned `min` and `max` in device memory, whose old value is not used",
        "  %r = call i64 @air.atomic.global.max.u.i64(ptr %o, i64 7, i32 0, i32 2, i1 true)\n",
        "apple:apple-m2",
        "apple:apple-m1",
    ),
    Sample(
        "all other atomics of 64 bits; atomics of 8 and of 16 bits",
        "  %r = call i64 @air.atomic.global.add.s.i64(ptr %o, i64 7, i32 0, i32 2, i1 true)\n",
        "",
        "apple:apple-m4",
    ),
    Sample(
        "all other atomics of 64 bits; atomics of 8 and of 16 bits",
        "  %r = atomicrmw add ptr %o, i64 7 monotonic\n",
        "nvidia:sm_90",
        "apple:apple-m4",
    ),
    Sample(
        "atomic `add` and `sub` of floats in threadgroup memory, `min` and `max` of floats in any",
        "  store float 0.0, ptr addrspace(3) @f\n"
        "  %r = call float @air.atomic.local.add.f32(ptr addrspace(3) @f, float 1.0, i32 0, i32 1, i1 true)\n",
        "",
        "apple:apple-m4",
        "@f = internal addrspace(3) global float poison\n",
    ),
    Sample(
        "calls through pointers that no visible function table holds",
        "  %f = load ptr, ptr addrspace(1) @table\n  call void %f(ptr %o)\n",
        "amd:gfx942",
        "apple:apple-m4",
        "@table = addrspace(1) constant [1 x ptr] [ptr @one]\n"
        "define void @one(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n",
    ),
    Sample(
        "functions of CUDA's runtime: `vprintf`, `__assertfail`",
        "  %count = call i32 @vprintf(ptr @said, ptr null)\n",
        "nvidia:sm_90",
        "apple:apple-m4",
        '@said = addrspace(0) constant [4 x i8] c"one\\00"\n',
    ),
    Sample(
        "functions of CUDA's runtime: `vprintf`, `__assertfail`",
        "  %count = call i32 @vprintf(ptr @said, ptr null)\n",
        "nvidia:sm_90",
        "amd:gfx942",
        '@said = addrspace(0) constant [4 x i8] c"one\\00"\n',
    ),
]
