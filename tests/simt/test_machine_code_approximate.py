"""Compiled forms of what hardware approximates: they have the interpreter's bits, always."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from harness.simt.run.launch import launch
from tests.simt.engines import alike
from tests.simt.snippets import evaluate, kernel

pytestmark = pytest.mark.slow

NVIDIA, AMD, APPLE = "nvidia:sm_90", "amd:gfx942", "apple:apple-m4"
BLOCK = 64
LLVM = ("exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "sinh", "cosh")
CALLS = [
    *((NVIDIA, f"llvm.{name}.f32", 1) for name in (*LLVM, "asin", "acos", "atan")),
    *((NVIDIA, f"llvm.{name}.f32", 2) for name in ("pow", "atan2")),
    *(
        (NVIDIA, f"llvm.nvvm.{name}.approx.{mode}f", 1)
        for name in ("sqrt", "rsqrt", "sin", "cos", "ex2", "lg2")
        for mode in ("", "ftz.")
    ),
    (NVIDIA, "llvm.nvvm.rcp.approx.ftz.f", 1),
    *((NVIDIA, f"llvm.nvvm.div.{mode}", 2) for mode in ("approx", "full", "approx.ftz", "full.ftz")),
    *((AMD, f"llvm.amdgcn.{name}.f32", 1) for name in ("sqrt", "rsq", "exp2", "log", "rcp", "sin", "cos")),
    *((APPLE, f"air.{name}.f32", 1) for name in ("sqrt", "fast_rsqrt", "fast_exp", "log2", "fast_sin", "tanh")),
    *((APPLE, f"air.{name}.f32", 2) for name in ("fast_pow", "atan2")),
]


def values() -> np.ndarray:
    """Ordinary ones, large and small ones, and what any 32 bits are."""
    rng = np.random.default_rng(5)
    ordinary = (rng.standard_normal(4096) * 10.0 ** rng.integers(-3, 3, 4096)).astype(np.float32)
    return np.concatenate([ordinary, rng.integers(0, 1 << 32, 4096, dtype=np.uint32).view(np.float32)])


def body(call: str, operands: int, ty: str = "float") -> str:
    """Each thread calls it with its element, and with another one's where it takes two."""
    lines = []
    for number, place in enumerate(("add i64 %i, 0", "xor i64 %i, 21")[:operands]):
        lines += [f"%j{number} = {place}", f"%p{number} = getelementptr {ty}, ptr %a, i64 %j{number}"]
        lines += [f"%v{number} = load {ty}, ptr %p{number}"]
    given = ", ".join(f"{ty} %v{number}" for number in range(operands))
    lines += [f"%w = call {ty} @{call}({given})", f"%q = getelementptr {ty}, ptr %o, i64 %i", f"store {ty} %w, ptr %q"]
    return "\n".join(lines)


def both(target: str, lines: str, given: np.ndarray, width: int = 1, is_nan=np.isnan) -> simt.LaunchResult:
    """Return the compiled engine's result, after its bits were found to be the interpreter's but for those of NaNs."""
    text, found = kernel(lines, "ptr %a, ptr %o", "", target), []
    for engine in ("reference", "native"):
        output = np.zeros_like(given)
        result = launch(
            text,
            target=target,
            grid=len(given) // BLOCK // width,
            block=BLOCK,
            args=[simt.Buffer(given, writable=False), output],
            observers=simt.observers(counters=False),
            options=simt.Options(engine=engine),
        )
        found.append(
            (result, (np.where(is_nan(output), given.dtype.type(1), output).tobytes(), is_nan(output).tobytes()))
        )
    (expected, left), (result, right) = found
    assert right == left
    alike(result, expected)
    return result


@pytest.mark.parametrize(("target", "call", "operands"), CALLS, ids=[call for _, call, _ in CALLS])
def test_each_function_has_the_bits_of_the_interpreter(target, call, operands):
    result = both(target, body(call, operands), values())

    assert result.engine.native == len(values()) // BLOCK
    assert set(result.fidelity.values()) >= {"approximate"}


@pytest.mark.parametrize(
    "name", ["rcp.approx", "rcp.approx.ftz", "tanh.approx", "ex2.approx", "ex2.approx.ftz", "neg.ftz"]
)
def test_so_it_has_where_assembly_asks_for_it(name):
    lines = body("f", 1).replace("@f(", f'asm "{name}.f32 $0, $1;", "=f,f"(')
    result = both(NVIDIA, lines, values())

    assert result.engine.native == len(values()) // BLOCK


def test_elements_of_a_vector_are_computed_each():
    result = both(NVIDIA, body("llvm.exp.v4f32", 1, "<4 x float>"), values(), width=4)

    assert result.engine.python == 0


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_sine_and_cosine_at_once_are_those_alone(engine):
    both_of = "%s = call {{ float, float }} @llvm.sincos.f32(float %a)\n%r = extractvalue {{ float, float }} %s, {}"
    numbers = np.linspace(-1e4, 1e4, 1024, dtype=np.float32)
    for place, name in enumerate(("sin", "cos")):
        got, alone = (
            evaluate(text, "float", ("float", numbers), engine=engine)
            for text in (both_of.format(place), f"%r = call float @llvm.{name}.f32(float %a)")
        )
        assert got.tobytes() == alone.tobytes()


OTHERS = [
    *((f"llvm.{name}.f64", "double", "f8", np.uint64) for name in (*LLVM, "asin", "acos", "atan", "pow", "atan2")),
    *((f"llvm.{name}.f16", "half", "f2", np.uint16) for name in (*LLVM, "asin", "acos", "atan", "pow", "atan2")),
    ("llvm.nvvm.ex2.approx.ftz.f16", "half", "f2", np.uint16),
]


@pytest.mark.parametrize(("call", "ty", "dtype", "bits"), OTHERS, ids=[call for call, *_ in OTHERS])
def test_doubles_and_halves_have_the_bits_of_the_interpreter_too(call, ty, dtype, bits):
    rng = np.random.default_rng(7)
    usual = (rng.standard_normal(2048) * 10.0 ** rng.integers(-3, 3, 2048)).astype(dtype)
    any_bits = rng.integers(0, np.iinfo(bits).max, 2048, dtype=bits, endpoint=True).view(dtype)
    result = both(NVIDIA, body(call, 1 + ("pow" in call or "atan2" in call), ty), np.concatenate([usual, any_bits]))

    assert result.engine.python == 0


@pytest.mark.parametrize("name", ["exp", "sin", "tanh"])
def test_so_have_bfloats(name):
    values = np.arange(1 << 16, dtype=np.uint16)
    result = both(NVIDIA, body(f"llvm.{name}.bf16", 1, "bfloat"), values, is_nan=lambda bits: bits & 0x7FFF > 0x7F80)

    assert result.engine.python == 0
