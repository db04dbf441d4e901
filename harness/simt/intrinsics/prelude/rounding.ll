; Rounding in a direction, by what an exact result is above a float that is near to it (its rest).
; A rest that is 0 or a NaN changes nothing.

; Return zero with the sign of a subnormal number in its place.
define float @"asm:ftz.f32"(float %a) {
  %size = call float @llvm.fabs.f32(float %a)
  %zero = fmul float %a, 0.000000e+00
  %small = fcmp olt float %size, 0x3810000000000000
  %r = select i1 %small, float %zero, float %a
  ret float %r
}

; The same of a double.
define double @"asm:normal.f64"(double %a) {
  %size = call double @llvm.fabs.f64(double %a)
  %zero = fmul double %a, 0.000000e+00
  %small = fcmp olt double %size, 0x0010000000000000
  %r = select i1 %small, double %zero, double %a
  ret double %r
}

; Return a double with the lower half of its bits cleared; a NaN stays one.
define double @"asm:upper.half.f64"(double %a) {
  %bits = bitcast double %a to i64
  %upper = and i64 %bits, -4294967296
  %nan = fcmp uno double %a, %a
  %kept = select i1 %nan, i64 9221120237041090560, i64 %upper
  %r = bitcast i64 %kept to double
  ret double %r
}

; Return the next larger float where the rest is positive.
define float @"asm:up.f32"(float %near, double %rest) {
  %above = fcmp ogt double %rest, 0.000000e+00
  %positive = fadd float %near, 0.000000e+00
  %base = select i1 %above, float %positive, float 0.000000e+00
  %bits = bitcast float %base to i32
  %negative = icmp slt i32 %bits, 0
  %step = select i1 %negative, i32 -1, i32 1
  %stepped = add i32 %bits, %step
  %next = bitcast i32 %stepped to float
  %r = select i1 %above, float %next, float %near
  ret float %r
}

; Return the next float toward zero where the rest points there.
define float @"asm:inward.f32"(float %near, double %rest) {
  %above = fcmp ogt double %rest, 0.000000e+00
  %below = fcmp olt double %rest, 0.000000e+00
  %positive = fcmp ogt float %near, 0.000000e+00
  %negative = fcmp olt float %near, 0.000000e+00
  %too.high = and i1 %positive, %below
  %too.low = and i1 %negative, %above
  %inward = or i1 %too.high, %too.low
  %base = select i1 %inward, float %near, float 1.000000e+00
  %bits = bitcast float %base to i32
  %stepped = sub i32 %bits, 1
  %next = bitcast i32 %stepped to float
  %r = select i1 %inward, float %next, float %near
  ret float %r
}

; Return the next larger double where the rest is positive.
define double @"asm:up.f64"(double %near, double %rest) {
  %above = fcmp ogt double %rest, 0.000000e+00
  %positive = fadd double %near, 0.000000e+00
  %base = select i1 %above, double %positive, double 0.000000e+00
  %bits = bitcast double %base to i64
  %negative = icmp slt i64 %bits, 0
  %step = select i1 %negative, i64 -1, i64 1
  %stepped = add i64 %bits, %step
  %next = bitcast i64 %stepped to double
  %r = select i1 %above, double %next, double %near
  ret double %r
}

; Return the next double toward zero where the rest points there.
define double @"asm:inward.f64"(double %near, double %rest) {
  %above = fcmp ogt double %rest, 0.000000e+00
  %below = fcmp olt double %rest, 0.000000e+00
  %positive = fcmp ogt double %near, 0.000000e+00
  %negative = fcmp olt double %near, 0.000000e+00
  %too.high = and i1 %positive, %below
  %too.low = and i1 %negative, %above
  %inward = or i1 %too.high, %too.low
  %base = select i1 %inward, double %near, double 1.000000e+00
  %bits = bitcast double %base to i64
  %stepped = sub i64 %bits, 1
  %next = bitcast i64 %stepped to double
  %r = select i1 %inward, double %next, double %near
  ret double %r
}

; Round a double with a rest to a float.
define float @"asm:round.up.f32"(double %a, double %rest) {
  %near = fptrunc double %a to float
  %near.wide = fpext float %near to double
  %gap = fsub double %a, %near.wide
  %none = fcmp oeq double %gap, 0.000000e+00
  %total = select i1 %none, double %rest, double %gap
  %r = call float @"asm:up.f32"(float %near, double %total)
  ret float %r
}

; Round a double with a rest to a float.
define float @"asm:round.inward.f32"(double %a, double %rest) {
  %near = fptrunc double %a to float
  %near.wide = fpext float %near to double
  %gap = fsub double %a, %near.wide
  %none = fcmp oeq double %gap, 0.000000e+00
  %total = select i1 %none, double %rest, double %gap
  %r = call float @"asm:inward.f32"(float %near, double %total)
  ret float %r
}

; Return what a rounded sum lost, exactly. See: D. Knuth, The Art of Computer Programming, 4.2.2, Theorem B.
define double @"asm:sum.rest.f64"(double %a, double %b, double %sum) {
  %b.part = fsub double %sum, %a
  %a.part = fsub double %sum, %b.part
  %a.lost = fsub double %a, %a.part
  %b.lost = fsub double %b, %b.part
  %r = fadd double %a.lost, %b.lost
  ret double %r
}

; Return what a rounded product of numbers between 2^-400 and 2^400 lost, exactly. See: T. Dekker, A floating-point
; technique for extending the available precision, 1971.
define double @"asm:product.rest.f64"(double %a, double %b, double %product) {
  %a.scaled = fmul double %a, 0x41A0000002000000
  %a.rest = fsub double %a.scaled, %a
  %a.high = fsub double %a.scaled, %a.rest
  %a.low = fsub double %a, %a.high
  %b.scaled = fmul double %b, 0x41A0000002000000
  %b.rest = fsub double %b.scaled, %b
  %b.high = fsub double %b.scaled, %b.rest
  %b.low = fsub double %b, %b.high
  %high = fmul double %a.high, %b.high
  %first = fsub double %high, %product
  %cross = fmul double %a.high, %b.low
  %second = fadd double %first, %cross
  %cross2 = fmul double %a.low, %b.high
  %third = fadd double %second, %cross2
  %low = fmul double %a.low, %b.low
  %r = fadd double %third, %low
  ret double %r
}

; Return the exponent of a finite number, of a subnormal one too; of 0 something that is less.
define i64 @"asm:exponent.f64"(double %a) {
  %size = call double @llvm.fabs.f64(double %a)
  %small = fcmp olt double %size, 0x10000000000000
  %scaled = fmul double %size, 0x4350000000000000
  %normal = select i1 %small, double %scaled, double %size
  %finite = fcmp olt double %normal, 0x7FF0000000000000
  %known = select i1 %finite, double %normal, double 1.000000e+00
  %bits = bitcast double %known to i64
  %field = lshr i64 %bits, 52
  %bias = select i1 %small, i64 1077, i64 1023
  %r = sub i64 %field, %bias
  ret i64 %r
}

; Return two to a power from -1022 to 1023.
define double @"asm:power.f64"(i64 %a) {
  %field = add i64 %a, 1023
  %bits = shl i64 %field, 52
  %r = bitcast i64 %bits to double
  ret double %r
}

; Return a number times a power of two from -2200 to 2200, where no step of it is inexact.
define double @"asm:scale.f64"(double %a, i64 %power) {
  %first = ashr i64 %power, 2
  %three = mul i64 %first, 3
  %last = sub i64 %power, %three
  %quarter = call double @"asm:power.f64"(i64 %first)
  %other = call double @"asm:power.f64"(i64 %last)
  %a1 = fmul double %a, %quarter
  %a2 = fmul double %a1, %quarter
  %a3 = fmul double %a2, %quarter
  %r = fmul double %a3, %other
  ret double %r
}

; Return a number with the sign of a * b + c - near, or 0 where that is exact or an operand is no finite number.
; All are scaled so that nothing is lost below or above. A term that is 2^110 times smaller than the others counts by its
; sign alone: so it stands as if it were that much smaller.
define double @"asm:rest.f64"(double %a, double %b, double %c, double %near) {
  %a.exponent = call i64 @"asm:exponent.f64"(double %a)
  %b.exponent = call i64 @"asm:exponent.f64"(double %b)
  %c.exponent = call i64 @"asm:exponent.f64"(double %c)
  %a.back = sub i64 0, %a.exponent
  %b.back = sub i64 0, %b.exponent
  %c.back = sub i64 0, %c.exponent
  %a.one = call double @"asm:scale.f64"(double %a, i64 %a.back)
  %b.one = call double @"asm:scale.f64"(double %b, i64 %b.back)
  %c.one = call double @"asm:scale.f64"(double %c, i64 %c.back)
  %product = fmul double %a.one, %b.one
  %exponent = add i64 %a.exponent, %b.exponent
  %difference = sub i64 %c.exponent, %exponent
  %least = call i64 @llvm.smax.i64(i64 %difference, i64 -110)
  %limited = call i64 @llvm.smin.i64(i64 %least, i64 110)
  %no.addend = fcmp oeq double %c, 0.000000e+00
  %no.product = fcmp oeq double %product, 0.000000e+00
  %without.c = select i1 %no.addend, i64 -110, i64 %limited
  %apart = select i1 %no.product, i64 110, i64 %without.c
  %unit.product = sub i64 %c.exponent, %apart
  %c.leads = icmp sgt i64 %apart, 109
  %unit = select i1 %c.leads, i64 %unit.product, i64 %exponent
  %back = sub i64 0, %unit
  %c.scaled = call double @"asm:scale.f64"(double %c.one, i64 %apart)
  %near.scaled = call double @"asm:scale.f64"(double %near, i64 %back)
  %product.rest = call double @"asm:product.rest.f64"(double %a.one, double %b.one, double %product)
  %sum = fadd double %product, %c.scaled
  %sum.rest = call double @"asm:sum.rest.f64"(double %product, double %c.scaled, double %sum)
  %gap = fsub double %sum, %near.scaled
  %rests = fadd double %sum.rest, %product.rest
  %rests.rest = call double @"asm:sum.rest.f64"(double %sum.rest, double %product.rest, double %rests)
  %total = fadd double %gap, %rests
  %none = fcmp oeq double %total, 0.000000e+00
  %rest = select i1 %none, double %rests.rest, double %total
  %a.nothing = fmul double %a, 0.000000e+00
  %b.nothing = fmul double %b, 0.000000e+00
  %c.nothing = fmul double %c, 0.000000e+00
  %two.nothing = fadd double %a.nothing, %b.nothing
  %nothing = fadd double %two.nothing, %c.nothing
  %finite = fcmp ord double %nothing, %nothing
  %r = select i1 %finite, double %rest, double 0.000000e+00
  ret double %r
}

; Return a number with the sign of a / b - near; of a quotient of finite numbers that overflowed too.
define double @"asm:quotient.rest.f64"(double %a, double %b, double %near) {
  %back = fneg double %near
  %left = call double @"asm:rest.f64"(double %back, double %b, double %a, double 0.000000e+00)
  %negative = fcmp olt double %b, 0.000000e+00
  %left.back = fneg double %left
  %plain = select i1 %negative, double %left.back, double %left
  %size = call double @llvm.fabs.f64(double %near)
  %infinite = fcmp oeq double %size, 0x7FF0000000000000
  %a.size = call double @llvm.fabs.f64(double %a)
  %a.finite = fcmp olt double %a.size, 0x7FF0000000000000
  %whole = fcmp one double %b, 0.000000e+00
  %known = and i1 %infinite, %a.finite
  %over = and i1 %known, %whole
  %r = select i1 %over, double %back, double %plain
  ret double %r
}

; Round a float to a half, up.
define half @"asm:cvt.rp.f.f.f16"(float %a) {
  %near = fptrunc float %a to half
  %wide = fpext half %near to float
  %gap = fsub float %a, %wide
  %above = fcmp ogt float %gap, 0.000000e+00
  %positive = fadd half %near, 0xH0000
  %base = select i1 %above, half %positive, half 0xH0000
  %bits = bitcast half %base to i16
  %negative = icmp slt i16 %bits, 0
  %step = select i1 %negative, i16 -1, i16 1
  %stepped = add i16 %bits, %step
  %next = bitcast i16 %stepped to half
  %r = select i1 %above, half %next, half %near
  ret half %r
}

; Round a float to a half, toward zero.
define half @"asm:cvt.rz.f.f.f16"(float %a) {
  %near = fptrunc float %a to half
  %wide = fpext half %near to float
  %size = call float @llvm.fabs.f32(float %wide)
  %a.size = call float @llvm.fabs.f32(float %a)
  %outward = fcmp ogt float %size, %a.size
  %base = select i1 %outward, half %near, half 0xH0000
  %bits = bitcast half %base to i16
  %step = zext i1 %outward to i16
  %stepped = sub i16 %bits, %step
  %next = bitcast i16 %stepped to half
  %r = select i1 %outward, half %next, half %near
  ret half %r
}

define half @"asm:cvt.rm.f.f.f16"(float %a) {
  %back = fneg float %a
  %up = call half @"asm:cvt.rp.f.f.f16"(float %back)
  %r = fneg half %up
  ret half %r
}

; Round a double to that type.
define half @"asm:cvt.rz.f.f.f16.f64"(double %a) {
  %single = call float @nvvm.d2f.rz(double %a)
  %r = call half @"asm:cvt.rz.f.f.f16"(float %single)
  ret half %r
}

define half @"asm:cvt.rm.f.f.f16.f64"(double %a) {
  %single = call float @nvvm.d2f.rm(double %a)
  %r = call half @"asm:cvt.rm.f.f.f16"(float %single)
  ret half %r
}

define half @"asm:cvt.rp.f.f.f16.f64"(double %a) {
  %single = call float @nvvm.d2f.rp(double %a)
  %r = call half @"asm:cvt.rp.f.f.f16"(float %single)
  ret half %r
}

; Round a float to a bfloat, up.
define bfloat @"asm:cvt.rp.f.f.bf16"(float %a) {
  %near = fptrunc float %a to bfloat
  %wide = fpext bfloat %near to float
  %gap = fsub float %a, %wide
  %above = fcmp ogt float %gap, 0.000000e+00
  %positive = fadd bfloat %near, 0xR0000
  %base = select i1 %above, bfloat %positive, bfloat 0xR0000
  %bits = bitcast bfloat %base to i16
  %negative = icmp slt i16 %bits, 0
  %step = select i1 %negative, i16 -1, i16 1
  %stepped = add i16 %bits, %step
  %next = bitcast i16 %stepped to bfloat
  %r = select i1 %above, bfloat %next, bfloat %near
  ret bfloat %r
}

; Round a float to a bfloat, toward zero.
define bfloat @"asm:cvt.rz.f.f.bf16"(float %a) {
  %near = fptrunc float %a to bfloat
  %wide = fpext bfloat %near to float
  %size = call float @llvm.fabs.f32(float %wide)
  %a.size = call float @llvm.fabs.f32(float %a)
  %outward = fcmp ogt float %size, %a.size
  %base = select i1 %outward, bfloat %near, bfloat 0xR0000
  %bits = bitcast bfloat %base to i16
  %step = zext i1 %outward to i16
  %stepped = sub i16 %bits, %step
  %next = bitcast i16 %stepped to bfloat
  %r = select i1 %outward, bfloat %next, bfloat %near
  ret bfloat %r
}

define bfloat @"asm:cvt.rm.f.f.bf16"(float %a) {
  %back = fneg float %a
  %up = call bfloat @"asm:cvt.rp.f.f.bf16"(float %back)
  %r = fneg bfloat %up
  ret bfloat %r
}

; Round a double to that type.
define bfloat @"asm:cvt.rz.f.f.bf16.f64"(double %a) {
  %single = call float @nvvm.d2f.rz(double %a)
  %r = call bfloat @"asm:cvt.rz.f.f.bf16"(float %single)
  ret bfloat %r
}

define bfloat @"asm:cvt.rm.f.f.bf16.f64"(double %a) {
  %single = call float @nvvm.d2f.rm(double %a)
  %r = call bfloat @"asm:cvt.rm.f.f.bf16"(float %single)
  ret bfloat %r
}

define bfloat @"asm:cvt.rp.f.f.bf16.f64"(double %a) {
  %single = call float @nvvm.d2f.rp(double %a)
  %r = call bfloat @"asm:cvt.rp.f.f.bf16"(float %single)
  ret bfloat %r
}

define float @"asm:cvt.rz.f.f.f32"(double %a) {
  %r = call float @nvvm.d2f.rz(double %a)
  ret float %r
}

define float @"asm:cvt.rm.f.f.f32"(double %a) {
  %r = call float @nvvm.d2f.rm(double %a)
  ret float %r
}

define float @"asm:cvt.rp.f.f.f32"(double %a) {
  %r = call float @nvvm.d2f.rp(double %a)
  ret float %r
}
