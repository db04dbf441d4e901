; The counter that is updated lies behind the buffer.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:inout:i32:1
; caught: out-of-bounds, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %p = getelementptr i32, ptr %o, i64 1
  %v = atomicrmw add ptr %p, i32 1 monotonic, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %p = getelementptr i32, ptr %o, i64 0
  %v = atomicrmw add ptr %p, i32 1 monotonic, align 4
  ret void
}
