"""The assembly of `wmma`: loads, products and stores, against NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from tests.simt.wmma import KINDS, counts, numbers, packed, struct, unpacked

pytestmark = pytest.mark.slow  # together they take seconds

ASSEMBLY = [
    ("f16", "m16n16k16", "row.col", "f32.f32", ("f32", "f32")),
    ("f16", "m32n8k16", "col.row", "f16.f32", ("f32", "f16")),
    ("bf16", "m8n32k16", "row.row", "f32.bf16.bf16.f32", ("f32", "f32")),
    ("tf32", "m16n16k8", "row.col", "f32.tf32.tf32.f32", ("f32", "f32")),
    ("f64", "m8n8k4", "row.col", "f64.f64.f64.f64", ("f64", "f64")),
    ("s8", "m16n16k16", "row.col", "s32.s8.s8.s32.satfinite", ("s32", "s32")),
    ("u4", "m8n8k32", "row.col", "s32.u4.u4.s32", ("s32", "s32")),
    ("b1", "m8n8k128", "row.col", "s32.b1.b1.s32", ("s32", "s32")),
]
REGISTERS = {"<2 x half>": "r", "i32": "r", "float": "f", "double": "d"}


def spelled(shape, kind, layouts, types, sums):
    """Return a kernel that does all of it in assembly, by rows and columns as the layouts say."""
    rows, columns, depth = map(int, re.findall(r"\d+", shape))
    number = counts(kind, shape)
    first, second = layouts.split(".")
    own = {"a": (kind, number[0], first), "b": (kind, number[1], second), "c": (sums[0], number[2](sums[0]), "row")}
    strides = {"a": depth if first == "row" else rows, "b": columns if second == "row" else depth, "c": columns}
    lines, given = [], []
    for role, (held, count, layout) in own.items():
        ty = KINDS[held][0]
        registers = ", ".join(f"${at}" for at in range(count))
        text = (
            f"wmma.load.{role}.sync.aligned.{layout}.{shape}.global.{held} {{{registers}}}, [${count}], ${count + 1};"
        )
        letters = ",".join([f"={REGISTERS[ty]}"] * count + ["l", "r"])
        lines.append(f'%{role} = call {struct(ty, count)} asm "{text}", "{letters}"(ptr %p{role}, i32 {strides[role]})')
        for at in range(count):
            if count > 1:
                lines.append(f"%{role}{at} = extractvalue {struct(ty, count)} %{role}, {at}")
            given.append((ty, f"%{role}{at if count > 1 else ''}"))
    count, ty = number[2](sums[1]), KINDS[sums[1]][0]
    at, groups = 0, []
    for length in (count, *(each[1] for each in own.values())):
        groups.append("{" + ", ".join(f"${place}" for place in range(at, at + length)) + "}")
        at += length
    word = "and.popc." if kind == "b1" else ""
    text = f"wmma.mma.{word}sync.aligned.{layouts}.{shape}.{types} {', '.join(groups)};"
    letters = ",".join([f"={REGISTERS[ty]}"] * count + [REGISTERS[each] for each, _ in given])
    operands = ", ".join(f"{each} {name}" for each, name in given)
    lines.append(f'%d = call {struct(ty, count)} asm "{text}", "{letters}"({operands})')
    lines += [f"%d{place} = extractvalue {struct(ty, count)} %d, {place}" for place in range(count)]
    registers = ", ".join(f"${place + 1}" for place in range(count))
    text = f"wmma.store.d.sync.aligned.row.{shape}.{sums[1]} [$0], {{{registers}}}, {columns};"
    values = ", ".join(f"{ty} %d{place}" for place in range(count))
    lines.append(f'call void asm sideeffect "{text}", "{",".join(["l", *[REGISTERS[ty]] * count])}"(ptr %pd, {values})')
    body = "\n  ".join(lines)
    head = f"define ptx_kernel void @k({', '.join(f'ptr %p{role}' for role in 'abcd')})"
    return f'target triple = "nvptx64-nvidia-cuda"\n{head} {{\n  {body}\n  ret void\n}}\n'


@pytest.mark.parametrize(("kind", "shape", "layouts", "types", "sums"), ASSEMBLY)
def test_assembly_does_the_same(kind, shape, layouts, types, sums):
    rows, columns, depth = map(int, re.findall(r"\d+", shape))
    a, b, c = numbers(kind, (rows, depth)), numbers(kind, (depth, columns)), numbers(sums[0], (rows, columns))
    first, second = layouts.split(".")
    given = [
        packed(a, kind, first, depth if first == "row" else rows),
        packed(b, kind, second, columns if second == "row" else depth),
        packed(c, sums[0], "row", columns),
    ]
    out = packed(np.zeros((rows, columns)), sums[1], "row", columns).copy()
    text = spelled(shape, kind, layouts, types, sums)
    result = simt.launch(text, target="nvidia:sm_90", grid=1, block=32, args=[*given, out], observers=simt.observers())
    assert result.verdict == "clean", [str(result.fault), *map(str, result.findings)]
    np.testing.assert_array_equal(unpacked(out, sums[1], "row", columns, rows, columns), a @ b + c)
