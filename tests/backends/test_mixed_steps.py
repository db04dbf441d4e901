"""Cases of launches and calls of host functions: what one leaves unwritten is undefined to the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness import simt
from harness.backends.base import Request
from harness.backends.calls import CallReport, HostRun
from harness.backends.simulator import SimulatorBackend
from harness.catalogue import find_case
from harness.model.case import Dataset, HostStep, Instance, Kernel, TensorArgument
from harness.model.launch_plan import LaunchPlan
from harness.model.target import Target
from harness.simt.ir.values import FIRST
from harness.simt.state.device import Device

TARGET = Target.parse("nvidia:sm_90")
# `first` stores a number for each of its threads, `second` copies an element with each.
FIRST_KERNEL, SECOND_KERNEL = (
    f"""target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @{name}({arguments}) {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr float, ptr %p, i32 %i
  {value}
  store float %v, ptr %to
  ret void
}}
"""
    for name, arguments, value in (
        ("first", "ptr %p", "%v = uitofp i32 %i to float"),
        ("second", "ptr %p, ptr %q", "%from = getelementptr float, ptr %q, i32 %i\n  %v = load float, ptr %from"),
    )
)


def called(symbol: str, code: str, buffers: int, threads: int) -> HostRun:
    """What the process of a host function tells that launches one kernel on its buffers."""
    numbers = range(FIRST, FIRST + buffers)
    journal = [entry for at, one in enumerate(numbers) for entry in (["buffer", one, 16], ["given", 0, at, one])]
    addresses = [Device().allocate(16, "", number=one).base.to_bytes(8, "little").hex() for one in numbers]
    launch = ["launch", symbol, [1, 1, 1], [threads, 1, 1], [1, 1, 1], 0, addresses, {}]
    return HostRun(CallReport((*journal, launch)), {symbol: simt.decode(code)})


@pytest.mark.parametrize("written", [2, 4])
@pytest.mark.parametrize("host", ["first", "second"])
def test_what_one_step_leaves_unwritten_is_undefined_to_the_next(host, written):
    """Whichever of them is the host's."""
    instance = Instance(
        width=32,
        arguments=(TensorArgument("output", "output", (4,)), TensorArgument("temp", "scratch", (4,))),
        datasets=(Dataset("documented", {}, ""),),
    )
    first, second = Kernel("first", "temp", block=written), Kernel("second", "output temp", block=4)
    made = {
        "first": lambda *_: [called("first", FIRST_KERNEL, 1, written)],
        "second": lambda *_: [called("second", SECOND_KERNEL, 2, 4)],
    }
    steps = tuple(HostStep(step.name, step.arguments) if step.name == host else step for step in (first, second))
    entry = replace(find_case("p01"), steps=steps, resolve=lambda _: instance)
    code = SECOND_KERNEL if host == "first" else FIRST_KERNEL
    backend = SimulatorBackend(LaunchPlan(TARGET, "simulator"), {entry.id: (code,)}, calls=made[host])
    outcome = backend.launch(Request(case=entry, instance=instance, dataset=instance.datasets[0]))

    told = [found.argument for found in outcome.findings if found.kind == "uninitialised"]
    assert outcome.failure is None and bool(told) == (written < 4), outcome.findings
    assert np.array_equal(outcome.results["output"].values[:written], np.arange(written))
