"""Encode dataclasses as JSON for other processes and machines, and decode them strictly.

The type hints of a record's fields say what is read. A missing field without a default, an unknown field or a value of
another type is an error. Nothing is converted, and only what the hints name is constructed, whoever wrote the JSON.
`Annotated` adds conditions on a value, as functions that return whether it holds.

It is written here because NaN, integers of any size and unpaired surrogates, which file names may contain, must
survive.
"""

from __future__ import annotations

import base64
import enum
import json
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

__all__ = ["build_record", "decode", "encode", "in_range", "is_encodable"]

T = TypeVar("T")
Reader = Callable[[Any], Any]
_TOO_DEEP = "it is nested too deep"


def encode(value: Any) -> bytes:
    """Encode a record as JSON, in ASCII.

    Raises:
        TypeError: A value in it cannot be part of a record.
    """
    return json.dumps(value, default=_to_json).encode()


def _to_json(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        return value.tolist()
    raise TypeError(f"no part of a record: {type(value).__name__}")


def decode(kind: type[T], data: bytes | None) -> T:
    """Decode a record from JSON and check it; None and empty bytes are errors.

    Args:
        kind: The record's type.
        data: The JSON; the caller limits its size.

    Raises:
        ValueError: It is no JSON or nested too deep, lacks a field, or has an unknown field or a value of another type.
    """
    try:
        value = json.loads(data or b"")
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return build_record(kind, value)


def build_record(kind: type[T], value: Any) -> T:
    """Build a record from parsed JSON values, as `decode` does.

    Raises:
        ValueError: The value is no such record, or nested too deep.
    """
    hint: Any = kind
    try:
        record: T = _reader(hint)(value)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return record


def in_range(least: float, most: float) -> Callable[[float], bool]:
    """Return a condition for `Annotated`: `least <= number < most`, which NaN fails."""
    return lambda number: least <= number < most


def is_encodable(value: str) -> bool:
    """Return whether a text can be encoded: it has no unpaired surrogate. A condition for `Annotated`."""
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


@cache
def _reader(hint: Any) -> Reader:
    """Return the function that reads a value of a type, and raises ValueError for a value of another one.

    Raises KeyError if values of such a type cannot be read.
    """
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return partial(_read_annotated, _reader(inner[0]), inner[1:])
    if origin in (Union, types.UnionType):
        return partial(_read_union, tuple(map(_reader, inner)))
    if origin is Literal:
        return partial(_read_literal, inner)
    if origin is tuple:
        many = inner[1:] == (...,)
        return partial(_read_sequence, _reader(inner[0])) if many else partial(_read_tuple, tuple(map(_reader, inner)))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return partial(_read_mapping, int if inner[0] is int else _reader(inner[0]), _reader(inner[1]))
    if is_dataclass(hint):
        return partial(_read_record, hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint
    return _LEAVES[hint]


def _require_type(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{value!r:.40} is no {kind.__name__}")
    return value


def _read_number(value: Any) -> float:
    try:
        return value if type(value) is float else float(_require_type(int, value))
    except OverflowError:
        raise ValueError("the number is too large") from None


def _read_bytes(value: Any) -> bytes:
    return base64.b64decode(_require_type(str, value), validate=True)


def _read_anything(value: Any) -> Any:
    """Return any JSON value, with tuples for arrays."""
    if isinstance(value, dict):
        return {key: _read_anything(item) for key, item in value.items()}
    return tuple(map(_read_anything, value)) if isinstance(value, list) else value


def _read_annotated(reader: Reader, tests: tuple[Callable[[Any], bool], ...], value: Any) -> Any:
    result = reader(value)
    if not all(test(result) for test in tests):
        raise ValueError(f"{value!r:.40} is not what it may be")
    return result


def _read_union(readers: tuple[Reader, ...], value: Any) -> Any:
    errors = []
    for reader in readers:
        try:
            return reader(value)
        except ValueError as error:
            errors.append(error)
    raise errors[0]


def _read_literal(options: tuple[Any, ...], value: Any) -> Any:
    if not any(type(value) is type(option) and value == option for option in options):
        raise ValueError(f"{value!r:.40} is none of {options}")
    return value


def _read_sequence(reader: Reader, value: Any) -> tuple[Any, ...]:
    return tuple(map(reader, _require_type(list, value)))


def _read_tuple(readers: tuple[Reader, ...], value: Any) -> tuple[Any, ...]:
    return tuple(reader(item) for reader, item in zip(readers, _require_type(list, value), strict=True))


def _read_mapping(key: Reader, reader: Reader, value: Any) -> dict[Any, Any]:
    return {key(name): reader(item) for name, item in _require_type(dict, value).items()}


@cache
def _fields(kind: Any) -> tuple[dict[str, Reader], frozenset[str]]:
    """Return the reader of each field of a record, by name, and the names of the required fields."""
    hints = get_type_hints(kind, include_extras=True)
    required = (field.name for field in fields(kind) if field.default is field.default_factory is MISSING)
    return {field.name: _reader(hints[field.name]) for field in fields(kind)}, frozenset(required)


def _read_record(kind: Any, value: Any) -> Any:
    readers, required = _fields(kind)
    values = _require_type(dict, value)
    if lacking := required - values.keys() or values.keys() - readers.keys():
        raise ValueError(f"{min(lacking)} of {kind.__name__}: there must not be one, or there is none")
    attributes = {}
    for name, item in values.items():
        try:
            attributes[name] = readers[name](item)
        except ValueError as error:
            raise ValueError(f"{name} of {kind.__name__}: {error}") from None
    return kind(**attributes)


_LEAVES: dict[Any, Reader] = {
    Any: _read_anything,
    object: lambda value: value,
    float: _read_number,
    bytes: _read_bytes,
    Path: lambda value: Path(_require_type(str, value)),
    None: partial(_require_type, types.NoneType),
    types.NoneType: partial(_require_type, types.NoneType),
    **{kind: partial(_require_type, kind) for kind in (str, int, bool)},
}
