; A function calls itself once for each element, and one thread has too many of them.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: call, error

target triple = "nvptx64-nvidia-cuda"

define i32 @count(i32 %n) {
  %more = icmp sgt i32 %n, 0
  br i1 %more, label %again, label %end
again:
  %m = sub i32 %n, 1
  %below = call i32 @count(i32 %m)
  %r = add i32 %below, 1
  ret i32 %r
end:
  ret i32 0
}

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %n = mul i32 %t, 3
  %r = call i32 @count(i32 %n)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = zext i32 %t to i64
  %n = mul i32 %t, 2
  %r = call i32 @count(i32 %n)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %r, ptr %p
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
