"""What may be given as an input, and what is said of the rest."""

from __future__ import annotations

import numpy as np
import pytest

from harness.backends.inputs import check_device_tensor, convert_input, name_inputs
from harness.errors import UsageError
from harness.model.case import TensorArgument

FLOATS = TensorArgument("a", "input", (2, 3))
VALUES = np.arange(6, dtype=np.float32).reshape(2, 3)


def of(dtype) -> TensorArgument:
    return TensorArgument("a", "input", (3,), np.dtype(dtype))


def read_only() -> np.ndarray:
    array = VALUES.copy()
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "array",
    [
        VALUES.copy(),
        read_only(),
        np.zeros((4, 3), np.float32)[1:3],
        np.zeros(48, np.uint8)[4:28].view("<f4").reshape(2, 3),
    ],
    ids=["plain", "read-only", "slice of rows", "view of bytes"],
)
def test_an_array_that_fits_is_passed_on(array):
    """As the same object: nothing is copied that need not be."""
    assert convert_input("a", array, FLOATS) is array


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(VALUES),
        np.repeat(VALUES, 2, axis=1)[:, ::2],
        VALUES[::-1].copy()[::-1],
        VALUES.astype(">f4"),
        VALUES.astype(np.float16),
        VALUES.astype(np.uint16),
        VALUES.astype(np.int8),
        np.frombuffer(b"x" + VALUES.tobytes(), np.uint8)[1:].view(np.float32).reshape(2, 3),
        VALUES.view(np.recarray),
    ],
    ids=["Fortran", "strided", "reversed", "byte-swapped", "float16", "uint16", "int8", "unaligned", "subclass"],
)
def test_what_can_be_put_right_is_copied(array):
    """In row-major order, native, aligned, of the documented type, and with the same values."""
    kept = array.copy()
    got = convert_input("a", array, FLOATS)
    assert type(got) is np.ndarray and got.dtype == np.float32 and got.dtype.isnative
    assert got.flags.c_contiguous and got.flags.aligned
    np.testing.assert_array_equal(got, VALUES)
    np.testing.assert_array_equal(array, kept)


class Tensor:
    """Speaks DLPack and is no array; says where it lies."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device, self.shape = array, device, array.shape

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        if self.device is None:
            raise ValueError("Unknown device type meta for Dlpack")
        return self.device


def test_a_tensor_of_the_host_is_seen_where_it_lies():
    """Its memory is shared; another order is copied as an array's would be."""
    got = convert_input("a", Tensor(VALUES), FLOATS)
    assert np.shares_memory(got, VALUES)
    np.testing.assert_array_equal(convert_input("a", Tensor(np.asfortranarray(VALUES)), FLOATS), VALUES)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([[0, 1, 2], [3, 4, 5]], [[0, 1, 2], [3, 4, 5]]),
        (((0.1, 1, 2), (3, 4, np.inf)), [[np.float32(0.1), 1, 2], [3, 4, np.inf]]),
        ([[True, False, True], [0, 0, 0]], [[1, 0, 1], [0, 0, 0]]),
        ([[2**24, -(2**30), 0], [0, 0, 0]], [[2**24, -(2**30), 0], [0, 0, 0]]),
    ],
    ids=["integers", "floats", "booleans", "large integers that float32 holds"],
)
def test_numbers_of_python_are_rounded(value, said):
    """They have no type of their own that could be lost."""
    got = convert_input("a", value, FLOATS)
    assert got.dtype == np.float32
    np.testing.assert_array_equal(got, np.array(said, np.float32))


@pytest.mark.parametrize(
    ("value", "dtype", "said"),
    [
        ([0, 1, 2**24 + 1], np.float32, "holds 16777217, which float32 does not hold"),
        ([0, 1, 256], np.uint8, "holds 256, which uint8 does not hold"),
        ([0, 1, -1], np.uint8, "holds -1, which uint8 does not hold"),
        ([0, 1, 2**40], np.int32, "holds 1099511627776, which int32 does not hold"),
        ([0.0, 1.0, 1e39], np.float32, r"holds 1e\+39, which float32 does not hold"),
        ([0.0, 1.0, 1e5], np.float16, "holds 100000.0, which float16 does not hold"),
        ([0.0, 1.0, 0.5], np.int32, "holds floating-point numbers, but the case takes int32: give integers"),
        ([0, 1, 2**70], np.float32, "holds object, which are no real numbers"),
        (["a", "b", "c"], np.float32, "holds <U1, which are no real numbers"),
        ([0, [1], 2], np.float32, "is no array of numbers: setting an array element"),
        (None, np.float32, "holds object"),
        (7.0, np.float32, r"has shape \(\), but the case takes shape \(3,\)"),
        ([], np.float32, r"is empty \(shape \(0,\)\), but the case takes shape \(3,\)"),
        ([1, 2], np.float32, r"has shape \(2,\), but the case takes shape \(3,\)"),
        (np.zeros((3, 0)), np.float32, "is empty"),
        (np.zeros((1, 3), np.float32), np.float32, r"has shape \(1, 3\)"),
        (np.zeros(3), np.float32, r"is float64, which does not convert to float32.*give a\.astype\('float32'\)"),
        (np.zeros(3, np.int32), np.float32, "is int32, which does not convert to float32"),
        (np.zeros(3, np.float32), np.int32, "is float32, which does not convert to int32"),
        (np.zeros(3, np.int64), np.uint8, "is int64, which does not convert to uint8"),
        ([np.float64(0.5)] * 3, np.float32, "is float64, which does not convert to float32"),
        (np.zeros(3, np.complex64), np.float32, "holds complex64, which are no real numbers"),
        (np.zeros(3, "datetime64[s]"), np.float32, "which are no real numbers"),
        (np.zeros(3, [("x", "f4")]), np.float32, "which are no real numbers"),
        (np.ma.masked_array([1.0, 2, 3], [0, 1, 0]), np.float32, r"is a masked array: give a\.filled"),
        (Tensor(np.zeros(3, np.float32), (2, 1)), np.float32, r"lies on a GPU \(DLPack device 2:1\)"),
        (Tensor(np.zeros(3, np.float32), None), np.float32, "cannot tell where it lies: Unknown device type meta"),
    ],
)
def test_what_would_lose_something_is_refused(value, dtype, said):
    """In one sentence that names the input and what it is."""
    with pytest.raises(UsageError, match=said) as caught:
        convert_input("a", value, of(dtype))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.uint8])
def test_each_type_takes_its_own(dtype):
    array = np.array([1, 2, 3], dtype)
    assert convert_input("a", array, of(dtype)) is array
    assert convert_input("a", [1, 2, 3], of(dtype)).dtype == dtype


TWO = (TensorArgument("a", "input", (2, 3)), TensorArgument("bias", "input", (3,)))


def test_inputs_go_by_name():
    given = {"bias": 2, "a": 1}
    assert name_inputs(given, TWO) == {"a": 1, "bias": 2}
    assert list(name_inputs(given, TWO)) == ["a", "bias"]
    assert name_inputs(VALUES, TWO[:1])["a"] is VALUES


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"a": 1, "bais": 2}, "unknown input 'bais': did you mean 'bias'"),
        ({"a": 1, 3: 2}, "unknown input '3': known: a, bias"),
        ({"a": 1}, "no input 'bias': the case takes 'a' and 'bias'"),
        ({}, "no input 'a' and 'bias'"),
        (VALUES, "there are 2 inputs, so give a dict with 'a' and 'bias'"),
    ],
)
def test_names_that_do_not_fit(inputs, said):
    with pytest.raises(UsageError, match=said):
        name_inputs(inputs, TWO)


class OnDevice:
    """What can be asked of a tensor that lies elsewhere."""

    def __init__(self, shape, **told):
        self.shape = shape
        self.__dict__.update(told)


def interface(strides):
    return {"typestr": "<f4", "strides": strides}


@pytest.mark.parametrize(
    "tensor",
    [
        OnDevice((2, 3), is_contiguous=lambda: True),
        OnDevice((2, 3), is_contiguous=True),
        OnDevice((2, 3), __cuda_array_interface__=interface(None)),
        OnDevice((2, 3), __cuda_array_interface__=interface((12, 4))),
    ],
    ids=["torch", "MAX", "CuPy", "CuPy with strides"],
)
def test_contiguous_device_tensors_may_stay(tensor):
    check_device_tensor("a", tensor, FLOATS)


@pytest.mark.parametrize(
    ("tensor", "said"),
    [
        (OnDevice((2, 3), is_contiguous=lambda: False), "does not lie contiguously on its device"),
        (OnDevice((2, 3), is_contiguous=False), "contiguously"),
        (OnDevice((2, 3), __cuda_array_interface__=interface((4, 8))), "contiguously"),
        (OnDevice((2, 3)), "contiguously"),
        (OnDevice((3, 2), is_contiguous=lambda: True), r"has shape \(3, 2\), but the case takes shape \(2, 3\)"),
    ],
    ids=["torch", "MAX", "CuPy", "tells nothing", "shape"],
)
def test_other_device_tensors_are_refused(tensor, said):
    """Imported as they are, their elements would be read in the wrong order."""
    with pytest.raises(UsageError, match=said):
        check_device_tensor("a", tensor, FLOATS)
