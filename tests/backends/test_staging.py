"""The ways of large arrays on a GPU, walked on the host CPU: its queue copies asynchronously too."""

from __future__ import annotations

import numpy as np
import pytest
from max import driver

from harness.backends import staging as module
from harness.backends.staging import Staging

CHUNK = 2**12  # bytes; on a GPU far larger


@pytest.fixture(params=[1, 3], ids=["one copier", "three copiers"])
def staging(request, monkeypatch):
    """One that takes the host for a device of its own memory."""
    monkeypatch.setattr(module, "CHUNK_BYTES", CHUNK)
    monkeypatch.setattr(module, "LEAST_BYTES", 64)
    monkeypatch.setattr(module, "COPIERS", request.param)
    made = Staging(driver.CPU())
    made._host = False
    yield made
    if made._pool is not None:
        made._pool.shutdown()


def pattern(size: int, dtype=np.uint8) -> np.ndarray:
    """Differs from chunk to chunk."""
    return (np.arange(size) % 251).astype(dtype)


# Up to a chunk the driver moves arrays, which on the host are then the device's memory itself.
SIZES = (CHUNK + 1, 2 * CHUNK, 3 * CHUNK, 3 * CHUNK + 5, 40 * CHUNK + 3)


@pytest.mark.parametrize("size", SIZES)
def test_chunks_arrive_whole_and_in_order(staging, size):
    """Also when the source is overwritten at once, and for one array after the other."""
    for offset in range(3):
        array = pattern(size) + np.uint8(offset)
        sent = array.copy()
        buffer = staging.upload(array)
        array[...] = 255
        np.testing.assert_array_equal(staging.download(buffer), sent)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.uint8])
def test_shapes_and_types_survive(staging, dtype):
    array = pattern(6 * CHUNK, dtype).reshape(3, 2, CHUNK)
    buffer = staging.upload(array)
    assert tuple(buffer.shape) == array.shape and buffer.dtype.to_numpy() == dtype
    got = staging.download(buffer)
    assert (got.shape, got.dtype) == (array.shape, array.dtype)
    np.testing.assert_array_equal(got, array)


def test_read_only_arrays_go_up(staging):
    array = pattern(5 * CHUNK)
    array.flags.writeable = False
    np.testing.assert_array_equal(staging.download(staging.upload(array)), array)


@pytest.mark.parametrize("size", SIZES)
def test_a_download_fills_what_it_is_given(staging, size):
    """An ordinary array, or one born in staging; that very one is returned."""
    buffer = staging.upload(pattern(size))
    for out in (np.zeros(size, np.uint8), staging.empty((size,), np.uint8)):
        assert staging.download(buffer, out=out) is out
        np.testing.assert_array_equal(out, pattern(size))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        pytest.param(dtype, size, marks=[pytest.mark.full] * (dtype is np.float32 and size >= 40 * CHUNK))
        for dtype in (np.uint8, np.float32)
        for size in (8, *SIZES, 48 * CHUNK)
    ],
)
def test_one_element_that_differs_is_seen_wherever_it_is(staging, size, dtype):
    array = pattern(size, dtype)
    buffer = staging.upload(array.copy())
    assert staging.is_same(buffer, array) and not staging.is_same(buffer, array[1:])
    for place in {0, 1, CHUNK, size // 2, size - 1} & set(range(size)):
        other = array.copy()
        other[place] += 1
        assert not staging.is_same(buffer, other)
        assert staging.is_same(buffer, array)
    np.testing.assert_array_equal(staging.download(buffer), array)


def test_what_is_compared_is_bits(staging):
    array = np.array([0.0, np.nan] * CHUNK, np.float32)
    buffer = staging.upload(array.copy())
    assert staging.is_same(buffer, array)
    array[-2] = -0.0
    assert not staging.is_same(buffer, array)


@pytest.mark.parametrize("size", SIZES)
def test_an_array_born_in_staging_moves_as_it_is(staging, size):
    """No chunk is touched, and it may be overwritten as soon as it went up."""
    array = staging.empty((size,), np.uint8)
    array[...] = pattern(size)
    buffer = staging.upload(array)
    array[...] = 255
    assert staging._ring == []
    np.testing.assert_array_equal(staging.download(buffer), pattern(size))


def test_parts_of_it_move_like_any_array(staging):
    """A tail does not start where the memory does, a head does."""
    array = staging.empty((6 * CHUNK,), np.uint8)
    array[...] = pattern(array.size)
    for part in (array[CHUNK + 3 :], array[: 2 * CHUNK], array.reshape(6, CHUNK)[2:4]):
        np.testing.assert_array_equal(staging.download(staging.upload(part)), part)


@pytest.mark.slow
@pytest.mark.parametrize("count", [200, pytest.param(1000, marks=pytest.mark.full)])
def test_memory_comes_and_goes(staging, count):
    """Hundreds of arrays, of which one lives at a time: never the wrong one is found."""
    for number in range(count):
        array = staging.empty((2 * CHUNK,), np.uint8)
        array[...] = number % 256
        assert (np.asarray(staging.download(staging.upload(array))) == number % 256).all()
        assert len(staging._born) == 1
        del array
    assert len(staging._born) == 0
