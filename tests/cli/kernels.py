"""Kernels in LLVM IR that tests of `simulate` launch."""

from __future__ import annotations

__all__ = ["TID", "TWICE"]

TID = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"

TWICE = f"""
@turns = internal addrspace(3) global i32 poison
define ptx_kernel void @twice(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %done
work:
  %from = getelementptr float, ptr addrspace(1) %in, i32 %i
  %value = load float, ptr addrspace(1) %from, align 4
  %twice = fmul float %value, 2.0
  %to = getelementptr float, ptr addrspace(1) %out, i32 %i
  store float %twice, ptr addrspace(1) %to, align 4
  br label %done
done:
  ret void
}}
define ptx_kernel void @view({{ ptr, {{ i64, i32 }} }} %v) {{
  %p = extractvalue {{ ptr, {{ i64, i32 }} }} %v, 0
  %n = extractvalue {{ ptr, {{ i64, i32 }} }} %v, 1, 0
  store i64 %n, ptr %p
  ret void
}}
define ptx_kernel void @endless() {{
  br label %again
again:
  %n = phi i64 [ 1, %0 ], [ %m, %again ]
  %old = atomicrmw add ptr addrspace(3) @turns, i32 1 monotonic
  %x = mul i64 %n, 6364136223846793005
  %m = or i64 %x, 1
  %more = icmp ne i64 %m, 0
  br i1 %more, label %again, label %end
end:
  ret void
}}
{TID}"""
