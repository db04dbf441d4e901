"""Machine code of AMD's accesses through a descriptor: what lies out of its bounds reads 0 and is not written."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from tests.simt.engines import both, run

pytestmark = pytest.mark.slow

DESCRIPTOR = """
  %{0}base = ptrtoint ptr %{0} to i64
  %{0}low = trunc i64 %{0}base to i32
  %{0}up = lshr i64 %{0}base, 32
  %{0}high = trunc i64 %{0}up to i32
  %{0}d0 = insertelement <4 x i32> <i32 0, i32 0, i32 {1}, i32 0>, i32 %{0}low, i64 0
  %{0}d = insertelement <4 x i32> %{0}d0, i32 %{0}high, i64 1"""


def code(ty, step, held=(256, 256), more=0, to="%at"):
    """Each lane brings something from a place that so many bytes lie behind the one before, to such a place."""
    name = re.sub(r"<(\d) x (\w+)>", r"v\1\2", ty.replace("float", "f32").replace("half", "f16"))
    return f"""{DESCRIPTOR.format("a", held[0])}{DESCRIPTOR.format("o", held[1])}
  %at = mul i32 %t, {step}
  %v = call {ty} @llvm.amdgcn.raw.buffer.load.{name}(<4 x i32> %ad, i32 %at, i32 {more}, i32 0)
  call void @llvm.amdgcn.raw.buffer.store.{name}({ty} %v, <4 x i32> %od, i32 {to}, i32 {more}, i32 0)"""


HOW = {"target": "amd:gfx942", "initialised": True, "observers": simt.observers(counters=False)}


@pytest.mark.parametrize(
    "body",
    [
        code("i32", 4),
        code("float", 4),
        code("i16", 4),
        code("<4 x i32>", 16),
        code("i32", 4, held=(100, 256)),
        code("i32", 4, held=(256, 102)),
        code("<4 x i32>", 16, held=(240, 64)),
        code("i32", 4, held=(128, 96), more=64),
        code("i32", 4, more=4),
        code("i32", 8),
    ],
)
def test_what_the_descriptor_allows_is_done(body):
    assert both(body, **HOW).engine.native == 1


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (code("i32", 8, held=(1024, 256)), "out-of-bounds"),
        (code("i32", 4, held=(260, 260), more=4), "out-of-bounds"),
        (code("i32", 4, to="0"), "race"),
        (code("<4 x i32>", 18), "misaligned"),
    ],
)
def test_what_python_finds_there_is_not_proved_clean(body, kind):
    result = both(body, **HOW)

    assert not result.engine.native
    assert kind in {finding.kind for finding in result.findings}


@pytest.mark.parametrize("ty", ["<4 x i32>", "<4 x float>", "<8 x half>", "<2 x i64>"])
@pytest.mark.parametrize(
    ("held", "copied"),
    [((256, 52), 13), ((52, 256), 13), ((55, 256), 13), ((56, 40), 10)],
    ids=["written", "read", "a part of a word", "both"],
)
def test_each_word_is_held_against_the_bounds(ty, held, copied):
    """Of four words that a lane reads or writes those that lie in them are; what is read beyond them is 0."""
    values = np.arange(1, 65, dtype=np.int32)
    body = code(ty, 16, held=held)
    result = both(body, values=values, **HOW)
    _, output = run(body, "reference", values=values, **HOW)

    left = values.copy()
    left[copied:] = 0 if held[1] > held[0] else -1
    assert result.verdict == "clean" and not result.engine.native
    assert output.tolist() == left.tolist()


def test_the_offset_of_the_scalar_register_counts_against_the_bounds():
    """It lies behind the last word that the descriptor holds."""
    values = np.arange(1, 65, dtype=np.int32)
    _, output = run(code("i32", 4, held=(128, 256), more=64), "reference", values=values, **HOW)

    assert output.tolist() == [-1] * 16 + list(range(17, 33)) + [0] * 32
