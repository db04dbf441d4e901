"""The builder writes instructions that LLVM reads, with the types of their operands."""

from __future__ import annotations

import llvmlite.binding as llvm
import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.context import Context
from harness.simt.native.emit.ir_values import IrValue, constant
from harness.simt.targets import target_of
from tests.simt.engines import OUT, VALUE, made

WORD, OTHER, PLACE = IrValue("i64", "%word"), IrValue("i64", "%other"), IrValue("ptr", "%place")


@pytest.fixture(scope="module")
def program():
    return compile_kernel(simt.decode(made(f"{VALUE}\n  %w = add i32 %v, 1{OUT}")), None, target_of("nvidia:sm_90"))


@pytest.fixture
def build(program):
    return Builder(Body(program, Context(program)))


def verified(build: Builder, result: IrValue) -> list[str]:
    """Return the lines of a function that returns a value, once LLVM has read it."""
    lines = build.body.lines
    head = f"define {result.type} @f(i64 %word, i64 %other, ptr %place) {{\nentry:"
    text = "\n".join([head, *lines, f"  ret {result}", f"bad:\n  ret {result.type} 0\n}}"])
    llvm.parse_assembly(text, context=llvm.create_context()).verify()
    return [line.strip() for line in lines]


@pytest.mark.parametrize("method", ["add", "sub", "and_", "or_", "xor", "shl", "lshr"])
@pytest.mark.parametrize("right", [OTHER, 3])
def test_a_binary_operation_has_the_type_of_its_operands(build, method, right):
    name = getattr(right, "name", right)

    assert verified(build, getattr(build, method)(WORD, right)) == [f"%v1 = {method.strip('_')} i64 %word, {name}"]


@pytest.mark.parametrize("comparison", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons_are_signed_or_not(build, comparison):
    signed, unsigned = build.icmp_signed(comparison, WORD, 5), build.icmp_unsigned(comparison, WORD, 5)
    one, other = verified(build, build.xor(signed, unsigned))[:2]

    assert (one.replace(" s", " u")[4:] == other[4:]) and ("icmp s" in one) is (comparison not in ("==", "!="))


def test_values_are_widened_stored_and_chosen(build):
    narrow = build.trunc(WORD, "i8")
    build.store(narrow, PLACE, align=1)
    chosen = build.select(build.trunc(WORD, "i1"), build.load(PLACE, "i8"), constant("i8", 7))

    assert verified(build, build.zext(chosen, "i64")) == [
        "%v1 = trunc i64 %word to i8",
        "store i8 %v1, ptr %place, align 1",
        "%v2 = trunc i64 %word to i1",
        "%v3 = load i8, ptr %place",
        "%v4 = select i1 %v2, i8 %v3, i8 7",
        "%v5 = zext i8 %v4 to i64",
    ]


def test_a_check_that_fails_leaves_the_function(build):
    build.fail_if(build.icmp_unsigned("!=", WORD, OTHER))

    assert verified(build, WORD)[1:] == ["br i1 %v1, label %bad, label %v2", "v2:"]
