"""Compiles the device code of all faults in one build, as `tests.mutants.compiled` does."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.build import product, toolchain
from harness.build.unit import parameters_of
from harness.errors import CompileError
from harness.model.sources import MOJO
from harness.model.target import Target
from tests.faults.faults import P15, Fault

__all__ = ["device_code"]

PROGRAM = MOJO / "device_ir" / "p15_device.mojo"


def device_code(faults: Sequence[Fault], target: Target) -> dict[str, str | CompileError]:
    """The LLVM IR of each fault's kernel by its name, or why it does not compile.

    Raises:
        CompileError: One does not compile that is not expected to fail so.
    """
    found: dict[str, str | CompileError] = {}
    together = []
    for fault in faults:
        if fault.file and fault.case is P15 and fault.simulator.verdict != "COMPILE_ERROR":
            together.append(fault)
        else:
            found[fault.name] = product.device_code([fault.case], target, fault.sources, "llvm")["p15"]
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        emitted = _emit(together, target, Path(folder).resolve())
    for number, fault in enumerate(together):
        (found[fault.name],) = [text for symbol, text in emitted.items() if symbol.startswith(f"fault{number}_")]
    return found


def _emit(faults: Sequence[Fault], target: Target, folder: Path) -> dict[str, str]:
    program, origins = PROGRAM.read_text(), {}
    imports, calls = "", ""
    for number, fault in enumerate(faults):
        link = folder / f"fault{number}.mojo"
        link.symlink_to(fault.file)
        origins[str(link)] = fault.file
        text = program.replace("from p15 import", f"from fault{number} import")
        text = text.replace("def main() raises:", f"def enqueue{number}() raises:")
        (folder / f"program{number}.mojo").write_text(text)
        imports += f"from program{number} import enqueue{number}\n"
        calls += f"    enqueue{number}()\n"
    main = folder / "main.mojo"
    main.write_text(f"{imports}\n\ndef main() raises:\n{calls}")
    defines = {f"p15_{name}": value for name, value in parameters_of(P15.instance(target.warp_width)).items()}
    return toolchain.emit(main, target.architecture, "llvm", defines=defines, includes=[folder], origins=origins)
