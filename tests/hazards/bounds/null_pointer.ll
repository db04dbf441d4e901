; One thread follows a pointer that is null.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32 a:in:f32:32
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp eq i32 %t, 7
  %s = select i1 %c, ptr null, ptr %a
  %v = load float, ptr %s, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp eq i32 %t, 99
  %s = select i1 %c, ptr null, ptr %a
  %v = load float, ptr %s, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
