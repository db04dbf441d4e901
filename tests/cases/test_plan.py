"""What is chosen to run on, for machines with none, one and several GPUs."""

from __future__ import annotations

import pytest

from harness.backends.devices import Device
from harness.cases import pipeline
from harness.errors import EnvironmentFault, UsageError
from harness.model.target import Target


def gpu(name: str, target: str, index: int) -> Device:
    return Device(name, Target.parse(target), index)


@pytest.fixture
def machine(monkeypatch):
    """Makes a machine with these GPUs."""
    return lambda *gpus: monkeypatch.setattr(pipeline.devices, "discover", lambda: list(gpus))


TWO = (gpu("H200", "nvidia:sm_90", 0), gpu("A100", "nvidia:sm_80", 1), gpu("H100", "nvidia:sm_90", 2))


def test_the_first_gpu_that_fits(machine):
    machine(*TWO)
    assert pipeline.plan().gpus == (0,)
    chosen = pipeline.plan("nvidia:sm_80")
    assert (chosen.device, chosen.gpus, chosen.backend) == ("A100", (1,), "max")


def test_all_gpus_are_those_that_fit(machine):
    machine(*TWO)
    plan = pipeline.plan(gpus="all")
    assert (plan.gpus, plan.why) == ((0, 2), "2 GPUs are here")


def test_some_gpus_by_number(machine):
    machine(*TWO)
    assert pipeline.plan(gpus="2,0,2").gpus == (2, 0)
    with pytest.raises(UsageError, match="unknown GPU '1'"):
        pipeline.plan(gpus="1")


def test_naming_gpus_asks_for_one(machine):
    machine()
    with pytest.raises(EnvironmentFault, match="no NVIDIA GPU here"):
        pipeline.plan(gpus="all")
    with pytest.raises(UsageError, match="--devices is for GPUs"):
        pipeline.plan(backend="simulator", gpus="all")


def test_without_a_gpu_the_simulator(machine):
    machine()
    plan = pipeline.plan()
    assert (plan.backend, plan.gpus) == ("simulator", ())
