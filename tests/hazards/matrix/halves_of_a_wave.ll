; Each lane of RDNA 3 loads a row of its own; the upper half must hold the rows of the lower one again.
; target: amd:gfx1100
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:256 a:in:i32:128
; caught: fragment, error

target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @caught(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %row = and i32 %t, 31
  %i = zext i32 %row to i64
  %q = getelementptr <4 x i32>, ptr %a, i64 %i
  %v = load <4 x i32>, ptr %q, align 4
  %d = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32(i1 true, <4 x i32> %v, i1 true, <4 x i32> %v, <8 x i32> zeroinitializer, i1 false)
  %p = getelementptr <8 x i32>, ptr %o, i64 %w
  store <8 x i32> %d, ptr %p, align 4
  ret void
}

define amdgpu_kernel void @clean(ptr %o, ptr %a) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %w = zext i32 %t to i64
  %row = and i32 %t, 15
  %i = zext i32 %row to i64
  %q = getelementptr <4 x i32>, ptr %a, i64 %i
  %v = load <4 x i32>, ptr %q, align 4
  %d = call <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32(i1 true, <4 x i32> %v, i1 true, <4 x i32> %v, <8 x i32> zeroinitializer, i1 false)
  %p = getelementptr <8 x i32>, ptr %o, i64 %w
  store <8 x i32> %d, ptr %p, align 4
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare <8 x i32> @llvm.amdgcn.wmma.i32.16x16x16.iu8.v8i32.v4i32(i1, <4 x i32>, i1, <4 x i32>, <8 x i32>, i1)
