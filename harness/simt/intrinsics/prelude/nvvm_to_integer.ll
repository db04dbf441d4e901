; NVIDIA's conversions of floats (f, d) to integers (i, ui, ll, ull), rounded to the nearest (rn), toward zero (rz),
; down (rm) or up (rp). An integer that does not fit is the nearest that does; of a NaN it is 0, or of 64 bits on
; either side the highest bit alone.
; See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cvt

define i32 @nvvm.f2i.rn(float %a) {
  %whole = call float @llvm.rint.f32(float %a)
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %whole)
  ret i32 %r
}

define i32 @nvvm.f2i.rn.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i32 @nvvm.f2i.rn(float %a.flushed)
  ret i32 %r
}

define i32 @nvvm.f2i.rz(float %a) {
  %whole = call float @llvm.trunc.f32(float %a)
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %whole)
  ret i32 %r
}

define i32 @nvvm.f2i.rz.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i32 @nvvm.f2i.rz(float %a.flushed)
  ret i32 %r
}

define i32 @nvvm.f2i.rm(float %a) {
  %whole = call float @llvm.floor.f32(float %a)
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %whole)
  ret i32 %r
}

define i32 @nvvm.f2i.rm.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i32 @nvvm.f2i.rm(float %a.flushed)
  ret i32 %r
}

define i32 @nvvm.f2i.rp(float %a) {
  %whole = call float @llvm.ceil.f32(float %a)
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %whole)
  ret i32 %r
}

define i32 @nvvm.f2i.rp.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i32 @nvvm.f2i.rp(float %a.flushed)
  ret i32 %r
}

define i32 @nvvm.f2ui.rn(float %a) {
  %whole = call float @llvm.rint.f32(float %a)
  %r = call i32 @llvm.fptoui.sat.i32.f32(float %whole)
  ret i32 %r
}

define i32 @nvvm.f2ui.rn.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i32 @nvvm.f2ui.rn(float %a.flushed)
  ret i32 %r
}

define i32 @nvvm.f2ui.rz(float %a) {
  %whole = call float @llvm.trunc.f32(float %a)
  %r = call i32 @llvm.fptoui.sat.i32.f32(float %whole)
  ret i32 %r
}

define i32 @nvvm.f2ui.rz.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i32 @nvvm.f2ui.rz(float %a.flushed)
  ret i32 %r
}

define i32 @nvvm.f2ui.rm(float %a) {
  %whole = call float @llvm.floor.f32(float %a)
  %r = call i32 @llvm.fptoui.sat.i32.f32(float %whole)
  ret i32 %r
}

define i32 @nvvm.f2ui.rm.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i32 @nvvm.f2ui.rm(float %a.flushed)
  ret i32 %r
}

define i32 @nvvm.f2ui.rp(float %a) {
  %whole = call float @llvm.ceil.f32(float %a)
  %r = call i32 @llvm.fptoui.sat.i32.f32(float %whole)
  ret i32 %r
}

define i32 @nvvm.f2ui.rp.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i32 @nvvm.f2ui.rp(float %a.flushed)
  ret i32 %r
}

define i64 @nvvm.f2ll.rn(float %a) {
  %whole = call float @llvm.rint.f32(float %a)
  %near = call i64 @llvm.fptosi.sat.i64.f32(float %whole)
  %number = fcmp ord float %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.f2ll.rn.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i64 @nvvm.f2ll.rn(float %a.flushed)
  ret i64 %r
}

define i64 @nvvm.f2ll.rz(float %a) {
  %whole = call float @llvm.trunc.f32(float %a)
  %near = call i64 @llvm.fptosi.sat.i64.f32(float %whole)
  %number = fcmp ord float %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.f2ll.rz.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i64 @nvvm.f2ll.rz(float %a.flushed)
  ret i64 %r
}

define i64 @nvvm.f2ll.rm(float %a) {
  %whole = call float @llvm.floor.f32(float %a)
  %near = call i64 @llvm.fptosi.sat.i64.f32(float %whole)
  %number = fcmp ord float %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.f2ll.rm.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i64 @nvvm.f2ll.rm(float %a.flushed)
  ret i64 %r
}

define i64 @nvvm.f2ll.rp(float %a) {
  %whole = call float @llvm.ceil.f32(float %a)
  %near = call i64 @llvm.fptosi.sat.i64.f32(float %whole)
  %number = fcmp ord float %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.f2ll.rp.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i64 @nvvm.f2ll.rp(float %a.flushed)
  ret i64 %r
}

define i64 @nvvm.f2ull.rn(float %a) {
  %whole = call float @llvm.rint.f32(float %a)
  %near = call i64 @llvm.fptoui.sat.i64.f32(float %whole)
  %number = fcmp ord float %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.f2ull.rn.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i64 @nvvm.f2ull.rn(float %a.flushed)
  ret i64 %r
}

define i64 @nvvm.f2ull.rz(float %a) {
  %whole = call float @llvm.trunc.f32(float %a)
  %near = call i64 @llvm.fptoui.sat.i64.f32(float %whole)
  %number = fcmp ord float %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.f2ull.rz.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i64 @nvvm.f2ull.rz(float %a.flushed)
  ret i64 %r
}

define i64 @nvvm.f2ull.rm(float %a) {
  %whole = call float @llvm.floor.f32(float %a)
  %near = call i64 @llvm.fptoui.sat.i64.f32(float %whole)
  %number = fcmp ord float %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.f2ull.rm.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i64 @nvvm.f2ull.rm(float %a.flushed)
  ret i64 %r
}

define i64 @nvvm.f2ull.rp(float %a) {
  %whole = call float @llvm.ceil.f32(float %a)
  %near = call i64 @llvm.fptoui.sat.i64.f32(float %whole)
  %number = fcmp ord float %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.f2ull.rp.ftz(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %r = call i64 @nvvm.f2ull.rp(float %a.flushed)
  ret i64 %r
}

define i32 @nvvm.d2i.rn(double %a) {
  %whole = call double @llvm.rint.f64(double %a)
  %near = call i32 @llvm.fptosi.sat.i32.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i32 %near, i32 -2147483648
  ret i32 %r
}

define i32 @nvvm.d2i.rz(double %a) {
  %whole = call double @llvm.trunc.f64(double %a)
  %near = call i32 @llvm.fptosi.sat.i32.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i32 %near, i32 -2147483648
  ret i32 %r
}

define i32 @nvvm.d2i.rm(double %a) {
  %whole = call double @llvm.floor.f64(double %a)
  %near = call i32 @llvm.fptosi.sat.i32.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i32 %near, i32 -2147483648
  ret i32 %r
}

define i32 @nvvm.d2i.rp(double %a) {
  %whole = call double @llvm.ceil.f64(double %a)
  %near = call i32 @llvm.fptosi.sat.i32.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i32 %near, i32 -2147483648
  ret i32 %r
}

define i32 @nvvm.d2ui.rn(double %a) {
  %whole = call double @llvm.rint.f64(double %a)
  %near = call i32 @llvm.fptoui.sat.i32.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i32 %near, i32 -2147483648
  ret i32 %r
}

define i32 @nvvm.d2ui.rz(double %a) {
  %whole = call double @llvm.trunc.f64(double %a)
  %near = call i32 @llvm.fptoui.sat.i32.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i32 %near, i32 -2147483648
  ret i32 %r
}

define i32 @nvvm.d2ui.rm(double %a) {
  %whole = call double @llvm.floor.f64(double %a)
  %near = call i32 @llvm.fptoui.sat.i32.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i32 %near, i32 -2147483648
  ret i32 %r
}

define i32 @nvvm.d2ui.rp(double %a) {
  %whole = call double @llvm.ceil.f64(double %a)
  %near = call i32 @llvm.fptoui.sat.i32.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i32 %near, i32 -2147483648
  ret i32 %r
}

define i64 @nvvm.d2ll.rn(double %a) {
  %whole = call double @llvm.rint.f64(double %a)
  %near = call i64 @llvm.fptosi.sat.i64.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.d2ll.rz(double %a) {
  %whole = call double @llvm.trunc.f64(double %a)
  %near = call i64 @llvm.fptosi.sat.i64.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.d2ll.rm(double %a) {
  %whole = call double @llvm.floor.f64(double %a)
  %near = call i64 @llvm.fptosi.sat.i64.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.d2ll.rp(double %a) {
  %whole = call double @llvm.ceil.f64(double %a)
  %near = call i64 @llvm.fptosi.sat.i64.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.d2ull.rn(double %a) {
  %whole = call double @llvm.rint.f64(double %a)
  %near = call i64 @llvm.fptoui.sat.i64.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.d2ull.rz(double %a) {
  %whole = call double @llvm.trunc.f64(double %a)
  %near = call i64 @llvm.fptoui.sat.i64.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.d2ull.rm(double %a) {
  %whole = call double @llvm.floor.f64(double %a)
  %near = call i64 @llvm.fptoui.sat.i64.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}

define i64 @nvvm.d2ull.rp(double %a) {
  %whole = call double @llvm.ceil.f64(double %a)
  %near = call i64 @llvm.fptoui.sat.i64.f64(double %whole)
  %number = fcmp ord double %a, %a
  %r = select i1 %number, i64 %near, i64 -9223372036854775808
  ret i64 %r
}
