"""A wrong block costs that block: the interpreter runs it alone, and says and leaves what it does when it runs all."""

from __future__ import annotations

from functools import partial

from harness import simt
from tests.simt.engines import BARRIER, FAR, FIFTH, IN_BLOCK, LOOKS, OUT, UPDATE, VALUE, WIDE, WORKERS, looks
from tests.simt.launches.row import Row

__all__ = ["BLOCKS", "WRONG_BLOCKS"]

BLOCKS = 12
# Only blocks whose threads look nowhere wrong need the barrier.
EXCHANGE = f"""{IN_BLOCK}
  %c = icmp ult i32 %v, 384
  br i1 %c, label %give, label %on
give:
  store i32 %v, ptr addrspace(3) %mine
  br label %on
on:
  {BARRIER}
  br i1 %c, label %take, label %end
take:
  %x = load i32, ptr addrspace(3) %theirs
  br label %end
end:"""
TRAP = """
  %c = icmp ult i32 %v, 384
  br i1 %c, label %end, label %bad
bad:
  call void @llvm.trap()
  unreachable
end:"""
ONLY_PYTHON = {
    "it writes what others read": (
        f"{FAR}{FIFTH}\n  %y = load i32, ptr %g\n  br i1 %c, label %end, label %on\non:\n  store i32 %y, ptr %g\n"
        "  br label %end\nend:",
        (3,),
    ),
    "it reads what others write": (f"{LOOKS}{FAR}{FIFTH}\n  %y = load i32, ptr %g", (3,)),
    "it ends the launch": (LOOKS + TRAP, (3,)),
    "most are wrong": (LOOKS + FAR, range(1, BLOCKS)),
    "all update one place": (UPDATE + FAR, (11,)),
}
# Some threads look there before others write, interpreted; natively they come later, and the block was found wrong.
EARLY = """
  %q = getelementptr i32, ptr %o, i64 %i
  %odd = and i32 %t, 1
  %cut = select i1 %c, i32 0, i32 %odd
  %d = icmp ne i32 %cut, 0
  br i1 %d, label %early, label %all
early:
  %r = xor i64 %i, 1
  %e = getelementptr i32, ptr %o, i64 %r
  %x = load i32, ptr %e
  br label %all
all:
  %y = phi i32 [ %v, %0 ], [ %x, %early ]
  store i32 %y, ptr %q"""
# It takes all stores to know how wide what nobody writes would have been.
UNWRITTEN = f"{FAR}\n  %c = icmp ne i32 %v, 5\n  br i1 %c, label %go, label %end\ngo:{OUT}\n  br label %end\nend:"
RACING = f"{IN_BLOCK}\n  store i32 %v, ptr addrspace(3) %mine\n  %w = load i32, ptr addrspace(3) %theirs{OUT}"
THOUSAND = {"initialised": True, **looks(0, 1, 63, 700, 999, blocks=1000)}
OUTSIDE, QUIET = ("out-of-bounds.after",), partial(simt.observers, counters=False, redundant=False)
OPTIONS = {"all observers": {}, "two blocks a chunk": {"chunk_lanes": 2 * WIDE}, "no observer": {"observers": tuple}}
# What a wrong block noted before it was left counts for nothing: only interpreted it is known what it needs.
NEEDED = {
    "the others need": (f"{VALUE}{EXCHANGE}{FAR}", BLOCKS - 1),
    "the wrong block needs": (f"{VALUE}{EXCHANGE.replace('ult', 'uge')}{FAR}", 0),
    "the wrong block needs once it was left": (f"{VALUE}{FAR}{EXCHANGE.replace('ult', 'uge')}", 0),
}


def _looking(*wrong: int, blocks: int = BLOCKS) -> dict[str, object]:
    return {"initialised": True, **looks(*wrong, blocks=blocks)}


WRONG_BLOCKS = (
    *(
        Row(f"wrong: {wrong}", f"{VALUE}{LOOKS}{FAR}", _looking(wrong), BLOCKS - 1, OUTSIDE, places=(WIDE,))
        for wrong in range(BLOCKS)
    ),
    *(
        Row(
            f"wrong: five of a thousand, {name}",
            f"{VALUE}{LOOKS}{FAR}{OUT}",
            THOUSAND | how,
            995,
            OUTSIDE,
            places=(5 * WIDE,),
        )
        for name, how in OPTIONS.items()
    ),
    *(
        Row(
            f"wrong: {wrong} of a thousand, by workers",
            f"{VALUE}{LOOKS}{FAR}",
            _looking(*wrong, blocks=1000),
            1000 - len(wrong),
            OUTSIDE,
            places=(WIDE * len(wrong),),
            workers=WORKERS,
        )
        for wrong in ((1,), (500,), (999,), (2, 3, 4, 700))
    ),
    Row("wrong: most, by workers", f"{VALUE}{LOOKS}{FAR}", _looking(*range(1, BLOCKS)), 0, OUTSIDE, workers=WORKERS),
    *(
        Row(f"wrong: a barrier that {who}", body, _looking(3), native, frozenset({"out-of-bounds"}), noted=())
        for who, (body, native) in NEEDED.items()
    ),
    *(Row(f"wrong: {name}", VALUE + body, _looking(*wrong), 0, None) for name, (body, wrong) in ONLY_PYTHON.items()),
    Row(
        "wrong: it looks before others write",
        f"{VALUE}\n  %c = icmp ult i32 %v, 384{EARLY}{FAR}",
        looks(3),
        BLOCKS - 1,
        frozenset({"out-of-bounds", "race", "uninitialised"}),
    ),
    Row("wrong: what nobody writes", VALUE + UNWRITTEN, looks(3), 0, frozenset({"out-of-bounds", "never-written"})),
    Row("wrong: a thousand race", VALUE + RACING, {"observers": QUIET, **looks(blocks=1024)}, 0, frozenset({"race"})),
)
