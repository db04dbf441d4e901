target triple = "nvptx64-nvidia-cuda"

@values = internal addrspace(3) global [1024 x i32] undef, align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; In each of n rounds a thread leaves a value for another one: two barriers a round.
define ptx_kernel void @meetings(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %other = xor i32 %t, 1023
  %mine = getelementptr [1024 x i32], ptr addrspace(3) @values, i32 0, i32 %t
  %theirs = getelementptr [1024 x i32], ptr addrspace(3) @values, i32 0, i32 %other
  br label %loop

loop:
  %round = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ %t, %0 ], [ %more, %loop ]
  store i32 %sum, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %value = load i32, ptr addrspace(3) %theirs
  %more = add i32 %value, %round
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %round, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end

end:
  %base = mul i32 %b, 1024
  %at = add i32 %base, %t
  %place = getelementptr i32, ptr %out, i32 %at
  store i32 %more, ptr %place
  ret void
}
