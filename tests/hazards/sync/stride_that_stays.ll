; A tree whose stride is never halved: each round adds to the sums, and none ends the loop.
; launch: 1 32 1
; target: nvidia:sm_90
; arguments: o:inout:i32:64
; caught: endless-loop, error
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.all(i32)

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  br label %round
round:
  %s = phi i32 [ 32, %0 ], [ %h, %round ]
  %f = add i32 %t, %s
  %q = getelementptr i32, ptr %o, i32 %f
  %x = load i32, ptr %q
  %y = load i32, ptr %p
  %z = add i32 %x, %y
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  store i32 %z, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  %h = ashr i32 %s, 0
  %more = icmp sgt i32 %h, 0
  br i1 %more, label %round, label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %o, i32 %t
  br label %round
round:
  %s = phi i32 [ 32, %0 ], [ %h, %round ]
  %f = add i32 %t, %s
  %q = getelementptr i32, ptr %o, i32 %f
  %x = load i32, ptr %q
  %y = load i32, ptr %p
  %z = add i32 %x, %y
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  store i32 %z, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  %h = ashr i32 %s, 1
  %more = icmp sgt i32 %h, 0
  br i1 %more, label %round, label %end
end:
  ret void
}
