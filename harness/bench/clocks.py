"""`ClockMonitor` reads an NVIDIA GPU's clocks, power, temperature and reasons for throttling during a benchmark."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

__all__ = ["ClockMonitor", "ClockReading"]

_SM, _MEMORY = 1, 2  # nvmlClockType_t
_TEMPERATURE_GPU = 0
# nvmlClocksEventReasons: those that mean that the GPU is slower than it could be.
_THROTTLED = {
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x20: "software thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "hardware power brake",
}


@dataclass(frozen=True, slots=True)
class ClockReading:
    """One reading of a GPU's clocks, power and temperature.

    Attributes:
        sm_mhz: Of the multiprocessors.
        memory_mhz: Of the memory.
        watts: Power drawn.
        celsius: Temperature of the chip.
        throttled: Why the clocks are held down; empty when they are not.
    """

    sm_mhz: int
    memory_mhz: int
    watts: float
    celsius: int
    throttled: tuple[str, ...]


class ClockMonitor:
    """Reads one GPU; every reading is None if the library or that GPU is missing.

    Args:
        index: NVIDIA's number of the GPU.
    """

    def __init__(self, index: int = 0) -> None:
        self._library = None
        self._throttle_reasons: set[str] = set()
        self._slowest: int | None = None
        try:
            library = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            return
        handle = ctypes.c_void_p()
        if library.nvmlInit_v2() != 0:
            return
        if library.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(handle)) == 0:
            self._library, self._handle = library, handle

    def read(self) -> ClockReading | None:
        """Read the clocks; return None if the library or the GPU is missing.

        The reading also goes into `throttled` and `slowest_sm_mhz`, which are of all readings so far.
        """
        if self._library is None:
            return None
        sm, memory = (self._query("nvmlDeviceGetClockInfo", kind) for kind in (_SM, _MEMORY))
        reasons = ctypes.c_ulonglong(0)
        self._library.nvmlDeviceGetCurrentClocksThrottleReasons(self._handle, ctypes.byref(reasons))
        reasons_now = tuple(name for bit, name in _THROTTLED.items() if reasons.value & bit)
        self._throttle_reasons.update(reasons_now)
        self._slowest = sm if self._slowest is None else min(self._slowest, sm)
        watts = self._query("nvmlDeviceGetPowerUsage") / 1000
        return ClockReading(sm, memory, watts, self._query("nvmlDeviceGetTemperature", _TEMPERATURE_GPU), reasons_now)

    @property
    def driver(self) -> str:
        """The driver's version, or `unknown`."""
        text = ctypes.create_string_buffer(80)  # NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
        if self._library is None or self._library.nvmlSystemGetDriverVersion(text, len(text)) != 0:
            return "unknown"
        return text.value.decode()

    @property
    def throttled(self) -> tuple[str, ...]:
        """Every reason seen in any reading so far."""
        return tuple(sorted(self._throttle_reasons))

    @property
    def slowest_sm_mhz(self) -> int | None:
        """The lowest clock of the multiprocessors in any reading so far, in MHz; None before the first."""
        return self._slowest

    def _query(self, function: str, *arguments: int) -> int:
        value = ctypes.c_uint(0)
        getattr(self._library, function)(self._handle, *arguments, ctypes.byref(value))
        return value.value
