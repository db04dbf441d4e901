"""Loads, stores, block moves, local and shared memory."""

import re

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import evaluate, kernel, recorder, run, undefined, wrap


@pytest.mark.parametrize(
    ("text", "kind", "size", "ordering", "volatile"),
    [
        ("%v = load i32, ptr %p", "load", 4, None, False),
        ("%v = load volatile i32, ptr %p", "load", 4, None, True),
        ("%v = load atomic i32, ptr %p acquire, align 4", "load", 4, "acquire", False),
        ("%v = load <2 x i16>, ptr %p", "load", 4, None, False),
        ("%v = load i8, ptr %p", "load", 1, None, False),
        ("store i32 %t, ptr %p", "store", 4, None, False),
        ("store atomic i32 %t, ptr %p release, align 4", "store", 4, "release", False),
    ],
)
def test_accesses_tell_observers_what_they_do(text, kind, size, ordering, volatile):
    """Every field of the event."""
    watch, events = recorder("access")
    output = np.arange(32, dtype=np.int32)
    run(f"%p = getelementptr i32, ptr %o, i64 %i\n{text}", output, observers=(watch,))
    ((_, event),) = events

    assert (event.kind, event.size, event.ordering, event.volatile) == (kind, size, ordering, volatile)
    assert (event.allocation.argument, event.allocation.space, event.allocation.size) == (0, "global", 128)
    assert event.offsets.tolist() == [4 * n for n in range(32)] and event.rows.tolist() == [0]
    assert (event.old, event.taint, event.operation) == (None, None, None)
    assert event.site.text.startswith(text) and event.lanes.n == 32
    values = event.values[:, 0] if event.values.ndim == 2 else event.values
    assert values.tolist() == list(range(32))


@pytest.mark.parametrize("name", ["memcpy", "memcpy.inline", "memmove"])
def test_blocks_of_bytes_move(name):
    """Five bytes for each lane, from one argument to the other."""
    body = f"""
      %n = mul i64 %i, 5
      %p = getelementptr i8, ptr %o, i64 %n
      %q = getelementptr i8, ptr %x, i64 %n
      call void @llvm.{name}.p0.p0.i64(ptr %p, ptr %q, i64 5, i1 false)"""
    source, output = np.arange(160, dtype=np.uint8), np.zeros(160, np.uint8)

    assert run(body, output, params="ptr %o, ptr %x", extra=[source]).verdict == "clean"
    np.testing.assert_array_equal(output, source)


@pytest.mark.parametrize("name", ["memcpy", "memcpy.inline", "memmove"])
@pytest.mark.parametrize("shift", [-5, -4, 0, 4, 5])
def test_a_copy_between_parts_that_overlap_is_found(name, shift):
    """Of `memcpy`; the same bytes may be copied to themselves."""
    body = f"""
      %p = getelementptr i8, ptr %o, i64 8
      %q = getelementptr i8, ptr %p, i64 {shift}
      call void @llvm.{name}.p0.p0.i64(ptr %p, ptr %q, i64 5, i1 false)"""
    result = run(body, np.zeros(32, np.uint8), block=1)

    wrong = name != "memmove" and abs(shift) == 4
    assert [finding.id for finding in result.findings] == ["memcpy-overlaps"] * wrong


@pytest.mark.parametrize("shift", [1, -1])
def test_a_move_within_one_array_may_overlap(shift):
    """`memmove` reads all before it writes; lengths differ from lane to lane."""
    output = np.arange(64, dtype=np.uint8)
    start, into = (0, 1) if shift > 0 else (1, 0)
    body = f"""
      %p = getelementptr i8, ptr %o, i64 {into}
      %q = getelementptr i8, ptr %o, i64 {start}
      %n = add i64 %i, 63
      call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)"""
    run(body, output, block=1)
    expected = np.arange(64, dtype=np.uint8)
    expected[into : into + 63] = np.arange(64)[start : start + 63]

    np.testing.assert_array_equal(output, expected)


def test_bytes_are_filled():
    """`memset` with a value and a length of each lane's own."""
    output = np.zeros((4, 8), np.uint8)
    body = """
      %n = mul i64 %i, 8
      %p = getelementptr i8, ptr %o, i64 %n
      %v = trunc i64 %i to i8
      %w = add i8 %v, 65
      %m = mul i64 %i, 2
      call void @llvm.memset.p0.i64(ptr %p, i8 %w, i64 %m, i1 false)"""
    run(body, output, block=4)

    assert output.tolist() == [[65 + n] * 2 * n + [0] * (8 - 2 * n) for n in range(4)]


def test_as_many_bytes_are_filled_as_the_code_says():
    """`memset.inline`: the length is a constant, the value each lane's own."""
    output = np.zeros((4, 8), np.uint8)
    body = """
      %n = mul i64 %i, 8
      %p = getelementptr i8, ptr %o, i64 %n
      %v = trunc i64 %i to i8
      call void @llvm.memset.inline.p0.i64(ptr %p, i8 %v, i64 5, i1 false)"""
    run(body, output, block=4)

    assert output.tolist() == [[n] * 5 + [0] * 3 for n in range(4)]


@pytest.mark.parametrize(
    "call",
    [
        "memcpy.p0.p0.i64(ptr %o, ptr %x, i64 9, i1 false)",
        "memcpy.inline.p0.p0.i64(ptr %o, ptr %x, i64 9, i1 false)",
        "memset.p0.i64(ptr %o, i8 0, i64 9, i1 false)",
        "memset.inline.p0.i64(ptr %o, i8 0, i64 9, i1 false)",
    ],
)
def test_a_block_move_is_checked(call):
    """Nine bytes do not fit into eight: one finding, with the argument."""
    result = run(
        f"call void @llvm.{call}",
        np.zeros(8, np.uint8),
        params="ptr %o, ptr %x",
        extra=[np.zeros(16, np.uint8)],
        block=1,
    )

    assert [(finding.kind, finding.argument, finding.offset) for finding in result.findings] == [
        ("out-of-bounds", "argument 0", 8)
    ]


TYPES = [("i8", 1), ("i16", 2), ("i24", 4), ("i32", 4), ("i48", 8), ("i64", 8), ("i128", 16)]


@pytest.mark.parametrize(("ty", "stride"), TYPES)
def test_every_width_is_stored_and_loaded(ty, stride):
    """Negative values, in little-endian order."""
    bits = int(ty[1:])
    values = [wrap(v, bits) for v in (-1, 1 << bits - 1, 0x0102030405060708090A0B0C0D0E0F, 7)]

    assert evaluate(f"%r = add {ty} %a, 0", ty, (ty, values)).tolist() == values


def test_vectors_structs_and_odd_places():
    """Elements lie side by side; a struct has padding."""
    body = """
      %p = getelementptr { i8, i32, <2 x i16> }, ptr %o, i64 %i
      %v = insertvalue { i8, i32, <2 x i16> } poison, i8 7, 0
      %w = insertvalue { i8, i32, <2 x i16> } %v, i32 %t, 1
      %x = insertvalue { i8, i32, <2 x i16> } %w, <2 x i16> <i16 3, i16 -4>, 2
      store { i8, i32, <2 x i16> } %x, ptr %p
      %y = load { i8, i32, <2 x i16> }, ptr %p
      %z = extractvalue { i8, i32, <2 x i16> } %y, 1
      %q = getelementptr { i8, i32, <2 x i16> }, ptr %p, i64 0, i32 1
      store i32 %z, ptr %q"""
    output = np.zeros((4, 12), np.uint8)
    run(body, output, block=4)

    assert output[3].tolist() == [7, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0xFC, 0xFF]


@pytest.mark.parametrize(
    ("ty", "align", "kinds"),
    [
        ("<{ i8, i32 }>", 4, []),
        ("{ i8, <{ i8, i64 }> }", 1, []),
        ("[2 x i64]", 4, []),
        ("{ i32, i64 }", 8, ["misaligned"]),
        ("[2 x i32]", 8, ["misaligned"]),
    ],
)
def test_parts_are_as_aligned_as_the_whole_and_their_place_in_it(ty, align, kinds):
    """At an address that is a multiple of four: no part is held to more than what the whole promises."""
    body = f"  %p = getelementptr i8, ptr %o, i64 4\n  %v = load {ty}, ptr %p, align {align}\n"
    result = run(f"{body}  store {ty} %v, ptr %p, align 1", np.zeros(8, np.int64), block=1)

    assert [finding.kind for finding in result.findings] == kinds


def test_misaligned_and_read_only_accesses_are_found():
    """With the alignment that was promised."""
    askew = run("%p = getelementptr i8, ptr %o, i64 2\n%v = load i32, ptr %p, align 4", np.zeros(4, np.int32))
    assert [(finding.kind, finding.offset, finding.size) for finding in askew.findings] == [("misaligned", 2, 4)]
    constant = np.zeros(32, np.int32)
    constant.flags.writeable = False
    written = run("%p = getelementptr i32, ptr %o, i64 %i\nstore i32 1, ptr %p", constant)
    assert [finding.kind for finding in written.findings] == ["write-to-constant"]
    assert not constant.any()


@pytest.mark.parametrize(
    "call",
    [
        "launder.invariant.group.p0(ptr %p)",
        "strip.invariant.group.p0(ptr %p)",
        "ptr.annotation.p0.p0(ptr %p, ptr @word, ptr @word, i32 7, ptr null)",
    ],
)
def test_what_is_said_of_a_pointer_leaves_it_where_it_points(call):
    """Each lane's own place is written through it."""
    output = np.zeros(32, np.int32)
    body = f"""%p = getelementptr i32, ptr %o, i64 %i
      %q = call ptr @llvm.{call}
      store i32 %t, ptr %q"""

    assert run(body, output, globals_="@word = internal constant [2 x i8] zeroinitializer\n").verdict == "clean"
    assert output.tolist() == list(range(32))


@pytest.mark.parametrize(
    ("pointer", "start", "bits", "mask"),
    [
        ("ptr", "%x", 64, -16),
        ("ptr addrspace(3)", "@s", 32, -16),
        ("ptr addrspace(3)", "@s", 32, 0x7FFFFFF0),
        ("ptr addrspace(5)", "%own", 32, -8),
        ("ptr addrspace(5)", "%own", 32, 0x7FFFFFF8),
    ],
)
def test_a_mask_takes_low_bits_off_a_pointer(pointer, start, bits, mask):
    """Each lane stores at its own place rounded down; AMD's masks of shared and local memory have 32 bits."""
    suffix = "p" + (re.sub(r"\D", "", pointer) or "0")
    low = "trunc i64 %back to i32" if bits == 64 else "add i32 %back, 0"
    body = f"""%own = alloca [32 x i32], align 16, addrspace(5)
      %p = getelementptr i32, {pointer} {start}, i64 %i
      %q = call {pointer} @llvm.ptrmask.{suffix}.i{bits}({pointer} %p, i{bits} {mask})
      %before = ptrtoint {pointer} %p to i{bits}
      %after = ptrtoint {pointer} %q to i{bits}
      %back = sub i{bits} %before, %after
      %less = {low}
      store i32 77, {pointer} %q
      %v = load i32, {pointer} %q
      %o0 = getelementptr [2 x i32], ptr %o, i64 %i
      store i32 %less, ptr %o0
      %o1 = getelementptr i32, ptr %o0, i64 1
      store i32 %v, ptr %o1"""
    layout = 'target datalayout = "e-p3:32:32-p5:32:32"\n'  # how wide AMD's pointers are
    shared = f"{layout}@s = internal addrspace(3) global [32 x i32] undef, align 16\n"
    output = np.full((32, 2), -1, np.int32)

    text = kernel(body, "ptr %o, ptr %x", shared, target="amd:gfx942")
    args = [output.reshape(-1), np.zeros(32, np.int32)]
    result = simt.launch(text, target="amd:gfx942", grid=1, block=32, args=args)

    assert result.verdict == "clean", result.findings
    places = 4 * np.arange(32)
    np.testing.assert_array_equal(output, np.stack([places - (places & mask), np.full(32, 77)], 1))


def test_a_null_pointer_is_found():
    """Not a crash: each lane gets an undefined value."""
    result = run("%v = load i32, ptr null\nstore i32 %v, ptr %o", np.zeros(1, np.int32))

    assert [(finding.kind, finding.count) for finding in result.findings] == [("out-of-bounds", 32)]


def test_shared_memory_is_the_blocks_own_and_private_memory_the_lanes():
    """Two blocks in one chunk; each lane indexes its array at run time."""
    body = """
      %a = alloca [4 x i32]
      %k = and i64 %i, 3
      %e = getelementptr i32, ptr %a, i64 %k
      store i32 %b1, ptr %e
      %s = getelementptr i32, ptr addrspace(3) @s, i32 %t
      %v = load i32, ptr %e
      store i32 %v, ptr addrspace(3) %s
      %w = load i32, ptr addrspace(3) %s
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %w, ptr %p"""
    output = np.zeros(64, np.int32)
    run(body, output, grid=2, globals_="@s = internal addrspace(3) global [32 x i32] undef\n")

    assert output.tolist() == list(range(64))


def _variables(count):
    """A body with so many local variables, of which the last two are used."""
    last, other = count - 1, count - 2
    return f"""
      {" ".join(f"%a{number} = alloca i32{chr(10)}" for number in range(count))}
      store i32 %t, ptr %a{last}
      store i32 7, ptr %a{other}
      %v = load i32, ptr %a{last}
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %p"""


@pytest.mark.slow
def test_thousands_of_local_variables_are_no_buffers():
    """A kernel that prints three values has five thousand for AMD, once all that it calls is spliced in."""
    output = np.zeros(8, np.int32)
    result = run(_variables(5000), output, block=8)

    assert (result.verdict, output.tolist()) == ("clean", list(range(8)))


@pytest.mark.slow
def test_more_local_variables_than_there_are_numbers_are_refused():
    with pytest.raises(simt.LaunchError, match="kernel k is too large to be simulated: it has 33000 variables"):
        run(_variables(33_000), np.zeros(8, np.int32), block=8)


def test_dynamic_shared_memory_has_the_size_of_the_launch():
    """`external [0 x i8]`: one word past the end is found."""
    body = """
      %s = getelementptr i32, ptr addrspace(3) @d, i32 %t
      store i32 %t, ptr addrspace(3) %s"""
    text = kernel(body, globals_="@d = external addrspace(3) global [0 x i8], align 16\n")
    result = simt.launch(text, target="nvidia:sm_90", grid=1, block=32, args=[np.zeros(1)], dynamic_shared_bytes=124)

    ((kind, count),) = [(finding.kind, finding.count) for finding in result.findings]
    assert (kind, count) == ("out-of-bounds", 1)


TWO_NAMES = """target triple = "{triple}"
@fixed = internal addrspace(3) global [4 x i8] undef, align 4
@first = external addrspace(3) global [0 x float], align 4
@second = external addrspace(3) global [0 x i32], align 1024
@third = external addrspace(3) global [0 x i8], align 16
define {convention} void @second_alone(ptr %o) {{
  %q = getelementptr i32, ptr addrspace(3) @second, i32 {past}
  store i32 7, ptr addrspace(3) %q
  ret void
}}
define {convention} void @both(ptr %o) {{
  store i8 1, ptr addrspace(3) @fixed
  store float 1.0, ptr addrspace(3) @first
  %v = load i32, ptr addrspace(3) @second
  store i32 %v, ptr %o
  %p = getelementptr i8, ptr %o, i64 4
  store i32 ptrtoint (ptr addrspace(3) @third to i32), ptr %p
  ret void
}}
"""
DYNAMIC = [
    ("nvidia:sm_90", "nvptx64-nvidia-cuda", "ptx_kernel"),
    ("amd:gfx942", "amdgcn-amd-amdhsa", "amdgpu_kernel"),
]


@pytest.mark.parametrize("engine", ["reference", "native"])
@pytest.mark.parametrize(("target", "triple", "convention"), DYNAMIC, ids=["nvidia", "amd"])
def test_all_names_of_dynamic_shared_memory_begin_at_one_address(target, triple, convention, engine):
    """They share the bytes of the launch and the largest alignment (CUDA C++ Programming Guide, `__shared__`)."""
    how = {"target": target, "grid": 1, "block": 1, "dynamic_shared_bytes": 64}
    how["options"] = simt.Options(engine=engine)
    out = np.zeros(2, np.int32)
    text = TWO_NAMES.format(triple=triple, convention=convention, past=15)
    both = simt.launch(text, kernel="both", args=[out], observers=simt.observers(), **how)

    assert (both.verdict, out[0]) == ("clean", np.float32(1).view(np.int32)), both.findings
    assert out[1] % 1024 == 0
    assert simt.launch(text, kernel="second_alone", args=[out], **how).verdict == "clean"

    text = TWO_NAMES.format(triple=triple, convention=convention, past=16)
    (found,) = simt.launch(text, kernel="second_alone", args=[out], **how).findings

    assert (found.kind, found.argument) == ("out-of-bounds", "second")


@pytest.mark.parametrize("kind", ["thread_local", "thread_local(initialexec)"])
def test_a_variable_of_each_thread_is_refused_by_name(kind):
    """No GPU has such ones, and LLVM compiles none for them: one for all threads would be another program."""
    result = run("store i32 %t, ptr @mine", np.zeros(1), globals_=f"@mine = internal {kind} global i32 0\n")

    assert result.verdict == "incomplete"
    assert "the address of @mine is not supported" in str(result.fault)


def test_constants_are_read():
    """A table in constant memory, of mixed initialisers."""
    table = (
        "@c = internal constant [4 x { float, i16 }] [{ float, i16 } { float 1.5, i16 -2 }, "
        "{ float, i16 } zeroinitializer, { float, i16 } { float 0x7FF0000000000000, i16 9 }, "
        "{ float, i16 } { float -0.0, i16 3 }]\n"
    )
    body = """
      %p = getelementptr { float, i16 }, ptr @c, i64 %i, i32 1
      %v = load i16, ptr %p
      %w = sext i16 %v to i32
      %q = getelementptr i32, ptr %o, i64 %i
      store i32 %w, ptr %q"""
    output = np.zeros(4, np.int32)
    run(body, output, block=4, globals_=table)

    assert output.tolist() == [-2, 0, 9, 3]


@pytest.mark.parametrize(
    ("element", "values", "word", "expected"),
    [
        # Of these the library makes the digits of a float that is printed.
        ("i128", "i128 -3, i128 5", "trunc i128 %v to i32", [-3, 5]),
        ("i24", "i24 -3, i24 5", "sext i24 %v to i32", [-3, 5]),
        ("i1", "i1 true, i1 false", "sext i1 %v to i32", [-1, 0]),
        (
            "<2 x bfloat>",
            "<2 x bfloat> <bfloat 2.0, bfloat 1.0>, <2 x bfloat> splat (bfloat 0.5)",
            "bitcast <2 x bfloat> %v to i32",
            [0x3F804000, 0x3F003F00],
        ),
    ],
)
def test_constants_of_any_width_are_read(element, values, word, expected):
    """Each at its place, with its own bytes."""
    body = f"""
      %p = getelementptr {element}, ptr @c, i64 %i
      %v = load {element}, ptr %p
      %w = {word}
      %q = getelementptr i32, ptr %o, i64 %i
      store i32 %w, ptr %q"""
    output = np.zeros(2, np.int32)
    run(body, output, block=2, globals_=f"@c = internal constant [2 x {element}] [{values}]\n")

    assert output.tolist() == expected


@pytest.mark.parametrize("life", ["", "call void @llvm.lifetime.start.p0(ptr %m)"], ids=["made", "begun"])
def test_what_comes_from_a_variable_of_each_thread_says_so(life):
    """A learner who forgot to ask for shared memory has one for each thread."""
    body = f"""
      %m = alloca [8 x i32]
      {life}
      %s = getelementptr i32, ptr %m, i64 %i
      store i32 7, ptr %s
      %b = getelementptr i32, ptr %m, i64 3
      %v = load i32, ptr %b
      %q = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %q"""
    result = run(body, np.zeros(2, np.int32), block=2, observers=simt.observers())

    (found,) = (found for found in result.findings if found.id == "uninitialised.output")
    assert "which each thread has for itself, not initialised" in found.message


def test_what_nothing_wrote_is_undefined():
    """A local array, a buffer the host left, and what an `alloca` holds the second time round."""
    body = """
      %m = alloca [2 x i32]
      store i32 5, ptr %m
      %q = getelementptr i32, ptr %m, i32 %a
      %r = load i32, ptr %q"""
    assert undefined(body, "i32", ("i32", [0, 1])) == [False, True]

    class Uses(simt.Observer):
        """Collects the uses."""

        def __init__(self):
            self.uses = []

        def tainted(self, event):
            """See `Observer`."""
            self.uses.append((event.use, np.flatnonzero(event.taint).tolist(), event.site.instruction.opcode))

    watch = Uses()
    body = """
      %p = getelementptr i32, ptr %x, i64 %i
      %v = load i32, ptr %p
      %c = icmp eq i32 %v, 0
      br i1 %c, label %a, label %b
    a:
      br label %b
    b:
      %q = getelementptr i32, ptr %o, i32 %v
      %w = load i32, ptr %q
      store i32 %v, ptr %o
      %d = sdiv i32 7, %v"""
    buffer = simt.Buffer(np.zeros(4, np.int32), "x", initialised=False)
    run(body, np.zeros(4, np.int32), block=4, params="ptr %o, ptr %x", extra=[buffer], observers=(watch,))

    assert [(use, opcode) for use, _, opcode in watch.uses][:3] == [
        ("branch", "br"),
        ("address", "load"),
        ("output", "store"),
    ]
    assert all(lanes == [0, 1, 2, 3] for _, lanes, _ in watch.uses)


def test_writing_makes_a_buffer_defined():
    """A buffer that the host left is read after the kernel wrote it."""
    body = "%p = getelementptr i32, ptr %o, i64 %i\nstore i32 1, ptr %p\n%v = load i32, ptr %p\nstore i32 %v, ptr %p"
    result = run(body, simt.Buffer(np.zeros(32, np.int32), initialised=False), observers=simt.observers())

    assert result.verdict == "clean", [str(finding) for finding in result.findings]


def test_the_address_of_a_local_variable_does_not_leave_its_lane():
    """Through shared memory it would mean the variable of the lane that uses it."""
    body = """
      %a = alloca i32
      store i32 %t, ptr %a
      %s = getelementptr ptr, ptr addrspace(3) @s, i32 %t
      store ptr %a, ptr addrspace(3) %s
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %x = xor i32 %t, 1
      %q = getelementptr ptr, ptr addrspace(3) @s, i32 %x
      %far = load ptr, ptr addrspace(3) %q
      %v = load i32, ptr %far"""
    shared = "@s = internal addrspace(3) global [32 x ptr] undef\n"
    result = run(body, np.zeros(1), globals_=shared)

    assert [(finding.kind, finding.count) for finding in result.findings] == [("escaping-local", 32)]
