; The last block to count reads the others' parts; the counter orders nothing.
; target: nvidia:sm_90
; launch: grid 4, block 1, cluster 1
; arguments: o:inout:i32:6
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = sext i32 %b to i64
  %s = getelementptr i32, ptr %o, i64 2
  %p = getelementptr i32, ptr %s, i64 %w
  store i32 %b, ptr %p, align 4
  %x = atomicrmw add ptr %o, i32 1 monotonic, align 4
  %c = icmp eq i32 %x, 3
  br i1 %c, label %sum, label %end
sum:
  %v = load <4 x i32>, ptr %s, align 4
  %e = extractelement <4 x i32> %v, i32 1
  %g = getelementptr i32, ptr %o, i64 1
  store i32 %e, ptr %g, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = sext i32 %b to i64
  %s = getelementptr i32, ptr %o, i64 2
  %p = getelementptr i32, ptr %s, i64 %w
  store i32 %b, ptr %p, align 4
  %x = atomicrmw add ptr %o, i32 1 acq_rel, align 4
  %c = icmp eq i32 %x, 3
  br i1 %c, label %sum, label %end
sum:
  %v = load <4 x i32>, ptr %s, align 4
  %e = extractelement <4 x i32> %v, i32 1
  %g = getelementptr i32, ptr %o, i64 1
  store i32 %e, ptr %g, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
