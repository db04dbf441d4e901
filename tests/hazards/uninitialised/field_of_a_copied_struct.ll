; A struct is copied to the host; of the caught one a field was never set.
; target: nvidia:sm_90
; launch: grid 1, block 1, cluster 1
; arguments: o:out:i32:3
; caught: uninitialised, error

target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, i32, i32 }

define ptx_kernel void @caught(ptr %o) {
  %l = alloca %pair, align 4
  store i32 1, ptr %l, align 4
  %last = getelementptr i8, ptr %l, i64 8
  store i32 3, ptr %last, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %l, i64 12, i1 false)
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %l = alloca %pair, align 4
  store i32 1, ptr %l, align 4
  %middle = getelementptr i8, ptr %l, i64 4
  store i32 2, ptr %middle, align 4
  %last = getelementptr i8, ptr %l, i64 8
  store i32 3, ptr %last, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %o, ptr align 4 %l, i64 12, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
