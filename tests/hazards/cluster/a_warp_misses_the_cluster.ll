; One warp of block 1 ends without the barrier that the others pass.
; target: nvidia:sm_90
; launch: grid 2, block 64, cluster 2
; arguments: o:out:f32:128
; caught: cluster-protocol, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [32 x float] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = mul i32 %b, 64
  %i = add i32 %x, %t
  %w = sext i32 %i to i64
  %c = icmp slt i32 %i, 96
  br i1 %c, label %in, label %end
in:
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  br label %end
end:
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = mul i32 %b, 64
  %i = add i32 %x, %t
  %w = sext i32 %i to i64
  %c = icmp slt i32 %i, 128
  br i1 %c, label %in, label %end
in:
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  br label %end
end:
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.wait()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
