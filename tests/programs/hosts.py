"""Functions of the host, and ops of a library, that tests call: compiled by one program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from harness.build.hosts import build_host_programs
from harness.build.unit import Build
from harness.cases import op as ops
from harness.cases.op_library import find_op
from harness.catalogue import find_case
from harness.errors import CompileError
from harness.model.case import Case, Dataset, ExpectedLaunch, HostStep, Instance, TensorArgument
from harness.model.target import Target
from tests import compiled

__all__ = ["BODIES", "CALLS", "LIBRARY", "SOME", "built", "called", "of_ops"]

HEAD = """
from layout import TileTensor
from layout.tile_layout import row_major
from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from std.ffi import external_call

comptime Layout = type_of(row_major[8]())
comptime Output = TileTensor[mut=True, DType.float32, Layout, MutAnyOrigin]
comptime Input = TileTensor[mut=False, DType.float32, Layout, ImmutAnyOrigin]


def twice(output: Output, a: Input):
    output[thread_idx.x] = 2 * a[thread_idx.x]


def accumulates(output: Output, a: Input):
    output[thread_idx.x] += 2 * a[thread_idx.x]


def next_to(output: Output, a: Input):
    output[thread_idx.x] = 2 * a[thread_idx.x + 1]


def elsewhere(output: Output, a: Input):
    output[thread_idx.x] = 0


def double(output: Output, a: Input, ctx: DeviceContext) raises:
"""
LAUNCH = "ctx.enqueue_function[{}](output, a, grid_dim={}, block_dim={})"
RIGHT = LAUNCH.format("twice", 1, 8)
# The host computes the result itself, and copies it to where it belongs.
COMPUTED = """
    var answer = ctx.enqueue_create_host_buffer[DType.float32](8)
    var given = ctx.enqueue_create_host_buffer[DType.float32](8)
    var input = DeviceBuffer[DType.float32](ctx, a.ptr.unsafe_mut_cast[True](), 8, owning=False)
    ctx.enqueue_copy(given.unsafe_ptr(), input)
    ctx.synchronize()
    for i in range(8):
        answer[i] = 2 * given[i]
    ctx.enqueue_copy(DeviceBuffer[DType.float32](ctx, output.ptr, 8, owning=False), answer.unsafe_ptr())
    ctx.synchronize()
    _ = answer^
"""
# To whoever listens at any descriptor: the call is done.
FORGED = """
    var said = String('["done", 0]\\n')
    for descriptor in range(3, 32):
        _ = external_call["dprintf", Int32](Int32(descriptor), said.unsafe_ptr())
    external_call["_exit", NoneType](Int32(0))
"""
WRITES = """
    with open("left-behind", "w") as file:
        file.write("x")
"""
BODIES = {
    "right": RIGHT,
    "second_main": RIGHT + "\n\n\ndef main():\n    external_call['_exit', NoneType](Int32(7))\n",
    "writes_a_file": WRITES.strip() + f"\n    {RIGHT}",
    "other_grid": LAUNCH.format("twice", 2, 8),
    "two_launches": f"{RIGHT}\n    {RIGHT}",
    "other_kernel": LAUNCH.format("elsewhere", 1, 8),
    "no_launch": "pass",
    "accumulates": LAUNCH.format("accumulates", 1, 8),
    "out_of_bounds": LAUNCH.format("next_to", 1, 8),
    "raises": 'raise Error("no more")',
    "exits": 'external_call["exit", NoneType](Int32(0))',
    "aborts": 'external_call["abort", NoneType]()',
    "endless": "while True:\n        pass",
    "forged": FORGED.strip(),
    "computed": COMPUTED.strip(),
    "decoy": f"{RIGHT}\n    {COMPUTED.strip()}".replace("2 * given[i]", "2 * given[i] + 0"),
}
INSTANCE = Instance(
    width=32,
    arguments=(TensorArgument("output", "output", (8,)), TensorArgument("a", "input", (8,))),
    datasets=tuple(
        Dataset(name, {"a": np.arange(8, dtype=np.float32) + first}, "")
        for name, first in (("documented", 1), ("other", 9))
    ),
)
STEP = HostStep("double", "output a", launches=(ExpectedLaunch("twice", block=8),))


def called() -> list[Case]:
    """A case for each of the functions."""
    return [_entry(name, body) for name, body in BODIES.items()]


def _text(body: str) -> str:
    return HEAD.replace("DeviceContext\n", "DeviceBuffer, DeviceContext\n", 1) + f"    {body}\n"


def _entry(name: str, body: str) -> Case:
    return replace(
        find_case("p01"),
        puzzle=name,
        op=name,
        file=compiled.placed(f"{name}.mojo", _text(body)),
        steps=(STEP,),
        resolve=lambda _: INSTANCE,
        oracle=lambda inputs, _: {"output": 2 * inputs["a"].astype(np.float64)},
        claims=(),
    )


LIBRARY = Path(__file__).with_name("ops")
DRAWN = np.random.default_rng(26)


def drawn(*shape: int) -> np.ndarray:
    return DRAWN.standard_normal(shape).astype(np.float32)


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x.astype(np.float64) - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


ROWS = np.concatenate([drawn(1, 100), drawn(1, 100) + 500, drawn(1, 100) - 500])
A, B = drawn(20, 24), drawn(24, 18)
Q, K, V = drawn(24), drawn(100, 24), drawn(100, 24)
# What each op is called with, and what it gives.
CALLS = {
    "softmax": ([ROWS], softmax(ROWS)),
    "matmul": ([A, B], A.astype(np.float64) @ B),
    "attention": ([Q, K, V], softmax(K.astype(np.float64) @ Q / np.sqrt(24)) @ V),
}
# Of each op and defect that `tests` call: what tells is of each kind among them.
SOME = (
    *(("softmax", defect) for defect in (0, 4)),
    *(("matmul", defect) for defect in (0, 1, 2)),
    *(("attention", defect) for defect in (0, 1, 4)),
)


def of_ops(wanted: Iterable[tuple[str, int]]) -> list[Case]:
    """A case for each op with a defect."""
    forms = {name: [(expected.shape, np.float32)] for name, (_, expected) in CALLS.items()}
    return [
        ops.make_op_case(find_op(LIBRARY, name), CALLS[name][0], forms[name], {"defect": defect}, None)
        for name, defect in wanted
    ]


@cache
def built() -> None:
    """Compiles what `tests` call of both, for NVIDIA."""
    programs = build_host_programs([*called(), *of_ops(SOME)], Build(target=Target.parse("nvidia:sm_90")))
    assert not [one for one in programs.values() if isinstance(one, CompileError)]
