; A variable of the module's own, which each block sets: no argument leads to it.
; target: nvidia:sm_90
; launch: grid 4, block 1, cluster 1
; arguments: o:inout:i32:1
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@blocks = internal addrspace(1) global i32 0, align 4

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %t, ptr addrspace(1) @blocks, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp eq i32 %t, 3
  br i1 %c, label %one, label %end
one:
  store i32 %t, ptr addrspace(1) @blocks, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
