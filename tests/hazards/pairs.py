"""Kernels with a fault beside near twins without one.

A pair is a file `<class>/<name>.ll` with the kernels `caught` and `clean`; its
first lines say what is wrong, the launch (a fourth number is its dynamic shared
memory, in bytes), the arguments as `name:role:type:count`
(`in` is read-only, `out` not initialised, `inout` zeroed; `map` is a tensor map, whose
count is `8x16:4x16`, a tensor counted up from 0 and its box), and the finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from harness import simt

__all__ = ["PAIRS", "arguments", "header", "name", "run"]

PAIRS = sorted(Path(__file__).parent.glob("*/*.ll"))
TYPES = {"f32": np.float32, "i32": np.int32, "i16": np.int16}


def name(path: Path) -> str:
    """`class/name`."""
    return f"{path.parent.name}/{path.stem}"


def header(path: Path, key: str) -> str:
    """What the comment `; key: ...` of a pair says."""
    match = re.search(rf"^; {key}: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert match, f"{name(path)} says no `; {key}: ...`"
    return match[1]


def run(
    path: Path, kernel: str, seed: int | None = None, args: list | None = None, engine: str = "reference", **observers
) -> simt.LaunchResult:
    """Launches one of the two kernels under all observers but those left out, on arguments of its own unless given."""
    grid, block, cluster, *shared = map(int, re.findall(r"\d+", header(path, "launch")))
    return simt.launch(
        path.read_text(encoding="utf-8"),
        kernel=kernel,
        target=header(path, "target"),
        grid=grid,
        block=block,
        cluster=cluster,
        args=list(arguments(path)) if args is None else args,
        dynamic_shared_bytes=sum(shared),
        observers=simt.observers(**observers),
        options=simt.Options(seed=seed, engine=engine),
    )


def arguments(path: Path) -> Iterator[simt.Buffer | simt.TensorMap]:
    """What both kernels of a pair are given, anew for each launch."""
    for argument in header(path, "arguments").split():
        label, role, kind, count, *box = argument.split(":")
        if role == "map":
            shape, size = (tuple(map(int, text.split("x"))) for text in (count, *box))
            yield simt.TensorMap(np.arange(np.prod(shape)).astype(TYPES[kind]).reshape(shape), size)
            continue
        values = np.arange(int(count)) if role == "in" else np.zeros(int(count))
        yield simt.Buffer(values.astype(TYPES[kind]), label, initialised=role != "out", writable=role != "in")
