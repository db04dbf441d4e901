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
