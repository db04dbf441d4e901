"""Work to one compiled file of graphs: on a machine without a GPU too."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from harness.bench.work import Work
from harness.build import generate, toolchain
from harness.build.cache import Cache, digest, key_of
from harness.build.graphs import TOOLS
from harness.build.stage import Stage
from harness.build.unit import Build
from harness.model.target import Target

__all__ = ["build"]


def build(works: Sequence[Work], target: Target, cache: Cache | None = None) -> Path:
    """The MEF with a graph for each piece of work, from the cache or compiled now.

    Raises:
        CompileError: A kernel does not compile.
    """
    made = Build(target=target, cache=cache or Cache.default())
    launched = [unit for work in works for unit, _ in work.launches]
    files = sorted({unit.file for unit in launched} | set(TOOLS))
    key = key_of(
        {
            "kind": "bench",
            "target": target.name,
            "host": os.uname().machine,
            "versions": toolchain.package_versions(),
            "sources": [digest(path.read_bytes()) for path in files],
            "generated": generate.ops(launched),
            "graphs": [asdict(work.spec) for work in works],
        }
    )
    if blobs := made.cache.get(key, ("mef",)):
        return blobs["mef"].path
    with Stage(made) as stage:
        stage.add_kernels(launched)
        for error in stage.errors.values():
            raise error
        _, data = stage.compile(launched, [work.spec for work in works])
    return made.cache.put(key, {"mef": data})["mef"].path
