; All writers write one value: those of them who read it see that value, another thread may come before them.
; target: nvidia:sm_90
; launch: grid 1, block 128, cluster 1
; arguments: a:inout:i32:1 o:inout:i32:128
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %a, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp ult i32 %t, 64
  br i1 %c, label %write, label %read
write:
  store i32 5, ptr %a, align 4
  br label %read
read:
  %v = load i32, ptr %a, align 4
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %a, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp ult i32 %t, 128
  br i1 %c, label %write, label %read
write:
  store i32 5, ptr %a, align 4
  br label %read
read:
  %v = load i32, ptr %a, align 4
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
