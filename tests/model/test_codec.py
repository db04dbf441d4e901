"""Records come back as they were, and nothing else comes back."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest

from harness.model import codec


class Colour(enum.StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    sizes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    parts: Mapping[str, Part | None] = field(default_factory=dict)
    pair: tuple[int, str] = (0, "")
    colour: Colour = Colour.RED
    kind: Literal["a", 1] = "a"
    share: Annotated[float, codec.in_range(0, 10)] = 0.0
    label: Annotated[str, codec.is_encodable] = ""
    by_number: Mapping[int, bool] = field(default_factory=dict)
    data: bytes = b""
    place: Path = Path()
    anything: Any = None


def test_it_comes_back_as_it_was():
    whole = Whole(
        {"a": Part("half a pair \udc00", (1 << 200,)), "b": None},
        (-3, "\N{SNOWMAN}\n"),
        data=bytes(range(256)),
        by_number={7: True},
        place=Path("/a b"),
        anything=((1.5, None, {"x": (True, "y")}), math.inf),
    )

    assert codec.decode(Whole, codec.encode(whole)) == whole
    assert math.isnan(codec.decode(Whole, codec.encode(Whole(anything=math.nan))).anything)


def test_numbers_of_numpy_are_numbers():
    numbers = (np.float32(0.5), np.int64(3), np.arange(2))

    assert codec.decode(Whole, codec.encode(Whole(anything=numbers))).anything == (0.5, 3, (0, 1))


@pytest.mark.parametrize("value", [object(), {(1, 2): 3}, Part], ids=["object", "key", "type"])
def test_what_is_no_part_of_a_record_is_not_sent(value):
    with pytest.raises(TypeError):
        codec.encode(Whole(anything=value))


@pytest.mark.parametrize(
    "said",
    [
        "",
        "[]",
        "null",
        "[" * 100_000,
        '{"unknown": 1}',
        '{"parts": []}',
        '{"parts": {"a": {}}}',
        '{"parts": {"a": {"name": 1}}}',
        '{"parts": {"a": {"name": "x", "sizes": 1}}}',
        '{"parts": {"a": {"name": "x", "sizes": [true]}}}',
        '{"parts": {"a": {"name": "x", "sizes": [1.0]}}}',
        '{"pair": [1]}',
        '{"pair": [1, "x", 2]}',
        '{"colour": "blue"}',
        '{"colour": []}',
        '{"kind": true}',
        '{"share": 10}',
        '{"share": -1}',
        '{"share": NaN}',
        '{"share": "1"}',
        '{"share": 1' + "0" * 400 + "}",
        '{"label": "\\ud800"}',
        '{"by_number": {"x": true}}',
        '{"data": "?"}',
        '{"place": 1}',
    ],
    ids=lambda said: said[:30],
)
def test_what_has_not_its_form_is_malformed(said):
    with pytest.raises(ValueError):
        codec.decode(Whole, said.encode())


def test_it_is_told_what_is_malformed():
    with pytest.raises(ValueError, match="parts of Whole: name of Part: 3 is no str"):
        codec.decode(Whole, b'{"parts": {"a": {"name": 3}}}')


def test_values_that_are_nested_too_deep_are_malformed():
    """Parsers of JSON follow deeper nesting than Python's stack does."""
    value: Any = []
    for _ in range(5000):
        value = [value]

    with pytest.raises(ValueError, match="nested too deep"):
        codec.build_record(dict[str, Any], {"x": value})
    with pytest.raises(ValueError, match="nested too deep"):
        codec.decode(Any, b"[" * 100_000 + b"]" * 100_000)
