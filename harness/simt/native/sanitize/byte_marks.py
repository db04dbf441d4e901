"""Emit, set and check a mark for each byte: not written, written, part of a barrier, or target of a copy in flight.

They are looked at and set by words of up to eight: unoptimised code of vectors takes several times as long to make.
"""

from collections.abc import Iterator

from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_values import FALSE, TRUE, IrValue, constant
from harness.simt.native.emit.lane_values import EPOCH, FLIGHT, NOW
from harness.simt.native.sanitize.address import Address
from harness.simt.state.allocation import Access

__all__ = ["BARRIER", "WRITTEN", "check_copies", "check_marks", "has_mark", "set_epoch_mark", "set_marks"]

MARKS = 253  # of epochs, from 2 on
WRITTEN = 1  # what marks a byte that a store wrote; 0 one that nothing did
BARRIER = 0x82  # what marks a byte that belongs to a barrier: neither of them
LAST = 0xFF  # stands for an epoch in place of that
WORD = 8  # bytes
EACH = 0x0101010101010101  # a byte in all of a word


def set_epoch_mark(body: Body) -> None:
    """Emit `%epoch`: in each of 8 bytes the mark of a copy of this epoch, neither 0, `WRITTEN` nor `BARRIER`."""
    build = Builder(body)
    mark = build.add(build.urem(NOW, MARKS), 2)
    if body.arrives:
        mark = build.select(build.icmp_unsigned("==", mark, BARRIER), constant("i32", LAST), mark)
    build.mul(build.zext(mark, "i64"), EACH, name="epoch")


def _words(body: Body, place: IrValue, size: int) -> Iterator[tuple[int, IrValue]]:
    """Yield the marks of so many bytes as words of up to 64 bits: (bits, pointer)."""
    for start in range(0, size, WORD):
        at = Builder(body).gep(place, start, "i8") if start else place
        yield 8 * min(WORD, size - start), at


def _repeat_mark(body: Body, value: int | IrValue, bits: int) -> IrValue:
    """Return a mark repeated in all bytes of a word of so many bits.

    Args:
        value: The mark as a number, or `EPOCH`, which has it in each of 8 bytes.
    """
    if isinstance(value, int):
        return constant(f"i{bits}", value * EACH & (1 << bits) - 1)
    return value if bits == 8 * WORD else Builder(body).trunc(value, f"i{bits}")


def set_marks(body: Body, place: IrValue, size: int, value: int | IrValue) -> None:
    """Emit stores of the mark `value` for each of `size` bytes.

    Args:
        place: The address of the marks.
        value: The mark, a number, or `EPOCH` for that of this epoch.
    """
    build = Builder(body)
    for bits, at in _words(body, place, size):
        build.store(_repeat_mark(body, value, bits), at, align=1)


def check_marks(body: Body, place: IrValue, size: int, value: int) -> None:
    """Emit a check that each of `size` bytes has the mark `value`.

    Args:
        place: The address of the marks.
    """
    build = Builder(body)
    for bits, at in _words(body, place, size):
        marks = build.load(at, f"i{bits}", align=1)
        build.fail_if(build.icmp_unsigned("!=", marks, _repeat_mark(body, value, bits)))


def has_mark(body: Body, place: IrValue, size: int, value: int | IrValue) -> IrValue:
    """Emit an i1: at least one of `size` bytes has the mark `value`.

    Args:
        place: The address of the marks.
        value: The mark, a number, or `EPOCH` for that of this epoch.
    """
    build = Builder(body)
    some: IrValue | None = None
    for bits, at in _words(body, place, size):
        word = build.load(at, f"i{bits}", align=1)
        if value != 0:
            word = build.xor(word, _repeat_mark(body, value, bits))
        # A byte is 0 where taking 1 from each turns a highest bit on that was off (Warren, Hacker's Delight, 6-1).
        less = build.sub(word, _repeat_mark(body, 1, bits))
        turned = build.and_(less, build.xor(word, -1))
        zero = build.icmp_unsigned("!=", build.and_(turned, _repeat_mark(body, 128, bits)), 0)
        some = build.or_(some, zero) if some else zero
    assert some is not None
    return some


def check_copies(where: Address, access: Access, kind: str) -> None:
    """Emit a check against copies that the lane has under way; nothing for memory that is only read.

    It fails, while the lane has any under way, for a store to memory that blocks share, and for an access of bytes that
    any copy of this epoch was the last to write. The kernel must have copies.
    """
    if where.data:  # nobody copies there
        return
    body, build = where.body, Builder(where.body)
    under_way = build.icmp_unsigned("!=", build.load(FLIGHT, "i8"), 0)
    start = build.icmp_unsigned("!=", where.fact("start"), 0)
    some = has_mark(body, where.at("written", where.fact("mask")), access.width, EPOCH)
    wrong = build.select(start, TRUE if kind == "store" else FALSE, some)
    build.fail_if(build.and_(under_way, wrong))
