; Each branch has a product of its own, with half of the warp.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:i32:32
; caught: fragment-missing, error

target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x i16] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %x = bitcast float 1.0 to i32
  %c = icmp ult i32 %t, 16
  br i1 %c, label %low, label %high
low:
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, float 0.0, float 0.0, float 0.0, float 0.0)
  br label %on
high:
  %e = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, float 0.0, float 0.0, float 0.0, float 0.0)
  br label %on
on:
  %f = phi { float, float, float, float } [ %d, %low ], [ %e, %high ]
  %v = extractvalue { float, float, float, float } %f, 0
  store float %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %c = icmp ult i32 %t, 16
  br i1 %c, label %low, label %high
low:
  %a = bitcast float 1.0 to i32
  br label %on
high:
  %b = bitcast float 2.0 to i32
  br label %on
on:
  %x = phi i32 [ %a, %low ], [ %b, %high ]
  %f = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, float 0.0, float 0.0, float 0.0, float 0.0)
  %v = extractvalue { float, float, float, float } %f, 0
  store float %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32, i32, i32, i32, i32, i32, float, float, float, float)
