"""Values of kernel arguments, parsed from `--arg` and from files of launches.

f32:1.5  i32:7  7  true       a number, of a stated type or the parameter's;
                              so too `nan` and `inf`
null                          a null pointer
FILE.npy                      an array from a file
zeros:f32:4x6                 an array of zeros; so too `ones`, and `arange`
                              for 0, 1, 2, ...
random:f32:4x6:SEED           floats, normally distributed, or integers from
                              -100 (0 if unsigned) to 100; seed 0 unless told
empty:f32:32                  an array that the host does not write
@NAME  @NAME[2:9]             an array given before, or some of its elements:
                              the same memory
{VALUE,VALUE,...}             a struct, nested like its type or flat
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness import simt
from harness.errors import UsageError, unknown_name

__all__ = ["DTYPES", "Values", "split_assignment"]

DTYPES: dict[str, type[np.generic]] = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
FILLS = ("zeros", "ones", "arange", "random", "empty")
LITERALS: dict[str, Any] = {"null": None, "true": True, "false": False}
_REFERENCE = re.compile(r"@([^\[\]]+)(?:\[(-?\d*):(-?\d*)\])?")


@dataclass
class Values:
    """Parses values of arguments, and keeps the arrays among them by name.

    Attributes:
        arrays: The arrays by name.
    """

    arrays: dict[str, simt.Buffer] = field(default_factory=dict)

    def read(self, name: str, value: object) -> Any:
        """Return a value as `simt.launch` takes it: a number, None, a buffer for an array, a tuple for a struct.

        A new array is added to `arrays` under `name`; an `@` reference shares the memory of an array there.

        Args:
            name: The argument's name; fields of a struct are named `NAME.0`, `NAME.1` and so on.
            value: A text like `f32:1.5`, `zeros:f32:4x6`, `FILE.npy`, `@NAME[2:9]` or `{VALUE,...}`; or from JSON a
                number, a list for a struct, or None.

        Raises:
            UsageError: It is no value, names an unknown array or one without elements, is an array with a name that
                exists, or its file cannot be read.
        """
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, list):
            return tuple(self.read(f"{name}.{number}", part) for number, part in enumerate(value))
        if not isinstance(value, str):
            raise UsageError(f"{name} is {value!r}: a value is a text, a number, null or a list.")
        text = value.strip()
        if text.startswith("{") and text.endswith("}"):
            return tuple(
                self.read(f"{name}.{number}", part) for number, part in enumerate(_split_at_commas(name, text[1:-1]))
            )
        if text.startswith("@"):
            return self._resolve_reference(text)
        if text in LITERALS:
            return LITERALS[text]
        if text.endswith(".npy"):
            return self._keep(simt.Buffer(_load_array(Path(text)), name))
        kind, colon, rest = text.partition(":")
        if kind in FILLS and colon:
            return self._keep(_make_array(name, kind, rest))
        return _parse_number(name, text)

    def mark_initialised(self, value: Any) -> Any:
        """Return a value for a later launch: arrays, in structs too, are replaced by copies that share memory and count
        as initialised.
        """
        if isinstance(value, tuple):
            return tuple(self.mark_initialised(part) for part in value)
        return replace(value, initialised=True) if isinstance(value, simt.Buffer) else value

    def _keep(self, buffer: simt.Buffer) -> simt.Buffer:
        assert buffer.name is not None
        if buffer.name in self.arrays:
            raise UsageError(f"there is an array {buffer.name!r} already: @{buffer.name} refers to it.")
        self.arrays[buffer.name] = buffer
        return buffer

    def _resolve_reference(self, text: str) -> simt.Buffer:
        match = _REFERENCE.fullmatch(text)
        if match is None:
            raise UsageError(f"{text!r} is not like @NAME or @NAME[2:9].")
        if match[1] not in self.arrays:
            raise (
                unknown_name("array", match[1], self.arrays)
                if self.arrays
                else UsageError(f"{text}: no array is given.")
            )
        array = self.arrays[match[1]]
        if "[" not in text:
            return array
        start, stop = (int(elements) if elements else None for elements in (match[2], match[3]))
        elements = array.array.reshape(-1)[start:stop]
        if not elements.size:
            raise UsageError(f"{text} has no elements: {match[1]} has {array.array.size}.")
        return replace(array, array=elements, name=text[1:])


def split_assignment(flag: str, text: str) -> tuple[str, str]:
    """Split NAME=VALUE of a flag at the first `=`; neither is stripped, and neither may be empty.

    Raises:
        UsageError: The text is not NAME=VALUE.
    """
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise UsageError(f"{flag} {text!r} is not NAME=VALUE.")
    return name, value


def _split_at_commas(name: str, text: str) -> list[str]:
    """Split a text at commas outside of inner braces; the parts are not stripped.

    Raises:
        UsageError: Braces do not match, or a part is blank; the message begins with `name`.
    """
    fields, depth, closes_too_early = [""], 0, False
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        closes_too_early |= depth < 0
        if letter == "," and depth == 0:
            fields.append("")
        else:
            fields[-1] += letter
    if depth or closes_too_early or not all(part.strip() for part in fields):
        raise UsageError(f"{name}: {{{text}}} is not like {{VALUE,VALUE}}.")
    return fields


def _parse_number(name: str, text: str) -> Any:
    kind, colon, rest = text.partition(":")
    if not colon:
        for reader in (lambda: int(text, 0), lambda: float(text)):
            try:
                return reader()
            except ValueError:
                continue
    if kind not in DTYPES:
        raise unknown_name("kind of value", kind, [*FILLS, *DTYPES, *LITERALS, "nan", "inf"])
    try:
        return DTYPES[kind](float(rest) if kind.startswith("f") else int(rest, 0))
    except (ValueError, OverflowError):
        raise UsageError(f"{name}: {rest!r} is no {kind}.") from None


def _make_array(name: str, kind: str, rest: str) -> simt.Buffer:
    element, _, shape = rest.partition(":")
    shape, _, seed = shape.partition(":")
    if element not in DTYPES:
        raise unknown_name("element type", element, DTYPES)
    if seed and (kind != "random" or not seed.isdecimal()):
        raise UsageError(f"{name}: {kind}:{rest} is not like zeros:f32:4x6 or random:f32:4x6:7.")
    dtype = np.dtype(DTYPES[element])
    try:
        extents = tuple(int(part) for part in shape.split("x"))
        array = np.zeros(extents, dtype)
    except (ValueError, OverflowError):
        raise UsageError(f"{name}: the shape {shape!r} is not like 4x6.") from None
    if not array.size:
        raise UsageError(f"{name}: an array needs at least one element.")
    match kind:
        case "ones":
            array[...] = 1
        case "arange":
            array[...] = np.arange(array.size).astype(dtype).reshape(extents)
        case "random":
            # The name makes two arrays of one seed differ.
            random = np.random.default_rng([int(seed or 0), zlib.crc32(name.encode())])
            least = 0 if dtype.kind == "u" else -100
            normal = dtype.kind == "f"
            array[...] = random.standard_normal(extents) if normal else random.integers(least, 101, extents)
    return simt.Buffer(array, name, initialised=kind != "empty")


def _load_array(path: Path) -> np.ndarray[Any, Any]:
    try:
        return np.ascontiguousarray(np.load(path, allow_pickle=False))
    except Exception as error:  # NumPy reads a header as Python's own reader does, which raises whatever it meets
        reason = str(error).splitlines()[:1] or [type(error).__name__]
        raise UsageError(f"cannot read {path} as a NumPy array: {reason[0].partition('. ')[0].rstrip('.')}.") from None
