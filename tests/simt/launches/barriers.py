"""Barriers: the memory that they order, and those that no exchange needs."""

from __future__ import annotations

from functools import partial

from harness import simt
from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, OUT, VALUE
from tests.simt.launches.row import ANY, Row

__all__ = ["AGAIN_OUT", "APPLE", "BARRIERS", "DEVICE", "FROM_OUT", "TILE", "WRONG_BARRIERS"]

OWN = "\n  %own = load i32, ptr addrspace(3) %s"
AGAIN = "\n  store i32 %w, ptr addrspace(3) %s"
LATER = FROM_TILE.replace("%r", "%r2").replace("%u", "%u2").replace("%w", "%w2")
# Whether machine code can tell, and how often which finding there is.
KERNELS = {
    "one alone": (f"{VALUE}\n  {BARRIER}\n  %w = add i32 %v, 1{OUT}", 1, ["one"]),
    "one behind another": (f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OUT}", 1, ["one"]),
    "none": (f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}{OUT}", 1, []),
    "none before others overwrite": (f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{AGAIN}{OUT}", 1, []),
    "two": (f"{VALUE}\n  {BARRIER}\n  {BARRIER}\n  %w = add i32 %v, 1{OUT}", 1, ["one", "one"]),
    "either of two, and one": (
        f"{VALUE}{IN_TILE}\n  {BARRIER}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OUT}",
        0,
        ["either", "one"],
    ),
    "two around one": (f"{VALUE}\n  {BARRIER}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OUT}", 1, ["one", "one"]),
    "either of two": (f"{VALUE}{IN_TILE}\n  {BARRIER}\n  {BARRIER}{FROM_TILE}{OUT}", 0, ["either"]),
    "none, but its threads read their own again": (
        f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OWN}{AGAIN}{OUT}",
        0,
        [],
    ),
    "none, but its threads read their own twice": (
        f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{OWN}{OWN.replace('%own', '%own2')}{AGAIN}{OUT}",
        0,
        [],
    ),
    "one before others read again": (
        f"{VALUE}{IN_TILE}\n  {BARRIER}{FROM_TILE}\n  {BARRIER}{LATER}{OUT}",
        1,
        ["one"],
    ),
}
# A loop of two rounds, in each of which a block comes to one of two barriers, by `%which`.
ROUNDS = f"""
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  br label %begin
begin:
  br label %round
round:
  %n = phi i32 [ 0, %begin ], [ %m, %on ]
  {{which}}
  br i1 %which, label %first, label %second
first:
  {BARRIER}
  br label %on
second:
  {BARRIER}
  br label %on
on:
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, 2
  br i1 %more, label %round, label %end
end:
  {VALUE}
  %w = add i32 %v, 1{OUT}"""
# By which barrier comes first in a round: whether machine code knows it. All barriers can be left out.
WHICH = {
    "the first": ("%which = icmp eq i32 %n, 0", 3),
    "the second, not as they stand in the source": ("%which = icmp eq i32 %n, 1", 3),
    "by block": ("%x = add i32 %n, %b\n  %y = and i32 %x, 1\n  %which = icmp eq i32 %y, 0", 0),
    "the first block alone to both": ("%x = or i32 %n, %b\n  %which = icmp eq i32 %x, 0", 0),
}
ONE_PLACE = f"{VALUE}\n  %old = atomicrmw add ptr %o, i32 1 monotonic\n  {BARRIER}"
APPLE = "call void @air.wg.barrier(i32 {}, i32 1)"
AGAIN_OUT = """
  %q2 = getelementptr i32, ptr %o, i64 %i
  store i32 %v, ptr %q2"""
FROM_OUT = """
  %far = sub i64 63, %i
  %q3 = getelementptr i32, ptr %o, i64 %far
  %w2 = load i32, ptr %q3
  %w3 = add i32 %w2, 1"""
DEVICE, TILE = APPLE.format(1), APPLE.format(2)
# Which memory is exchanged behind which barriers, and whether that is in order.
SPACES = {
    "device memory behind its barrier": (f"{AGAIN_OUT}\n  {DEVICE}{FROM_OUT}", True),
    "device memory behind the other": (f"{AGAIN_OUT}\n  {TILE}{FROM_OUT}", False),
    "the threadgroup's behind its barrier": (f"{IN_TILE}\n  {TILE}{FROM_TILE}", True),
    "the threadgroup's behind the other": (f"{IN_TILE}\n  {DEVICE}{FROM_TILE}", False),
    "both behind both": (f"{IN_TILE}{AGAIN_OUT}\n  {DEVICE}\n  {TILE}{FROM_TILE}{FROM_OUT}", True),
    "both behind one for both": (f"{IN_TILE}{AGAIN_OUT}\n  {APPLE.format(3)}{FROM_TILE}{FROM_OUT}", True),
    "any behind one for none": (f"{IN_TILE}\n  {APPLE.format(0)}{FROM_TILE}", False),
    "the threadgroup's behind several of the other": (
        f"{IN_TILE}\n  {DEVICE}\n  {DEVICE}\n  {DEVICE}{FROM_TILE}",
        False,
    ),
}
WRITTEN = {"initialised": True}
ON_APPLE = WRITTEN | {"target": "apple:apple-m4"}
QUIET = ON_APPLE | {"observers": partial(simt.observers, counters=False, redundant=False)}


def _told(words: list[str]) -> tuple[str, ...]:
    return tuple(f"redundant-barrier.{word}" for word in words)


BARRIERS = (
    *(
        Row(f"barrier: {name}", body, WRITTEN, native, noted=_told(words))
        for name, (body, native, words) in KERNELS.items()
    ),
    *(
        Row(
            f"barrier: {name}",
            ROUNDS.format(which=which),
            WRITTEN | {"grid": 3, "block": 32, "size": 96},
            native,
            noted=_told(["one", "one"]),
        )
        for name, (which, native) in WHICH.items()
    ),
    Row("barrier: blocks update one place", ONE_PLACE, WRITTEN | {"grid": 2, "block": 32}, 0, noted=(), scalar=None),
    *(Row(f"barrier: {name}", f"{VALUE}{body}", QUIET, scalar=None) for name, (body, fine) in SPACES.items() if fine),
)
WRONG_BARRIERS = (
    *(
        Row(f"barrier: {name}", f"{VALUE}{body}", QUIET, 0, frozenset({"race"}))
        for name, (body, fine) in SPACES.items()
        if not fine
    ),
    *(
        Row(f"barrier: {name}, with needless ones", f"{VALUE}{body}", ON_APPLE, lambda _: True, ANY)
        for name, (body, _) in SPACES.items()
    ),
)
