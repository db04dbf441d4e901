"""Compiles many changed files of one mode in one program, and compares the code with the solution's."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from harness.build import device_code
from harness.build.device_code import Code
from harness.build.unit import Build, BuildUnit, make_units
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.steps import Kernel, Step
from harness.model.target import Target

__all__ = ["Request", "comparable", "compile_files", "compile_together", "differs_in_array_sizes", "place_files"]

Request = tuple[str, Case]  # the text of a file, and at which size of its mode it is compiled
T = TypeVar("T")
_DEFINED = re.compile(r'^(?:@|define [^@]*@)("[^"]*"|[\w.$-]+)', re.MULTILINE)
_GLOBAL = re.compile(r'@(?:"[^"]*"|[\w.$-]+)')
_ATTACHED = re.compile(r"(![\w.]+) (!\d+)")
_NODE = re.compile(r"^(!\d+) = (.*)$", re.MULTILINE)
_ARRAY = re.compile(r"^(@\S+ = .*addrspace\(3\) global )\[(\d+) x (\w+)\](.*)$")
_FILE = re.compile(r"\bmutant_(\d+)\w*\.mojo:\d+:\d+: error:")
_NAMED = re.compile(r"\bmutant_(\d+)(?:_\d+)?\.mojo\b")


def compile_files(requests: Sequence[Request], target: Target) -> list[tuple[Code, ...] | None]:
    """Returns the code of each launch of each file; None where a file does not compile.

    Files that do not compile are found by the names in the errors; the others are compiled without them.
    """
    build = Build(target=target)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        parts = place_files(requests, build, Path(folder), Kernel)

        def compile_some(some: Sequence[tuple[int, BuildUnit]]) -> list[Code]:
            return device_code._compile_program([(unit, target) for _, unit in some], None, False, False, None)

        codes = compile_together(parts, compile_some)
    found: list[tuple[Code, ...] | None] = []
    for number in range(len(requests)):
        own = [code for (at, _), code in zip(parts, codes, strict=True) if at == number]
        found.append(None if None in own else tuple(code for code in own if code is not None))
    return found


def place_files(
    requests: Sequence[Request], build: Build, folder: Path, kind: type[Step]
) -> list[tuple[int, BuildUnit]]:
    """Writes the files, and returns the units of a kind, each with the number of its request."""
    placed = []
    for number, (text, size) in enumerate(requests):
        file = folder / f"mutant_{number}.mojo"
        file.write_text(text, encoding="utf-8")
        placed += [
            (number, replace(unit, file=file, module=file.stem)) for unit in make_units([size], build, kind=kind)
        ]
    return placed


def compile_together(parts: Sequence[tuple[int, Any]], compile_some: Callable[[Any], Sequence[T]]) -> list[T | None]:
    """Compiles parts in one program; None for each whose file does not compile.

    Args:
        parts: Each with the number that its file's name has: `mutant_7.mojo`, `mutant_7_1.mojo`.
        compile_some: Compiles some of them, or raises a `CompileError`.
    """
    left = list(range(len(parts)))
    codes: dict[int, T] = {}
    while left:
        try:
            codes |= dict(zip(left, compile_some([parts[at] for at in left]), strict=True))
            break
        except CompileError as error:
            text = error.diagnostics or str(error)
            broken = {int(match) for match in _FILE.findall(text)} or {int(match) for match in _NAMED.findall(text)}
        kept = [at for at in left if parts[at][0] not in broken]
        if len(kept) < len(left):
            left = kept
        elif len(left) > 1:
            halves = left[: len(left) // 2], left[len(left) // 2 :]
            for half in halves:
                made = compile_together([parts[at] for at in half], compile_some)
                codes |= {at: code for at, code in zip(half, made, strict=True) if code is not None}
            break
        else:
            break
    return [codes.get(at) for at in range(len(parts))]


def comparable(code: str) -> str:
    """Returns LLVM IR without debug metadata and with symbols by order: equal texts are equal code."""
    nodes = dict(_NODE.findall(code))
    own = {name: f"@symbol.{at}" for at, name in enumerate(dict.fromkeys(_DEFINED.findall(code)))}

    def attached(match: re.Match[str]) -> str:
        return "" if match[1] == "!dbg" else f"{match[1]} {nodes.get(match[2], match[2])}"

    lines = []
    for line in code.splitlines():
        if line.startswith(("!", ";", "source_filename")):
            continue
        plain = _ATTACHED.sub(attached, line.partition(" ; ")[0]).rstrip(", ")
        lines.append(_GLOBAL.sub(lambda name: own.get(name[0][1:], name[0]), plain))
    return "\n".join(line for line in lines if line)


def differs_in_array_sizes(code: str, other: str) -> bool:
    """Whether the other code is the same but for shared arrays that are larger: none of their elements is out of bounds
    that was not before.
    """
    before, after = code.splitlines(), other.splitlines()
    if len(before) != len(after):
        return False
    for one, two in zip(before, after, strict=True):
        if one != two:
            own, new = _ARRAY.match(one), _ARRAY.match(two)
            if not own or not new or own.group(1, 3, 4) != new.group(1, 3, 4) or int(own[2]) > int(new[2]):
                return False
    return True
