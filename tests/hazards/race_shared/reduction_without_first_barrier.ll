; A tree begins before all have stored.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:1
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

@cells = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  br label %loop
loop:
  %s = phi i32 [ 32, %0 ], [ %half, %next ]
  %c = icmp ult i32 %t, %s
  br i1 %c, label %add, label %next
add:
  %j = add i32 %t, %s
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %x = load i32, ptr addrspace(3) %q, align 4
  %y = load i32, ptr addrspace(3) %p, align 4
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %q, align 4
  br label %next
next:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %half = lshr i32 %s, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %last
last:
  %z0 = icmp eq i32 %t, 0
  br i1 %z0, label %write, label %end
write:
  %r = load i32, ptr addrspace(3) @cells, align 4
  store i32 %r, ptr %o, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @cells, i32 %t
  store i32 %t, ptr addrspace(3) %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %s = phi i32 [ 32, %0 ], [ %half, %next ]
  %c = icmp ult i32 %t, %s
  br i1 %c, label %add, label %next
add:
  %j = add i32 %t, %s
  %p = getelementptr i32, ptr addrspace(3) @cells, i32 %j
  %x = load i32, ptr addrspace(3) %q, align 4
  %y = load i32, ptr addrspace(3) %p, align 4
  %z = add i32 %x, %y
  store i32 %z, ptr addrspace(3) %q, align 4
  br label %next
next:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %half = lshr i32 %s, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %last
last:
  %z0 = icmp eq i32 %t, 0
  br i1 %z0, label %write, label %end
write:
  %r = load i32, ptr addrspace(3) @cells, align 4
  store i32 %r, ptr %o, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
