"""Marks of bytes: whether they were written, or belong to a barrier, or are written by a copy of an epoch.

They are looked at and set by words of up to eight: unoptimised code of vectors takes several times as long to make.
"""

from collections.abc import Iterator

from harness.simt.native.emit.body import Body
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
    """What marks a byte that a copy of this epoch writes, in all bytes of `%epoch`: neither 0 nor `WRITTEN`."""
    turn = body.new(f"urem i32 %now, {MARKS}")
    mark = body.new(f"add i32 {turn}, 2")
    if body.arrives:
        mark = body.new(f"select i1 {body.new(f'icmp eq i32 {mark}, {BARRIER}')}, i32 {LAST}, i32 {mark}")
    body.line(f"%epoch = mul i64 {body.new(f'zext i32 {mark} to i64')}, {EACH}")


def _words(body: Body, place: str, size: int) -> Iterator[tuple[int, str]]:
    """The marks of so many bytes in words: (bits, pointer)."""
    for start in range(0, size, WORD):
        at = body.new(f"getelementptr i8, ptr {place}, i64 {start}") if start else place
        yield 8 * min(WORD, size - start), at


def _in_all(body: Body, value: int | str, bits: int) -> str:
    """A mark in all bytes of a word, be it a number or `%epoch`."""
    if isinstance(value, int):
        return str(value * EACH & (1 << bits) - 1)
    return value if bits == 8 * WORD else body.new(f"trunc i64 {value} to i{bits}")


def set_marks(body: Body, place: str, size: int, value: int | str) -> None:
    """So many bytes are marked.

    Args:
        place: Of the marks.
        value: A number, or `%epoch`.
    """
    for bits, at in _words(body, place, size):
        body.line(f"store i{bits} {_in_all(body, value, bits)}, ptr {at}, align 1")


def check_marks(body: Body, place: str, size: int, value: int) -> None:
    """Nothing is proved where one of them is not so marked."""
    for bits, at in _words(body, place, size):
        found = body.new(f"load i{bits}, ptr {at}, align 1")
        body.unless(body.new(f"icmp ne i{bits} {found}, {_in_all(body, value, bits)}"))


def has_mark(body: Body, place: str, size: int, value: int | str) -> str:
    """Whether one of them is so marked, as an i1."""
    some = ""
    for bits, at in _words(body, place, size):
        new, ty = body.new, f"i{bits}"
        word = new(f"load {ty}, ptr {at}, align 1")
        if value != 0:
            word = new(f"xor {ty} {word}, {_in_all(body, value, bits)}")
        # A byte is 0 where taking 1 from each turns a highest bit on that was off (Warren, Hacker's Delight, 6-1).
        less = new(f"sub {ty} {word}, {_in_all(body, 1, bits)}")
        turned = new(f"and {ty} {less}, {new(f'xor {ty} {word}, -1')}")
        zero = new(f"icmp ne {ty} {new(f'and {ty} {turned}, {_in_all(body, 0x80, bits)}')}, 0")
        some = new(f"or i1 {some}, {zero}") if some else zero
    return some


def check_copies(where: Address, access: Access, kind: str) -> None:
    """While copies are under way nobody touches what they write, nor stores where they may read."""
    if where.data:  # nobody copies there
        return
    body = where.body
    under_way = body.new(f"icmp ne i8 {body.new('load i8, ptr %flight')}, 0")
    start = body.new(f"icmp ne i64 {where.fact('start')}, 0")
    some = has_mark(body, where.at("written", where.fact("mask")), access.width, "%epoch")
    wrong = body.new(f"select i1 {start}, i1 {'true' if kind == 'store' else 'false'}, i1 {some}")
    body.unless(body.new(f"and i1 {under_way}, {wrong}"))
