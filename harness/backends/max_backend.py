"""The backends that run through the MAX engine: `max` on a GPU, `cpu` for the reference.

This process stays light and never imports `max`: kernels run in a child,
which is started as soon as the backend exists and again after a fault or a
hang, so that one bad kernel costs one verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from harness.backends import devices
from harness.backends.base import Failure, Observed, Outcome, Request
from harness.backends.guarded import GUARD_ELEMENTS, POISON, guarded, split
from harness.backends.memory_limit import lacking
from harness.backends.messages import Argument, LaunchOrder, LaunchReply, Phase, Ready, Warmup
from harness.build.graphs import Graphs
from harness.build.unit import parameters_of
from harness.errors import ArtifactError, EnvironmentFault
from harness.model.case import Launch
from harness.model.target import Target
from harness.process import channel
from harness.process.child import Worker

__all__ = ["MaxBackend"]

WORKER = "harness.backends.worker"
START_SECONDS = 120.0
COPIES = 3  # of a launch's buffers: as given, in the worker, and as they come back
LOAD_SECONDS = 60.0  # of every phase but the launch, which has the request's own limit


class MaxBackend:
    """Executes compiled graphs in a child process.

    Args:
        target: What they were built for, or None for the reference on the host CPU.
        built: The artifacts.
        device: The number of the GPU.
        start: Makes the child of a kind, `cpu` or `gpu`, in an environment that
            shows it that GPU alone; tests give a fake.
    """

    def __init__(
        self,
        target: Target | None,
        built: Graphs,
        *,
        device: int = 0,
        start: Callable[[str, Mapping[str, str]], Worker] | None = None,
    ) -> None:
        self.name = "cpu" if target is None else "max"
        self.executes_kernel = target is not None
        self._target, self._built = target, built
        self._kind = "cpu" if target is None else "gpu"
        self._environment = devices.visible_only(target.vendor, device) if target else {}
        self._start = start or (lambda kind, environment: Worker(WORKER, [kind], environment=environment))
        self._ready: Ready | None = None
        self._named = ""  # outlives the child: a fault must not cost a start to tell the name
        self._child: Worker | None = None
        if built.artifacts:
            self._child = self._begin()

    @property
    def device(self) -> str:
        """What it runs on, for people."""
        if self._target is None:
            return "host CPU, sequential reference"
        if not self._built.artifacts:
            return "no kernel was compiled"
        if not self._named:
            self._ensure()
        return self._named

    def launch(self, request: Request) -> Outcome:
        """Executes one request.

        Raises:
            ArtifactError: The device does not fit the target, or the sizes and
                the launch are not those of the build.
            EnvironmentFault: MAX does not start.
        """
        case = request.case
        artifact = self._built.artifacts[case.id]
        if parameters_of(request.instance) != artifact.parameters:
            raise ArtifactError(
                f"{case.id} was built with {dict(artifact.parameters)}, but is asked to run "
                f"with {parameters_of(request.instance)}."
            )
        if lack := lacking(request, COPIES):
            return Outcome(failure=lack)
        exact = request.fill == "unset"
        guard = 0 if exact else GUARD_ELEMENTS
        arguments = []
        for buffer in request.instance.buffers:
            if buffer.role == "input":
                arguments.append(Argument(buffer.name, request.dataset.inputs[buffer.name]))
            else:
                arena = guarded(buffer.shape, buffer.dtype, "zero" if exact else request.fill, guard)
                arguments.append(Argument(buffer.name, arena, buffer.shape, upload=not exact))
        child, _ = self._ensure()
        order = LaunchOrder(
            str(artifact.mef), artifact.graph, tuple(arguments), guard, request.repeats, self._warmup(request)
        )
        got = self._exchange(child, order, request)
        if isinstance(got, Failure):
            self.close()  # the next launch starts another child
            return Outcome(failure=got)
        return self._outcome(got, request, guard)

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.close()
        self._child, self._ready = None, None

    def _begin(self) -> Worker:
        return self._start(self._kind, self._environment)

    def _warmup(self, request: Request) -> Warmup | None:
        """Shared memory holds the same poison as the results; `zero` is for what is printed."""
        warmup = self._built.warmup
        if warmup is None or request.fill not in POISON or request.fill == "zero":
            return None
        return Warmup(str(warmup.mef), warmup.graph, int(warmup.parameters["grid_x"]), POISON[request.fill])

    def _ensure(self) -> tuple[Worker, Ready]:
        if self._child is None:
            self._child = self._begin()
        if self._ready is None:
            try:
                self._ready = self._child.receive(START_SECONDS)
            except channel.TimeUpError:
                self._give_up(f"did not start within {START_SECONDS:.0f} s")
            except (channel.ClosedError, channel.GarbageError):
                self._give_up(self._child.fate())
            self._check(self._ready)
            self._named = f"{self._ready.name} ({self._ready.architecture})"
        return self._child, self._ready

    def _give_up(self, how: str) -> None:
        noise = self._child.noise()
        self.close()
        last = noise.splitlines()[-1] if noise else "it printed nothing"
        raise EnvironmentFault(f"the MAX engine {how}: {last}")

    def _check(self, ready: Ready) -> None:
        if self._target is None:
            return
        if ready.api != self._target.max_api or not self._target.fits(ready.architecture):
            self.close()
            raise ArtifactError(
                f"the artifacts are for {self._target}, but the device is {ready.name} "
                f"({ready.architecture}): build for its own target."
            )

    def _exchange(self, child: Worker, order: LaunchOrder, request: Request) -> LaunchReply | Failure:
        """Sends an order and follows its phases; a failure names the phase it struck."""
        phase, limit = "start", LOAD_SECONDS
        who = f"{request.case.id}: {request.case.kernel}"
        try:
            child.send(order)
            while True:
                message = child.receive(limit)
                if isinstance(message, LaunchReply):
                    break
                if not isinstance(message, Phase):
                    raise channel.GarbageError
                phase = message.name
                limit = request.time_limit_seconds if phase in ("execute", "repeat") else LOAD_SECONDS
        except channel.TimeUpError:
            return Failure("TIMEOUT", f"{who} did not end within {limit:g} s (phase: {phase})")
        except channel.ClosedError:
            fate, noise = child.fate(), child.noise()
            return Failure("LAUNCH_ERROR", f"{who}: its process {fate} (phase: {phase}){_below(noise)}")
        except channel.GarbageError:
            return Failure("LAUNCH_ERROR", f"{who}: its process sent no valid message (phase: {phase})")
        if message.error:
            return Failure("LAUNCH_ERROR", f"{who}: {message.error} (phase: {message.phase or phase})")
        return message

    def _outcome(self, answer: LaunchReply, request: Request, guard: int) -> Outcome:
        shapes = {buffer.name: buffer.shape for buffer in request.instance.results}
        results = {name: Observed(*split(answer.arrays[name], shape, guard)) for name, shape in shapes.items()}
        traced = None
        if answer.traced is not None:
            # The driver does not tell the cluster; the op's parameters do, and are asserted.
            traced = tuple((name, Launch(grid=grid, block=block)) for name, grid, block in answer.traced)
        return Outcome(
            results=results,
            inputs={buffer.name: answer.arrays[buffer.name] for buffer in request.instance.inputs},
            traced=traced,
            run_seconds=answer.seconds,
            unstable=answer.unstable,
        )


def _below(noise: str) -> str:
    return f"\n{noise}" if noise else ""
