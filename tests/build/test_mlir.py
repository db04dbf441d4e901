"""A graph's text is read strictly: what MAX writes of one op's call, and nothing else."""

import contextlib

import numpy as np
import pytest

from harness.build.mlir import (
    MOST_CHARACTERS,
    CustomCall,
    GraphTextError,
    UnknownOperation,
    format_parameter,
    format_tensor_type,
    parse_graph,
)
from harness.model.case import TensorArgument

F15, F4 = "!mo.tensor<[15], f32, gpu:0>", "!mo.tensor<[4], f32, gpu:0>"
HEAD = (
    f"mo.graph @any(%arg0: {F15}, %arg1: {F4}) -> {F15} attributes "
    '{_kernel_library_paths = ["/tmp/{x}/op.mojoc"], argument_names = ["input0", "input1"]} {'
)
CALL = (
    '%1 = mo.custom [symbol = "conv1d", device = #M.device_ref<"gpu", 0>, '
    f"parameters = {{conv_size = 4 : index, dtype = f32}}](%arg0, %arg1) : ({F15}, {F4}) -> {F15}"
)
OUTPUT = f"mo.output %1 : {F15}"


def text(*lines: str, head: str = HEAD) -> str:
    return "\n".join([head, "  %0 = mo.chain.create()", *(f"  {line}" for line in lines), "}"])


def test_a_call_is_read_whole():
    read_text = parse_graph(text(CALL, OUTPUT))
    assert read_text.inputs == {"%arg0": F15, "%arg1": F4}
    call = CustomCall(
        "conv1d", "gpu:0", {"conv_size": "4 : index", "dtype": "f32"}, ("%arg0", "%arg1"), ("%1",), (F15,)
    )
    assert (read_text.operations, read_text.outputs) == ((call,), ("%1",))


def test_a_call_is_read_as_max_26_6_writes_it_too():
    """Its attributes in braces, by the alphabet; without some of them too."""
    own = CALL.partition("[symbol")[0] + (
        '{device = #M.device_ref<"gpu", 0>, parameters = {conv_size = 4 : index, dtype = f32}, symbol = "conv1d"}'
        f"(%arg0, %arg1) : ({F15}, {F4}) -> {F15}"
    )
    assert parse_graph(text(own, OUTPUT)) == parse_graph(text(CALL, OUTPUT))
    bare = f'%1 = mo.custom {{symbol = "conv1d"}}(%arg0, %arg1) : ({F15}, {F4}) -> {F15}'
    assert parse_graph(text(bare, OUTPUT)).operations == (
        CustomCall("conv1d", "cpu:0", {}, ("%arg0", "%arg1"), ("%1",), (F15,)),
    )


def test_several_results_have_a_name_each():
    call = f'%1:2 = mo.custom [symbol = "two"](%arg0) : ({F15}) -> ({F15}, {F4})'
    (operation,) = parse_graph(text(call, f"mo.output %1#1, %1#0 : {F4}, {F15}")).operations
    assert operation == CustomCall("two", "cpu:0", {}, ("%arg0",), ("%1#0", "%1#1"), (F15, F4))


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (f"%2 = rmo.add(%1, %1) : ({F15}, {F15}) -> {F15}", "rmo.add"),
        (f"%2 = mo.constant <#M.dense_array<1.000000e+00> : tensor<f32>> : {F15}", "mo.constant"),
        (f'%2, %3 = mo.custom [symbol = "conv1d"](%arg0, %0) : ({F15}, !mo.chain) -> ({F15}, !mo.chain)', "mo.custom"),
        ('%2:3 = mo.if %0 {attribute = "("} {', "mo.if"),
    ],
)
def test_what_is_no_usual_call_is_known_by_its_name_alone(line, name):
    assert parse_graph(text(CALL, line, "whatever follows", OUTPUT)).operations[1:] == (UnknownOperation(name),)


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "PASS",
        text(CALL),
        text(CALL, OUTPUT) + "\n" + text(CALL, OUTPUT),
        text(CALL, "verdict: PASS", OUTPUT),
        text(CALL, OUTPUT, head="module {"),
        text(CALL, OUTPUT, head=HEAD.replace("%arg1", "%other")),
        text(CALL, OUTPUT) + " " * MOST_CHARACTERS,
    ],
)
def test_what_max_does_not_write_is_no_graph(forged):
    with pytest.raises(GraphTextError):
        parse_graph(forged)


@pytest.mark.parametrize("piece", ["%1, ", "%1:2, ", "!mo.a<", '"', "(", "a = 1 : index, ", "{%arg0: "])
@pytest.mark.parametrize("start", ["mo.graph @any(", '%1 = mo.custom [symbol = "a', "mo.output ", "%1 = "])
def test_reading_takes_no_longer_than_a_long_line_does(start, piece):
    line = (start + piece * MOST_CHARACTERS)[: MOST_CHARACTERS - len(text(""))]  # squared, it would take minutes
    with contextlib.suppress(GraphTextError):
        assert parse_graph(line if start.startswith("mo.graph") else text(line)).outputs == ()


def test_types_and_parameters_are_written_as_max_writes_them():
    indices = TensorArgument("indices", "input", (8, 512), np.dtype(np.int32))
    assert format_tensor_type(indices, "gpu:0") == "!mo.tensor<[8, 512], si32, gpu:0>"
    assert format_tensor_type(indices, "cpu:0") == "!mo.tensor<[8, 512], si32>"
    assert [format_parameter(value) for value in (15, "fused", np.dtype(np.float32))] == [
        "15 : index",
        '"fused"',
        "f32",
    ]
