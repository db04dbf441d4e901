"""Ask a module in a sandbox: `Stage.ask` sends a record, returns a result or whom to blame; `Stage.serve` answers.

    STAGE = Stage(__name__, CompileOrder, Compiled, most_bytes=64 << 20)

    def main() -> None:
        STAGE.serve(compiled)  # takes the request, and the folder that it has to itself

`STAGE.ask(order, box)` is the other end. Both are records (`harness.model.codec`), and the limits stand in the request:
those of the sandbox, and of what the stage calls.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Generic, Literal, Protocol, TypeVar

from harness.errors import HarnessError
from harness.model import codec
from harness.process.box import AnySandbox, SandboxAnswer, Stop
from harness.process.child import Limits, ProcessExit, wait_for_abandoned
from harness.process.fork_server import OUR_MACHINE
from harness.process.watch import STOPPED, peak_bytes
from harness.simt.plain import one_line

__all__ = ["MAX_NUMBER", "Blame", "Stage", "StageOrder", "StageResult", "read_order_and_answer_path"]

MAX_NUMBER = 1e15  # of any number that is told: seconds, bytes
# Who is to blame where there is no result: the order, which takes more than its limits; this machine; or what does it.
Blame = Literal["order", "machine", "stage"]
_WORDS = {
    "memory_bytes": "memory",
    "cpu_seconds": "time of the processor",
    "file_bytes": "room in a file",
    "processes": "processes",
    "folder_bytes": "room on the disk",
}
_MAX_WIDTH = 300  # characters of what a box said
# Where a child below the stage works, and where a compiler's files lie in there. Strings of device code must keep their
# length: who gives some has blanked these paths in them before (`harness.grading.compile_stage`).
_BELOW = r"/(puzzles-\w+/(kernels/)?)?"


class StageOrder(Protocol):
    """The request to a stage; has limits."""

    @property
    def limits(self) -> Limits:
        """The limits of the process that serves it."""
        ...


OrderT = TypeVar("OrderT", bound=StageOrder)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _StageReply:
    """The answer that a stage writes; the attributes are those of `StageResult`."""

    result: object = None
    fault: str = ""
    limit: str = ""
    cpu_seconds: Annotated[float, codec.in_range(0, MAX_NUMBER)] = 0.0
    peak_bytes: Annotated[int, codec.in_range(0, MAX_NUMBER)] = 0


@dataclass(frozen=True, slots=True)
class StageResult(Generic[R]):
    """The end of an order: its result, or why there is none.

    Attributes:
        result: What was asked for, or None.
        reason: Why there is none, in words.
        blame: Whose fault that is.
        limit: The field of `Limits` that was passed, or empty.
        process_exit: How its process ended.
        noise: The last lines that it printed.
        cpu_seconds: Of the processor, of the process and of all that it started; as it says itself.
        peak_bytes: The most of memory that one of them had.
    """

    result: R | None
    reason: str
    blame: Blame
    limit: str
    process_exit: ProcessExit
    noise: str
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Stage(Generic[OrderT, R]):
    """A module that is called in a sandbox.

    Attributes:
        module: Its name. Its `main` calls `serve`.
        order: What it is asked.
        result: What it gives.
        most_bytes: Of its result, as JSON; a larger one is none.
    """

    module: str
    order: type[OrderT]
    result: type[R]
    most_bytes: int

    def ask(
        self, order: OrderT, box: AnySandbox, *, devices: Iterable[Path] = (), stop: Stop | None = None
    ) -> StageResult[R]:
        """Run an order (a request) in a sandbox. If there is no result, the reason is returned, not raised.

        An answer that has not the form of a result counts as none.

        Args:
            order: With its limits.
            box: What it is done in.
            devices: Device files that may be opened there.
            stop: Asked now and then whether the result is not wanted any more.

        Raises:
            EnvironmentFault: No box could be started.
            StoppedError: The answer is not wanted any more.
        """
        data = codec.encode(order)
        answer = box.ask(self.module, data, limits=order.limits, most_bytes=self.most_bytes, devices=devices, stop=stop)
        try:
            reply, is_malformed = codec.decode(_StageReply, answer.data), False
        except ValueError:
            reply, is_malformed = _StageReply(), True
        limit = reply.limit or answer.process_exit.limit
        result, reason, blame = None, "", _find_blame(answer, limit, order.limits)
        if limit or answer.process_exit.status or is_malformed:
            reason = _describe_failure(answer, limit, order.limits)
        elif reply.fault:
            reason, blame = one_line(reply.fault)[:_MAX_WIDTH], "machine"  # whoever had the box by then wrote it
        else:
            try:
                result = codec.build_record(self.result, reply.result)
            except ValueError:
                reason = "its box answered what is no result"
        process_exit, noise = answer.process_exit, answer.noise
        return StageResult(result, reason, blame, limit, process_exit, noise, reply.cpu_seconds, reply.peak_bytes)

    def serve(self, do: Callable[[OrderT, Path], R]) -> None:
        """Inside the sandbox, read the order (the request) that `sys.argv` names, run it, and write the reply.

        The reply is the result, the text of a HarnessError, or the limit `memory_bytes` at a MemoryError. Other errors
        are raised, and nothing is written. PYTHONPATH is removed from the environment.

        Args:
            do: Gets the order and a folder to work in, whose path is cut out of all texts of the reply.
        """
        data, out = read_order_and_answer_path(sys.argv)
        result, fault, limit = None, "", ""
        try:
            result = do(codec.decode(self.order, data), out.parent)
        except HarnessError as error:
            fault = str(error)
        except MemoryError:
            limit = "memory_bytes"
        wait_for_abandoned()  # what it started is to be counted, and gone, or the box would not be used again
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        seconds = sum(usage.ru_utime + usage.ru_stime for usage in used)
        peak = max(map(peak_bytes, used))
        reply = codec.encode(_StageReply(result, fault, limit, seconds, peak)).decode()
        folder = re.escape(json.dumps(str(out.parent))[1:-1])
        out.write_text(re.sub(folder + _BELOW, "", reply), encoding="ascii")


def _find_blame(answer: SandboxAnswer, limit: str, limits: Limits) -> Blame:
    """Return who is to blame for a missing result, as far as the end of the process tells.

    The order, if it passed a limit that it has, other than time by the clock, or stopped processes. The machine, for
    that time, SIGKILL, what the system refused (`OUR_MACHINE`), or a box that ended by itself. Else the stage.
    """
    if limit == STOPPED or (limit in _WORDS and getattr(limits, limit) is not None):
        return "order"
    # By the clock a busy machine passes a limit too.
    ours = limit == "seconds" or not answer.served or answer.process_exit.status in (-signal.SIGKILL, OUR_MACHINE)
    return "machine" if ours else "stage"


def _describe_failure(answer: SandboxAnswer, limit: str, limits: Limits) -> str:
    """Describe why a process ended before it had a result, in a clause: the limit that it passed, or its last line."""
    if limit in _WORDS:
        most = getattr(limits, limit)
        if most is None:  # a GPU's judge may take what memory there is
            return f"it takes more {_WORDS[limit]} than there is"
        amount = f"{most >> 20} MiB" if limit.endswith("_bytes") else f"{most} s" if limit == "cpu_seconds" else most
        return f"it takes more {_WORDS[limit]} than its limit, {amount}"
    if limit == STOPPED:
        return "it stops processes of its box"
    if limit == "seconds" and limits.seconds is not None:
        return f"it did not end within {limits.seconds:g} s, and the machine is busy"
    last = one_line((answer.noise.splitlines() or ["it said nothing"])[-1])[:_MAX_WIDTH]
    return f"its box {answer.process_exit} without an answer: {last}"


def read_order_and_answer_path(argv: list[str]) -> tuple[bytes, Path]:
    """Return the order, and the file where the answer goes, from the arguments of the module that is run.

    It removes PYTHONPATH from this process's environment, so that what is started here does not get it.
    """
    os.environ.pop("PYTHONPATH", None)
    return Path(argv[1]).read_bytes(), Path(argv[2])
