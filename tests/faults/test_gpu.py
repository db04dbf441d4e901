"""On a GPU every fault gets its verdict and its reason, and the next kernel is right."""

from __future__ import annotations

import os

import pynvml
import pytest

from harness.backends import devices
from harness.cases import pipeline
from tests.faults.faults import FAULTS
from tests.faults.gpu_memory import settles, used_bytes
from tests.faults.trials import Hardware
from tests.processes import children

pytestmark = pytest.mark.gpu

ROOM = 256 << 20  # bytes by which other processes' use of the GPU may differ
# What others of the GPU leave in shared memory, between the poison and the launch, may be the right value.
TRIES = {"uninitialised_shared": 5}


@pytest.fixture(scope="module")
def used():
    """The GPU's memory in use before anything runs, in bytes."""
    try:
        return used_bytes()
    except pynvml.NVMLError as error:
        pytest.skip(f"no NVIDIA GPU on this machine: {error}")


@pytest.fixture(scope="module")
def hardware(used):
    """One backend for all faults."""
    present = [device.target for device in devices.discover() if device.target.vendor == "nvidia"]
    if not present:
        pytest.skip("no NVIDIA GPU that MAX drives on this machine")
    bench = Hardware(pipeline.plan(present[0].name, "max").target)
    yield bench
    bench.close()


@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, id=fault.name, marks=[pytest.mark.alone] * (fault.around == "occupied")) for fault in FAULTS],
)
def test_the_verdict_is_the_expected_one(hardware, fault):
    """And a correct kernel passes right after it."""
    for _ in range(TRIES.get(fault.name, 1)):
        trial = hardware.run(fault)
        if fault.gpu.met(trial.verdict, trial.reason):
            break

    assert fault.gpu.met(trial.verdict, trial.reason), (trial.verdict, trial.reason)
    assert trial.afterwards == ("PASS", "")


def test_nothing_is_left(hardware, used):
    """No child, ended or not, and the GPU's memory is free again."""
    hardware.close()

    assert not children()
    if int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")) > len(devices.discover()):
        return  # workers beside this one hold the same GPU's memory
    assert settles(lambda: used_bytes() < used + ROOM), f"{used_bytes() - used} bytes more are in use"
