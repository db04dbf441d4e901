"""Arguments: structs of buffers and numbers, copies of what is passed by value, arrays that overlap."""

import re

import numpy as np
import pytest

from harness import simt

TID = "llvm.nvvm.read.ptx.sreg"
HEAD = f'target triple = "nvptx64-nvidia-cuda"\ndeclare i32 @{TID}.tid.x()\ndeclare i32 @{TID}.ctaid.x()\n'
VIEW = "{ ptr, { [2 x i64], { i32 } }, {} }"
# Stores rows, columns and the number to the array of the view.
READ = f"""
  %whole = load {VIEW}, ptr %view
  %array = extractvalue {VIEW} %whole, 0
  %rows = extractvalue {VIEW} %whole, 1, 0, 0
  %columns = extractvalue {VIEW} %whole, 1, 0, 1
  %number = extractvalue {VIEW} %whole, 1, 1, 0
  %wide = sext i32 %number to i64
  store i64 %rows, ptr %array
  %p1 = getelementptr i64, ptr %array, i64 1
  store i64 %columns, ptr %p1
  %p2 = getelementptr i64, ptr %array, i64 2
  store i64 %wide, ptr %p2
  ret void
"""
# How each vendor's compiler passes a struct.
PASSED = {
    "nvidia:sm_90": ("nvptx64-nvidia-cuda", "ptx_kernel", f"ptr byval({VIEW}) %view", READ, ""),
    "amd:gfx942": (
        "amdgcn-amd-amdhsa",
        "amdgpu_kernel",
        f"ptr addrspace(4) byref({VIEW}) %far",
        f"  %view = addrspacecast ptr addrspace(4) %far to ptr\n{READ}",
        "",
    ),
    "apple:apple-m4": ("air64-apple-macosx", "", "ptr %view", READ, '"metal.kernel"="true"'),
}


def module(body, params, *, head=HEAD, before="", word="ptx_kernel", attributes=""):
    return (
        f"{head}{before}define {word} void @k({params}) #0 {{\n{body}}}\nattributes #0 = {{ nounwind {attributes} }}\n"
    )


def launch(text, args, *, target="nvidia:sm_90", grid=1, block=1, **options):
    return simt.launch(text, target=target, grid=grid, block=block, args=args, observers=simt.observers(), **options)


def bad(result):
    return [finding.kind for finding in result.findings if finding.severity != "information"]


@pytest.mark.parametrize("target", PASSED)
@pytest.mark.parametrize(
    "pack",
    [
        lambda array: (array, ((3, 4), (-5,))),
        lambda array: (array, ((3, 4), -5)),  # one part: its value alone
        lambda array: [array, 3, 4, -5],
        lambda array: {"pointer": array, "layout": {"shape": np.array([3, 4]), "number": np.int32(-5)}},
        lambda array: (simt.Buffer(array, "a"), 3, 4, -5),
    ],
    ids=["nested", "short", "flat", "named", "buffer"],
)
def test_a_struct_takes_a_value_for_each_part(target, pack):
    triple, word, params, body, attributes = PASSED[target]
    text = module(body, params, head=f'target triple = "{triple}"\n', word=word, attributes=attributes)
    array = np.zeros(3, np.int64)
    result = launch(text, [pack(array)], target=target)

    assert (result.verdict, array.tolist()) == ("clean", [3, 4, -5])


@pytest.mark.parametrize("target", PASSED)
@pytest.mark.parametrize(
    ("pack", "words"),
    [
        (lambda array: array, r"argument 0.1.0.0 \(i64\), argument 0.1.0.1 \(i64\), argument 0.1.1.0 \(i32\)"),
        (lambda array: simt.Buffer(array, "a"), r"nothing is given for a.1.0.0 \(i64\).*pass a tuple of 4 values"),
        (lambda array: (array, 3, 4), r"nothing is given for argument 0.1.1.0 \(i32\)"),
        (lambda array: (array, ((3,), 5)), r"argument 0.1.0.1 \(i64\)"),
        (lambda array: (array, 3, 4, 5, 6), "takes 4 values, but got 5"),
        (lambda array: (7, 3, 4, 5), "argument 0.0 must be a NumPy array"),
        (lambda array: (array, 3, 4, array), "argument 0.1.1.0 must be a scalar of type i32"),
        (lambda array: (array, 3, 4, "5"), "must be a scalar of type i32, but got str"),
    ],
)
def test_a_part_without_a_value_is_refused_by_name(target, pack, words):
    """It was zero: a stride of 0 ran clean and gave wrong results."""
    triple, word, params, body, attributes = PASSED[target]
    text = module(body, params, head=f'target triple = "{triple}"\n', word=word, attributes=attributes)
    with pytest.raises(simt.ArgumentError, match=words):
        launch(text, [pack(np.zeros(3, np.int64))], target=target)


def test_a_closure_is_a_struct_in_registers():
    """Three arrays, and numbers of two widths."""
    ty = "{ {}, { ptr }, { ptr }, { ptr }, [1 x i32], i64 }"
    body = "".join(f"  %p{n} = extractvalue {ty} %c, {n + 1}, 0\n" for n in range(3))
    body += f"  %n = extractvalue {ty} %c, 4, 0\n  %m = extractvalue {ty} %c, 5\n"
    body += "  %a = load i32, ptr %p0\n  %b = load i32, ptr %p1\n  %t = trunc i64 %m to i32\n"
    body += "  %s = add i32 %a, %b\n  %u = add i32 %s, %n\n  %v = add i32 %u, %t\n  store i32 %v, ptr %p2\n  ret void\n"
    out = np.zeros(1, np.int32)
    result = launch(module(body, f"{ty} %c"), [(np.int32([1]), np.int32([20]), out, 300, 4000)])

    assert (result.verdict, out.tolist()) == ("clean", [4321])


def test_a_null_pointer_is_an_address_as_on_a_gpu():
    body = "  %null = icmp eq ptr %p, null\n  %v = zext i1 %null to i32\n  store i32 %v, ptr %o\n  ret void\n"
    out = np.zeros(1, np.int32)
    for given, expected in ((None, 1), (np.zeros(1, np.int32), 0)):
        launch(module(body, "ptr %p, ptr %o"), [given, out])
        assert out[0] == expected
    result = launch(module("  store i32 1, ptr %p\n  ret void\n", "ptr %p"), [None])
    assert "a null pointer" in result.findings[0].message


@pytest.mark.parametrize(
    ("ty", "value", "expected"),
    [
        ("<4 x float>", (1.5, 2, 3, 4), np.float32([1.5, 2, 3, 4])),
        ("<4 x float>", np.float32([1.5, 2, 3, 4]), np.float32([1.5, 2, 3, 4])),
        ("[2 x i16]", (1, 65535), np.uint16([1, 65535])),
        ("{ i8, double }", (3, 0.5), np.array([(3, 0.5)], np.dtype("i1,f8", align=True))),
        ("{ i8, double }", np.array([(3, 0.5)], np.dtype("i1,f8", align=True)), None),  # its bytes
        ("bfloat", 1.5, np.uint16([0x3FC0])),
        ("i32", 4294967295, np.uint32([4294967295])),
    ],
)
def test_numbers_of_every_type_can_be_passed(ty, value, expected):
    expected = value if expected is None else expected
    out = np.zeros_like(expected)
    result = launch(module(f"  store {ty} %v, ptr %o\n  ret void\n", f"{ty} %v, ptr %o"), [value, out.view(np.uint8)])

    assert not bad(result) and (out == expected).all()  # padding aside


PAIR = "{ i32, i32 }"
# Adds its lane to the first field of what it was given, and returns it.
CALLEE = f"""define i32 @change(ptr byval({PAIR}) %s, i32 %by) noinline {{
  %old = load i32, ptr %s
  %new = add i32 %old, %by
  store i32 %new, ptr %s
  %again = load i32, ptr %s
  ret i32 %again
}}
"""


def test_a_callee_changes_its_own_copy():
    """`byval`: the caller's struct stays as it was, for every lane and every call."""
    body = f"""
  %t = call i32 @{TID}.tid.x()
  %own = alloca {PAIR}
  store {PAIR} {{ i32 10, i32 7 }}, ptr %own
  %one = call i32 @change(ptr byval({PAIR}) %own, i32 %t)
  %two = call i32 @change(ptr byval({PAIR}) %own, i32 100)
  %left = load i32, ptr %own
  %p = getelementptr [3 x i32], ptr %o, i32 %t
  store i32 %one, ptr %p
  %q = getelementptr i32, ptr %p, i32 1
  store i32 %two, ptr %q
  %r = getelementptr i32, ptr %p, i32 2
  store i32 %left, ptr %r
  ret void
"""
    out = np.zeros((4, 3), np.int32)
    result = launch(module(body, "ptr %o", before=CALLEE), [out], block=4)

    assert result.verdict == "clean"
    assert out.tolist() == [[10 + lane, 110, 10] for lane in range(4)]


def test_a_kernel_changes_its_own_parameter():
    """Each lane has a copy, and the next launch sees nothing of it."""
    body = f"""
  %t = call i32 @{TID}.tid.x()
  %old = load i32, ptr %s
  %new = add i32 %old, %t
  %q = getelementptr i32, ptr %s, i32 1
  store i32 %new, ptr %q
  %v = load i32, ptr %q
  %p = getelementptr i32, ptr %o, i32 %t
  store i32 %v, ptr %p
  ret void
"""
    text = simt.decode(module(body, f"ptr byval({PAIR}) %s, ptr %o"))
    for _ in range(2):
        out = np.zeros(40, np.int32)
        result = launch(text, [(10, 7), out], block=40)
        assert result.verdict == "clean"
        assert out.tolist() == [10 + lane for lane in range(40)]


def test_a_parameter_by_reference_stays_read_only():
    """AMD's `byref` is the kernel's argument segment itself."""
    body = "  store i32 1, ptr addrspace(4) %s\n  ret void\n"
    text = module(body, f"ptr addrspace(4) byref({PAIR}) %s", head="", word="amdgpu_kernel")
    result = launch(text, [(1, 2)], target="amd:gfx942")
    assert bad(result) == ["write-to-constant"]


# out[b] = in[b] for block b, one lane each.
COPY = f"""
  %b = call i32 @{TID}.ctaid.x()
  %p = getelementptr i32, ptr %in, i32 %b
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i32 %b
  store i32 %v, ptr %q
  ret void
"""


def test_arrays_that_overlap_race():
    """Block n reads what block n + 1 writes."""
    base = np.arange(10, dtype=np.int32)
    result = launch(module(COPY, "ptr %out, ptr %in"), [base[0:9], base[1:10]], grid=9)

    assert bad(result) == ["race"]
    (race,) = [finding for finding in result.findings if finding.kind == "race"]
    assert race.argument == "argument 0 and argument 1"


@pytest.mark.parametrize("views", [lambda base: (base[:5], base[5:]), lambda base: (base[5:], base[:5])])
def test_arrays_side_by_side_do_not(views):
    """They share a base but no byte, and each keeps its own bounds."""
    base = np.arange(10, dtype=np.int32)
    out, source = views(base)
    expected = source.copy()
    assert launch(module(COPY, "ptr %out, ptr %in"), [out, source], grid=5).verdict == "clean"
    assert out.tolist() == expected.tolist()
    assert "out-of-bounds" in bad(launch(module(COPY, "ptr %out, ptr %in"), [out, source], grid=6))


def test_one_array_given_twice_is_one():
    base = np.arange(4, dtype=np.int32)
    result = launch(module(COPY, "ptr %out, ptr %in"), [simt.Buffer(base, "a"), simt.Buffer(base, "a")], grid=4)
    assert result.verdict == "clean"


def test_an_overlap_counts_as_written_where_the_host_wrote_it():
    """Only what is uninitialised in every array can be left unwritten."""
    base = np.arange(10, dtype=np.int32)
    out = simt.Buffer(base[4:10], "out", initialised=False)
    result = launch(module(COPY, "ptr %out, ptr %in"), [out, simt.Buffer(base[0:6], "in")], grid=1)
    (finding,) = [finding for finding in result.findings if finding.kind == "never-written"]
    assert "4 of 10 elements of out and in are never written, the first at 6" in finding.message


def test_results_reach_an_array_that_is_not_contiguous():
    base = np.zeros(8, np.int32)
    launch(module(COPY, "ptr %out, ptr %in"), [base[::2], np.arange(4, dtype=np.int32)], grid=4)
    assert base.tolist() == [0, 0, 1, 0, 2, 0, 3, 0]


def test_an_array_that_is_neither_contiguous_nor_writable_can_be_read():
    """NumPy gives such arrays itself: `np.broadcast_to` makes four elements of one."""
    out, source = np.zeros(4, np.int32), np.broadcast_to(np.int32(7), (4,))
    assert launch(module(COPY, "ptr %out, ptr %in"), [out, source], grid=4).verdict == "clean"
    assert out.tolist() == [7] * 4


def test_an_overlap_that_is_not_contiguous_is_refused():
    base = np.zeros(8, np.int32)
    with pytest.raises(simt.ArgumentError, match="argument 0 is not contiguous and may overlap argument 1"):
        launch(module(COPY, "ptr %out, ptr %in"), [base[::2], base[:4]], grid=4)


LOCAL = f"""
  %t = call i32 @{TID}.tid.x()
  %b = call i32 @{TID}.ctaid.x()
  %s = getelementptr i32, ptr addrspace(3) %local, i32 %t
  store i32 %b, ptr addrspace(3) %s
  %v = load i32, ptr addrspace(3) %s
  %n = mul i32 %b, 4
  %i = add i32 %n, %t
  %q = getelementptr i32, ptr %out, i32 %i
  store i32 %v, ptr %q
  ret void
"""


def test_a_pointer_to_shared_memory_is_each_blocks_own():
    """OpenCL's `__local` parameters: the array says how much."""
    local, out = np.full(4, 9, np.int32), np.zeros(8, np.int32)
    text = module(LOCAL, "ptr addrspace(3) %local, ptr %out")
    result = launch(text, [simt.Buffer(local, "local"), out], block=4, grid=2)

    assert (result.verdict, out.tolist(), local.tolist()) == ("clean", [0, 0, 0, 0, 1, 1, 1, 1], [9] * 4)
    small = launch(text, [simt.Buffer(local[:3], "local"), out], block=4, grid=1)
    assert ("out-of-bounds", "local") in [(finding.kind, finding.argument) for finding in small.findings]
    with pytest.raises(simt.LaunchError, match="of shared memory, but nvidia:sm_90 has 232448"):
        launch(text, [np.zeros(60000, np.int32), out], block=4)


def access(ty):
    return module(f"  %v = load {ty}, ptr %in\n  store {ty} %v, ptr %out\n  ret void\n", "ptr %out, ptr %in")


@pytest.mark.parametrize(
    ("ty", "dtypes"),
    [
        ("float", "f8 f2 i8 c16"),
        ("double", "f4"),
        ("half", "f4"),
        ("bfloat", "f2"),
        ("i32", "f8"),
        ("<4 x float>", "f8"),
    ],
)
def test_an_array_of_other_elements_is_refused(ty, dtypes):
    """NumPy's own default is float64; a kernel for float32 ran clean on it."""
    for dtype in dtypes.split():
        with pytest.raises(simt.ArgumentError, match=f"argument 0 holds {np.dtype(dtype)} .* reads and writes"):
            launch(access(ty), [np.zeros(4, dtype), np.zeros(4, dtype)])


@pytest.mark.parametrize(
    ("ty", "dtypes"),
    [
        ("float", ["f4", "i4", "u1", "c8", "i4,f4"]),
        ("<2 x float>", ["f4"]),
        ("bfloat", ["u2"]),
        ("i8", ["f8"]),
        ("i32", ["u4", "f4", "i8", "i2"]),
        ("i64", ["i4", "f4"]),
        ("{ float, i32 }", ["f8"]),
    ],
)
def test_an_array_of_the_same_elements_or_of_bytes_is_taken(ty, dtypes):
    for dtype in dtypes:
        assert launch(access(ty), [np.zeros(16, dtype), np.zeros(16, dtype)]).verdict == "clean"


def test_what_cannot_be_followed_is_taken():
    """The pointer goes through memory (as at -O0), and one array is read as two types."""
    body = """
  %slot = alloca ptr
  store ptr %in, ptr %slot
  %p = load ptr, ptr %slot
  %v = load float, ptr %p
  store float %v, ptr %out
  %w = load i32, ptr %out
  ret void
"""
    arrays = [np.zeros(2, np.float64), np.zeros(2, np.float64)]
    assert launch(module(body, "ptr %out, ptr %in"), arrays).verdict == "clean"


@pytest.mark.parametrize("target", PASSED)
def test_a_pointer_in_a_struct_is_followed(target):
    triple, word, params, body, attributes = PASSED[target]
    text = module(body, params, head=f'target triple = "{triple}"\n', word=word, attributes=attributes)
    text = re.sub(r"store i64 %\w+", "store float 0.0", text)
    with pytest.raises(simt.ArgumentError, match=r"a holds float64 .* reads and writes float"):
        launch(text, [(simt.Buffer(np.zeros(3), "a"), 3, 4, 5)], target=target)
    assert launch(text, [(np.zeros(6, np.float32), 3, 4, 5)], target=target).verdict == "clean"


CAPTURES = """
  %array = load ptr, ptr %view
  %at = getelementptr inbounds i8, ptr %view, i64 8
  %number = load i32, ptr %at
  store i32 %number, ptr %array
  ret void
"""


def test_what_a_closure_of_metal_holds_may_be_read_part_by_part():
    """The parts lie where the code reads them; an array whose elements it reads is an array still."""
    apple = {"head": 'target triple = "air64-apple-macosx"\n', "word": "", "attributes": '"metal.kernel"="true"'}
    held, array = np.zeros(1, np.int32), np.array([3, 0, 5], np.int32)
    elements = CAPTURES.replace("load ptr, ptr %view", "getelementptr i32, ptr %view, i64 1")
    closure, plain = (module(body, "ptr %view", **apple) for body in (CAPTURES, elements))

    assert not bad(launch(closure, [(held, 7)], target="apple:apple-m4"))
    assert held.tolist() == [7]
    assert not bad(launch(plain, [array], target="apple:apple-m4"))
    assert array.tolist() == [3, 5, 5]
    with pytest.raises(simt.SimtError, match="pass a tuple of 2 values"):
        launch(closure, [(held,)], target="apple:apple-m4")


# out[b] = in[b] + 1 for block b, one lane each.
INCREMENT = COPY.replace("store i32 %v", "%w = add i32 %v, 1\n  store i32 %w")


def test_one_array_that_is_not_contiguous_given_twice_is_one():
    """Both pointers point to the same copy, so what one stores the other loads."""
    base = np.zeros(8, np.int32)
    view = base[::2]
    body = COPY.replace("ret void", "%a = getelementptr i32, ptr %in, i32 %b\n  %r = load i32, ptr %a\n  ret void")
    twice = body.replace("store i32 %v", "store i32 7")
    twice = twice.replace("ret void", "%s = add i32 %r, 1\n  store i32 %s, ptr %q\n  ret void")

    assert bad(launch(module(twice, "ptr %out, ptr %in"), [view, view], grid=4)) == []
    assert base.tolist() == [8, 0] * 4


def masked(array, name, undefined):
    """A buffer with a mask by element."""
    return simt.Buffer(array, name, undefined=np.repeat(np.array(undefined, bool), array.itemsize))


def test_of_arrays_that_overlap_each_says_what_is_undefined():
    """What one of them says is written may be read, and what it says is not may not."""
    base = np.zeros(4, np.int32)
    args = [masked(base, "a", [0, 0, 1, 1]), masked(base, "b", [1, 0, 1, 1])]

    assert "uninitialised" not in bad(launch(module(INCREMENT, "ptr %out, ptr %in"), args, grid=2))
    assert "uninitialised" in bad(launch(module(INCREMENT, "ptr %out, ptr %in"), args, grid=3))


def test_masks_of_arrays_that_overlap_are_updated():
    """The kernel writes the first three of five elements, of which the arrays have four each."""
    base = np.zeros(5, np.int32)
    first, second = masked(base[:4], "a", [0, 1, 1, 1]), masked(base[1:], "b", [1, 1, 1, 1])
    body = COPY.replace("store i32 %v", "store i32 7").replace("%v = load i32, ptr %p", "")
    launch(module(body, "ptr %out, ptr %in"), [first, second], grid=3)

    assert first.undefined[::4].tolist() == [False, False, False, True]
    assert second.undefined[::4].tolist() == [False, False, True, True]


def test_a_mask_is_cleared_where_another_array_is_written():
    base = np.zeros(4, np.int32)
    first = masked(base, "a", [1, 1, 1, 1])
    launch(module(COPY, "ptr %out, ptr %in"), [first, simt.Buffer(base, "b")], grid=1)

    assert not first.undefined.any()


def test_a_launch_that_tracks_nothing_marks_all_as_written():
    """It cannot know what it left unwritten."""
    first = masked(np.zeros(4, np.int32), "a", [1, 1, 1, 1])
    text = module(COPY, "ptr %out, ptr %in")
    simt.launch(text, target="nvidia:sm_90", grid=1, block=1, args=[first, np.zeros(4, np.int32)])

    assert not first.undefined.any()
