; Threads add floats atomically in threadgroup memory; Metal does so only in device memory.
; target: apple:apple-m4
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: capability, error

target triple = "air64-apple-macosx"

@floats = internal addrspace(3) global [32 x float] undef
@integers = internal addrspace(3) global [32 x i32] undef

define void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  %q = getelementptr [32 x float], ptr addrspace(3) @floats, i32 0, i32 %t
  store float 0.0, ptr addrspace(3) %q
  %r = call float @air.atomic.local.add.f32(ptr addrspace(3) %q, float 1.0, i32 0, i32 1, i1 true)
  %v = load i32, ptr addrspace(3) %q
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  %q = getelementptr [32 x i32], ptr addrspace(3) @integers, i32 0, i32 %t
  store i32 0, ptr addrspace(3) %q
  %r = call i32 @air.atomic.local.add.s.i32(ptr addrspace(3) %q, i32 1, i32 0, i32 1, i1 true)
  %v = load i32, ptr addrspace(3) %q
  store i32 %v, ptr addrspace(1) %p
  ret void
}

declare i32 @air.thread_position_in_threadgroup.x()
declare float @air.atomic.local.add.f32(ptr addrspace(3), float, i32, i32, i1)
declare i32 @air.atomic.local.add.s.i32(ptr addrspace(3), i32, i32, i32, i1)
