"""Plan, compile and run one Mojo program, on a GPU if there is one, else simulated; for several see `many`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.backends.planning import choose
from harness.build.cache import Cache
from harness.errors import CompileError, EnvironmentFault
from harness.model.launch_plan import LaunchPlan
from harness.model.profile import profile_launches
from harness.model.target import Target
from harness.model.terms import format_option
from harness.process import preloaded
from harness.programs.compile import compiled, executable, resources
from harness.programs.host.options import BACKENDS, Options
from harness.programs.native import native
from harness.programs.result import Execution
from harness.programs.simulated import CHILD, simulated
from harness.programs.streams import Streams, open_kept_streams

if TYPE_CHECKING:  # see `compile`
    from harness.build.exported import CallingProgram

__all__ = ["ProgramPlan", "execute", "execute_plan", "plan_launches", "plan_program"]

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramPlan:
    """A program's sources, arguments and limits, and how its launches are made.

    Attributes:
        file: A Mojo file with a `main`, or with functions that `caller` calls.
        launches: What its kernels are compiled for, and how they are launched.
        options: What the program as a whole may use.
        arguments: What the program finds in `sys.argv`, after its name.
        defines: `-D NAME=VALUE`.
        includes: `-I DIR`.
        cache: Where what is compiled lies; None for the default one.
        notify: Gets one line when something slow begins.
        caller: The program that calls the file's functions; None where the file has a `main`.
        call: The folder of that call.
    """

    file: Path
    launches: LaunchPlan
    options: Options
    arguments: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    includes: Sequence[Path] = ()
    cache: Cache | None = None
    notify: Notify = lambda _: None
    caller: CallingProgram | None = None
    call: Path | None = None

    @property
    def build(self) -> dict[str, Any]:
        """Return the keyword arguments that `harness.programs.compile.compiled`, `executable` and `resources` share.

        They are `defines`, `includes`, `cache`, `notify` and `caller`. If launches check shapes, `ASSERT=all` is
        defined too, unless `defines` says otherwise.
        """
        # A LayoutTensor says itself what is outside of its shape, if it is asked to.
        defines = {**({"ASSERT": "all"} if self.launches.shapes else {}), **self.defines}
        options = {"includes": self.includes, "cache": self.cache, "notify": self.notify, "caller": self.caller}
        return {"defines": defines, **options}


def plan_launches(target: Target | str | None, backend: str, options: Options | None = None) -> LaunchPlan:
    """Plan the launches of a program on this machine.

    Args:
        target: The GPU that kernels are compiled for: `nvidia:sm_90`, a vendor alone, or None for this machine's GPU,
            else `nvidia`.
        backend: `max` on a GPU of this machine, `simulator`, or `auto`: a GPU if there is one for the target.
        options: Order, seed, limits and observers; the default ones if None.

    Raises:
        UsageError: Unknown target or backend.
        EnvironmentFault: `max` was asked for and no GPU fits.
    """
    choice = choose(target, backend, backends=BACKENDS)
    if backend == "max" and not choice.gpus:
        flag = format_option("backend", backend)
        raise EnvironmentFault(f"there is no GPU for {choice.target} on this machine: leave out {flag}.")
    return (options or Options()).plan(choice.target, "max" if choice.gpus else "simulator")


def plan_program(
    path: Path | str,
    *,
    arguments: Sequence[object] = (),
    target: Target | str | None = None,
    backend: str = "auto",
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    options: Options | None = None,
    cache: Cache | None = None,
    notify: Notify = lambda _: None,
) -> ProgramPlan:
    """Plan the run of a program, without reading its file; arguments are as of `execute`, errors of `plan_launches`."""
    return ProgramPlan(
        file=Path(path),
        launches=plan_launches(target, backend, options),
        options=options or Options(),
        arguments=tuple(map(str, arguments)),
        defines=defines or {},
        includes=includes,
        cache=cache,
        notify=notify,
    )


def execute(
    path: Path | str,
    *,
    arguments: Sequence[object] = (),
    target: Target | str | None = None,
    backend: str = "auto",
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    options: Options | None = None,
    streams: Streams | None = None,
    cache: Cache | None = None,
    notify: Notify = lambda _: None,
) -> Execution:
    """Run a program to its end, on a GPU if there is one, else in the simulator; its own failure is in the result.

    Args:
        path: A Mojo file with a `main`.
        arguments: The program's arguments, in `sys.argv` after its name; each as `str` writes it.
        target: The GPU that its kernels are compiled for: `nvidia:sm_90`, a vendor alone, or None for this machine's
            GPU, else `nvidia`.
        backend: `max` on a GPU of this machine, `simulator`, or `auto`: a GPU if there is one for the target.
        defines: `-D NAME=VALUE`.
        includes: `-I DIR`.
        options: Order, seed and limits.
        streams: Its standard streams; if None, stdin is empty and the others are kept in the result.
        cache: Where compiled code is kept; the default cache if None.
        notify: Called with one line when something slow begins.

    Raises:
        UsageError: There is no such file, target or backend.
        CompileError: It does not compile.
        EnvironmentFault: It could not be run.
    """
    plan = plan_program(
        path,
        arguments=arguments,
        target=target,
        backend=backend,
        defines=defines,
        includes=includes,
        options=options,
        cache=cache,
        notify=notify,
    )
    return execute_plan(plan, streams, must_compile=True)


def execute_plan(plan: ProgramPlan, streams: Streams | None = None, *, must_compile: bool = False) -> Execution:
    """Run a program to its end, as planned; one that does not compile is an execution of status 1, with diagnostics.

    If its launches are profiled, which the simulator alone does, the result gets its kernels' profiles. They have the
    kernels' resources too, unless the vendor's compiler is missing: then `notify` gets a line that says so.

    Args:
        plan: The plan.
        streams: As of `execute`.
        must_compile: Raise the compiler's error instead.

    Raises:
        CompileError: It does not compile, and must.
        UsageError: There is no such file.
        EnvironmentFault: It could not be run.
    """
    if streams is None:
        with open_kept_streams() as kept_streams:
            result = execute_plan(plan, kept_streams.streams, must_compile=must_compile)
            return replace(result, output=kept_streams.output(), errors=kept_streams.errors())
    file, target = plan.file, plan.launches.target
    try:
        if plan.launches.backend == "max":
            program = executable(file, target, **plan.build)
            return native(program, file, target, plan.arguments, plan.options, streams)
        preloaded.preload(CHILD)  # while it is compiled
        code = compiled(file, target, debug=plan.options.debug, **plan.build)
        ran = simulated(code, plan.arguments, plan.launches, plan.options, streams, plan.call)
        if not plan.launches.profile:
            return ran
        try:
            kernel_resources = resources(file, target, **plan.build)
        except EnvironmentFault as error:
            plan.notify(f"without registers: {error}")
            kernel_resources = {}
        return replace(ran, profiles=profile_launches(ran.measured, target, kernel_resources))
    except CompileError as error:
        if must_compile:
            raise
        return Execution(
            file=file,
            arguments=plan.arguments,
            target=target,
            backend=plan.launches.backend,
            status=1,
            diagnostics=error.diagnostics or str(error),
        )
