; On Apple a barrier with the flag of device memory does not order threadgroup memory.
; target: apple:apple-m4
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: race, error

target triple = "air64-apple-macosx"

@cells = internal addrspace(3) global [64 x i32] undef, align 16

define  void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %p, align 4
  call void @air.wg.barrier(i32 1, i32 1)
  %j = xor i32 %t, 32
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %q, align 4
  ret void
}

define  void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %p, align 4
  call void @air.wg.barrier(i32 3, i32 1)
  %j = xor i32 %t, 32
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %v = load i32, ptr addrspace(3) %q, align 4
  ret void
}

declare void @air.wg.barrier(i32, i32)
declare i32 @air.thread_position_in_threadgroup.x()
