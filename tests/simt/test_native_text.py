"""Instructions of a kernel are written by the builder: how many stand in strings yet, by room."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from harness.model.sources import ROOT

NATIVE = ROOT / "harness" / "simt" / "native"
# Lines of strings that begin with an instruction, by room; one that is not named has none. Numbers may only fall.
ALLOWED = {"batching": 148, "emit": 44, "jit": 2, "kernel": 46, "lower": 66, "module.py": 18, "runtime": 4}
OPCODES = """
    add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem fneg icmp fcmp select zext sext
    trunc fptrunc fpext fptoui fptosi uitofp sitofp bitcast inttoptr ptrtoint load store getelementptr call br switch
    phi ret alloca insertelement extractelement shufflevector atomicrmw cmpxchg fence freeze insertvalue extractvalue
"""
# An instruction has a value, a function, a label or what stands for one in it; a sentence has none of them.
INSTRUCTION = re.compile(rf"\s*(?:%[\w.{{}}]* = )?(?:tail )?(?:{'|'.join(OPCODES.split())}) .*[%@{{]")


def strings(text: str) -> Iterator[str]:
    """Yield the strings of a module but for docstrings; `{}` stands for what a format string takes in."""
    tree = ast.parse(text)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    parts |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.value


def instructions(text: str) -> list[str]:
    """Return the lines of strings that begin with an instruction."""
    return [line for string in strings(text) for line in string.splitlines() if INSTRUCTION.match(line)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('new(f"add i64 {a}, {b}")', 1),
        ('line("%x = load i64, ptr %p")', 1),
        ('f"""  %at{k} = mul i64 %n, {size}\n  ret i32 %went{k}"""', 2),
        ('f"call void @{name}({given})"', 1),
        ('"""add i64 %a, %b"""', 0),
        ('"add"', 0),
        ('Reason("store of a size that is not known")', 0),
    ],
)
def test_lines_of_instructions_are_counted(text, count):
    assert len(instructions(text)) == count


def test_no_more_instructions_stand_in_strings():
    found = Counter[str]()
    for path in sorted(NATIVE.rglob("*.py")):
        found[path.relative_to(NATIVE).parts[0]] += len(instructions(path.read_text(encoding="utf-8")))

    assert {room: count for room, count in found.items() if count > ALLOWED.get(room, 0)} == {}
    products = len(instructions((NATIVE / "lower" / "matrix.py").read_text("utf-8")))  # the function of a step
    assert found["lower"] + found["sanitize"] == products
