"""Barriers in shared memory that a whole block arrives at and waits for; other uses are the interpreter's."""

from __future__ import annotations

import itertools
from functools import partial

from harness import simt
from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, OUT, VALUE
from tests.simt.launches.row import ANY, Row

__all__ = ["LEFT_PHASES", "PHASES"]

MBARRIER = "@llvm.nvvm.mbarrier"
BAR = "getelementptr ([64 x i32], ptr addrspace(3) @other, i64 0, i64 {})"
PARITY, TRIED = "test.wait.parity.scope.cta.space.cta", "try.wait.parity.tl.scope.cta.space.cta"
NUMBERS = itertools.count()


def alone(line: str) -> str:
    """Return a line that one thread runs, between barriers."""
    n = next(NUMBERS)
    return f"""
  {BARRIER}
  %one{n} = icmp eq i32 %t, 0
  br i1 %one{n}, label %alone{n}, label %all{n}
alone{n}:
  {line}
  br label %all{n}
all{n}:
  {BARRIER}"""


def begun(count: int = 64, at: int = 0) -> str:
    """Return lines by which one thread begins a barrier."""
    return alone(f"call void {MBARRIER}.init.shared(ptr addrspace(3) {BAR.format(at)}, i32 {count})")


def arrived(token: str = "%k", at: int = 0, how: str = "arrive.shared", times: str = "") -> str:
    """Return the line of an arrival, which gives a token."""
    return f"\n  {token} = call i64 {MBARRIER}.{how}(ptr addrspace(3) {BAR.format(at)}{times})"


def waited(by: str = "i64 %k", at: int = 0, how: str = "test.wait.shared", turned: bool = False) -> str:
    """Return the loop that asks, by the answer or by its contrary."""
    n = next(NUMBERS)
    ways = f"%not{n}, label %wait{n}, label %go{n}" if turned else f"%done{n}, label %go{n}, label %wait{n}"
    return f"""
  br label %wait{n}
wait{n}:
  %done{n} = call i1 {MBARRIER}.{how}(ptr addrspace(3) {BAR.format(at)}, {by})
  {f"%not{n} = xor i1 %done{n}, true" if turned else ""}
  br i1 {ways}
go{n}:"""


def rounds(again: str = "%k") -> str:
    """Return rounds that give the threads' values to one another, twice each."""
    return f"""{VALUE}{begun()}
  br label %begin
begin:
  br label %round
round:
  %n = phi i32 [ 0, %begin ], [ %m, %next ]
  %x = phi i32 [ %v, %begin ], [ %z, %next ]
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  store i32 %x, ptr addrspace(3) %s{arrived()}{waited()}
  %r = sub i64 63, %i
  %u = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %r
  %y = load i32, ptr addrspace(3) %u
  %z = add i32 %y, %n{arrived("%l")}{waited(f"i64 {again}")}
  br label %next
next:
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, 5
  br i1 %more, label %round, label %end
end:
  %w = add i32 %z, 1{OUT}"""


SHARED = f"{VALUE}{begun()}{IN_TILE}"
END = alone(f"call void {MBARRIER}.inval.shared(ptr addrspace(3) {BAR.format(0)})")
COUNTED = arrived(how="arrive.scope.cta.space.cta", times=", i32 1")
LATER = f"{arrived('%l')}{waited('i64 %l')}"
COPIED = """
  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %g = addrspacecast ptr %p to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %g)"""
LANDS = f"\n  call void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr addrspace(3) {BAR.format(0)})"
PASSED = waited("i32 0", how=PARITY)
PROVED = {
    "when its copies have arrived": f"{VALUE}{begun()}{COPIED}{LANDS}{PASSED}{FROM_TILE}{OUT}",
    "with its copies and again": f"{VALUE}{begun()}{COPIED}{LANDS}{PASSED}{FROM_TILE}{LATER}{OUT}",
    "by a token": f"{SHARED}{arrived()}{waited()}{FROM_TILE}{OUT}",
    "by a parity": f"{SHARED}{arrived()}{waited('i32 0', how=PARITY)}{FROM_TILE}{OUT}",
    "for some time": f"{SHARED}{arrived()}{waited('i32 0, i32 100', how=TRIED)}{FROM_TILE}{OUT}",
    "asked otherwise": f"{SHARED}{arrived()}{waited(turned=True)}{FROM_TILE}{OUT}",
    "counted": f"{SHARED}{COUNTED}{waited()}{FROM_TILE}{OUT}",
    "in rounds": rounds("%l"),
    "one of two": f"{begun(at=2)}{SHARED}{arrived(at=2)}{waited(at=2)}{FROM_TILE}{LATER}{OUT}",
    "begun anew": f"{SHARED}{arrived()}{waited()}{FROM_TILE}{END}{begun()}{LATER}{OUT}",
}


ELSEWHERE = "\n  %e = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 {}"
WORD = f"{ELSEWHERE.format(0)}\n  %w = load i32, ptr addrspace(3) %e{OUT}"
OVER = alone(f"store i8 1, ptr addrspace(3) {BAR.format(1)}")
MOVED = alone(f"call void @llvm.memset.p3.i64(ptr addrspace(3) {BAR.format(0)}, i8 7, i64 8, i1 false)")
HALF = f"""
  %low = icmp ult i32 %t, 32
  br i1 %low, label %some, label %rest
some:{arrived()}
  br label %rest
rest:"""
# What is wrong, and its kind.
FOUND = {
    "a store behind the arrival": (f"{VALUE}{begun()}{arrived()}{IN_TILE}{waited()}{FROM_TILE}{OUT}", "race"),
    "a load before the wait": (f"{SHARED}{arrived()}{FROM_TILE}{waited()}{OUT}", "race"),
    "no wait": (f"{SHARED}{arrived()}{FROM_TILE}{OUT}", "race"),
    "another wait": (
        f"{begun(at=2)}{VALUE}{begun()}{arrived('%j', at=2)}{waited('i64 %j', at=2)}{IN_TILE}{arrived()}"
        f"{waited('i64 %j', at=2)}{FROM_TILE}{OUT}",
        "race",
    ),
    "a phase that nobody ends": (
        f"{VALUE}{begun()}{IN_TILE}{arrived()}{waited('i32 1', how=PARITY)}{FROM_TILE}{OUT}",
        "livelock",
    ),
    "half of the arrivals": (f"{VALUE}{begun(32)}{IN_TILE}{HALF}{waited('i32 0', how=PARITY)}{FROM_TILE}{OUT}", "race"),
    "a barrier that nobody began": (f"{VALUE}{IN_TILE}\n  {BARRIER}{arrived()}{waited()}{FROM_TILE}{OUT}", "mbarrier"),
    "one that is begun twice": (f"{begun()}{SHARED}{arrived()}{waited()}{FROM_TILE}{OUT}", "mbarrier"),
    "one that ended": (f"{SHARED}{arrived()}{waited()}{FROM_TILE}{END}{arrived('%l')}{OUT}", "mbarrier"),
    "a copy behind its arrival": (f"{VALUE}{begun()}{LANDS}{COPIED}{PASSED}{FROM_TILE}{OUT}", "async-copy"),
    "a load before the wait for copies": (
        f"{VALUE}{begun()}{COPIED}{LANDS}\n  %w = load i32, ptr addrspace(3) %s{PASSED}{OUT}",
        "async-copy",
    ),
    "a copy that no arrival is for": (f"{VALUE}{begun()}{COPIED}{arrived()}{waited()}{FROM_TILE}{OUT}", "async-copy"),
    "one that a copy falls on": (
        f"{VALUE}{begun()}{COPIED.replace('@tile', '@other')}\n  call void @llvm.nvvm.cp.async.wait.all(){arrived()}"
        f"{waited()}\n  %w = add i32 %v, 1{OUT}",
        "race",
    ),
    "one written over": (f"{SHARED}{OVER}{arrived()}{waited()}{FROM_TILE}{OUT}", "mbarrier"),
    "one filled": (f"{SHARED}{MOVED}{arrived()}{waited()}{FROM_TILE}{OUT}", "mbarrier"),
    "its begin by all": (
        f"{VALUE}{IN_TILE}\n  call void {MBARRIER}.init.shared(ptr addrspace(3) {BAR.format(0)}, i32 64)\n  {BARRIER}"
        f"{arrived()}{waited()}{FROM_TILE}{OUT}",
        "several-writers",
    ),
}
LEFT = {
    "one arrival too many": f"{SHARED}{arrived('%j')}{arrived()}{waited()}{FROM_TILE}{OUT}",
    "the phase before": f"{SHARED}{arrived()}{waited()}{arrived('%l')}{waited()}{FROM_TILE}{OUT}",
    "its word beside copies": f"{VALUE}{begun()}{COPIED}{LANDS}{PASSED}\n  {BARRIER}{WORD}",
    "its word": f"{SHARED}{arrived()}{waited()}\n  {BARRIER}{WORD}",
    "a token as a number": f"{SHARED}{arrived()}{waited()}\n  %w = trunc i64 %k to i32{OUT}",
    "a question that is asked once": f"{SHARED}{arrived()}\n  %w = zext i1 %c to i32{OUT}".replace(
        "\n  %w = zext",
        f"\n  %c = call i1 {MBARRIER}.test.wait.shared(ptr addrspace(3) {BAR.format(0)}, i64 %k)\n  %w = zext",
    ),
    "arrivals of half": f"{VALUE}{begun(32)}{IN_TILE}{HALF}{waited('i32 0', how=PARITY)}\n  %w = add i32 %v, 1{OUT}",
}
# An exchange after a phase needs no barrier before it: it is the phase that orders it.
BEGUN = "\n".join(begun().splitlines()[2:])  # whom the first barrier would keep apart has done nothing
NEEDLESS = f"""{VALUE}
{BEGUN}{arrived("%j")}{waited("i64 %j")}{IN_TILE}
  {BARRIER}{FROM_TILE}
  {BARRIER}{OUT}{arrived()}{waited()}
  %e = getelementptr i32, ptr %o, i64 %r
  %x = load i32, ptr %e"""
# Else machine code may not know which barriers were needed.
QUIET = {"initialised": True, "observers": partial(simt.observers, redundant=False, counters=False)}
PHASES = (
    *(Row(f"phase: {name}", body, QUIET, scalar=None, ordered=False) for name, body in PROVED.items()),
    *(
        Row(f"phase: {name}, with needless barriers", body, {"initialised": True}, lambda _: True, ANY)
        for name, body in PROVED.items()
    ),
    Row(
        "phase: a needless barrier",
        NEEDLESS,
        {"initialised": True},
        lambda _: True,
        scalar=None,
        noted=("redundant-barrier",),
    ),
)
LEFT_PHASES = (
    *(Row(f"phase: {name}", body, QUIET | {"max_seconds": 5.0}, 0, kind) for name, (body, kind) in FOUND.items()),
    *(Row(f"phase: {name}", body, QUIET, 0, ANY) for name, body in LEFT.items()),
)
