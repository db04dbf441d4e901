"""Compiles the device code of all faults in one build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.build.device_code import Texts
from harness.build.unit import Build, units
from harness.errors import CompileError
from harness.model.target import Target
from tests import compiled
from tests.faults.faults import Fault

__all__ = ["device_code"]


def device_code(faults: Sequence[Fault], target: Target) -> dict[str, Texts | CompileError]:
    """The LLVM IR of each fault's kernel by its name, or why it does not compile."""
    sound = [fault for fault in faults if fault.simulator and fault.simulator.verdict != "COMPILE_ERROR"]
    texts: dict[str, Texts | CompileError] = {}
    # One that does not compile would cost all the others a compilation of their own.
    for together in (sound, *([fault] for fault in faults if fault not in sound)):
        parts = []
        for number, fault in enumerate(together):
            (unit,) = units([fault.case], Build(target=target, sources=fault.sources))
            parts.append((replace(unit, module=f"fault{number}"), target))
        try:
            codes = compiled.kernels(parts)
        except CompileError as error:
            texts |= dict.fromkeys((fault.name for fault in together), error)
        else:
            texts |= {fault.name: (code,) for fault, code in zip(together, codes, strict=True)}
    return texts
