"""Copies that are waited for later: what they write, when, and what is told of them."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.ir.values import base_of
from harness.simt.observing.asynchronous import Asynchronous
from harness.simt.state.window import SharedWindow, assign_offsets
from tests.simt.built import needs_mojo
from tests.simt.nvidia import launch
from tests.simt.snippets import kernel, recorder

F32 = np.float32
DATA = np.random.default_rng(7).normal(size=1024).astype(F32)
CP = "llvm.nvvm.cp.async"
SHARED = "@s = internal addrspace(3) global [64 x i32] undef, align 16\n"
HEAD = """
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %g = addrspacecast ptr %a to ptr addrspace(1)
  %f = getelementptr i32, ptr addrspace(1) %g, i32 %t
  %p = getelementptr i32, ptr %o, i64 %i
"""


@needs_mojo
def test_copies_of_each_width():
    out = launch("copy_widths", 1, 32, np.zeros(224, F32), DATA)

    np.testing.assert_array_equal(out, np.roll(np.concatenate([DATA[:128], DATA[:64], DATA[:32]]), -7))


@needs_mojo
def test_what_is_not_copied_is_filled():
    """With zeros behind the bytes that are read, or with another value instead of all of them."""
    out = launch("copy_filled", 1, 32, np.zeros(256, F32), DATA)
    words = DATA[:128].reshape(32, 4)
    t, word = np.ogrid[:32, :4]

    np.testing.assert_array_equal(out[:128].reshape(32, 4), np.where(word < t % 5, words, 0))
    np.testing.assert_array_equal(out[128:].reshape(32, 4), np.where(t % 2 == 0, words, F32(9)))


@needs_mojo
def test_a_group_arrives_while_later_ones_are_under_way():
    out = launch("copy_in_stages", 1, 64, np.zeros(64, F32), DATA)
    total = np.zeros(64, F32)
    for row in DATA[: 6 * 64].reshape(6, 64):
        total = total * 2 + row[::-1]

    np.testing.assert_array_equal(out, total)


@needs_mojo
def test_dependent_launches_run_one_after_another():
    """What lets the next launch begin early, and waits for the one before, has nothing to do."""
    np.testing.assert_array_equal(launch("dependent", 1, 64, np.zeros(64, F32), DATA), DATA[:64] + 1)


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


@pytest.mark.parametrize("more", [0, 1])
def test_a_copy_that_is_to_read_more_than_it_copies_is_told(more):
    """PTX leaves open what it does then."""
    copy = f"call void @{CP}.ca.shared.global.4.s(ptr addrspace(3) %q, ptr addrspace(1) %f, i32 %n)\n"
    result, _ = run(f"%odd = and i32 %t, {more}\n%n = add i32 %odd, 4\n{copy}call void @{CP}.wait.all()\n{READ}")

    assert [(found.id, found.count) for found in result.findings] == [("async-copy.more", 16)] * more


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
    places = {number: place for number, place, _ in assign_offsets([(3, 100, 1), (9, 256, 1024)])}
    window = SharedWindow(places)
    peer = 5 << 56
    pointers = np.array([base_of(3), base_of(3) + 99, base_of(9) + 255, base_of(9) + 16 | peer])

    assert window.pointer(window.address(pointers)).tolist() == pointers.tolist()
    assert window.address(np.array([base_of(9)])) % 1024 == 0
    assert window.pointer(np.array([0])).tolist() == window.address(np.array([0])).tolist() == [0]
    assert SharedWindow({}).pointer(np.array([64])).tolist() == [64]


WORDS = "@words = internal addrspace(3) global [128 x i32] undef, align 16\n"
TEXTS = [
    f"cp.async.{cache}.shared.global{hint} [$0], [$1], $2{rest}{f', ${number}' if hint else ''};"
    for cache in ("ca", "cg")
    for hint in ("", ".L2::cache_hint")
    for rest, number in (("", 3), (", $3", 4))
]
# What Mojo writes for a copy with a fill other than 0: a copy or a store of four words.
TEXTS += [
    f"{{ .reg .pred p; setp.ne.b32 p, $0, 0; @p cp.async.{cache}.shared.global{hint} [$1], [$2], $3{more}; "
    "@!p st.shared.v4.b32 [$1], {$4, $5, $6, $7}; }"
    for cache in ("ca", "cg")
    for hint, more in (("", ""), (".L2::cache_hint", ", $8"))
]
FORMS = [(text, size) for text in TEXTS for size in ((4, 8, 16) if ".ca." in text and ".reg" not in text else (16,))]


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


WAIT = f"call void @{CP}.wait.all()\n"
FOREVER = """br label %spin
spin:
  %seen = load volatile i32, ptr %p
  %never = icmp eq i32 %seen, 0
  br i1 %never, label %spin, label %out
out:
"""


@pytest.mark.parametrize(("target", "source"), [("far", "f"), ("q", "away")])
@pytest.mark.parametrize("end", ["", WAIT, FOREVER])
def test_an_access_out_of_bounds_counts_once_for_each_lane(target, source, end):
    """Whether observers follow copies or not, and also if the copy never ends because the launch ends before."""
    copy = f"""
      %far = getelementptr i32, ptr addrspace(3) %q, i32 4096
      %away = getelementptr i32, ptr addrspace(1) %f, i32 4096
      call void @{CP}.ca.shared.global.4(ptr addrspace(3) %{target}, ptr addrspace(1) %{source})
      {end}"""

    def count(*observers):
        result, _ = run(copy, *observers)
        return [found.count for found in result.findings if found.kind == "out-of-bounds"]

    assert count() == count(recorder("access")[0]) == [32]
