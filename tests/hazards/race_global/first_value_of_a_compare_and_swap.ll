; A compare-and-swap loop begins with a plain load: where its value is old, the loop tries again.
; target: nvidia:sm_90
; launch: grid 2, block 32, cluster 1
; arguments: o:inout:i32:2
; caught: race, warning

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = load i32, ptr %o, align 4
  br label %loop
loop:
  %old = phi i32 [ %begin, %0 ], [ %found, %loop ]
  %new = add i32 %old, %t
  %both = cmpxchg ptr %o, i32 %old, i32 %new monotonic monotonic
  %found = extractvalue { i32, i1 } %both, 0
  %same = icmp eq i32 %found, %old
  br i1 %same, label %end, label %loop
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %begin = load atomic i32, ptr %o monotonic, align 4
  br label %loop
loop:
  %old = phi i32 [ %begin, %0 ], [ %found, %loop ]
  %new = add i32 %old, %t
  %both = cmpxchg ptr %o, i32 %old, i32 %new monotonic monotonic
  %found = extractvalue { i32, i1 } %both, 0
  %same = icmp eq i32 %found, %old
  br i1 %same, label %end, label %loop
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
