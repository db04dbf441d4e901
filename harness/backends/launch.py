"""Convert a `Request` to the MAX engine's order and replies to an `Outcome`; refuse unfit devices; launch nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.backends.base import Failure, Observed, Outcome, Request
from harness.backends.guarded import GUARD_ELEMENTS, POISON, split
from harness.backends.protocol import Argument, Around, LaunchOrder, LaunchReply, Ready
from harness.build.around import COMPARED, DIFFERING, WARMUP
from harness.build.graphs import Artifact
from harness.build.unit import compiled_parameters
from harness.errors import ArtifactError
from harness.model.case import Launch
from harness.model.lazy import LazyMapping
from harness.model.target import Target
from harness.model.verdict import Verdict

__all__ = ["make_order", "make_outcome", "require_fit"]

NONE: Mapping[str, Artifact] = {}


def make_order(request: Request, artifact: Artifact, around: Mapping[str, Artifact] = NONE) -> LaunchOrder:
    """Return the order that the engine gets for a request; nothing is executed.

    Args:
        request: Its data set and its tensors hold the inputs.
        artifact: What was built for its case.
        around: By id, the harness's own compiled launches, which fill shared memory before the kernel and compare
            results after it. Those that are missing are left out of the order.

    Raises:
        ArtifactError: The artifact was built for other sizes or another launch.
    """
    parameters = compiled_parameters(request.case, request.instance.width)
    if parameters != artifact.parameters:
        raise ArtifactError(
            f"{request.case.id} was built with {dict(artifact.parameters)}, but is asked to run with {parameters}."
        )
    graph, arguments = request.case.graph, []
    for tensor in request.instance.tensors_of(graph.operands) if graph else request.instance.tensors:
        name, shape = tensor.name, tensor.shape
        if not tensor.written:
            contents = request.tensors if name in request.tensors else request.dataset.inputs
            arguments.append(Argument(name, contents[name]))
        else:
            arguments.append(Argument(name, request.dataset.inputs.get(name), shape, tensor.dtype))
    # With the same poison as the results; `zero` is for what is printed.
    filled = request.fill in POISON and request.fill != "zero"
    return LaunchOrder(
        str(artifact.mef),
        artifact.graph,
        tuple(arguments),
        0 if request.fill == "unset" else GUARD_ELEMENTS,
        (request.fill, *request.others),
        request.repeats,
        _make_around(around.get(WARMUP), "blocks", 1) if filled else None,
        _make_around(around.get(DIFFERING), "threads", COMPARED),
        tuple(
            request.scalars[part.name]
            for step in request.case.kernel_steps
            for part in request.instance.scalars_of(step)
        ),
        tuple(graph.results.split()) if graph else (),
    )


def _make_around(artifact: Artifact | None, witnesses: str, words: int) -> Around | None:
    if artifact is None:
        return None
    return Around(str(artifact.mef), artifact.graph, int(artifact.parameters[witnesses]), words)


def require_fit(target: Target | None, ready: Ready) -> None:
    """Refuse a device that the built artifacts do not run on.

    Args:
        target: What was built for; None is the host CPU.
        ready: What there is.

    Raises:
        ArtifactError: It does not fit.
    """
    if target is not None and (ready.api != target.gpu.api or not target.runs_on(ready.architecture)):
        raise ArtifactError(
            f"the artifacts are for {target}, but the device is {ready.name} ({ready.architecture}): "
            "build for its own target."
        )


def make_outcome(request: Request, replies: Sequence[LaunchReply | Failure]) -> Outcome:
    """Convert replies, one for each fill of an order, to an outcome; those after the first are in `others`.

    Results are read when first asked for.
    """
    first = _convert_reply(request, replies[0], {})
    return replace(first, others=tuple(_convert_reply(request, reply, first.results) for reply in replies[1:]))


def _convert_reply(request: Request, reply: LaunchReply | Failure, first_results: Mapping[str, Observed]) -> Outcome:
    """Convert one reply; a result that does not come back is that of `first_results`.

    For a failure, or a reply with an error, the outcome has only a failure.
    """
    if isinstance(reply, Failure):
        return Outcome(failure=reply)
    if reply.error:
        reason = f"{request.case.kernel_names}: {reply.error} (phase: {reply.phase})"
        return Outcome(failure=Failure(Verdict.LAUNCH_ERROR, reason))
    # What a model gives lies in memory of the engine's.
    guard = 0 if request.fill == "unset" or request.case.graph else GUARD_ELEMENTS
    shapes = {tensor.name: tensor.shape for tensor in request.instance.results}
    traced = None
    if reply.traced is not None:
        # The driver does not tell the cluster; the op's parameters do, and are asserted.
        traced = tuple((name, Launch(grid=grid, block=block)) for name, grid, block in reply.traced)

    def observed(name: str) -> Observed:
        if name in first_results and name not in reply.arrays:
            return first_results[name]
        return Observed(*split(reply.arrays[name], shapes[name], guard))

    return Outcome(
        results=LazyMapping(shapes, observed),
        inputs={
            tensor.name: reply.arrays.get(tensor.name, request.dataset.inputs[tensor.name])
            for tensor in request.instance.inputs
            if tensor.name in request.dataset.inputs
        },
        buffers={name: reply.buffers[name] for name in shapes if name in reply.buffers},
        # A graph calls the function of the host that is the case's first step, which made the launches then.
        traced=None if request.case.graph else traced,
        host_launches={0: traced} if request.case.graph and traced is not None else {},
        run_seconds=reply.seconds,
        unstable=reply.unstable,
    )
