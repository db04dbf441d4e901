"""A rule of poison is said once: the table has all of them, and no other file names a flag that makes one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from harness.model.sources import ROOT
from harness.simt.ir.parse import decode
from harness.simt.ops.poison_rules import FLOAT_PROMISES, FORBIDDEN, RULES, forbidden, rules_of

TABLE = ROOT / "harness" / "simt" / "ops" / "poison_rules.py"
# Flags that make a result poison, but for those that are words of other things too.
FLAGS = {flag for _, flag in RULES if flag not in ("", "exact")} | FLOAT_PROMISES.keys()
READERS = ("ops/poison.py", "native/sanitize/poison.py")
# Where text is read, and where addresses are computed, whose flags make no poison here.
OTHERS = ("ir/opcodes.py", "ir/constants.py")


def texts(path: Path) -> set[str]:
    """The texts that a file has as values; docstrings are longer than flags."""
    tree = ast.parse(path.read_text("utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_no_other_file_names_a_flag():
    simt = ROOT / "harness" / "simt"
    found = {
        path.relative_to(simt).as_posix(): sorted(names)
        for path in simt.rglob("*.py")
        if path != TABLE and (names := texts(path) & (FLAGS | {promise for promise, _ in FORBIDDEN.values()}))
    }
    assert {name: flags for name, flags in found.items() if name not in (*READERS, *OTHERS)} == {}


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("%r = add nuw nsw i32 %a, %a", ["overflow", "overflow"]),
        ("%r = shl nsw i32 %a, %a", ["width", "undone"]),
        ("%r = sdiv exact i32 %a, %a", ["lowest", "undone"]),
        ("%r = udiv i32 %a, %a", []),
        ("%r = or disjoint i32 %a, %a", ["common"]),
        ("%r = trunc nuw i32 %a to i8", ["undone"]),
        ("%r = zext nneg i32 %a to i64", ["negative"]),
        ("%r = icmp samesign ult i32 %a, %a", ["signs"]),
    ],
)
def test_the_rules_of_an_instruction(line, kinds):
    (block,) = decode(f"define void @k(i32 %a) {{\n  {line}\n  ret void\n}}\n").function("@k").blocks
    assert [rule.kind for _, rule in rules_of(block.instructions[0])] == kinds


def test_what_a_last_operand_rules_out():
    assert [forbidden(name, 8) for name in ("llvm.abs", "llvm.ctlz", "llvm.cttz")] == [-128, 0, 0]
