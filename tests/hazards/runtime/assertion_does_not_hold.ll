; The last thread finds an assertion that does not hold.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: trap, error

target triple = "nvptx64-nvidia-cuda"

@said = internal constant [7 x i8] c"n < 32\00"
@file = internal constant [8 x i8] c"sum.cu\00\00"
@name = internal constant [4 x i8] c"sum\00"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 1, ptr %p
  %c = icmp ult i32 %t, 31
  br i1 %c, label %right, label %wrong
wrong:
  call void @__assertfail(ptr @said, ptr @file, i32 12, ptr @name, i64 1)
  unreachable
right:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 1, ptr %p
  %c = icmp ult i32 %t, 32
  br i1 %c, label %right, label %wrong
wrong:
  call void @__assertfail(ptr @said, ptr @file, i32 12, ptr @name, i64 1)
  unreachable
right:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
declare void @__cxa_pure_virtual()
