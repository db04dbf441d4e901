; Threads return before a barrier: Metal does not say that it goes on without them.
; target: apple:apple-m4
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:f32:64
; caught: missed-barrier, error

target triple = "air64-apple-macosx"

define void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 32
  br i1 %c, label %in, label %end
in:
  call void @air.wg.barrier(i32 1, i32 1)
  %p = getelementptr float, ptr addrspace(1) %o, i64 %w
  store float 1.0, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

define void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 64
  br i1 %c, label %in, label %end
in:
  call void @air.wg.barrier(i32 1, i32 1)
  %p = getelementptr float, ptr addrspace(1) %o, i64 %w
  store float 1.0, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

declare void @air.wg.barrier(i32, i32)
declare i32 @air.thread_position_in_threadgroup.x()
