; The first product adds to registers that nobody wrote; with the scale 0 it does not read them.
; target: nvidia:sm_90
; launch: grid 1, block 128, cluster 1
; arguments: o:inout:i32:128
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"

@tiles = internal addrspace(3) global [1152 x i16] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %w = getelementptr <8 x i16>, ptr addrspace(3) @tiles, i32 %t
  store <8 x i16> zeroinitializer, ptr addrspace(3) %w, align 16
  %small = icmp ult i32 %t, 16
  br i1 %small, label %more, label %filled
more:
  %n = add i32 %t, 128
  %u = getelementptr <8 x i16>, ptr addrspace(3) @tiles, i32 %n
  store <8 x i16> zeroinitializer, ptr addrspace(3) %u, align 16
  br label %filled
filled:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %b = ptrtoint ptr addrspace(3) @tiles to i64
  %s = lshr i64 %b, 4
  %a = or i64 %s, 34363932672
  %m = add i64 %s, 128
  %e = or i64 %m, 34360262656
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call { float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $10, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $8, $9, p, $11,  $12, $13,  $14;\0A}\0A", "=f,=f,=f,=f,0,1,2,3,l,l,n,n,n,n,n"(float undef, float undef, float undef, float undef, i64 %a, i64 %e, i32 1, i32 1, i32 1, i32 0, i32 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %v = extractvalue { float, float, float, float } %d, 0
  store float %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %w = getelementptr <8 x i16>, ptr addrspace(3) @tiles, i32 %t
  store <8 x i16> zeroinitializer, ptr addrspace(3) %w, align 16
  %small = icmp ult i32 %t, 16
  br i1 %small, label %more, label %filled
more:
  %n = add i32 %t, 128
  %u = getelementptr <8 x i16>, ptr addrspace(3) @tiles, i32 %n
  store <8 x i16> zeroinitializer, ptr addrspace(3) %u, align 16
  br label %filled
filled:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %b = ptrtoint ptr addrspace(3) @tiles to i64
  %s = lshr i64 %b, 4
  %a = or i64 %s, 34363932672
  %m = add i64 %s, 128
  %e = or i64 %m, 34360262656
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call { float, float, float, float } asm sideeffect "{\0A.reg .pred p;\0Asetp.ne.b32 p, $10, 0;\0Awgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, $8, $9, p, $11,  $12, $13,  $14;\0A}\0A", "=f,=f,=f,=f,0,1,2,3,l,l,n,n,n,n,n"(float undef, float undef, float undef, float undef, i64 %a, i64 %e, i32 0, i32 1, i32 1, i32 0, i32 0)
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
  %v = extractvalue { float, float, float, float } %d, 0
  store float %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
