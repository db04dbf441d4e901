; Eight elected lanes write the same value to one place.
; target: nvidia:sm_90
; launch: grid 1, block 256, cluster 1
; arguments: o:inout:i32:1
; caught: several-writers, information

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = and i32 %t, 31
  %c = icmp eq i32 %e, 0
  br i1 %c, label %in, label %end
in:
  store i32 7, ptr %o, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %t, 0
  br i1 %c, label %in, label %end
in:
  store i32 7, ptr %o, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
