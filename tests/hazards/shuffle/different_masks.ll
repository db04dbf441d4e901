; Lane 0 names all lanes, the others all but lane 0: they wait for one another by different masks.
; target: nvidia:sm_90
; launch: grid 1, block 32, cluster 1
; arguments: o:out:i32:32
; caught: masks-differ, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %first = icmp eq i32 %t, 0
  %mask = select i1 %first, i32 -1, i32 -2
  %s = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 %mask)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %s, ptr %p, align 4
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = sext i32 %t to i64
  %first = icmp eq i32 %t, 0
  %mask = select i1 %first, i32 1, i32 -2
  %s = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 %mask)
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %s, ptr %p, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
