; A virtual function is called that its class only declares.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: trap, error

target triple = "nvptx64-nvidia-cuda"

@of_caught = addrspace(4) constant [2 x ptr] [ptr @whole, ptr @__cxa_pure_virtual]
@of_clean = addrspace(4) constant [3 x ptr] [ptr @whole, ptr @whole, ptr @__cxa_pure_virtual]

define void @whole() {
  ret void
}

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %k = and i64 %w, 1
  %at = getelementptr ptr, ptr addrspace(4) @of_caught, i64 %k
  %f = load ptr, ptr addrspace(4) %at
  call void %f()
  store i32 1, ptr %p
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %k = and i64 %w, 1
  %at = getelementptr ptr, ptr addrspace(4) @of_clean, i64 %k
  %f = load ptr, ptr addrspace(4) %at
  call void %f()
  store i32 1, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @__cxa_pure_virtual()
