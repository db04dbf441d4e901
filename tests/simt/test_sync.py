"""Barriers of a block: numbers, counts, arrivals, reductions, and lanes that end."""

import numpy as np
import pytest

from harness import simt
from harness.simt.observing.races import RaceDetector
from tests.simt.snippets import evaluate, kernel, recorder

CTA = "llvm.nvvm.barrier.cta"


def run(body, block, *, target="nvidia:sm_90", words=256, observers=(), grid=1, **options):
    """Launches a body that may store i32 to %o."""
    output = np.full(words, -1, np.int32)
    result = simt.launch(
        kernel(body, target=target),
        target=target,
        grid=grid,
        block=block,
        args=[output],
        observers=observers,
        options=simt.Options(**options),
    )
    return result, output


def split(first, second, at=64):
    """Lanes below `at` do one thing, the others another; then all end."""
    return f"""
      %p = getelementptr i32, ptr %o, i64 %i
      %low = icmp ult i32 %t, {at}
      br i1 %low, label %x, label %y
    x:
      {first}
      br label %end
    y:
      {second}
      br label %end
    end:"""


@pytest.mark.parametrize("seed", [None, 1, 2])
def test_a_counted_barrier_takes_only_its_lanes(seed):
    """Threads 0 to 63 meet at barrier 1; the others never come."""
    meet = f"call void @{CTA}.sync.aligned.count(i32 1, i32 64)\nstore i32 7, ptr %p"
    result, output = run(split(meet, "store i32 9, ptr %p"), 128, seed=seed)

    assert result.verdict == "clean"
    assert output[:128].tolist() == [7] * 64 + [9] * 64


@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_a_producer_arrives_and_a_consumer_waits(seed):
    """`bar.arrive` does not wait: the producer stores before, the consumer reads after."""
    produce = f"""
      store i32 5, ptr %p
      call void @{CTA}.arrive.aligned.count(i32 3, i32 128)"""
    consume = f"""
      call void @{CTA}.sync.aligned.count(i32 3, i32 128)
      %q = getelementptr i32, ptr %p, i64 -64
      %v = load i32, ptr %q
      store i32 %v, ptr %p"""
    watch, events = recorder("barrier")
    result, output = run(split(produce, consume), 128, observers=(watch,), seed=seed)

    assert result.verdict == "clean"
    assert (output[:128] == 5).all()
    assert sorted(set(np.concatenate([e.arrived.idx for _, e in events]).tolist())) == list(range(64))


FULL, EMPTY = (f"@{CTA}.{{}}.aligned.count(i32 {number}, i32 64)" for number in (1, 2))
STORE, LOAD = "store i32 %round, ptr addrspace(3) %mine", "%v = load i32, ptr addrspace(3) %theirs"
PIPELINES = {
    "in order": ((EMPTY, STORE, FULL), (FULL, LOAD, EMPTY), False),
    "stored behind the arrival": ((EMPTY, FULL, STORE), (FULL, LOAD, EMPTY), True),
    "loaded behind the arrival": ((EMPTY, STORE, FULL), (FULL, EMPTY, LOAD), True),
}


@pytest.mark.parametrize("what", PIPELINES)
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_an_arrival_orders_what_a_thread_did_before_it_alone(what, seed):
    """One warp stores for another, round by round, and each tells the other that it has."""
    producer, consumer, races = PIPELINES[what]

    def steps(parts, waits):
        return "\n".join(
            f"call void {part.format('sync' if part is waits else 'arrive')}" if part in (FULL, EMPTY) else part
            for part in parts
        )

    body = f"""
      %x = xor i32 %t, 32
      %mine = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %t
      %theirs = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %x
      %first = icmp ult i32 %t, 32
      br i1 %first, label %produce, label %begin
    begin:
      call void {EMPTY.format("arrive")}
      br label %consume
    produce:
      %round = phi i32 [0, %0], [%next, %produce]
      {steps(producer, EMPTY)}
      %next = add i32 %round, 1
      %again = icmp ult i32 %next, 3
      br i1 %again, label %produce, label %last
    consume:
      %own = phi i32 [0, %begin], [%further, %consume]
      {steps(consumer, FULL)}
      %further = add i32 %own, 1
      %more = icmp ult i32 %further, 3
      br i1 %more, label %consume, label %end
    last:
      call void {EMPTY.format("sync")}
      br label %end
    end:"""
    tile = "@tile = internal addrspace(3) global [64 x i32] undef, align 4\n"
    result = simt.launch(
        kernel(body, globals_=tile),
        target="nvidia:sm_90",
        grid=2,
        block=64,
        args=[np.zeros(1, np.int32)],
        observers=[RaceDetector()],
        options=simt.Options(seed=seed),
    )

    assert result.fault is None
    assert {finding.kind for finding in result.findings} == ({"race"} if races else set())


def test_arrivals_that_complete_a_barrier_reset_it():
    """All arrive, nobody waits; the next phase needs all again."""
    body = f"""
      call void @{CTA}.arrive.count(i32 2, i32 64)
      call void @{CTA}.sync.count(i32 2, i32 64)
      store i32 1, ptr %o"""
    result, output = run(body, 64)

    assert (result.verdict, output[0]) == ("clean", 1)


def test_a_barrier_opens_when_those_that_miss_have_ended():
    """Threads 0 to 31 return before the barrier: the others go on, as on hardware."""
    wait = f"call void @{CTA}.sync.aligned.all(i32 0)\nstore i32 1, ptr %p"
    result, output = run(split("ret void", wait, at=32).replace("ret void\n      br label %end", "ret void"), 96)

    assert result.fault is None
    assert output[:96].tolist() == [-1] * 32 + [1] * 64


def test_a_lane_may_choose_its_barrier():
    """The number is a value: each warp has one of its own."""
    body = f"""
      %p = getelementptr i32, ptr %o, i64 %i
      %w = lshr i32 %t, 5
      %n = add i32 %w, 1
      call void @{CTA}.sync.count(i32 %n, i32 32)
      store i32 %n, ptr %p"""
    result, output = run(body, 128)

    assert result.verdict == "clean"
    assert output[:128].tolist() == np.repeat([1, 2, 3, 4], 32).tolist()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (f"call void @{CTA}.sync.count(i32 1, i32 40)", "must be a multiple of 32, but is 40"),
        (f"call void @{CTA}.arrive.count(i32 1, i32 40)", "must be a multiple of 32, but is 40"),
        (f"call void @{CTA}.sync.count(i32 17, i32 64)", "barriers 0 to 15, not 17"),
        (f"call void @{CTA}.sync.aligned.all(i32 16)", "barriers 0 to 15, not 16"),
        (f"call void @{CTA}.arrive.count(i32 16, i32 128)", "barriers 0 to 15, not 16"),
        (f"call void @{CTA}.sync.count(i32 1, i32 32)", "64 threads arrive at barrier 1, which expects 32"),
        (
            f"call void @{CTA}.arrive.count(i32 1, i32 128)\ncall void @{CTA}.arrive.count(i32 1, i32 128)",
            "arrives twice at barrier 1",
        ),
    ],
)
def test_a_misused_count_is_found(call, words):
    """A finding that says what is wrong with the number or the count."""
    result, _ = run(call, 64)

    assert result.findings[0].kind == "barrier-protocol"
    assert words in result.findings[0].message


def test_a_count_that_nobody_completes_is_a_deadlock():
    """64 of 128 come."""
    result, _ = run(split(f"call void @{CTA}.sync.count(i32 1, i32 128)", ""), 128)

    assert isinstance(result.fault, simt.Deadlock)
    assert "64 threads of 1 block wait" in str(result.fault)


@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("name", ["popc", "and", "or"])
def test_a_reduction_takes_all_lanes_of_the_block(name, seed):
    """Also those that come to another instruction of the same barrier."""
    into = "i32" if name == "popc" else "i1"
    call = f"call {into} @{CTA}.red.{name}.all(i32 0, i1 %c)"
    for count in (0, 5, 96):
        text = split(f"%v = {call}", f"%w = {call}", at=40).replace(
            "    end:",
            f"""    end:
          %r = phi {into} [%v, %x], [%w, %y]
          %z = zext {into} %r to i64
          %s = trunc i64 %z to i32
          store i32 %s, ptr %p""",
        )
        result, output = run(f"%c = icmp ult i32 %t, {count}\n{text}", 96, seed=seed)
        expected = {"popc": count, "and": int(count == 96), "or": int(count > 0)}[name]

        assert result.verdict == "clean"
        assert (output[:96] == expected).all()


def test_a_reduction_is_the_blocks_own():
    """Two blocks, in one chunk, get their own sums."""
    body = f"""
      %c = icmp ult i32 %b1, 70
      %r = call i32 @{CTA}.red.popc.aligned.all(i32 0, i1 %c)
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %r, ptr %p"""
    _, output = run(body, 64, grid=2)

    assert output[:128].tolist() == [64] * 64 + [6] * 64


@pytest.mark.parametrize(("name", "expected"), [("popc", [32, 0, 16, 32]), ("and", [1, 0, 0, 1]), ("or", [1, 0, 1, 1])])
def test_a_reduction_is_the_barriers_own(name, expected):
    """Each warp comes to a barrier of its own, at one instruction."""
    into = "i32" if name == "popc" else "i1"
    body = f"""
      %w = lshr i32 %t, 5
      %n = add i32 %w, 1
      %inside = and i32 %t, 31
      %half = icmp eq i32 %w, 2
      %low = icmp ult i32 %inside, 16
      %first = icmp eq i32 %w, 0
      %last = icmp eq i32 %w, 3
      %ends = or i1 %first, %last
      %c = select i1 %half, i1 %low, i1 %ends
      %r = call {into} @{CTA}.red.{name}.aligned.count(i32 %n, i32 32, i1 %c)
      %z = zext {into} %r to i64
      %s = trunc i64 %z to i32
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %s, ptr %p"""
    result, output = run(body, 128)

    assert result.verdict == "clean"
    assert output[:128].tolist() == np.repeat(expected, 32).tolist()


@pytest.mark.parametrize("arrival", ["sync", "arrive"])
def test_blocks_may_give_a_barrier_different_counts(arrival):
    """Of the second block one warp more comes than of the first: none is left waiting."""
    body = f"""
      %more = shl i32 %bx, 5
      %count = add i32 %more, {32 if arrival == "sync" else 64}
      %first = icmp ult i32 %t, 32
      %comes = icmp ult i32 %t, %count
      br i1 %first, label %x, label %y
    x:
      call void @{CTA}.{arrival}.aligned.count(i32 1, i32 %count)
      br label %end
    y:
      br i1 %comes, label %z, label %end
    z:
      call void @{CTA}.sync.aligned.count(i32 1, i32 %count)
      br label %end
    end:"""
    result, _ = run(body, 96, grid=2)

    assert result.fault is None
    assert result.verdict == "clean"


@pytest.mark.parametrize("other", [f"{CTA}.sync.aligned", f"{CTA}.arrive.aligned"])
@pytest.mark.parametrize("late", [True, False])
def test_a_reduction_with_threads_that_have_nothing_to_reduce_is_found(other, late):
    """PTX leaves open what then happens, whoever comes last."""
    reduce = f"%r = call i32 @{CTA}.red.popc.aligned.count(i32 1, i32 64, i1 true)"
    plain = f"call void @{other}.count(i32 1, i32 64)"
    result, _ = run(split(*((plain, reduce) if late else (reduce, plain)), at=32), 64)

    assert "barrier-protocol.mixed" in [finding.id for finding in result.findings]


def test_threads_of_a_block_that_give_a_barrier_different_counts_are_found():
    """The others name none that would ever come."""
    body = f"""
      %w = and i32 %t, 32
      %count = add i32 %w, 64
      call void @{CTA}.sync.aligned.count(i32 1, i32 %count)"""
    result, _ = run(body, 64, grid=2)

    assert result.findings[0].id == "barrier-protocol.counts"


@pytest.mark.parametrize("verbs", [("sync", "sync"), ("arrive", "sync"), ("sync", "arrive"), ("arrive", "arrive")])
@pytest.mark.parametrize("counts", [(64, 96), (96, 64), (64, 64)])
def test_instructions_that_give_one_barrier_different_counts_are_found(verbs, counts):
    """Whichever comes first, and whether they wait."""
    pairs = zip(verbs, counts, strict=True)
    result, _ = run(split(*(f"call void @{CTA}.{verb}.aligned.count(i32 1, i32 {n})" for verb, n in pairs), at=32), 64)

    found = [finding.id for finding in result.findings if finding.id != "deadlock"]
    assert found == ["barrier-protocol.counts"] * (counts != (64, 64))


def test_a_barrier_that_has_opened_may_take_another_number():
    both = f"call void @{CTA}.sync.aligned.count(i32 1, i32 64)"
    body = split(f"{both}\ncall void @{CTA}.sync.aligned.count(i32 1, i32 32)", both, at=32)

    assert run(body, 64)[0].verdict == "clean"


@pytest.mark.parametrize(
    ("target", "call"),
    [
        ("nvidia:sm_90", f"call void @{CTA}.sync.aligned.all(i32 0)"),
        ("amd:gfx942", "call void @llvm.amdgcn.s.barrier()"),
        ("apple:apple-m4", "call void @air.wg.barrier(i32 2, i32 1)"),
    ],
)
@pytest.mark.parametrize("seed", [None, 5])
def test_a_barrier_separates_a_store_from_a_load(target, call, seed):
    """Each thread reads what its neighbour stored, over several blocks."""
    body = f"""
      %x = xor i64 %i, 64
      %p = getelementptr i32, ptr %o, i64 %i
      %q = getelementptr i32, ptr %o, i64 %x
      store i32 %b1, ptr %p
      {call}
      %v = load i32, ptr %q
      {call}
      store i32 %v, ptr %p"""
    result, output = run(body, 128, target=target, grid=2, seed=seed)

    assert result.verdict == "clean"
    assert output.tolist() == [n ^ 64 for n in range(256)]


@pytest.mark.parametrize("released", [True, False])
@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_warps_that_fence_at_different_times_before_a_barrier_are_ordered_by_it(seed, released):
    """On AMD fences order what a barrier alone does not: in any order of the warps; without a fence it is a race."""
    body = f"""
      %x = xor i64 %i, 128
      %p = getelementptr i32, ptr %o, i64 %i
      %q = getelementptr i32, ptr %o, i64 %x
      store i32 %b1, ptr %p
      {'fence syncscope("workgroup") release' if released else ""}
      call void @llvm.amdgcn.s.barrier()
      fence syncscope("workgroup") acquire
      %v = load i32, ptr %q"""
    result, _ = run(body, 256, target="amd:gfx942", words=512, grid=2, seed=seed, observers=(RaceDetector(),))

    assert {finding.id for finding in result.findings} == (set() if released else {"race.global.write-read"})


def test_a_barrier_tells_observers_what_it_orders():
    """NVIDIA orders both memories, Apple those of its flags, AMD none."""
    cases = [
        ("nvidia:sm_90", f"call void @{CTA}.sync.aligned.all(i32 4)", {"global", "shared"}, True, 4),
        ("nvidia:sm_90", f"call void @{CTA}.sync.all(i32 0)", {"global", "shared"}, False, 0),
        ("amd:gfx942", "call void @llvm.amdgcn.s.barrier()", set(), True, 0),
        ("apple:apple-m4", "call void @air.wg.barrier(i32 2, i32 1)", {"shared"}, True, 0),
        ("apple:apple-m4", "call void @air.wg.barrier(i32 3, i32 1)", {"global", "shared"}, True, 0),
    ]
    for target, call, memory, aligned, number in cases:
        watch, events = recorder("barrier")
        run(call, 64, target=target, observers=(watch,))
        ((_, event),) = events
        assert (set(event.memory), event.aligned) == (memory, aligned)
        assert (event.rows.tolist(), event.exited.tolist(), event.arrived) == ([0], [0], None)
        ((site, lanes),) = event.groups
        assert lanes.n == 64 and call.split("@")[1].split("(")[0] in site.text
        if target.startswith("nvidia"):
            assert event.barrier == number


def test_a_warp_waits_for_its_mask():
    """`bar.warp.sync`: the event has masks, and the memory it orders."""
    watch, events = recorder("warp_sync")
    run("call void @llvm.nvvm.bar.warp.sync(i32 -1)", 64, observers=(watch,))
    ((_, event),) = events

    assert event.masks.tolist() == [-1] and event.lanes.n == 64
    assert event.memory == {"global", "shared"}


@pytest.mark.parametrize(
    ("text", "ordering", "scope"),
    [
        ("call void @llvm.nvvm.membar.cta()", "seq_cst", "block"),
        ("call void @llvm.nvvm.membar.gl()", "seq_cst", "device"),
        ("call void @llvm.nvvm.membar.sys()", "seq_cst", "system"),
        ("call void @llvm.nvvm.fence.sc.cluster()", "seq_cst", "cluster"),
        ('fence syncscope("workgroup") release', "release", "block"),
        ('fence syncscope("agent") acquire', "acquire", "device"),
        ("fence seq_cst", "seq_cst", "system"),
        ('call void asm sideeffect "fence.acq_rel.gpu;", ""()', "acq_rel", "device"),
    ],
)
def test_fences_tell_their_order_and_scope(text, ordering, scope):
    """They order nothing here; observers are told."""
    watch, events = recorder("fence")
    run(text, 32, observers=(watch,))
    ((_, event),) = events

    assert (event.ordering, event.scope, event.lanes.n) == (ordering, scope, 32)


@pytest.mark.parametrize(
    ("operands", "told"),
    [
        ("i32 3, i32 5, i32 2", ("seq_cst", "device", {"global", "shared"})),
        ("i32 2, i32 4, i32 1", ("acq_rel", "block", {"shared"})),
        ("i32 1, i32 2, i32 4", ("acquire", "warp", {"global"})),
        ("i32 1, i32 0, i32 2", None),  # relaxed: it orders nothing
    ],
)
def test_a_fence_of_metal_says_by_numbers_what_it_orders(operands, told):
    watch, events = recorder("fence")
    run(f"call void @air.atomic.fence({operands})", 32, target="apple:apple-m4", observers=(watch,))

    assert [(event.ordering, event.scope, event.spaces) for _, event in events] == ([told] if told else [])


def test_branches_segments_and_exits_are_told():
    """Who branches where, what runs, who ends."""
    watch, events = recorder("branch", "segment", "exit")
    evaluate(
        """
      %c = icmp slt i32 %a, 2
      br i1 %c, label %x, label %y
    x:
      br label %y
    y:
      %r = phi i32 [1, %0], [2, %x]""",
        "i32",
        ("i32", range(4)),
        observers=(watch,),
    )
    branches = [event for name, event in events if name == "branch"]
    ended = [event for name, event in events if name == "exit"]
    segments = [event for name, event in events if name == "segment"]

    assert [event.taken.tolist() for event in branches] == [[True, True, False, False]]
    assert sum(event.lanes.n for event in ended) == 4
    assert segments[0].number == 0 and segments[0].lanes.n == 4
