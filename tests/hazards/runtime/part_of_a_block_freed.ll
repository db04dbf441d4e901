; A block of the heap is freed by a pointer into it.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: heap, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %b = call ptr @malloc(i64 16)
  store i32 %t, ptr %b
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %b, i64 4
  call void @free(ptr %q)
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %b = call ptr @malloc(i64 16)
  store i32 %t, ptr %b
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %b, i64 0
  call void @free(ptr %q)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @__cxa_pure_virtual()
