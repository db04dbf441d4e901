; NVIDIA's instructions that LLVM has no intrinsic for, as assembly and intrinsics are lowered to them.
; See: https://docs.nvidia.com/cuda/parallel-thread-execution/

; Shifts by 32 bits; an amount that is larger than the type counts as its bits.
define i16 @"asm:shl.i16"(i16 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 15)
  %amount = trunc i32 %known to i16
  %moved = shl i16 %a, %amount
  %beyond = icmp ugt i32 %by, 15
  %r = select i1 %beyond, i16 0, i16 %moved
  ret i16 %r
}

define i16 @"asm:shr.u.i16"(i16 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 15)
  %amount = trunc i32 %known to i16
  %moved = lshr i16 %a, %amount
  %beyond = icmp ugt i32 %by, 15
  %r = select i1 %beyond, i16 0, i16 %moved
  ret i16 %r
}

define i16 @"asm:shr.s.i16"(i16 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 15)
  %amount = trunc i32 %known to i16
  %r = ashr i16 %a, %amount
  ret i16 %r
}

define i32 @"asm:shl.i32"(i32 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 31)
  %moved = shl i32 %a, %known
  %beyond = icmp ugt i32 %by, 31
  %r = select i1 %beyond, i32 0, i32 %moved
  ret i32 %r
}

define i32 @"asm:shr.u.i32"(i32 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 31)
  %moved = lshr i32 %a, %known
  %beyond = icmp ugt i32 %by, 31
  %r = select i1 %beyond, i32 0, i32 %moved
  ret i32 %r
}

define i32 @"asm:shr.s.i32"(i32 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 31)
  %r = ashr i32 %a, %known
  ret i32 %r
}

define i64 @"asm:shl.i64"(i64 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 63)
  %amount = zext i32 %known to i64
  %moved = shl i64 %a, %amount
  %beyond = icmp ugt i32 %by, 63
  %r = select i1 %beyond, i64 0, i64 %moved
  ret i64 %r
}

define i64 @"asm:shr.u.i64"(i64 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 63)
  %amount = zext i32 %known to i64
  %moved = lshr i64 %a, %amount
  %beyond = icmp ugt i32 %by, 63
  %r = select i1 %beyond, i64 0, i64 %moved
  ret i64 %r
}

define i64 @"asm:shr.s.i64"(i64 %a, i32 %by) {
  %known = call i32 @llvm.umin.i32(i32 %by, i32 63)
  %amount = zext i32 %known to i64
  %r = ashr i64 %a, %amount
  ret i64 %r
}

; Bit fields: a place and a count, of which the lowest 8 bits count.
define i32 @"asm:ones.i32"(i32 %start, i32 %length) {
  %first = and i32 %start, 255
  %count = and i32 %length, 255
  %above = call i32 @"asm:shl.i32"(i32 -1, i32 %count)
  %ones = xor i32 %above, -1
  %r = call i32 @"asm:shl.i32"(i32 %ones, i32 %first)
  ret i32 %r
}

define i32 @"asm:bfe.u.i32"(i32 %a, i32 %start, i32 %length) {
  %first = and i32 %start, 255
  %moved = call i32 @"asm:shr.u.i32"(i32 %a, i32 %first)
  %ones = call i32 @"asm:ones.i32"(i32 0, i32 %length)
  %r = and i32 %moved, %ones
  ret i32 %r
}

define i32 @"asm:bfe.s.i32"(i32 %a, i32 %start, i32 %length) {
  %first = and i32 %start, 255
  %count = and i32 %length, 255
  %last = add i32 %first, %count
  %end = call i32 @llvm.umin.i32(i32 %last, i32 32)
  %up = sub i32 32, %end
  %down = add i32 %up, %first
  %top = call i32 @"asm:shl.i32"(i32 %a, i32 %up)
  %field = call i32 @"asm:shr.s.i32"(i32 %top, i32 %down)
  %none = icmp eq i32 %count, 0
  %r = select i1 %none, i32 0, i32 %field
  ret i32 %r
}

define i32 @"asm:bfi.i32"(i32 %a, i32 %b, i32 %start, i32 %length) {
  %first = and i32 %start, 255
  %ones = call i32 @"asm:ones.i32"(i32 %start, i32 %length)
  %moved = call i32 @"asm:shl.i32"(i32 %a, i32 %first)
  %inside = and i32 %moved, %ones
  %others = xor i32 %ones, -1
  %outside = and i32 %b, %others
  %r = or i32 %inside, %outside
  ret i32 %r
}

define i32 @"asm:bfind.u.i32"(i32 %a) {
  %zeros = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %r = sub i32 31, %zeros
  ret i32 %r
}

define i32 @"asm:bfind.s.i32"(i32 %a) {
  %unlike = ashr i32 %a, 31
  %known = xor i32 %a, %unlike
  %zeros = call i32 @llvm.ctlz.i32(i32 %known, i1 false)
  %r = sub i32 31, %zeros
  ret i32 %r
}

define i64 @"asm:ones.i64"(i32 %start, i32 %length) {
  %first = and i32 %start, 255
  %count = and i32 %length, 255
  %above = call i64 @"asm:shl.i64"(i64 -1, i32 %count)
  %ones = xor i64 %above, -1
  %r = call i64 @"asm:shl.i64"(i64 %ones, i32 %first)
  ret i64 %r
}

define i64 @"asm:bfe.u.i64"(i64 %a, i32 %start, i32 %length) {
  %first = and i32 %start, 255
  %moved = call i64 @"asm:shr.u.i64"(i64 %a, i32 %first)
  %ones = call i64 @"asm:ones.i64"(i32 0, i32 %length)
  %r = and i64 %moved, %ones
  ret i64 %r
}

define i64 @"asm:bfe.s.i64"(i64 %a, i32 %start, i32 %length) {
  %first = and i32 %start, 255
  %count = and i32 %length, 255
  %last = add i32 %first, %count
  %end = call i32 @llvm.umin.i32(i32 %last, i32 64)
  %up = sub i32 64, %end
  %down = add i32 %up, %first
  %top = call i64 @"asm:shl.i64"(i64 %a, i32 %up)
  %field = call i64 @"asm:shr.s.i64"(i64 %top, i32 %down)
  %none = icmp eq i32 %count, 0
  %r = select i1 %none, i64 0, i64 %field
  ret i64 %r
}

define i64 @"asm:bfi.i64"(i64 %a, i64 %b, i32 %start, i32 %length) {
  %first = and i32 %start, 255
  %ones = call i64 @"asm:ones.i64"(i32 %start, i32 %length)
  %moved = call i64 @"asm:shl.i64"(i64 %a, i32 %first)
  %inside = and i64 %moved, %ones
  %others = xor i64 %ones, -1
  %outside = and i64 %b, %others
  %r = or i64 %inside, %outside
  ret i64 %r
}

define i32 @"asm:bfind.u.i64"(i64 %a) {
  %zeros = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  %zeros.word = trunc i64 %zeros to i32
  %r = sub i32 63, %zeros.word
  ret i32 %r
}

define i32 @"asm:bfind.s.i64"(i64 %a) {
  %unlike = ashr i64 %a, 63
  %known = xor i64 %a, %unlike
  %zeros = call i64 @llvm.ctlz.i64(i64 %known, i1 false)
  %zeros.word = trunc i64 %zeros to i32
  %r = sub i32 63, %zeros.word
  ret i32 %r
}

; Return the place of the set bit that is the count-th from a place on, up or down, or -1; of a count of 0 the place
; itself where its bit is set. The bit is looked for in halves: where the lower one has too few, it is in the upper one.
define i32 @"asm:fns"(i32 %a, i32 %base, i32 %count) {
  %down = icmp slt i32 %count, 0
  %only = icmp eq i32 %count, 0
  %turned = call i32 @llvm.bitreverse.i32(i32 %a)
  %base.turned = call i32 @llvm.usub.sat.i32(i32 31, i32 %base)
  %word = select i1 %down, i32 %turned, i32 %a
  %first = select i1 %down, i32 %base.turned, i32 %base
  %one = call i32 @"asm:shl.i32"(i32 1, i32 %base)
  %from = call i32 @"asm:shl.i32"(i32 -1, i32 %first)
  %mask = select i1 %only, i32 %one, i32 %from
  %bits = and i32 %word, %mask
  %size = call i32 @llvm.abs.i32(i32 %count, i1 false)
  %wanted32 = call i32 @llvm.umax.i32(i32 %size, i32 1)
  %lower16 = and i32 %bits, 65535
  %count16 = call i32 @llvm.ctpop.i32(i32 %lower16)
  %above16 = icmp ugt i32 %wanted32, %count16
  %left16 = sub i32 %wanted32, %count16
  %wanted16 = select i1 %above16, i32 %left16, i32 %wanted32
  %place16 = select i1 %above16, i32 16, i32 0
  %rest8 = lshr i32 %bits, %place16
  %lower8 = and i32 %rest8, 255
  %count8 = call i32 @llvm.ctpop.i32(i32 %lower8)
  %above8 = icmp ugt i32 %wanted16, %count8
  %left8 = sub i32 %wanted16, %count8
  %wanted8 = select i1 %above8, i32 %left8, i32 %wanted16
  %upper8 = add i32 %place16, 8
  %place8 = select i1 %above8, i32 %upper8, i32 %place16
  %rest4 = lshr i32 %bits, %place8
  %lower4 = and i32 %rest4, 15
  %count4 = call i32 @llvm.ctpop.i32(i32 %lower4)
  %above4 = icmp ugt i32 %wanted8, %count4
  %left4 = sub i32 %wanted8, %count4
  %wanted4 = select i1 %above4, i32 %left4, i32 %wanted8
  %upper4 = add i32 %place8, 4
  %place4 = select i1 %above4, i32 %upper4, i32 %place8
  %rest2 = lshr i32 %bits, %place4
  %lower2 = and i32 %rest2, 3
  %count2 = call i32 @llvm.ctpop.i32(i32 %lower2)
  %above2 = icmp ugt i32 %wanted4, %count2
  %left2 = sub i32 %wanted4, %count2
  %wanted2 = select i1 %above2, i32 %left2, i32 %wanted4
  %upper2 = add i32 %place4, 2
  %place2 = select i1 %above2, i32 %upper2, i32 %place4
  %rest1 = lshr i32 %bits, %place2
  %lower1 = and i32 %rest1, 1
  %count1 = call i32 @llvm.ctpop.i32(i32 %lower1)
  %above1 = icmp ugt i32 %wanted2, %count1
  %left1 = sub i32 %wanted2, %count1
  %wanted1 = select i1 %above1, i32 %left1, i32 %wanted2
  %upper1 = add i32 %place2, 1
  %place1 = select i1 %above1, i32 %upper1, i32 %place2
  %total = call i32 @llvm.ctpop.i32(i32 %bits)
  %none = icmp ugt i32 %wanted32, %total
  %back = sub i32 31, %place1
  %place = select i1 %down, i32 %back, i32 %place1
  %r = select i1 %none, i32 -1, i32 %place
  ret i32 %r
}

; A float with ten bits of its fraction, rounded to the nearest: halves to the even one, or away from zero.
define i32 @"asm:cvt.rn.tf32"(float %a) {
  %bits = bitcast float %a to i32
  %last = lshr i32 %bits, 13
  %odd = and i32 %last, 1
  %half = add i32 %odd, 4095
  %up = add i32 %bits, %half
  %near = and i32 %up, -8192
  %size = call float @llvm.fabs.f32(float %a)
  %finite = fcmp olt float %size, 0x7FF0000000000000
  %r = select i1 %finite, i32 %near, i32 %bits
  ret i32 %r
}

define i32 @"asm:cvt.rna.tf32"(float %a) {
  %bits = bitcast float %a to i32
  %up = add i32 %bits, 4096
  %near = and i32 %up, -8192
  %size = call float @llvm.fabs.f32(float %a)
  %finite = fcmp olt float %size, 0x7FF0000000000000
  %r = select i1 %finite, i32 %near, i32 %bits
  ret i32 %r
}

; Two floats of 8 bits as halves.
define i32 @"asm:cvt.rn.f16x2.e5m2x2"(i16 %a) {
  %bytes = bitcast i16 %a to <2 x i8>
  %size = and <2 x i8> %bytes, splat (i8 127)
  %none = icmp ugt <2 x i8> %size, splat (i8 124)
  %sign = and <2 x i8> %bytes, splat (i8 -128)
  %nan = or <2 x i8> %sign, splat (i8 126)
  %high = select <2 x i1> %none, <2 x i8> %nan, <2 x i8> %bytes
  %wide = zext <2 x i8> %high to <2 x i16>
  %halves = shl <2 x i16> %wide, splat (i16 8)
  %r = bitcast <2 x i16> %halves to i32
  ret i32 %r
}

define i32 @"asm:cvt.rn.f16x2.e4m3x2"(i16 %a) {
  %bytes = bitcast i16 %a to <2 x i8>
  %wide = zext <2 x i8> %bytes to <2 x i16>
  %size = and <2 x i16> %wide, splat (i16 127)
  %fraction = shl <2 x i16> %size, splat (i16 7)
  %small = bitcast <2 x i16> %fraction to <2 x half>
  %scaled = fmul <2 x half> %small, splat (half 0xH5C00)
  %bits = bitcast <2 x half> %scaled to <2 x i16>
  %none = icmp eq <2 x i16> %size, splat (i16 127)
  %known = select <2 x i1> %none, <2 x i16> splat (i16 32256), <2 x i16> %bits
  %sign = and <2 x i16> %wide, splat (i16 128)
  %sign.bit = shl <2 x i16> %sign, splat (i16 8)
  %halves = or <2 x i16> %known, %sign.bit
  %r = bitcast <2 x i16> %halves to i32
  ret i32 %r
}

; A float with 8 bits, the nearest, or the largest in place of what is larger.
define i8 @"asm:nearest.e4m3"(float %a) {
  %number = fcmp ord float %a, %a
  %size = call float @llvm.fabs.f32(float %a)
  %within = fcmp olt float %size, 0x407C000000000000
  %limited = select i1 %within, float %size, float 0x407C000000000000
  %units = fmul float %limited, 0x4080000000000000
  %subnormal = fcmp olt float %limited, 0x3F90000000000000
  %few = select i1 %subnormal, float %units, float 0.000000e+00
  %whole = call float @llvm.rint.f32(float %few)
  %small = fptoui float %whole to i32
  %bits = bitcast float %limited to i32
  %last = lshr i32 %bits, 20
  %odd = and i32 %last, 1
  %half = add i32 %odd, 524287
  %up = add i32 %bits, %half
  %cut = lshr i32 %up, 20
  %normal = sub i32 %cut, 960
  %code = select i1 %subnormal, i32 %small, i32 %normal
  %one = call float @llvm.copysign.f32(float 1.000000e+00, float %a)
  %negative = fcmp olt float %one, 0.000000e+00
  %sign = select i1 %negative, i32 128, i32 0
  %signed = or i32 %code, %sign
  %known = select i1 %number, i32 %signed, i32 127
  %r = trunc i32 %known to i8
  ret i8 %r
}

define i16 @"asm:cvt.rn.satfinite.e4m3x2.f32"(float %high, float %low) {
  %upper = call i8 @"asm:nearest.e4m3"(float %high)
  %lower = call i8 @"asm:nearest.e4m3"(float %low)
  %first = insertelement <2 x i8> poison, i8 %lower, i32 0
  %both = insertelement <2 x i8> %first, i8 %upper, i32 1
  %r = bitcast <2 x i8> %both to i16
  ret i16 %r
}

define i8 @"asm:nearest.e5m2"(float %a) {
  %number = fcmp ord float %a, %a
  %size = call float @llvm.fabs.f32(float %a)
  %within = fcmp olt float %size, 0x40EC000000000000
  %limited = select i1 %within, float %size, float 0x40EC000000000000
  %units = fmul float %limited, 0x40F0000000000000
  %subnormal = fcmp olt float %limited, 0x3F10000000000000
  %few = select i1 %subnormal, float %units, float 0.000000e+00
  %whole = call float @llvm.rint.f32(float %few)
  %small = fptoui float %whole to i32
  %bits = bitcast float %limited to i32
  %last = lshr i32 %bits, 21
  %odd = and i32 %last, 1
  %half = add i32 %odd, 1048575
  %up = add i32 %bits, %half
  %cut = lshr i32 %up, 21
  %normal = sub i32 %cut, 448
  %code = select i1 %subnormal, i32 %small, i32 %normal
  %one = call float @llvm.copysign.f32(float 1.000000e+00, float %a)
  %negative = fcmp olt float %one, 0.000000e+00
  %sign = select i1 %negative, i32 128, i32 0
  %signed = or i32 %code, %sign
  %known = select i1 %number, i32 %signed, i32 127
  %r = trunc i32 %known to i8
  ret i8 %r
}

define i16 @"asm:cvt.rn.satfinite.e5m2x2.f32"(float %high, float %low) {
  %upper = call i8 @"asm:nearest.e5m2"(float %high)
  %lower = call i8 @"asm:nearest.e5m2"(float %low)
  %first = insertelement <2 x i8> poison, i8 %lower, i32 0
  %both = insertelement <2 x i8> %first, i8 %upper, i32 1
  %r = bitcast <2 x i8> %both to i16
  ret i16 %r
}
