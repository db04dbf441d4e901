"""Kernels without an end, each with how the simulator finds out; and near twins that end.

In each body `%t` is the thread and `%o` an array of 64 zeroed integers of 32 bits. `ID` says what is found.
"""

from __future__ import annotations

__all__ = ["ENDLESS", "ENDS"]

BARRIER = "call void @llvm.nvvm.barrier.cta.sync.all(i32 0)"
AT = "%p = getelementptr i32, ptr %o, i32 %t"


def loop(*lines: str) -> str:
    """Return a loop of one block that goes on while `%c` holds."""
    return "\n".join(["br label %l", "l:", *lines, "br i1 %c, label %l, label %e", "e:", "ret void"])


# name: (the finding, the body)
ENDLESS: dict[str, tuple[str, str]] = {
    "an empty loop": ("endless-loop.no-exit", "br label %l\nl:\nbr label %l"),
    "a loop that only counts": (
        "endless-loop.no-exit",
        "br label %l\nl:\n%n = phi i32 [0, %0], [%m, %l]\n%m = add i32 %n, 1\nbr label %l",
    ),
    "a loop that writes the same place": (
        "endless-loop.no-exit",
        f"{AT}\nbr label %l\nl:\n%n = phi i32 [0, %0], [%m, %l]\n%m = add i32 %n, 1\nstore i32 %n, ptr %p\nbr label %l",
    ),
    "nothing but a barrier": ("endless-loop.no-exit", f"br label %l\nl:\n{BARRIER}\nbr label %l"),
    "a counter that is not counted": (
        "endless-loop.unchanged",
        f"""{AT}
        br label %l
        l:
        %s = phi i32 [0, %0], [%u, %l]
        %i = phi i32 [0, %0], [%j, %l]
        %u = add i32 %s, %t
        %j = mul i32 %i, 1
        %c = icmp slt i32 %j, 8
        br i1 %c, label %l, label %e
        e:
        store i32 %u, ptr %p
        ret void""",
    ),
    "a counter without a step": (
        "endless-loop.unchanged",
        loop("%i = phi i64 [0, %0], [%j, %l]", "%j = add i64 %i, 0", "%c = icmp slt i64 %j, 8"),
    ),
    "a stride that stays": (
        "endless-loop.unchanged",
        f"""{AT}
        br label %l
        l:
        %s = phi i32 [32, %0], [%s, %m]
        %c = icmp sgt i32 %s, 0
        br i1 %c, label %b, label %e
        b:
        {BARRIER}
        %w = icmp slt i32 %t, %s
        br i1 %w, label %a, label %m
        a:
        %f = add i32 %t, %s
        %q = getelementptr i32, ptr %o, i32 %f
        %x = load i32, ptr %q
        %y = load i32, ptr %p
        %z = add i32 %x, %y
        %z1 = add i32 %z, 1
        store i32 %z1, ptr %p
        br label %m
        m:
        {BARRIER}
        br label %l
        e:
        ret void""",
    ),
    "a stride that is halved below one": (
        "endless-loop.unchanged",
        loop("%s = phi i32 [32, %0], [%h, %l]", f"{BARRIER}", "%h = ashr i32 %s, 1", "%c = icmp sge i32 %h, 0"),
    ),
    "a step over the end": (
        "endless-loop.missed",
        loop("%i = phi i64 [0, %0], [%j, %l]", "%j = add i64 %i, 2", "%c = icmp ne i64 %j, 7"),
    ),
    "an odd step over the end": (
        "endless-loop.counter",
        loop("%i = phi i64 [0, %0], [%j, %l]", "%j = add i64 %i, 3", "%c = icmp ne i64 %j, 64"),
    ),
    "a counter that goes the other way": (
        "endless-loop.counter",
        """%n = sext i32 %t to i64
        %b = add i64 %n, 8
        br label %l
        l:
        %i = phi i64 [0, %0], [%j, %l]
        %j = add i64 %i, -1
        %c = icmp slt i64 %j, %b
        br i1 %c, label %l, label %e
        e:
        ret void""",
    ),
    "a count of 2^60": (
        "endless-loop.counter",
        loop("%i = phi i64 [0, %0], [%j, %l]", "%j = add i64 %i, 1", "%c = icmp ult i64 %j, 1152921504606846976"),
    ),
    "one thread that does not end": (
        "endless-loop.unchanged",
        """%z = icmp eq i32 %t, 5
        br label %l
        l:
        %i = phi i32 [0, %0], [%j, %l]
        %j = add i32 %i, 1
        br i1 %z, label %l, label %e
        e:
        ret void""",
    ),
    "an inner loop that does not end": (
        "endless-loop.missed",
        f"""{AT}
        br label %outer
        outer:
        %i = phi i32 [0, %0], [%i1, %last]
        br label %inner
        inner:
        %k = phi i32 [0, %outer], [%k1, %inner]
        %k1 = add i32 %k, 2
        store i32 %k1, ptr %p
        %c = icmp ne i32 %k1, 7
        br i1 %c, label %inner, label %last
        last:
        %i1 = add i32 %i, 1
        %d = icmp slt i32 %i1, 4
        br i1 %d, label %outer, label %e
        e:
        ret void""",
    ),
    "two values in turns": (
        "endless-loop.unchanged",
        loop("%x = phi i32 [1, %0], [%y, %l]", "%y = sub i32 3, %x", "%c = icmp ne i32 %y, 0"),
    ),
    "a float that stops growing": (
        "endless-loop.unchanged",
        loop(
            "%x = phi float [16777200.0, %0], [%y, %l]", "%y = fadd float %x, 1.0", "%c = fcmp olt float %y, 20000000.0"
        ),
    ),
    "an iteration that does not converge": (
        "endless-loop.unchanged",
        loop(
            "%x = phi float [2.0, %0], [%y, %l]",
            "%n = phi i32 [0, %0], [%m, %l]",
            "%m = add i32 %n, 1",
            "%y = fdiv float 8.0, %x",
            "%d = fsub float %y, %x",
            "%a = call float @llvm.fabs.f32(float %d)",
            "%c = fcmp ogt float %a, 0.5",
        ),
    ),
    "a flag that nobody sets": (
        "livelock",
        loop("%v = load volatile i32, ptr %o", "%c = icmp eq i32 %v, 0"),
    ),
    "a flag that nobody sets, with a count of the rounds": (
        "livelock",
        f"""{AT}
        br label %l
        l:
        %n = phi i32 [0, %0], [%m, %l]
        %m = add i32 %n, 1
        %v = load volatile i32, ptr %o
        %c = icmp eq i32 %v, 0
        br i1 %c, label %l, label %e
        e:
        store i32 %m, ptr %p
        ret void""",
    ),
    "a lock that is never given back": (
        "livelock",
        """br label %l
        l:
        %r = cmpxchg ptr %o, i32 0, i32 1 monotonic monotonic
        %s = extractvalue { i32, i1 } %r, 1
        br i1 %s, label %e, label %l
        e:
        ret void""",
    ),
}
ENDS: dict[str, str] = {
    "a long count": loop("%i = phi i64 [0, %0], [%j, %l]", "%j = add i64 %i, 1", "%c = icmp slt i64 %j, 3000"),
    "a step that comes to the end": loop(
        "%i = phi i64 [0, %0], [%j, %l]", "%j = add i64 %i, 3", "%c = icmp ne i64 %j, 6000"
    ),
    "a counter of eight bits that wraps": loop(
        "%i = phi i8 [0, %0], [%j, %l]", "%j = add i8 %i, 3", "%c = icmp ne i8 %j, 64"
    ),
    "a counter or a condition": """br label %l
        l:
        %i = phi i64 [0, %0], [%j, %n]
        %x = phi i32 [1, %0], [%y, %n]
        %j = add i64 %i, 1
        %c = icmp ult i64 %j, 1152921504606846976
        br i1 %c, label %n, label %e
        n:
        %m = mul i32 %x, 5
        %y = and i32 %m, 65535
        %d = icmp ne i32 %y, 25437
        br i1 %d, label %l, label %e
        e:
        ret void""",
    "a value that comes back and a count": loop(
        "%x = phi i32 [1, %0], [%y, %l]",
        "%n = phi i32 [0, %0], [%m, %l]",
        "%y = sub i32 3, %x",
        "%m = add i32 %n, %y",
        "%c = icmp slt i32 %m, 2000",
    ),
    "threads that leave one by one": loop(
        "%i = phi i32 [0, %0], [%j, %l]", "%j = add i32 %i, 1", "%q = lshr i32 %j, 4", "%c = icmp ule i32 %q, %t"
    ),
    "a flag that another warp sets late": """%w = icmp ult i32 %t, 32
        br i1 %w, label %l, label %s
        l:
        %v = load volatile i32, ptr %o
        %c = icmp eq i32 %v, 0
        br i1 %c, label %l, label %e
        s:
        %i = phi i32 [0, %0], [%j, %s]
        %j = add i32 %i, 1
        %d = icmp slt i32 %j, 2000
        br i1 %d, label %s, label %f
        f:
        store volatile i32 1, ptr %o
        br label %e
        e:
        ret void""",
    "an inner loop that begins again": f"""{AT}
        br label %outer
        outer:
        %i = phi i32 [0, %0], [%i1, %last]
        br label %inner
        inner:
        %x = phi i32 [1, %outer], [%y, %inner]
        %y = mul i32 %x, 3
        %c = icmp slt i32 %y, 200
        br i1 %c, label %inner, label %last
        last:
        store i32 %y, ptr %p
        %i1 = add i32 %i, 1
        %d = icmp slt i32 %i1, 60
        br i1 %d, label %outer, label %e
        e:
        ret void""",
    "an inner wait that begins again": f"""{AT}
        br label %outer
        outer:
        %i = phi i32 [0, %0], [%i1, %last]
        br label %inner
        inner:
        %x = phi i32 [1, %outer], [%y, %inner]
        %v = load volatile i32, ptr %p
        %w = add i32 %v, 3
        %y = mul i32 %x, %w
        %c = icmp slt i32 %y, 200
        br i1 %c, label %inner, label %last
        last:
        %i1 = add i32 %i, 1
        %d = icmp slt i32 %i1, 60
        br i1 %d, label %outer, label %e
        e:
        ret void""",
    "a loop that the clock ends": loop(
        "%n = phi i32 [0, %0], [%m, %l]",
        "%m = add i32 %n, 1",
        "%u = call i64 @llvm.nvvm.read.ptx.sreg.clock64()",
        "%c = icmp ult i64 %u, 3000",
    ),
}
