target triple = "nvptx64-nvidia-cuda"

; One thread goes round n times, with a load and a store each.
define ptx_kernel void @rounds(ptr %out, i32 %n) {
  br label %loop

loop:
  %round = phi i32 [ 0, %0 ], [ %next, %loop ]
  %before = load i32, ptr %out
  %after = add i32 %before, %round
  store i32 %after, ptr %out
  %next = add i32 %round, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}
