"""Compile cases as a launch plan says, and create their backends: simulator, MAX engine, host function callers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from harness.backends.base import Backend
from harness.build.cache import Cache
from harness.build.clock import reads_clock
from harness.build.device_code import Texts, build_device_code
from harness.build.objects import CachedObjects
from harness.build.unit import Build
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.process.child import Limits

if TYPE_CHECKING:  # a compiler is started first, and what comes after it is loaded while it runs
    from harness.backends.calls import Calls
    from harness.backends.max_backend import Transport
    from harness.build.bundle import Bundle
    from harness.build.graphs import Graphs

__all__ = ["CompiledCases", "Prepared", "compile_cases", "import_simulator", "prepare", "prepare_simulator"]

Notify = Callable[[str], None]


def import_simulator() -> None:
    """Import the simulator and what it needs ahead of use. A build calls this while its compiler runs, which hides the
    tenth of a second that the import takes.
    """
    import numpy as np

    from harness.backends import simulator
    from harness.cases import case_run, frame_check
    from harness.simt import public

    # NumPy loads these two when `unique` and a generator are first asked for.
    _ = simulator, case_run, frame_check, public, np.ma, np.random


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledCases:
    """The LLVM IR and the host programs of some cases, for the simulator.

    Attributes:
        code: LLVM IR of each launch, or the error of a case that does not compile, by case id.
        calls: Makes the calls of host functions; None where no case calls any.
        host_errors: By case id, why a host function does not compile.
        texts: LLVM IR of each launch, by case id, of those whose kernels compile.
        errors: By case id, why one does not compile.
    """

    code: Mapping[str, Texts | CompileError]
    calls: Calls | None = None
    host_errors: Mapping[str, CompileError] = field(default_factory=dict)
    texts: dict[str, Texts] = field(init=False, default_factory=dict)
    errors: dict[str, CompileError] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.errors.update(self.host_errors)
        for id, code in self.code.items():
            if isinstance(code, CompileError):
                self.errors[id] = code
            else:
                self.texts[id] = code

    def require(self, case: Case) -> None:
        """Raise the error of a case that does not compile.

        Raises:
            CompileError: The case does not compile.
        """
        if error := self.errors.get(case.id):
            raise error


def compile_cases(cases: Sequence[Case], build: Build, spent: dict[str, float] | None = None) -> CompiledCases:
    """Compile kernels and host functions of cases for the simulator; what does not compile is in the result.

    Args:
        cases: The cases at the sizes at which they are run.
        build: The target and the files.
        spent: If given, gets the seconds that each case's compilation took, by case id.
    """
    code = build_device_code(cases, build, "llvm", seconds_by_case=spent)
    if not any(case.called for case in cases):
        return CompiledCases(code=code)
    from harness.programs.host_calls import host_functions

    calls, errors = host_functions(cases, build, spent)
    return CompiledCases(code=code, calls=calls, host_errors=errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Backends that make the launches of some cases, and the cases that they cannot run.

    Attributes:
        backends: One, or one for each GPU.
        host_callers: For each GPU, what calls host functions there.
        errors: By case id, why a case does not compile.
        seconds: By case id, what was spent on compiling.
        clocks: The ids of the cases whose kernels read a clock.
        calls_made: Whether the simulator makes calls of host functions.
    """

    backends: Sequence[Backend]
    host_callers: Sequence[Backend] = ()
    errors: Mapping[str, CompileError] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    clocks: frozenset[str] = frozenset()
    calls_made: bool = False


def prepare(
    cases: Sequence[Case],
    plan: LaunchPlan,
    sources: Sources,
    *,
    notify: Notify = lambda _: None,
    bundle: Bundle | None = None,
    compiled: CompiledCases | None = None,
    limits: Limits | None = None,
) -> Prepared:
    """Compile cases as a plan says, at all of their sizes, and make the backends that launch them; what does not
    compile is in the result. The caller closes the backends.

    Args:
        cases: The cases; the plan takes them.
        plan: The plan: target and backend.
        sources: The files with the kernels.
        notify: Gets one line when something is compiled.
        bundle: Artifacts that were built elsewhere, instead of the sources.
        compiled: The code for the simulator if it was compiled elsewhere.
        limits: The limits of each call of a compiler; None for those of each compiler.
    """
    sized = [size for case in cases for size in plan.sizes(plan.case_to_run(case))]
    make_build = partial(
        Build,
        target=plan.target,
        sources=sources,
        notify=notify,
        meanwhile=import_simulator,
        assertions=plan.assertions,
        limits=limits,
        reference=plan.backend == "cpu",
    )
    if plan.backend != "simulator":
        return _prepare_engines(sized, plan, make_build, bundle)
    seconds: dict[str, float] = {}
    compiled = compiled or compile_cases(sized, make_build(), seconds)
    return prepare_simulator(sized, plan, sources, compiled, seconds, notify)


def prepare_simulator(
    cases: Sequence[Case],
    plan: LaunchPlan,
    sources: Sources,
    compiled: CompiledCases,
    seconds: Mapping[str, float] | None = None,
    notify: Notify = lambda _: None,
) -> Prepared:
    """Make the simulator's backend for compiled cases, at the sizes at which they are run.

    The arguments are those of `prepare`; `seconds` is what was spent on compiling, by case id. The result also has the
    compile errors of `compiled`, and the ids of the cases that read a clock. Nothing is compiled or raised for these.
    """
    from harness.backends.simulator import SimulatorBackend

    texts = compiled.texts
    backend = SimulatorBackend(
        plan,
        texts,
        files={case.module: sources.kernel_file(case) for case in cases},
        calls=compiled.calls,
        objects=None if plan.engine == "reference" else CachedObjects(Cache.default(notify)),
    )
    return Prepared(
        backends=[backend],
        errors=compiled.errors,
        seconds=seconds or {},
        clocks=frozenset(id for id, parts in texts.items() if any(map(reads_clock, parts))),
        calls_made=compiled.calls is not None,
    )


def _prepare_engines(
    cases: Sequence[Case], plan: LaunchPlan, make_build: Callable[[], Build], bundle: Bundle | None
) -> Prepared:
    """Build graphs, or read those of the bundle, and make a backend for each GPU, or for the host's processor.

    On GPUs, and without a bundle, `host_callers` are made too if a case only calls host functions and its graph is not
    executed. `make_build` is called only without a bundle.
    """
    from harness.backends.in_child import InChild
    from harness.backends.max_backend import MaxBackend
    from harness.build.graphs import build_graphs

    target = None if plan.backend == "cpu" else plan.target
    transports = [InChild(target, gpu) for gpu in plan.gpus or (0,)]
    if bundle:
        built = _read_while_engines_start(bundle, cases, transports)
        backends = [MaxBackend(target, built, transport) for transport in transports]
        return Prepared(backends=backends, errors=built.errors, seconds=built.seconds)
    build = make_build()
    built = build_graphs(cases, build, surrounded=bool(cases))
    errors, seconds = dict(built.errors), dict(built.seconds)
    native = [case for case in cases if case.called and not case.kernel_steps and not plan.runs_graph(case)]
    callers = _host_callers(native, plan, build, errors, seconds) if native and target else []
    backends = [MaxBackend(target, built, transport) for transport in transports]
    return Prepared(backends=backends, host_callers=callers, errors=errors, seconds=seconds)


def _read_while_engines_start(bundle: Bundle, cases: Sequence[Case], transports: Sequence[Transport]) -> Graphs:
    """Read what was built of some cases; the engines, which take longer, start meanwhile, and are closed if reading
    fails.
    """
    with ExitStack() as started:
        for transport in transports if cases else ():
            started.callback(transport.close)
            transport.begin()
        built = bundle.load_graphs(cases)
        started.pop_all()
    return built


def _host_callers(
    cases: Sequence[Case],
    plan: LaunchPlan,
    build: Build,
    errors: dict[str, CompileError],
    seconds: dict[str, float],
) -> list[Backend]:
    """Return a backend that calls the host functions of cases, for each GPU; adds to `errors` and `seconds` by
    case id.
    """
    from harness.build.hosts import build_host_libraries
    from harness.programs.native_calls import NativeCalls

    programs = build_host_libraries(cases, build, seconds)
    errors |= {id: steps for id, steps in programs.items() if isinstance(steps, CompileError)}
    sound = {id: steps for id, steps in programs.items() if not isinstance(steps, CompileError)}
    device = f"{plan.device} ({plan.target.architecture})"
    return [NativeCalls(plan.target, sound, gpu, device) for gpu in plan.gpus or (0,)]
