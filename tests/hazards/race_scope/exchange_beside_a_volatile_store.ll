; One block exchanges a value, the other one stores another: volatile, or atomically.
; target: nvidia:sm_90
; launch: grid 2, block 1, cluster 1
; arguments: o:inout:i32:1
; caught: race, warning

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp eq i32 %b, 0
  br i1 %c, label %in, label %out
in:
  %x = atomicrmw xchg ptr %o, i32 1 monotonic, align 4
  br label %end
out:
  store volatile i32 2, ptr %o, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp eq i32 %b, 0
  br i1 %c, label %in, label %out
in:
  %x = atomicrmw xchg ptr %o, i32 1 monotonic, align 4
  br label %end
out:
  store atomic i32 2, ptr %o monotonic, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
