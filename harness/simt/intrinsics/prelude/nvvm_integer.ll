; NVIDIA's integer instructions: upper halves of products, sums of differences, products of 24 bits, dot products.
; See: https://docs.nvidia.com/cuda/parallel-thread-execution/#integer-arithmetic-instructions

define i16 @nvvm.mulhi.s(i16 %a, i16 %b) {
  %x = sext i16 %a to i32
  %y = sext i16 %b to i32
  %product = mul i32 %x, %y
  %high = lshr i32 %product, 16
  %r = trunc i32 %high to i16
  ret i16 %r
}

define i16 @nvvm.mulhi.us(i16 %a, i16 %b) {
  %x = zext i16 %a to i32
  %y = zext i16 %b to i32
  %product = mul i32 %x, %y
  %high = lshr i32 %product, 16
  %r = trunc i32 %high to i16
  ret i16 %r
}

define i32 @nvvm.mulhi.i(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %product = mul i64 %x, %y
  %high = lshr i64 %product, 32
  %r = trunc i64 %high to i32
  ret i32 %r
}

define i32 @nvvm.mulhi.ui(i32 %a, i32 %b) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %product = mul i64 %x, %y
  %high = lshr i64 %product, 32
  %r = trunc i64 %high to i32
  ret i32 %r
}

; By halves of 32 bits, as on paper.
define i64 @nvvm.mulhi.ull(i64 %a, i64 %b) {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carry = lshr i64 %p00, 32
  %middle = add i64 %p10, %carry
  %middle0 = and i64 %middle, 4294967295
  %middle1 = lshr i64 %middle, 32
  %second = add i64 %p01, %middle0
  %second1 = lshr i64 %second, 32
  %upper = add i64 %p11, %middle1
  %r = add i64 %upper, %second1
  ret i64 %r
}

define i64 @nvvm.mulhi.ll(i64 %a, i64 %b) {
  %upper = call i64 @nvvm.mulhi.ull(i64 %a, i64 %b)
  %a.sign = ashr i64 %a, 63
  %b.sign = ashr i64 %b, 63
  %a.part = and i64 %a.sign, %b
  %b.part = and i64 %b.sign, %a
  %rest = sub i64 %upper, %a.part
  %r = sub i64 %rest, %b.part
  ret i64 %r
}

define i16 @nvvm.sad.s(i16 %a, i16 %b, i16 %c) {
  %larger = icmp sgt i16 %a, %b
  %down = sub i16 %a, %b
  %up = sub i16 %b, %a
  %distance = select i1 %larger, i16 %down, i16 %up
  %r = add i16 %distance, %c
  ret i16 %r
}

define i16 @nvvm.sad.us(i16 %a, i16 %b, i16 %c) {
  %larger = icmp ugt i16 %a, %b
  %down = sub i16 %a, %b
  %up = sub i16 %b, %a
  %distance = select i1 %larger, i16 %down, i16 %up
  %r = add i16 %distance, %c
  ret i16 %r
}

define i32 @nvvm.sad.i(i32 %a, i32 %b, i32 %c) {
  %larger = icmp sgt i32 %a, %b
  %down = sub i32 %a, %b
  %up = sub i32 %b, %a
  %distance = select i1 %larger, i32 %down, i32 %up
  %r = add i32 %distance, %c
  ret i32 %r
}

define i32 @nvvm.sad.ui(i32 %a, i32 %b, i32 %c) {
  %larger = icmp ugt i32 %a, %b
  %down = sub i32 %a, %b
  %up = sub i32 %b, %a
  %distance = select i1 %larger, i32 %down, i32 %up
  %r = add i32 %distance, %c
  ret i32 %r
}

define i64 @nvvm.sad.ll(i64 %a, i64 %b, i64 %c) {
  %larger = icmp sgt i64 %a, %b
  %down = sub i64 %a, %b
  %up = sub i64 %b, %a
  %distance = select i1 %larger, i64 %down, i64 %up
  %r = add i64 %distance, %c
  ret i64 %r
}

define i64 @nvvm.sad.ull(i64 %a, i64 %b, i64 %c) {
  %larger = icmp ugt i64 %a, %b
  %down = sub i64 %a, %b
  %up = sub i64 %b, %a
  %distance = select i1 %larger, i64 %down, i64 %up
  %r = add i64 %distance, %c
  ret i64 %r
}

define i32 @nvvm.mul24.i(i32 %a, i32 %b) {
  %a.top = shl i32 %a, 8
  %x = ashr i32 %a.top, 8
  %b.top = shl i32 %b, 8
  %y = ashr i32 %b.top, 8
  %r = mul i32 %x, %y
  ret i32 %r
}

define i32 @nvvm.mul24.ui(i32 %a, i32 %b) {
  %a.top = shl i32 %a, 8
  %x = lshr i32 %a.top, 8
  %b.top = shl i32 %b, 8
  %y = lshr i32 %b.top, 8
  %r = mul i32 %x, %y
  ret i32 %r
}

define i32 @"asm:mul24.hi.i"(i32 %a, i32 %b) {
  %a.top = shl i32 %a, 8
  %x = ashr i32 %a.top, 8
  %b.top = shl i32 %b, 8
  %y = ashr i32 %b.top, 8
  %x.wide = sext i32 %x to i64
  %y.wide = sext i32 %y to i64
  %product = mul i64 %x.wide, %y.wide
  %high = lshr i64 %product, 16
  %r = trunc i64 %high to i32
  ret i32 %r
}

define i32 @"asm:mul24.hi.ui"(i32 %a, i32 %b) {
  %a.top = shl i32 %a, 8
  %x = lshr i32 %a.top, 8
  %b.top = shl i32 %b, 8
  %y = lshr i32 %b.top, 8
  %x.wide = zext i32 %x to i64
  %y.wide = zext i32 %y to i64
  %product = mul i64 %x.wide, %y.wide
  %high = lshr i64 %product, 16
  %r = trunc i64 %high to i32
  ret i32 %r
}

define i32 @nvvm.idp4a.s.s(i32 %a, i32 %b, i32 %c) {
  %a.bytes = bitcast i32 %a to <4 x i8>
  %b.bytes = bitcast i32 %b to <4 x i8>
  %x = sext <4 x i8> %a.bytes to <4 x i32>
  %y = sext <4 x i8> %b.bytes to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %products)
  %r = add i32 %sum, %c
  ret i32 %r
}

define i32 @nvvm.idp2a.s.s(i32 %a, i32 %b, i1 %upper, i32 %c) {
  %high = lshr i32 %b, 16
  %half = select i1 %upper, i32 %high, i32 %b
  %a.halves = bitcast i32 %a to <2 x i16>
  %b.bytes = bitcast i32 %half to <4 x i8>
  %b.two = shufflevector <4 x i8> %b.bytes, <4 x i8> poison, <2 x i32> <i32 0, i32 1>
  %x = sext <2 x i16> %a.halves to <2 x i32>
  %y = sext <2 x i8> %b.two to <2 x i32>
  %products = mul <2 x i32> %x, %y
  %sum = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %products)
  %r = add i32 %sum, %c
  ret i32 %r
}

define i32 @nvvm.idp4a.s.u(i32 %a, i32 %b, i32 %c) {
  %a.bytes = bitcast i32 %a to <4 x i8>
  %b.bytes = bitcast i32 %b to <4 x i8>
  %x = sext <4 x i8> %a.bytes to <4 x i32>
  %y = zext <4 x i8> %b.bytes to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %products)
  %r = add i32 %sum, %c
  ret i32 %r
}

define i32 @nvvm.idp2a.s.u(i32 %a, i32 %b, i1 %upper, i32 %c) {
  %high = lshr i32 %b, 16
  %half = select i1 %upper, i32 %high, i32 %b
  %a.halves = bitcast i32 %a to <2 x i16>
  %b.bytes = bitcast i32 %half to <4 x i8>
  %b.two = shufflevector <4 x i8> %b.bytes, <4 x i8> poison, <2 x i32> <i32 0, i32 1>
  %x = sext <2 x i16> %a.halves to <2 x i32>
  %y = zext <2 x i8> %b.two to <2 x i32>
  %products = mul <2 x i32> %x, %y
  %sum = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %products)
  %r = add i32 %sum, %c
  ret i32 %r
}

define i32 @nvvm.idp4a.u.s(i32 %a, i32 %b, i32 %c) {
  %a.bytes = bitcast i32 %a to <4 x i8>
  %b.bytes = bitcast i32 %b to <4 x i8>
  %x = zext <4 x i8> %a.bytes to <4 x i32>
  %y = sext <4 x i8> %b.bytes to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %products)
  %r = add i32 %sum, %c
  ret i32 %r
}

define i32 @nvvm.idp2a.u.s(i32 %a, i32 %b, i1 %upper, i32 %c) {
  %high = lshr i32 %b, 16
  %half = select i1 %upper, i32 %high, i32 %b
  %a.halves = bitcast i32 %a to <2 x i16>
  %b.bytes = bitcast i32 %half to <4 x i8>
  %b.two = shufflevector <4 x i8> %b.bytes, <4 x i8> poison, <2 x i32> <i32 0, i32 1>
  %x = zext <2 x i16> %a.halves to <2 x i32>
  %y = sext <2 x i8> %b.two to <2 x i32>
  %products = mul <2 x i32> %x, %y
  %sum = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %products)
  %r = add i32 %sum, %c
  ret i32 %r
}

define i32 @nvvm.idp4a.u.u(i32 %a, i32 %b, i32 %c) {
  %a.bytes = bitcast i32 %a to <4 x i8>
  %b.bytes = bitcast i32 %b to <4 x i8>
  %x = zext <4 x i8> %a.bytes to <4 x i32>
  %y = zext <4 x i8> %b.bytes to <4 x i32>
  %products = mul <4 x i32> %x, %y
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %products)
  %r = add i32 %sum, %c
  ret i32 %r
}

define i32 @nvvm.idp2a.u.u(i32 %a, i32 %b, i1 %upper, i32 %c) {
  %high = lshr i32 %b, 16
  %half = select i1 %upper, i32 %high, i32 %b
  %a.halves = bitcast i32 %a to <2 x i16>
  %b.bytes = bitcast i32 %half to <4 x i8>
  %b.two = shufflevector <4 x i8> %b.bytes, <4 x i8> poison, <2 x i32> <i32 0, i32 1>
  %x = zext <2 x i16> %a.halves to <2 x i32>
  %y = zext <2 x i8> %b.two to <2 x i32>
  %products = mul <2 x i32> %x, %y
  %sum = call i32 @llvm.vector.reduce.add.v2i32(<2 x i32> %products)
  %r = add i32 %sum, %c
  ret i32 %r
}

; Return the arrivals that a phase of an mbarrier lacked when a token of it was given: its lowest 20 bits.
define i32 @nvvm.mbarrier.pending.count(i64 %token) {
  %pending = and i64 %token, 1048575
  %r = trunc i64 %pending to i32
  ret i32 %r
}

; Funnel shifts; an amount of 32 or more takes the whole other word.

define i32 @nvvm.fshl.clamp.i32(i32 %high, i32 %low, i32 %by) {
  %turned = call i32 @llvm.fshl.i32(i32 %high, i32 %low, i32 %by)
  %beyond = icmp ugt i32 %by, 31
  %r = select i1 %beyond, i32 %low, i32 %turned
  ret i32 %r
}

define i32 @nvvm.fshr.clamp.i32(i32 %high, i32 %low, i32 %by) {
  %turned = call i32 @llvm.fshr.i32(i32 %high, i32 %low, i32 %by)
  %beyond = icmp ugt i32 %by, 31
  %r = select i1 %beyond, i32 %high, i32 %turned
  ret i32 %r
}

; Masks of ones from a place up.

define i32 @nvvm.bmsk.clamp(i32 %start, i32 %count) {
  %above = call i32 @"asm:shl.i32"(i32 -1, i32 %count)
  %ones = xor i32 %above, -1
  %r = call i32 @"asm:shl.i32"(i32 %ones, i32 %start)
  ret i32 %r
}

define i32 @nvvm.bmsk.wrap(i32 %start, i32 %count) {
  %first = and i32 %start, 31
  %length = and i32 %count, 31
  %r = call i32 @nvvm.bmsk.clamp(i32 %first, i32 %length)
  ret i32 %r
}

; The lowest bits of a word, with zeros above.

define i32 @nvvm.zext.clamp(i32 %a, i32 %count) {
  %length = call i32 @llvm.umin.i32(i32 %count, i32 32)
  %r = call i32 @"asm:bfe.u.i32"(i32 %a, i32 0, i32 %length)
  ret i32 %r
}

define i32 @nvvm.zext.wrap(i32 %a, i32 %count) {
  %length = and i32 %count, 31
  %r = call i32 @nvvm.zext.clamp(i32 %a, i32 %length)
  ret i32 %r
}

; The same with their sign above.

define i32 @nvvm.sext.clamp(i32 %a, i32 %count) {
  %length = call i32 @llvm.umin.i32(i32 %count, i32 32)
  %r = call i32 @"asm:bfe.s.i32"(i32 %a, i32 0, i32 %length)
  ret i32 %r
}

define i32 @nvvm.sext.wrap(i32 %a, i32 %count) {
  %length = and i32 %count, 31
  %r = call i32 @nvvm.sext.clamp(i32 %a, i32 %length)
  ret i32 %r
}
