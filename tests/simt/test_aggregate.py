"""Choosing and moving values: select, vectors, structs, freeze."""

import numpy as np
import pytest

from tests.simt.built import needs_mojo
from tests.simt.nvidia import launch
from tests.simt.snippets import evaluate, undefined

F32 = np.float32
DATA = np.random.default_rng(7).normal(size=1024).astype(F32)
VECTORS = [[1, 2, 3, 4], [-5, 6, -7, 8]]


def test_select_by_lane_and_by_element():
    """A condition for the whole value, or one for each element."""
    body = "%c = icmp sgt i32 %a, 0\n%r = select i1 %c, i32 %a, i32 -1"
    assert evaluate(body, "i32", ("i32", [5, -3, 0])).tolist() == [5, -1, -1]
    body = "%c = icmp sgt <4 x i32> %a, zeroinitializer\n%r = select <4 x i1> %c, <4 x i32> %a, <4 x i32> %b"
    got = evaluate(body, "<4 x i32>", ("<4 x i32>", VECTORS), ("<4 x i32>", [[9] * 4] * 2))
    assert got.tolist() == [[1, 2, 3, 4], [9, 6, 9, 8]]
    body = "%c = icmp sgt i32 %b, 0\n%r = select i1 %c, <4 x i32> %a, <4 x i32> zeroinitializer"
    got = evaluate(body, "<4 x i32>", ("<4 x i32>", VECTORS), ("i32", [1, -1]))
    assert got.tolist() == [[1, 2, 3, 4], [0, 0, 0, 0]]


@pytest.mark.parametrize("index", ["2", "%b"])
def test_elements_come_out_and_go_in(index):
    """At a fixed index, and at one that each lane computes."""
    inputs = ("<4 x i32>", VECTORS), ("i32", [2, 2])
    body = f"%r = extractelement <4 x i32> %a, i32 {index}"
    assert evaluate(body, "i32", *inputs).tolist() == [3, -7]
    body = f"%r = insertelement <4 x i32> %a, i32 77, i32 {index}"
    assert evaluate(body, "<4 x i32>", *inputs).tolist() == [[1, 2, 77, 4], [-5, 6, 77, 8]]


def test_each_lane_has_an_index_of_its_own():
    """Lane 0 takes element 3, lane 1 element 0."""
    inputs = ("<4 x i32>", VECTORS), ("i64", [3, 0])
    assert evaluate("%r = extractelement <4 x i32> %a, i64 %b", "i32", *inputs).tolist() == [4, -5]
    body = "%r = insertelement <4 x i32> %a, i32 77, i64 %b"
    assert evaluate(body, "<4 x i32>", *inputs).tolist() == [[1, 2, 3, 77], [77, 6, -7, 8]]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("%r = extractelement <4 x i32> %a, i64 %b", [False, True, True]),
        (
            "%v = insertelement <4 x i32> %a, i32 7, i64 %b\n%r = extractelement <4 x i32> %v, i64 0",
            [False, True, True],
        ),
        ("%r = extractelement <4 x i32> %a, i64 4", [True] * 3),
        ("%v = insertelement <4 x i32> %a, i32 7, i64 4\n%r = extractelement <4 x i32> %v, i64 0", [True] * 3),
    ],
)
def test_an_index_out_of_range_leaves_nothing_defined(body, expected):
    """Where LLVM says poison; the launch goes on."""
    assert undefined(body, "i32", ("<4 x i32>", [[1, 2, 3, 4]] * 3), ("i64", [3, 4, -1]), clean=False) == expected


def test_an_index_of_each_lane_finds_the_element_that_was_set():
    """Beside elements that nobody set; only the lane that takes one of those has nothing."""
    body = """%v = insertelement <4 x i32> poison, i32 7, i64 %a
      %r = extractelement <4 x i32> %v, i64 %b"""

    assert undefined(body, "i32", ("i64", [0, 1, 2, 3]), ("i64", [0, 1, 3, 3]), clean=False) == [
        False,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("mask", "count", "expected"),
    [
        ("<4 x i32> <i32 3, i32 2, i32 1, i32 0>", 4, [4, 3, 2, 1]),
        ("<4 x i32> <i32 0, i32 4, i32 1, i32 5>", 4, [1, -5, 2, 6]),
        ("<2 x i32> <i32 7, i32 0>", 2, [8, 1]),
        ("<4 x i32> zeroinitializer", 4, [1, 1, 1, 1]),
    ],
)
def test_vectors_are_shuffled(mask, count, expected):
    """Elements of both operands, more or fewer than they have."""
    body = f"%r = shufflevector <4 x i32> %a, <4 x i32> %b, {mask}"
    inputs = ("<4 x i32>", VECTORS[:1]), ("<4 x i32>", VECTORS[1:])

    assert evaluate(body, f"<{count} x i32>", *inputs).tolist() == [expected]


def test_a_vector_is_built_element_by_element():
    """From nothing; what was put in is defined."""
    body = """
      %v = insertelement <2 x i32> poison, i32 %a, i32 0
      %w = insertelement <2 x i32> %v, i32 7, i32 1
      %r = add <2 x i32> %w, %w"""

    assert evaluate(body, "<2 x i32>", ("i32", [3, 4])).tolist() == [[6, 14], [8, 14]]
    assert undefined(body, "<2 x i32>", ("i32", [3, 4])) == [False, False]


def test_structs_nest():
    """A path of indices through structs and arrays."""
    ty = "{ i32, [2 x { i8, i64 }] }"
    body = f"""
      %v = insertvalue {ty} zeroinitializer, i64 %a, 1, 1, 1
      %w = insertvalue {ty} %v, i8 3, 1, 0, 0
      %part = extractvalue {ty} %w, 1
      %whole = insertvalue {ty} {{ i32 9, [2 x {{ i8, i64 }}] undef }}, [2 x {{ i8, i64 }}] %part, 1
      %x = extractvalue {ty} %whole, 1, 1, 1
      %y = extractvalue {ty} %whole, 0
      %z = sext i32 %y to i64
      %r = add i64 %x, %z"""

    assert evaluate(body, "i64", ("i64", [1, 1 << 40])).tolist() == [10, (1 << 40) + 9]
    assert undefined(body, "i64", ("i64", [1, 2])) == [False, False]


def test_freeze_ends_being_undefined():
    """`undef` and `poison` are marked; `freeze` picks a value; `select` takes the chosen one's mark."""
    assert undefined("%r = add i32 %a, undef", "i32", ("i32", [1])) == [True]
    assert undefined("%p = add i32 %a, poison\n%r = freeze i32 %p", "i32", ("i32", [1])) == [False]
    body = "%c = icmp eq i32 %a, 0\n%r = select i1 %c, i32 poison, i32 5"
    assert undefined(body, "i32", ("i32", [0, 1])) == [True, False]


def test_phis_carry_the_mark_of_the_way_that_was_taken():
    """Lane 1 comes by the defined way."""
    body = """
      %c = icmp eq i32 %a, 0
      br i1 %c, label %x, label %y
    x:
      br label %y
    y:
      %r = phi i32 [undef, %x], [3, %0]"""

    assert undefined(body, "i32", ("i32", [0, 1])) == [True, False]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("splice.left.v4i32(<4 x i32> %a, <4 x i32> %b, i32 1)", [2, 3, 4, 5]),
        ("splice.right.v4i32(<4 x i32> %a, <4 x i32> %b, i32 1)", [4, 5, 6, 7]),
        ("splice.v4i32(<4 x i32> %a, <4 x i32> %b, i32 2)", [3, 4, 5, 6]),
        ("splice.v4i32(<4 x i32> %a, <4 x i32> %b, i32 -3)", [2, 3, 4, 5]),
        ("reverse.v4i32(<4 x i32> %a)", [4, 3, 2, 1]),
    ],
)
def test_vectors_are_turned_and_put_in_a_row(call, expected):
    """`SIMD.rotate_left` of Mojo is a splice of a vector with itself."""
    body = f"%r = call <4 x i32> @llvm.vector.{call}"
    got = evaluate(body, "<4 x i32>", ("<4 x i32>", [[1, 2, 3, 4]]), ("<4 x i32>", [[5, 6, 7, 8]]))

    assert got.tolist() == [expected]


@needs_mojo
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
