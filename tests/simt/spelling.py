"""Other spellings of a piece of PTX: with other names, blanks and comments; with modifiers in another order."""

from __future__ import annotations

import re

from harness.simt.compile.lowering import find_declared
from harness.simt.ir.ptx_types import TYPES

__all__ = ["LETTERS", "asm", "renamed", "reordered"]

# How LLVM's constraints and PTX call registers of a type.
LETTERS = {"i16": "h", "i32": "r", "i64": "l", "float": "f", "double": "d", "half": "h", "ptr": "l"}
REGISTERS = {"i16": "b16", "i32": "b32", "i64": "b64", "float": "f32", "double": "f64", "half": "b16", "ptr": "b64"}
# Whose order says something: where from and where to, which matrix lies how.
ORDERED = {*TYPES, "global", "shared", "shared::cta", "shared::cluster", "row", "col", "e4m3", "e5m2", "e4m3x2", "s4"}


def asm(text: str, results: list[str], operands: list[tuple[str, str]]) -> str:
    """The call of a piece of assembly by results' types and operands, (type, value); constants are immediates."""
    whole = {0: "void", 1: "".join(results)}.get(len(results), f"{{ {', '.join(results)} }}")
    kinds = [f"={LETTERS[ty]}" for ty in results]
    kinds += [LETTERS[ty] if value.startswith("%") else "n" for ty, value in operands]
    given = ", ".join(f"{ty} {value}" for ty, value in operands)
    escaped = text.replace("\n", "\\0A").replace("\t", "\\09")
    return f'call {whole} asm sideeffect "{escaped}", "{",".join([*kinds, "~{memory}"])}"({given})'


def renamed(text: str, results: list[str], operands: list[tuple[str, str]]) -> str:
    """With registers of its own, in a scope, over several lines and with comments."""
    types = [*results, *(ty for ty, _ in operands)]
    immediate = {len(results) + place for place, (_, value) in enumerate(operands) if not value.startswith("%")}
    lines = ["{ // in a scope of its own"]
    body = text
    for number, ty in enumerate(types):
        if number in immediate:
            continue
        name = f"%reg_{number}"
        lines.append(f"\t.reg .{REGISTERS[ty]} {name};")
        if number >= len(results):
            lines.append(f"\tmov.{REGISTERS[ty]} {name}, ${number}; /* given */")
        body = re.sub(rf"\${number}\b", name, body)
    body = re.sub(r"(?<=[;{}])\s+", "\n\t", body.replace(", ", "\n\t\t,")).replace(" [", "  [ ")
    lines.append(f"\t{body}" if body.rstrip().endswith((";", "}")) else f"\t{body};")
    for number, ty in enumerate(results):
        lines.append(f"\tmov.{REGISTERS[ty]} ${number}, %reg_{number};")
    return "\n".join([*lines, "}"])


def reordered(text: str) -> str:
    """With the modifiers of each instruction in the opposite order, and `.reg` before all."""
    return re.sub(r"(?<![.\w%$:])[a-z][\w]*(?:\.[\w:]+)+(?= )", _reordered, text)


def _reordered(found: re.Match[str]) -> str:
    words = found[0].split(".")
    name = find_declared(words)
    rest = words[len(name) if name else 1 :]
    free = [word for word in rest if word not in ORDERED]
    return ".".join([*words[: len(words) - len(rest)], *(word if word in ORDERED else free.pop() for word in rest)])
