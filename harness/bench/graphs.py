"""Work to one compiled file of graphs, in a child process: on a machine without a GPU too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from harness.bench.work import Work
from harness.build import toolchain
from harness.build.cache import Cache, digest, key_of
from harness.errors import CompileError
from harness.model.sources import ROOT
from harness.model.target import Target

__all__ = ["build"]

LIMIT_SECONDS = 900.0


def build(works: Sequence[Work], target: Target, cache: Cache | None = None) -> Path:
    """The MEF with a graph for each piece of work, from the cache or compiled now.

    Raises:
        CompileError: A kernel does not compile.
    """
    store = cache or Cache.default()
    files = sorted({path for work in works for path, _ in work.packages} | {__file__})
    key = key_of(
        {
            "kind": "bench",
            "target": target.name,
            "host": os.uname().machine,
            "versions": toolchain.package_versions(),
            "sources": [digest(Path(path).read_bytes()) for path in files],
            "works": [[work.graph, work.parameters, [tensor.shape for tensor in work.tensors]] for work in works],
        }
    )
    blobs = store.get(key, ["mef"]) or store.put(key, {"mef": _compiled(works, target)})
    return blobs["mef"].path


def _compiled(works: Sequence[Work], target: Target) -> bytes:
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        stage = Path(folder).resolve()
        packages = dict.fromkeys(package for work in works for package in work.packages)
        for path, name in packages:
            toolchain.precompile(Path(path), name, stage)
        out = stage / "graphs.mef"
        job = {
            "api": target.max_api,
            "architecture": target.architecture,
            "packages": [str(stage / f"{name}.mojoc") for _, name in packages],
            "works": [asdict(work) for work in works],
            "out": str(out),
        }
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        done = subprocess.run(
            [sys.executable, "-m", "harness.bench.graphs"],
            input=json.dumps(job),
            text=True,
            capture_output=True,
            env=environment,
            timeout=LIMIT_SECONDS,
            check=False,
        )
        if not out.is_file():
            raise CompileError(f"the graphs to be timed do not compile for {target}", done.stderr[-4000:])
        return out.read_bytes()


def _main() -> None:
    from harness.build import graphs

    job = json.load(sys.stdin)
    device = graphs._device(job["api"], job["architecture"])
    from max.dtype import DType
    from max.engine import InferenceSession
    from max.graph import BufferType, DeviceRef, Graph, Module, TensorType, ops

    reference, module = DeviceRef.from_device(device), Module()
    packages = [Path(path) for path in job["packages"]]
    for work in job["works"]:
        tensors = work["tensors"]
        types = [
            (BufferType if tensor["written"] else TensorType)(DType.float32, tensor["shape"], device=reference)
            for tensor in tensors
        ]
        with Graph(work["graph"], input_types=types, custom_extensions=packages, module=module) as graph:
            values = [
                value.buffer if tensor["written"] else value.tensor
                for value, tensor in zip(graph.inputs, tensors, strict=True)
            ]
            ops.inplace_custom(work["op"], device=reference, values=values, out_types=[], parameters=work["parameters"])
            graph.output()
    try:
        InferenceSession(devices=[device]).compile(module, custom_extensions=packages).export_mef(job["out"])
    except Exception as error:
        print(error, error.__cause__, file=sys.stderr)
    sys.stderr.flush()
    os._exit(0)  # the runtime's own shutdown has nothing to do here and can fail


if __name__ == "__main__":
    _main()
