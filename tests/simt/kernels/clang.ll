; What clang emits for NVIDIA and Mojo does not: functions that call themselves and are called through pointers, atomics
; of a scope, registers of the machine. Each kernel writes i32 to its first argument and reads 256 of them from its second.

target triple = "nvptx64-nvidia-cuda"

@functions = internal addrspace(4) constant [3 x ptr] [ptr @squared, ptr @turned, ptr @fibonacci]

; The numbers of Fibonacci by their definition: two calls in each.
define internal i32 @fibonacci(i32 %n) noinline {
  %small = icmp slt i32 %n, 2
  br i1 %small, label %end, label %deeper
end:
  ret i32 %n
deeper:
  %a = sub i32 %n, 1
  %x = call i32 @fibonacci(i32 %a)
  %b = sub i32 %n, 2
  %y = call i32 @fibonacci(i32 %b)
  %sum = add i32 %x, %y
  ret i32 %sum
}

define internal i32 @squared(i32 %n) noinline {
  %r = mul i32 %n, %n
  ret i32 %r
}

define internal i32 @turned(i32 %n) noinline {
  %r = xor i32 %n, -1
  ret i32 %r
}

; Two that call each other: whether a number is even.
define internal i32 @is_even(i32 %n) noinline {
  %none = icmp eq i32 %n, 0
  br i1 %none, label %yes, label %ask
yes:
  ret i32 1
ask:
  %less = sub i32 %n, 1
  %r = call i32 @is_odd(i32 %less)
  ret i32 %r
}

define internal i32 @is_odd(i32 %n) noinline {
  %none = icmp eq i32 %n, 0
  br i1 %none, label %no, label %ask
no:
  ret i32 0
ask:
  %less = sub i32 %n, 1
  %r = call i32 @is_even(i32 %less)
  ret i32 %r
}

define ptx_kernel void @recursion(ptr %o, ptr %i) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = urem i32 %t, 13
  %f = call i32 @fibonacci(i32 %few)
  %e = call i32 @is_even(i32 %few)
  %r = shl i32 %f, 1
  %both = or i32 %r, %e
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %both, ptr %p, align 4
  ret void
}

; Each lane another function of a table, then the one that the result chooses.
define ptx_kernel void @pointers(ptr %o, ptr %i) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr %i, i32 %t
  %v = load i32, ptr %q, align 4
  %few = and i32 %v, 7
  %which = urem i32 %t, 3
  %at = getelementptr [3 x ptr], ptr addrspace(4) @functions, i64 0, i32 %which
  %callee = load ptr, ptr addrspace(4) %at, align 8
  %x = call i32 %callee(i32 %few)
  %odd = trunc i32 %x to i1
  %other = select i1 %odd, ptr @turned, ptr @squared
  %y = call i32 %other(i32 %x)
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %y, ptr %p, align 4
  ret void
}

; `atomicAdd_block`, `atomicMax_system` and so on: on places of the lane's own, with what each returns, and a sum of all.
define ptx_kernel void @scopes(ptr %o, ptr %i) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr %i, i32 %t
  %v = load i32, ptr %q, align 4
  %first = mul i32 %t, 7
  %p = getelementptr i32, ptr %o, i32 %first
  store i32 %v, ptr %p, align 4
  %a = call i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr %p, i32 %t)
  %b = call i32 @llvm.nvvm.atomic.max.gen.i.sys.i32.p0(ptr %p, i32 -5)
  %c = call i32 @llvm.nvvm.atomic.min.gen.i.cta.i32.p0(ptr %p, i32 77)
  %d = call i32 @llvm.nvvm.atomic.xor.gen.i.sys.i32.p0(ptr %p, i32 %v)
  %e = call i32 @llvm.nvvm.atomic.inc.gen.i.cta.i32.p0(ptr %p, i32 100)
  %f = call i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p0(ptr %p, i32 %e, i32 9)
  %g = call i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(ptr %p, i32 %t)
  %p1 = getelementptr i32, ptr %p, i32 1
  store i32 %a, ptr %p1, align 4
  %p2 = getelementptr i32, ptr %p, i32 2
  store i32 %b, ptr %p2, align 4
  %p3 = getelementptr i32, ptr %p, i32 3
  store i32 %c, ptr %p3, align 4
  %p4 = getelementptr i32, ptr %p, i32 4
  store i32 %d, ptr %p4, align 4
  %p5 = getelementptr i32, ptr %p, i32 5
  store i32 %e, ptr %p5, align 4
  %fg = xor i32 %f, %g
  %p6 = getelementptr i32, ptr %p, i32 6
  store i32 %fg, ptr %p6, align 4
  %sum = getelementptr i32, ptr %o, i32 1000
  %s = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %sum, i32 %v)
  ret void
}

; Registers that are the same wherever the block runs, as intrinsics and as assembly; two clocks, the later of which is not less.
define ptx_kernel void @registers(ptr %o, ptr %i) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = call i64 @llvm.readcyclecounter()
  %first = mul i32 %t, 8
  %p = getelementptr i32, ptr %o, i32 %first
  %lane = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"()
  store i32 %lane, ptr %p, align 4
  %lt = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
  %p1 = getelementptr i32, ptr %p, i32 1
  store i32 %lt, ptr %p1, align 4
  %ge = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.ge()
  %p2 = getelementptr i32, ptr %p, i32 2
  store i32 %ge, ptr %p2, align 4
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %ng = mul i32 %n, %g
  %all = mul i32 %ng, %w
  %p3 = getelementptr i32, ptr %p, i32 3
  store i32 %all, ptr %p3, align 4
  %few = icmp ult i32 %lane, 11
  br i1 %few, label %some, label %rest
some:
  %here = call i32 @llvm.nvvm.activemask()
  %p4 = getelementptr i32, ptr %p, i32 4
  store i32 %here, ptr %p4, align 4
  br label %rest
rest:
  %after = call i64 @llvm.readcyclecounter()
  %later = icmp uge i64 %after, %before
  %bit = zext i1 %later to i32
  %p5 = getelementptr i32, ptr %p, i32 5
  store i32 %bit, ptr %p5, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.ge()
declare i32 @llvm.nvvm.activemask()
declare i64 @llvm.readcyclecounter()
declare i32 @llvm.nvvm.atomic.add.gen.i.cta.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.max.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.min.gen.i.cta.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.xor.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.inc.gen.i.cta.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.exch.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.atomic.cas.gen.i.cta.i32.p0(ptr, i32, i32)
