"""Variables of a module that outlive a block: machine code is told of them by no argument."""

from __future__ import annotations

import pytest

from harness import simt
from tests.simt.engines import LANES, OUT, VALUE, both, made

NAMED = "@named = internal addrspace(1) global i32 5\n"
SET = "store i32 %v, ptr addrspace(1) @named"
ADD = """
  %before = load i32, ptr addrspace(1) @named
  %after = add i32 %before, 1
  store i32 %after, ptr addrspace(1) @named"""


def by_one(lines, of="i32 %t"):
    """Lines that the first thread runs, of each block or of the grid."""
    return f"""
  %c = icmp eq {of}, 0
  br i1 %c, label %one, label %all
one:
  {lines}
  br label %all
all:
  %w = load i32, ptr %p{OUT}"""


def kernel(body):
    return simt.decode(made(f"{VALUE}{body}").replace("@tile = ", f"{NAMED}@tile = ", 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "grid", "kinds"),
    [
        (f"\n  {SET}\n  %w = add i32 %v, 0{OUT}", 1, ["race"]),
        (by_one(SET), 2, ["race"]),
        (by_one("store i32 7, ptr addrspace(1) @named"), 2, ["several-writers"]),
        (by_one(ADD), 2, ["race", "several-writers"]),
    ],
    ids=["by all threads", "by each block", "one value by each block", "counted by each block"],
)
def test_what_several_store_there_is_told(body, grid, kinds):
    result = both(kernel(body), grid=grid, block=LANES // grid, initialised=True)

    assert [finding.kind for finding in result.findings] == kinds


def test_what_one_stores_there_is_proved_clean():
    result = both(kernel(by_one(ADD, "i64 %i")), grid=2, block=LANES // 2)

    assert (result.findings, result.engine.python) == ((), 0)


@pytest.mark.slow
def test_it_is_as_it_was_where_python_takes_over():
    """Not as the machine code left it that was not proved clean."""
    body = f"{by_one(ADD)}\n  %x = load i32, ptr addrspace(1) @named\n  store i32 %x, ptr %q"
    result = both(kernel(body), block=LANES, size=LANES + 1)

    assert result.engine.python
    assert result.findings


def test_updates_there_are_run_as_machine_code():
    update = "%old = atomicrmw add ptr addrspace(1) @named, i32 1 monotonic"

    assert not both(kernel(f"\n  {update}\n  %w = add i32 %v, 0{OUT}")).engine.python
