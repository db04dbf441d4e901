; A local variable decides a branch before anything is stored in it.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i32, align 4
  %v = load i32, ptr %l, align 4
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %in, label %end
in:
  br label %end
end:
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca i32, align 4
  store i32 %t, ptr %l, align 4
  %v = load i32, ptr %l, align 4
  %c = icmp sgt i32 %v, 0
  br i1 %c, label %in, label %end
in:
  br label %end
end:
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
