"""Calls of host functions: right ones, wrong ones and hostile ones, each judged by what its kernels leave."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.build import toolchain
from harness.cases import pipeline
from harness.catalogue import case
from harness.model.case import Case, Dataset, Host, Instance, Launched, TensorArgument
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.programs import called

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find() is None, reason="there is no `mojo` here"),
]

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
STEP = Host("double", "output a", launches=(Launched("twice", block=8),))


def text(body: str) -> str:
    return HEAD.replace("DeviceContext\n", "DeviceBuffer, DeviceContext\n", 1) + f"    {body}\n"


def entry(name: str, folder: Path, body: str) -> Case:
    file = folder / f"{name}.mojo"
    file.write_text(text(body))
    return replace(
        case("p01"),
        puzzle=name,
        op=name,
        file=file,
        steps=(STEP,),
        resolve=lambda _: INSTANCE,
        oracle=lambda inputs, _: {"output": 2 * inputs["a"].astype(np.float64)},
        claims=(),
    )


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[str, CaseReport]:
    """All of them, compiled in one program."""
    folder = tmp_path_factory.mktemp("called")
    cases = [entry(name, folder, body) for name, body in BODIES.items()]
    told: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(called, "LIMITS", replace(called.LIMITS, cpu_seconds=4))
        plan = pipeline.plan("nvidia:sm_90", "simulator")
        report = pipeline.run(cases, plan=plan, sources=Sources(), notify=told.append)
    assert len([line for line in told if "host functions" in line]) <= 1
    return {found.case: found for found in report.cases}


@pytest.mark.parametrize("name", ["right", "second_main", "writes_a_file"])
def test_what_launches_the_kernel_is_right(reports, name):
    report = reports[name]

    assert (report.verdict, report.passed) == ("PASS", 2), report.reason
    assert not os.path.exists("left-behind")


@pytest.mark.parametrize(
    ("name", "verdict", "reason"),
    [
        ("other_grid", "MISMATCH", "double launched twice with grid (2, 1, 1) block (8, 1, 1)"),
        ("two_launches", "MISMATCH", "double made 2 launches, where the documents have 1: twice, twice"),
        ("other_kernel", "MISMATCH", "double launched elsewhere, but documented is twice"),
        ("no_launch", "MISMATCH", "double launched nothing"),
        ("accumulates", "FINDING", "output"),
        ("out_of_bounds", "FINDING", "a"),
        ("raises", "LAUNCH_ERROR", "double raised an error: no more"),
        ("exits", "LAUNCH_ERROR", "double did not return: it ended its program with status 0"),
        ("aborts", "FINDING", "SIGABRT"),
        ("endless", "TIMEOUT", "double did not return within 4 s of the processor"),
        ("forged", "MISMATCH", "double launched nothing"),
        ("computed", "FINDING", "8 of 8 elements of output are what the host wrote there"),
        ("decoy", "FINDING", "elements of output are what the host wrote there"),
    ],
)
def test_what_does_not_has_its_verdict(reports, name, verdict, reason):
    report = reports[name]

    assert report.verdict == verdict, report.reason
    assert reason in report.reason
