; A descriptor promises more bytes than its array has.
; target: amd:gfx942
; launch: grid 1, block 64, cluster 1
; arguments: o:out:f32:64 a:in:f32:60
; caught: out-of-bounds, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %base = ptrtoint ptr %a to i64
  %low = trunc i64 %base to i32
  %up = lshr i64 %base, 32
  %high = trunc i64 %up to i32
  %d0 = insertelement <4 x i32> <i32 0, i32 0, i32 256, i32 0>, i32 %low, i64 0
  %d = insertelement <4 x i32> %d0, i32 %high, i64 1
  %at = mul i32 %t, 4
  %v = call float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32> %d, i32 %at, i32 0, i32 0)
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

define amdgpu_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %base = ptrtoint ptr %a to i64
  %low = trunc i64 %base to i32
  %up = lshr i64 %base, 32
  %high = trunc i64 %up to i32
  %d0 = insertelement <4 x i32> <i32 0, i32 0, i32 240, i32 0>, i32 %low, i64 0
  %d = insertelement <4 x i32> %d0, i32 %high, i64 1
  %at = mul i32 %t, 4
  %v = call float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32> %d, i32 %at, i32 0, i32 0)
  %p = getelementptr float, ptr %o, i64 %w
  store float %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32>, i32, i32, i32)
