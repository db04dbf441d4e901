; The next copy to shared memory begins before the other wave has read what the last one brought.
; target: amd:gfx942
; launch: grid 1, block 128, cluster 1
; arguments: o:out:f32:128 a:in:f32:192
; caught: race, error

target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [128 x float] undef, align 16

define amdgpu_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %base = ptrtoint ptr %a to i64
  %low = trunc i64 %base to i32
  %up = lshr i64 %base, 32
  %high = trunc i64 %up to i32
  %d0 = insertelement <4 x i32> <i32 0, i32 0, i32 1024, i32 0>, i32 %low, i64 0
  %d = insertelement <4 x i32> %d0, i32 %high, i64 1
  %i128 = bitcast <4 x i32> %d to i128
  %r = inttoptr i128 %i128 to ptr addrspace(8)
  %at = mul i32 %t, 4
  %wave = lshr i64 %w, 6
  %k = mul i64 %wave, 64
  %place = getelementptr [128 x float], ptr addrspace(3) @tile, i64 0, i64 %k
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %place, i32 4, i32 %at, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.s.waitcnt(i32 3952)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %x = xor i64 %w, 64
  %s = getelementptr [128 x float], ptr addrspace(3) @tile, i64 0, i64 %x
  %v = load float, ptr addrspace(3) %s, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %place, i32 4, i32 %at, i32 256, i32 0, i32 0)
  call void @llvm.amdgcn.s.waitcnt(i32 3952)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

define amdgpu_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %base = ptrtoint ptr %a to i64
  %low = trunc i64 %base to i32
  %up = lshr i64 %base, 32
  %high = trunc i64 %up to i32
  %d0 = insertelement <4 x i32> <i32 0, i32 0, i32 1024, i32 0>, i32 %low, i64 0
  %d = insertelement <4 x i32> %d0, i32 %high, i64 1
  %i128 = bitcast <4 x i32> %d to i128
  %r = inttoptr i128 %i128 to ptr addrspace(8)
  %at = mul i32 %t, 4
  %wave = lshr i64 %w, 6
  %k = mul i64 %wave, 64
  %place = getelementptr [128 x float], ptr addrspace(3) @tile, i64 0, i64 %k
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %place, i32 4, i32 %at, i32 0, i32 0, i32 0)
  call void @llvm.amdgcn.s.waitcnt(i32 3952)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %x = xor i64 %w, 64
  %s = getelementptr [128 x float], ptr addrspace(3) @tile, i64 0, i64 %x
  %v = load float, ptr addrspace(3) %s, align 4
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  call void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8) %r, ptr addrspace(3) %place, i32 4, i32 %at, i32 256, i32 0, i32 0)
  call void @llvm.amdgcn.s.waitcnt(i32 3952)
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.raw.ptr.buffer.load.lds(ptr addrspace(8), ptr addrspace(3), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.s.waitcnt(i32)
declare void @llvm.amdgcn.s.barrier()
