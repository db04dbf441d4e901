"""`launch`: one call of a kernel, from text and arrays to a result."""

import re
from dataclasses import dataclass

import numpy as np

from harness.simt.compile.fidelity import record
from harness.simt.compile.program import compile_kernel
from harness.simt.errors import KernelFault, LaunchError, Unsupported
from harness.simt.findings import Finding
from harness.simt.ir.parse import Module, decode
from harness.simt.ir.types import leaves, size_of
from harness.simt.ir.values import bfloat_bits, bfloat_value, constant_leaves
from harness.simt.options import Options
from harness.simt.run import fits
from harness.simt.run.arguments import bind
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Allocation
from harness.simt.state.lanes import Geometry
from harness.simt.targets import target_of

__all__ = ["LaunchResult", "launch"]

PRIVATE_LIMIT = 1 << 27
IMPLICIT_BYTES = 256
# What Mojo calls a kernel's stack allocations in shared memory.
STACK_ALLOCATION = re.compile(r"^.*\._global_alloc_(\d+)\._gpu_shared_mem$")


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """What came of a launch.

    Attributes:
        verdict: `clean`; `findings` when there is one of severity error or
            warning; `incomplete` when something is not modelled.
        findings: All findings, errors first.
        counters: `steps` (segments run), `lanes`, and what observers add.
        fidelity: Operation to `exact`, `may fuse`, `approximate` or `unknown`.
        printed: What the kernel printed, in order.
        fault: The error that ended the launch early, or None.
        kernel: The kernel's name.
    """

    verdict: str
    findings: tuple[Finding, ...]
    counters: dict
    fidelity: object
    printed: tuple[str, ...] = ()
    fault: Exception | None = None
    kernel: str = ""

    def raise_for_fault(self):
        """Raises the fault that ended the launch, if there was one."""
        if self.fault is not None:
            raise self.fault


def launch(
    ir, *, kernel=None, target, grid, block, cluster=(1, 1, 1), args, dynamic_shared_bytes=0, observers=(), options=None
) -> LaunchResult:
    """Runs a kernel on arrays.

    Args:
        ir: LLVM IR text, or a `Module` decoded before, which also keeps what was
            compiled for later launches.
        kernel: The kernel's name, a part of it that is unique, or None when
            there is only one.
        target: `nvidia:sm_90`, `amd:gfx942`, `apple:apple-m4`.
        grid: Blocks in x, y and z (blocks, not clusters).
        block: Threads of a block in x, y and z.
        cluster: Blocks of a cluster in x, y and z.
        args: Arrays (written in place), `Buffer`s and scalars.
        dynamic_shared_bytes: Size of the `external` shared array, in bytes.
        observers: See `Observer`.
        options: See `Options`.

    Raises:
        SimtError: If the text, the geometry or the arguments do not fit.
    """
    options = options or Options()
    module = ir if isinstance(ir, Module) else decode(ir)
    target = target_of(target)
    program = compile_kernel(module, kernel, target)
    grid, block, cluster = (_dim(*pair) for pair in (("grid", grid), ("block", block), ("cluster", cluster)))
    fits.check_code(module, program.function, target)
    fits.check_geometry(program, grid, block, cluster)
    fits.check_shared(program, dynamic_shared_bytes)
    bound = bind(program.function, args)
    engine = Engine(program, grid, block, cluster, tuple(observers), options)
    setup = _Setup(engine, program, bound, dynamic_shared_bytes)
    blocks = _chunk_blocks(engine, setup, options)
    _check_memory(engine, setup, blocks, options)
    fault = None
    verdict = None
    for hook in engine.observation.on_launch_begin:
        hook(engine)
    with np.errstate(all="ignore"):
        try:
            _run(engine, setup, blocks)
            engine.finished = True
        except KernelFault as error:
            fault = _alone(error)
        except Unsupported as error:
            fault, verdict = _alone(error), "incomplete"
        finally:
            for hook in engine.observation.on_launch_end:
                hook(engine)
            engine.observation.close()
    for one in bound:
        if one.copy_back is not None:
            array = one.copy_back
            array[...] = one.data.view(array.dtype).reshape(array.shape)
    return _result(engine, fault, verdict)


def _alone(error):
    """The error without the frames it came through, which would keep all memory alive."""
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


def _result(engine, fault, verdict):
    findings = list(engine.observation.collector.result())
    if isinstance(fault, KernelFault):
        findings.insert(0, fault.finding)
    order = {"error": 0, "warning": 1, "information": 2}
    findings.sort(key=lambda one: order[one.severity])
    if verdict is None:
        bad = any(one.severity != "information" for one in findings)
        verdict = "findings" if bad else "clean"
    counters = {
        "steps": engine.budget.steps,
        "lanes": int(np.prod(engine.grid)) * int(np.prod(engine.block)),
    }
    counters.update(engine.observation.counters)
    return LaunchResult(
        verdict,
        tuple(findings),
        counters,
        record(engine.program),
        tuple(engine.host.printed),
        fault,
        engine.program.name,
    )


def _dim(name, value):
    values = (value,) if isinstance(value, int | np.integer) else tuple(value)
    values += (1,) * (3 - len(values))
    if len(values) != 3 or any(int(v) != v or v < 1 for v in values):
        msg = f"{name} must be one to three numbers of at least 1, but got {value}"
        raise LaunchError(msg)
    return tuple(int(v) for v in values)


class _Setup:
    """The allocations of a launch, and the registers it begins with."""

    def __init__(self, engine, program, bound, dynamic_shared_bytes):
        self.engine, self.program = engine, program
        memory = engine.memory
        self.per_block, self.per_lane = [], []
        for one in program.variables:
            size = one.size
            if one.number == program.dynamic:
                size = dynamic_shared_bytes
            self._variable(memory, one, size)
        self.registers = []
        for one in bound:
            self._parameter(memory, one)
        engine.implicit = self._implicit(memory)

    def _variable(self, memory, one, size):
        name = STACK_ALLOCATION.sub(r"shared array \1", one.name)
        allocation = Allocation(one.number, name, one.space, size, rows=one.rows, writable=one.writable)
        memory.allocations.append(allocation)
        if one.rows == "block":
            self.per_block.append(allocation)
        elif one.rows == "lane":
            self.per_lane.append(allocation)
            memory.private.append(allocation.number)
        else:
            allocation.data = _initial(one, self.program)

    def _add(self, memory, name, space, data, **options):
        number = len(memory.allocations)
        allocation = Allocation(number, name, space, len(data), data=data, **options)
        memory.allocations.append(allocation)
        return allocation

    def _parameter(self, memory, one):
        number, _ = self.program.params[one.position]
        slot = self.program.slots[number, 0]
        if one.data is not None:
            buffer = self._add(
                memory, one.name, "global", one.data, writable=one.writable, argument=one.position, granule=one.granule
            )
            if self.engine.observation.tracked and not one.initialised:
                origin = self.engine.observation.origin("argument", one.name)
                buffer.shadow = np.full(len(one.data), origin, np.int32)
            if one.indirect is None:
                self.registers.append((slot, np.array([buffer.base])))
                return
            raw = np.zeros(max(8, size_of(one.indirect)), np.uint8)
            raw[:8].view(np.int64)[0] = buffer.base
        elif one.indirect is None:
            value = one.scalar
            if value.dtype == np.uint16:
                value = bfloat_value(value)
            self.registers.append((slot, value))
            return
        else:
            raw = one.scalar
        block = self._add(memory, f"parameter {one.position}", "param", raw, writable=False, argument=one.position)
        self.registers.append((slot, np.array([block.base])))

    def _implicit(self, memory):
        """What the AMD runtime puts behind the kernel's arguments and elsewhere."""
        if self.program.target.vendor != "amd":
            return {}
        grid, block = self.engine.grid, self.engine.block
        hidden = np.zeros(IMPLICIT_BYTES, np.uint8)
        hidden[:12].view(np.uint32)[:] = grid
        hidden[12:18].view(np.uint16)[:] = block
        hidden[64:66].view(np.uint16)[0] = 3
        dispatch = np.zeros(64, np.uint8)
        dispatch[4:10].view(np.uint16)[:] = block
        dispatch[12:24].view(np.uint32)[:] = np.multiply(grid, block)
        return {
            "implicitarg": self._add(memory, "implicit arguments", "constant", hidden, writable=False).base,
            "dispatch": self._add(memory, "dispatch packet", "constant", dispatch, writable=False).base,
        }


def _initial(variable, program):
    """The bytes of a global variable in global or constant memory."""
    data = np.zeros(variable.size, np.uint8)
    if variable.initial is None:
        return data
    arrays = constant_leaves(variable.initial, program.address)
    for (ty, offset), array in zip(leaves(variable.initial.type), arrays, strict=True):
        raw = bfloat_bits(array) if str(ty) == "bfloat" else array
        octets = np.ascontiguousarray(raw).view(np.uint8).reshape(-1)
        data[offset : offset + len(octets)] = octets
    return data


def _chunk_blocks(engine, setup, options):
    """How many blocks run side by side: whole clusters, at least one."""
    lanes = options.chunk_lanes
    private = sum(a.stride for a in setup.per_lane)
    if private:
        lanes = min(lanes, max(1, PRIVATE_LIMIT // private))
    cluster = engine.cluster_size
    size = max(1, lanes // (int(np.prod(engine.block)) * cluster))
    return cluster * min(size, int(np.prod(engine.grid)) // cluster)


def _check_memory(engine, setup, blocks, options):
    """Refuses variables that would take more of the host's memory than they may."""
    rows = [(one, blocks) for one in setup.per_block]
    rows += [(one, blocks * int(np.prod(engine.block))) for one in setup.per_lane]
    marks = 5 if engine.observation.tracked else 1  # four more bytes say where an undefined one comes from
    total = marks * sum(one.stride * count for one, count in rows)
    if total <= options.max_bytes:
        return
    largest, count = max(rows, key=lambda row: row[0].stride * row[1])
    owner = "block" if largest.rows == "block" else "thread"
    raise LaunchError(
        f"{largest.name} has {largest.size} bytes for each {owner}: simulating {count} of them side by side takes "
        f"{total} bytes of memory, and {options.max_bytes} are allowed; make it smaller or raise max_bytes"
    )


def _run(engine, setup, blocks_of_chunk):
    """Runs the grid, a chunk of whole clusters at a time."""
    clusters = _clusters(engine.grid, engine.cluster)
    if engine.random is not None:
        clusters = engine.random.permutation(clusters)
    size = blocks_of_chunk // engine.cluster_size
    previous = None
    for start in range(0, len(clusters), size):
        blocks = clusters[start : start + size].reshape(-1)
        geometry = Geometry(blocks, engine.grid, engine.block, engine.cluster, engine.target.warp)
        if previous is not None and len(previous.blocks) == len(blocks):
            geometry.share(previous)
        previous = geometry
        for allocations, rows, kind in (
            (setup.per_block, len(blocks), "shared"),
            (setup.per_lane, geometry.lanes, "local"),
        ):
            for one in allocations:
                origin = engine.observation.origin(kind, one.name) if engine.observation.tracked else 0
                one.reset(rows, origin)
        engine.run_chunk(geometry, setup.registers)


def _clusters(grid, cluster):
    """The linear block numbers, one row for each cluster, in rank order."""
    gx, gy, gz = grid
    cx, cy, cz = cluster
    ids = np.arange(gx * gy * gz).reshape(gz // cz, cz, gy // cy, cy, gx // cx, cx)
    return ids.transpose(0, 2, 4, 1, 3, 5).reshape(-1, cx * cy * cz)
