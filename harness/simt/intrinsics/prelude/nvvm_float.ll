; NVIDIA's float instructions that round in a direction: toward zero (rz), down (rm), up (rp); with .ftz subnormal
; operands and results are zero. What is rounded down is the opposite of what is rounded up.
; See: https://docs.nvidia.com/cuda/parallel-thread-execution/#floating-point-instructions

define float @nvvm.add.rz.f(float %a, float %b) {
  %a.wide = fpext float %a to double
  %b.wide = fpext float %b to double
  %near = fadd double %a.wide, %b.wide
  %rest = call double @"asm:sum.rest.f64"(double %a.wide, double %b.wide, double %near)
  %r = call float @"asm:round.inward.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.add.rz.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.add.rz.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.add.rm.f(float %a, float %b) {
  %a.back = fneg float %a
  %b.back = fneg float %b
  %up = call float @nvvm.add.rp.f(float %a.back, float %b.back)
  %r = fneg float %up
  ret float %r
}

define float @nvvm.add.rm.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.add.rm.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.add.rp.f(float %a, float %b) {
  %a.wide = fpext float %a to double
  %b.wide = fpext float %b to double
  %near = fadd double %a.wide, %b.wide
  %rest = call double @"asm:sum.rest.f64"(double %a.wide, double %b.wide, double %near)
  %r = call float @"asm:round.up.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.add.rp.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.add.rp.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define double @nvvm.add.rz.d(double %a, double %b) {
  %near = fadd double %a, %b
  %plain = call double @"asm:sum.rest.f64"(double %a, double %b, double %near)
  %a.half = fmul double %a, 5.000000e-01
  %b.half = fmul double %b, 5.000000e-01
  %half = fadd double %a.half, %b.half
  %beyond = fsub double %half, %near
  %size = call double @llvm.fabs.f64(double %near)
  %infinite = fcmp oeq double %size, 0x7FF0000000000000
  %rest = select i1 %infinite, double %beyond, double %plain
  %r = call double @"asm:inward.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.add.rm.d(double %a, double %b) {
  %a.back = fneg double %a
  %b.back = fneg double %b
  %up = call double @nvvm.add.rp.d(double %a.back, double %b.back)
  %r = fneg double %up
  ret double %r
}

define double @nvvm.add.rp.d(double %a, double %b) {
  %near = fadd double %a, %b
  %plain = call double @"asm:sum.rest.f64"(double %a, double %b, double %near)
  %a.half = fmul double %a, 5.000000e-01
  %b.half = fmul double %b, 5.000000e-01
  %half = fadd double %a.half, %b.half
  %beyond = fsub double %half, %near
  %size = call double @llvm.fabs.f64(double %near)
  %infinite = fcmp oeq double %size, 0x7FF0000000000000
  %rest = select i1 %infinite, double %beyond, double %plain
  %r = call double @"asm:up.f64"(double %near, double %rest)
  ret double %r
}

define float @nvvm.mul.rz.f(float %a, float %b) {
  %a.wide = fpext float %a to double
  %b.wide = fpext float %b to double
  %near = fmul double %a.wide, %b.wide
  %r = call float @"asm:round.inward.f32"(double %near, double 0.000000e+00)
  ret float %r
}

define float @nvvm.mul.rz.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.mul.rz.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.mul.rm.f(float %a, float %b) {
  %a.back = fneg float %a
  %up = call float @nvvm.mul.rp.f(float %a.back, float %b)
  %r = fneg float %up
  ret float %r
}

define float @nvvm.mul.rm.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.mul.rm.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.mul.rp.f(float %a, float %b) {
  %a.wide = fpext float %a to double
  %b.wide = fpext float %b to double
  %near = fmul double %a.wide, %b.wide
  %r = call float @"asm:round.up.f32"(double %near, double 0.000000e+00)
  ret float %r
}

define float @nvvm.mul.rp.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.mul.rp.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define double @nvvm.mul.rz.d(double %a, double %b) {
  %near = fmul double %a, %b
  %rest = call double @"asm:rest.f64"(double %a, double %b, double 0.000000e+00, double %near)
  %r = call double @"asm:inward.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.mul.rm.d(double %a, double %b) {
  %a.back = fneg double %a
  %up = call double @nvvm.mul.rp.d(double %a.back, double %b)
  %r = fneg double %up
  ret double %r
}

define double @nvvm.mul.rp.d(double %a, double %b) {
  %near = fmul double %a, %b
  %rest = call double @"asm:rest.f64"(double %a, double %b, double 0.000000e+00, double %near)
  %r = call double @"asm:up.f64"(double %near, double %rest)
  ret double %r
}

define float @nvvm.fma.rz.f(float %a, float %b, float %c) {
  %a.wide = fpext float %a to double
  %b.wide = fpext float %b to double
  %c.wide = fpext float %c to double
  %product = fmul double %a.wide, %b.wide
  %near = fadd double %product, %c.wide
  %rest = call double @"asm:sum.rest.f64"(double %product, double %c.wide, double %near)
  %r = call float @"asm:round.inward.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.fma.rz.ftz.f(float %a, float %b, float %c) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %c.flushed = call float @"asm:ftz.f32"(float %c)
  %near = call float @nvvm.fma.rz.f(float %a.flushed, float %b.flushed, float %c.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.fma.rm.f(float %a, float %b, float %c) {
  %a.back = fneg float %a
  %c.back = fneg float %c
  %up = call float @nvvm.fma.rp.f(float %a.back, float %b, float %c.back)
  %r = fneg float %up
  ret float %r
}

define float @nvvm.fma.rm.ftz.f(float %a, float %b, float %c) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %c.flushed = call float @"asm:ftz.f32"(float %c)
  %near = call float @nvvm.fma.rm.f(float %a.flushed, float %b.flushed, float %c.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.fma.rp.f(float %a, float %b, float %c) {
  %a.wide = fpext float %a to double
  %b.wide = fpext float %b to double
  %c.wide = fpext float %c to double
  %product = fmul double %a.wide, %b.wide
  %near = fadd double %product, %c.wide
  %rest = call double @"asm:sum.rest.f64"(double %product, double %c.wide, double %near)
  %r = call float @"asm:round.up.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.fma.rp.ftz.f(float %a, float %b, float %c) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %c.flushed = call float @"asm:ftz.f32"(float %c)
  %near = call float @nvvm.fma.rp.f(float %a.flushed, float %b.flushed, float %c.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define double @nvvm.fma.rz.d(double %a, double %b, double %c) {
  %near = call double @llvm.fma.f64(double %a, double %b, double %c)
  %rest = call double @"asm:rest.f64"(double %a, double %b, double %c, double %near)
  %r = call double @"asm:inward.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.fma.rm.d(double %a, double %b, double %c) {
  %a.back = fneg double %a
  %c.back = fneg double %c
  %up = call double @nvvm.fma.rp.d(double %a.back, double %b, double %c.back)
  %r = fneg double %up
  ret double %r
}

define double @nvvm.fma.rp.d(double %a, double %b, double %c) {
  %near = call double @llvm.fma.f64(double %a, double %b, double %c)
  %rest = call double @"asm:rest.f64"(double %a, double %b, double %c, double %near)
  %r = call double @"asm:up.f64"(double %near, double %rest)
  ret double %r
}

define float @nvvm.div.rz.f(float %a, float %b) {
  %a.wide = fpext float %a to double
  %b.wide = fpext float %b to double
  %near = fdiv double %a.wide, %b.wide
  %back = fmul double %near, %b.wide
  %left = fsub double %a.wide, %back
  %rest = fmul double %left, %b.wide
  %r = call float @"asm:round.inward.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.div.rz.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.div.rz.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.div.rm.f(float %a, float %b) {
  %a.back = fneg float %a
  %up = call float @nvvm.div.rp.f(float %a.back, float %b)
  %r = fneg float %up
  ret float %r
}

define float @nvvm.div.rm.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.div.rm.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.div.rp.f(float %a, float %b) {
  %a.wide = fpext float %a to double
  %b.wide = fpext float %b to double
  %near = fdiv double %a.wide, %b.wide
  %back = fmul double %near, %b.wide
  %left = fsub double %a.wide, %back
  %rest = fmul double %left, %b.wide
  %r = call float @"asm:round.up.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.div.rp.ftz.f(float %a, float %b) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %b.flushed = call float @"asm:ftz.f32"(float %b)
  %near = call float @nvvm.div.rp.f(float %a.flushed, float %b.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define double @nvvm.div.rz.d(double %a, double %b) {
  %near = fdiv double %a, %b
  %rest = call double @"asm:quotient.rest.f64"(double %a, double %b, double %near)
  %r = call double @"asm:inward.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.div.rm.d(double %a, double %b) {
  %a.back = fneg double %a
  %up = call double @nvvm.div.rp.d(double %a.back, double %b)
  %r = fneg double %up
  ret double %r
}

define double @nvvm.div.rp.d(double %a, double %b) {
  %near = fdiv double %a, %b
  %rest = call double @"asm:quotient.rest.f64"(double %a, double %b, double %near)
  %r = call double @"asm:up.f64"(double %near, double %rest)
  ret double %r
}

define float @nvvm.rcp.rz.f(float %a) {
  %a.wide = fpext float %a to double
  %near = fdiv double 1.000000e+00, %a.wide
  %back = fmul double %near, %a.wide
  %left = fsub double 1.000000e+00, %back
  %rest = fmul double %left, %a.wide
  %r = call float @"asm:round.inward.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.rcp.rz.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %near = call float @nvvm.rcp.rz.f(float %a.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.rcp.rm.f(float %a) {
  %a.back = fneg float %a
  %up = call float @nvvm.rcp.rp.f(float %a.back)
  %r = fneg float %up
  ret float %r
}

define float @nvvm.rcp.rm.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %near = call float @nvvm.rcp.rm.f(float %a.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.rcp.rp.f(float %a) {
  %a.wide = fpext float %a to double
  %near = fdiv double 1.000000e+00, %a.wide
  %back = fmul double %near, %a.wide
  %left = fsub double 1.000000e+00, %back
  %rest = fmul double %left, %a.wide
  %r = call float @"asm:round.up.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.rcp.rp.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %near = call float @nvvm.rcp.rp.f(float %a.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.rcp.rn.f(float %a) {
  %r = fdiv float 1.000000e+00, %a
  ret float %r
}

define float @nvvm.rcp.rn.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %near = call float @nvvm.rcp.rn.f(float %a.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define double @nvvm.rcp.rz.d(double %a) {
  %near = fdiv double 1.000000e+00, %a
  %rest = call double @"asm:quotient.rest.f64"(double 1.000000e+00, double %a, double %near)
  %r = call double @"asm:inward.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.rcp.rm.d(double %a) {
  %a.back = fneg double %a
  %up = call double @nvvm.rcp.rp.d(double %a.back)
  %r = fneg double %up
  ret double %r
}

define double @nvvm.rcp.rp.d(double %a) {
  %near = fdiv double 1.000000e+00, %a
  %rest = call double @"asm:quotient.rest.f64"(double 1.000000e+00, double %a, double %near)
  %r = call double @"asm:up.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.rcp.rn.d(double %a) {
  %r = fdiv double 1.000000e+00, %a
  ret double %r
}

define float @nvvm.sqrt.rz.f(float %a) {
  %a.wide = fpext float %a to double
  %near = call double @llvm.sqrt.f64(double %a.wide)
  %back = fmul double %near, %near
  %rest = fsub double %a.wide, %back
  %r = call float @"asm:round.inward.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.sqrt.rz.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %near = call float @nvvm.sqrt.rz.f(float %a.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.sqrt.rm.f(float %a) {
  %r = call float @nvvm.sqrt.rz.f(float %a)
  ret float %r
}

define float @nvvm.sqrt.rm.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %near = call float @nvvm.sqrt.rm.f(float %a.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define float @nvvm.sqrt.rp.f(float %a) {
  %a.wide = fpext float %a to double
  %near = call double @llvm.sqrt.f64(double %a.wide)
  %back = fmul double %near, %near
  %rest = fsub double %a.wide, %back
  %r = call float @"asm:round.up.f32"(double %near, double %rest)
  ret float %r
}

define float @nvvm.sqrt.rp.ftz.f(float %a) {
  %a.flushed = call float @"asm:ftz.f32"(float %a)
  %near = call float @nvvm.sqrt.rp.f(float %a.flushed)
  %r = call float @"asm:ftz.f32"(float %near)
  ret float %r
}

define double @nvvm.sqrt.rz.d(double %a) {
  %near = call double @llvm.sqrt.f64(double %a)
  %back = fneg double %near
  %rest = call double @"asm:rest.f64"(double %back, double %near, double %a, double 0.000000e+00)
  %r = call double @"asm:inward.f64"(double %near, double %rest)
  ret double %r
}

define double @nvvm.sqrt.rm.d(double %a) {
  %r = call double @nvvm.sqrt.rz.d(double %a)
  ret double %r
}

define double @nvvm.sqrt.rp.d(double %a) {
  %near = call double @llvm.sqrt.f64(double %a)
  %back = fneg double %near
  %rest = call double @"asm:rest.f64"(double %back, double %near, double %a, double 0.000000e+00)
  %r = call double @"asm:up.f64"(double %near, double %rest)
  ret double %r
}
