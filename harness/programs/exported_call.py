"""Call an exported function on arrays, simulated or on a GPU: lay out memory, run a calling program, read back.

In the simulator every block of memory is exactly as long as its array, so that an access outside it is found. On a GPU,
and in the host's memory everywhere, a block lies between guards, and elements that the caller has not written hold a
pattern.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from harness.backends.guarded import find_damaged, find_poisoned, make_guarded, split
from harness.build import toolchain
from harness.build.cache import Cache, make_key
from harness.build.exported import ExportedFunction, generate_calling_program
from harness.errors import CompileError, UsageError
from harness.process.child import temporary_folder
from harness.programs import sources
from harness.programs.program_plan import ProgramPlan, execute_plan
from harness.programs.result import Execution
from harness.programs.streams import Streams
from harness.simt.errors import ArgumentError
from harness.simt.ir.types import Pointer
from harness.simt.run.bound_arguments import BoundArguments, Buffer, HostRegion, Leaf, lay_out

__all__ = ["ArrayAfterCall", "ArrayArgument", "Value", "call_exported"]

_FILL = "poison"
_GUARD_BYTES = 256
_ROW = struct.Struct("<qq")


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """The array behind a pointer.

    Attributes:
        buffer: The array, with its name, and whether the caller has written it.
        host: Whether it lies in the host's memory, not the device's.
    """

    buffer: Buffer
    host: bool = False


Value = ArrayArgument | np.generic | None  # None for a null pointer, and for a context


@dataclass(frozen=True, slots=True)
class ArrayAfterCall:
    """The array behind a pointer, after the call.

    Attributes:
        array: Its elements.
        unwritten: Which of them nobody ever wrote.
        before: The places, in elements from its beginning, where it was written in front of it; seen at guards alone.
        after: The same behind it.
    """

    array: np.ndarray
    unwritten: np.ndarray
    before: Sequence[int] = ()
    after: Sequence[int] = ()


@dataclass(slots=True)
class _Block:
    """A block of memory: an array, or several that overlap.

    Attributes:
        region: Its bytes.
        host: Whether it lies in the host's memory.
        guard: Bytes of each of its guards.
    """

    region: HostRegion
    host: bool
    guard: int
    octets: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        data, undefined = self.region.data, self.region.undefined
        if not self.guard:
            self.octets = data
            return
        self.octets = make_guarded(data.shape, data.dtype, _FILL, self.guard)
        inner = split(self.octets, data.shape, self.guard)[0]
        written = slice(None) if undefined is None else ~undefined
        inner[written] = data[written]


def call_exported(
    function: ExportedFunction,
    together: Sequence[ExportedFunction],
    values: Sequence[Value],
    plan: ProgramPlan,
    streams: Streams | None,
) -> tuple[Execution, list[ArrayAfterCall | None] | None, str]:
    """Call an exported function in a process of its own; the caller's arrays are not changed.

    Args:
        function: The function.
        together: All functions of the file that are compiled with it.
        values: What it takes, in order.
        plan: The run of its file, without a caller yet.
        streams: Its standard streams; None to keep them in the result.

    Returns:
        (execution, arrays, error). `arrays` has an entry for each argument: its array after the call, or None if it is
        no array or was not read back. If the function raised, did not return, or its work on the device failed, there
        is None in place of the list. `error` is the text of what it raised, or empty.

    Raises:
        UsageError: Arrays overlap and are not contiguous, or only one of two that overlap lies in the host's memory.
        CompileError: The file does not compile.
        EnvironmentFault: It could not be run.
    """
    blocks, places = _laid_out(function, values, plan.launches.backend == "max")
    with temporary_folder() as folder:
        _write(folder, blocks, places, values)
        execution = _execute(function, together, folder, plan, streams)
        error = folder / "error"
        reason = error.read_text(encoding="utf-8", errors="replace") if error.is_file() else ""
        returned = (folder / "returned").is_file()
        arrays = list(_read(folder, blocks, places, values)) if returned else None
    return execution, arrays, reason


def _execute(
    function: ExportedFunction,
    together: Sequence[ExportedFunction],
    folder: Path,
    plan: ProgramPlan,
    streams: Streams | None,
) -> Execution:
    """Run the program with all functions, or with this one alone if some other one does not compile.

    In that case the cache notes it, and the functions of these sources are compiled alone from then on.

    Raises:
        CompileError: This function does not compile alone either.
    """
    file, target, versions = plan.file, plan.launches.target.name, toolchain.package_versions()
    plan = replace(plan, arguments=(function.name, str(folder)), call=folder)

    def execute(functions: Sequence[ExportedFunction]) -> Execution:
        return execute_plan(replace(plan, caller=generate_calling_program(file, functions)), streams, must_compile=True)

    if len(together) == 1:
        return execute(together)
    cache = plan.cache or Cache.default()
    facts = {"kind": "functions apart", "target": target, "sources": sources.compute_digests(file, plan.includes)}
    key = make_key({**facts, "defines": dict(plan.defines), "versions": versions})
    if cache.get(key, ("apart",)) is None:
        try:
            return execute(together)
        except CompileError:
            alone = execute([function])  # or it is this one that does not compile
            cache.put(key, {"apart": b"1"})
            return alone
    return execute([function])


def _laid_out(
    function: ExportedFunction, values: Sequence[Value], gpu: bool
) -> tuple[list[_Block], dict[int, tuple[int, int]]]:
    """Lay out the blocks of memory for arrays; return them, and by argument (its block's number, its offset in bytes).

    Arrays that overlap share a block. Arguments that are no arrays have no entry.

    Args:
        gpu: Whether all blocks have guards; those of the host have them anyway. Offsets count them.

    Raises:
        UsageError: See `call_exported`.
    """
    bound, leaves = BoundArguments(), {}
    buffers: list[tuple[int, Leaf, Buffer]] = []
    for place, (part, value) in enumerate(zip(function.arguments, values, strict=True)):
        if isinstance(value, ArrayArgument):
            leaves[place] = Leaf(Pointer(0), 0, part.name, array=value.buffer.array)
            buffers.append((place, leaves[place], value.buffer))
    try:
        lay_out(buffers, bound)
    except ArgumentError as error:
        raise UsageError(f"{function.name}: {error}.") from None
    blocks: list[_Block] = []
    places: dict[int, tuple[int, int]] = {}
    for number, region in enumerate(bound.regions):
        inside = [place for place, leaf in leaves.items() if leaf.region is region]
        hosts = {value.host for place in inside if isinstance(value := values[place], ArrayArgument)}
        if len(hosts) > 1:
            names = ", ".join(function.arguments[place].name for place in inside)
            raise UsageError(f"{names} of {function.name} share memory: all lie on the host, or none does.")
        host = hosts.pop()
        guard = _GUARD_BYTES if gpu or host else 0
        blocks.append(_Block(region, host, guard))
        places |= {place: (number, guard + leaves[place].start) for place in inside}
    return blocks, places


def _write(
    folder: Path, blocks: Sequence[_Block], places: Mapping[int, tuple[int, int]], values: Sequence[Value]
) -> None:
    """Write the files that the program and its device read into the call's folder; see their `call_data`.

    They are `table` and `blocks.json`; the bytes of each block, named by its number, if it has guards or the caller has
    written any; and `undefinedN`, a mask, for one without guards that the caller has written in part.
    """
    table = [_ROW.pack(len(block.octets), int(block.host)) for block in blocks] + [_ROW.pack(0, 0)]
    for place, value in enumerate(values):
        inside, offset = places.get(place, (-1, 0))
        octets = value.tobytes() if isinstance(value, np.generic) else struct.pack("<q", offset)
        table.append(struct.pack("<q", inside + 1) + octets.ljust(8, b"\0"))
    (folder / "table").write_bytes(b"".join(table))
    facts = []
    for number, block in enumerate(blocks):
        undefined = None if block.guard else block.region.undefined
        written = undefined is None or not undefined.all()
        facts.append({"name": block.region.name, "size": len(block.octets), "written": written})
        if written:
            block.octets.tofile(folder / str(number))
        if undefined is not None and written:
            undefined.tofile(folder / f"undefined{number}")
    (folder / "blocks.json").write_text(json.dumps(facts), encoding="utf-8")


def _read(
    folder: Path, blocks: Sequence[_Block], places: Mapping[int, tuple[int, int]], values: Sequence[Value]
) -> Iterator[ArrayAfterCall | None]:
    """Yield for each argument its array after the call; None if it is no array, or if the program left nothing of it.

    Damage to guards, and places that hold the fill pattern, are found in blocks with guards; in others the device tells
    what nobody wrote.
    """
    for place, value in enumerate(values):
        path = folder / f"left{places[place][0]}" if place in places else folder
        if not (isinstance(value, ArrayArgument) and path.is_file()):
            yield None
            continue
        number, offset = places[place]
        block, shape, dtype = blocks[number], value.buffer.array.shape, value.buffer.array.dtype
        octets = np.fromfile(path, np.uint8)
        part = slice(offset, offset + value.buffer.array.nbytes)
        array = octets[part].view(dtype).reshape(shape)
        mask = folder / f"undefined{number}"
        if block.guard:
            inner, before, after = split(octets, block.region.data.shape, block.guard)
            start, size, width = offset - block.guard, len(inner), dtype.itemsize
            yield ArrayAfterCall(
                array,
                _unwritten(array, value),
                list(dict.fromkeys((int(at) - block.guard - start) // width for at in find_damaged(before))),
                list(dict.fromkeys((size - start + int(at)) // width for at in find_damaged(after))),
            )
        elif mask.is_file():
            unwritten = np.fromfile(mask, bool)[part].reshape(*shape, dtype.itemsize).any(-1)
            yield ArrayAfterCall(array, np.asarray(unwritten))
        else:
            yield ArrayAfterCall(array, np.zeros(shape, bool))


def _unwritten(array: np.ndarray, value: ArrayArgument) -> np.ndarray:
    """Return for each element whether it still holds the fill pattern, and so was never written.

    False for all if the caller wrote the array, or if its elements have fewer than 4 bytes: there it is a value like
    any.
    """
    if value.buffer.initialised or array.dtype.itemsize < 4:
        return np.zeros(array.shape, bool)
    return find_poisoned(array, _FILL)
