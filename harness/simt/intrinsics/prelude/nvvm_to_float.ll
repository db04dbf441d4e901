; NVIDIA's conversions to floats, of integers (i, ui, ll, ull) and of doubles, rounded to the nearest (rn), toward zero (rz),
; down (rm) or up (rp); and what takes doubles apart and puts them together.

define float @nvvm.i2f.rn(i32 %a) {
  %r = sitofp i32 %a to float
  ret float %r
}

define float @nvvm.i2f.rz(i32 %a) {
  %wide = sitofp i32 %a to double
  %r = call float @"asm:round.inward.f32"(double %wide, double 0.000000e+00)
  ret float %r
}

define float @nvvm.i2f.rm(i32 %a) {
  %wide = sitofp i32 %a to double
  %back = fneg double %wide
  %up = call float @"asm:round.up.f32"(double %back, double 0.000000e+00)
  %r = fneg float %up
  ret float %r
}

define float @nvvm.i2f.rp(i32 %a) {
  %wide = sitofp i32 %a to double
  %r = call float @"asm:round.up.f32"(double %wide, double 0.000000e+00)
  ret float %r
}

define float @nvvm.ui2f.rn(i32 %a) {
  %r = uitofp i32 %a to float
  ret float %r
}

define float @nvvm.ui2f.rz(i32 %a) {
  %wide = uitofp i32 %a to double
  %r = call float @"asm:round.inward.f32"(double %wide, double 0.000000e+00)
  ret float %r
}

define float @nvvm.ui2f.rm(i32 %a) {
  %r = call float @nvvm.ui2f.rz(i32 %a)
  ret float %r
}

define float @nvvm.ui2f.rp(i32 %a) {
  %wide = uitofp i32 %a to double
  %r = call float @"asm:round.up.f32"(double %wide, double 0.000000e+00)
  ret float %r
}

define float @nvvm.ll2f.rn(i64 %a) {
  %r = sitofp i64 %a to float
  ret float %r
}

define float @nvvm.ll2f.rz(i64 %a) {
  %high = ashr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = sitofp i64 %high to double
  %high.part = fmul double %high.double, 0x41F0000000000000
  %low.part = uitofp i64 %low to double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %r = call float @"asm:round.inward.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.ll2f.rm(i64 %a) {
  %high = ashr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = sitofp i64 %high to double
  %high.part = fmul double %high.double, 0xC1F0000000000000
  %low.double = uitofp i64 %low to double
  %low.part = fneg double %low.double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %up = call float @"asm:round.up.f32"(double %near, double %rest)
  %r = fneg float %up
  ret float %r
}

define float @nvvm.ll2f.rp(i64 %a) {
  %high = ashr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = sitofp i64 %high to double
  %high.part = fmul double %high.double, 0x41F0000000000000
  %low.part = uitofp i64 %low to double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %r = call float @"asm:round.up.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.ull2f.rn(i64 %a) {
  %r = uitofp i64 %a to float
  ret float %r
}

define float @nvvm.ull2f.rz(i64 %a) {
  %high = lshr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = uitofp i64 %high to double
  %high.part = fmul double %high.double, 0x41F0000000000000
  %low.part = uitofp i64 %low to double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %r = call float @"asm:round.inward.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.ull2f.rm(i64 %a) {
  %r = call float @nvvm.ull2f.rz(i64 %a)
  ret float %r
}

define float @nvvm.ull2f.rp(i64 %a) {
  %high = lshr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = uitofp i64 %high to double
  %high.part = fmul double %high.double, 0x41F0000000000000
  %low.part = uitofp i64 %low to double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %r = call float @"asm:round.up.f32"(double %near, double %rest)
  ret float %r
}

define double @nvvm.i2d.rn(i32 %a) {
  %r = sitofp i32 %a to double
  ret double %r
}

define double @nvvm.ui2d.rn(i32 %a) {
  %r = uitofp i32 %a to double
  ret double %r
}

define double @nvvm.ll2d.rn(i64 %a) {
  %r = sitofp i64 %a to double
  ret double %r
}

define double @nvvm.ll2d.rz(i64 %a) {
  %high = ashr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = sitofp i64 %high to double
  %high.part = fmul double %high.double, 0x41F0000000000000
  %low.part = uitofp i64 %low to double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %r = call double @"asm:inward.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.ll2d.rm(i64 %a) {
  %high = ashr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = sitofp i64 %high to double
  %high.part = fmul double %high.double, 0xC1F0000000000000
  %low.double = uitofp i64 %low to double
  %low.part = fneg double %low.double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %up = call double @"asm:up.f64"(double %near, double %rest)
  %r = fneg double %up
  ret double %r
}

define double @nvvm.ll2d.rp(i64 %a) {
  %high = ashr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = sitofp i64 %high to double
  %high.part = fmul double %high.double, 0x41F0000000000000
  %low.part = uitofp i64 %low to double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %r = call double @"asm:up.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.ull2d.rn(i64 %a) {
  %r = uitofp i64 %a to double
  ret double %r
}

define double @nvvm.ull2d.rz(i64 %a) {
  %high = lshr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = uitofp i64 %high to double
  %high.part = fmul double %high.double, 0x41F0000000000000
  %low.part = uitofp i64 %low to double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %r = call double @"asm:inward.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.ull2d.rm(i64 %a) {
  %r = call double @nvvm.ull2d.rz(i64 %a)
  ret double %r
}

define double @nvvm.ull2d.rp(i64 %a) {
  %high = lshr i64 %a, 32
  %low = and i64 %a, 4294967295
  %high.double = uitofp i64 %high to double
  %high.part = fmul double %high.double, 0x41F0000000000000
  %low.part = uitofp i64 %low to double
  %near = fadd double %high.part, %low.part
  %rest = call double @"asm:sum.rest.f64"(double %high.part, double %low.part, double %near)
  %r = call double @"asm:up.f64"(double %near, double %rest)
  ret double %r
}

define float @nvvm.d2f.rn(double %a) {
  %r = fptrunc double %a to float
  ret float %r
}

define float @nvvm.d2f.rn.ftz(double %a) {
  %near = call float @nvvm.d2f.rn(double %a)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.d2f.rz(double %a) {
  %r = call float @"asm:round.inward.f32"(double %a, double 0.000000e+00)
  ret float %r
}

define float @nvvm.d2f.rz.ftz(double %a) {
  %near = call float @nvvm.d2f.rz(double %a)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.d2f.rm(double %a) {
  %back = fneg double %a
  %up = call float @nvvm.d2f.rp(double %back)
  %r = fneg float %up
  ret float %r
}

define float @nvvm.d2f.rm.ftz(double %a) {
  %near = call float @nvvm.d2f.rm(double %a)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.d2f.rp(double %a) {
  %r = call float @"asm:round.up.f32"(double %a, double 0.000000e+00)
  ret float %r
}

define float @nvvm.d2f.rp.ftz(double %a) {
  %near = call float @nvvm.d2f.rp(double %a)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

; A NaN becomes the canonical one. See: PTX ISA, Floating-Point Instructions; an H200 gives it too.
define i16 @nvvm.f2h.rn(float %a) {
  %near = fptrunc float %a to half
  %bits = bitcast half %near to i16
  %nan = fcmp uno float %a, %a
  %r = select i1 %nan, i16 32767, i16 %bits
  ret i16 %r
}

define i16 @nvvm.f2h.rn.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i16 @nvvm.f2h.rn(float %a.flushed)
  ret i16 %r
}

define float @nvvm.floor.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call float @llvm.floor.f32(float %a.flushed)
  ret float %r
}

define double @nvvm.floor.d(double %a) {
  %r = call double @llvm.floor.f64(double %a)
  ret double %r
}

define float @nvvm.ceil.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call float @llvm.ceil.f32(float %a.flushed)
  ret float %r
}

define double @nvvm.ceil.d(double %a) {
  %r = call double @llvm.ceil.f64(double %a)
  ret double %r
}

define float @nvvm.trunc.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call float @llvm.trunc.f32(float %a.flushed)
  ret float %r
}

define double @nvvm.trunc.d(double %a) {
  %r = call double @llvm.trunc.f64(double %a)
  ret double %r
}

define float @nvvm.round.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call float @llvm.rint.f32(float %a.flushed)
  ret float %r
}

define double @nvvm.round.d(double %a) {
  %r = call double @llvm.rint.f64(double %a)
  ret double %r
}

define float @nvvm.fabs.ftz.f32(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call float @llvm.fabs.f32(float %a.flushed)
  ret float %r
}

; Doubles as two words.
define i32 @nvvm.d2i.lo(double %a) {
  %bits = bitcast double %a to i64
  %r = trunc i64 %bits to i32
  ret i32 %r
}

define i32 @nvvm.d2i.hi(double %a) {
  %bits = bitcast double %a to i64
  %high = lshr i64 %bits, 32
  %r = trunc i64 %high to i32
  ret i32 %r
}

define double @nvvm.lohi.i2d(i32 %low, i32 %high) {
  %low.bits = zext i32 %low to i64
  %high.wide = zext i32 %high to i64
  %high.bits = shl i64 %high.wide, 32
  %bits = or i64 %high.bits, %low.bits
  %r = bitcast i64 %bits to double
  ret double %r
}

; Only the upper half of the operand counts, and the lower half of the result is zero.
; See: PTX ISA, rcp.approx.ftz.f64.
define double @nvvm.rcp.approx.ftz.d(double %a) #0 {
  %upper = call double @"asm:upper.half.f64"(double %a)
  %flushed = call double @"asm:normal.f64"(double %upper)
  %exact = fdiv double 1.000000e+00, %flushed
  %near = call double @"asm:normal.f64"(double %exact)
  %r = call double @"asm:upper.half.f64"(double %near)
  ret double %r
}

define double @nvvm.rsqrt.approx.d(double %a) #0 {
  %root = call double @llvm.sqrt.f64(double %a)
  %r = fdiv double 1.000000e+00, %root
  ret double %r
}

attributes #0 = { "fidelity"="approximate" }
