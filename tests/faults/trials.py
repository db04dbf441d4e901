"""Runs a fault, then a correct kernel on the same backend."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from harness.backends.base import Backend, Outcome, Request
from harness.backends.in_child import InChild
from harness.backends.max_backend import MaxBackend
from harness.backends.simulator import SimulatorBackend
from harness.build.device_code import Texts, build_device_code
from harness.build.graphs import build_graphs
from harness.build.unit import Build
from harness.cases.case_run import run_case
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.target import Target
from tests.faults.faults import P15, Fault
from tests.faults.gpu_memory import occupied
from tests.processes import running

__all__ = ["Hardware", "Simulated", "Trial", "kill"]

SECONDS = 2.0
KILLED_AFTER = 1.5  # the worker is warm, so it executes by then
PATIENCE = 30.0  # others may use the same GPU, and a driver takes its time to give a process up


@dataclass(frozen=True, slots=True)
class Trial:
    """What a fault came to.

    Attributes:
        verdict: Of the fault.
        reason: Why.
        afterwards: The verdict of the correct kernel that ran next, and its reason.
        seconds: Of the fault alone, without what was compiled.
    """

    verdict: str
    reason: str
    afterwards: tuple[str, str]
    seconds: float


class _Hurried:
    """A backend that gives up sooner."""

    def __init__(self, backend: Backend, seconds: float) -> None:
        self.name, self.executes_kernel = backend.name, backend.executes_kernel
        self._backend, self._seconds = backend, seconds

    @property
    def device(self) -> str:
        return self._backend.device

    def launch(self, request: Request) -> Outcome:
        return self._backend.launch(replace(request, time_limit_seconds=self._seconds))

    def close(self) -> None:
        self._backend.close()


def _tried(case: Case, target: Target, backend: Backend, seconds: float) -> tuple[str, str]:
    report = run_case(case, LaunchPlan(target, backend.name, "", ""), _Hurried(backend, seconds))
    return report.verdict, report.reason or "; ".join(promise.message for promise in report.unkept)


def _compile_error(error: CompileError) -> tuple[str, str]:
    return "COMPILE_ERROR", f"{error}\n{error.diagnostics}".strip()


class Simulated:
    """The simulator in this process.

    Args:
        target: What the kernels are compiled for.
        code: The LLVM IR of faults by name, where it is compiled already.
    """

    def __init__(self, target: Target, code: dict[str, Texts | CompileError] | None = None) -> None:
        self._target, self._code = target, code or {}
        self._good = build_device_code([P15], Build(target=target), "llvm")["p15"]

    def run(self, fault: Fault) -> Trial:
        """Runs a fault that has an expectation for the simulator."""
        code = self._code.get(fault.name)
        if code is None:
            code = build_device_code([fault.case], Build(target=self._target, sources=fault.sources), "llvm")["p15"]
        started = time.perf_counter()
        outcome = _compile_error(code) if isinstance(code, CompileError) else self._on(fault.case, code)
        seconds = time.perf_counter() - started
        return Trial(*outcome, self._on(P15, self._good), seconds)

    def close(self) -> None:
        """Holds nothing."""

    def _on(self, case: Case, code: Texts) -> tuple[str, str]:
        backend = SimulatorBackend(LaunchPlan(self._target, "simulator"), {"p15": code})
        return _tried(case, self._target, backend, SECONDS)


class Hardware:
    """A GPU, one backend for all faults.

    Args:
        target: What the kernels are compiled for.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._good = build_graphs([P15], Build(target=target), surrounded=True)
        self._built = replace(self._good, artifacts=dict(self._good.artifacts))
        self._engine = InChild(target)
        self._backend = MaxBackend(target, self._built, self._engine)

    def run(self, fault: Fault) -> Trial:
        """Runs a fault; the correct kernel runs before it too, so that the worker is warm."""
        built = build_graphs([fault.case], Build(target=self._target, sources=fault.sources))
        before = self._on(P15)
        if before[0] != "PASS":
            return Trial(*before, before, 0.0)
        started = time.perf_counter()
        if "p15" in built.errors:
            outcome = _compile_error(built.errors["p15"])
        else:
            self._built.artifacts["p15"] = built.artifacts["p15"]
            try:
                outcome = self._meanwhile(fault)
            finally:
                self._built.artifacts["p15"] = self._good.artifacts["p15"]
        seconds = time.perf_counter() - started
        return Trial(*outcome, self._on(P15), seconds)

    def close(self) -> None:
        """Ends the worker."""
        self._backend.close()

    def _meanwhile(self, fault: Fault) -> tuple[str, str]:
        if fault.around == "killed":
            with _killed(KILLED_AFTER):
                return self._on(fault.case)
        if fault.around == "occupied":
            self._engine.restart()  # what the worker holds already would be of use to it
            with occupied():
                return self._on(fault.case)
        return self._on(fault.case, SECONDS if fault.gpu.verdict == "TIMEOUT" else PATIENCE)

    def _on(self, case: Case, seconds: float = PATIENCE) -> tuple[str, str]:
        return _tried(case, self._target, self._backend, seconds)


def kill(module: str) -> None:
    """Kills this process's workers that run a module."""
    for worker in running(module):
        os.kill(worker, signal.SIGKILL)


@contextlib.contextmanager
def _killed(seconds: float) -> Iterator[None]:
    """After some seconds kills the workers that run kernels."""
    timer = threading.Timer(seconds, kill, ("harness.backends.worker",))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
