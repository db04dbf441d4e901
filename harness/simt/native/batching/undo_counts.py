"""What blocks count that are replayed: what one counted is taken back where it has to begin anew, see `replay`."""

from collections.abc import Iterator

from harness.simt.native.analysis.notes import COUNTED
from harness.simt.native.emit.body import Body

__all__ = ["UndoCounts"]


class UndoCounts:
    """Of the function that replays them.

    Args:
        body: Of its lanes.

    Attributes:
        first: Of the numbers of its places in the code, which are behind those of code for other blocks.
    """

    def __init__(self, body: Body) -> None:
        self._body, self.first = body, 2 * len(body.traced)
        self._anew = bool(body.alike.ways and body.notes & COUNTED)

    def kept(self) -> dict[str, int]:
        """What the function keeps, with its bytes: what its places had counted before the block."""
        return {"sites.before": self._own()}

    def _own(self) -> int:
        """Bytes of what its places count."""
        return 8 * (2 * len(self._body.traced) - self.first)

    def _copied(self, to: str, of: str) -> str:
        self._body.declared.add("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
        return f"  call void @llvm.memcpy.p0.p0.i64(ptr %{to}, ptr %{of}, i64 {self._own()}, i1 false)"

    def begun(self) -> Iterator[str]:
        """Lines of a block that begins."""
        if self._anew:
            yield "  store i64 0, ptr %undo"
            yield self._copied("sites.before", "sites.own")

    def leg(self, number: int) -> Iterator[str]:
        """Lines of a leg that begins: its requests are told from others by its turn."""
        before, after = f"%turn.before{number}", f"%turn.of{number}"
        if not self._body.notes & COUNTED:
            yield f"  {after} = add i64 0, 0"
            return
        yield f"  {before} = load i64, ptr %turns.slot"
        yield f"  {after} = add i64 {before}, 1"
        yield f"  store i64 {after}, ptr %turns.slot"

    def ended(self) -> None:
        """A block ends: it went as the one before it."""
        body = self._body
        if "ways" in body.notes and body.alike.differs:
            own = body.new(f"getelementptr i64, ptr {body.new('load ptr, ptr %went.slot')}, i64 %b")
            before = body.new(f"load i64, ptr {body.new(f'getelementptr i64, ptr {own}, i64 -1')}")
            body.line(f"store i64 {before}, ptr {own}")

    def taken_back(self) -> str:
        """Lines behind `failed`, up to where `undone` ends: nothing of the block is counted."""
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
