"""What functions of a Mojo file take, read from its text."""

from __future__ import annotations

import re
import types

import numpy as np
import pytest

from harness.build import signatures
from harness.build.exported import find_exported_function
from harness.build.signatures import Declared
from harness.errors import UsageError
from harness.model.sources import MOJO, ROOT

TEXT = '''"""def none(a: Int): in words"""
comptime Row = TileTensor[mut=True, DType.float32,
    type_of(row_major[8]()), MutAnyOrigin]
alias Other = Row


# def neither(a: Int):
def kernel[
    L: TensorLayout, kind: DType, //, times: Int = max(1, 2), name: StaticString = "[(,"
](mut data: TileTensor[mut=True, kind, L, MutAnyOrigin], by: Scalar[kind],  # of (one
  more: Other):
    def inner(x: Int):
        pass


@compiler.register("lib::op")
struct Op:
    @staticmethod
    def execute[target: StaticString](x: InputTensor[rank=1, ...], ctx: DeviceContext) raises:
        pass


@register(
    "second"
)
struct Second:
    def other(self):
        pass


fn broken(a: Int
'''


def test_a_signature_is_read():
    """Comments, texts and brackets of types mislead nobody."""
    signature = signatures.parse_function(TEXT, "kernel")
    assert signature is not None
    assert signature.parameters == (
        Declared("L", "TensorLayout"),
        Declared("kind", "DType"),
        Declared("times", "Int", "max(1, 2)"),
        Declared("name", "StaticString", '" "'),
    )
    assert [(part.name, part.type) for part in signature.arguments] == [
        ("data", "TileTensor[mut=True, kind, L, MutAnyOrigin]"),
        ("by", "Scalar[kind]"),
        ("more", "Other"),
    ]
    assert signatures.function_names(TEXT) == ("kernel", "broken")
    assert signatures.parse_function(TEXT, "inner") is signatures.parse_function(TEXT, "broken") is None
    row = "TileTensor[mut=True, DType.float32, type_of(row_major[8]()), MutAnyOrigin]"
    assert signatures.resolve_alias(TEXT, "Other") == row


def test_of_overloads_the_exported_one_is_called(tmp_path):
    file = tmp_path / "f.mojo"
    file.write_text("def f(text: String):\n    pass\n\n\n@export\ndef f(x: Int32):\n    pass\n", encoding="utf-8")

    function, _ = find_exported_function(file, "f")

    assert [(part.name, part.type) for part in function.arguments] == [("x", "Int32")]


def test_ops_are_found_by_their_names():
    assert signatures.find_registered_ops(TEXT) == {"lib::op": "Op", "second": "Second"}
    execute = signatures.parse_function(TEXT, "execute", "Op")
    assert execute is not None and [part.name for part in execute.arguments] == ["x", "ctx"]
    assert signatures.parse_function(TEXT, "execute", "Second") is None


def test_compile_time_parameters_follow_from_the_arrays():
    signature = signatures.parse_function(TEXT, "kernel")
    assert signature is not None
    arrays = {"data": ("DType.float32", "row_major[4]()")}
    assert signatures.bind_parameters(signature, {"times": 3, "name": "x"}, arrays) == {
        "L": "type_of(row_major[4]())",
        "kind": "DType.float32",
        "times": "3",
        "name": '"x"',
    }
    assert signatures.bind_parameters(signature, {"kind": "float16"}) == {"kind": "DType.float16"}
    with pytest.raises(UsageError, match="has a compile-time parameter L"):
        signatures.bind_parameters(signature, {}, {})


@pytest.mark.parametrize(
    ("given", "name"),
    [
        *((np.bool_, "bool"), ("?", "bool"), (np.dtype(">i4"), "int32"), (float, "float64"), ("f2", "float16")),
        *(("bfloat16", "bfloat16"), ("DType.bfloat16", "bfloat16"), ("float8_e4m3fn", "float8_e4m3fn")),
        (types.SimpleNamespace(name="bfloat16"), "bfloat16"),
    ],
)
def test_an_element_type_is_named_as_numpy_or_max_has_it(given, name):
    signature = signatures.parse_function(TEXT, "kernel")
    assert signature is not None
    assert signatures.bind_parameters(signature, {"kind": given}) == {"kind": f"DType.{name}"}


@pytest.mark.parametrize("given", ["float17", "U4", "c8", np.longdouble, None, 3, [("a", "f4")], "float32]("])
def test_no_element_type(given):
    signature = signatures.parse_function(TEXT, "kernel")
    assert signature is not None
    with pytest.raises(UsageError, match=f"parameter kind of kernel is no element type: {re.escape(repr(given))}"):
        signatures.bind_parameters(signature, {"kind": given})


@pytest.mark.parametrize("file", sorted(MOJO.glob("p*/solution.mojo")), ids=lambda path: path.parent.name)
def test_every_puzzle_s_signatures_are_read(file):
    text = file.read_text()
    assert (ROOT / file).is_file() and all(
        signatures.parse_function(text, name) for name in signatures.function_names(text)
    )


def test_exported_functions_stand_below_the_decorator_wherever_it_is_among_others():
    text = '''
@export
def one(a: Int): pass
@always_inline
@export("two_name", ABI="C")
# why

def two(a: Int): pass
@export
@no_inline
fn three(a: Int): pass
@exported
def four(a: Int): pass
def five(a: Int):
    """
@export
def six(a: Int): pass
    """
# @export
def seven(a: Int): pass
struct S:
    @export
    def eight(a: Int): pass
'''

    found = signatures.find_exported_functions(text)
    assert list(found) == ["one", "two", "three"]
    assert all(text[at:].startswith(name) for name, at in found.items())
