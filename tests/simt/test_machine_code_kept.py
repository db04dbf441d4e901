"""When a launch is tried as machine code, and where that is kept."""

from __future__ import annotations

import time

import numpy as np
import pytest

from harness import simt
from harness.build.cache import Cache
from harness.build.objects import CachedObjects
from harness.simt.declined import Declined, Reason
from harness.simt.errors import BudgetExceeded
from harness.simt.native import attempt, estimate
from harness.simt.native.execution.worker import CannotRestart
from harness.simt.native.history import History
from harness.simt.native.jit import compiler as machine
from harness.simt.run import budget, compiled_launch, orders, saved_memory
from harness.simt.run.launch import launch
from tests.simt.declined import lacks
from tests.simt.engines import ADDED, made
from tests.simt.snippets import kernel

pytestmark = pytest.mark.optimised

TWICE = """  %p = getelementptr i32, ptr %o, i64 %i
  %v = load i32, ptr %p
  %w = add i32 %v, %v
  store i32 %w, ptr %p"""


def run(module, engine="auto", lanes=32, size=32, objects=None):
    """What ran a launch of a kernel that doubles an array's elements."""
    values = np.arange(size, dtype=np.int32)
    options = simt.Options(engine=engine, objects=objects)
    result = launch(module, target="nvidia:sm_90", grid=1, block=lanes, args=[values], options=options)
    assert result.fault is not None or values.tolist() == [2 * value for value in range(size)]
    return result.engine


@pytest.fixture
def module():
    """The kernel, of which nothing has run."""
    return simt.decode(kernel(TWICE))


@pytest.fixture
def compiles(monkeypatch):
    """What was compiled since then, by its level, in what is a new process as far as code goes."""
    monkeypatch.setattr(machine, "_CODE", {})
    texts, right = [], machine._object
    monkeypatch.setattr(machine, "_object", lambda text, level: texts.append(level) or right(text, level))
    return texts


def test_a_small_launch_runs_in_python_until_its_like_have_taken_longer_than_compiling(module, compiles, monkeypatch):
    assert run(module).why == "its small size: it takes less time than compiling"
    monkeypatch.setattr(attempt, "LINKING", 0.0)
    monkeypatch.setattr(attempt, "WRITING", 0.0)
    monkeypatch.setattr(machine, "SECONDS", 1.0)
    assert run(module).why == "its small size: it takes less time than compiling"
    monkeypatch.setattr(attempt, "LONG", 1e12)
    monkeypatch.setattr(machine, "SECONDS", 1e-12)
    assert run(module).native == 1
    assert len(compiles) == 1


@pytest.mark.slow
def test_it_is_optimised_once_it_has_run_for_longer_than_that_takes(module, compiles, monkeypatch):
    monkeypatch.setattr(attempt, "LINKING", 0.0)
    monkeypatch.setattr(attempt, "WRITING", 0.0)
    monkeypatch.setattr(machine, "SECONDS", 1.0)
    assert run(module).why == "its small size: it takes less time than compiling"
    monkeypatch.setattr(attempt, "QUICKER", 1e12)
    assert [run(module).native for _ in range(2)] == [1, 1] and compiles == [0]
    monkeypatch.setattr(attempt, "LONG", 1e12)
    monkeypatch.setattr(machine, "SECONDS", 1e-12)
    assert run(module).native == 1 and compiles == [0, 1]
    monkeypatch.setattr(attempt, "LONG", 1)
    assert [run(module).native for _ in range(2)] == [1, 1] and compiles == [0, 1, 3]


def test_what_python_would_take_long_for_is_compiled_at_once(module, monkeypatch):
    monkeypatch.setattr(estimate, "ARITHMETIC", 1.0)

    assert run(module).native == 1


def test_a_kernel_that_was_not_proved_clean_is_not_tried_again_where_it_is_small(module, monkeypatch):
    assert run(module, "native", lanes=64).why == "a check that did not hold"
    monkeypatch.setattr(attempt, "LINKING", 0.0)
    monkeypatch.setattr(attempt, "WASTED", 0.0)
    assert run(module).why == "an earlier launch that was not proved clean"
    assert run(module, "native").native == 1


def test_it_is_tried_again_once_such_launches_have_taken_much_longer_interpreted(module, monkeypatch):
    assert run(module, "native", lanes=64).why == "a check that did not hold"
    monkeypatch.setattr(attempt, "LINKING", 0.0)
    monkeypatch.setattr(attempt, "WASTED", 1e6)
    assert run(module).native == 1


def test_a_launch_without_memory_for_machine_code_runs_in_python(module, monkeypatch):
    def tried(*_):
        raise MemoryError

    monkeypatch.setattr(compiled_launch, "attempt", tried)

    assert run(module, "native").why == "the memory that it needs"


@pytest.mark.parametrize(("engine", "lanes", "native"), [("reference", 32, 0), ("native", 64, 0), ("native", 32, 1)])
def test_what_machine_code_alone_may_run_is_left_as_it_is_where_it_does_not(module, engine, lanes, native):
    device = simt.Device()
    held = device.allocate(128, "values", initialised=True)
    held.data[:] = 1

    def made(**how):
        given = {"target": "nvidia:sm_90", "grid": 1, "block": lanes, "parameters": [held.base.to_bytes(8, "little")]}
        return simt.launch_on(device, module, options=simt.Options(engine=engine), **given, **how)

    if native:
        assert made(proved=True).engine.native == 1
    else:
        with pytest.raises(Declined):
            made(proved=True)
        assert set(held.data) == {1}
        assert made().engine.python == 1
    assert set(held.data[:4]) == {2}


def test_what_was_tried_in_vain_takes_none_of_the_kernels_time(module, monkeypatch):
    now = [0.0]
    for clock in ("thread_time", "perf_counter"):
        monkeypatch.setattr(budget, clock, lambda: now[0])

    def tried(*_):
        now[0] += 1000.0
        raise Declined(Reason.INTRINSIC, name="a test")

    monkeypatch.setattr(compiled_launch, "attempt", tried)

    options = simt.Options(engine="native")
    result = launch(module, target="nvidia:sm_90", grid=1, block=32, args=[np.ones(32, np.int32)], options=options)

    assert (result.engine.why, result.verdict) == ("a test", "clean")


@pytest.mark.slow
def test_objects_are_compiled_once(module, compiles, tmp_path, monkeypatch):
    """Another process finds them in the cache."""
    objects = CachedObjects(Cache(tmp_path))
    assert run(module, "native", objects=objects).native == 1
    monkeypatch.setattr(machine, "_CODE", {})
    assert run(simt.decode(kernel(TWICE)), "native", objects=objects).native == 1
    assert len(compiles) == 1
    machine._CODE.clear()
    assert run(simt.decode(kernel(TWICE)), "native").native == 1
    assert len(compiles) == 2


class Kept:
    """Objects of processes that follow one another, each of which decodes the kernel anew."""

    def __init__(self):
        self.entries = {}

    def get(self, key):
        """See `Objects`."""
        return self.entries.get(key)

    def put(self, key, code):
        """See `Objects`."""
        self.entries[key] = code


def engines(text, objects, monkeypatch, rounds=8000, launches=2):
    """Which blocks machine code ran of each launch of a new process, all of which take as long as so many rounds."""
    monkeypatch.setattr(machine, "_CODE", {})
    module, ran = simt.decode(text), []
    for _ in range(launches):
        given, output = np.full(64, rounds, np.int32), np.zeros(64, np.int32)
        options, args = simt.Options(engine="auto", objects=objects), [simt.Buffer(given, writable=False), output]
        result = launch(module, target="nvidia:sm_90", grid=1, block=64, args=args, options=options)
        assert set(output.tolist()) == {rounds}
        ran.append(result.engine.native)
    return ran


@pytest.fixture
def history(monkeypatch):
    """No launch by itself begins again, and no process makes machine code because of its own launches."""
    monkeypatch.setattr(saved_memory, "PATIENCE", 100.0)
    monkeypatch.setattr(attempt, "WRITING", 1e6)
    return Kept()


@pytest.mark.slow
def test_what_processes_take_together_is_compiled_once(history, compiles, monkeypatch):
    """Those that follow have it from their first launch on; one that takes little goes on as before."""
    ran = [engines(made(ADDED), history, monkeypatch) for _ in range(6)]

    assert ran[0] == [0, 0] and ran[-2:] == [[1, 1], [1, 1]]
    assert sorted(compiles) in ([1], [0, 1])  # not optimised first, where that is worth less
    assert [engines(made(ADDED).replace("add i32 %before, 1", "add i32 1, %before"), history, monkeypatch, 10)] * 2 == [
        [0, 0],
        [0, 0],
    ]


@pytest.mark.slow
def test_what_is_not_proved_is_not_tried_in_each_process(history, compiles, monkeypatch):
    tried = []

    def doubtful(*_):
        tried.append(1)
        raise Declined(Reason.DOUBT)

    monkeypatch.setattr(attempt, "_proved", doubtful)
    assert [engines(made(ADDED), history, monkeypatch) for _ in range(5)] == [[0, 0]] * 5
    assert 1 <= len(tried) <= 2


@pytest.mark.parametrize(("is_late", "count"), [(False, 1), (True, 0)])
def test_a_launch_that_starts_again_and_is_not_proved_counts_once(module, monkeypatch, is_late, count):
    """One whose time is over says nothing of the kernel, also if it has started again."""
    runs, given_up = [], []

    def starts_again(*_):
        runs.append(1)
        if len(runs) == 1:
            raise CannotRestart
        raise BudgetExceeded.__new__(BudgetExceeded) if is_late else Declined(Reason.DOUBT)

    monkeypatch.setattr(attempt, "_proved", starts_again)
    monkeypatch.setattr(History, "give_up", lambda *_: given_up.append(1))

    assert run(module, "native").cause.reason is (Reason.TIME if is_late else Reason.DOUBT)
    assert (len(runs), len(given_up)) == (2, count)


@pytest.mark.slow
def test_a_damaged_object_is_compiled_again(module, compiles, tmp_path):
    notices = []
    objects = CachedObjects(Cache(tmp_path, notices.append))
    assert run(module, "native", objects=objects).native == 1
    (blob,) = (tmp_path / "blobs").iterdir()
    blob.write_bytes(b"no object")
    machine._CODE.clear()

    assert run(simt.decode(kernel(TWICE)), "native", objects=objects).native == 1
    assert len(compiles) == 2
    assert "building it again" in notices[0]


def test_a_cache_that_cannot_be_written_keeps_nothing(module, compiles, tmp_path):
    (tmp_path / "file").write_text("no folder")

    assert run(module, "native", objects=CachedObjects(Cache(tmp_path / "file"))).native == 1


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        ("%w = add i32 %v, %v", ""),
        ("%f = atomicrmw fmax ptr %p, float 1.0 monotonic\n  %w = fptosi float %f to i32", "atomicrmw of float"),
    ],
)
def test_what_a_kernel_lacks_is_named(instruction, why):
    assert lacks(kernel(TWICE.replace("%w = add i32 %v, %v", instruction)), None, "nvidia:sm_90") == why


def _work(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [0, 32], ids=["no block is proved", "one of two is"])
def test_what_compiling_takes_is_not_the_launch_s(monkeypatch, compiles, wrong):
    """Lanes race for a place: other orders are tried for as long as the first one was quick."""
    code = simt.decode(
        kernel(f"""  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %c = icmp eq i32 %b, {wrong // 32}
  br i1 %c, label %race, label %end
race:
  %v = trunc i64 %i to i32
  store i32 %v, ptr %o
  br label %end
end:""")
    )
    right = machine._object
    monkeypatch.setattr(machine, "_object", lambda *what: _work(2 * orders.LITTLE) or right(*what))
    result = simt.launch_in_orders(
        code,
        target="nvidia:sm_90",
        grid=2 if wrong else 1,
        block=32,
        args=[np.zeros(1, np.int32)],
        observers=lambda: simt.observers(counters=False),
        options=simt.Options(engine="native"),
    )
    assert (result.engine.native, len(compiles), result.orders) == (wrong // 32, 1, 1 + len(orders.SEEDS))


def test_code_that_llvm_does_not_read_ends_no_launch(module, monkeypatch):
    """Python runs it, and the next one at once."""
    right = machine._object
    monkeypatch.setattr(machine, "_CODE", {})
    monkeypatch.setattr(machine, "_object", lambda text, level: right(text + "\n%nothing", level))
    assert run(module, "native").why == "code that LLVM cannot parse"
    monkeypatch.undo()
    assert run(module, "native").why == "code that LLVM cannot parse"
