"""Copies that are waited for later: what they write, when, and what is told of them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import TABLE
from harness.simt.ir.values import base_of
from harness.simt.observing.asynchronous import Asynchronous
from harness.simt.state.window import Window, places_of
from tests.simt.nvidia import KERNELS, launch
from tests.simt.snippets import evaluate, kernel, recorder, undefined

F32 = np.float32
DATA = np.random.default_rng(7).normal(size=1024).astype(F32)
CP = "llvm.nvvm.cp.async"
SHARED = "@s = internal addrspace(3) global [64 x i32] undef, align 16\n"
BARRIER = "@bar = internal addrspace(3) global [1 x i64] undef, align 8\n"
HEAD = """
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %f = getelementptr i32, ptr addrspace(1) %g, i32 %t
  %p = getelementptr i32, ptr %o, i64 %i
"""


@KERNELS
def test_copies_of_each_width():
    out = launch("copy_widths", 1, 32, np.zeros(224, F32), DATA)

    np.testing.assert_array_equal(out, np.roll(np.concatenate([DATA[:128], DATA[:64], DATA[:32]]), -7))


@KERNELS
def test_what_is_not_copied_is_filled():
    """With zeros behind the bytes that are read, or with another value instead of all of them."""
    out = launch("copy_filled", 1, 32, np.zeros(256, F32), DATA)
    words = DATA[:128].reshape(32, 4)
    t, word = np.ogrid[:32, :4]

    np.testing.assert_array_equal(out[:128].reshape(32, 4), np.where(word < t % 5, words, 0))
    np.testing.assert_array_equal(out[128:].reshape(32, 4), np.where(t % 2 == 0, words, F32(9)))


@KERNELS
def test_a_group_arrives_while_later_ones_are_under_way():
    out = launch("copy_in_stages", 1, 64, np.zeros(64, F32), DATA)
    total = np.zeros(64, F32)
    for row in DATA[: 6 * 64].reshape(6, 64):
        total = total * 2 + row[::-1]

    np.testing.assert_array_equal(out, total)


@KERNELS
def test_dependent_launches_run_one_after_another():
    """What lets the next launch begin early, and waits for the one before, has nothing to do."""
    np.testing.assert_array_equal(launch("dependent", 1, 64, np.zeros(64, F32), DATA), DATA[:64] + 1)


@KERNELS
def test_parts_of_vectors_are_taken_and_put():
    out = launch("vector_parts", 1, 32, np.zeros(256, F32), DATA).reshape(32, 8)
    x = DATA[:256].reshape(32, 8)
    expected = np.concatenate([x[:, :4] + x[:, 4:], x[:, 4:]], 1)
    expected[:, 2:4] = x[:, :2]

    np.testing.assert_array_equal(out, expected)


def test_a_part_of_a_vector_is_defined_where_the_vector_is():
    """The half that was not written makes the other one no less defined."""
    body = """
      %h = insertelement <4 x i32> poison, i32 %a, i64 0
      %v = insertelement <4 x i32> %h, i32 7, i64 1
      %r = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 {})"""

    assert undefined(body.format(0), "<2 x i32>", ("i32", [1, 2])) == [False, False]
    assert undefined(body.format(2), "<2 x i32>", ("i32", [1, 2])) == [True, True]


def test_a_vector_put_into_another_replaces_its_part():
    body = """
      %l = insertelement <2 x i32> <i32 5, i32 6>, i32 %a, i64 0
      %v = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 1, i64 0
      %r = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %v, <2 x i32> %l, i64 2)"""

    assert evaluate(body, "<4 x i32>", ("i32", [8, 9])).tolist() == [[1, 2, 8, 6], [1, 2, 9, 6]]


def run(body, *observers, out=64, threads=32, a=None, **options):
    """Launches a body that copies from %a; returns the result and the output."""
    output = np.zeros(out, np.int32)
    source = np.arange(64, dtype=np.int32) if a is None else a
    result = simt.launch(
        kernel(HEAD + body, "ptr %o, ptr %a", SHARED),
        target="nvidia:sm_90",
        grid=1,
        block=threads,
        args=[output, source],
        observers=observers or simt.observers(),
        options=simt.Options(**options),
    )
    return result, output


COPY = f"call void @{CP}.ca.shared.global.4(ptr addrspace(3) %q, ptr addrspace(1) %f)\n"
READ = "%v = load i32, ptr addrspace(3) %q\nstore i32 %v, ptr %p\n"


@pytest.mark.parametrize("seed", [None, 3])
def test_lanes_wait_for_groups_of_their_own(seed):
    """All wait until one group is left: of the lanes that closed two the first one has arrived, of the others none."""
    body = f"""
      {COPY}
      call void @{CP}.commit.group()
      %even = icmp ult i32 %t, 16
      br i1 %even, label %more, label %wait
    more:
      %q2 = getelementptr i32, ptr addrspace(3) %q, i32 32
      call void @{CP}.ca.shared.global.4(ptr addrspace(3) %q2, ptr addrspace(1) %f)
      call void @{CP}.commit.group()
      br label %wait
    wait:
      call void @{CP}.wait.group(i32 1)
      {READ}"""
    result, output = run(body, seed=seed)
    findings = [finding for finding in result.findings if finding.kind == "async-copy"]

    assert output[:16].tolist() == list(range(16))  # their first group has arrived
    assert [finding.id for finding in findings] == ["async-copy.read"]
    assert {who.thread[0] for who in findings[0].who} == set(range(16, 32))


def test_an_observer_sees_a_copy_begin_and_end():
    watch, events = recorder("copy")
    run(f"{COPY}call void @{CP}.wait.all()\n{READ}", watch)
    (_, begin), (_, end) = events

    assert (begin.kind, end.kind, begin.number == end.number) == ("begin", "end", True)
    roles = {place.role: (place.allocation.space, place.size, place.starts.tolist()) for place in begin.places}
    places = list(range(0, 128, 4))
    assert roles == {"source": ("global", 4, places), "target": ("shared", 4, places)}


def test_a_copy_that_nobody_waits_for_still_ends():
    """With the kernel; nothing is left for the next blocks."""
    watch, events = recorder("copy")
    result, _ = run(COPY, watch)

    assert result.verdict == "clean"
    assert [event.kind for _, event in events] == ["begin", "end"]


def test_what_is_copied_undefined_stays_so():
    """The copy of memory that nobody wrote is no fault; storing it where the host reads is."""
    source = simt.Buffer(np.zeros(64, np.int32), "a", initialised=False)
    result, _ = run(f"{COPY}call void @{CP}.wait.all()\n{READ}", a=source)

    assert [finding.id for finding in result.findings if finding.kind == "uninitialised"] == ["uninitialised.output"]


def test_kernels_without_copies_are_not_watched():
    """The observer of copies costs them nothing: it hears of no access."""
    heard = []

    class Listening(Asynchronous):
        def access(self, event):
            heard.append(event.kind)

    run("store i32 1, ptr %p\n", Listening())
    assert heard == []
    run(f"{COPY}call void @{CP}.wait.all()\n", Listening())
    assert heard == ["load", "store"]


def test_a_shared_address_has_32_bits():
    """As an integer it keeps its place, also widened, masked and shifted as descriptors want it."""
    body = """
      %n = ptrtoint ptr addrspace(3) @s to i64
      %w = trunc i64 %n to i32
      %m = add i32 %w, 8
      %q = inttoptr i32 %m to ptr addrspace(3)
      store i32 %a, ptr addrspace(3) %q
      %b = getelementptr i32, ptr addrspace(3) @s, i32 2
      %v = load i32, ptr addrspace(3) %b
      %k = lshr i64 %n, 18
      %h = trunc i64 %k to i32
      %r = add i32 %v, %h"""
    text = kernel(
        f"%pa = getelementptr i32, ptr %in, i64 %i\n%a = load i32, ptr %pa\n{body}\n"
        "%po = getelementptr i32, ptr %out, i64 %i\nstore i32 %r, ptr %po",
        "ptr %in, ptr %out",
        SHARED,
    )
    out = np.zeros(1, np.int32)
    simt.launch(text, target="nvidia:sm_90", grid=1, block=1, args=[np.array([41], np.int32), out])

    assert out.tolist() == [41]


def test_a_window_finds_each_array_and_its_peers():
    """Also one byte past an array, which another one may follow; null stays null."""
    places = {number: place for number, place, _ in places_of([(3, 100, 1), (9, 256, 1024)])}
    window = Window(places)
    peer = 5 << 56
    pointers = np.array([base_of(3), base_of(3) + 99, base_of(9) + 255, base_of(9) + 16 | peer])

    assert window.pointer(window.address(pointers)).tolist() == pointers.tolist()
    assert window.address(np.array([base_of(9)])) % 1024 == 0
    assert window.pointer(np.array([0])).tolist() == window.address(np.array([0])).tolist() == [0]
    assert Window({}).pointer(np.array([64])).tolist() == [64]


WORDS = "@words = internal addrspace(3) global [128 x i32] undef, align 16\n"
FORMS = [
    (name, size)
    for name in TABLE
    if re.match(r"asm:.*cp\.async\.c[ag]\.", name)
    for size in ((4, 8, 16) if ".ca." in name and ".reg" not in name else (16,))
]


@pytest.mark.parametrize(("name", "size"), FORMS)
def test_each_form_of_a_copy_in_assembly(name, size):
    """All bytes, fewer and zeros behind them, or other words where an operand is 0; with a hint to the cache, too."""
    either, count = ".reg .pred" in name, size // 4
    fewer = not either and ("$4" if "hint" in name else "$3") in name
    given = [("r", "i32 %to"), ("l", "ptr %from"), ("n", f"i32 {size}")]
    if either:
        given = [("r", "i32 %odd"), *given, *[("r", f"i32 {fill}") for fill in (-1, -2, -3, -4)]]
    if fewer:
        given.append(("r", "i32 %bytes"))
    if "hint" in name:
        given.append(("l", "i64 %policy"))
    text, types, operands = name.removeprefix("asm:"), *map(", ".join, zip(*given, strict=True))
    lines = [f"%k{word} = add i32 %first, {word}" for word in range(count)]
    for word in range(count):
        lines.append(f"%w{word} = getelementptr i32, ptr addrspace(3) @words, i32 %k{word}")
        lines += [
            f"%v{word} = load i32, ptr addrspace(3) %w{word}",
            f"%o{word} = getelementptr i32, ptr %o, i32 %k{word}",
        ]
        lines.append(f"store i32 %v{word}, ptr %o{word}")
    body = f"""
      %first = mul i32 %t, {count}
      %q = getelementptr i32, ptr addrspace(3) @words, i32 %first
      %to = ptrtoint ptr addrspace(3) %q to i32
      %from = getelementptr i32, ptr %a, i32 %first
      %odd = and i32 %t, 1
      %some = urem i32 %t, {count + 1}
      %bytes = mul i32 %some, 4
      %policy = call i64 asm "createpolicy.fractional.L2::evict_last.b64 $0;", "=l"()
      call void asm sideeffect "{text}", "{types.replace(" ", "")}"({operands})
      call void @{CP}.wait.all()
      {chr(10).join(lines)}"""
    out, source = np.zeros(32 * count, np.int32), np.arange(100, 100 + 32 * count, dtype=np.int32)
    text = kernel(body, "ptr %o, ptr %a", WORDS)
    result = simt.launch(text, target="nvidia:sm_90", grid=1, block=32, args=[out, source], observers=simt.observers())

    assert result.verdict == "clean", (result.findings, result.fault)
    t, word = np.ogrid[:32, :count]
    expected = source.reshape(32, count)
    if either:
        expected = np.where(t % 2 == 1, expected, -1 - word)
    if fewer:
        expected = np.where(word < t % (count + 1), expected, 0)
    np.testing.assert_array_equal(out.reshape(32, count), expected)


BULK = f"""
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  BRING
  br label %begun
begun:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %go, label %wait
go:
  %v = load i32, ptr addrspace(3) %q
  %twice = add i32 %v, %v
  store i32 %twice, ptr addrspace(3) %q
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %first, label %send, label %sent
send:
  %far = addrspacecast ptr %o to ptr addrspace(1)
  call void @{CP}.bulk.shared.cta.to.global(
    ptr addrspace(1) %far, ptr addrspace(3) @s, i32 256, i64 0, i1 false)
  call void @{CP}.bulk.commit.group()
  WAIT
  br label %sent
sent:
"""


INTO = {
    "cta": f"""call void @{CP}.bulk.global.to.shared.cta(
    ptr addrspace(3) @s, ptr addrspace(3) @bar, ptr addrspace(1) %g, i32 256, i64 0, i1 false)""",
    "cluster": f"""%here = addrspacecast ptr addrspace(3) @s to ptr addrspace(7)
  call void @{CP}.bulk.global.to.shared.cluster(ptr addrspace(7) %here, ptr addrspace(3) @bar,
    ptr addrspace(1) %g, i32 256, i16 0, i64 0, i1 false, i1 false)""",
}


WAITS = [
    f"call void @{CP}.bulk.wait.group(i32 0)",
    f"call void @{CP}.bulk.wait.group.read(i32 0)\n  store i32 -1, ptr addrspace(3) @s",
    "",
]


@pytest.mark.parametrize("into", INTO)
@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("seed", [None, 5])
def test_bulk_copies_come_in_by_a_barrier_and_go_out_by_a_group(into, wait, seed):
    """What goes out arrives in the end also where nobody waits for it; when it was read its place may be used again."""
    lines = re.sub(r"([(,])\n\s+", r"\1 ", BULK.replace("BRING", INTO[into]).replace("WAIT", wait))
    output, source = np.zeros(64, np.int32), np.arange(64, dtype=np.int32)
    result = simt.launch(
        kernel(HEAD + lines, "ptr %o, ptr %a", SHARED + BARRIER),
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[output, source],
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )

    assert (result.verdict, result.findings) == ("clean", ())
    assert output.tolist() == (2 * source).tolist()


PEERS = f"""
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %other = xor i32 %rank, 1
  store i32 %b1, ptr addrspace(3) %q
  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  %k = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 128)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %begun
begun:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  br i1 %first, label %send, label %wait
send:
  %half = getelementptr i32, ptr addrspace(3) @s, i32 32
  %to = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %half, i32 %other)
  %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @bar, i32 %other)
  %n = ptrtoint ptr addrspace(7) %far to i32
  %its = inttoptr i32 %n to ptr addrspace(3)
  call void @{CP}.bulk.shared.cta.to.cluster(ptr addrspace(7) %to, ptr addrspace(3) %its, ptr addrspace(3) @s, i32 128)
  br label %wait
wait:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cluster.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %go, label %wait
go:
  %m = add i32 %t, 32
  %come = getelementptr i32, ptr addrspace(3) @s, i32 %m
  %v = load i32, ptr addrspace(3) %come
  store i32 %v, ptr %p
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
"""


def peers(body, seed=None):
    """Launches two blocks of a cluster; returns the result and the output."""
    output = np.zeros(64, np.int32)
    result = simt.launch(
        kernel(HEAD + body, "ptr %o, ptr %a", SHARED + BARRIER),
        target="nvidia:sm_90",
        grid=2,
        block=32,
        cluster=2,
        args=[output, np.zeros(64, np.int32)],
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )
    return result, output


@pytest.mark.parametrize("seed", [None, 3, 5])
def test_blocks_copy_to_each_other(seed):
    """In bulk, from shared memory to that of a peer, whose barrier counts the bytes; none has ended by then."""
    result, output = peers(PEERS, seed)

    assert (result.verdict, result.findings) == ("clean", ())
    assert output.tolist() == [*range(32, 64), *range(32)]


def test_a_copy_to_a_block_that_does_not_wait_may_come_after_its_end():
    result, _ = peers(PEERS[: PEERS.index("  %done")])

    assert "peer-ended" in {finding.id for finding in result.findings}
