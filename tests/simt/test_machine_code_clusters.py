"""Clusters as machine code: what their blocks do to one another's memory is proved, or told by Python word for word."""

from __future__ import annotations

import random

import numpy as np
import pytest

from harness import simt
from harness.simt.observing.counters import NOTES_BY_COUNTER, Counters
from harness.simt.run.launch import launch  # without the tests' own observers
from tests.simt.engines import SHARED, WORKERS, at_once
from tests.simt.snippets import kernel

pytestmark = pytest.mark.slow

WIDE = 32
ARRIVE, WAIT = (f"call void @llvm.nvvm.barrier.cluster.{name}.aligned()" for name in ("arrive", "wait"))
MEET = f"{ARRIVE}\n  {WAIT}"
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
AXES = "".join(
    f"\n  %{name}{axis} = call i32 @llvm.nvvm.read.ptx.sreg.{word}.{axis}()"
    for name, word in (("at.", "ctaid"), ("of.", "nctaid"))
    for axis in "xyz"
)
# The thread's element in the tile of its block and in that of the next block of the cluster, and one of all blocks'.
PLACES = f"""{AXES}
  %ny0 = mul i32 %at.z, %of.y
  %ny1 = add i32 %at.y, %ny0
  %nx0 = mul i32 %ny1, %of.x
  %b = add i32 %at.x, %nx0
  %from = mul i32 %b, {WIDE}
  %all = add i32 %from, %t
  %n64 = zext i32 %all to i64
  %t64 = zext i32 %t to i64
  %x64 = xor i64 %t64, 1
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
  %up = add i32 %rank, 1
  %next = urem i32 %up, %blocks
  %mine = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64
  %beside = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %x64
  %theirs = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %mine, i32 %next)
  %own = getelementptr i32, ptr %o, i64 %n64
  %common = getelementptr i32, ptr %o, i64 %t64
"""
UPDATE = 'atomicrmw add ptr addrspace{}, i32 1 syncscope("cluster") monotonic'
POINTERS = {
    "mine": "ptr addrspace(3) %mine",
    "beside": "ptr addrspace(3) %beside",
    "theirs": "ptr addrspace(7) %theirs",
    "own": "ptr %own",
    "common": "ptr %common",
}


def run(body, engine, *, grid=8, cluster=2, block=WIDE, observers=None, **options):
    """(result, output) of a kernel over `%o`, one element for each thread."""
    output = np.arange(int(np.prod(grid)) * block, dtype=np.int32)
    result = launch(
        kernel(PLACES + body, "ptr %o", SHARED, "nvidia:sm_90"),
        target="nvidia:sm_90",
        grid=grid,
        block=block,
        cluster=cluster,
        args=[simt.Buffer(output, "o")],
        observers=simt.observers(counters=False) if observers is None else observers,
        options=simt.Options(engine=engine, **options),
    )
    return result, output


def both(body, **how):
    """The result with machine code, once all but what ran it was found to be the reference's, with any workers too."""
    (expected, left), *ran = (run(body, engine, **how) for engine in ("reference", "native"))
    with at_once():
        ran += [run(body, "native", workers=workers, **how) for workers in WORKERS]
    for result, output in ran:
        assert left.tobytes() == output.tobytes()
        assert result.findings == expected.findings
        assert (result.verdict, result.ordered) == (expected.verdict, expected.ordered)
    return ran[0][0]


def store(place):
    """A thread's number goes to a place."""
    return f"\n  store i32 %t, {POINTERS[place]}"


def load(place, name="w"):
    """A place is read."""
    return f"\n  %{name} = load i32, {POINTERS[place]}"


PUSHED = f"{store('theirs')}\n  {MEET}{load('mine')}\n  store i32 %w, ptr %own"


@pytest.mark.parametrize(
    ("grid", "cluster"), [(8, 2), (8, 4), (8, 8), ((4, 4, 1), (2, 2, 1)), ((2, 6, 2), (1, 3, 2)), (3, 1)]
)
def test_blocks_push_into_one_another(grid, cluster):
    """Whichever blocks are a cluster's; they meet before, since another block may not run yet."""
    result = both(f"\n  {MEET}{PUSHED}", grid=grid, cluster=cluster)

    assert (result.engine.python, result.findings) == (0, ())


def test_what_its_blocks_touch_of_global_memory_is_counted():
    """Also where they touch each other's shared memory."""
    names = [name for name, notes in NOTES_BY_COUNTER.items() if "ways" not in notes]
    expected, found = (
        run(f"\n  {MEET}{PUSHED}", engine, observers=[Counters(names)])[0] for engine in ("reference", "native")
    )
    assert found.engine.native == 8
    assert [expected.counters[name] for name in names] == [found.counters[name] for name in names]


def test_chunks_hold_whole_clusters():
    """Also where fewer threads run side by side than would be a whole number of them."""
    assert not both(f"\n  {MEET}{PUSHED}", grid=12, cluster=4, chunk_lanes=6 * WIDE).engine.python


FAULTS = {
    "another block may not run yet": store("theirs") + f"\n  {MEET}{load('mine')}",
    "another block may have ended": f"\n  {MEET}{load('theirs')}",
    "others read what is stored after the arrival": (
        f"\n  {MEET}\n  {ARRIVE}{store('mine')}\n  {WAIT}{load('theirs')}\n  {MEET}"
    ),
    "others store what is read after the arrival": (
        f"{store('mine')}\n  {MEET}\n  {ARRIVE}{load('mine')}\n  {WAIT}{store('theirs')}\n  {MEET}"
    ),
    "others store what two blocks read after their arrival": (
        f"\n  {MEET}\n  {ARRIVE}{load('common')}\n  {WAIT}{load('common', 'y')}{store('common')}"
    ),
    "a peer stores what is read before the same wait": (
        f"{store('mine')}\n  {MEET}{load('mine')}{store('theirs')}\n  {MEET}"
    ),
    "a barrier of the block does not order peers": (
        f"{store('mine')}\n  {MEET}{load('theirs')}\n  {BARRIER}{store('mine')}\n  {MEET}"
    ),
    "two clusters store to one place": f"\n  {MEET}\n  store i32 %all, ptr %common\n  {MEET}",
    "a thread does not arrive": (
        f"\n  %c = icmp ult i32 %t, 31\n  br i1 %c, label %go, label %end\ngo:\n  {MEET}\n  br label %end\nend:"
    ),
    "some blocks end without it": (
        f"\n  %c = icmp ult i32 %rank, 1\n  br i1 %c, label %go, label %end\ngo:\n  {MEET}\n  br label %end\nend:"
    ),
    "nobody waits": f"\n  {ARRIVE}",
    "there is no such block": (
        "\n  %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %mine, i32 9)"
        f"\n  {MEET}\n  store i32 1, ptr addrspace(7) %far\n  {MEET}"
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_as_by_python(name):
    result = both(FAULTS[name])

    assert result.engine.python == 8
    assert any(finding.severity != "information" for finding in result.findings)


FINE = {
    "a store after the arrival that nobody else looks at": f"\n  {ARRIVE}{store('own')}\n  {WAIT}{load('own')}",
    "what was stored after the arrival is read after the next wait": (
        f"\n  {MEET}\n  {ARRIVE}{store('mine')}\n  {WAIT}\n  {MEET}{load('theirs')}\n  {MEET}"
    ),
    "a barrier needed by what comes after the arrival": (
        f"{store('mine')}\n  {BARRIER}\n  {ARRIVE}{load('beside')}\n  {WAIT}"
    ),
    "several blocks read what one of them stores later": (
        f"{store('mine')}\n  {MEET}{load('theirs')}{load('mine', 'y')}\n  {MEET}{store('mine')}"
    ),
    "updates of several blocks, of what was stored before": (
        f"{store('mine')}\n  {MEET}\n  %u = {UPDATE.format('(7) %theirs')}"
        f"\n  %v = {UPDATE.format('(3) %mine')}"
        f"\n  {MEET}{load('mine')}"
    ),
}


@pytest.mark.parametrize("name", FINE)
def test_what_is_ordered_runs_as_machine_code(name):
    result = both(FINE[name])

    assert (result.engine.python, result.findings) == (0, ())


def test_a_barrier_that_only_a_cluster_makes_needless_is_not_called_needed():
    """It is told by Python, which says that it is redundant."""
    result = both(f"{store('mine')}\n  {BARRIER}\n  {MEET}{load('mine')}")

    assert {finding.id for finding in result.findings} == {"redundant-barrier.one"}


def test_a_wrong_cluster_costs_that_cluster():
    """Its two blocks run in Python, the others stay."""
    far = (
        "\n  %c = icmp eq i32 %b, 5\n  %f = select i1 %c, i64 10000, i64 %n64\n  %g = getelementptr i32, ptr %o, i64 %f"
    )
    result = both(f"\n  {MEET}{PUSHED}{far}\n  store i32 3, ptr %g\n  {MEET}")

    assert (result.engine.native, result.engine.python) == (6, 2)
    assert [(finding.id, finding.count) for finding in result.findings] == [("out-of-bounds.after", WIDE)]


def drawn(seed):
    """The lines of a kernel whose blocks touch their own memory, others' and what all share, in some order."""
    chooser, lines, arrived = random.Random(seed), [], False
    for number in range(chooser.randrange(4, 14)):
        what = chooser.choices(("load", "store", "update", "barrier", "arrive", "meet"), (4, 4, 1, 2, 2, 3))[0]
        place = POINTERS[chooser.choices(list(POINTERS), (4, 2, 4, 2, 1))[0]]
        match what:
            case "load":
                lines.append(f"%l{number} = load i32, {place}")
            case "store":
                lines.append(f"store i32 %t, {place}")
            case "update":
                lines.append(f'%u{number} = atomicrmw add {place}, i32 1 syncscope("cluster") monotonic')
            case "barrier" if not arrived:
                lines.append(BARRIER)
            case "arrive" | "meet":
                lines += [WAIT] if arrived else [MEET] if what == "meet" else [ARRIVE]
                arrived = not arrived and what == "arrive"
    return "".join(f"\n  {line}" for line in [*lines, *([WAIT] if arrived else []), *chooser.choice(([], [MEET]))])


@pytest.mark.parametrize("first", [0, *(pytest.param(start, marks=pytest.mark.full) for start in range(40, 800, 40))])
def test_random_kernels_are_the_same(first):
    """Some of those that nothing is to be said of run as machine code."""
    start = f"{store('mine')}\n  {MEET}"
    results = [both(start + drawn(seed)) for seed in range(first, first + 40)]

    clean = [result for result in results if not result.findings]
    assert any(not result.engine.python for result in clean)


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize("memory", ["%p", "%l"], ids=["global", "local"])
def test_only_a_block_s_memory_has_a_place_in_a_peer(engine, memory):
    """Also where the peer is the block itself."""
    body = f"""
  %l = alloca i32
  store i32 1, ptr %l
  %p = getelementptr i32, ptr %a, i64 %i
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %g = call ptr @llvm.nvvm.mapa(ptr {memory}, i32 %rank)
  %w = load i32, ptr %g
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %w, ptr %q"""
    result = launch(
        kernel(body, "ptr %a, ptr %o"),
        target="nvidia:sm_90",
        grid=4,
        block=32,
        cluster=2,
        args=[np.arange(128, dtype=np.int32), np.zeros(128, np.int32)],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine),
    )

    assert [finding.id for finding in result.findings] == ["out-of-bounds.pointer.nowhere"]


def test_blocks_alone_may_arrive_and_never_wait():
    """Python runs that."""
    assert both(f"store i32 1, ptr %own\n  {ARRIVE}", cluster=1).engine.python
