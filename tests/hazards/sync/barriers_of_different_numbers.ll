; One thread waits at barrier 1, the others at barrier 2.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:f32:32
; caught: deadlock, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp eq i32 %t, 0
  %n = select i1 %c, i32 1, i32 2
  br i1 %c, label %in, label %out
in:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 1)
  br label %end
out:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 2)
  br label %end
end:
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %c = icmp eq i32 %t, 0
  %n = select i1 %c, i32 1, i32 1
  br i1 %c, label %in, label %out
in:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 1)
  br label %end
out:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 1)
  br label %end
end:
  %p = getelementptr float, ptr %o, i64 %w
  store float 1.0, ptr %p, align 4
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
