"""Reports of cases as JSON and back, exactly: tuples stay tuples, NaN stays NaN, and nothing is unpickled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from harness.model.launch import Launch
from harness.model.report import CaseReport, ClaimReport, DatasetReport
from harness.model.sizes import SmallSize
from harness.simt.findings import Finding, Place, Who

__all__ = ["packed", "unpacked"]

# What a report is made of: nothing else is ever made from what comes back.
_PARTS = (CaseReport, ClaimReport, DatasetReport, Finding, Launch, Place, SmallSize, Who)
_KINDS = {kind.__name__: kind for kind in _PARTS}


def packed(value: Any) -> Any:
    """A report as values that `json` writes.

    Raises:
        TypeError: Something in it is no part of a report.
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        return packed(value.tolist())
    if isinstance(value, list):
        return [packed(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [packed(item) for item in value]}
    if isinstance(value, Mapping):
        return {"map": [[packed(key), packed(item)] for key, item in value.items()]}
    if is_dataclass(value) and type(value).__name__ in _KINDS:
        return {type(value).__name__: {field.name: packed(getattr(value, field.name)) for field in fields(value)}}
    raise TypeError(f"no part of a report: {type(value).__name__}")


def unpacked(value: Any) -> Any:
    """What was packed.

    Raises:
        ValueError: It is something else.
    """
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1:
        raise ValueError("no report")
    ((kind, inner),) = value.items()
    try:
        if kind == "tuple":
            return tuple(unpacked(item) for item in inner)
        if kind == "map":
            return {unpacked(key): unpacked(item) for key, item in inner}
        return _KINDS[kind](**{name: unpacked(item) for name, item in inner.items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no report: {error}") from None
