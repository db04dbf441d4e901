"""`simulate`: any compiled kernel, with arrays of one's own, in the SIMT simulator."""

from __future__ import annotations

import sys
import zipfile
from argparse import Namespace
from pathlib import Path

import numpy as np

from harness import simt
from harness.build import toolchain
from harness.errors import EnvironmentFault, UsageError, unknown
from harness.model import exit_code
from harness.model.target import Target
from harness.report import json_report
from harness.simt import render

__all__ = ["argument", "simulate"]

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
ARRAYS = ("zeros", "ones", "arange", "empty")


def simulate(arguments: Namespace) -> int:
    """Runs the kernel and prints the findings; exit code 0 only if it is clean."""
    target = Target.parse(arguments.target)
    code = _code(arguments.file, target, arguments.kernel)
    named = [argument(text) for text in arguments.arg]
    try:
        result = simt.launch(
            code,
            kernel=arguments.kernel,
            target=target.name,
            grid=_extent("grid", arguments.grid),
            block=_extent("block", arguments.block),
            cluster=_extent("cluster", arguments.cluster),
            args=[value for _, value in named],
            dynamic_shared_bytes=arguments.shared_bytes,
            observers=simt.observers(),
            options=simt.Options(seed=arguments.seed),
        )
    except simt.SimtError as error:
        raise UsageError(f"{arguments.file.name}: {error}.") from error
    for line in result.printed:
        print(line, end="" if line.endswith("\n") else "\n")
    print(render.text(result), end="")
    arrays = {name: value.array for name, value in named if isinstance(value, simt.Buffer)}
    for name, array in arrays.items():
        print(f"{name} = {np.array2string(array, threshold=64)}")
    if arguments.out:
        _save(arguments.out, arrays)
    if arguments.json:
        json_report.write(arguments.json, render.as_dict(result))
    if result.verdict == "incomplete":
        print(f"error: the simulator does not know all of this kernel: {result.fault}", file=sys.stderr)
    return exit_code.of_statuses([result.verdict])


def argument(text: str) -> tuple[str, simt.Buffer | np.generic]:
    """Reads one `NAME=VALUE`.

    Returns:
        The name and an array (`FILE.npy`, `zeros:f32:4x6`, `empty:f32:32`) or a
        scalar (`i32:7`).

    Raises:
        UsageError: It is none of these.
    """
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise UsageError(f"--arg {text!r} is not NAME=VALUE.")
    if value.endswith(".npy"):
        return name, simt.Buffer(_load(Path(value)), name)
    kind, _, rest = value.partition(":")
    if kind in ARRAYS:
        dtype, _, shape = rest.partition(":")
        return name, _array(text, name, kind, dtype, shape)
    if kind not in DTYPES:
        raise unknown("kind of argument", kind, [*ARRAYS, *DTYPES])
    try:
        return name, DTYPES[kind](float(rest) if kind.startswith("f") else int(rest, 0))
    except (ValueError, OverflowError) as error:
        raise UsageError(f"--arg {text!r}: {rest!r} is no {kind}.") from error


def _array(text: str, name: str, kind: str, dtype: str, shape: str) -> simt.Buffer:
    if dtype not in DTYPES:
        raise unknown("element type", dtype, DTYPES)
    try:
        extents = tuple(int(part) for part in shape.split("x"))
    except ValueError as error:
        raise UsageError(f"--arg {text!r}: the shape {shape!r} is not like 4x6.") from error
    if min(extents) < 1:
        raise UsageError(f"--arg {text!r}: an array needs at least one element.")
    if kind == "arange":
        array = np.arange(int(np.prod(extents))).astype(DTYPES[dtype]).reshape(extents)
    else:
        array = np.full(extents, 1 if kind == "ones" else 0, DTYPES[dtype])
    return simt.Buffer(array, name, initialised=kind != "empty")


def _load(path: Path) -> np.ndarray:
    try:
        return np.ascontiguousarray(np.load(path, allow_pickle=False))
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise UsageError(f"cannot read {path} as a NumPy array: {error}.") from error


def _save(folder: Path, arrays: dict[str, np.ndarray]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {folder}: {error.strerror}.") from error


def _extent(name: str, text: str) -> tuple[int, ...]:
    try:
        values = tuple(int(part) for part in text.split(","))
    except ValueError:
        values = ()
    if not 1 <= len(values) <= 3 or min(values) < 1:
        raise UsageError(f"--{name} {text!r} is not one to three positive numbers like 4,1,1.")
    return values


def _code(file: Path, target: Target, kernel: str | None) -> str:
    if not file.is_file():
        raise UsageError(f"no file at {file}.")
    if file.suffix == ".ll":
        return file.read_text()
    if file.suffix != ".mojo":
        raise UsageError(f"{file} is neither LLVM IR (.ll) nor Mojo (.mojo).")
    kernels = toolchain.emit(file, target.architecture, "llvm", defines={}, includes=[file.parent])
    wanted = {symbol: text for symbol, text in kernels.items() if kernel is None or kernel in symbol}
    if len(wanted) != 1:
        raise UsageError(
            f"{file.name} has {len(kernels)} kernels: choose one with --kernel; there are {', '.join(kernels)}."
        )
    return next(iter(wanted.values()))
