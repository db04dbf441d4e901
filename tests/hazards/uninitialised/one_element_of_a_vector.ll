; One of a vector's two elements is set, and the other used.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca <2 x i32>, align 8
  %before = load <2 x i32>, ptr %l, align 8
  %set = insertelement <2 x i32> %before, i32 %t, i64 0
  store <2 x i32> %set, ptr %l, align 8
  %after = load <2 x i32>, ptr %l, align 8
  %v = extractelement <2 x i32> %after, i64 1
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %l = alloca <2 x i32>, align 8
  %before = load <2 x i32>, ptr %l, align 8
  %set = insertelement <2 x i32> %before, i32 %t, i64 0
  store <2 x i32> %set, ptr %l, align 8
  %after = load <2 x i32>, ptr %l, align 8
  %v = extractelement <2 x i32> %after, i64 0
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
