"""Checks of what was written and of who was there, beside an access."""

from harness.simt.native.analysis.notes import CLUSTERS, WARPS
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.context import SHADOW_CELL_BYTES
from harness.simt.native.sanitize.address import Address
from harness.simt.native.sanitize.byte_marks import BARRIER, WRITTEN, check_marks, has_mark, set_marks
from harness.simt.native.sanitize.control_path import note_visible_store
from harness.simt.state.allocation import Access

__all__ = ["check_initialised", "check_races"]


def check_initialised(where: Address, access: Access, kind: str) -> None:
    """What is loaded somebody wrote; what is stored is written."""
    if where.data:
        return
    body, pointer = where.body, where.at("written", where.fact("mask"))
    if kind == "store":
        set_marks(body, pointer, access.width, WRITTEN)
    elif body.program.copies:  # which have other marks
        for wrong in (0, BARRIER) if body.arrives else (0,):
            body.unless(has_mark(body, pointer, access.width, wrong))
    else:
        check_marks(body, pointer, access.width, WRITTEN)


def check_races(where: Address, access: Access, kind: str, who: str = "%who", if_: str = "true") -> None:
    """Nobody else touched it in this epoch, nor did another block where blocks share it.

    Args:
        kind: `load`, `store` or `update`.
        who: The thread, and the kind of its updates; see `library/shadow_cells.h`.
        if_: An i1, without which nothing is touched.
    """
    if where.data:
        return
    new, grain = where.body.new, where.body.layout.grain
    if where.body.arrives:
        where.body.unless(new(f"icmp ne i8 {new('load i8, ptr %came')}, 0"))
    cells = own = where.fact("cells")
    if (pitch := where.of_block("cell pitch")) is not None:
        own = new(f"add i64 {cells}, {pitch}")
    first = new(f"lshr i64 {where.offset}, {grain.bit_length() - 1}")
    cell = where.body.pointer(new(f"add i64 {own}, {new(f'mul i64 {first}, {SHADOW_CELL_BYTES}')}"))
    foreign = new(f"icmp ne i64 {where.fact('start')}, 0")
    begins = new(f"select i1 {foreign}, i32 %cluster, i32 0")
    kinds = {"now": "i32", "since": "i32", "need": "ptr"}
    now, since, need = (new(f"select i1 {foreign}, {ty} %{name}.far, {ty} %{name}") for name, ty in kinds.items())
    there = new(f"and i1 {if_}, {new(f'icmp ne i64 {cells}, 0')}")
    many = new(f"select i1 {there}, i64 {access.width // grain}, i64 0")
    given = f"ptr {cell}, i64 {many}, i32 {who}, i32 {now}, i32 %birth, i32 {begins}, i32 {since}, ptr {need}"
    given += _warp_epoch(where.body, foreign, now)
    if CLUSTERS in where.body.notes:
        mark = new(f"select i1 {new('load i1, ptr %arrived')}, i32 %phase, i32 {now}")
        given += f", i32 {mark}, i32 %phase, i32 %open"
    where.body.unless(new(f"call i1 @{kind}_cells({given})"))
    if where.body.shape is not None and not where.alike:
        where.body.shape.shares = True
    if kind != "load" and not where.private:
        where.body.stored.add(where.place)
    if kind != "load" and where.body.alike.ways and not where.alike:
        note_visible_store(where.body)


def _warp_epoch(body: Body, foreign: str, now: str) -> str:
    """The warp's epoch as one more argument, where it has any: for memory that blocks share or not, an i1."""
    if WARPS not in body.notes:
        return ""
    met = body.new(f"select i1 {foreign}, i32 %met.far, i32 %met.near")
    return f", i32 {body.call('i32', 'llvm.umax.i32', ('i32', met), ('i32', now))}"
