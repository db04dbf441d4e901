"""Which way lanes go, as a number that tells ways apart."""

from harness.simt.native.body import Body
from harness.simt.native.layout import FIXED

__all__ = ["came_together", "turned"]

STEP = 6364136223846793005  # odd


def turned(body: Body, name: str, turn: int) -> None:
    """A lane takes a turn."""
    before = body.new(f"mul i64 {body.new(f'load i64, ptr %{name}')}, {STEP}")
    body.line(f"store i64 {body.new(f'add i64 {before}, {turn}')}, ptr %{name}")


def came_together(body: Body) -> None:
    """Where lanes are not waited for, those are there that came by the same way through loops: see `Schedule`."""
    place = body.new(f"getelementptr i64, ptr %ctx, i64 {FIXED['path']}")
    own, firsts = body.new("load i64, ptr %path"), body.new(f"load i64, ptr {place}")
    later = body.new(f"icmp ne i64 {body.new(f'and i64 %lane, {body.program.target.warp - 1}')}, 0")
    body.unless(body.new(f"and i1 {later}, {body.new(f'icmp ne i64 {own}, {firsts}')}"))
    body.line(f"store i64 {own}, ptr {place}")
