; Threads add to a 64-bit integer atomically; Metal has only `min` and `max` of that width.
; target: apple:apple-m4
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:i32:32
; caught: capability, error

target triple = "air64-apple-macosx"

define void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = zext i32 %t to i64
  %r = call i64 @air.atomic.global.add.s.i64(ptr addrspace(1) %o, i64 %w, i32 0, i32 2, i1 true)
  ret void
}

define void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %r = call i32 @air.atomic.global.add.s.i32(ptr addrspace(1) %o, i32 %t, i32 0, i32 2, i1 true)
  ret void
}

declare i32 @air.thread_position_in_threadgroup.x()
declare i64 @air.atomic.global.add.s.i64(ptr addrspace(1), i64, i32, i32, i1)
declare i32 @air.atomic.global.add.s.i32(ptr addrspace(1), i32, i32, i32, i1)
