"""The work of timed graphs in torch, CuPy and Triton (`Peers`), as calls or CUDA graphs on the engine's own stream.

Nothing here is required: what is not installed is said to be missing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.bench.work import BenchmarkGraph
from harness.model.case import Peer as Make

__all__ = ["Peer", "Peers"]


@dataclass(frozen=True, slots=True)
class Peer:
    """One way to do a piece of work.

    Attributes:
        name: `torch`, `torch graph`, `cupy` or `triton`.
        call: Enqueues it.
        result: The output after the last call, flattened.
    """

    name: str
    call: Callable[[], object]
    result: Callable[[], np.ndarray]


class Peers:
    """The peers that are installed: torch, CuPy and Triton.

    Args:
        stream: The native handle of the queue on which everything is timed.
    """

    def __init__(self, stream: int) -> None:
        self.versions: dict[str, str] = {}
        self._stream = stream
        self.torch = self._load("torch")
        self.cupy = self._load("cupy")
        self.triton = self._load("triton") if self.torch is not None else None
        if self.torch is not None:
            if self.torch.cuda.is_available():
                self.torch_stream = self.torch.cuda.ExternalStream(stream)
                self.torch.cuda.set_stream(self.torch_stream)
            else:
                self.versions["torch"] = "missing (no CUDA)"
                self.torch = self.triton = None

    def _load(self, name: str) -> Any:
        try:
            module = importlib.import_module(name)
        except ImportError:
            self.versions[name] = "missing"
            return None
        self.versions[name] = module.__version__
        return module

    def make_peers(self, work: BenchmarkGraph, source: Any) -> list[Peer]:
        """Return every installed peer for which the case has a maker.

        Those of torch come both as calls and as a CUDA graph, one with `graph` in its name only as a CUDA graph.

        Args:
            work: What.
            source: The input, on the GPU; it speaks DLPack.
        """
        methods: dict[str, Callable[[str, Make, BenchmarkGraph, Any], list[Peer]]] = {}
        if self.torch is not None:
            methods["torch"] = self._torch
        if self.cupy is not None:
            methods["cupy"] = self._cupy
        if self.triton is not None:
            methods["triton"] = self._triton
        peers = []
        for name, make in work.entry.peers.items():
            if library := methods.get(name.split()[0]):
                peers += library(name, make, work, source)
        return peers

    def _torch(self, name: str, make: Make, work: BenchmarkGraph, source: Any) -> list[Peer]:
        values, output, result = self._make_tensors(work, source)
        call = make(self.torch, values, output)
        graph = Peer(name if "graph" in name else f"{name} graph", self._capture(call), result)
        return [graph] if name == graph.name else [Peer(name, call, result), graph]

    def _make_tensors(self, work: BenchmarkGraph, source: Any) -> tuple[Any, Any, Callable[[], np.ndarray]]:
        """Return the input and an output in torch, and a function that waits and reads the output, flat.

        The input shares the memory of `source`.
        """
        output = self.torch.empty(work.tensors[0].shape, device="cuda")

        def result() -> np.ndarray:
            self.torch.cuda.synchronize()
            values: np.ndarray = output.cpu().numpy().ravel()
            return values

        return self.torch.from_dlpack(source), output, result

    def _capture(self, call: Callable[[], object]) -> Callable[[], object]:
        """Capture what `call` enqueues in a CUDA graph, and return its replay; calls it three times before."""
        torch = self.torch
        for _ in range(3):
            call()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.torch_stream):
            call()
        replay: Callable[[], object] = graph.replay
        return replay

    def _cupy(self, name: str, make: Make, work: BenchmarkGraph, source: Any) -> list[Peer]:
        with self.cupy.cuda.ExternalStream(self._stream) as stream:
            values = self.cupy.from_dlpack(source)
            output = self.cupy.empty(work.tensors[0].shape, np.float32)
        stream.use()
        return [Peer(name, make(self.cupy, values, output), lambda: np.ravel(self.cupy.asnumpy(output)))]

    def _triton(self, name: str, make: Make, work: BenchmarkGraph, source: Any) -> list[Peer]:
        from harness.bench import peers_triton

        values, output, result = self._make_tensors(work, source)
        return [Peer(name, make(peers_triton, values, output), result)]
