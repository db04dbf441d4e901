; Threads write the fifth word of a block of four.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %b = call ptr @malloc(i64 16)
  store i32 %t, ptr %b
  %q = getelementptr i32, ptr %b, i64 4
  store i32 1, ptr %q
  store i32 1, ptr %p
  call void @free(ptr %b)
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %b = call ptr @malloc(i64 16)
  store i32 %t, ptr %b
  %q = getelementptr i32, ptr %b, i64 3
  store i32 1, ptr %q
  store i32 1, ptr %p
  call void @free(ptr %b)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @__cxa_pure_virtual()
