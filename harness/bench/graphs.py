"""Compile the timed graphs into one MEF file, or take it from the cache; no GPU is needed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from harness.bench.work import BenchmarkGraph
from harness.build import generate, toolchain
from harness.build.cache import Cache, make_key, sha256_hex
from harness.build.graphs import TOOLS
from harness.build.stage import GraphBuilder
from harness.build.unit import Build
from harness.model.target import Target

__all__ = ["build"]


def build(works: Sequence[BenchmarkGraph], target: Target, cache: Cache | None = None) -> Path:
    """Return the MEF with each graph, from the cache or compiled now.

    Raises:
        CompileError: A kernel does not compile; it is the first such error.
    """
    settings = Build(target=target, cache=cache or Cache.default())
    launched_units = [unit for work in works for unit, _ in work.launches]
    files = sorted({unit.file for unit in launched_units} | set(TOOLS))
    key = make_key(
        {
            "kind": "bench",
            "target": target.name,
            "host": os.uname().machine,
            "versions": toolchain.package_versions(),
            "sources": [sha256_hex(path.read_bytes()) for path in files],
            "generated": generate.generate_ops(launched_units),
            "graphs": [asdict(work.spec) for work in works],
        }
    )
    if blobs := settings.cache.get(key, ("mef",)):
        return blobs["mef"].path
    with GraphBuilder(settings) as stage:
        stage.add_kernels(launched_units)
        for error in stage.errors.values():
            raise error
        _, data = stage.compile(launched_units, [work.spec for work in works])
    return settings.cache.put(key, {"mef": data})["mef"].path
