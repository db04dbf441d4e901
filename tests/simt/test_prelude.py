"""Intrinsics of the prelude: what they compute, what is undefined, and that nothing that only computes is left out."""

from __future__ import annotations

import re

import llvmlite.binding as llvm
import numpy as np
import pytest

from harness import simt
from harness.simt.compile.emitters import EMITTERS
from harness.simt.compile.prelude import FOLDER, intrinsic_name, load_module
from harness.simt.compile.program import compile_kernel
from harness.simt.compile.registry import Intrinsic, all_intrinsics, find_intrinsic
from harness.simt.declined import Declined
from harness.simt.intrinsics import LAZY_MODULES
from harness.simt.ir.types import Int
from harness.simt.native import module as compiled_engine
from harness.simt.native.lower.registry import LOWERINGS
from harness.simt.targets import target_of
from tests.simt.against_llvm.compare import compare as compare_with_llvm
from tests.simt.against_llvm.device import simulated
from tests.simt.against_llvm.operands import operands, patterns
from tests.simt.against_llvm.row import Row
from tests.simt.against_llvm.table import rows_of
from tests.simt.oracles.chains import differences
from tests.simt.oracles.compare import FILES, compare, compare_entries, expected, functions
from tests.simt.oracles.declared import ORACLES, Call
from tests.simt.oracles.vendors import entries
from tests.simt.snippets import declarations, evaluate, kernel

EVERY_NIGHT = 300_000
# Intrinsics that only compute and that the compiled engine has no form for, each with the reason.
SPACE = "which memory a generic address lies in is looked up in the interpreter's table of allocations"
RANK = "the block of a shared address is a field of the interpreter's own numbers"
WITHOUT_A_COMPILED_FORM: dict[str, str] = {
    **{f"llvm.nvvm.isspacep.{space}": SPACE for space in ("const", "global", "local", "shared", "shared.cluster")},
    **{f"llvm.amdgcn.is.{space}": SPACE for space in ("private", "shared")},
    **{f"llvm.nvvm.getctarank{more}": RANK for more in ("", ".shared.cluster")},
}
# Intrinsics that do something, though no fact of their declarations says so: end, print, allocate, order, take time.
ACTS = re.compile(
    r"abort|free|malloc|vprintf|__mojo_metal_os_log_64|__nvvm_reflect|std_sys__amdgpu_hostcall|llvm\.(debug|ubsan)?trap"
    r"|llvm\.nvvm\.nanosleep|air\.atomic\.fence|llvm\.nvvm\.(cp\.async\.bulk|wgmma)\.(commit|wait).group.*"
)
# What computes nothing by itself: functions that others of the prelude are made of.
PARTS = re.compile(r"asm:(up|inward|normal|upper\.half|round\.\w+|\w+\.rest|exponent|power|scale|rest|ones)")
OPCODES = {
    *("add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "icmp", "fcmp", "select", "call", "ret"),
    *("fadd", "fsub", "fmul", "fdiv", "fneg", "zext", "sext", "trunc", "sitofp", "uitofp", "fptoui", "fpext"),
    *("fptrunc", "bitcast", "insertelement", "shufflevector"),
}
LLVM_TYPES = ("i8", "i16", "i32", "i64", "half", "bfloat", "float", "double", "<4 x float>")
BITS = re.compile(r"x i1>|to i1\b|\.i1\b")
ODD = re.compile(r"\bi(?!1\b|8\b|16\b|32\b|64\b)\d+")  # widths that the compiled engine has not


def names():
    """The functions of the prelude, each with its file."""
    return [(file, function) for file in FILES for function in functions(file)]


def only_computes(intrinsic):
    """Whether an intrinsic makes a value of its operands, and of which lane it is, and does nothing else."""
    match intrinsic.kind:
        case "pure" | "typed" | "written":
            return True
        case "lanes":  # with operands: what has none is read, not computed
            handler = getattr(intrinsic.handler, "func", intrinsic.handler)
            given = len(getattr(intrinsic.handler, "args", ())) + len(handler.__defaults__ or ())
            return handler.__code__.co_argcount - given > 2
        case "stateful":
            facts = (intrinsic.waits, intrinsic.arrives, intrinsic.orders, intrinsic.exchanges, intrinsic.copies)
            return not any((*facts, intrinsic.accesses, intrinsic.varies)) and not ACTS.fullmatch(intrinsic.name)
    return False


def test_all_that_only_computes_has_a_compiled_form():
    """And all opcodes; the compiled engine is imported, so that all of it has declared its forms."""
    assert compiled_engine.LONGEST > 0
    lacking = {
        name for name, intrinsic in all_intrinsics().items() if only_computes(intrinsic) and not intrinsic.compiled
    }
    lacking |= EMITTERS.keys() - LOWERINGS.keys() - {"variable"}  # which tells observers of a name
    assert lacking == set(WITHOUT_A_COMPILED_FORM)
    assert len(lacking) <= 10


# Instructions whose compiled form has not all types, with those that it lacks; one bit is no number of any source.
WITHOUT_SOME_TYPES = {
    "fptosi": "vectors",
    "fptoui": "vectors",
    "sitofp": "integers to bfloat, which would round twice",
    "uitofp": "integers to bfloat, which would round twice",
    "fptrunc": "doubles to 16 bits, which would round twice",
}


@pytest.mark.slow
def test_all_that_only_computes_has_a_compiled_form_for_its_types():
    """But for the types that are said; vectors of single bits are not loaded or stored."""
    lacking = set()
    for text in (*LLVM_TYPES, "<4 x i8>", "<8 x i16>", "<2 x half>", "<2 x bfloat>", "<2 x double>"):
        for row in rows_of(text):
            if not ODD.search(f"{row.text} {row.operands} {row.result}") and not BITS.search(
                f"{row.text} {row.result}"
            ):
                body = "".join(
                    f"  %p{name} = getelementptr {ty}, ptr %o, i64 %i\n  %{name} = load {ty}, ptr %p{name}\n"
                    for name, ty in zip("abc", row.operands, strict=False)
                )
                text = kernel(f"{body}  {row.text}\n  store {row.result} %r, ptr %o, align 1")
                try:
                    compiled_engine.write_module(compile_kernel(simt.decode(text), None, target_of("nvidia:sm_90")))
                except Declined:
                    lacking.add(row.name)
    assert lacking == WITHOUT_SOME_TYPES.keys()


# Forms of the compiled engine that call LLVM's own intrinsics by their names: LLVM says what they compute.
BY_NAME = {"llvm", "combine", "order", "overflow", "saturate", "class"}
# Forms of what the interpreter runs too: the terms of `ops.elementary`, and promises of the table of poison.
OF_ONE = {"approximate", "promise"}
# Forms that say a second time what a handler computes, each with the reason.
TWICE = {
    "extreme": "an extreme is one function of NumPy and eight instructions of LLVM, and kernels are full of them",
    "below": "kernels for AMD number their lanes by it: one function of NumPy, seven instructions of LLVM",
    "mask": "an address is a number of the interpreter's own",
    "mapped": "the blocks of a cluster are told apart by their addresses",
}


def said_twice(intrinsics):
    """Return the forms of intrinsics that a handler computes for the interpreter, and LLVM's name does not say."""
    kinds = ("pure", "typed", "lanes", "emitted")
    words = {intrinsic.compiled.partition(".")[0] for intrinsic in intrinsics if intrinsic.kind in kinds}
    return words - BY_NAME - OF_ONE - {""}


def test_no_other_meaning_is_said_twice():
    """By a handler for the interpreter and by a form for the compiled engine."""
    assert said_twice(all_intrinsics().values()) == set(TWICE)


def test_a_meaning_that_is_said_twice_is_found():
    """In whichever way the interpreter's half is declared; one that has LLVM's name, or no form, is none."""
    for kind in ("pure", "typed", "lanes", "emitted"):
        assert said_twice([Intrinsic("llvm.new", kind, np.add, compiled="new.form")]) == {"new"}
        assert said_twice([Intrinsic("llvm.new", kind, np.add, compiled="llvm.new")]) == set()
        assert said_twice([Intrinsic("llvm.new", kind, np.add)]) == set()


def test_a_function_of_the_prelude_is_straight_line_code_without_flags():
    for file, function in names():
        (block,) = load_module(file).function(function.name).blocks
        assert {line.opcode for line in block.instructions} <= OPCODES, function.name
        assert not any(line.flags for line in block.instructions), function.name


def test_what_a_function_of_the_prelude_calls_only_computes():
    for file, function in names():
        (block,) = load_module(file).function(function.name).blocks
        for line in block.instructions:
            if line.opcode == "call":
                called = find_intrinsic(line.attrs["callee"].name)
                assert called is not None and called.kind in ("pure", "typed", "expanded"), line.text


def test_llvm_accepts_the_prelude():
    text = "".join((FOLDER / f"{file}.ll").read_text("utf-8") for file in FILES)
    defined = set(re.findall(r'^define .*? @("[^"]*"|[\w.]+)\(', text, re.MULTILINE))
    needed = (
        line for line in declarations(text).splitlines() if re.search(r'@("[^"]*"|[\w.]+)', line)[1] not in defined
    )
    llvm.parse_assembly("\n".join([*needed, text]), context=llvm.create_context()).verify()


def test_each_function_of_the_prelude_has_an_oracle():
    known = {intrinsic_name(function.name) for _, function in names()}
    assert {name for name in known - ORACLES.keys() if not PARTS.fullmatch(name)} == set()


def test_the_prelude_computes_what_its_oracles_do():
    """A part of all functions, which is another one for each file."""
    count, wrong = compare(FILES, engines=("reference",), keep=lambda row: len(row.name) % 3 == 0)
    assert wrong == []
    assert count > 20_000


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_the_compiled_engine_computes_what_the_oracles_do(file):
    count, wrong = compare((file,), engines=("native",))
    assert wrong == []
    assert count > 1000 or file == "amdgcn"


@pytest.mark.parametrize("engine", ["reference", pytest.param("native", marks=pytest.mark.slow)])
def test_what_is_written_out_for_all_types_computes_what_its_oracles_do(engine):
    count, wrong = compare_entries(entries(), engines=(engine,))
    assert wrong == []
    assert count > 50_000


@pytest.mark.slow
def test_chains_of_calls_agree():
    assert [difference for seed in range(5) for difference in differences(seed)] == []


@pytest.mark.full
def test_many_chains_of_calls_agree():
    assert [difference for seed in range(5, 300) for difference in differences(seed)] == []


@pytest.mark.full
def test_so_many_results_are_those_of_oracles():
    total = 0
    for file in FILES:
        count, wrong = compare((file,), seed=1)
        assert wrong == []
        total += count
    assert total > EVERY_NIGHT


@pytest.mark.slow
@pytest.mark.parametrize("text", LLVM_TYPES)
def test_the_compiled_engine_computes_what_llvm_does(text):
    """LLVM's own names, on operands that make no poison; other instructions are what machine code itself is made of."""
    rows = [
        row
        for row in rows_of(text)
        if row.poison is None and (row.name == "frem" or find_intrinsic(row.name) is not None)
    ]
    rows = [row for row in rows if row.name != "llvm.convert.from.fp16"]  # a NaN that signals is the interpreter's
    rows = [row for row in rows if not ODD.search(f"{row.text} {row.operands} {row.result}")]
    _, wrong = compare_with_llvm(rows, engine="native")
    assert wrong == []


def with_one_undefined(function):
    """Rows of a function, each with another operand undefined, whose place it gives; one of one bit is an immediate."""
    types = [str(param.type) for param in function.params]
    for place, param in enumerate(function.params):
        if param.type != Int(1):
            values = (
                "true" if ty == "i1" else "%u" if number == place else f"%{'abcd'[number]}"
                for number, ty in enumerate(types)
            )
            given = ", ".join(f"{ty} {value}" for ty, value in zip(types, values, strict=True))
            called = function.name.strip('@"')
            text = f"%m = alloca {types[place]}\n  %u = load {types[place]}, ptr %m\n"  # of memory that nothing wrote
            text += f'  %r = call {function.returns} @"{called}"({given})'
            row = Row(called, text, tuple(types), str(function.returns))
            yield place, row


def depends_on(function, place, values, lanes):
    """Whether a result changes with an operand in any of some lanes, by the oracle."""
    takes = tuple(param.type for param in function.params)
    name = intrinsic_name(function.name)
    oracle = ORACLES[name](Call(name, function.returns, takes))
    chosen = [[column[lane] for lane in lanes] for column in values]
    seen = set()
    for pattern in patterns(str(takes[place]))[:8]:
        chosen[place] = [pattern] * len(lanes)
        seen.add(tuple(expected(oracle, takes, function.returns, chosen)))
    return len(seen) > 1


@pytest.mark.slow
def test_a_result_is_undefined_where_it_depends_on_an_undefined_operand():
    """Whichever operand, and whatever the others are. It is defined where a shift by the width leaves nothing of it."""
    partly, wrong = set(), []
    for _, function in names():
        if intrinsic_name(function.name) in ORACLES:
            rows = list(with_one_undefined(function))
            shapes = rows[0][1].operands
            values = [column[:: max(1, len(column) // 60)][:60] for column in operands(shapes, 0, 1)]
            results = simulated([row for _, row in rows], values, {}, parts=False)
            for (place, row), (_, undefined) in zip(rows, results, strict=True):
                lanes = np.flatnonzero(~undefined).tolist()
                if lanes:
                    partly.add(intrinsic_name(function.name))
                    wrong += [row.text] if depends_on(function, place, values, lanes) else []
    assert wrong == []
    shifts = re.compile(r"asm:(shl|shr\.u|bfe\.[us]|bfi)|llvm\.nvvm\.(fsh[lr]|bmsk|[sz]ext)\.\w+")
    assert {name for name in partly if not shifts.fullmatch(name)} == set()
    assert "asm:shl" in partly


NOT_A_NUMBER = "%q = fdiv float 0.0, %a\n  %r = call nnan float @llvm.nvvm.add.rz.f(float %q, float 1.0)"


def test_a_call_of_the_prelude_keeps_its_promises():
    """`nnan` of the call rules out a NaN, as that of an instruction does; the finding stands at the call."""
    values, undefined = evaluate(NOT_A_NUMBER, "float", ("float", [1.0, 0.0, 2.0]), tracked=True, clean=False)
    assert undefined.tolist() == [False, True, False]
    assert values[0] == 1.0


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_broken_promise_is_reported_with_the_name_of_the_call(engine):
    body = f"{NOT_A_NUMBER.replace('%a', '0.0')}\n  %p = getelementptr float, ptr %o, i64 %i\n  store float %r, ptr %p"
    options = simt.Options(engine=engine)
    launched = simt.launch(
        kernel(body),
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[np.zeros(32, np.float32)],
        observers=simt.observers(),
        options=options,
    )
    assert [(finding.id, finding.values["source"]) for finding in launched.findings] == [
        ("uninitialised.output", "llvm.nvvm.add.rz.f nnan")
    ]


def test_a_capability_is_asked_for_by_the_name_of_the_call():
    """Apple's GPUs have no doubles, which the power of two of a call on floats is computed with here."""
    body = "%r = call float @air.ldexp.f32.i32(float %a, i32 3)"
    assert evaluate(body, "float", ("float", [1.0, 1.5]), target="apple:apple-m4").tolist() == [8.0, 12.0]


def test_a_name_that_is_loaded_late_is_found_by_its_beginning():
    """Or it would be taken for another one, which has its name but for the last word."""
    lost = []
    for name, intrinsic in all_intrinsics().items():
        module = getattr(getattr(intrinsic.handler, "func", None), "__module__", "")
        if name.startswith("llvm.nvvm.") and module.endswith("prelude"):
            here = [modules for beginning, modules in LAZY_MODULES.items() if name.startswith(beginning)]
            lost += [] if any("prelude_nvvm" in modules for modules in here) else [name]
        elif name.startswith("llvm.") and getattr(_made_by(intrinsic), "__module__", "").endswith("llvm_expansions"):
            here = [modules for beginning, modules in LAZY_MODULES.items() if name.startswith(beginning.rstrip("."))]
            lost += [] if any("llvm_expansions" in modules for modules in here) else [name]
    assert lost == []


def _made_by(intrinsic):
    """The function that writes an expanded intrinsic out, or None."""
    arguments = getattr(intrinsic.handler, "args", ())
    return arguments[0] if arguments else None
