"""The same work in torch, CuPy and Triton, on the engine's own stream and data.

Nothing here is required: what is not installed is said to be missing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.bench.work import Work

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
    """What is installed.

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

    def of(self, work: Work, source: Any) -> list[Peer]:
        """Every installed peer that does this work.

        Args:
            work: What.
            source: The input, on the GPU; it speaks DLPack.
        """
        peers = []
        if self.torch is not None:
            peers += self._torch(work, source)
        if self.cupy is not None:
            peers += self._cupy(work, source)
        if self.triton is not None and work.scaled:
            peers += self._triton(work, source)
        return peers

    def _torch(self, work: Work, source: Any) -> list[Peer]:
        torch = self.torch
        values = torch.from_dlpack(source)
        shape = work.tensors[0].shape
        output = torch.empty(shape if len(shape) == 1 else shape[:1], device="cuda")
        if work.case == "p34@scale":
            output = torch.empty((), device="cuda")

        def result() -> np.ndarray:
            torch.cuda.synchronize()
            values: np.ndarray = output.cpu().numpy().ravel()
            return values

        call = self._torch_call(work, values, output)
        if call is None:
            return []
        peers = [Peer("torch", call, result), Peer("torch graph", self._captured(call), result)]
        if work.case == "p34:reduction":
            # Less than the puzzle does: its partial sums are left out.
            alone = self._captured(lambda: torch.sum(values, 0, out=torch.empty((), device="cuda")))
            peers.append(Peer("torch graph, total alone", alone, result))
        return peers

    def _torch_call(self, work: Work, values: Any, output: Any) -> Callable[[], object] | None:
        """What does the same in torch; None where nobody has written that down."""
        torch, blocks = self.torch, work.blocks
        match work.case:
            case "p15" | "p15@scale":
                return lambda: torch.sum(values, 1, out=output)
            case "p26:pair-swap":
                pairs = values.view(-1, 2)
                return lambda: torch.flip(pairs, (1,))
            case "p26:parallel-max":
                return lambda: torch.amax(values, 0)
            case "p26:conditional-max":
                warps = values.view(blocks, -1)
                even = torch.arange(warps.shape[1], device="cuda") % 2 == 0
                return lambda: torch.where(even, torch.amax(warps, 1, True), torch.amin(warps, 1, True))
            case "p26@scale":
                return lambda: torch.amax(values, 1, out=output)
            case "p34:reduction":  # the partial sums are results too
                rows, partials, total = values.view(blocks, -1), torch.empty(blocks, device="cuda"), output[0]
                return lambda: (torch.sum(rows, 1, out=partials), torch.sum(partials, 0, out=total))
            case "p34@scale":
                return lambda: torch.sum(values, 0, out=output)
        return None

    def _captured(self, call: Callable[[], object]) -> Callable[[], object]:
        """The replay of a CUDA graph of what `call` enqueues."""
        torch = self.torch
        for _ in range(3):
            call()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.torch_stream):
            call()
        replay: Callable[[], object] = graph.replay
        return replay

    def _cupy(self, work: Work, source: Any) -> list[Peer]:
        cupy = self.cupy
        with cupy.cuda.ExternalStream(self._stream) as stream:
            values = cupy.from_dlpack(source)
            output = cupy.empty(work.tensors[0].shape[:1] if values.ndim == 2 else (), np.float32)
        calls = {
            "p15": lambda: values.sum(axis=1, out=output),
            "p34:reduction": lambda: values.sum(out=output),
            "p15@scale": lambda: values.sum(axis=1, out=output),
            "p26@scale": lambda: values.max(axis=1, out=output),
            "p34@scale": lambda: values.sum(out=output),
        }
        if work.case not in calls:
            return []
        stream.use()
        return [Peer("cupy", calls[work.case], lambda: np.ravel(cupy.asnumpy(output)))]

    def _triton(self, work: Work, source: Any) -> list[Peer]:
        from harness.bench import peers_triton

        values = self.torch.from_dlpack(source)
        call, output = peers_triton.prepare(work.case, values)

        def result() -> np.ndarray:
            self.torch.cuda.synchronize()
            values: np.ndarray = output.cpu().numpy().ravel()
            return values

        return [Peer("triton", call, result)]
