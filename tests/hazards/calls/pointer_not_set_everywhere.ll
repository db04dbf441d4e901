; A pointer to a function is set in some threads only.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: call, error

target triple = "nvptx64-nvidia-cuda"

define i32 @double(i32 %a) {
  %r = shl i32 %a, 1
  ret i32 %r
}

define i32 @negate(i32 %a) {
  %r = sub i32 0, %a
  ret i32 %r
}

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %l = alloca ptr
  %even = icmp ult i32 %t, 30
  br i1 %even, label %choose, label %go
choose:
  store ptr @double, ptr %l
  br label %go
go:
  %f = load ptr, ptr %l
  %r = call i32 %f(i32 %t)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %l = alloca ptr
  %even = icmp ult i32 %t, 32
  br i1 %even, label %choose, label %go
choose:
  store ptr @double, ptr %l
  br label %go
go:
  %f = load ptr, ptr %l
  %r = call i32 %f(i32 %t)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
