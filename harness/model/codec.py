"""Records that cross a process or a machine: dataclasses as JSON, and what comes back has exactly their form.

The hints of a record's fields say what is read. A field that is missing and has no default, one that nobody knows, a
value of another type: all of it is malformed then. Nothing is converted, and nothing is made but what the hints name,
whoever wrote it. `Annotated` adds what must hold of a value, as functions that say whether it does.

Written here since NaN, whole numbers of any size and halves of surrogate pairs, which names of files may have, must
come back as they were.
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

__all__ = ["decoded", "encoded", "read", "text", "within"]

T = TypeVar("T")
Reader = Callable[[Any], Any]


def encoded(value: Any) -> bytes:
    """A record as JSON, in ASCII.

    Raises:
        TypeError: Something in it is no part of a record.
    """
    return json.dumps(value, default=_form).encode()


def _form(value: Any) -> Any:
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


def decoded(kind: type[T], data: bytes | None) -> T:
    """The record that was encoded; nothing at all is none.

    Args:
        kind: What it is to be.
        data: As large as whoever asks can bear.

    Raises:
        ValueError: It is something else.
    """
    try:
        return read(kind, json.loads(data or b""))
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def read(kind: type[T], value: Any) -> T:
    """The record that is said by values of JSON, as `decoded` reads it.

    Raises:
        ValueError: It is something else.
    """
    hint: Any = kind
    made: T = _reader(hint)(value)
    return made


def within(least: float, most: float) -> Callable[[float], bool]:
    """That a number is no less than the one and below the other; NaN is not."""
    return lambda number: least <= number < most


def text(value: str) -> bool:
    """That a text has an encoding: no half of a surrogate pair."""
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


@cache
def _reader(hint: Any) -> Reader:
    """What reads a value of a type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return partial(_tested, _reader(inner[0]), inner[1:])
    if origin in (Union, types.UnionType):
        return partial(_either, tuple(map(_reader, inner)))
    if origin is Literal:
        return partial(_one_of, inner)
    if origin is tuple:
        many = inner[1:] == (...,)
        return partial(_several, _reader(inner[0])) if many else partial(_each, tuple(map(_reader, inner)))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return partial(_table, int if inner[0] is int else _reader(inner[0]), _reader(inner[1]))
    if is_dataclass(hint):
        return partial(_record, hint)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint
    return _LEAVES[hint]


def _exactly(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{value!r:.40} is no {kind.__name__}")
    return value


def _number(value: Any) -> float:
    try:
        return value if type(value) is float else float(_exactly(int, value))
    except OverflowError:
        raise ValueError("the number is too large") from None


def _bytes(value: Any) -> bytes:
    return base64.b64decode(_exactly(str, value), validate=True)


def _anything(value: Any) -> Any:
    """Whatever JSON has; its arrays are tuples."""
    if isinstance(value, dict):
        return {key: _anything(item) for key, item in value.items()}
    return tuple(map(_anything, value)) if isinstance(value, list) else value


def _tested(reader: Reader, tests: tuple[Callable[[Any], bool], ...], value: Any) -> Any:
    made = reader(value)
    if not all(test(made) for test in tests):
        raise ValueError(f"{value!r:.40} is not what it may be")
    return made


def _either(readers: tuple[Reader, ...], value: Any) -> Any:
    errors = []
    for reader in readers:
        try:
            return reader(value)
        except ValueError as error:
            errors.append(error)
    raise errors[0]


def _one_of(known: tuple[Any, ...], value: Any) -> Any:
    if not any(type(value) is type(one) and value == one for one in known):
        raise ValueError(f"{value!r:.40} is none of {known}")
    return value


def _several(reader: Reader, value: Any) -> tuple[Any, ...]:
    return tuple(map(reader, _exactly(list, value)))


def _each(readers: tuple[Reader, ...], value: Any) -> tuple[Any, ...]:
    return tuple(reader(item) for reader, item in zip(readers, _exactly(list, value), strict=True))


def _table(key: Reader, reader: Reader, value: Any) -> dict[Any, Any]:
    return {key(name): reader(item) for name, item in _exactly(dict, value).items()}


@cache
def _fields(kind: Any) -> tuple[dict[str, Reader], frozenset[str]]:
    """What reads each field of a record, and those that must be there."""
    hints = get_type_hints(kind, include_extras=True)
    required = (field.name for field in fields(kind) if field.default is field.default_factory is MISSING)
    return {field.name: _reader(hints[field.name]) for field in fields(kind)}, frozenset(required)


def _record(kind: Any, value: Any) -> Any:
    readers, required = _fields(kind)
    given = _exactly(dict, value)
    if lacking := required - given.keys() or given.keys() - readers.keys():
        raise ValueError(f"{min(lacking)} of {kind.__name__}: there must not be one, or there is none")
    made = {}
    for name, item in given.items():
        try:
            made[name] = readers[name](item)
        except ValueError as error:
            raise ValueError(f"{name} of {kind.__name__}: {error}") from None
    return kind(**made)


_LEAVES: dict[Any, Reader] = {
    Any: _anything,
    object: lambda value: value,
    float: _number,
    bytes: _bytes,
    Path: lambda value: Path(_exactly(str, value)),
    None: partial(_exactly, types.NoneType),
    types.NoneType: partial(_exactly, types.NoneType),
    **{kind: partial(_exactly, kind) for kind in (str, int, bool)},
}
