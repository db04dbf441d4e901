; What a neighbour never set arrives by shuffle and is stored.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i32, align 4
  %c = icmp slt i32 %t, 31
  br i1 %c, label %in, label %end
in:
  store i32 %t, ptr %l, align 4
  br label %end
end:
  %v = load i32, ptr %l, align 4
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %s, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i32, align 4
  %c = icmp slt i32 %t, 32
  br i1 %c, label %in, label %end
in:
  store i32 %t, ptr %l, align 4
  br label %end
end:
  %v = load i32, ptr %l, align 4
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %s, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
