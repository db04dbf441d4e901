"""A rule of poison is said once: the table has all of them, and no other file names a flag that makes one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from harness.model.sources import ROOT
from harness.simt.ir.parse import decode
from harness.simt.ops.poison_rules import FLOAT_PROMISES, FORBIDDEN, RULES, forbidden_value, rules_of

TABLE = ("ops/poison_rules.py",)
# Flags that make a result poison, but for those that are words of other things too.
FLAGS = {flag for _, flag in RULES if flag not in ("", "exact")} | FLOAT_PROMISES.keys()
READERS = ("ops/poison.py", "native/sanitize/poison.py")
# Where text is read, and where addresses are computed, whose flags make no poison here.
OTHERS = ("ir/opcodes.py", "ir/constants.py")


# What makes a result poison, by its own word or by that of a promise of floats.
PROMISES = FLAGS | {promise for promise, _ in FORBIDDEN.values()}


def promises_in(path: Path) -> list[str]:
    """Return the promises that are values in a file; docstrings are longer."""
    text = path.read_text("utf-8")
    if not any(f'"{promise}"' in text or f"'{promise}'" in text for promise in PROMISES):
        return []  # parsing all files would take a second
    values = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
    return sorted(PROMISES & {value for value in values if isinstance(value, str)})


def files_with_flags(folder: Path) -> dict[str, list[str]]:
    """Return the files beside the table and its readers that name a flag which makes poison, with those flags."""
    named = {path.relative_to(folder).as_posix(): promises_in(path) for path in folder.rglob("*.py")}
    return {name: flags for name, flags in named.items() if flags and name not in (*READERS, *OTHERS, *TABLE)}


def test_no_other_file_names_a_flag():
    assert files_with_flags(ROOT / "harness" / "simt") == {}


@pytest.mark.parametrize("flag", ["nsw", "nnan", "disjoint"])
def test_a_rule_that_is_said_again_is_found(flag, tmp_path):
    """In a new file, and beside the other instructions of an engine; not where text is read."""
    for name in ("ops/new.py", "native/lower/arithmetic.py", "ir/opcodes.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'def add(flags):\n    """Return a sum; `{flag}`."""\n    return "{flag}" in flags\n', "utf-8")
    assert files_with_flags(tmp_path) == {"ops/new.py": [flag], "native/lower/arithmetic.py": [flag]}


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
    assert [forbidden_value(name, 8) for name in ("llvm.abs", "llvm.ctlz", "llvm.cttz")] == [-128, 0, 0]


def test_the_documents_name_all_that_makes_poison():
    """And say of nothing in the table that it is not enforced."""
    text = (ROOT / "docs" / "simulator.md").read_text("utf-8")
    start = text.index("These give undefined values")
    paragraph = text[start : text.index("\n## ", start)]
    names = {flag for _, flag in RULES if flag} | FLOAT_PROMISES.keys() | {name[5:] for name in FORBIDDEN}
    assert [name for name in sorted(names) if f"`{name}`" not in paragraph] == []
    (sentence,) = re.findall(r"^- (?:(?!^- ).)*?are not\s+enforced", text, re.MULTILINE | re.DOTALL)
    assert [name for name in sorted(names) if f"`{name}`" in sentence] == []
