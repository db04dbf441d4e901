"""The line of advice beneath a compiler's error, for errors that learners make most often."""

from __future__ import annotations

import re

import pytest

from harness.build.compile_advice import IMPORTS, find_advice
from harness.errors import CompileError
from harness.model.messages import make_finding
from harness.model.sources import MOJO
from harness.simt.messages import words

ELEMENT = "TileTensor[.float32, Layout[TypeList[ComptimeInt[Int(1)]]()], MutAnyOrigin].ElementType"
ERRORS = {
    "a wrong name": ("use of unknown declaration 'globl_i'; did you mean 'global_i'?", "`global_i` in place of"),
    "an unknown name": ("use of unknown declaration 'place'", "declare it with `var`"),
    "a missing import": ("use of unknown declaration 'barrier'", "`from max.gpu.sync import barrier`"),
    "half of an index": ("constraint failed: CoordLike requires integral types", "divide by `//`"),
    "half of a number": (
        "invalid call to '__lt__': value passed to 'rhs' cannot be converted from 'Float64' to 'Int'",
        "divide whole numbers by `//`",
    ),
    "an unsigned number": ("cannot implicitly convert 'UInt' value to 'Int'", "`Int(...)`"),
    "a number for an element": (f"cannot implicitly convert 'Int' value to '{ELEMENT}'", "`Scalar[dtype](...)`"),
    "a number beside a float": (
        "invalid call to '__add__': value passed to 'rhs' cannot be converted from 'UInt' to 'Float32'",
        "`Scalar[dtype](...)`",
    ),
    "an element for a number": (f"cannot implicitly convert '{ELEMENT}' value to 'Float32'", "`rebind[Scalar"),
}


@pytest.mark.parametrize(("error", "advice"), ERRORS.values(), ids=ERRORS)
def test_an_error_has_its_advice_in_both_languages(error, advice):
    lines = f"p12.mojo:1:1: note: a line before\np12.mojo:65:22: error: {error}\n    x"
    fault = CompileError("p12.mojo does not compile", lines)
    told = make_finding("run.compile-error", reason=str(fault), items=fault.items, **find_advice(fault.diagnostics))

    assert advice in words("en").remedy(told)
    assert "`" in words("ko").remedy(told) and re.search("[가-힣]", words("ko").remedy(told))


def test_what_is_not_known_has_none():
    told = make_finding("run.compile-error", reason="no", items=(), **find_advice("p.mojo:1:1: error: expected ':'"))

    assert words("en").remedy(told) == words("ko").remedy(told) == ""


def test_the_imports_are_those_of_the_puzzles():
    files = "".join(file.read_text(encoding="utf-8") for file in MOJO.glob("p*/solution.mojo"))

    for name, module in IMPORTS.items():
        assert re.search(rf"^from {re.escape(module)} import (?:.*\b)?{name}\b", files, re.MULTILINE), name


SOURCE = [
    "def kernel(size: Int):",
    "    var sum = 0",
    "    if i < size:",
    "        var before = shared[i - 1]",
    "        for j in range(3):",
    "            var weight = b[j]",
    "    shared[i] += before + weight",
    "    sum += shared[i] * weight",
    "    output[i] = sum",
    "    var half = 0.5  # of it",
    "    half += shared[i]",
    "    var given = Int(size)",
    "    given += shared[i]",
    "def other():",
    "    output[0] = before",
]
INNER = {
    "of a condition": ("before", 7, "declare `before` before the `if` of line 3"),
    "of a loop in it": ("weight", 7, "declare `weight` before the `if` of line 3"),
    "of another function": ("before", 15, "correct the name `before`"),
}
REFUSED = {
    "a sum that begins with 0": (f"cannot be converted from '{ELEMENT}' to 'Int'", 8, "sum", "Scalar[dtype](0)"),
    "the same stored": (f"cannot implicitly convert 'Int' value to '{ELEMENT}'", 9, "sum", "Scalar[dtype](0)"),
    "a fraction": (f"cannot be converted from '{ELEMENT}' to 'Float64'", 11, "half", "Scalar[dtype](0.5)"),
}


def diagnose(error: str, line: int, name: str) -> str:
    """Return the compiler's lines about a name in `SOURCE`, the last one on its line."""
    column = SOURCE[line - 1].rindex(name) + 1
    return f"p12.mojo:{line}:{column}: error: {error}\n{SOURCE[line - 1]}\n{' ' * (column - 1)}^"


def remedies(diagnostics: str, source: list[str]) -> tuple[str, str]:
    told = make_finding("run.compile-error", reason="no", items=(), **find_advice(diagnostics, source))
    return words("en").remedy(told), words("ko").remedy(told)


@pytest.mark.parametrize(("name", "line", "advice"), INNER.values(), ids=INNER)
def test_a_name_of_a_block_that_has_ended_is_declared_before_that(name, line, advice):
    english, korean = remedies(diagnose(f"use of unknown declaration '{name}'", line, name), SOURCE)

    assert advice in english and f"`{name}`" in korean


@pytest.mark.parametrize(("error", "line", "name", "advice"), REFUSED.values(), ids=REFUSED)
def test_a_sum_begins_with_a_number_of_its_elements_type(error, line, name, advice):
    """To convert each addend would cut off its fraction."""
    english, korean = remedies(diagnose(error, line, name), SOURCE)

    assert f"`var {name} = {advice}`" in english and f"`var {name} = {advice}`" in korean


def test_a_conversion_to_a_whole_number_is_said_to_cut_off_fractions():
    diagnostics = diagnose(f"cannot be converted from '{ELEMENT}' to 'Int'", 13, "given")

    for source in (SOURCE, [], SOURCE[:5]):
        english, korean = remedies(diagnostics, source)
        assert "`Int(...)`, which cuts off its fraction" in english and "소수부" in korean


def test_the_import_that_the_compiler_names_is_advised():
    error = (
        "use of unknown declaration 'Atomic'; did you mean to import it from 'std.atomic'? Add 'from std.atomic import"
    )

    assert "`from std.atomic import Atomic`" in remedies(f"p.mojo:1:1: error: {error} Atomic'\n    Atomic", [])[0]
