"""GPUs are found without an engine; every vendor by fakes."""

from __future__ import annotations

import ctypes

import pytest

from harness.devices import Device, amd, apple, discover, nvidia
from harness.target import Target


class FakeNvml:
    """Two GPUs: a known one, and one whose architecture no target names."""

    capabilities = ((9, 0), (5, 2))

    def __init__(self) -> None:
        self.ended = False

    def nvmlInit_v2(self) -> int:  # noqa: N802 - the library's own names
        return 0

    def nvmlShutdown(self) -> int:  # noqa: N802
        self.ended = True
        return 0

    def nvmlDeviceGetCount_v2(self, count) -> int:  # noqa: N802
        count._obj.value = len(self.capabilities)
        return 0

    def nvmlDeviceGetHandleByIndex_v2(self, index, handle) -> int:  # noqa: N802
        handle._obj.value = index.value + 1
        return 0

    def nvmlDeviceGetName(self, handle, name, size) -> int:  # noqa: N802
        assert size.value == ctypes.sizeof(name)
        name.value = b"NVIDIA H200"
        return 0

    def nvmlDeviceGetCudaComputeCapability(self, handle, major, minor) -> int:  # noqa: N802
        major._obj.value, minor._obj.value = self.capabilities[handle.value - 1]
        return 0


def test_nvidia():
    """By compute capability; an unknown one is left out."""
    nvml = FakeNvml()
    assert nvidia(lambda: nvml) == [Device("NVIDIA H200", Target.parse("nvidia:sm_90"))]
    assert nvml.ended


def test_no_nvidia_driver():
    """Without the library there is no GPU, and no error."""

    def missing():
        raise OSError("libnvidia-ml.so.1: cannot open shared object file")

    assert nvidia(missing) == []


@pytest.mark.parametrize(
    ("version", "target"),
    [("90402", "gfx942"), ("110000", "gfx1100"), ("90010", "gfx90a"), ("120001", "gfx1201")],
)
def test_amd(tmp_path, version, target):
    """By the kernel driver's topology; its processors are no GPUs."""
    for number, (gfx, name) in enumerate([("0", ""), (version, "aqua_vanjaram")]):
        node = tmp_path / str(number)
        node.mkdir()
        (node / "properties").write_text(f"cpu_cores_count 0\ngfx_target_version {gfx}\nvendor_id 4098\n")
        (node / "name").write_text(f"{name}\n")
    assert amd(tmp_path) == [Device("aqua_vanjaram", Target.parse(f"amd:{target}"))]
    assert amd(tmp_path / "nothing") == []


def test_apple():
    """By the processor's name, on macOS only."""
    found = apple(("darwin", "arm64"), lambda: "Apple M4 Pro")
    assert found == [Device("Apple M4 Pro", Target.parse("apple:apple-m4"))]
    assert apple(("linux", "aarch64"), lambda: "Apple M4") == []
    assert apple(("darwin", "arm64"), lambda: "") == []


def test_discover_joins_the_finders():
    """In their order."""
    one = Device("one", Target.parse("nvidia:sm_90"))
    two = Device("two", Target.parse("amd:gfx942"))
    assert discover(lambda: [one], list, lambda: [two]) == [one, two]
