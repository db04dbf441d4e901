; A warp synchronises with a mask of all its lanes, of which half have returned.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:f32:32
; caught: absent-lane, warning

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 16
  br i1 %c, label %in, label %end
in:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 16
  br i1 %c, label %in, label %end
in:
  call void @llvm.nvvm.bar.warp.sync(i32 65535)
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  br label %end
end:
  ret void
}

declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
