; The last block is only half needed, and the kernel does not know.
; target: nvidia:sm_90
; launch: grid 2, block 32, cluster 1
; arguments: o:out:f32:48
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = mul i32 %b, 32
  %i = add i32 %x, %t
  %w = sext i32 %i to i64
  %c = icmp slt i32 %i, 64
  br i1 %c, label %in, label %end
in:
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = mul i32 %b, 32
  %i = add i32 %x, %t
  %w = sext i32 %i to i64
  %c = icmp slt i32 %i, 48
  br i1 %c, label %in, label %end
in:
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
