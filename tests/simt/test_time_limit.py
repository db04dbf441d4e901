"""A launch ends within a tenth of its time limit, whatever takes the time."""

import time

import numpy as np
import pytest

from harness import simt
from harness.simt import stopwatch
from harness.simt.observing.race_clocks import SCOPES, SPACES
from harness.simt.observing.race_order import AccessReach, SyncLog
from harness.simt.observing.race_shadow import ThreadNumbering
from harness.simt.run import budget
from tests.simt.snippets import declarations

pytestmark = pytest.mark.slow  # what is measured is waited for

LANES = 16384
LIMIT = 0.5  # seconds
# Of a loop of which nobody can say whether it ends: the next number, and whether it goes on.
UNKNOWN = "%x = mul i64 %n, 6364136223846793005\n%m = or i64 %x, 1\n%c = icmp ne i64 %m, 0\n"


def straight(count):
    """A block of many instructions."""
    lines = ["%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "%v0 = sitofp i32 %t to float"]
    lines += [f"%v{n} = call float @llvm.cos.f32(float %v{n - 1})" for n in range(1, count + 1)]
    return "\n".join([*lines, f"store float %v{count}, ptr %o", "ret void"])


def copying(size):
    """One instruction that copies many bytes."""
    return f"""%p = getelementptr i8, ptr %o, i64 {size}
      call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %o, i64 {size}, i1 false)
      ret void"""


class Slow(simt.Observer):
    """Takes the processor's time for each access."""

    def access(self, event):
        """See `Observer`."""
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass


class Asleep(simt.Observer):
    """Lets others have the processor at each access."""

    def access(self, event):
        """See `Observer`."""
        time.sleep(0.01)


def loads(count):
    """A segment of many accesses."""
    return "\n".join([*(f"%v{n} = load volatile i32, ptr %o" for n in range(count)), "ret void"])


@pytest.mark.parametrize(
    ("body", "observers"),
    [(straight(4000), ()), (copying(100_000), ()), (loads(200), (Slow(),))],
    ids=["a long block", "a long copy", "a slow observer"],
)
def test_the_limit_holds_within_a_tenth(body, observers):
    """Each takes several times as long in all. The least of five: a step may take longer on a busy machine."""
    sizes = []
    module = simt.decode(f"{declarations(body)}define ptx_kernel void @k(ptr %o) {{\n{body}\n}}")
    for _ in range(5):
        start = time.thread_time()
        result = simt.launch(
            module,
            target="nvidia:sm_90",
            grid=LANES // 1024,
            block=1024,
            args=[np.zeros(200_000, np.uint8)],
            observers=observers,
            options=simt.Options(max_seconds=LIMIT),
        )
        sizes.append(time.thread_time() - start)
        assert (result.verdict, type(result.fault)) == ("incomplete", simt.BudgetExceeded)
        if sizes[-1] < 1.1 * LIMIT:
            break

    assert min(sizes) < 1.1 * LIMIT


def test_what_the_processor_does_for_others_counts_for_nothing():
    """A right kernel is right on a busy machine too."""
    module = simt.decode(f"define ptx_kernel void @k(ptr %o) {{\n{loads(60)}\n}}")
    options = simt.Options(max_seconds=LIMIT)
    observers = (Asleep(),)
    start = time.monotonic()
    result = simt.launch(
        module,
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[np.zeros(4, np.int32)],
        observers=observers,
        options=options,
    )

    assert result.fault is None and time.monotonic() - start > LIMIT


def test_the_place_is_told_for_information():
    loop = f"br label %l\nl:\n%n = phi i64 [1, %0], [%m, %l]\n{UNKNOWN}br i1 %c, label %l, label %e\ne:\nret void"
    result = simt.launch(
        f"define ptx_kernel void @k() {{\n{loop}\n}}",
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[],
        options=simt.Options(max_seconds=0.05),
    )

    (finding,) = result.findings
    assert (finding.kind, finding.severity, len(finding.who)) == ("budget-exceeded", "information", 32)
    assert finding.sites[0].instruction.startswith("br i1 %c")
    assert "was stopped after 0.05 seconds of processor time; whether it ends is not known" in str(result.fault)


def test_a_launch_whose_blocks_end_is_not_stopped_however_long_it_takes():
    """Each chunk takes most of the limit, all of them together several times as much; one alone is still stopped."""
    module = simt.decode(f"define ptx_kernel void @k(ptr %o) {{\n{loads(6)}\n}}")

    def launch(options, count):
        shape = {"target": "nvidia:sm_90", "grid": 8, "block": 32, "args": [np.zeros(4, np.int32)]}
        return simt.launch(module, **shape, observers=[Slow() for _ in range(count)], options=options)

    options = simt.Options(chunk_lanes=32)
    assert launch(options.patient(0.4, 256), 1).fault is None
    assert isinstance(launch(options.impatient(0.4), 1).fault, simt.BudgetExceeded)
    stopped = launch(options.patient(0.05, 256), 1).fault
    assert "no block ended in" in str(stopped)


def test_the_processor_s_clock_is_not_read_for_each_block_that_ends(monkeypatch):
    """On some machines reading it takes as long as a short block."""
    readings = []
    monkeypatch.setattr(budget, "thread_time", lambda: readings.append(time.thread_time()) or readings[-1])
    module = simt.decode("define ptx_kernel void @k(ptr %o) {\nret void\n}")
    shape = {"target": "nvidia:sm_90", "grid": 64, "block": 32, "args": [np.zeros(4, np.int32)]}

    result = simt.launch(module, **shape, observers=(), options=simt.Options(chunk_lanes=32).patient(60.0, 2048))

    assert result.fault is None and len(readings) == 1


@pytest.mark.parametrize(("slow", "steps"), [(1.0, 10), (4.0, 40), (1000.0, 200)])
def test_a_slow_machine_has_more_time(monkeypatch, slow, steps):
    """The time that counts is that of a usual machine; what no machine needs is not given either."""
    _tick(monkeypatch)
    monkeypatch.setattr(budget, "slowness", lambda: slow)
    loop = f"br label %l\nl:\n%n = phi i64 [1, %0], [%m, %l]\n{UNKNOWN}br i1 %c, label %l, label %e\ne:\nret void"
    text = f"define ptx_kernel void @k() {{\n{loop}\n}}"

    result = simt.launch(
        text, target="nvidia:sm_90", grid=1, block=1, args=[], options=simt.Options().patient(10.0, 1), observers=()
    )

    assert isinstance(result.fault, simt.BudgetExceeded)
    assert steps <= result.counters["steps"] <= steps + 2


def test_the_speed_of_this_machine_is_told_in_a_moment():
    before = time.thread_time()
    assert 1.0 <= stopwatch.slowness() < 100.0
    assert time.thread_time() - before < 1.0


def test_a_machine_that_is_slow_at_large_arrays_alone_is_slow(monkeypatch):
    """Its caches are fast, and its memory takes three times as long as usual."""
    usual = dict(stopwatch._USUAL)
    factors = dict(zip(usual, (0.5, 3.0), strict=True))
    monkeypatch.setattr(stopwatch, "_measure", lambda *work: factors[work] * usual[work])

    assert stopwatch.slowness() == pytest.approx(3.0)


def _tick(monkeypatch):
    """Let a second pass at each look at the clock on the wall."""
    now = iter(range(10_000))
    last = [0]

    def look():
        last[0] = next(now)
        return last[0]

    monkeypatch.setattr(budget, "perf_counter", look)
    monkeypatch.setattr(budget, "thread_time", lambda: last[0])


def test_following_an_access_through_a_long_log_looks_at_the_time():
    """The race observer's longest work: one event may lead through 50,000 entries."""
    who, log, looks = np.arange(64), SyncLog(), []
    for _ in range(1000):
        log.add("meet", SPACES, who, who // 32, who, who // 32)

    AccessReach(ThreadNumbering(32, 64, 1, 1), "global", 0, 0).advance(log, lambda: looks.append(1))

    assert len(looks) == 1000


def test_following_an_access_through_atomics_of_many_threads_takes_a_moment():
    """A frontier whose threads take their places from one counter: all of a step at once, not one after another."""
    who, log = np.arange(LANES), SyncLog()
    for _ in range(20):
        log.add("atomic", SPACES, "atomic", np.zeros(LANES, np.int64), who, "seq_cst", SCOPES["system"], True)
    sizes = []
    for _ in range(5):  # the least of them, as above
        reach, start = (
            AccessReach(ThreadNumbering(32, 1024, 1, LANES // 1024), "global", LANES // 2, 0),
            time.thread_time(),
        )
        reach.advance(log, lambda: None)
        sizes.append(time.thread_time() - start)

    assert reach.known.all()
    assert min(sizes) < 0.2


def test_a_clock_that_jumps_ends_the_launch_before_the_next_segment(monkeypatch):
    """Not every so many segments: each may take long."""
    _tick(monkeypatch)
    loop = f"br label %l\nl:\n%n = phi i64 [1, %0], [%m, %l]\n{UNKNOWN}br i1 %c, label %l, label %e\ne:\nret void"
    text = f"define ptx_kernel void @k() {{\n{loop}\n}}"

    result = simt.launch(
        text, target="nvidia:sm_90", grid=1, block=1, args=[], options=simt.Options(max_seconds=9.5), observers=()
    )

    assert result.counters["steps"] == 10
