; A table of functions holds one that takes a float.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: call, error

target triple = "nvptx64-nvidia-cuda"

@table_of_caught = addrspace(4) constant [3 x ptr] [ptr @double, ptr @negate, ptr @round]
@table_of_clean = addrspace(4) constant [3 x ptr] [ptr @double, ptr @negate, ptr @whole]

define i32 @double(i32 %a) {
  %r = shl i32 %a, 1
  ret i32 %r
}

define i32 @negate(i32 %a) {
  %r = sub i32 0, %a
  ret i32 %r
}

define i32 @round(float %a) {
  %r = fptosi float %a to i32
  ret i32 %r
}

define i32 @whole(i32 %a) {
  %f = sitofp i32 %a to float
  %r = call i32 @round(float %f)
  ret i32 %r
}

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %k = urem i64 %w, 3
  %at = getelementptr [3 x ptr], ptr addrspace(4) @table_of_caught, i64 0, i64 %k
  %f = load ptr, ptr addrspace(4) %at
  %r = call i32 %f(i32 %t)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %k = urem i64 %w, 3
  %at = getelementptr [3 x ptr], ptr addrspace(4) @table_of_clean, i64 0, i64 %k
  %f = load ptr, ptr addrspace(4) %at
  %r = call i32 %f(i32 %t)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
