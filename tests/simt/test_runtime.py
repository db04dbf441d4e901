"""What a kernel asks of its runtime: a heap, an assertion, texts; and what is refused only where lanes come to it."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import kernel


def launched(text, *args, block=32, target="nvidia:sm_90"):
    return simt.launch(
        text, target=target, grid=1, block=block, args=list(args), observers=simt.observers(unwritten=False)
    )


def kinds(result):
    return [(finding.id, finding.count) for finding in result.findings if finding.severity != "information"]


def test_each_thread_has_its_own_block_of_the_heap():
    """Of its own size; a list of three, which its thread walks and frees."""
    body = """
      br label %more
    more:
      %n = phi i32 [ 0, %0 ], [ %m, %more ]
      %head = phi ptr [ null, %0 ], [ %b, %more ]
      %b = call ptr @malloc(i64 16)
      store ptr %head, ptr %b
      %at = getelementptr i8, ptr %b, i64 8
      %x = mul i32 %t, 10
      %v = add i32 %x, %n
      store i32 %v, ptr %at
      %m = add i32 %n, 1
      %go = icmp ult i32 %m, 3
      br i1 %go, label %more, label %walk
    walk:
      %here = phi ptr [ %b, %more ], [ %next, %walk ]
      %sum = phi i32 [ 0, %more ], [ %added, %walk ]
      %w = getelementptr i8, ptr %here, i64 8
      %y = load i32, ptr %w
      %added = add i32 %sum, %y
      %next = load ptr, ptr %here
      call void @free(ptr %here)
      %last = icmp eq ptr %next, null
      br i1 %last, label %done, label %walk
    done:
      call void @free(ptr null)
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %added, ptr %p"""
    out = np.zeros(32, np.int32)
    result = launched(kernel(body), out)

    assert (result.verdict, kinds(result)) == ("clean", [])
    assert out.tolist() == [30 * t + 3 for t in range(32)]


def test_a_full_heap_gives_null():
    """Eight megabytes, until something is freed."""
    body = """
      %b = call ptr @malloc(i64 8388600)
      %c = call ptr @malloc(i64 100)
      call void @free(ptr %b)
      %d = call ptr @malloc(i64 100)
      %n1 = icmp eq ptr %c, null
      %n2 = icmp eq ptr %d, null
      %a = zext i1 %n1 to i32
      %e = zext i1 %n2 to i32
      %f = mul i32 %e, 10
      %r = add i32 %a, %f
      store i32 %r, ptr %o"""
    out = np.zeros(1, np.int32)
    result = launched(kernel(body), out, block=1)

    assert kinds(result) == [("heap.full", 1)]
    assert out.tolist() == [1]


@pytest.mark.parametrize(("name", "more"), [("__assertfail", ", i64 1"), ("__assert_fail", "")])
def test_an_assertion_ends_the_launch_with_what_it_says(name, more):
    texts = {"said": b"n < 4", "file": b"sum.cu", "name": b"sum"}
    named = "".join(
        f'@{name} = internal constant [{len(text) + 1} x i8] c"{text.decode()}\\00"\n' for name, text in texts.items()
    )
    body = """
      %good = icmp ult i32 %t, 4
      br i1 %good, label %right, label %wrong
    wrong:
      call void @NAME(ptr @said, ptr @file, i32 12, ptr @nameMORE)
      unreachable
    right:"""
    body = body.replace("@nameMORE", f"@name{more}").replace("@NAME", f"@{name}")
    result = launched(kernel(body, globals_=named), np.zeros(1, np.int32), block=6)

    assert isinstance(result.fault, simt.Trap)
    (finding,) = [finding for finding in result.findings if finding.id == "trap.assert"]
    assert finding.count == 2
    assert "assertion `n < 4` failed in sum at sum.cu:12" in str(result.fault)


def test_a_pure_virtual_function_ends_the_launch():
    result = launched(kernel("call void @__cxa_pure_virtual()"), np.zeros(1, np.int32), block=1)

    assert isinstance(result.fault, simt.Trap)
    assert "only declares" in str(result.fault)


BYSTANDER = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @outside(i32)
@table = constant [2 x ptr] [ptr @inside, ptr @outside]
define i32 @inside(i32 %a) {
  %r = add i32 %a, 1
  ret i32 %r
}
define ptx_kernel void @k(ptr %o, i64 %n) {
  %at = getelementptr ptr, ptr @table, i64 %n
  %f = load ptr, ptr %at
  %r = call i32 %f(i32 4)
  store i32 %r, ptr %o
  ret void
}"""


def test_a_function_without_a_body_is_refused_where_it_is_called():
    """Its address may stand in a table."""
    out = np.zeros(1, np.int32)
    clean, refused = (launched(BYSTANDER, out, n, block=1) for n in (0, 1))

    assert (clean.verdict, out.tolist()) == ("clean", [5])
    assert refused.verdict == "incomplete"
    assert "outside" in str(refused.fault)


def said_by(template, store):
    """What a kernel of one lane prints, and what is found."""
    data = template.encode() + b"\0"
    text = "".join(f"\\{octet:02X}" for octet in data)
    globals_ = f'@said = internal constant [{len(data)} x i8] c"{text}"\n'
    body = f"%pack = alloca [4 x i32], align 8\n{store}\n%n = call i32 @vprintf(ptr @said, ptr %pack)"
    result = launched(kernel(body, globals_=globals_), np.zeros(1, np.int32), block=1)
    return list(result.printed), kinds(result)


def word(place, value):
    """A word of the arguments."""
    return f"%w{place} = getelementptr i32, ptr %pack, i64 {place}\nstore i32 {value}, ptr %w{place}"


def test_widths_come_from_arguments_too():
    stores = "\n".join(word(place, value) for place, value in enumerate((6, 42, -4, 7)))

    assert said_by("%*d|%*d|", stores) == (["    42|7   |"], [])


@pytest.mark.parametrize("width", ["1500000000", "%", "-99999"])
def test_a_width_is_bounded(width):
    """As much as a line of a page is printed, and told."""
    template = f"%{width if width != '%' else '.1500000000'}d"
    (text,), found = said_by(template, word(0, 5))

    assert len(text) == 4096
    assert found == [("print.width", 1)]


@pytest.mark.parametrize("length", [10, 5000])
def test_a_width_of_many_digits_is_bounded(length):
    (text,), found = said_by(f"%{'9' * length}d", word(0, 5))

    assert (len(text), found) == (4096, [("print.width", 1)])


def test_too_few_arguments_are_the_kernels_fault():
    """Four words are there; the text stays as it was written."""
    stores = "\n".join(word(place, place) for place in range(4))

    assert said_by("%d %d %d %d %d", stores) == (["%d %d %d %d %d"], [("print.arguments", 1)])


def test_what_is_printed_in_all_is_bounded():
    body = """
      %pack = alloca i32
      store i32 7, ptr %pack
      br label %more
    more:
      %n = phi i32 [ 0, %0 ], [ %m, %more ]
      %c = call i32 @vprintf(ptr @said, ptr %pack)
      %m = add i32 %n, 1
      %go = icmp ult i32 %m, 80
      br i1 %go, label %more, label %done
    done:"""
    said = '@said = internal constant [7 x i8] c"%4096d\\00"\n'
    result = launched(kernel(body, globals_=said), np.zeros(1, np.int32), block=64)

    assert kinds(result)[0][0] == "print.full"
    assert 1 << 24 <= sum(map(len, result.printed)) <= (1 << 24) + 4096


def test_nvidias_library_learns_the_architecture():
    named = (
        '@arch = internal constant [12 x i8] c"__CUDA_ARCH\\00"\n@ftz = internal constant [11 x i8] c"__CUDA_FTZ\\00"\n'
    )
    body = """
      %a = call i32 @__nvvm_reflect(ptr @arch)
      %b = call i32 @__nvvm_reflect(ptr @ftz)
      %r = add i32 %a, %b
      store i32 %r, ptr %o"""
    out = np.zeros(1, np.int32)

    assert launched(kernel(body, globals_=named), out, block=1).verdict == "clean"
    assert out.tolist() == [900]
