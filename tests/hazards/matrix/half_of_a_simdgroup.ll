; Half of a SIMD-group multiplies 8 by 8 matrices that the whole SIMD-group holds.
; target: apple:apple-m4
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:f32:32 a:in:f32:64
; caught: inactive-source, error

target triple = "air64-apple-macosx"

define void @caught(ptr addrspace(1) %o, ptr addrspace(1) %a) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %q = getelementptr <2 x float>, ptr addrspace(1) %a, i32 %t
  %v = load <2 x float>, ptr addrspace(1) %q, align 4
  %m = shufflevector <2 x float> %v, <2 x float> zeroinitializer, <64 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %p = getelementptr float, ptr addrspace(1) %o, i32 %t
  %here = icmp ult i32 %t, 16
  br i1 %here, label %in, label %end
in:
  %d = call <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.f.f.v64f32.v64f32.v64f32.v64f32(<64 x float> %m, <64 x float> %m, <64 x float> zeroinitializer)
  %r = extractelement <64 x float> %d, i64 0
  store float %r, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

define void @clean(ptr addrspace(1) %o, ptr addrspace(1) %a) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %q = getelementptr <2 x float>, ptr addrspace(1) %a, i32 %t
  %v = load <2 x float>, ptr addrspace(1) %q, align 4
  %m = shufflevector <2 x float> %v, <2 x float> zeroinitializer, <64 x i32> <i32 0, i32 1, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %p = getelementptr float, ptr addrspace(1) %o, i32 %t
  %here = icmp ult i32 %t, 32
  br i1 %here, label %in, label %end
in:
  %d = call <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.f.f.v64f32.v64f32.v64f32.v64f32(<64 x float> %m, <64 x float> %m, <64 x float> zeroinitializer)
  %r = extractelement <64 x float> %d, i64 0
  store float %r, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

declare i32 @air.thread_position_in_threadgroup.x()
declare <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.f.f.v64f32.v64f32.v64f32.v64f32(<64 x float>, <64 x float>, <64 x float>)
