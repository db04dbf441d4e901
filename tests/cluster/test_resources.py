"""What a host offers, what a job asks for, and where nobody has it."""

from __future__ import annotations

import pytest

from harness.backends import devices
from harness.backends.devices import Device
from harness.cluster import resources
from harness.errors import EnvironmentFault, UsageError
from harness.model.target import Target

GPUS = [Device("H200", Target.parse("nvidia:sm_90"), 0), Device("H200", Target.parse("nvidia:sm_90"), 1)]


def test_each_gpu_is_a_worker_that_sees_it_alone(monkeypatch):
    monkeypatch.setattr(devices, "discover", lambda: GPUS)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    simulator, *gpus = resources.list_offers(3, "all")

    assert (simulator.what, simulator.slots, dict(simulator.environment)) == ("simulator", 3, {})
    assert simulator.resources["simulator"] == simulator.resources[resources.harness_resource()] == 3.0
    assert [gpu.environment["CUDA_VISIBLE_DEVICES"] for gpu in gpus] == ["0", "1"]
    assert all(gpu.what == "nvidia:sm_90" and gpu.resources["nvidia:sm_90"] == 1.0 for gpu in gpus)
    assert all("simulator" not in gpu.resources for gpu in gpus), "or work without a GPU would take its turn"


def test_only_the_gpus_that_were_asked_for(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(devices, "discover", lambda: GPUS)

    assert [device.device for device in resources.list_offers(0, "1")] == ["H200, GPU 1"]
    assert [device.device for device in resources.list_offers(0, "1, 0,1")] == ["H200, GPU 1", "H200, GPU 0"]
    with pytest.raises(EnvironmentFault, match="no GPU 2 here: 0, 1"):
        resources.list_offers(0, "2")


@pytest.mark.parametrize(
    ("target", "backend", "offered", "placed"),
    [
        (None, "auto", {"simulator"}, ("nvidia:sm_90", "simulator", "simulator")),
        (None, "auto", {"simulator", "amd:gfx942"}, ("amd:gfx942", "max", "amd:gfx942")),
        ("nvidia", "auto", {"simulator", "nvidia:sm_100"}, ("nvidia:sm_100", "max", "nvidia:sm_100")),
        ("nvidia:sm_80", "auto", {"simulator", "nvidia:sm_89"}, ("nvidia:sm_80", "max", "nvidia:sm_89")),
        ("nvidia:sm_80", "max", {"nvidia:sm_86", "nvidia:sm_80"}, ("nvidia:sm_80", "max", "nvidia:sm_80")),
        ("nvidia:sm_90", "auto", {"simulator", "nvidia:sm_89"}, ("nvidia:sm_90", "simulator", "simulator")),
        ("nvidia:sm_90", "simulator", {"simulator", "nvidia:sm_90"}, ("nvidia:sm_90", "simulator", "simulator")),
    ],
)
def test_a_job_goes_where_its_target_is(target, backend, offered, placed):
    plan, need = resources.choose_plan(target, backend, {*offered, "harness:0", "sandbox:bwrap"})

    assert (plan.target.name, plan.backend, need) == placed


@pytest.mark.parametrize(
    ("target", "backend", "offered", "told"),
    [
        (
            "amd",
            "max",
            {"simulator", "nvidia:sm_90"},
            "no worker has a GPU for amd:gfx942: they have nvidia:sm_90",
        ),
        (None, "simulator", {"nvidia:sm_90"}, "no worker has the simulator: they have nvidia:sm_90"),
        (None, "auto", set(), "start one with `puzzles worker`"),
    ],
)
def test_what_nobody_has_is_refused_at_once(target, backend, offered, told):
    with pytest.raises(EnvironmentFault, match=told):
        resources.choose_plan(target, backend, offered)


def test_how_workers_shut_submissions_in_is_told():
    strong = {"simulator": 2.0, "sandbox:bwrap": 2.0, "sandbox:auto": 2.0}
    weak, superuser = {"simulator": 8.0, "sandbox:auto": 8.0}, {"simulator": 8.0}
    other = {"nvidia:sm_90": 1.0}

    assert (
        resources.describe_sandboxes([strong, strong, other, superuser], "simulator") == "bwrap, as all workers have it"
    )
    assert resources.describe_sandboxes([weak, other], "simulator").startswith(
        "limits, on all workers, where a program could"
    )
    told = resources.describe_sandboxes([strong, weak, weak], "simulator")
    assert told.startswith("bwrap on 1 of 3 workers, limits on the others, where a program could use the network")
    with pytest.raises(EnvironmentFault, match=r"superuser without bwrap.*--sandbox limits"):
        resources.describe_sandboxes([superuser, other], "simulator")
    for workers in ([], [other]):
        with pytest.raises(EnvironmentFault, match=r"^no worker offers simulator: start one with `puzzles worker`\.$"):
            resources.describe_sandboxes(workers, "simulator")


def test_an_unknown_target_is_told():
    with pytest.raises(UsageError, match="unknown target"):
        resources.choose_plan("nvidia:sm_9", "auto", {"simulator"})


def test_another_harness_is_another_resource(monkeypatch):
    own = resources.harness_resource()
    monkeypatch.setattr(resources, "version", lambda package: "0")

    assert resources.harness_resource.__wrapped__() != own
    assert own.startswith("harness:") and len(own) == len("harness:") + 16
