; Thread 0 frees its block of the heap twice.
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
  call void @free(ptr %b)
  %z = icmp eq i32 %t, 0
  %again = select i1 %z, ptr %b, ptr null
  call void @free(ptr %again)
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %b = call ptr @malloc(i64 16)
  store i32 %t, ptr %b
  store i32 1, ptr %p
  %z = icmp eq i32 %t, 0
  %some = select i1 %z, ptr %b, ptr null
  %other = select i1 %z, ptr null, ptr %b
  call void @free(ptr %some)
  call void @free(ptr %other)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @__cxa_pure_virtual()
