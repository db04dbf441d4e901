"""Races as a launch reports them: which, between whom, on which bytes, how bad."""

import re

import numpy as np
import pytest

from harness import simt
from harness.backends.base import Request
from harness.catalogue import find_case
from harness.model.target import Target
from harness.simt.messages import words
from harness.simt.observing import race_order
from harness.simt.observing.race_order import HappensBefore, SyncLog
from harness.simt.observing.race_shadow import ThreadNumbering
from harness.simt.observing.races import RaceDetector
from tests.mutants.operators import mutants
from tests.simt.snippets import kernel
from tests.solutions.stored import TARGETS, simulator, text_of

SHARED = "@cells = internal addrspace(3) global [256 x i32] undef, align 16\n"
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"


def run(body, *, grid=1, block=64, words=256, globals_=SHARED, params="ptr %o", **options):
    """Launches a body under the observer of races; returns what it says and the output."""
    output = np.zeros(words, np.int32)
    result = simt.launch(
        kernel(body, params, globals_),
        target="nvidia:sm_90",
        grid=grid,
        block=block,
        args=[simt.Buffer(output, "output")],
        observers=[RaceDetector()],
        options=simt.Options(**options),
    )
    return result.findings, output


def cell(name, index):
    """The address of a shared cell."""
    return f"%{name} = getelementptr i32, ptr addrspace(3) @cells, i32 %{index}\n"


def exchange(partner, between=""):
    """A cell is written, and the partner's is read."""
    return f"""
      {cell("q", "t")}
      store i32 %t, ptr addrspace(3) %q
      {between}
      %j = xor i32 %t, {partner}
      {cell("p", "j")}
      %v = load i32, ptr addrspace(3) %p"""


def test_a_finding_says_what_and_who_and_where():
    """Both sites, the earlier first; both threads; the bytes; the count."""
    (finding,), _ = run(exchange(32))
    earlier, later = finding.who[:2]

    assert (finding.kind, finding.severity, finding.count) == ("race", "error", 64)
    assert finding.values["hazard"] == "RAW"
    assert finding.values["between"] == "warps of one block"
    assert [place.instruction.split()[0] for place in finding.sites] == ["store", "%v"]
    assert (earlier.thread, later.thread) == ((32, 0, 0), (0, 0, 0))
    assert (earlier.warp, later.warp) == (1, 0)
    assert (finding.argument, finding.offset, finding.size) == ("cells", 128, 4)
    assert "shared memory" in finding.message


@pytest.mark.parametrize(("first", "remedy"), [(33, "call `barrier()`"), (64, "blocks do not wait")])
def test_the_remedy_is_one_for_all_who_race(first, remedy):
    """Told is who read last, of the same block; before, some of the other block did too, whom no barrier orders."""
    (finding,), _ = run(
        f"""br label %loop
    loop:
      %apart = phi i32 [{first}, %0], [32, %loop]
      %j = xor i32 %b1, %apart
      %q = getelementptr i32, ptr %o, i32 %j
      %v = load i32, ptr %q
      %more = icmp ne i32 %apart, 32
      br i1 %more, label %loop, label %out
    out:
      %p = getelementptr i32, ptr %o, i32 %b1
      store i32 %b1, ptr %p""",
        grid=2,
    )

    assert finding.values["between"] == "warps of one block"
    assert remedy in words("en").remedy(finding)


@pytest.mark.parametrize(
    ("partner", "between", "severity"),
    [(1, "", "warning"), (32, "", "error"), (1, BARRIER, None), (32, BARRIER, None), (0, "", None)],
)
def test_severity_is_that_of_the_distance(partner, between, severity):
    """In one warp a warning, between warps an error; nothing with a barrier, or of one's own."""
    findings, _ = run(exchange(partner, between))

    assert [finding.severity for finding in findings] == ([severity] if severity else [])


@pytest.mark.parametrize("seed", [None, *range(6)])
def test_a_pair_of_sites_is_one_finding_in_any_order(seed):
    """Which side comes first depends on the schedule; the pair does not."""
    findings, _ = run(exchange(96), block=256, seed=seed)

    assert len(findings) == 1
    assert findings[0].values["hazard"] in ("RAW", "WAR")
    assert findings[0].severity == "error"


def test_blocks_race_across_chunks():
    """The shadow of global memory outlives a chunk, with the right block's numbers."""
    body = "%p = getelementptr i32, ptr %o, i32 %t\nstore i32 %bx, ptr %p"
    (finding,), _ = run(body, grid=3, block=32, chunk_lanes=32)

    assert (finding.severity, finding.values["between"], finding.count) == ("error", "different blocks", 64)
    assert [who.block for who in finding.who[:2]] == [(0, 0, 0), (1, 0, 0)]


def test_shared_memory_is_fresh_for_each_chunk():
    """Blocks that reuse the same bytes one after the other do not race."""
    findings, _ = run(exchange(32, BARRIER), grid=8, chunk_lanes=64)

    assert findings == ()


@pytest.mark.parametrize(("value", "expected"), [("7", "information"), ("%t", "error")])
def test_eight_elected_lanes(value, expected):
    """As in a wrong form of puzzle 34: one lane of each warp writes the block's result."""
    body = f"""
      %l = and i32 %t, 31
      %c = icmp eq i32 %l, 0
      br i1 %c, label %in, label %out
    in:
      store i32 {value}, ptr %o
      br label %out
    out:"""
    (finding,), output = run(body, block=256)

    assert (finding.severity, finding.count) == (expected, 7)
    assert finding.kind == ("race" if expected == "error" else "several-writers")
    assert output[0] in (7, 224)


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_elected_lanes_in_any_order(seed):
    """Also when the warps come one after the other."""
    body = "%l = and i32 %t, 31\n%c = icmp eq i32 %l, 0\nbr i1 %c, label %in, label %out\nin:\n"
    same, _ = run(body + "store i32 7, ptr %o\nbr label %out\nout:", block=256, seed=seed)
    different, _ = run(body + "store i32 %t, ptr %o\nbr label %out\nout:", block=256, seed=seed)

    assert [finding.severity for finding in same] == ["information"]
    assert [finding.severity for finding in different] == ["error"]


def reduction(between):
    """`cache[i] += cache[i + stride]` in one step, and what stands between the steps."""
    return f"""
      {cell("q", "t")}
      store i32 %t, ptr addrspace(3) %q
      {BARRIER}
      br label %loop
    loop:
      %s = phi i32 [ 64, %0 ], [ %half, %next ]
      %c = icmp ult i32 %t, %s
      br i1 %c, label %add, label %next
    add:
      %j = add i32 %t, %s
      {cell("p", "j")}
      %x = load i32, ptr addrspace(3) %q
      %y = load i32, ptr addrspace(3) %p
      %z = add i32 %x, %y
      store i32 %z, ptr addrspace(3) %q
      br label %next
    next:
      {between}
      %half = lshr i32 %s, 1
      %more = icmp ne i32 %half, 0
      br i1 %more, label %loop, label %end
    end:
      %first = icmp eq i32 %t, 0
      br i1 %first, label %put, label %done
    put:
      %v = load i32, ptr addrspace(3) %q
      store i32 %v, ptr %o
      br label %done
    done:"""


@pytest.mark.parametrize("seed", [None, 4])
def test_the_one_step_sum_is_free_of_races(seed):
    """A step reads slots stride to 2*stride-1 and writes slots 0 to stride-1.

    Each thread's own slot apart, what is read in a step is not written in it: no
    barrier is needed between reading and adding, only between the steps.
    """
    findings, output = run(reduction(BARRIER), block=128, seed=seed)

    assert (findings, output[0]) == ((), 128 * 127 // 2)


@pytest.mark.parametrize("seed", [None, 4])
def test_the_one_step_sum_races_without_a_barrier_between_steps(seed):
    """A step reads what other warps wrote in the step before."""
    findings, _ = run(reduction(""), block=128, seed=seed)

    assert {finding.severity for finding in findings} == {"error"}


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_puzzle_15_needs_two_of_its_barriers(target):
    """Without the first or the last one it races; the middle one orders nothing."""
    entry, judged = find_case("p15"), []
    instance = entry.instance(Target.parse(target).warp_width)
    for mutant in mutants(text_of("p15", target)):
        if mutant.operator == "delete-barrier":
            request = Request(case=entry, instance=instance, dataset=instance.datasets[0])
            outcome = simulator(entry, target, code=mutant.text).launch(request)
            judged.append("race" in {finding.kind for finding in outcome.findings})

    assert judged == [True, False, True]


def message(store="atomic i32 1, ptr %f release", load="atomic i32, ptr %f acquire", before="", after=""):
    """Block 0 leaves a message and sets a flag; block 1 waits for the flag."""
    return f"""
      %f = getelementptr i32, ptr %o, i64 1
      %c = icmp eq i32 %bx, 0
      br i1 %c, label %give, label %wait
    give:
      store i32 42, ptr %o, align 4
      {before}
      store {store}, align 4
      br label %end
    wait:
      %v = load {load}, align 4
      %z = icmp eq i32 %v, 0
      br i1 %z, label %wait, label %take
    take:
      {after}
      %d = load i32, ptr %o, align 4
      %g = getelementptr i32, ptr %o, i64 2
      store i32 %d, ptr %g, align 4
      br label %end
    end:"""


FENCE = "call void @llvm.nvvm.membar.gl()"
RELAXED = {"store": "atomic i32 1, ptr %f monotonic", "load": "atomic i32, ptr %f monotonic"}
VOLATILE = {"store": "volatile i32 1, ptr %f", "load": "volatile i32, ptr %f"}


@pytest.mark.parametrize("seed", [None, *range(8)])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {**RELAXED, "before": FENCE, "after": FENCE},
        {**VOLATILE, "before": FENCE, "after": FENCE},
        {"store": RELAXED["store"], "before": FENCE},
        {"load": RELAXED["load"], "after": FENCE},
    ],
)
def test_a_message_that_a_flag_orders_is_clean(how, seed):
    """Release and acquire, or fences around a relaxed flag, in any schedule."""
    findings, output = run(message(**how), grid=2, block=1, seed=seed)

    assert (findings, output[2]) == ((), 42)


@pytest.mark.parametrize("seed", [None, *range(8)])
@pytest.mark.parametrize(
    "how",
    [
        RELAXED,
        VOLATILE,
        {**RELAXED, "before": FENCE},
        {**RELAXED, "after": FENCE},
        {"load": RELAXED["load"]},
        {"store": RELAXED["store"]},
    ],
)
def test_a_message_that_nothing_orders_is_caught(how, seed):
    """Any of the two sides left out: the message races, an atomic flag does not; a volatile one is warned of."""
    findings, _ = run(message(**how), grid=2, block=1, seed=seed)
    (error,) = [finding for finding in findings if finding.severity == "error"]

    assert {finding.offset for finding in findings if finding is not error} <= ({4} if how is VOLATILE else set())
    assert (error.severity, error.values["hazard"], error.offset) == ("error", "RAW", 0)


def test_a_message_orders_only_what_came_before_it():
    """What is stored after the flag is not part of the message."""
    late = message().replace("release, align 4\n", "release, align 4\n      store i32 43, ptr %o, align 4\n", 1)
    findings, _ = run(late, grid=2, block=1)

    assert findings
    assert all(finding.severity == "error" for finding in findings)


def test_a_chain_of_messages_is_followed():
    """Warps of block 1 learn of the message through the one that waited for it."""
    body = (
        message()
        .replace("%d = load", f"{BARRIER}\n      %d = load")
        .replace("br i1 %c, label %give, label %wait", "br i1 %c, label %pick, label %some")
        .replace(
            "    give:",
            """    pick:
      %c0 = icmp eq i32 %t, 0
      br i1 %c0, label %give, label %end
    some:
      %c1 = icmp eq i32 %t, 0
      br i1 %c1, label %wait, label %take
    give:""",
        )
        .replace("ptr %o, i64 2", "ptr %o, i32 %t2")
        .replace("%d = load", "%t2 = add i32 %t, 2\n      %d = load")
    )
    findings, output = run(body, grid=2, block=64)

    assert (findings, set(output[2:66].tolist())) == ((), {42})


@pytest.mark.slow
def test_a_large_race_stays_a_small_report():
    """A quarter of a million threads on one counter: one finding for each pair, 64 threads."""
    body = "%v = load i32, ptr %o\n%w = add i32 %v, %t\nstore i32 %w, ptr %o"
    findings, _ = run(body, grid=1024, block=256)

    assert len(findings) == 2
    assert all(len(finding.who) <= 64 for finding in findings)
    assert max(finding.count for finding in findings) > 200_000


def test_what_was_found_is_told_when_the_launch_ends_early():
    """A trap after a race does not hide it."""
    body = exchange(32) + "\n call void @llvm.trap()"
    findings, _ = run(body)

    assert {finding.kind for finding in findings} >= {"race"}


def test_the_observer_has_a_switch():
    """Without it, nothing is said of races."""
    names = {type(observer).__name__ for observer in simt.observers(races=False)}

    assert "RaceDetector" not in names
    assert "RaceDetector" in {type(observer).__name__ for observer in simt.observers()}


def test_pairs_of_threads_stay_together():
    """In `who`, threads stand in pairs: the earlier site's, then the later site's."""
    (finding,), _ = run(exchange(32))
    pairs = list(zip(finding.who[::2], finding.who[1::2], strict=True))

    assert len(pairs) == 32
    assert all(first.thread[0] ^ 32 == second.thread[0] for first, second in pairs)
    assert not re.search(r"\bcells\.", finding.message)


@pytest.mark.slow
def test_many_relaxed_atomics_cost_nothing_more():
    """A histogram that orders nothing is not followed through its atomics."""
    body = """
      %b = and i32 %t, 15
      %p = getelementptr i32, ptr %o, i32 %b
      %x = atomicrmw add ptr %p, i32 1 monotonic, align 4
      %q = getelementptr i32, ptr %o, i32 20
      store i32 %t, ptr %q"""
    (finding,), output = run(body, grid=512, block=256)

    assert (finding.kind, finding.severity) == ("race", "error")
    assert output[:16].tolist() == [512 * 16] * 16


@pytest.mark.slow
def test_following_ends_somewhere():
    """A race beside many ordered atomics is reported: the first pairs are followed."""
    body = """
      %x = atomicrmw add ptr %o, i32 1 seq_cst, align 4
      %q = getelementptr i32, ptr %o, i32 20
      %r = getelementptr i32, ptr %q, i32 %t
      store i32 %i32, ptr %r"""
    findings, _ = run("%i32 = trunc i64 %i to i32\n" + body, grid=512, block=64, chunk_lanes=256)

    assert "race" in {finding.kind for finding in findings}
    assert {finding.kind for finding in findings} <= {"race", "races-not-followed"}


def test_a_pair_of_threads_that_races_both_ways_is_counted_once():
    """Each block waits for the one before it: its look too early races, and so does the one that comes in time."""
    body = """
      %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %leads = icmp eq i32 %t, 0
      br i1 %leads, label %begin, label %end
    begin:
      %first = icmp eq i32 %b, 0
      %before = sub i32 %b, 1
      %there = getelementptr i32, ptr %o, i32 %before
      br i1 %first, label %publish, label %wait
    wait:
      %flag = load volatile i32, ptr %there
      %is = icmp ne i32 %flag, 0
      br i1 %is, label %publish, label %wait
    publish:
      %own = getelementptr i32, ptr %o, i32 %b
      %old = atomicrmw add ptr %own, i32 1 monotonic
      br label %end
    end:"""
    (found,), _ = run(body, grid=8)

    assert (found.id, found.count) == ("race.volatile", 7)
    assert len(set(zip(found.who[::2], found.who[1::2], strict=True))) == 7


def find_unordered(earlier, entries=0):
    """Follows writes of that many threads to a thread that knows of none, through a partial log; returns the follower
    and how many are found."""
    log = SyncLog()
    log.partial = True
    for _ in range(entries):
        log.add("fence", ("global",), np.zeros(1, np.int64), "acq_rel", 3)
    shape = ThreadNumbering(32, earlier + 1, 1, 1)
    order, threads = HappensBefore(shape, log, lambda: None, False), np.arange(earlier)
    nobody = np.zeros(earlier, bool)
    times, later = np.zeros(earlier, np.int64), np.full(earlier, earlier)
    return order, int(order.find_unordered("global", threads, times, later, "the site", nobody, nobody).sum())


def test_all_earlier_accesses_of_one_event_are_followed():
    """Also those of more threads than are kept in mind for the next event."""
    order, count = find_unordered(70)

    assert (count, order.given_up) == (70, None)


def test_accesses_that_are_not_followed_are_noted(monkeypatch):
    """The first 64 are followed here, the further ones not all: together they have too many entries."""
    monkeypatch.setattr(race_order, "MAX_ENTRIES", 1000)
    order, count = find_unordered(300, entries=5)

    assert 64 < count < 300
    assert order.given_up == "the site"
