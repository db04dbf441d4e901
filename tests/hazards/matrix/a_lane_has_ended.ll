; One lane of the warp ends before the product: its part of the matrices lacks.
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
  %c = icmp ult i32 %t, 31
  br i1 %c, label %go, label %end
go:
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, float 0.0, float 0.0, float 0.0, float 0.0)
  %v = extractvalue { float, float, float, float } %d, 0
  store float %v, ptr %p, align 4
  ret void
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %x = bitcast float 1.0 to i32
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, i32 %x, float 0.0, float 0.0, float 0.0, float 0.0)
  %c = icmp ult i32 %t, 31
  br i1 %c, label %go, label %end
go:
  %v = extractvalue { float, float, float, float } %d, 0
  store float %v, ptr %p, align 4
  ret void
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32, i32, i32, i32, i32, i32, float, float, float, float)
