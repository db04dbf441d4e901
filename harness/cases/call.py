"""Call an exported Mojo function on NumPy arrays, on a GPU or simulated, and compare what they hold afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.build.cache import Cache
from harness.build.exported import CONTEXT, NUMBER, POINTER, ExportedArgument, ExportedFunction, find_exported_function
from harness.cases import check
from harness.cases.kernel_launch import check_array, convert_number, order_arguments
from harness.errors import EnvironmentFault, UsageError, unknown_name
from harness.model.case import Role, TensorArgument, Within
from harness.model.messages import make_finding
from harness.model.sources import display_path
from harness.model.target import Target
from harness.programs.exported_call import ArrayAfterCall, ArrayArgument, Value, call_exported
from harness.programs.host.options import Options
from harness.programs.program_plan import plan_program
from harness.programs.result import Execution
from harness.programs.streams import Streams
from harness.simt.findings import SEVERITIES, Finding, SourceLocation
from harness.simt.run.bound_arguments import Buffer

__all__ = ["CallResult", "call"]

Arguments = Mapping[str, Any] | Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """The outcome of calling a function.

    Attributes:
        execution: How it ran, as of a program; its findings hold also what is wrong with the results.
        results: What each array held afterwards, by the argument's name, in the argument's shape and type; empty where
            the function did not come to its end. The caller's own arrays are never changed.
        changed: The arguments whose arrays hold other bits than before, or, if the host has not initialised them, were
            written at all.
        error: The text of the error that the function raised, or empty.
    """

    execution: Execution
    results: Mapping[str, np.ndarray] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    error: str = ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the findings, errors first."""
        return self.execution.findings

    @property
    def ok(self) -> bool:
        """Say whether the function returned and no finding is severe enough to make the call fail."""
        return not self.execution.exit_code

    @property
    def reason(self) -> str:
        """Say why it is not right, in one line; empty where it is."""
        return self.execution.reason


def call(
    file: str | Path,
    function: str,
    arguments: Arguments,
    expected: Mapping[str, Any] | None = None,
    *,
    rtol: float = 0.0,
    atol: float = 0.0,
    host: Sequence[str] = (),
    target: Target | str | None = None,
    backend: str = "auto",
    defines: Mapping[str, str] | None = None,
    includes: Sequence[Path] = (),
    options: Options | None = None,
    streams: Streams | None = None,
    cache: Cache | None = None,
    notify: Callable[[str], None] = lambda _: None,
) -> CallResult:
    """Call a function that a Mojo file exports (`@export`); what it raises is a finding, not an exception.

    A pointer gets memory of the device with a copy of its array: the caller's arrays are never changed. A number is
    converted to its argument's type if that holds its value. The call provides a `DeviceContext`, and waits for its
    work afterwards.

    Args:
        file: The Mojo file.
        function: The function's name in the source.
        arguments: By name or in order, without a `DeviceContext`: NumPy arrays of any shape for pointers, of the type
            that the pointer points to; numbers; None for a null pointer. `harness.simt.Buffer(array,
            initialised=False)` is an output: its bytes are not written before the call, and each element must be
            written by it. Arrays that share memory share it in the call too.
        expected: What arrays must hold afterwards, by argument: arrays of the argument's shape, or a number for all
            elements. They are rounded to the argument's type; what NumPy masks is not compared. Of other arrays values
            are not judged.
        rtol: The relative tolerance of a result.
        atol: The absolute tolerance, which is added.
        host: The arguments whose arrays lie in the host's memory, not the device's.
        target: `vendor:architecture`, or a vendor; this machine's GPU, else `nvidia`, if None.
        backend: `max` on a GPU of this machine, `simulator`, or `auto`: a GPU if there is one.
        defines: `-D NAME=VALUE`.
        includes: `-I DIR`.
        options: Order, seed and limits.
        streams: The program's standard streams; if None, stdin is empty and the others are kept in the result.
        cache: The cache of what is compiled; None for the default one.
        notify: Called with one line when something slow begins.

    Returns:
        How it ended, what each array holds afterwards (none if the function did not return), and the findings: races,
        accesses out of bounds, elements of outputs that nobody wrote, a raised error and wrong values.

    Raises:
        UsageError: There is no such file, function, target or backend, the function is not exported, or it does not
            take what is given; a tolerance is negative or not finite; or arrays that share memory are not contiguous,
            or not all on the same side (`host`).
        CompileError: The file does not compile.
        EnvironmentFault: Nothing here can run it, or an array could not be read back after the call.
    """
    for tolerance, value in (("rtol", rtol), ("atol", atol)):
        if not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise UsageError(f"{tolerance} is a number from 0 on, but got {value!r}.")
    path = Path(file)
    definition, together = find_exported_function(path, function)
    values = _values(definition, arguments, host)
    tensors = {part.name: _tensor(part, value) for part, value in _memories(definition, values)}
    answers = {name: _answer(function, name, tensors, value) for name, value in (expected or {}).items()}
    plan = plan_program(
        path,
        target=target,
        backend=backend,
        defines=defines,
        includes=includes,
        options=options,
        cache=cache,
        notify=notify,
    )
    execution, arrays, error = call_exported(definition, together, values, plan, streams)
    execution = replace(execution, arguments=(function,))
    place = SourceLocation(display_path(path.resolve()), definition.line, definition.column, "")
    if arrays is None:
        return CallResult(execution=_explain_end(execution, function, error, place), error=error)
    within = Within(rtol, atol, "asked for") if rtol or atol else None
    results: dict[str, np.ndarray] = {}
    changed: list[str] = []
    findings: list[Finding] = []
    for part, memory, after in zip(definition.arguments, values, arrays, strict=True):
        if not isinstance(memory, ArrayArgument):
            continue
        if after is None:
            raise EnvironmentFault(f"the call of {function} left nothing of {part.name}: call it again.")
        name, before = part.name, memory.buffer
        results[name] = after.array
        if after.array.tobytes() != before.array.tobytes() if before.initialised else not after.unwritten.all():
            changed.append(name)
        findings += _judged(tensors[name], before.initialised, after, answers.get(name), within)
    execution = _with(execution, (replace(each, sites=(place,)) for each in findings))
    return CallResult(execution=execution, results=results, changed=tuple(changed))


def _memories(function: ExportedFunction, values: Sequence[Value]) -> list[tuple[ExportedArgument, ArrayArgument]]:
    """Return the pointers to arrays, with the arrays."""
    return [
        (part, value)
        for part, value in zip(function.arguments, values, strict=True)
        if isinstance(value, ArrayArgument)
    ]


def _values(function: ExportedFunction, arguments: Arguments, host: Sequence[str]) -> list[Value]:
    """Check the arguments, and return a value for each of the function's, in order: a NumPy number, an `ArrayArgument`
    with the caller's array itself, or None for a `DeviceContext` and for a null pointer.

    Arrays of the arguments in `host` are marked to lie in the host's memory.

    Raises:
        UsageError: An argument is not what the function takes, or `host` names no pointer of it.
    """
    names = [part.name for part in function.arguments if part.kind != CONTEXT]
    by_name = order_arguments(function.name, names, arguments)
    pointers = [part.name for part in function.arguments if part.kind == POINTER]
    for name in host:
        if name not in pointers:
            raise (
                unknown_name("pointer", name, pointers)
                if pointers
                else UsageError(f"{function.name} takes no pointer.")
            )
    return [
        _value(function.name, part, by_name[part.name], part.name in host) if part.kind != CONTEXT else None
        for part in function.arguments
    ]


def _value(of: str, part: ExportedArgument, value: Any, host: bool) -> Value:
    assert part.dtype is not None
    if part.kind == NUMBER:
        if isinstance(value, np.ndarray | Buffer):
            raise UsageError(f"{part.name} of {of} is of type {part.type}: give a number, not an array.")
        return convert_number(of, part.name, part.type, part.dtype, value)
    if value is None:
        return None
    if not isinstance(value, np.ndarray | Buffer):
        raise UsageError(f"{part.name} of {of} is a pointer ({part.type}): give an array, not {value!r}.")
    array, initialised = check_array(of, part.name, value)
    if array.dtype.newbyteorder("=") != part.dtype:
        raise UsageError(
            f"{part.name} of {of} points to {part.dtype.name} ({part.type}), but its array holds {array.dtype.name}."
        )
    native = array if array.dtype.isnative else array.astype(part.dtype)
    return ArrayArgument(Buffer(native, part.name, initialised), host)


def _tensor(part: ExportedArgument, memory: ArrayArgument) -> TensorArgument:
    array = memory.buffer.array
    role: Role = "inout" if memory.buffer.initialised else "output"
    return TensorArgument(part.name, role, array.shape, array.dtype, form="pointer")


def _answer(of: str, name: str, tensors: Mapping[str, TensorArgument], value: Any) -> np.ndarray:
    """Convert what the array `name` must hold to its type and shape; an array's mask stays, and floats are rounded.

    A number is for all elements; the result is then read-only. If it is masked, so are all elements. `of` is the
    function's name, for messages.

    Raises:
        UsageError: There is no such array, it is no array or number of its shape, or an integer array cannot hold it.
    """
    if name not in tensors:
        raise unknown_name("array", name, tensors) if tensors else UsageError(f"{of} is given no array to compare.")
    tensor = tensors[name]
    value = value.array if isinstance(value, Buffer) else value
    try:
        answer = np.ma.asanyarray(value) if isinstance(value, np.ma.MaskedArray) else np.asarray(value)
    except ValueError:
        answer = np.asarray(None)
    if answer.dtype.kind not in "biuf":
        raise UsageError(f"what is expected of {name} is an array or a number, but got {value!r:.40}.")
    if answer.ndim and answer.shape != tensor.shape:
        raise UsageError(f"{name} of {of} has shape {tensor.shape}, but what is expected has {answer.shape}.")
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = answer.astype(tensor.dtype)
    if tensor.dtype.kind != "f" and not np.array_equal(np.ma.getdata(rounded), np.ma.getdata(answer)):
        raise UsageError(f"{name} of {of} holds {tensor.dtype.name}, which does not hold all that is expected.")
    result: np.ndarray = rounded
    if not answer.ndim and np.ma.is_masked(answer):  # `broadcast_to` drops a mask
        return np.ma.masked_array(np.zeros(tensor.shape, tensor.dtype), mask=True)
    return result if answer.ndim else np.broadcast_to(result, tensor.shape)


def _judged(
    tensor: TensorArgument, initialised: bool, after: ArrayAfterCall, answer: np.ndarray | None, within: Within | None
) -> Iterator[Finding]:
    """Compare an array with what it must hold (`answer`); yield findings for writes outside of it, elements never
    written, and wrong values. If `within` is None, values must be equal.

    Masked elements of the answer are not judged; an unwritten element is never wrong too. Without an answer values are
    not compared, and unwritten elements count only if the host has not initialised the array.
    """
    yield from check.find_outside_writes(tensor, after.before, after.after)
    unwritten = after.unwritten
    if answer is None:
        if not initialised:
            yield from check.find_never_written(tensor, unwritten)
        return
    compared = ~np.broadcast_to(np.ma.getmaskarray(answer), tensor.shape)
    values = np.ma.getdata(answer)
    right = check.compare_values(after.array, values, within).reshape(tensor.shape)
    yield from check.find_never_written(tensor, unwritten & compared)
    wrong = np.flatnonzero(~right & ~unwritten & compared)
    if wrong.size:
        yield check.describe_wrong_values(tensor, after.array, values, wrong)


def _explain_end(execution: Execution, function: str, error: str, place: SourceLocation) -> Execution:
    """Return the execution with an error finding at `place` that says why the function did not return.

    It is `call.raised` if the function raised `error`, else `call.ended`, with the exit status. Nothing is added if a
    finding of severity error, a limit, a signal, or what the simulator does not know (`missing`) says why already.
    """
    if execution.missing or execution.limit or execution.status < 0 or _errors(execution):
        return execution
    if error:
        why = make_finding("call.raised", function=function, reason=error)
    else:
        why = make_finding("call.ended", function=function, status=execution.status)
    return _with(execution, [replace(why, sites=(place,))])


def _with(execution: Execution, more: Iterator[Finding] | Sequence[Finding]) -> Execution:
    findings = sorted([*execution.findings, *more], key=lambda each: SEVERITIES.index(each.severity))
    return replace(execution, findings=tuple(findings))


def _errors(execution: Execution) -> bool:
    return any(each.severity == "error" for each in execution.findings)
