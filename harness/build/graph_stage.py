"""Run a puzzle's Python in a sandbox, and record the graph it builds and what it does with it.

No graph is compiled and nothing is computed: arrays are filled with their own number, so that they are recognised
later. The whole recording may be false, since the file's author may have taken over this process. What is executed
later is compiled only from what the caller has read in the graph's text.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness.process.child import Limits
from harness.process.stage import Stage

__all__ = ["LIMITS", "PACKAGE", "STAGE", "TORCH_LIMITS", "GraphRecording", "RecordingRequest", "main", "prepare"]

LIMITS = Limits(
    memory_bytes=2 << 30,
    cpu_seconds=30,
    file_bytes=1 << 20,
    open_files=256,
    processes=1,
    folder_bytes=16 << 20,
    seconds=90.0,
)
# Importing torch with CUDA takes most of that memory, and looks for libraries by another process.
TORCH_LIMITS = dataclasses.replace(LIMITS, memory_bytes=4 << 30, processes=4)
PACKAGE = "op"
_MOST = 8  # graphs, and executions of them, that are told
_ARCHITECTURE = "sm_90"  # of a GPU that only the graph is to name: its text is the same for each
# What building a graph does not need, by what Python's audit calls it.
_FORBIDDEN = re.compile(
    r"os\.(?:fork|forkpty|exec|posix_spawn|spawn|system|kill)|subprocess\..*|socket\.__new__|ctypes\..*"
)
_WRITES = re.compile(r"os\.(?:remove|rename|rmdir|mkdir|link|symlink|truncate|chmod|chown|utime)|shutil\..*")
_TO_WRITE = os.O_WRONLY | os.O_RDWR | os.O_CREAT

Form = tuple[tuple[int, ...], str]  # shape and element type


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingRequest:
    """A puzzle's Python, and how to call it.

    Attributes:
        file: The file's name.
        text: The file's content.
        function: The function to call.
        device: `cpu` or `gpu`.
        operands: The shape and element type of each argument.
        results: The shape and element type of each result of an execution.
        package: The op's package, in place of the folder `op` beside the file.
        limits: Limits for the process.
        torch: Whether it takes torch's tensors, and makes its session itself.
    """

    file: str
    text: str
    function: str
    device: str
    operands: tuple[Form, ...]
    results: tuple[Form, ...]
    package: bytes
    limits: Limits
    torch: bool = False


@dataclass(frozen=True, slots=True)
class GraphRecording:
    """A recording of a puzzle's Python.

    Attributes:
        graphs: The text of each graph that the session was to load.
        lines: For each graph, the lines at which its operations were built; 0 if unknown.
        executed: For each execution, the numbers of its operands; None for an unknown array.
        returned: The numbers of the returned arrays.
        error: The exception that ended it, or empty.
        line: The line that raised it; 0 if unknown.
    """

    graphs: tuple[str, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    executed: tuple[tuple[int | None, ...], ...] = ()
    returned: tuple[int | None, ...] = ()
    error: str = ""
    line: int = 0


STAGE = Stage(__name__, RecordingRequest, GraphRecording, most_bytes=1 << 20)


def prepare() -> None:
    """Import what a puzzle's Python needs, which it could not import under the audit hook."""
    from max import driver, engine, graph  # noqa: F401


def main() -> None:
    """Serve one request."""
    STAGE.serve(_record)


def _record(order: RecordingRequest, folder: Path) -> GraphRecording:
    """Call the file's function with numbered arrays, and return what it built, executed and returned: at most eight of
    each.

    An exception of any kind ends it, and is all that the recording then has. It changes MAX in this process.
    """
    from max import driver

    driver.set_virtual_device_api("cuda")
    driver.set_virtual_device_target_arch(_ARCHITECTURE)
    driver.set_virtual_device_count(1)
    device = driver.Accelerator() if order.device == "gpu" else driver.CPU()
    package = folder / f"{PACKAGE}.mojoc"
    package.write_bytes(order.package)
    _install_package(folder / PACKAGE, package)
    path = folder / order.file
    results = [_fill_array(-1 - number, *form) for number, form in enumerate(order.results)]
    session = (TorchRecordingSession if order.torch else RecordingSession)(results)
    operands = [_fill_array(number, *form) for number, form in enumerate(order.operands)]
    arguments = _convert_to_torch(operands, session) if order.torch else [*operands, session, device]
    path.write_text(order.text, encoding="utf-8")  # tracebacks show its lines
    try:
        with _audited():
            returned = _call_function(order.text, path, order.function, arguments)
    except BaseException as error:  # of any kind: SystemExit too
        return GraphRecording(error=f"{type(error).__name__}: {error}"[:2000], line=_error_line(error, path))
    values = returned if isinstance(returned, list | tuple) else [returned]
    return GraphRecording(
        graphs=tuple(str(built) for built in session.graphs[:_MOST]),
        lines=tuple(_operation_lines(built, path) for built in session.graphs[:_MOST]),
        executed=tuple(session.executed[:_MOST]),
        returned=tuple(map(_read_number, values[:_MOST])),
    )


class RecordingSession:
    """A stand-in for `max.engine.InferenceSession` that keeps graphs instead of compiling them.

    Args:
        results: The results of every execution.

    Attributes:
        graphs: The graphs to load.
        executed: For each execution, the numbers of its operands; None for an array that is no operand.
    """

    def __init__(self, results: list[np.ndarray]) -> None:
        self.graphs: list[Any] = []
        self.executed: list[tuple[int | None, ...]] = []
        self._results = results

    def load(self, graph: Any, **_: Any) -> RecordingSession:
        """Keep a graph and return this session, which stands for the compiled model; nothing is compiled.

        Raises TypeError for anything but a graph, and MAX's error for a graph without an output.
        """
        from max.graph import Graph

        if not isinstance(graph, Graph):
            raise TypeError(f"a session loads a Graph, but got {type(graph).__name__}")
        _ = graph.output_types  # an error where the file never told the graph its output
        self.graphs.append(graph)
        return self

    def execute(self, *operands: Any) -> list[Any]:
        """Record the operands' numbers, and return new buffers with the prepared results; nothing is computed."""
        from max.driver import Buffer

        self.executed.append(tuple(map(_read_number, operands)))
        return [Buffer.from_numpy(result.copy()) for result in self._results]

    __call__ = execute


class TorchRecordingSession(RecordingSession):
    """A stand-in for the session of a `CustomOpLibrary`, whose graphs fill the tensors that they get first."""

    def execute(self, *tensors: Any) -> list[Any]:
        """Fill the first tensors with the prepared results, record the others as operands, and return an empty list."""
        results, operands = tensors[: len(self._results)], tensors[len(self._results) :]
        self.executed.append(tuple(map(_read_number, operands)))
        for tensor, result in zip(results, self._results, strict=True):
            tensor.to_numpy()[...] = result.flat[0]
        return []


def _convert_to_torch(operands: list[np.ndarray], session: RecordingSession) -> list[Any]:
    """Return the operands as torch tensors of the same memory.

    From now on every `CustomOpLibrary` of this process uses this session.
    """
    import torch
    from max.experimental.torch import torch as bridge

    bridge.InferenceSession = lambda *_, **__: session
    # The first call of any op has torch load what compiles graphs, which looks for a folder to write to.
    idle = torch.library.custom_op("puzzles::nothing", lambda _: None, mutates_args=(), schema="(Tensor given) -> ()")
    idle(torch.zeros(1))
    return [torch.from_numpy(operand) for operand in operands]


def _call_function(text: str, path: Path, function: str, arguments: list[Any]) -> Any:
    """Execute the file's text and return the result of one of its functions; the file's own `main` is not run.

    The module goes into `sys.modules` under the file's stem. Raises NameError if there is no such function, and
    whatever the file raises.
    """
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    exec(compile(text, str(path), "exec"), module.__dict__)
    if not callable(called := getattr(module, function, None)):
        raise NameError(f"there is no function {function} here")
    return called(*arguments)


def _install_package(folder: Path, package: Path) -> None:
    """Make the folder of the op's source, and have MAX use `package` for any source that it would compile.

    Graphs of this process also record source lines from now on.
    """
    from max.graph import graph

    folder.mkdir()
    (folder / "__init__.mojo").touch()
    graph._build_mojo_source_package = lambda _: package
    graph.Graph.debug.source_tracebacks = True


def _fill_array(number: int, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    return np.full(shape, number, np.dtype(dtype))


def _read_number(value: Any) -> int | None:
    """Return the number that fills an array, as an int; None for mixed values, an empty array and anything else."""
    try:
        read = getattr(value, "to_numpy", None) or getattr(value, "numpy", None)  # a buffer of MAX, a tensor of torch
        array = read() if read else value
        first = array.reshape(-1)[:1]
        return int(first[0]) if first.size and bool((array == first[0]).all()) else None
    except (AttributeError, TypeError, ValueError, OverflowError, RuntimeError):
        return None


@contextlib.contextmanager
def _audited() -> Iterator[None]:
    """Raise PermissionError in the block at what building a graph does not need: processes, network, writing files.

    It serves the message; the sandbox is what keeps a hostile file in.
    """
    watching = True

    def refused(event: str, arguments: tuple[Any, ...]) -> None:
        if not watching:
            return
        if _FORBIDDEN.fullmatch(event):
            raise PermissionError(f"a graph is built without other processes, the network and foreign code ({event})")
        if _WRITES.fullmatch(event) or (event == "open" and arguments[2] & _TO_WRITE):
            raise PermissionError(f"a graph is built without writing files ({event} {arguments[0]!r})")

    sys.dont_write_bytecode = True
    sys.addaudithook(refused)
    try:
        yield
    finally:
        watching = False


def _error_line(error: BaseException, path: Path) -> int:
    """Return the innermost line of the file in an error's traceback, or of its own SyntaxError; 0 if there is none."""
    line = (error.lineno or 0) if isinstance(error, SyntaxError) and error.filename == str(path) else 0
    place = error.__traceback__
    while place:
        line = place.tb_lineno if place.tb_frame.f_code.co_filename == str(path) else line
        place = place.tb_next
    return line


def _operation_lines(graph: Any, path: Path) -> tuple[int, ...]:
    """Return the line of the file at which each operation of a graph was built, in order; 0 if unknown."""
    text = graph.module._to_mlir_str(source_locations=True)
    location_in_file = re.compile(rf"File \\22{re.escape(str(path))}\\22, line (\d+)")
    line_by_location = {}
    for name, location in re.findall(r"^(#loc\d+) = loc\((.*)\)$", text, re.MULTILINE):
        line_by_location[name] = int(([*location_in_file.findall(location)] or [0])[-1])
    return tuple(
        line_by_location.get(name, 0) for name in re.findall(r"^ {4}\S.* loc\((#loc\d+)\)$", text, re.MULTILINE)
    )
