"""Bytes of allocations that an address leads to."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace

from harness.simt.compile.graph import Value
from harness.simt.ir.values import BIAS, FIRST, SHIFT, base_of
from harness.simt.native.analysis.block_invariance import variable_of
from harness.simt.native.analysis.notes import CLUSTERS, COUNTED
from harness.simt.native.analysis.provenance import Provenance, provenance_of
from harness.simt.native.emit.block_shape import BlockShape
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.context import ALLOCATION_FACTS
from harness.simt.native.sanitize.clusters import resolve_peer
from harness.simt.state.allocation import Access, row_bytes

__all__ = ["Address", "check_alignment", "check_writable", "checked_address", "note_strong_access", "variable_address"]

PITCH = "pitch"


@dataclass(frozen=True, slots=True)
class Address:
    """Bytes of an allocation, within its bounds.

    Attributes:
        variable: The number of the allocation, where the code says it.
        entry: Its number in the table.
        row: Its row there, as a `ptr`.
        offset: From its beginning.
        rank: Of the block whose memory it is, where each has its own.
        place: Where the address lies that the code made it from, if that is known.
        data: The bytes of one that is only read, and written as a whole, as a `ptr`; else empty.
    """

    body: Body
    variable: int | None
    entry: str
    row: str
    offset: str
    rank: str = "%rank"
    place: Provenance | None = None
    data: str = ""

    def fact(self, name: str) -> str:
        """What is known of the allocation, see `ALLOCATION_FACTS`; the code knows some of it of a variable."""
        if self.variable is not None and (known := self._known(name)) is not None:
            return str(known)
        where = self.body.new(f"getelementptr i64, ptr {self.row}, i64 {ALLOCATION_FACTS[name]}")
        return self.body.new(f"load i64, ptr {where}, align 8, !invariant.load !0")

    def _known(self, name: str) -> int | None:
        variable = self.body.variables[self.variable or 0]
        match name:
            case "size":
                return variable.size or None  # that of one is the launch's
            case "writable":
                return int(variable.writable)
            case "start":
                return int(variable.rows == "grid")
            case "stride" if variable.rows == "lane":
                return row_bytes(variable.size)
            case "mask" if variable.rows != "grid":  # each of its bytes has its own mark
                return -1
        return None

    def at(self, name: str, mask: str = "-1") -> str:
        """Its place in the data or in what is `written`, as a `ptr`: of the lane's own, where each has one."""
        new, offset = self.body.new, self.offset
        if name == "data" and (data := self.data or self._kept()):
            return new(f"getelementptr i8, ptr {data}, i64 {offset}")
        if self.variable is None or self.body.variables[self.variable].rows == "lane":
            stride = self.fact("stride")
            offset = new(f"add i64 {offset}, {new(f'mul i64 %lane, {stride}')}")
        if (pitch := self.of_block(PITCH)) is not None:
            offset = new(f"add i64 {offset}, {pitch}")
        if mask != "-1":
            offset = new(f"and i64 {offset}, {mask}")
        return self.body.pointer(new(f"add i64 {self.fact(name)}, {offset}"))

    def _kept(self) -> str:
        """Where a variable's bytes are that live no longer than a block; empty where that is not so."""
        shape, size = self.body.shape, None if self.variable is None else self._known("size")
        if shape is None or size is None or not self.alike:
            return ""
        assert self.variable is not None
        shape.variables[self.variable] = size
        return f"%variable{self.variable}"

    def of_block(self, pitch: str) -> str | None:
        """How far its block's memory is behind the first one's; None where blocks have none, or each is alone."""
        own = self.variable is None or self.body.variables[self.variable].rows == "block"
        if CLUSTERS not in self.body.notes or not own:
            return None
        return self.body.new(f"mul i64 {self.rank}, {self.fact(pitch)}")

    @property
    def fixed(self) -> int | None:
        """Its offset, where that is always the same."""
        return int(self.offset) if self.offset.lstrip("-").isdigit() else None

    @property
    def private(self) -> bool:
        """Whether blocks are known not to share it."""
        return self.variable is not None and self.body.variables[self.variable].rows != "grid"

    @property
    def alike(self) -> bool:
        """Whether what is proved of it in one block is so in all."""
        return self.variable in self.body.alike.variables

    @contextmanager
    def once(self) -> Iterator[None]:
        """What is written now runs until a block was proved clean, where that is enough."""
        with self.body.only(self.body.new("xor i1 %again, true")) if self.alike else nullcontext():
            yield


def checked_address(
    body: Body, at: str, width: int, pointer: Value | None = None, number: int | None = None
) -> Address:
    """Where the bytes of an address are.

    Args:
        pointer: What it is made from, where that may tell the allocation.
        number: Of the variable that it is in, where that is known.
    """
    number = number if pointer is None else variable_of(body.program, body.made, pointer)
    place = None if pointer is None or number is not None else provenance_of(body.program, body.made, pointer)
    if place is not None and body.shape is not None and body.shape.reads(place):
        return _read(body, body.shape, at, width, place)
    if number is None:
        found = _anywhere(body, at, place)
    else:
        base = base_of(number)
        found = variable_address(
            body, number, str(int(at) - base) if at.isdigit() else body.new(f"sub i64 {at}, {base}")
        )
    with nullcontext() if body.alike.ways else found.once():  # a way is compared once the lane has gone it
        _within(found, width)
    return found


def variable_address(body: Body, number: int, offset: str = "0") -> Address:
    """A place in a variable of the code."""
    row = body.new(f"getelementptr [{len(ALLOCATION_FACTS)} x i64], ptr %table, i64 {number}")
    return Address(body, number, str(number), row, offset)


def _within(where: Address, width: int) -> None:
    """So many bytes from there on are its own."""
    body, size = where.body, where.fact("size")
    if not size.isdigit():
        body.unless(body.new(f"icmp ugt i64 {where.offset}, {size}"))
        body.unless(body.new(f"icmp ult i64 {body.new(f'sub i64 {size}, {where.offset}')}, {width}"))
    elif where.fixed is None:
        wrong = body.new(f"icmp ugt i64 {where.offset}, {int(size) - width}") if int(size) >= width else "true"
        body.unless(wrong)
    elif not 0 <= where.fixed <= int(size) - width:
        body.unless("true")


def _read(body: Body, shape: BlockShape, at: str, width: int, place: Provenance) -> Address:
    """The same where it is known what the code reads there."""
    data, base, size = shape.place(body.layout.reading(place))
    offset = body.new(f"sub i64 {at}, {base}")
    behind = body.call("i64", "llvm.usub.sat.i64", ("i64", size), ("i64", str(width - 1)))
    body.unless(body.new(f"icmp uge i64 {offset}, {behind}"))
    entry, row, _ = _entry(body, base) if body.notes & COUNTED else ("", "", "")
    return Address(body, None, entry, row, offset, place=place, data=data)


def _anywhere(body: Body, at: str, place: Provenance | None) -> Address:
    new = body.new
    at, rank, said = resolve_peer(body, at)
    entry, row, last = _entry(body, at)
    body.unless(new(f"icmp uge i64 {entry}, {last}"))
    offset = new(f"sub i64 {new(f'and i64 {at}, {(1 << SHIFT) - 1}')}, {BIAS}")
    for alike in sorted(body.named):
        body.unless(new(f"icmp eq i64 {entry}, {alike}"))
    found = Address(body, None, entry, row, offset, rank, place)
    if said != "false":  # each block has its own
        body.unless(new(f"and i1 {said}, {new(f'icmp eq i64 {found.fact(PITCH)}, 0')}"))
    return found


def _entry(body: Body, at: str) -> tuple[str, str, str]:
    """The number of an address's allocation in the table, its row there, and where those like it end."""
    new, number = body.new, body.new(f"lshr i64 {at}, {SHIFT}")
    lasting = new(f"icmp uge i64 {number}, {FIRST}")
    behind = new(f"add i64 {new(f'sub i64 {number}, {FIRST}')}, %own")
    entry = new(f"select i1 {lasting}, i64 {behind}, i64 {number}")
    last = new(f"select i1 {lasting}, i64 %count, i64 %own")
    return entry, new(f"getelementptr [{len(ALLOCATION_FACTS)} x i64], ptr %table, i64 {entry}"), last


def check_alignment(where: Address, access: Access) -> None:
    """It is as aligned as is promised."""
    low = access.align - 1
    if where.fixed is not None and not where.fixed & low:
        return
    if low > 0:
        where.body.unless(where.body.new(f"icmp ne i64 {where.body.new(f'and i64 {where.offset}, {low}')}, 0"))


def check_writable(where: Address) -> None:
    """It may be stored to."""
    known = where.fact("writable")
    if known != "1":
        where.body.unless(where.body.new(f"icmp eq i64 {known}, 0"))


def note_strong_access(where: Address) -> None:
    """An access is volatile or atomic: where lanes share what they may write to, it is told as one."""
    body, new = where.body, where.body.new
    body.strong.add(body.here)
    if body.shape is not None:  # lanes have that slot in common
        body.shape.shares = True
    if where.data:
        assert body.shape is not None and where.place is not None
        _, base, _ = body.shape.place(body.layout.reading(where.place))
        where = replace(where, row=_entry(body, base)[1])
    common, place = where.fact("common"), body.slot_at("strong")
    before = new(f"load i64, ptr {place}")
    body.line(f"store i64 {new(f'or i64 {common}, {before}')}, ptr {place}")
