; The first step of a reduction over four warps: volatile orders nothing between them, a barrier does.
; target: nvidia:sm_90
; launch: grid 1, block 128, cluster 1
; arguments: a:in:i32:128 o:inout:i32:64
; caught: race, warning

target triple = "nvptx64-nvidia-cuda"

@cache = internal addrspace(3) global [128 x i32] undef, align 16

define ptx_kernel void @caught(ptr %a, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %in = getelementptr i32, ptr %a, i64 %w
  %v = load i32, ptr %in, align 4
  %own = getelementptr [128 x i32], ptr addrspace(3) @cache, i64 0, i64 %w
  store volatile i32 %v, ptr addrspace(3) %own, align 4
  %c = icmp ult i32 %t, 64
  br i1 %c, label %add, label %after
add:
  %far = getelementptr i32, ptr addrspace(3) %own, i64 64
  %x = load volatile i32, ptr addrspace(3) %far, align 4
  %y = load volatile i32, ptr addrspace(3) %own, align 4
  %z = add i32 %x, %y
  store volatile i32 %z, ptr addrspace(3) %own, align 4
  %out = getelementptr i32, ptr %o, i64 %w
  store i32 %z, ptr %out, align 4
  br label %after
after:
  ret void
}

define ptx_kernel void @clean(ptr %a, ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %in = getelementptr i32, ptr %a, i64 %w
  %v = load i32, ptr %in, align 4
  %own = getelementptr [128 x i32], ptr addrspace(3) @cache, i64 0, i64 %w
  store volatile i32 %v, ptr addrspace(3) %own, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = icmp ult i32 %t, 64
  br i1 %c, label %add, label %after
add:
  %far = getelementptr i32, ptr addrspace(3) %own, i64 64
  %x = load volatile i32, ptr addrspace(3) %far, align 4
  %y = load volatile i32, ptr addrspace(3) %own, align 4
  %z = add i32 %x, %y
  store volatile i32 %z, ptr addrspace(3) %own, align 4
  %out = getelementptr i32, ptr %o, i64 %w
  store i32 %z, ptr %out, align 4
  br label %after
after:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
