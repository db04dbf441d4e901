"""Detect kernels that read the device's clock; the simulator only counts steps, so their results mean little."""

from __future__ import annotations

import re

__all__ = ["reads_clock"]

_CLOCK = re.compile(
    r"@llvm\.(?:nvvm\.read\.ptx\.sreg\.(?:clock|globaltimer)|read(?:cycle|steady)counter|amdgcn\.s\.mem(?:real)?time)"
    r'|\basm\b[^\n"]*"[^"\n]*(?:%clock|%globaltimer|s_mem(?:real)?time)'
)


def reads_clock(llvm: str) -> bool:
    """Return whether the LLVM IR of a kernel reads a clock."""
    return _CLOCK.search(llvm) is not None
