; A SIMD-group synchronises when some of its lanes have returned.
; target: apple:apple-m4
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:f32:32
; caught: absent-lane, error

target triple = "air64-apple-macosx"

define void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 16
  br i1 %c, label %in, label %end
in:
  call void @air.simdgroup.barrier(i32 1, i32 4)
  %p = getelementptr float, ptr addrspace(1) %o, i64 %w
  store float 1.0, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

define void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 32
  br i1 %c, label %in, label %end
in:
  call void @air.simdgroup.barrier(i32 1, i32 4)
  %p = getelementptr float, ptr addrspace(1) %o, i64 %w
  store float 1.0, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

declare void @air.simdgroup.barrier(i32, i32)
declare i32 @air.thread_position_in_threadgroup.x()
