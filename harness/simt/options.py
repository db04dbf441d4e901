"""`Options` of a launch: seed, engine, limits of time, steps, memory and calls, chunk size, workers, code store."""

from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal, Protocol, TypeAlias, get_args

__all__ = ["ENGINES", "Engine", "Objects", "Options"]

Engine: TypeAlias = Literal["auto", "native", "reference"]
LIMIT_NAMES = "chunk_lanes", "max_seconds", "max_bytes", "spin_steps", "call_depth", "workers"
LIMITS_OF = attrgetter(*LIMIT_NAMES)
ENGINES: tuple[str, ...] = get_args(Engine)


class Objects(Protocol):
    """A store of machine code for other processes, by a key that names all it depends on. The code is executed."""

    def get(self, key: str) -> bytes | None:
        """Return the stored code, or None."""

    def put(self, key: str, code: bytes) -> None:
        """Store code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a launch is simulated.

    Attributes:
        seed: None runs lanes together wherever they can be, in a fixed order.
            A number shuffles the order of blocks, of warps and, among lanes that
            store to one location, of lanes.
        chunk_lanes: About how many lanes run side by side. Blocks of one chunk
            can wait for one another; those of different chunks cannot.
        max_seconds: The time budget, in seconds of CPU.
        patience: If given, the time budget starts again whenever blocks have ended, and is so many seconds on a
            processor of usual speed: a launch that makes progress is not stopped, however long it takes.
        max_steps: The step budget, in segments executed, or None.
        max_bytes: The host's memory that shared and local variables may take, in bytes.
        spin_steps: How often a loop comes round before lanes that wait outside
            it get a turn.
        call_depth: How deep calls that are not inlined may go: those through a pointer, and recursion.
        engine: `reference` interprets the launch, with NumPy. `native` first tries compiled code, which proves
            that there is nothing to report; blocks without a proof, or all, are interpreted as with `reference`.
            `auto` does that if it takes no longer than interpreting, compiling included.
        objects: A store of machine code, or None to keep it for this process alone.
        workers: The most threads of this process that run a long launch's machine code.

    Raises:
        ValueError: A limit is not above 0, or there is no such engine.
    """

    seed: int | None = None
    chunk_lanes: int = 16384
    max_seconds: float = 60.0
    patience: float | None = None
    max_steps: int | None = None
    max_bytes: int = 4 << 30
    spin_steps: int = 500
    call_depth: int = 64
    engine: Engine = "reference"
    objects: Objects | None = None
    workers: int = 1

    def patient(self, seconds: float, lanes: int) -> "Options":
        """Return the same with a time budget for each chunk of a launch of so many lanes, on any machine."""
        return replace(self, max_seconds=seconds * -(-lanes // self.chunk_lanes), patience=seconds)

    def impatient(self, seconds: float) -> "Options":
        """Return the same with a time budget for the whole launch."""
        return replace(self, max_seconds=seconds, patience=None)

    def __post_init__(self) -> None:
        if min(limits := LIMITS_OF(self)) <= 0:
            name, limit = next(pair for pair in zip(LIMIT_NAMES, limits, strict=True) if pair[1] <= 0)
            msg = f"{name} must be above 0, but got {limit}"
            raise ValueError(msg)
        if self.engine not in ENGINES:
            msg = f"engine must be one of {', '.join(ENGINES)}, but got {self.engine!r}"
            raise ValueError(msg)
