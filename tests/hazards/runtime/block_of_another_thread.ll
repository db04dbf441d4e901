; Thread 0 allocates for all, which take the pointer from shared memory without a barrier.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: race, warning

target triple = "nvptx64-nvidia-cuda"

@of_caught = internal addrspace(3) global ptr undef
@of_clean = internal addrspace(3) global ptr undef

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %z = icmp eq i32 %t, 0
  br i1 %z, label %make, label %made
make:
  %b = call ptr @malloc(i64 128)
  store ptr %b, ptr addrspace(3) @of_caught
  br label %made
made:
  %c = load ptr, ptr addrspace(3) @of_caught
  %q = getelementptr i32, ptr %c, i64 %w
  store i32 %t, ptr %q
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %z = icmp eq i32 %t, 0
  br i1 %z, label %make, label %made
make:
  %b = call ptr @malloc(i64 128)
  store ptr %b, ptr addrspace(3) @of_clean
  br label %made
made:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = load ptr, ptr addrspace(3) @of_clean
  %q = getelementptr i32, ptr %c, i64 %w
  store i32 %t, ptr %q
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @__cxa_pure_virtual()
