"""Exported functions, called on arrays: what each comes to on every vendor's GPU without one, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.build import toolchain
from harness.cli.main import main
from harness.errors import CompileError, UsageError
from harness.programs import Options, call
from harness.simt import Buffer

FILE = Path(__file__).parent / "exported" / "functions.mojo"
TARGETS = [
    "nvidia:sm_90",
    pytest.param("amd:gfx942", marks=pytest.mark.full),
    pytest.param("apple:apple-m4", marks=pytest.mark.full),
]
NVIDIA = TARGETS[0]
compiler = pytest.mark.skipif(toolchain.find() is None, reason="there is no `mojo` here")
pytestmark = []


def floats(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def output(*shape: int, dtype: Any = np.float32) -> Buffer:
    return Buffer(np.zeros(shape, dtype), initialised=False)


def smoothed(values: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(2 * steps):
        inner = (values[:-2] + values[2:]) / 2
        values = np.concatenate([values[:1], inner, values[-1:]])
    return values


@dataclass(frozen=True)
class Made:
    """A call and what it comes to: the ids of errors and warnings, and the arrays that it changes."""

    arguments: Callable[[], Any]
    expected: dict[str, Any] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    error: str = ""
    host: tuple[str, ...] = ()


SCALARS = (-8, 200, -300, 1 << 31, -(1 << 62) - 1, (1 << 62) + 1, -(1 << 53) - 1, 1 << 40, True, 1.5, -2.25, 0.125)
MADE = {
    "added": Made(lambda: [floats(100), floats(100), output(100), 100], {"c": 2 * floats(100)}, changed=("c",)),
    "counted": Made(
        lambda: [np.zeros(128, np.int32), np.zeros(4, np.int32), 128],
        findings=("race",),
        changed=("bins",),
    ),
    "shifted": Made(lambda: [floats(16), 16], findings=("out-of-bounds.after",), changed=("a",)),
    "smoothed": Made(
        lambda: {"a": floats(40) ** 2, "n": 40, "steps": 5},
        {"a": smoothed(floats(40) ** 2, 5)},
        changed=("a",),
    ),
    "squares": Made(
        lambda: [floats(64), output(64), output(1)],
        {"sum": np.sum(floats(64) ** 2), "b": floats(64) ** 2},
        changed=("b", "sum"),
    ),
    "scalars": Made(
        lambda: [output(12, dtype=np.int64), *SCALARS],
        {"to": [*map(int, SCALARS[:9]), 12, -18, 1]},
        changed=("to",),
    ),
    "scaled": Made(
        lambda: [np.arange(8) / 3, 3.0, 8],
        {"a": np.arange(8) / 3 * 3.0},
        changed=("a",),
    ),
    "widened": Made(
        lambda: [np.full(8, 100, np.int8), np.full(8, 65535, np.uint16), output(2, 4, dtype=np.uint64), 8],
        {"c": 6553500},
        changed=("c",),
    ),
    "short": Made(
        lambda: [floats(10), floats(10), output(10), 10],
        findings=("check.never-written",),
        changed=("c",),
    ),
    "raising": Made(
        lambda: [floats(4), -1],
        findings=("call.raised",),
        error="n is -1, but must be at least 0",
    ),
    "given_context": Made(lambda: [floats(8), floats(8), output(8), 8], {"c": 2 * floats(8)}, changed=("c",)),
    "unawaited": Made(
        lambda: [floats(8), floats(8), output(8), 8],
        {"c": 2 * floats(8)},
        findings=("never-awaited",),
        changed=("c",),
    ),
    "on_host": Made(
        lambda: [floats(8), output(1, dtype=np.int64), 8],
        {"a": -floats(8), "to": 28},
        changed=("a", "to"),
        host=("a", "to"),
    ),
    "beside_on_host": Made(
        lambda: [floats(8), 8], findings=("check.outside.before", "check.outside.after"), host=("a",)
    ),
    "copied": Made(lambda: [floats(8), output(8), 8], {"to": 2 * floats(8)}, changed=("to",), host=("source",)),
    "leaving": Made(lambda: [floats(8)], findings=("call.ended",)),
    "optional": Made(lambda: [floats(8), None, 8], {"a": 2 * floats(8)}, changed=("a",)),
}


@compiler
@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MADE)
def test_a_function_comes_to_this(name: str, target: str):
    made = MADE[name]
    result = call(FILE, name, made.arguments(), made.expected, host=made.host, target=target, backend="simulator")

    told = [each for each in result.findings if each.severity != "information"]
    errors = [each.id for each in told if each.severity == "error"]
    if target.startswith("apple") and name == "scaled":  # its kernel has doubles
        assert errors and not result.ok
        return
    assert {each.id if each.id in made.findings else each.kind for each in told} == set(made.findings), result.findings
    assert (result.changed, result.error) == (made.changed, made.error)
    assert result.ok == (not errors) and bool(result.reason) == bool(errors)
    for each in told:
        assert each.sites and each.sites[0].file.endswith("functions.mojo"), each
    for array, wanted in made.expected.items():
        np.testing.assert_array_equal(result.results[array], np.broadcast_to(wanted, result.results[array].shape))
