"""The driver of the run-time library alone, with a kernel of a few functions that Python stands in for."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable

import pytest

from harness.simt.native.emit.context import ALLOCATION_FACTS, MARKS, SLOTS
from harness.simt.native.runtime.kernel_tables import WaitKind, block_functions, table, wait_function
from harness.simt.native.runtime.library import FOLDER
from tests.generate.runtime_library import context_header
from tests.simt.runtime_library import machine_code

END, FAILED = -1, -2
WARP, SYNC, CLUSTER, PHASE, BARRIER = 1, 2, 3, 4, 5  # pieces, by what is waited for before them
INTERVAL = ["i32", "i64", "i64", "i1", "i64", "i64", "i64", *["i32"] * 10, "ptr", "ptr"]
NAMES = (
    *("piece", "first", "end", "is_proved", "row", "block", "rank", "now", "now_global", "birth", "since"),
    *("since_global", "cluster_birth", "phase", "open", "warp", "warp_global", "need", "need_global"),
)
C_TYPES = {"i1": ctypes.c_bool, "i32": ctypes.c_int32, "i64": ctypes.c_int64, "ptr": ctypes.c_void_p}
Step = Callable[[dict], int]


def kernel(*, invariant: frozenset[int] = frozenset(), restarts: bool = False, globally: bool = True) -> str:
    """Return the IR of a kernel whose intervals are run by a function whose address is in a global variable."""
    types = ", ".join(INTERVAL)
    taken = ", ".join(f"{ty} %a{number}" for number, ty in enumerate(INTERVAL))
    return "\n".join(
        [
            "@interval = global ptr null\n@batch = global ptr null",
            f"define internal i32 @run_interval(ptr %ctx, {taken}) {{",
            "  %f = load ptr, ptr @interval",
            f"  %r = call i32 (ptr, {types}) %f(ptr %ctx, {taken})\n  ret i32 %r\n}}",
            "define internal i64 @run_batch(ptr %ctx, i64 %first, i64 %blocks) {",
            "  %f = load ptr, ptr @batch\n  %r = call i64 %f(ptr %ctx, i64 %first, i64 %blocks)\n  ret i64 %r\n}",
            *wait_function([WARP, SYNC], [SYNC], [CLUSTER], [PHASE]),
            *block_functions(invariant, restarts=restarts),
            *table("barrier_line", "i32", "i32", {BARRIER: 0}, 0),
            *table("orders_shared", "i1", "i32", {}, "true"),
            *table("orders_global", "i1", "i32", {}, str(globally).lower()),
        ]
    )


class Launch:
    """A launch whose intervals Python runs; `calls` has their arguments, by name."""

    def __init__(self, step: Step, *, size: int = 4, width: int = 4, cluster: int = 1, batch=None, **how: bool) -> None:
        self.calls: list[dict] = []
        self.slots = (ctypes.c_int64 * len(SLOTS))()
        self.table = (ctypes.c_int64 * len(ALLOCATION_FACTS))()
        self.needed, self.passed = (ctypes.c_uint8 * MARKS)(), (ctypes.c_int64 * 1)(-1)
        self.set(size=size, width=width, cluster=cluster, own=1, rounds=100, credit=0)
        self.set(table=ctypes.addressof(self.table), needed=ctypes.addressof(self.needed))
        self.set(passed=ctypes.addressof(self.passed))
        code = machine_code("driver", (), kernel(**how))
        types = [C_TYPES[ty] for ty in INTERVAL]

        def interval(_context: int, *arguments: int) -> int:
            self.calls.append(dict(zip(NAMES, arguments, strict=True)))
            return step(self.calls[-1])

        self._kept = [
            ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, *types)(interval),
            ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(
                batch or (lambda _context, first, _blocks: first)
            ),
        ]
        for name, function in zip(("interval", "batch"), self._kept, strict=True):
            at = ctypes.c_void_p.from_address(code.get_global_value_address(name))
            at.value = ctypes.cast(function, ctypes.c_void_p).value
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
        self._run = prototype(code.get_function_address("run"))

    def set(self, **slots: int) -> None:
        """Put numbers into slots."""
        for name, value in slots.items():
            self.slots[SLOTS[name.replace("_", " ")]] = value

    def __getitem__(self, name: str) -> int:
        return self.slots[SLOTS[name]]

    def run(self, blocks: int, start: int = 0) -> int:
        """Run blocks; returns the first that is not proved, or how many there are."""
        return self._run(ctypes.addressof(self.slots), start, blocks)

    def column(self, name: str) -> list[int]:
        """Return an argument of all calls."""
        return [call[name] for call in self.calls]


def in_turn(*stops: int) -> Step:
    """Return a step that stops at one place after another."""
    left = iter(stops)
    return lambda _call: next(left)


def test_each_field_of_the_context_lies_in_its_slot():
    """The C header that was compiled is the one that Python's slots come to, 8 bytes for each."""
    assert (FOLDER / "context.h").read_text(encoding="utf-8") == context_header()
    fields = re.findall(r"^  _Alignas\(8\) [\w ]+?[ *]+(\w+);$", context_header(), re.M)
    assert fields == [name.replace(" ", "_") for name in (*ALLOCATION_FACTS, *SLOTS)]


def test_the_library_reads_the_slots_that_python_writes():
    launch = Launch(lambda _call: END, size=3, width=2, cluster=2)

    assert launch.run(4) == 4
    assert launch.column("first") == [0, 2, 3, 5] * 2
    assert launch.column("end") == [2, 3, 5, 6] * 2
    assert launch.column("block") == [0, 0, 1, 1, 2, 2, 3, 3]
    assert launch.column("rank") == [0, 0, 1, 1] * 2
    assert launch["credit"] == 2 and launch["again"] == 1 and launch["rounds"] == 92


def test_waits_have_the_numbers_of_the_header():
    (names,) = re.findall(r"^enum WaitKind \{ (.*) \};$", (FOLDER / "kernel.h").read_text(encoding="utf-8"), re.M)

    assert names.split(", ") == [wait.name for wait in WaitKind]


def test_each_block_begins_a_new_epoch():
    launch = Launch(lambda _call: END)
    launch.run(3)

    births = launch.column("birth")
    assert births == sorted(set(births)) and launch.column("now") == births == launch.column("now_global")
    assert launch["birth"] == launch.column("cluster_birth")[-1] < births[-1] == launch["time"]


def test_a_barrier_orders_the_memory_that_it_names():
    launch = Launch(in_turn(BARRIER, END), globally=False)
    launch.run(1)
    before, after = launch.calls

    assert after["piece"] == BARRIER and after["birth"] == before["birth"]
    assert after["now"] > before["now"] and after["since"] == before["now"]
    assert (after["now_global"], after["since_global"]) == (before["now_global"], before["since_global"])
    assert after["need"] == ctypes.addressof(launch.needed) and after["need_global"] == before["need_global"]
    assert launch.passed[0] == 0


def test_the_end_of_a_phase_may_be_all_that_orders():
    launch = Launch(in_turn(BARRIER, PHASE, END))
    launch.run(1)
    after = launch.calls[-1]

    assert after["now"] > launch.calls[-2]["now"] and after["since"] == 0
    assert after["need"] == ctypes.addressof(launch.needed) + 1


def test_a_warp_goes_on_alone_and_has_an_epoch_where_it_orders_memory():
    launch = Launch(in_turn(WARP, SYNC, END, END), size=4, width=2)
    launch.run(1)

    assert launch.column("piece") == [0, WARP, SYNC, 0]
    assert launch.column("first") == [0, 0, 0, 2]
    assert launch.column("warp")[:2] == [0, 0] and launch.column("warp")[2] > launch.calls[0]["now"]
    assert launch.column("warp")[3] == 0


def test_warps_that_stop_at_different_places_prove_nothing():
    launch = Launch(in_turn(BARRIER, END), width=2)

    assert launch.run(1) == 0


def test_blocks_of_a_cluster_run_from_wait_to_wait():
    launch = Launch(in_turn(CLUSTER, CLUSTER, END, END), cluster=2)

    assert launch.run(2) == 2
    assert launch.column("rank") == [0, 1, 0, 1]
    assert launch.column("piece") == [0, 0, CLUSTER, CLUSTER]
    first, second = launch.calls[0], launch.calls[2]
    assert second["open"] == first["phase"] < second["phase"] < second["birth"]


@pytest.mark.parametrize(("stops", "proved"), [((CLUSTER, END), 1), ((END,), 0)])
def test_a_block_may_be_in_the_memory_of_another_before_the_last_wait(stops, proved):
    left = iter(stops)

    def step(call: dict) -> int:
        if call["piece"] == 0:
            launch.set(peered=1)
        return next(left)

    launch = Launch(step)

    assert launch.run(1) == proved
    assert launch["exchanged"] == proved


def test_rounds_that_are_spent_prove_nothing():
    launch = Launch(lambda _call: BARRIER)
    launch.set(rounds=5)

    assert launch.run(1) == 0 and len(launch.calls) == 5


def test_a_failed_check_costs_credit():
    launch = Launch(in_turn(END, FAILED))

    assert launch.run(3) == 1
    assert launch["credit"] == 1 - 4 and launch["again"] == 0


@pytest.mark.parametrize(("stored", "result"), [(0, 2), (1, -1)])
def test_a_block_that_took_another_path_starts_again_if_nobody_saw_its_stores(stored, result):
    left = iter((END, FAILED, END))

    def step(_call: dict) -> int:
        stop = next(left)
        launch.set(stored=stored if stop == FAILED else 0)
        return stop

    launch = Launch(step, restarts=True)

    assert launch.run(2) == result
    assert launch.column("is_proved")[:2] == [False, True]
    if result == 2:
        assert not launch.calls[2]["is_proved"] and launch["rounds"] == 100 - 2
        assert launch.calls[2]["cluster_birth"] == launch.calls[1]["cluster_birth"]


def test_blocks_are_batched_once_one_was_proved():
    launch = Launch(lambda _call: END, batch=lambda _context, _first, blocks: blocks)
    launch.set(replays=1)

    assert launch.run(5) == 5 and len(launch.calls) == 1


def test_a_cluster_starts_with_memory_that_nobody_wrote_unless_it_is_invariant_and_proved():
    written = (ctypes.c_uint8 * 8)(*[1] * 8)
    seen = []

    def step(_call: dict) -> int:
        seen.append(bytes(written))
        ctypes.memset(written, 1, 8)
        return END

    for invariant in (frozenset(), frozenset({0})):
        launch = Launch(step, invariant=invariant)
        launch.table[ALLOCATION_FACTS["fresh"]] = 4
        launch.table[ALLOCATION_FACTS["written"]] = ctypes.addressof(written)
        assert launch.run(2) == 2
    cleared, kept = bytes([0] * 4 + [1] * 4), bytes([1] * 8)
    assert seen == [cleared, cleared, cleared, kept]
