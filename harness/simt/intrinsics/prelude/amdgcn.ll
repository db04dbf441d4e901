; AMD's instructions that only compute.

define i32 @"asm:v_add3_u32"(i32 %a, i32 %b, i32 %c) {
  %sum = add i32 %a, %b
  %r = add i32 %sum, %c
  ret i32 %r
}

define i32 @"asm:v_bfe_u32"(i32 %a, i32 %start, i32 %count) {
  %first = and i32 %start, 31
  %length = and i32 %count, 31
  %moved = lshr i32 %a, %first
  %above = shl i32 -1, %length
  %ones = xor i32 %above, -1
  %r = and i32 %moved, %ones
  ret i32 %r
}
