"""Emit code that saves all counters before a batched block, and restores them if the block fails and runs again."""

from collections.abc import Iterator

from harness.simt.native.analysis.notes import COUNTED
from harness.simt.native.emit.body import Body

__all__ = ["UndoCounts"]


class UndoCounts:
    """Counts of the function that runs blocks in a batch.

    Args:
        body: The function of its lanes.

    Attributes:
        first: The index of the first count of its request sites; those of code for other blocks come before.
    """

    def __init__(self, body: Body) -> None:
        self._body, self.first = body, 2 * len(body.traced)
        self._anew = bool(body.invariance.branches and body.notes & COUNTED)

    def saved_memory(self) -> dict[str, int]:
        """Return the names and sizes, in bytes, of the memory that the function needs to save counts before a block."""
        return {"sites.before": self._count_bytes()}

    def _count_bytes(self) -> int:
        """Return the bytes of the counts of its request sites."""
        return 8 * (2 * len(self._body.traced) - self.first)

    def _copied(self, to: str, of: str) -> str:
        self._body.declared.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        return f"  call void @llvm.memcpy.p0.p0.i64(ptr %{to}, ptr %{of}, i64 {self._count_bytes()}, i1 false)"

    def begin_block(self) -> Iterator[str]:
        """Yield the lines that save the counts when a block begins; none if `restore` restores nothing."""
        if self._anew:
            yield "  store i64 0, ptr %undo"
            yield self._copied("sites.before", "sites.own")

    def begin_region(self, number: int) -> Iterator[str]:
        """Yield the lines that define `%turn.ofN`, a number by which the requests of a region differ from others.

        It is the next number of the slot `turns`, or 0 if nothing is counted.
        """
        before, after = f"%turn.before{number}", f"%turn.of{number}"
        if not self._body.notes & COUNTED:
            yield f"  {after} = add i64 0, 0"
            return
        yield f"  {before} = load i64, ptr %turns.slot"
        yield f"  {after} = add i64 {before}, 1"
        yield f"  store i64 {after}, ptr %turns.slot"

    def end_block(self) -> None:
        """Emit that a block took the control path of the block before it; nothing if paths are not noted or cannot
        differ.
        """
        body = self._body
        if "ways" in body.notes and body.invariance.differs:
            path = body.new(f"getelementptr i64, ptr {body.new('load ptr, ptr %went.slot')}, i64 %b")
            before = body.new(f"load i64, ptr {body.new(f'getelementptr i64, ptr {path}, i64 -1')}")
            body.line(f"store i64 {before}, ptr {path}")

    def restore(self) -> str:
        """Return the lines from `failed` to `undone`, which restore all counts from before the block.

        They only jump to `undone` if nothing is counted or blocks cannot fail by taking another path.
        """
        if not self._anew:
            return "  br label %undone\nundone:"
        return f"""  %undo.all = load i64, ptr %undo
  br label %undoes
undoes:
  %undo.left = phi i64 [ %undo.all, %failed ], [ %undo.next, %undo.one ]
  %undo.over = icmp eq i64 %undo.left, 0
  br i1 %undo.over, label %undone, label %undo.one
undo.one:
  %undo.last = getelementptr i64, ptr %undo, i64 %undo.left
  %undo.cell = load ptr, ptr %undo.last
  %undo.was = load i32, ptr %undo.cell
  %undo.less = sub i32 %undo.was, 1
  store i32 %undo.less, ptr %undo.cell
  %undo.next = sub i64 %undo.left, 1
  br label %undoes
undone:
{self._copied("sites.own", "sites.before")}"""
