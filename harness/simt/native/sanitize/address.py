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
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.context import ALLOCATION_FACTS
from harness.simt.native.emit.ir_values import FALSE, TRUE, IrValue, constant
from harness.simt.native.emit.lane_values import AGAIN, COUNT, LANE, OWN, RANK, TABLE
from harness.simt.native.sanitize.clusters import resolve_peer
from harness.simt.state.allocation import Access, row_bytes

__all__ = ["Address", "check_alignment", "check_writable", "checked_address", "note_strong_access", "variable_address"]

PITCH = "pitch"
ROW = f"[{len(ALLOCATION_FACTS)} x i64]"  # of the table of allocations
START = constant("i64", 0)


@dataclass(frozen=True, slots=True)
class Address:
    """Bytes of an allocation, within its bounds.

    Attributes:
        variable: The number of the allocation, where the code says it.
        entry: Its number in the table.
        row: Its row there.
        offset: From its beginning.
        rank: Of the block whose memory it is, where each has its own.
        place: Where the address lies that the code made it from, if that is known.
        data: The bytes of one that is only read, and written as a whole; else None.
    """

    body: Body
    variable: int | None
    entry: IrValue
    row: IrValue
    offset: IrValue
    rank: IrValue = RANK
    place: Provenance | None = None
    data: IrValue | None = None

    def fact(self, name: str) -> IrValue:
        """What is known of the allocation, see `ALLOCATION_FACTS`; the code knows some of it of a variable."""
        build = Builder(self.body)
        if self.variable is not None and (known := self._known(name)) is not None:
            return constant("i64", known)
        where = build.gep(self.row, ALLOCATION_FACTS[name])
        return build.load(where, "i64", align=8, invariant=True)

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

    def at(self, name: str, mask: IrValue | None = None) -> IrValue:
        """Its place in the data or in what is `written`: of the lane's own, where each has one."""
        build, offset = Builder(self.body), self.offset
        if name == "data" and (data := self.data or self._kept()):
            return build.gep(data, offset, "i8")
        if self.variable is None or self.body.variables[self.variable].rows == "lane":
            stride = self.fact("stride")
            offset = build.add(offset, build.mul(LANE, stride))
        if (pitch := self.of_block(PITCH)) is not None:
            offset = build.add(offset, pitch)
        if mask is not None and mask.fixed != -1:
            offset = build.and_(offset, mask)
        return build.inttoptr(build.add(self.fact(name), offset))

    def _kept(self) -> IrValue | None:
        """Where a variable's bytes are that live no longer than a block; None where that is not so."""
        shape, size = self.body.shape, None if self.variable is None else self._known("size")
        if shape is None or size is None or not self.alike:
            return None
        assert self.variable is not None
        shape.variables[self.variable] = size
        return IrValue("ptr", f"%variable{self.variable}")

    def of_block(self, pitch: str) -> IrValue | None:
        """How far its block's memory is behind the first one's; None where blocks have none, or each is alone."""
        own = self.variable is None or self.body.variables[self.variable].rows == "block"
        if CLUSTERS not in self.body.notes or not own:
            return None
        return Builder(self.body).mul(self.rank, self.fact(pitch))

    @property
    def fixed(self) -> int | None:
        """Its offset, where that is always the same."""
        return self.offset.fixed

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
        build = Builder(self.body)
        with build.if_then(build.xor(AGAIN, TRUE)) if self.alike else nullcontext():
            yield


def checked_address(
    body: Body, at: IrValue, width: int, pointer: Value | None = None, number: int | None = None
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
        base, fixed = base_of(number), at.fixed
        offset = Builder(body).sub(at, base) if fixed is None or fixed < 0 else constant("i64", fixed - base)
        found = variable_address(body, number, offset)
    with nullcontext() if body.alike.ways else found.once():  # a way is compared once the lane has gone it
        _within(found, width)
    return found


def variable_address(body: Body, number: int, offset: IrValue = START) -> Address:
    """A place in a variable of the code."""
    return Address(body, number, constant("i64", number), Builder(body).gep(TABLE, number, ROW), offset)


def _within(where: Address, width: int) -> None:
    """So many bytes from there on are its own."""
    build, size = Builder(where.body), where.fact("size")
    if (most := size.fixed) is None:
        build.fail_if(build.icmp_unsigned(">", where.offset, size))
        build.fail_if(build.icmp_unsigned("<", build.sub(size, where.offset), width))
    elif where.fixed is None:
        build.fail_if(build.icmp_unsigned(">", where.offset, most - width) if most >= width else TRUE)
    elif not 0 <= where.fixed <= most - width:
        build.fail_if(TRUE)


def _read(body: Body, shape: BlockShape, at: IrValue, width: int, place: Provenance) -> Address:
    """The same where it is known what the code reads there."""
    build = Builder(body)
    data, base, size = _place_of(body, shape, place)
    offset = build.sub(at, base)
    behind = build.intrinsic("i64", "llvm.usub.sat.i64", size, constant("i64", width - 1))
    build.fail_if(build.icmp_unsigned(">=", offset, behind))
    entry, row, _ = _entry(body, base) if body.notes & COUNTED else (START, TABLE, START)  # nobody asks for them
    return Address(body, None, entry, row, offset, place=place, data=data)


def _place_of(body: Body, shape: BlockShape, place: Provenance) -> tuple[IrValue, IrValue, IrValue]:
    """Return the data, the first address and the bytes of what an address leads to that code only reads."""
    data, base, size = shape.place(body.layout.reading(place))
    return IrValue("ptr", data), IrValue("i64", base), IrValue("i64", size)


def _anywhere(body: Body, at: IrValue, place: Provenance | None) -> Address:
    build = Builder(body)
    at, rank, said = resolve_peer(body, at)
    entry, row, last = _entry(body, at)
    build.fail_if(build.icmp_unsigned(">=", entry, last))
    offset = build.sub(build.and_(at, (1 << SHIFT) - 1), BIAS)
    for alike in sorted(body.named):
        build.fail_if(build.icmp_unsigned("==", entry, alike))
    found = Address(body, None, entry, row, offset, rank, place)
    if said != FALSE:  # each block has its own
        build.fail_if(build.and_(said, build.icmp_unsigned("==", found.fact(PITCH), 0)))
    return found


def _entry(body: Body, at: IrValue) -> tuple[IrValue, IrValue, IrValue]:
    """The number of an address's allocation in the table, its row there, and where those like it end."""
    build = Builder(body)
    number = build.lshr(at, SHIFT)
    lasting = build.icmp_unsigned(">=", number, FIRST)
    behind = build.add(build.sub(number, FIRST), OWN)
    entry = build.select(lasting, behind, number)
    last = build.select(lasting, COUNT, OWN)
    return entry, build.gep(TABLE, entry, ROW), last


def check_alignment(where: Address, access: Access) -> None:
    """It is as aligned as is promised."""
    build, low = Builder(where.body), access.align - 1
    if where.fixed is not None and not where.fixed & low:
        return
    if low > 0:
        build.fail_if(build.icmp_unsigned("!=", build.and_(where.offset, low), 0))


def check_writable(where: Address) -> None:
    """It may be stored to."""
    build, known = Builder(where.body), where.fact("writable")
    if known.fixed != 1:
        build.fail_if(build.icmp_unsigned("==", known, 0))


def note_strong_access(where: Address) -> None:
    """An access is volatile or atomic: where lanes share what they may write to, it is told as one."""
    body, build = where.body, Builder(where.body)
    body.strong.add(body.here)
    if body.shape is not None:  # lanes have that slot in common
        body.shape.shares = True
    if where.data is not None:
        assert body.shape is not None and where.place is not None
        _, base, _ = _place_of(body, body.shape, where.place)
        where = replace(where, row=_entry(body, base)[1])
    common, place = where.fact("common"), build.slot_at("strong")
    build.store(build.or_(common, build.load(place, "i64")), place)
