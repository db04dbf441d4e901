"""NVIDIA's `wmma`: a warp loads A, B and C, multiplies, and stores; the result is that of NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics
from tests.simt.operands import narrowed
from tests.simt.wmma import KINDS, RNG, counts, numbers, packed, struct, unpacked

pytestmark = pytest.mark.slow  # together they take seconds

NAME = "llvm.nvvm.wmma"


def program(mma, shape, kind, layouts, sums, strides, space=0):
    """Return a kernel that loads, multiplies and stores.

    Args:
        layouts: Of A, B, C and D.
        sums: The kinds of C and D.
        strides: Of A, B, C and D; None for calls without.
    """
    lines, texts, pointer = [], set(), f"ptr addrspace({space})" if space else "ptr"
    number = counts(kind, shape)
    held = {"a": (kind, number[0]), "b": (kind, number[1]), "c": (sums[0], number[2](sums[0]))}
    stride = "" if strides is None else ".stride"
    given = []
    for place, role in enumerate("abc"):
        own, count = held[role]
        ty = KINDS[own][0]
        name = f"{NAME}.{shape}.load.{role}.{layouts[place]}{stride}.{own}.p{space}"
        more = "" if strides is None else f", i32 {strides[place]}"
        lines.append(f"%{role} = call {struct(ty, count)} @{name}({pointer} %p{role}{more})")
        texts.add(f"declare {struct(ty, count)} @{name}({pointer}{', i32' if more else ''})")
        for at in range(count):
            if count > 1:
                lines.append(f"%{role}{at} = extractvalue {struct(ty, count)} %{role}, {at}")
            given.append(f"{ty} %{role}{at if count > 1 else ''}")
    count, ty = number[2](sums[1]), KINDS[sums[1]][0]
    lines.append(f"%d = call {struct(ty, count)} @{mma}({', '.join(given)})")
    texts.add(f"declare {struct(ty, count)} @{mma}({', '.join(one.split(' %')[0] for one in given)})")
    values = []
    for at in range(count):
        lines.append(f"%d{at} = extractvalue {struct(ty, count)} %d, {at}")
        values.append(f"{ty} %d{at}")
    name = f"{NAME}.{shape}.store.d.{layouts[3]}{stride}.{sums[1]}.p{space}"
    more = "" if strides is None else f", i32 {strides[3]}"
    lines.append(f"call void @{name}({pointer} %pd, {', '.join(values)}{more})")
    texts.add(f"declare void @{name}({', '.join([pointer, *[ty] * count])}{', i32' if more else ''})")
    body = "\n  ".join(lines)
    return (
        'target triple = "nvptx64-nvidia-cuda"\n'
        + "\n".join(sorted(texts))
        + f"\ndefine ptx_kernel void @k({', '.join(f'{pointer} %p{role}' for role in 'abcd')}) {{"
        + f"\n  {body}\n  ret void\n}}\n"
    )


def run(mma, shape, kind, layouts, sums, *, strided, space=0, engine="auto", operands=None):
    """Return what a warp stores, and A, B and C."""
    rows, columns, depth = map(int, re.findall(r"\d+", shape))
    extents = [(rows, depth), (depth, columns), (rows, columns), (rows, columns)]
    natural = [each[1] if layout == "row" else each[0] for each, layout in zip(extents, layouts, strict=True)]
    strides = [length + (32 * (8 if kind == "b1" else 1) if place < 2 else 8) for place, length in enumerate(natural)]
    strides = strides if strided else natural
    kinds = (kind, kind, *sums)
    made = operands or [numbers(own, each) for own, each in zip(kinds, extents[:3], strict=False)]
    given = [
        packed(one, own, layout, stride)
        for one, own, layout, stride in zip(made, kinds, layouts, strides, strict=False)
    ]
    out = packed(np.zeros(extents[3]), sums[1], layouts[3], strides[3]).copy()
    result = simt.launch(
        program(mma, shape, kind, layouts, sums, strides if strided else None, space),
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[*given, out],
        observers=simt.observers(),
        options=simt.Options(engine=engine),
    )
    assert result.verdict == "clean", [str(result.fault), *map(str, result.findings)]
    return unpacked(out, sums[1], layouts[3], strides[3], rows, columns), made


PRODUCTS = []
for name in all_intrinsics():
    found = re.fullmatch(
        rf"{NAME}\.(m\d+n\d+k\d+)\.mma\.(?:(xor|and)\.popc\.)?(row|col)\.(row|col)\.(\w+)(?:\.(f16|f32))?(\.satfinite)?",
        name,
    )
    if found:
        PRODUCTS.append((name, *found.groups()))


@pytest.mark.parametrize("strided", [False, True])
@pytest.mark.parametrize(("name", "shape", "word", "first", "second", "kind", "source", "sat"), PRODUCTS)
def test_a_warp_multiplies_matrices(name, shape, word, first, second, kind, source, sat, strided):
    """Of whole numbers, which all kinds have; C and D lie in both layouts."""
    to = kind
    if source is not None:
        kind = "f16"
    elif kind in ("bf16", "tf32"):
        to = source = "f32"
    else:
        to = source = "f64" if kind == "f64" else "s32"
    got, (a, b, c) = run(name, shape, kind, (first, second, second, first), (source, to), strided=strided)

    if word is None:
        expected = a @ b + c
    else:
        combine = np.bitwise_xor if word == "xor" else np.bitwise_and
        expected = combine(a[:, :, None], b[None]).sum(1) + c
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("strided", [False, True])
@pytest.mark.parametrize("kind", ["s4", "u4", "b1"])
def test_a_small_sum_lies_in_rows_or_columns(kind, strided):
    """Of what has A in rows and B in columns alone."""
    shape = "m8n8k128" if kind == "b1" else "m8n8k32"
    word = ".and.popc" if kind == "b1" else ""
    for layouts in (("row", "row"), ("col", "col"), ("row", "col")):
        name = f"{NAME}.{shape}.mma{word}.row.col.{kind}"
        got, (a, b, c) = run(name, shape, kind, ("row", "col", *layouts), ("s32", "s32"), strided=strided)
        np.testing.assert_array_equal(got, a @ b + c)


def test_a_sum_goes_through_shared_memory():
    """Stored by rows and loaded by columns it is transposed; pointers name their address space."""
    ty, own = struct("float", 8), [f"float %v{at}" for at in range(8)]
    parts = "".join(f"  %v{at} = extractvalue {struct('float', 8)} %c, {at}\n" for at in range(8))
    again = "".join(f"  %w{at} = extractvalue {struct('float', 8)} %d, {at}\n" for at in range(8))
    load, store = f"{NAME}.m16n16k16.load.c", f"{NAME}.m16n16k16.store.d"
    many = ", ".join(["float"] * 8)
    text = f"""target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x float] undef, align 16
declare void @llvm.nvvm.bar.warp.sync(i32)
declare {ty} @{load}.row.stride.f32.p1(ptr addrspace(1), i32)
declare {ty} @{load}.col.f32.p3(ptr addrspace(3))
declare void @{store}.row.f32.p3(ptr addrspace(3), {many})
declare void @{store}.row.stride.f32.p1(ptr addrspace(1), {many}, i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {{
  %c = call {ty} @{load}.row.stride.f32.p1(ptr addrspace(1) %in, i32 %n)
{parts}  call void @{store}.row.f32.p3(ptr addrspace(3) @tile, {", ".join(own)})
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %d = call {ty} @{load}.col.f32.p3(ptr addrspace(3) @tile)
{again}  call void @{store}.row.stride.f32.p1(ptr addrspace(1) %out, {", ".join(own).replace("%v", "%w")}, i32 %n)
  ret void
}}
"""
    for engine in ("reference", "native"):
        given, out = RNG.normal(size=(16, 16)).astype(np.float32), np.zeros((16, 16), np.float32)
        launched = simt.launch(
            text,
            target="nvidia:sm_90",
            grid=1,
            block=32,
            args=[given, out, np.int32(16)],
            observers=simt.observers(),
            options=simt.Options(engine=engine),
        )
        assert launched.verdict == "clean", [str(launched.fault), *map(str, launched.findings)]
        np.testing.assert_array_equal(out, given.T)


def test_a_stride_that_splits_a_register_is_misaligned():
    """Halves that lie together in a register must lie together in memory."""
    out = np.zeros(16 * 17, np.float32)
    a = np.zeros(16 * 17, np.float16)
    shape, layouts = "m16n16k16", ("row", "col", "row", "row")
    text = program(f"{NAME}.{shape}.mma.row.col.f32.f32", shape, "f16", layouts, ("f32", "f32"), (17, 16, 16, 16))
    result = simt.launch(
        text, target="nvidia:sm_90", grid=1, block=32, args=[a, a.copy(), out, out.copy()], observers=simt.observers()
    )
    assert "misaligned" in {finding.kind for finding in result.findings}


@pytest.mark.parametrize("kind", ["bf16", "tf32"])
def test_machine_code_multiplies_fragments_too(kind):
    """Loads and stores are plain ones there, and the product is that of `mma`."""
    shape = "m16n16k8" if kind == "tf32" else "m16n16k16"
    got, (a, b, c) = run(
        f"{NAME}.{shape}.mma.row.row.{kind}",
        shape,
        kind,
        ("row", "row", "col", "row"),
        ("f32", "f32"),
        strided=True,
        engine="native",
    )
    np.testing.assert_array_equal(got, a @ b + c)


@pytest.mark.parametrize(("sat", "expected"), [("", -(2**31) + 64 * 16 - 1), (".satfinite", 2**31 - 1)])
def test_a_sum_of_integers_wraps_or_stops_at_its_limit(sat, expected):
    eights = [np.full((16, 16), 8), np.full((16, 16), 8), np.full((16, 16), 2**31 - 1)]
    got, _ = run(
        f"{NAME}.m16n16k16.mma.row.col.s8{sat}",
        "m16n16k16",
        "s8",
        ("row", "col", "row", "row"),
        ("s32", "s32"),
        strided=False,
        operands=eights,
    )
    assert (got == expected).all()


def test_fractions_are_rounded_as_by_mma():
    """Of halves with a sum of floats: within the last places of the largest summand."""
    a, b, c = RNG.normal(size=(16, 16)), RNG.normal(size=(16, 16)), RNG.normal(size=(16, 16))
    got, _ = run(
        f"{NAME}.m16n16k16.mma.row.row.f32.f32",
        "m16n16k16",
        "f16",
        ("row", "row", "row", "row"),
        ("f32", "f32"),
        strided=False,
        operands=[a, b, c],
    )
    exact = narrowed(a, "half") @ narrowed(b, "half") + c.astype(np.float32)
    np.testing.assert_allclose(got, exact, rtol=0, atol=2**-19)
