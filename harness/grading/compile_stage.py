"""`python -m harness.grading.compile_stage ORDER ANSWER`: in a box, compiles files of the same people for one target.

ORDER is JSON: `files`, a text by its puzzle, `target`, `cpu_seconds`. ANSWER is JSON: `codes`, by
case either the code of each launch by level or the error; or `fault`, why this machine could not compile them.
Each file compiles to what it does alone.
"""

from __future__ import annotations

import json
import re
import resource
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.build import compiler
from harness.build.cache import Cache
from harness.build.device_code import Code, compile_kernels, of_cases
from harness.build.unit import Build, units
from harness.catalogue import select
from harness.errors import CompileError, CompileTimeout, HarnessError
from harness.grading.work import MOST_CODE
from harness.model.sources import Sources
from harness.model.target import Target
from harness.process.box import order_and_answer
from harness.process.child import Limits, settle

__all__ = ["ANSWER_BYTES", "LIMITS", "main"]

ANSWER_BYTES = 64 << 20

# Eight puzzles take a quarter of it together. A puzzle's modes may come to the limit of the processor's time all
# together and then each alone: there is room for that by the clock, on a machine half of which others have.
LIMITS = Limits(
    memory_bytes=2 << 30,
    cpu_seconds=60,
    file_bytes=256 << 20,
    open_files=512,
    processes=32,
    folder_bytes=1 << 30,
    seconds=600.0,
)


def main() -> None:
    """Does what the order asks."""
    data, out = order_and_answer(sys.argv)
    order = json.loads(data)
    # The compiler's own child has the limits of this box, so that its end is seen and told.
    compiler.LIMITS = replace(compiler.LIMITS, cpu_seconds=order["cpu_seconds"], memory_bytes=LIMITS.memory_bytes)
    files = {puzzle: out.parent / f"{puzzle}.mojo" for puzzle in order["files"]}
    for puzzle, file in files.items():
        file.write_bytes(order["files"][puzzle].encode())
    try:
        answer: dict[str, Any] = {"codes": _codes(Target.parse(order["target"]), files, Cache(out.parent / "cache"))}
    except HarnessError as error:
        answer = {"fault": str(error)}
    settle()  # or the box would not be used again
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer |= {"compile_seconds": used.ru_utime + used.ru_stime, "peak_bytes": used.ru_maxrss * 1024}
    # Where a file lay while it was compiled is gone by now.
    out.write_text(re.sub(rf"{re.escape(str(out.parent))}/(puzzles-\w+/(kernels/)?)?", "", json.dumps(answer)))


def _codes(target: Target, files: dict[str, Path], cache: Cache) -> dict[str, Any]:
    build = Build(target=target, sources=Sources(overrides=files), cache=cache)
    # This code is for the simulator: on a GPU the stage that judges compiles.
    wanted = units([case.small or case for case in select(list(files))], build)
    codes = compile_kernels([(unit, target) for unit in wanted], apart=True)
    return {name: _told(code) for name, code in of_cases(zip(wanted, codes, strict=True)).items()}


def _told(code: tuple[Code, ...] | CompileError) -> Any:
    if not isinstance(code, CompileError):
        # One character more than there may be says that it is too large.
        return [{level: text[: MOST_CODE + 1] for level, text in part.items()} for part in code]
    late = isinstance(code, CompileTimeout)
    return {"error": str(code), "diagnostics": code.diagnostics, "late": late}


if __name__ == "__main__":
    main()
