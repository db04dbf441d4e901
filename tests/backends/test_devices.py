"""GPUs are found without an engine; every vendor by fakes."""

from __future__ import annotations

import ctypes

import pytest

from harness.backends.devices import Device, amd, apple, discover, nvidia
from harness.model.target import Target


@pytest.fixture(autouse=True)
def nothing_hidden(monkeypatch):
    """Whatever the environment leaves visible here."""
    for name in ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)


class FakeNvml:
    """Three GPUs: the architecture of the second is one that no target names."""

    capabilities = ((9, 0), (5, 2), (8, 0))

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
        name.value = b"NVIDIA H200" if handle.value == 1 else b"NVIDIA A100"
        return 0

    def nvmlDeviceGetUUID(self, handle, text, size) -> int:  # noqa: N802
        text.value = f"GPU-{handle.value}{handle.value}-abc".encode()
        return 0

    def nvmlDeviceGetCudaComputeCapability(self, handle, major, minor) -> int:  # noqa: N802
        major._obj.value, minor._obj.value = self.capabilities[handle.value - 1]
        return 0


def test_nvidia():
    """By compute capability; an unknown one is left out."""
    nvml = FakeNvml()
    assert nvidia(lambda: nvml) == [
        Device("NVIDIA H200", Target.parse("nvidia:sm_90"), 0),
        Device("NVIDIA A100", Target.parse("nvidia:sm_80"), 2),
    ]
    assert nvml.ended


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        ("2,0", ["A100", "H200"]),
        ("0", ["H200"]),
        ("GPU-33", ["A100"]),
        ("2,nonsense,0", ["A100"]),
        ("7", []),
        ("", []),
    ],
)
def test_hidden_gpus_are_not_found(monkeypatch, visible, expected):
    """`CUDA_VISIBLE_DEVICES` counts for the management library too, which ignores it."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    found = nvidia(FakeNvml)
    assert [one.name.removeprefix("NVIDIA ") for one in found] == expected
    assert [one.index for one in found] == list(range(len(found)))


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


def test_hidden_amd_gpus_are_not_found(tmp_path, monkeypatch):
    """`HIP_VISIBLE_DEVICES` likewise."""
    for number, version in enumerate(("90402", "110000")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "properties").write_text(f"gfx_target_version {version}\n")
        (tmp_path / str(number) / "name").write_text("")
    monkeypatch.setenv("HIP_VISIBLE_DEVICES", "1")
    assert amd(tmp_path) == [Device("AMD GPU", Target.parse("amd:gfx1100"), 0)]


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
