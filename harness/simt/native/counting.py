"""What is noted of accesses for counters, in code that has been asked for it.

`elements`: of each cell of the memory that blocks share, how often it was loaded and stored to. `shared` and `global`:
each access to such memory, one by one, as the number of its place in the code, of its allocation and its offset; behind
those of a lane from one wait to the next stand its number and which way it went. `ways`: of each block the way that all
of its lanes went; blocks that went alike do the same, but for which global memory they touch. `reads`: what is loaded,
also where nothing is stored.
"""

from harness.simt.compile.graph import Op
from harness.simt.native.body import Body, Traced
from harness.simt.native.layout import ENTRY, FIXED, OFFSETS
from harness.simt.native.spots import Spot
from harness.simt.native.ways import STEP, turned
from harness.simt.state.allocation import Access

__all__ = ["COUNT", "TURNS", "begun", "counted", "ended", "noted_one", "stayed", "went"]

TURNS = 64  # how often a lane may go round in a stretch, so that in Python none behind the loop has its turn before

COUNT = """
define internal void @count(i64 %first, i64 %count) {
  %nothing = icmp eq i64 %count, 0
  br i1 %nothing, label %done, label %cell
cell:
  %i = phi i64 [ 0, %0 ], [ %i1, %cell ]
  %offset = shl i64 %i, 3
  %at = add i64 %first, %offset
  %p = inttoptr i64 %at to ptr
  %old = load i32, ptr %p, align 4
  %new = add i32 %old, 1
  store i32 %new, ptr %p, align 4
  %i1 = add nuw i64 %i, 1
  %more = icmp ult i64 %i1, %count
  br i1 %more, label %cell, label %done
done:
  ret void
}
"""


def counted(where: Spot, access: Access, kind: str, if_: str = "true") -> None:
    """Each of its cells is loaded or stored to once more, where an i1 holds."""
    body, grain = where.body, where.body.layout.grain
    if "elements" in body.notes:
        counts = where.fact("counts")
        first = body.new(f"shl i64 {body.new(f'lshr i64 {where.offset}, {grain.bit_length() - 1}')}, 3")
        at = body.new(f"add i64 {body.new(f'add i64 {counts}, {first}')}, {0 if kind == 'load' else 4}")
        some = body.new(f"and i1 {if_}, {body.new(f'icmp ne i64 {counts}, 0')}")
        many = body.new(f"select i1 {some}, i64 {access.width // grain}, i64 0")
        body.line(f"call void @count(i64 {at}, i64 {many})")


def noted_one(where: Spot, op: Op, kind: str, size: int, elements: int, alike: bool = False) -> None:
    """Such an access was made."""
    body = where.body
    if body.notes & {"shared", "global"}:
        looped = body.program.segments[body.here].loop is not None
        body.traced.append(Traced(op, kind, size, elements, alike, looped))
        some, none = body.name(), body.name()
        wanted = body.new(f"icmp ne i64 {where.fact('traced')}, 0")
        body.line(f"br i1 {wanted}, label %{some}, label %{none}")
        body.lines.append(f"{some}:")
        place = body.new(f"or i64 {body.new(f'shl i64 {where.entry}, {OFFSETS}')}, {where.offset}")
        _append(body, str(len(body.traced) - 1), place)
        body.line(f"br label %{none}")
        body.lines.append(f"{none}:")


def _append(body: Body, first: str, second: str) -> None:
    at = body.new("load ptr, ptr %trace")
    body.unless(body.new(f"icmp uge ptr {at}, %trace.end"))
    body.line(f"store i64 {first}, ptr {at}, align 8")
    body.line(f"store i64 {second}, ptr {body.new(f'getelementptr i64, ptr {at}, i64 1')}, align 8")
    body.line(f"store ptr {body.new(f'getelementptr i8, ptr {at}, i64 {ENTRY}')}, ptr %trace")


def begun(body: Body, piece: int) -> None:
    """A lane sets out."""
    if body.notes & {"shared", "global"}:
        for line in ("%trace = alloca ptr", "%way = alloca i64", f"store i64 {piece}, ptr %way"):
            body.line(line)
        for name in ("trace", "trace end"):
            label = name.replace(" ", ".")
            body.line(f"%{label}.slot = getelementptr i64, ptr %ctx, i64 {FIXED[name]}")
        body.line("%trace.end = load ptr, ptr %trace.end.slot")
        body.line("%trace.first = load ptr, ptr %trace.slot")
        body.line("store ptr %trace.first, ptr %trace")


def went(body: Body, piece: int, edge: int) -> None:
    """It takes one of several ways."""
    if body.notes & {"shared", "global"}:
        turned(body, "way", (piece << 8) + edge + 1)


def ended(body: Body) -> None:
    """It comes to a wait, or to its end."""
    if "ways" in body.notes:
        went_at = body.new(f"getelementptr i64, ptr %ctx, i64 {FIXED['went']}")
        place = body.new(f"getelementptr i64, ptr {body.new(f'load ptr, ptr {went_at}')}, i64 %block")
        before = body.new(f"xor i64 {body.new(f'load i64, ptr {place}')}, {body.new('load i64, ptr %way')}")
        mixed = body.new(f"mul i64 {before}, {STEP}")
        mixed = body.new(f"xor i64 {mixed}, {body.new(f'lshr i64 {mixed}, 29')}")
        body.line(f"store i64 {mixed}, ptr {place}")
    if body.notes & {"shared", "global"}:
        some, none = body.name(), body.name()
        nothing = body.new(f"icmp eq ptr {body.new('load ptr, ptr %trace')}, %trace.first")
        body.line(f"br i1 {nothing}, label %{none}, label %{some}")
        body.lines.append(f"{some}:")
        row = "%row"
        if "ways" in body.notes:  # and when it was, so that a wait shows between lanes that rise
            when = body.new(f"zext i32 {body.new('add i32 %now, %now.far')} to i64")
            row = body.new(f"or i64 %row, {body.new(f'shl i64 {when}, 32')}")
        _append(body, body.new(f"xor i64 {row}, -1"), body.new("load i64, ptr %way"))
        body.line(f"store ptr {body.new('load ptr, ptr %trace')}, ptr %trace.slot")
        body.line(f"br label %{none}")
        body.lines.append(f"{none}:")


def stayed(body: Body, rounds: str) -> None:
    """It went round so often before."""
    if "ways" in body.notes:
        body.unless(body.new(f"icmp sgt i64 {rounds}, {TURNS}"))
