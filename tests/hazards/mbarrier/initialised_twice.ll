; A barrier is initialised for a second use while there is one.
; target: nvidia:sm_90
; launch: grid 1, block 64, cluster 1
; arguments: o:inout:i32:64
; caught: mbarrier, error

target triple = "nvptx64-nvidia-cuda"

@bar = internal addrspace(3) global [2 x i64] undef, align 8
@tile = internal addrspace(3) global [64 x i32] undef, align 16

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %j = sub i32 63, %t
  %r = getelementptr i32, ptr addrspace(3) @tile, i32 %j
  %p = getelementptr i32, ptr %o, i32 %t
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 64)
  br label %begun
begun:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %t, ptr addrspace(3) %q, align 4
  %k = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %wait1
wait1:
  %done1 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %k)
  br i1 %done1, label %go1, label %wait1
go1:
  %v = load i32, ptr addrspace(3) %r, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %second = icmp eq i32 %t, 0
  br i1 %second, label %again, label %done
again:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 64)
  br label %done
done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %m = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %wait2
wait2:
  %done2 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %m)
  br i1 %done2, label %go2, label %wait2
go2:
  store i32 %v, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(3) @tile, i32 %t
  %j = sub i32 63, %t
  %r = getelementptr i32, ptr addrspace(3) @tile, i32 %j
  %p = getelementptr i32, ptr %o, i32 %t
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 64)
  br label %begun
begun:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %t, ptr addrspace(3) %q, align 4
  %k = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %wait1
wait1:
  %done1 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %k)
  br i1 %done1, label %go1, label %wait1
go1:
  %v = load i32, ptr addrspace(3) %r, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %second = icmp eq i32 %t, 0
  br i1 %second, label %again, label %done
again:
  call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) @bar)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 64)
  br label %done
done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %m = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %wait2
wait2:
  %done2 = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %m)
  br i1 %done2, label %go2, label %wait2
go2:
  store i32 %v, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3))
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
