; A lock that is taken without acquire.
; target: nvidia:sm_90
; launch: grid 4, block 1, cluster 1
; arguments: o:inout:i32:8
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = getelementptr i32, ptr %o, i64 1
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = sext i32 %b to i64
  %own = getelementptr i32, ptr %o, i64 %w
  br label %spin
spin:
  %r = cmpxchg ptr %o, i32 0, i32 1 monotonic monotonic, align 4
  %ok = extractvalue { i32, i1 } %r, 1
  br i1 %ok, label %in, label %spin
in:
  %v = load i32, ptr %d, align 4
  %n = add i32 %v, 1
  store i32 %n, ptr %d, align 4
  store atomic i32 0, ptr %o release, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = getelementptr i32, ptr %o, i64 1
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = sext i32 %b to i64
  %own = getelementptr i32, ptr %o, i64 %w
  br label %spin
spin:
  %r = cmpxchg ptr %o, i32 0, i32 1 acquire monotonic, align 4
  %ok = extractvalue { i32, i1 } %r, 1
  br i1 %ok, label %in, label %spin
in:
  %v = load i32, ptr %d, align 4
  %n = add i32 %v, 1
  store i32 %n, ptr %d, align 4
  store atomic i32 0, ptr %o release, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
