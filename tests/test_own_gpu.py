"""Tests that run side by side do not share a GPU where there are several."""

from __future__ import annotations

import tempfile
import threading

import pytest

from harness.backends.devices import Device
from harness.model.target import Target
from tests import own_gpu


@pytest.mark.parametrize(
    ("visible", "entries"),
    [(None, ["0", "1", "2", "0"]), ("5,GPU-7a", ["5", "GPU-7a", "5", "GPU-7a"])],
)
def test_each_worker_of_the_tests_has_a_gpu_of_its_own(monkeypatch, visible, entries):
    """In turn, among those that are left to this process."""
    count = 3 if visible is None else 2
    devices = [Device("H200", Target.parse("nvidia:sm_90"), index) for index in range(count)]
    monkeypatch.setattr(own_gpu.devices, "discover", lambda: devices)
    if visible is None:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    else:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    chosen = [own_gpu.own_gpu(f"gw{number}", "nvidia") for number in range(4)]
    assert [variables["CUDA_VISIBLE_DEVICES"] for variables in chosen] == entries
    assert {variables["CUDA_DEVICE_ORDER"] for variables in chosen} == {"PCI_BUS_ID"}
    monkeypatch.setattr(own_gpu.devices, "discover", lambda: devices[:1])
    assert own_gpu.own_gpu("gw1", "nvidia") == {}


def test_who_wants_a_gpu_alone_waits_for_others(monkeypatch, tmp_path):
    """Others run beside one another."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    begun, left = threading.Event(), threading.Event()

    def alone():
        with own_gpu.in_turn(alone=True):
            assert left.is_set()
        begun.set()

    with own_gpu.in_turn(alone=False), own_gpu.in_turn(alone=False):
        waiting = threading.Thread(target=alone)
        waiting.start()
        assert not begun.wait(0.1)
        left.set()
    waiting.join()
    assert begun.is_set()
