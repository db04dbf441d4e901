; On Apple a barrier with the flag of threadgroup memory does not order device memory.
; target: apple:apple-m4
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "air64-apple-macosx"

define  void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = sext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %w
  store i32 %t, ptr addrspace(1) %p, align 4
  call void @air.wg.barrier(i32 2, i32 1)
  %j = xor i32 %t, 32
  %x = sext i32 %j to i64
  %q = getelementptr i32, ptr addrspace(1) %o, i64 %x
  %v = load i32, ptr addrspace(1) %q, align 4
  ret void
}

define  void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = sext i32 %t to i64
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %w
  store i32 %t, ptr addrspace(1) %p, align 4
  call void @air.wg.barrier(i32 1, i32 1)
  %j = xor i32 %t, 32
  %x = sext i32 %j to i64
  %q = getelementptr i32, ptr addrspace(1) %o, i64 %x
  %v = load i32, ptr addrspace(1) %q, align 4
  ret void
}

declare void @air.wg.barrier(i32, i32)
declare i32 @air.thread_position_in_threadgroup.x()
