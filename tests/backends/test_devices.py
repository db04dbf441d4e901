"""GPUs are found without an engine; every vendor by fakes."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from harness.backends import devices
from harness.backends.devices import Device, amd, apple, describe_sharing, discover, nvidia
from harness.model.target import Target


@pytest.fixture(autouse=True)
def nothing_hidden(monkeypatch):
    """Whatever the environment leaves visible here."""
    for name in ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        monkeypatch.delenv(name, raising=False)


class FakeNvml:
    """The library's binding, with three GPUs: the architecture of the second is one that no target names."""

    class NVMLError(Exception):
        """As the binding has it."""

    NVML_COMPUTEMODE_DEFAULT, NVML_COMPUTEMODE_PROHIBITED, NVML_COMPUTEMODE_EXCLUSIVE_PROCESS = 0, 2, 3
    capabilities = ((9, 0), (2, 1), (8, 0))
    driver = True
    lost = ()

    def __init__(self) -> None:
        self.started = 0

    def nvmlInit(self) -> None:  # noqa: N802 - the library's own names
        if not self.driver:
            raise self.NVMLError
        self.started += 1

    def nvmlShutdown(self) -> None:  # noqa: N802
        self.started -= 1

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return len(self.capabilities)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        if index in self.lost:
            raise self.NVMLError
        return index

    def nvmlDeviceGetName(self, handle: int) -> str:  # noqa: N802
        return "NVIDIA H200" if handle == 0 else "NVIDIA A100"

    def nvmlDeviceGetUUID(self, handle: int) -> str:  # noqa: N802
        return f"GPU-{handle}{handle}-abc"

    def nvmlDeviceGetComputeMode(self, handle: int) -> int:  # noqa: N802
        return 3 if handle == 0 else self.NVML_COMPUTEMODE_DEFAULT

    def nvmlDeviceGetMemoryInfo(self, handle: int) -> SimpleNamespace:  # noqa: N802
        return SimpleNamespace(free=(5 + handle) << 20, total=80 << 20)

    def nvmlDeviceGetCudaComputeCapability(self, handle: int) -> tuple[int, int]:  # noqa: N802
        return self.capabilities[handle]


@pytest.fixture
def nvml(monkeypatch):
    """Takes the place of the binding."""
    fake = FakeNvml()
    monkeypatch.setitem(sys.modules, "pynvml", fake)
    monkeypatch.setattr(devices, "_has_management_library", lambda: True)
    yield fake
    assert fake.started == 0, "it is shut down as often as it was started"


H200 = Device("NVIDIA H200", Target.parse("nvidia:sm_90"), 0)


def test_who_shares_a_gpu_is_said_of_the_one_that_is_used(nvml, monkeypatch):
    assert describe_sharing(H200.target, 0) == "compute mode exclusive process; 5 of 80 MiB free"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,0")
    assert describe_sharing(H200.target, 0) == "compute mode default, other programs may use it too; 7 of 80 MiB free"
    assert (
        describe_sharing(H200.target, 5)
        == describe_sharing(Target.parse("amd:gfx942"), 0)
        == "compute mode and memory are not known"
    )


def test_who_shares_another_vendors_gpu_needs_no_binding_of_nvidias(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)  # so that its import fails

    assert describe_sharing(Target.parse("amd:gfx942"), 0) == "compute mode and memory are not known"


def test_nvidia(nvml):
    """By compute capability; an unknown one is left out."""
    assert nvidia() == [H200, Device("NVIDIA A100", Target.parse("nvidia:sm_80"), 2)]


@pytest.mark.parametrize(
    ("visible", "expected"),
    [
        ("2,0", ["A100", "H200"]),
        ("0", ["H200"]),
        ("GPU-22", ["A100"]),
        ("2,nonsense,0", ["A100"]),
        ("7", []),
        ("", []),
    ],
)
def test_hidden_gpus_are_not_found(nvml, monkeypatch, visible, expected):
    """`CUDA_VISIBLE_DEVICES` counts for the management library too, which ignores it."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    listed = nvidia()
    assert [device.name.removeprefix("NVIDIA ") for device in listed] == expected
    assert [device.index for device in listed] == list(range(len(listed)))
    assert [device.bus_index for device in listed] == [{"H200": 0, "A100": 2}[name] for name in expected]


def test_a_gpu_that_has_failed_is_left_out(nvml):
    """The others keep their numbers."""
    nvml.lost = (2,)
    assert nvidia() == [H200]
    nvml.lost = (0,)
    assert [device.index for device in nvidia()] == [2]


def test_no_nvidia_driver(nvml):
    """There is no GPU, and no error; the real binding says so where there is none."""
    nvml.driver = False
    assert nvidia() == []


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
    listed = apple(("darwin", "arm64"), lambda: "Apple M4 Pro")
    assert listed == [Device("Apple M4 Pro", Target.parse("apple:apple-m4"))]
    assert apple(("linux", "aarch64"), lambda: "Apple M4") == []
    assert apple(("darwin", "arm64"), lambda: "") == []


def test_discover_joins_the_finders():
    """In their order."""
    device = Device("one", Target.parse("nvidia:sm_90"))
    other = Device("two", Target.parse("amd:gfx942"))
    assert discover(lambda: [device], list, lambda: [other]) == [device, other]
