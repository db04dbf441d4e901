"""Launches of programs in other orders of their threads: what only they show is told, and the rest is undone."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.model.launcher import Launcher
from harness.model.target import Target
from harness.programs import Options
from harness.programs.host.orders import OtherOrders, reachable
from harness.programs.host.storage import Storage
from harness.programs.host.touching import Touching
from harness.simt.compile.program import compile_kernel
from harness.simt.targets import target_of
from tests.programs.together import execute_beside

TARGET, GRID = "nvidia:sm_90", 6
# The last block of all to take a ticket is the last one by number in the first order of the threads.
KERNEL = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @vprintf(ptr, ptr)
@text = internal addrspace(4) constant [5 x i8] c"last\\00"
define ptx_kernel void @k(ptr %tickets, ptr %out, ptr %holder) {{
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = atomicrmw add ptr %tickets, i32 1 monotonic
  %is_last = icmp eq i32 %n, 5
  %is_zero = icmp eq i32 %b, {by}
  %both = and i1 %is_last, %is_zero
  br i1 %both, label %hit, label %end
hit:
  {hit}
  br label %end
end:
  ret void
}}
"""
SAY = "%s = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @text to ptr), ptr null)"
HIDDEN = "%h = load ptr, ptr %holder\n  store i32 7, ptr %h"

LAUNCHER = Launcher(plan=Options().plan(Target.parse(TARGET), "simulator"))


class _Launch:
    """A launch on a device, and the orders that it is tried in."""

    def __init__(self, hit, by=0):
        self.device = simt.Device()
        sizes = {"tickets": 4, "out": 24, "holder": 8, "hidden": 4}
        self.memory = {
            name: self.device.allocate(size, name, data=np.zeros(size, np.uint8), initialised=True)
            for name, size in sizes.items()
        }
        self.memory["holder"].data.view(np.int64)[0] = self.memory["hidden"].base
        self.module, self.given = simt.decode(KERNEL.format(hit=hit, by=by)), list(self.memory.values())[:3]
        self.seeds = []

    def run(self, observers, options):
        self.seeds.append(options.seed)
        return simt.launch_on(
            self.device,
            self.module,
            target=TARGET,
            grid=GRID,
            block=1,
            parameters=[one.base.to_bytes(8, "little") for one in self.given],
            observers=observers,
            options=options,
        )

    def in_orders(self, count=1, orders=None):
        storages = [(at, 0, 0, Storage(one, one.base)) for at, one in enumerate(self.given)]
        memory = reachable(compile_kernel(self.module, None, target_of(TARGET)), storages)
        touching, options, before = Touching(), simt.Options(), memory.snapshot()
        first = self.run((*simt.observers(unwritten=False), touching), options)
        orders = orders or OtherOrders(LAUNCHER, self.device.allocations)
        return orders.try_orders(first, self.run, memory, before, touching.touched(), options, count)

    def value(self, name):
        return int(self.memory[name].data.view(np.int32)[0])


def test_what_only_another_order_does_is_found_and_undone():
    launch = _Launch(
        "%p = getelementptr i32, ptr %out, i64 6\n  store i32 7, ptr %p\n  store i32 7, ptr %out\n  " + SAY
    )
    result = launch.in_orders()

    assert [finding.kind for finding in result.findings] == ["out-of-bounds"]
    assert result.findings[0].values["seed"] == launch.seeds[-1] in simt.SEEDS
    assert (result.printed, launch.value("tickets"), launch.value("out")) == ((), GRID, 0)


def test_a_result_that_depends_on_the_order_is_for_information():
    """A program may sort what it gets; the elements are those that the code reads and writes."""
    launch = _Launch("store i32 7, ptr %out")
    result = launch.in_orders()

    (finding,) = result.findings
    assert (finding.id, finding.severity, finding.argument) == ("order-dependent.result", "information", "out")
    assert (finding.count, finding.values["total"]) == (1, 6)
    assert (result.verdict, launch.value("out"), launch.seeds) == ("clean", 0, [None, *simt.SEEDS])


def test_memory_that_only_a_pointer_in_memory_leads_to_stays_as_it_is():
    """In another order the kernel stores there, and it is no finding that it may not."""
    launch = _Launch(HIDDEN)
    result = launch.in_orders()

    assert (result.findings, launch.value("hidden"), len(launch.seeds)) == ((), 0, 4)
    assert launch.memory["hidden"].writable


def test_a_launch_that_stores_where_only_a_pointer_in_memory_leads_to_runs_once():
    launch = _Launch(HIDDEN, by=GRID - 1)
    launch.in_orders()

    assert (launch.value("hidden"), launch.seeds) == (7, [None])


def test_later_launches_get_one_order_each_and_a_kernel_only_some_time():
    launch = _Launch("store i32 7, ptr %out")
    orders = OtherOrders(LAUNCHER, launch.device.allocations)
    for count in (2, 3):
        launch.memory["tickets"].data[:] = 0
        launch.in_orders(count, orders)

    assert launch.seeds[::2] == [None, None]
    assert launch.seeds[1] != launch.seeds[3]
    (symbol,) = orders.spent
    assert orders.has_budget(symbol)
    orders.spent[symbol] = 10.0
    assert not orders.has_budget(symbol)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "found"),
    [({}, ["race"]), ({"engine": "native"}, ["race"]), ({"orders": False}, []), ({"seed": 0}, ["race"])],
    ids=["auto", "native", "one order", "a seed"],
)
def test_a_program_runs_in_the_first_order_and_the_race_is_of_another(options, found):
    """The seed is that of another order; its only order shows the race."""
    execution = execute_beside("counted_early", "nvidia", options=Options(counters=False, **options))

    assert [finding.kind for finding in execution.findings] == found
    assert ("seed" in execution.findings[0].values if found else False) == (bool(found) and "seed" not in options)
    if "seed" not in options:
        assert execution.output == b"counted 6\nto 6 counter 6\n"
