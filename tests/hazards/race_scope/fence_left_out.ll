; A relaxed flag between fences; the first one is left out.
; target: nvidia:sm_90
; launch: grid 2, block 1, cluster 1
; arguments: o:inout:i32:3
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = getelementptr i32, ptr %o, i64 1
  %c = icmp eq i32 %b, 0
  br i1 %c, label %give, label %spin
give:
  store i32 42, ptr %o, align 4
  store atomic i32 1, ptr %f monotonic, align 4
  br label %end
spin:
  %v = load atomic i32, ptr %f monotonic, align 4
  %z = icmp eq i32 %v, 0
  br i1 %z, label %spin, label %take
take:
  call void @llvm.nvvm.membar.gl()
  %d = load i32, ptr %o, align 4
  %g = getelementptr i32, ptr %o, i64 2
  store i32 %d, ptr %g, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %f = getelementptr i32, ptr %o, i64 1
  %c = icmp eq i32 %b, 0
  br i1 %c, label %give, label %spin
give:
  store i32 42, ptr %o, align 4
  call void @llvm.nvvm.membar.gl()
  store atomic i32 1, ptr %f monotonic, align 4
  br label %end
spin:
  %v = load atomic i32, ptr %f monotonic, align 4
  %z = icmp eq i32 %v, 0
  br i1 %z, label %spin, label %take
take:
  call void @llvm.nvvm.membar.gl()
  %d = load i32, ptr %o, align 4
  %g = getelementptr i32, ptr %o, i64 2
  store i32 %d, ptr %g, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.membar.gl()
