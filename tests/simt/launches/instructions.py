"""Instructions of LLVM's own and of Apple's, conversions, and lanes that vote or reduce."""

from __future__ import annotations

import numpy as np

from tests.simt.engines import BARRIER, IN_TILE, LANES, VALUE
from tests.simt.launches.row import Row, rows, whole

__all__ = ["COMPUTED", "SPECIAL"]

BEFORE = "%x = and i32 %v, 15\n  %e = shl i32 %x, 1\n  %c = icmp slt i32 %v, %x\n  %w = "
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
FLOAT, BITS = "%f = bitcast i32 %v to float\n  ", "\n  %w = bitcast float %g to i32"
FLOATS = (
    "fadd float %f, 0.5",
    "fsub contract float 1.0, %f",
    "fmul float %f, %f",
    "fdiv float 1.0, %f",
    "fneg float %f",
    "call float @llvm.fma.f32(float %f, float %f, float 1.0)",
    "call float @llvm.maxnum.f32(float %f, float 0.0)",
    "call float @llvm.minnum.f32(float %f, float 0.0)",
    "call float @llvm.floor.f32(float %f)",
    "call float @llvm.copysign.f32(float 2.0, float %f)",
)
ROOT = "call float @llvm.sqrt.f32(float %f)"
SPECIAL = np.array([0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan, 1e-45, 3.4e38, 1e10, -1e-3, 0.5] * 6, np.float32)
ON_SPECIAL = {"values": SPECIAL[:LANES].view(np.int32).copy()}
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
LOOP = f"""{VALUE}{IN_TILE}
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
STEP = "call i32 @llvm.nvvm.shfl.sync.{}.i32(i32 -1, i32 {}, i32 {}, i32 {})"
CHAIN = ("%v", "%k0", "%k1", "%k2", "%k3")
MODES = (("down", 16, 31), ("bfly", 5, 31), ("up", 2, 0), ("idx", 3, 31 | 24 << 8))
SHUFFLES = "\n  ".join(
    f"{CHAIN[n + 1]} = {STEP.format(mode, CHAIN[n], by, clamp)}" for n, (mode, by, clamp) in enumerate(MODES)
)
TOGETHER = (
    "%k = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)\n  %w = add i32 %k, 1",
    "%k = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %c)\n  %w = zext i1 %k to i32",
    "%k = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %c)\n  %w = zext i1 %k to i32",
    "%k = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %c)\n  %w = zext i1 %k to i32",
    "%w = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %x)",
    "%w = call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 -1)",
    "%w = call i32 @llvm.nvvm.redux.sync.umax(i32 %v, i32 -1)",
    "%w = call i32 @llvm.nvvm.redux.sync.min(i32 %v, i32 -1)",
    "%w = call i32 @llvm.nvvm.redux.sync.add(i32 5, i32 -1)",
    "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n  %w = add i32 %v, 1",
)
OF_LANES = {lines: f"%x = and i32 %v, 3\n  %c = icmp slt i32 %v, 9\n  {lines}" for lines in TOGETHER}
COMPUTED = (
    *rows("integers", {each: f"{BEFORE}{each}" for each in INTEGERS}),
    *rows("floats", {each: f"{FLOAT}%g = {each}{BITS}" for each in FLOATS}, how=ON_SPECIAL),
    *rows("a root", {ROOT: f"{FLOAT}%g = {ROOT}{BITS}"}, how=ON_SPECIAL, scalar=False),  # it gives other NaNs
    *rows("Apple", APPLE, how=ON_SPECIAL | {"target": "apple:apple-m4"}, scalar=False),
    *rows("conversions", CONVERSIONS),
    *rows("lanes", OF_LANES),
    Row("a loop and a barrier", LOOP, expected=np.cumsum(np.arange(LANES) - 7)),
    Row("shuffles", whole(f"{SHUFFLES}\n  %w = add i32 %k3, %v")),
)
