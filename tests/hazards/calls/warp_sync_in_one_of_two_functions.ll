; Threads of a warp call functions of a table; only one of the two synchronises the warp.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: race, warning

target triple = "nvptx64-nvidia-cuda"

@s = addrspace(3) global [32 x i32] undef
@table_of_caught = addrspace(4) constant [2 x ptr] [ptr @keep, ptr @keep_and_wait]
@table_of_clean = addrspace(4) constant [2 x ptr] [ptr @keep_and_wait, ptr @keep_and_wait]

define void @keep(i32 %t) {
  %w = zext i32 %t to i64
  %p = getelementptr [32 x i32], ptr addrspace(3) @s, i64 0, i64 %w
  store i32 %t, ptr addrspace(3) %p
  ret void
}

define void @keep_and_wait(i32 %t) {
  call void @keep(i32 %t)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  ret void
}

declare void @llvm.nvvm.bar.warp.sync(i32)

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %k = and i64 %w, 1
  %at = getelementptr [2 x ptr], ptr addrspace(4) @table_of_caught, i64 0, i64 %k
  %f = load ptr, ptr addrspace(4) %at
  call void %f(i32 %t)
  %other = xor i64 %w, 1
  %q = getelementptr [32 x i32], ptr addrspace(3) @s, i64 0, i64 %other
  %r = load i32, ptr addrspace(3) %q
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %k = and i64 %w, 1
  %at = getelementptr [2 x ptr], ptr addrspace(4) @table_of_clean, i64 0, i64 %k
  %f = load ptr, ptr addrspace(4) %at
  call void %f(i32 %t)
  %other = xor i64 %w, 1
  %q = getelementptr [32 x i32], ptr addrspace(3) @s, i64 0, i64 %other
  %r = load i32, ptr addrspace(3) %q
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
