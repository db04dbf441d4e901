"""Emit checks of bounds, alignment, writability; note strong accesses; `Address` gives host addresses and facts."""

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
        """Return a fact of the allocation, a key of `ALLOCATION_FACTS`, as an i64: a constant if the code shows it,
        else a load.
        """
        build = Builder(self.body)
        if self.variable is not None and (value := self._constant_fact(name)) is not None:
            return constant("i64", value)
        where = build.gep(self.row, ALLOCATION_FACTS[name])
        return build.load(where, "i64", align=8, invariant=True)

    def _constant_fact(self, name: str) -> int | None:
        """Return a fact of a variable that the code shows; None if it is the launch's to say."""
        assert self.variable is not None
        variable = self.body.variables[self.variable]
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
        """Return the host's address of the bytes, a `ptr`; in the lane's or block's own copy if each has one.

        Args:
            name: `data`, or `written` for the marks of the bytes.
            mask: An i64 that is and-ed with the offset; None for the offset as it is.
        """
        build, offset = Builder(self.body), self.offset
        if name == "data" and (data := self.data or self._block_memory()):
            return build.gep(data, offset, "i8")
        if self.variable is None or self.body.variables[self.variable].rows == "lane":
            stride = self.fact("stride")
            offset = build.add(offset, build.mul(LANE, stride))
        if (pitch := self.of_block(PITCH)) is not None:
            offset = build.add(offset, pitch)
        if mask is not None and mask.fixed != -1:
            offset = build.and_(offset, mask)
        return build.inttoptr(build.add(self.fact(name), offset))

    def _block_memory(self) -> IrValue | None:
        """Return the memory in the function's own frame that a block-invariant variable has; None if it has none.

        Only code for blocks of one shape has such memory; the variable is noted in `shape.variables`.
        """
        shape, size = self.body.shape, None if self.variable is None else self._constant_fact("size")
        if shape is None or size is None or not self.is_invariant:
            return None
        assert self.variable is not None
        shape.variables[self.variable] = size
        return IrValue("ptr", f"%variable{self.variable}")

    def of_block(self, pitch: str) -> IrValue | None:
        """Return the distance, in bytes, from the memory of the cluster's first block to that of the address's block.

        None if blocks form no clusters, or the code shows that they share the memory or that each lane has its own.

        Args:
            pitch: The fact that has the distance of neighbouring blocks: `pitch` for data, `cell pitch` for shadow
                cells.
        """
        is_per_block = self.variable is None or self.body.variables[self.variable].rows == "block"
        if CLUSTERS not in self.body.notes or not is_per_block:
            return None
        return Builder(self.body).mul(self.rank, self.fact(pitch))

    @property
    def fixed(self) -> int | None:
        """The offset, if it is a constant; else None."""
        return self.offset.fixed

    @property
    def private(self) -> bool:
        """True if blocks are known not to share the allocation."""
        return self.variable is not None and self.body.variables[self.variable].rows != "grid"

    @property
    def is_invariant(self) -> bool:
        """True if a proof of the variable in one block holds in all."""
        return self.variable in self.body.invariance.variables

    @contextmanager
    def once(self) -> Iterator[None]:
        """Make a context whose code runs only until a block was proved clean, if the variable is block-invariant; else
        the code always runs.
        """
        build = Builder(self.body)
        with build.if_then(build.xor(AGAIN, TRUE)) if self.is_invariant else nullcontext():
            yield


def checked_address(
    body: Body, at: IrValue, width: int, pointer: Value | None = None, number: int | None = None
) -> Address:
    """Emit checks that an access is within an allocation, and return its bytes.

    Alignment, and whether the bytes may be written, are not checked. If the code shows neither a variable nor, in code
    for batches, memory that is only read, any allocation will do except the variables of `body.named`.

    Args:
        at: The address in the kernel, an i64.
        width: Bytes of the access.
        pointer: The value that the address is computed from, which may show the variable.
        number: The variable that the address is in, if that is known; ignored if there is a `pointer`.
    """
    number = number if pointer is None else variable_of(body.program, body.definitions, pointer)
    place = None if pointer is None or number is not None else provenance_of(body.program, body.definitions, pointer)
    if place is not None and body.shape is not None and body.shape.reads(place):
        return _read_only_address(body, body.shape, at, width, place)
    if number is None:
        address = _address_in_table(body, at, place)
    else:
        base, fixed = base_of(number), at.fixed
        offset = Builder(body).sub(at, base) if fixed is None or fixed < 0 else constant("i64", fixed - base)
        address = variable_address(body, number, offset)
    with nullcontext() if body.invariance.branches else address.once():  # a way is compared once the lane has gone it
        _check_within(address, width)
    return address


def variable_address(body: Body, number: int, offset: IrValue = START) -> Address:
    """Return the address of bytes in a variable of the code; the offset is not checked."""
    return Address(body, number, constant("i64", number), Builder(body).gep(TABLE, number, ROW), offset)


def _check_within(where: Address, width: int) -> None:
    """Emit a check that `width` bytes from an address on are within its allocation; nothing if constants show it."""
    build, size = Builder(where.body), where.fact("size")
    if (most := size.fixed) is None:
        build.fail_if(build.icmp_unsigned(">", where.offset, size))
        build.fail_if(build.icmp_unsigned("<", build.sub(size, where.offset), width))
    elif where.fixed is None:
        build.fail_if(build.icmp_unsigned(">", where.offset, most - width) if most >= width else TRUE)
    elif not 0 <= where.fixed <= most - width:
        build.fail_if(TRUE)


def _read_only_address(body: Body, shape: BlockShape, at: IrValue, width: int, place: Provenance) -> Address:
    """Return the address, with its `data`, of bytes in memory that the code only reads; emits a check of its bounds.

    The address's `entry` and `row` are right only if accesses are counted.

    Args:
        place: The provenance of the address, by which the memory is known.
    """
    build = Builder(body)
    data, base, size = _read_only_memory(body, shape, place)
    offset = build.sub(at, base)
    behind = build.intrinsic("i64", "llvm.usub.sat.i64", size, constant("i64", width - 1))
    build.fail_if(build.icmp_unsigned(">=", offset, behind))
    entry, row, _ = _table_entry(body, base) if body.notes & COUNTED else (START, TABLE, START)  # nobody asks for them
    return Address(body, None, entry, row, offset, place=place, data=data)


def _read_only_memory(body: Body, shape: BlockShape, place: Provenance) -> tuple[IrValue, IrValue, IrValue]:
    """Return the data pointer, the first address and the size of memory that the code only reads, by provenance.

    They become parameters of the function, which `shape` notes.
    """
    data, base, size = shape.place(body.layout.reading(place))
    return IrValue("ptr", data), IrValue("i64", base), IrValue("i64", size)


def _address_in_table(body: Body, at: IrValue, place: Provenance | None) -> Address:
    """Return an address; emits checks that it is in some allocation, but in no variable of `body.named`.

    With clusters, the rank of another block is checked as in `resolve_peer`; a rank is refused in addresses of memory
    that blocks share. Whether the address is within the allocation's bounds is not checked.
    """
    build = Builder(body)
    at, rank, names_peer = resolve_peer(body, at)
    entry, row, last = _table_entry(body, at)
    build.fail_if(build.icmp_unsigned(">=", entry, last))
    offset = build.sub(build.and_(at, (1 << SHIFT) - 1), BIAS)
    for variable in sorted(body.named):
        build.fail_if(build.icmp_unsigned("==", entry, variable))
    address = Address(body, None, entry, row, offset, rank, place)
    if names_peer != FALSE:  # each block has its own
        build.fail_if(build.and_(names_peer, build.icmp_unsigned("==", address.fact(PITCH), 0)))
    return address


def _table_entry(body: Body, at: IrValue) -> tuple[IrValue, IrValue, IrValue]:
    """Emit the number that an address's allocation has in the table, its row there, and a limit for the number.

    Nothing is checked; the address is in no allocation if the number is not below the limit.
    """
    build = Builder(body)
    number = build.lshr(at, SHIFT)
    lasting = build.icmp_unsigned(">=", number, FIRST)
    behind = build.add(build.sub(number, FIRST), OWN)
    entry = build.select(lasting, behind, number)
    last = build.select(lasting, COUNT, OWN)
    return entry, build.gep(TABLE, entry, ROW), last


def check_alignment(where: Address, access: Access) -> None:
    """Emit a check that the offset in the allocation is a multiple of the alignment that an access promises.

    Emits nothing if the alignment is 1 or a constant offset fits it.
    """
    build, low = Builder(where.body), access.align - 1
    if where.fixed is not None and not where.fixed & low:
        return
    if low > 0:
        build.fail_if(build.icmp_unsigned("!=", build.and_(where.offset, low), 0))


def check_writable(where: Address) -> None:
    """Emit a check that an allocation may be stored to; nothing if the code shows that it may."""
    build, writable = Builder(where.body), where.fact("writable")
    if writable.fixed != 1:
        build.fail_if(build.icmp_unsigned("==", writable, 0))


def note_strong_access(where: Address) -> None:
    """Emit a note of a volatile or atomic access if lanes share the allocation and may write to it.

    Also records the current segment in `body.strong`, and in code for batches sets `shape.shares`.
    """
    body, build = where.body, Builder(where.body)
    body.strong.add(body.here)
    if body.shape is not None:  # lanes have that slot in common
        body.shape.shares = True
    if where.data is not None:
        assert body.shape is not None and where.place is not None
        _, base, _ = _read_only_memory(body, body.shape, where.place)
        where = replace(where, row=_table_entry(body, base)[1])
    common, place = where.fact("common"), build.slot_at("strong")
    build.store(build.or_(common, build.load(place, "i64")), place)
