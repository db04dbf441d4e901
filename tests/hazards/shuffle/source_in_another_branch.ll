; Half of the warp exchanges with the half that is not there.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:i32:32
; caught: inactive-source, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp slt i32 %t, 16
  br i1 %c, label %in, label %end
in:
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 65535, i32 %t, i32 16, i32 31)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %s, ptr %p, align 4
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
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 65535, i32 %t, i32 8, i32 31)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %s, ptr %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
