; Two conversions and one argument.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: print, error

target triple = "nvptx64-nvidia-cuda"

@said = internal constant [7 x i8] c"%d %d\0A\00"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %a = alloca i32
  store i32 %t, ptr %a
  %n = call i32 @vprintf(ptr @said, ptr %a)
  store i32 %n, ptr %p
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %a = alloca [2 x i32]
  store i32 %t, ptr %a
  %a1 = getelementptr i32, ptr %a, i64 1
  store i32 7, ptr %a1
  %n = call i32 @vprintf(ptr @said, ptr %a)
  store i32 %n, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @__cxa_pure_virtual()
