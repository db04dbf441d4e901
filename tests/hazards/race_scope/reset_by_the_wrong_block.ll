; A counter is set back by a block that never looks at it, or by the one that found that all others had counted.
; target: nvidia:sm_90
; launch: grid 5, block 1, cluster 1
; arguments: o:inout:i32:2
; caught: race, error

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @caught(ptr %o) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %counts = icmp ult i32 %b, 4
  br i1 %counts, label %count, label %counted
count:
  %n = atomicrmw add ptr %o, i32 1 monotonic, align 4
  br label %counted
counted:
  %x = phi i32 [ %n, %count ], [ -1, %0 ]
  %c = icmp eq i32 %b, 4
  br i1 %c, label %last, label %end
last:
  %v = load i32, ptr %o, align 4
  %g = getelementptr i32, ptr %o, i64 1
  store i32 %v, ptr %g, align 4
  store i32 0, ptr %o, align 4
  br label %end
end:
  ret void
}

define ptx_kernel void @clean(ptr %o) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %counts = icmp ult i32 %b, 4
  br i1 %counts, label %count, label %counted
count:
  %n = atomicrmw add ptr %o, i32 1 monotonic, align 4
  br label %counted
counted:
  %x = phi i32 [ %n, %count ], [ -1, %0 ]
  %c = icmp eq i32 %x, 3
  br i1 %c, label %last, label %end
last:
  %v = load i32, ptr %o, align 4
  %g = getelementptr i32, ptr %o, i64 1
  store i32 %v, ptr %g, align 4
  store i32 0, ptr %o, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
