"""Copies of a tensor's box: what is in bounds comes where the swizzle says; the rest is zero, or left out by stores."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics
from harness.simt.state.tensor_map import Box
from tests.simt.tensors import F32, MULTICAST, load, run, store


def cut(array, start, box, steps=None):
    """A box of an array, the innermost dimension last; zero where it is out of bounds."""
    steps = steps or (1,) * array.ndim
    out = np.zeros([-(-size // step) for size, step in zip(box, steps, strict=True)], array.dtype)
    for index in np.ndindex(*out.shape):
        at = tuple(first + place * step for first, place, step in zip(start, index, steps, strict=True))
        if all(0 <= place < size for place, size in zip(at, array.shape, strict=True)):
            out[index] = array[at]
    return out


CASES = [
    ((64,), (16,), (20,), None),
    ((60,), (16,), (52,), None),
    ((12, 20), (4, 8), (3, 4), None),
    ((12, 20), (4, 8), (-2, 16), None),
    ((12, 20), (4, 8), (10, -4), None),
    ((5, 6, 8), (2, 3, 8), (4, -1, 4), None),
    ((9, 6, 8), (6, 3, 4), (1, 0, 4), (3, 2, 1)),
    ((3, 2, 4, 8), (2, 2, 2, 8), (2, 1, 3, 4), None),
    ((2, 3, 2, 4, 8), (2, 2, 1, 2, 8), (0, 2, 1, 3, 4), None),
]


@pytest.mark.parametrize(("shape", "box", "start", "steps"), CASES)
def test_a_box_is_loaded_and_what_is_out_of_bounds_is_zero(shape, box, start, steps):
    """Of one to five dimensions, at every edge, and with steps."""
    array = np.arange(1, 1 + np.prod(shape), dtype=F32).reshape(shape)
    expected = cut(array, start, box, steps)
    text = load(len(shape), expected.size, reversed(start))

    out = np.full(expected.size, np.nan, F32)
    run(text, simt.TensorMap(array, box, steps=steps), out, block=min(32, expected.size))
    np.testing.assert_array_equal(out, expected.ravel())


@pytest.mark.parametrize(("swizzle", "rows"), [(32, 16), (64, 16), (128, 16)])
def test_rows_of_a_box_are_swizzled(swizzle, rows):
    """Chunks of 16 bytes change places, by the bits of the address above 128 bytes."""
    width = swizzle // 4
    array = np.arange(64 * width, dtype=F32).reshape(64, width)
    expected = np.zeros(rows * width, F32)
    for row in range(rows):
        for column in range(width):
            at = (row * width + column) * 4
            at ^= (at >> 7 & (swizzle // 16 - 1)) << 4
            expected[at // 4] = array[8 + row, column]

    out = run(
        load(2, rows * width, (0, 8)), simt.TensorMap(array, (rows, width), swizzle), np.full_like(expected, np.nan)
    )
    np.testing.assert_array_equal(out, expected)


FORMS = [name for name in all_intrinsics() if re.search(r"tensor\.(\dd\.shared::cluster\.global|g2s)\.tile", name)]


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_each_form_of_a_load_brings_the_same_box(name):
    """A hint for the cache changes nothing, and those lanes copy nothing whose operand says so: all but one."""
    rank = int(re.search(r"(\d)d\b", name)[1])
    shape, box, start = (part[-rank:] for part in ((3, 2, 4, 5, 12), (2, 1, 2, 4, 8), (2, 0, 3, -1, 8)))
    array = np.arange(1, 1 + np.prod(shape), dtype=F32).reshape(shape)
    expected = cut(array, start, box)

    out = np.full(expected.size, np.nan, F32)
    run(load(rank, expected.size, start[::-1], name), simt.TensorMap(array, box), out, block=min(32, expected.size))
    np.testing.assert_array_equal(out, expected.ravel())


STORED = [((60,), (32,), (40,)), ((12, 20), (4, 8), (9, 16)), ((5, 6, 8), (2, 4, 4), (4, 3, 4))]
STORED += [((3, 2, 4, 8), (2, 2, 2, 4), (2, 1, 3, 4)), ((2, 3, 2, 4, 8), (2, 1, 2, 2, 4), (1, 2, 0, 3, 4))]


@pytest.mark.parametrize(("shape", "box", "start"), STORED)
def test_a_store_leaves_out_what_is_out_of_bounds(shape, box, start):
    """Of one to five dimensions, each box with places behind the tensor's last ones."""
    array = np.full(shape, -1, F32)
    expected = array.copy()
    for value, index in enumerate(np.ndindex(*box)):
        at = tuple(map(sum, zip(start, index, strict=True)))
        if all(place < size for place, size in zip(at, shape, strict=True)):
            expected[at] = value

    run(store(len(shape), start[::-1]), simt.TensorMap(array, box))
    np.testing.assert_array_equal(array, expected)


class Narrow(simt.TensorMap):
    """A map of all columns but the last two."""

    def encode(self):
        box = Box.decode(super().encode())
        return replace(box, sizes=(box.sizes[0] - 2, *box.sizes[1:])).encode()


def test_a_store_goes_on_to_the_end_of_sixteen_bytes():
    """As an H200 does, behind rows of 18 numbers of which each has room for 20; the map is edited to say so."""
    array = np.full((12, 20), -1, F32)
    result = simt.launch(
        store(2, (16, 9)),
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[Narrow(array, (4, 8))],
        observers=simt.observers(),
    )

    np.testing.assert_array_equal(array[9:, 16:], np.arange(32, dtype=F32).reshape(4, 8)[:3, :4])
    assert [(finding.id, finding.severity) for finding in result.findings] == [("tensor-copy.rest", "warning")]


class Edited(simt.TensorMap):
    """A map in which something was changed after the host made it."""

    changes: dict[str, object]

    def encode(self):
        return replace(Box.decode(super().encode()), **self.changes).encode()


@pytest.mark.parametrize(
    "changes",
    [{"kind": 13}, {"kind": 255}, {"swizzle": 48}, {"steps": (1, 0)}, {"sizes": ()}, {"sizes": (1,) * 5}],
    ids=str,
)
def test_a_map_that_was_changed_to_what_no_driver_makes_is_told(monkeypatch, changes):
    monkeypatch.setattr(Edited, "changes", changes, raising=False)
    result = simt.launch(
        load(2, 32, (0, 0)),
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[Edited(np.zeros((12, 20), F32), (4, 8)), np.zeros(32, F32)],
        observers=simt.observers(),
    )

    assert "tensor-copy.map" in [finding.id for finding in result.findings]


def test_two_blocks_load_a_half_each_for_both():
    """Each block's barrier counts the bytes of both halves."""
    array = np.arange(64, dtype=F32)

    out = run(MULTICAST, simt.TensorMap(array, (32,)), np.zeros(128, F32), block=64, cluster=2)
    np.testing.assert_array_equal(out.reshape(2, 64), [array, array])


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        ((np.zeros((4, 3), F32), (4, 3)), "strides are multiples of 16 bytes"),
        ((np.zeros((4, 4), F32), (4, 2)), "a row of a box is a multiple of 16 bytes, not 8"),
        ((np.zeros((4, 64), F32), (4, 16), 32), "at most as many bytes as its swizzle, 32, not 64"),
        ((np.zeros((512, 4), F32), (257, 4)), "1 to 256 elements"),
        ((np.zeros((4, 8), F32)[:, ::2], (4, 4)), "contiguous"),
        ((np.zeros((4, 4), F32), (4,)), "as many"),
        ((np.zeros((), F32), ()), "1 to 5 dimensions, not 0"),
        ((np.zeros((1,) * 6, F32), (1,) * 6), "1 to 5 dimensions, not 6"),
    ],
)
def test_a_map_that_a_driver_refuses_is_refused(arguments, rule):
    with pytest.raises(simt.ArgumentError, match=rule):
        run(load(2, 16, (0, 0)), simt.TensorMap(*arguments), np.zeros(16, F32))


def test_what_takes_no_map_says_so():
    text = 'target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k(i64 %x) { ret void }'

    with pytest.raises(simt.ArgumentError, match="takes no tensor map"):
        run(text, simt.TensorMap(np.zeros(16, F32), (16,)))
