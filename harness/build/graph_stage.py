"""In a box of its own: runs a puzzle's Python, and tells what graph it built and what it did with it.

No graph is compiled and nothing is computed: arrays hold their own number, so that they are known again. All that is
told may be false, since whoever wrote the file may have taken over this process: what is executed later is compiled
from what the caller has read in the graph's text, and from nothing else.
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

__all__ = ["LIMITS", "PACKAGE", "STAGE", "TORCH_LIMITS", "GraphOrder", "Recorded", "main", "prepare"]

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
class GraphOrder:
    """A puzzle's Python, and how it is called.

    Attributes:
        file: Its name.
        text: What it holds.
        function: What is called.
        device: `cpu` or `gpu`.
        operands: What it gets.
        results: What an execution gives.
        package: The op's, in the place of the folder `op` that lies beside the file.
        limits: On all of it.
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
class Recorded:
    """What it did.

    Attributes:
        graphs: The text of each that the session was to load.
        lines: Of the file, at which their operations were built; 0 where none is known.
        executed: For each time that a model was executed, the numbers of its operands; None for one that is none.
        returned: The numbers of what was given back.
        error: The one that ended it, or empty.
        line: Where that was raised; 0 if that is not known.
    """

    graphs: tuple[str, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    executed: tuple[tuple[int | None, ...], ...] = ()
    returned: tuple[int | None, ...] = ()
    error: str = ""
    line: int = 0


STAGE = Stage(__name__, GraphOrder, Recorded, most_bytes=1 << 20)


def prepare() -> None:
    """Loads what each order needs: what a puzzle's Python imports, which it must not do while it is watched."""
    from max import driver, engine, graph  # noqa: F401


def main() -> None:
    """Does what the order asks."""
    STAGE.serve(_recorded)


def _recorded(order: GraphOrder, folder: Path) -> Recorded:
    from max import driver

    driver.set_virtual_device_api("cuda")
    driver.set_virtual_device_target_arch(_ARCHITECTURE)
    driver.set_virtual_device_count(1)
    device = driver.Accelerator() if order.device == "gpu" else driver.CPU()
    package = folder / f"{PACKAGE}.mojoc"
    package.write_bytes(order.package)
    _stand_in(folder / PACKAGE, package)
    path = folder / order.file
    results = [_numbered(-1 - number, *form) for number, form in enumerate(order.results)]
    session = (Bridge if order.torch else Session)(results)
    operands = [_numbered(number, *form) for number, form in enumerate(order.operands)]
    given = _bridged(operands, session) if order.torch else [*operands, session, device]
    path.write_text(order.text, encoding="utf-8")  # tracebacks show its lines
    try:
        with _watched():
            returned = _called(order.text, path, order.function, given)
    except BaseException as error:  # of any kind: SystemExit too
        return Recorded(error=f"{type(error).__name__}: {error}"[:2000], line=_line(error, path))
    several = returned if isinstance(returned, list | tuple) else [returned]
    return Recorded(
        graphs=tuple(str(built) for built in session.graphs[:_MOST]),
        lines=tuple(_lines(built, path) for built in session.graphs[:_MOST]),
        executed=tuple(session.executed[:_MOST]),
        returned=tuple(map(_number, several[:_MOST])),
    )


class Session:
    """In the place of `max.engine.InferenceSession`: keeps the graphs instead of compiling them.

    Args:
        results: What an execution gives.

    Attributes:
        graphs: Those that it was to load.
        executed: For each execution, the numbers of its operands; None for one that is no operand.
    """

    def __init__(self, results: list[np.ndarray]) -> None:
        self.graphs: list[Any] = []
        self.executed: list[tuple[int | None, ...]] = []
        self._results = results

    def load(self, graph: Any, **_: Any) -> Session:
        """Keeps a graph; what it gives stands for the compiled model."""
        from max.graph import Graph

        if not isinstance(graph, Graph):
            raise TypeError(f"a session loads a Graph, but got {type(graph).__name__}")
        _ = graph.output_types  # an error where the file never told the graph its output
        self.graphs.append(graph)
        return self

    def execute(self, *operands: Any) -> list[Any]:
        """Notes on what the model is executed, and gives results of the documented form."""
        from max.driver import Buffer

        self.executed.append(tuple(map(_number, operands)))
        return [Buffer.from_numpy(result.copy()) for result in self._results]

    __call__ = execute


class Bridge(Session):
    """In the place of the session of a `CustomOpLibrary`, whose graphs fill the tensors that they get first."""

    def execute(self, *tensors: Any) -> list[Any]:
        """Notes on what the model is executed, and fills the first tensors with the results."""
        results, operands = tensors[: len(self._results)], tensors[len(self._results) :]
        self.executed.append(tuple(map(_number, operands)))
        for tensor, result in zip(results, self._results, strict=True):
            tensor.to_numpy()[...] = result.flat[0]
        return []


def _bridged(operands: list[np.ndarray], session: Session) -> list[Any]:
    """The operands as torch's tensors; from now on each library has this session."""
    import torch
    from max.experimental.torch import torch as bridge

    bridge.InferenceSession = lambda *_, **__: session
    # The first call of any op has torch load what compiles graphs, which looks for a folder to write to.
    idle = torch.library.custom_op("puzzles::nothing", lambda _: None, mutates_args=(), schema="(Tensor given) -> ()")
    idle(torch.zeros(1))
    return [torch.from_numpy(operand) for operand in operands]


def _called(text: str, path: Path, function: str, arguments: list[Any]) -> Any:
    """What a function of the file gives; the file's own `main` is not run."""
    module = types.ModuleType(path.stem)
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    exec(compile(text, str(path), "exec"), module.__dict__)
    if not callable(called := getattr(module, function, None)):
        raise NameError(f"there is no function {function} here")
    return called(*arguments)


def _stand_in(folder: Path, package: Path) -> None:
    """The folder of the op's source; what it would be compiled to lies ready."""
    from max.graph import graph

    folder.mkdir()
    (folder / "__init__.mojo").touch()
    graph._build_mojo_source_package = lambda _: package
    graph.Graph.debug.source_tracebacks = True


def _numbered(number: int, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    return np.full(shape, number, np.dtype(dtype))


def _number(value: Any) -> int | None:
    """The number that fills an array; None for anything else."""
    try:
        read = getattr(value, "to_numpy", None) or getattr(value, "numpy", None)  # a buffer of MAX, a tensor of torch
        array = read() if read else value
        first = array.reshape(-1)[:1]
        return int(first[0]) if first.size and bool((array == first[0]).all()) else None
    except (AttributeError, TypeError, ValueError, OverflowError, RuntimeError):
        return None


@contextlib.contextmanager
def _watched() -> Iterator[None]:
    """Says at its line what a graph does not need; the box keeps out whoever goes around this."""
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


def _line(error: BaseException, path: Path) -> int:
    """The innermost line of the file in which an error was raised; 0 if there is none."""
    line = (error.lineno or 0) if isinstance(error, SyntaxError) and error.filename == str(path) else 0
    place = error.__traceback__
    while place:
        line = place.tb_lineno if place.tb_frame.f_code.co_filename == str(path) else line
        place = place.tb_next
    return line


def _lines(graph: Any, path: Path) -> tuple[int, ...]:
    """The line of the file at which each operation of a graph was built, in order; 0 where none is known."""
    text = graph.module._to_mlir_str(source_locations=True)
    here = re.compile(rf"File \\22{re.escape(str(path))}\\22, line (\d+)")
    known = {}
    for name, location in re.findall(r"^(#loc\d+) = loc\((.*)\)$", text, re.MULTILINE):
        known[name] = int(([*here.findall(location)] or [0])[-1])
    return tuple(known.get(name, 0) for name in re.findall(r"^ {4}\S.* loc\((#loc\d+)\)$", text, re.MULTILINE))
