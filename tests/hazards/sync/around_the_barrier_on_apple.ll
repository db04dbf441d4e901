; Half of the threads go around a barrier, do what comes behind it, and end.
; target: apple:apple-m4
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:f32:32
; caught: missed-barrier, error

target triple = "air64-apple-macosx"

define void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 16
  br i1 %c, label %in, label %end
in:
  call void @air.wg.barrier(i32 1, i32 1)
  br label %end
end:
  %p = getelementptr float, ptr addrspace(1) %o, i64 %w
  store float 1.0, ptr addrspace(1) %p, align 4
  ret void
}

define void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 32
  br i1 %c, label %in, label %end
in:
  call void @air.wg.barrier(i32 1, i32 1)
  br label %end
end:
  %p = getelementptr float, ptr addrspace(1) %o, i64 %w
  store float 1.0, ptr addrspace(1) %p, align 4
  ret void
}

declare void @air.wg.barrier(i32, i32)
declare i32 @air.thread_position_in_threadgroup.x()
