"""Which way lanes go, as a number that tells ways apart."""

from collections.abc import Iterator

from harness.simt.native.emit.body import Body
from harness.simt.native.emit.context import NEVER, SLOTS

__all__ = ["STEP", "begin_paths", "check_same_path", "compare_with_previous_block", "note_visible_store", "take_turn"]

STEP = 6364136223846793005  # odd


def take_turn(body: Body, name: str, turn: int) -> None:
    """A lane takes a turn."""
    before = body.new(f"mul i64 {body.new(f'load i64, ptr %{name}')}, {STEP}")
    body.line(f"store i64 {body.new(f'add i64 {before}, {turn}')}, ptr %{name}")


def check_same_path(body: Body) -> None:
    """Where lanes are not waited for, those are there that came by the same way through loops: see `Schedule`."""
    place = body.slot_at("path")
    own, firsts = body.new("load i64, ptr %path"), body.new(f"load i64, ptr {place}")
    later = body.new(f"icmp ne i64 {body.new(f'and i64 %lane, {body.program.target.warp - 1}')}, 0")
    body.unless(body.new(f"and i1 {later}, {body.new(f'icmp ne i64 {own}, {firsts}')}"))
    body.line(f"store i64 {own}, ptr {place}")


def begin_paths(k: int) -> Iterator[str]:
    """Lines that say where the lanes of a stretch find the ways of those of the block before.

    Where there is no room for them all blocks are looked at.
    """
    for name in ("ways", "ways next", "ways first", "ways end", "credit"):
        yield f"  %{name.replace(' ', '.')}{k} = getelementptr i64, ptr %ctx, i64 {SLOTS[name]}"
    yield f"""  %place{k} = load i64, ptr %ways.next{k}
  %lanes{k} = sub i64 %to, %from
  %bytes{k} = shl i64 %lanes{k}, 3
  %behind{k} = add i64 %place{k}, %bytes{k}
  %last{k} = load i64, ptr %ways.end{k}
  %full{k} = icmp ugt i64 %behind{k}, %last{k}
  %one{k} = load i64, ptr %ways.first{k}
  %start{k} = select i1 %full{k}, i64 %one{k}, i64 %place{k}
  %stop{k} = add i64 %start{k}, %bytes{k}
  store i64 %stop{k}, ptr %ways.next{k}
  %skipped{k} = shl i64 %from, 3
  %base{k} = sub i64 %start{k}, %skipped{k}
  store i64 %base{k}, ptr %ways{k}
  %given{k} = load i64, ptr %credit{k}
  %left{k} = select i1 %full{k}, i64 {NEVER}, i64 %given{k}
  store i64 %left{k}, ptr %credit{k}"""


def compare_with_previous_block(body: Body) -> None:
    """The lane went as in the block before, or nothing was looked at because of that one."""
    place = body.new(f"load ptr, ptr {body.slot_at('ways')}")
    place = body.new(f"getelementptr i64, ptr {place}, i64 %lane")
    own, before = body.new("load i64, ptr %ways"), body.new(f"load i64, ptr {place}")
    body.unless(body.new(f"and i1 %again, {body.new(f'icmp ne i64 {own}, {before}')}"))
    body.line(f"store i64 {own}, ptr {place}")


def note_visible_store(body: Body) -> None:
    """Its block cannot begin anew: others see what it did."""
    body.line(f"store i64 1, ptr {body.slot_at('stored')}")
