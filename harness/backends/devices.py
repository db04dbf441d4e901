"""List this machine's GPUs without starting an engine, restrict a process to one, and describe who else may use it.

NVIDIA's come from its management library, AMD's from the kernel driver's topology, Apple's from the platform.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.errors import UsageError
from harness.model.target import Target

__all__ = ["VISIBLE", "Device", "amd", "apple", "describe_sharing", "discover", "nvidia", "restrict_to_gpu"]

# The variable that leaves some of a vendor's GPUs to a process.
VISIBLE = {"nvidia": "CUDA_VISIBLE_DEVICES", "amd": "HIP_VISIBLE_DEVICES"}
KFD_NODES = Path("/sys/class/kfd/kfd/topology/nodes")


@dataclass(frozen=True, slots=True)
class Device:
    """A GPU.

    Attributes:
        name: As its maker calls it.
        target: Its own architecture.
        index: Its number among the vendor's GPUs that this process may use, in the order of the variable in `VISIBLE`,
            or of the bus if that is not set.
        bus_index: NVIDIA's number among all of its GPUs, as its management library counts; 0 for other vendors.
    """

    name: str
    target: Target
    index: int = 0
    bus_index: int = field(default=0, compare=False)


def discover(*finders: Callable[[], list[Device]]) -> list[Device]:
    """Return every GPU of this machine whose architecture is a known target.

    Args:
        finders: Instead of the three vendors' own.
    """
    return [device for finder in finders or (nvidia, amd, apple) for device in finder()]


def nvidia() -> list[Device]:
    """Return NVIDIA's GPUs that `CUDA_VISIBLE_DEVICES` leaves, in its order; empty without its driver, or if it fails.

    GPUs that do not answer, or whose architecture is no target, are left out; the `index` of others counts them too.
    """
    if not _has_management_library():
        return []
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return []
    try:
        uuids = [_nvidia_uuid(number) for number in range(pynvml.nvmlDeviceGetCount())]
        chosen = _visible(VISIBLE["nvidia"], uuids)
        present = (_nvidia_device(number, index) for index, number in enumerate(chosen))
        return [device for device in present if device]
    except pynvml.NVMLError:
        return []
    finally:
        pynvml.nvmlShutdown()


def _has_management_library() -> bool:
    """Return True if NVIDIA's management library is installed: loading its binding takes longer than to see that it is
    missing.
    """
    try:
        ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return False
    return True


def restrict_to_gpu(vendor: str, index: int) -> dict[str, str]:
    """Return the environment variables, to be added to a process's own, with which it sees only one GPU, as its first.

    Compiled graphs run on the first device. `index` is a `Device.index`, so it counts the GPUs that this process itself
    sees; IndexError if the vendor's variable is set and names fewer. Empty for other vendors than NVIDIA and AMD.
    """
    if vendor not in VISIBLE:
        return {}
    visible = os.environ.get(VISIBLE[vendor])
    only = {VISIBLE[vendor]: visible.split(",")[index].strip() if visible is not None else str(index)}
    # The management library counts along the bus; the driver by speed, unless told.
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", **only} if vendor == "nvidia" else only


def describe_sharing(target: Target, index: int) -> str:
    """Describe for people whether other programs may use a GPU too (its compute mode), and how many MiB of it are free.

    Where that is not known it says so.

    Args:
        target: The GPU's; only NVIDIA's are known.
        index: As `Device.index`.
    """
    if target.vendor != "nvidia":
        return "compute mode and memory are not known"
    import pynvml

    modes = {
        pynvml.NVML_COMPUTEMODE_DEFAULT: "default, other programs may use it too",
        pynvml.NVML_COMPUTEMODE_EXCLUSIVE_PROCESS: "exclusive process",
        pynvml.NVML_COMPUTEMODE_PROHIBITED: "prohibited",
    }
    try:
        pynvml.nvmlInit()
        try:
            uuids = [_nvidia_uuid(number) for number in range(pynvml.nvmlDeviceGetCount())]
            handle = pynvml.nvmlDeviceGetHandleByIndex(_visible(VISIBLE["nvidia"], uuids)[index])
            mode, memory = pynvml.nvmlDeviceGetComputeMode(handle), pynvml.nvmlDeviceGetMemoryInfo(handle)
        finally:
            pynvml.nvmlShutdown()
    except (pynvml.NVMLError, IndexError):
        return "compute mode and memory are not known"
    free, total = (int(amount) >> 20 for amount in (memory.free, memory.total))
    return f"compute mode {modes.get(mode, mode)}; {free} of {total} MiB free"


def _visible(variable: str, names: Sequence[str]) -> list[int]:
    """Return the numbers of the GPUs that an environment variable leaves, in its order; all if it is not set.

    Entries are numbers or beginnings of `names`, those of all GPUs; the first name that fits counts. An entry that is
    neither, also an empty one or a number that is too high, ends the list, as the CUDA programming guide has it.
    Repeated entries stay.
    """
    value = os.environ.get(variable)
    if value is None:
        return list(range(len(names)))
    visible = []
    for entry in (part.strip() for part in value.split(",")):
        by_name = [number for number, name in enumerate(names) if entry and name.startswith(entry)]
        if entry.isdigit() and int(entry) < len(names):
            visible.append(int(entry))
        elif by_name:
            visible.append(by_name[0])
        else:
            break
    return visible


def _nvidia_uuid(number: int) -> str:
    import pynvml

    try:
        return str(pynvml.nvmlDeviceGetUUID(pynvml.nvmlDeviceGetHandleByIndex(number)))
    except pynvml.NVMLError:  # a GPU that has failed keeps its number
        return ""


def _nvidia_device(number: int, index: int) -> Device | None:
    import pynvml

    try:
        handle = pynvml.nvmlDeviceGetHandleByIndex(number)
        major, minor = pynvml.nvmlDeviceGetCudaComputeCapability(handle)
        device = _device(str(pynvml.nvmlDeviceGetName(handle)), f"nvidia:sm_{major}{minor}", index)
        return replace(device, bus_index=number) if device else None
    except pynvml.NVMLError:
        return None


def amd(nodes: Path = KFD_NODES) -> list[Device]:
    """Return AMD's GPUs that `HIP_VISIBLE_DEVICES` leaves, by number and in its order; empty without its driver.

    GPUs of unknown architecture are left out; the `index` of others counts them too.

    Args:
        nodes: The driver's topology, a folder for each node.
    """
    present = []
    for node in sorted(nodes.glob("*"), key=lambda path: path.name.zfill(4)):
        try:
            properties = (node / "properties").read_text()
            name = (node / "name").read_text().strip()
        except OSError:
            continue
        version = re.search(r"^gfx_target_version (\d+)$", properties, re.MULTILINE)
        if version is not None and int(version[1]) != 0:  # else a processor
            present.append((name or "AMD GPU", f"amd:{_gfx(int(version[1]))}"))
    if not present:
        return []
    chosen = _visible(VISIBLE["amd"], [""] * len(present))
    devices = (_device(*present[number], index) for index, number in enumerate(chosen))
    return [device for device in devices if device]


def _gfx(version: int) -> str:
    """90402 is gfx942: major, minor and stepping, the last two in hexadecimal digits."""
    return f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"


def apple(machine: tuple[str, str] | None = None, brand: Callable[[], str] | None = None) -> list[Device]:
    """Return Apple's GPU, which comes with its processor; empty on other machines, and for an unknown processor.

    Args:
        machine: (platform, machine) instead of this one's.
        brand: Gives the processor's name, `Apple M4 Pro`.
    """
    if (machine or (sys.platform, platform.machine())) != ("darwin", "arm64"):
        return []
    name = (brand or _brand)()
    match = re.search(r"Apple M(\d)", name)
    device = _device(name, f"apple:apple-m{match[1]}") if match else None
    return [device] if device else []


def _brand() -> str:
    try:
        return subprocess.run(
            ["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, timeout=5
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def _device(name: str, target: str, index: int = 0) -> Device | None:
    try:
        return Device(name, Target.parse(target), index)
    except UsageError:  # an architecture that no target names
        return None
