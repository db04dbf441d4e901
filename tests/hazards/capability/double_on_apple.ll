; Threads multiply 64-bit floats; Metal has none.
; target: apple:apple-m4
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: capability, error

target triple = "air64-apple-macosx"

define void @caught(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  %f = uitofp i32 %t to double
  %g = fmul double %f, 1.500000e+00
  %v = fptoui double %g to i32
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define void @clean(ptr addrspace(1) %o) {
  %t = call i32 @air.thread_position_in_threadgroup.x()
  %p = getelementptr i32, ptr addrspace(1) %o, i32 %t
  %f = uitofp i32 %t to float
  %g = fmul float %f, 1.500000e+00
  %v = fptoui float %g to i32
  store i32 %v, ptr addrspace(1) %p
  ret void
}

declare i32 @air.thread_position_in_threadgroup.x()
