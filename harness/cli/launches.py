"""The launches of `simulate`, parsed from its flags (one) or a file (several).

The file is a JSON list of objects, launched one after another; arrays keep
their contents between them:

    [{"kernel": "fill", "grid": 1, "block": 32,
      "args": {"data": "empty:f32:32"}},
     {"kernel": "sum", "grid": [2, 1], "block": 32,
      "args": {"out": "zeros:f32:2", "data": "@data", "size": 32}}]

`cluster`, `shared_bytes`, `args` and, where there is only one, `kernel` may
be left out.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.cli.values import Values, split_assignment
from harness.errors import UsageError, unknown_name

__all__ = ["PlannedLaunch", "plan_launches"]

KEYS = ("kernel", "grid", "block", "cluster", "args", "shared_bytes")
Extent = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedLaunch:
    """A launch that `simulate` makes.

    Attributes:
        kernel: The name or symbol by which `simt.launch` finds the kernel; None for the only one.
        grid: Blocks in x, y and z; missing ones are 1.
        block: Threads of a block.
        cluster: Blocks of a cluster.
        shared_bytes: Dynamic shared memory of a block.
        args: Values in the kernel's order.
    """

    kernel: str | None
    grid: Extent
    block: Extent
    cluster: Extent = (1,)
    shared_bytes: int = 0
    args: tuple[Any, ...] = ()

    def __str__(self) -> str:
        extents = [self.grid, self.block, *([self.cluster] if self.cluster != (1,) else [])]
        return f"{self.kernel or 'kernel'} " + " x ".join(f"({', '.join(map(str, extent))})" for extent in extents)


def plan_launches(arguments: Namespace, values: Values) -> list[PlannedLaunch]:
    """Return the launches that the command line describes, by flags or by a file; arrays among their arguments are kept
    in `values`.

    Raises:
        UsageError: Flags or file are invalid.
    """
    if arguments.launches is None:
        return [_launch_from_flags(arguments, values)]
    for flag in ("kernel", "grid", "block", "cluster", "arg", "shared_bytes"):
        if getattr(arguments, flag):
            raise UsageError(f"--launches and --{flag.replace('_', '-')} cannot be combined: the file says it.")
    return _launches_from_file(arguments.launches, values)


def _launch_from_flags(arguments: Namespace, values: Values) -> PlannedLaunch:
    for flag in ("grid", "block"):
        if getattr(arguments, flag) is None:
            raise UsageError(f"--{flag} is missing: say how many, like --{flag} 4,1,1, or give --launches FILE.")
    args = []
    for text in arguments.arg:
        args.append(values.read(*split_assignment("--arg", text)))
    return PlannedLaunch(
        kernel=arguments.kernel,
        grid=_parse_extent("--grid", arguments.grid),
        block=_parse_extent("--block", arguments.block),
        cluster=_parse_extent("--cluster", arguments.cluster or 1),
        shared_bytes=arguments.shared_bytes or 0,
        args=tuple(args),
    )


def _launches_from_file(path: Path, values: Values) -> list[PlannedLaunch]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no JSON: {error}.") from None
    if not isinstance(entries, list) or not entries:
        raise UsageError(f"{path} is no list of launches: see `puzzles simulate --help`.")
    launches = []
    for number, entry in enumerate(entries, start=1):
        try:
            launches.append(_parse_entry(entry, values))
        except UsageError as error:
            raise UsageError(f"{path}, launch {number}: {error}") from None
    return launches


def _parse_entry(entry: object, values: Values) -> PlannedLaunch:
    if not isinstance(entry, Mapping):
        raise UsageError(f"a launch is an object with {', '.join(KEYS)}, but this is {entry!r}.")
    for key in entry:
        if key not in KEYS:
            raise unknown_name("key", key, KEYS)
    for key in ("grid", "block"):
        if key not in entry:
            raise UsageError(f"{key!r} is missing.")
    kernel, args, shared = entry.get("kernel"), entry.get("args", {}), entry.get("shared_bytes", 0)
    if not (kernel is None or isinstance(kernel, str)):
        raise UsageError(f"'kernel' is a name, but got {kernel!r}.")
    if not isinstance(args, Mapping):
        raise UsageError("'args' is an object: the name of each argument and its value, in the kernel's order.")
    if not isinstance(shared, int) or isinstance(shared, bool) or shared < 0:
        raise UsageError(f"'shared_bytes' is a number of at least 0, but got {shared!r}.")
    return PlannedLaunch(
        kernel=kernel,
        grid=_parse_extent("'grid'", entry["grid"]),
        block=_parse_extent("'block'", entry["block"]),
        cluster=_parse_extent("'cluster'", entry.get("cluster", 1)),
        shared_bytes=shared,
        args=tuple(values.read(name, value) for name, value in args.items()),
    )


def _parse_extent(name: str, value: object) -> Extent:
    """Parse `4,1,1`, 4 or [4, 1, 1] into one to three positive numbers.

    Raises:
        UsageError: It is something else; the message begins with `name`.
    """
    texts: list[object] = (
        list(value.split(",")) if isinstance(value, str) else value if isinstance(value, list) else [value]
    )
    try:
        extent = tuple(int(str(part)) for part in texts)
    except ValueError:
        extent = ()
    if not 1 <= len(extent) <= 3 or min(extent) < 1:
        raise UsageError(f"{name} {value!r} is not one to three positive numbers like 4,1,1.")
    return extent
