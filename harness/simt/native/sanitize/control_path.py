"""Which way lanes go, as a number that tells ways apart."""

from harness.simt.native.emit.body import Body

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


def begin_paths() -> str:
    """Return the line that says where threads of an interval find the control paths of the block before."""
    return "  call void @begin_paths(ptr %ctx, i64 %from, i64 %to)"


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
