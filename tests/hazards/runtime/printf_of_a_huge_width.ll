; A number is printed in a field of a billion characters and a half.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: print, warning

target triple = "nvptx64-nvidia-cuda"

@of_caught = internal constant [13 x i8] c"%1500000000d\00"
@of_clean = internal constant [6 x i8] c"%150d\00"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %a = alloca i32
  store i32 %t, ptr %a
  %n = call i32 @vprintf(ptr @of_caught, ptr %a)
  store i32 %n, ptr %p
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  %a = alloca i32
  store i32 %t, ptr %a
  %n = call i32 @vprintf(ptr @of_clean, ptr %a)
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
