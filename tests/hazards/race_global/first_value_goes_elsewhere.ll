; What a plain load gives a compare-and-swap loop is stored, too.
; target: nvidia:sm_90
; launch: grid 2, block 32, cluster 1
; arguments: o:inout:i32:65
; caught: race, error

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
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = mul i32 %b, 32
  %s = add i32 %m, %t
  %i = add i32 %s, 1
  %p = getelementptr i32, ptr %o, i32 %i
  store i32 %begin, ptr %p, align 4
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
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = mul i32 %b, 32
  %s = add i32 %m, %t
  %i = add i32 %s, 1
  %p = getelementptr i32, ptr %o, i32 %i
  store i32 %begin, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
