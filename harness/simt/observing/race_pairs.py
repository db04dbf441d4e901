"""Accesses of one event as the race observer sees them, and the pairs that race."""

import numpy as np

from harness.simt.findings import Who
from harness.simt.ir.values import POISON_BYTES, bfloat_bits
from harness.simt.observing.race_shadow import ATOMIC_READ, READ, WRITE

__all__ = ["ERROR", "SAME", "WARN", "Pairs", "Touch"]

EXAMPLES = 64
READS = (READ, ATOMIC_READ)
UNITS = ("threads of one warp", "warps of one block", "blocks of one cluster", "different blocks")
LEVELS = ("warp", "block", "cluster", "grid")
ORDERS = {"RAW": "write-read", "WAR": "read-write", "WAW": "write-write"}
SAME, WARN, ERROR = range(3)


class Pairs:
    """Pairs of instructions whose accesses race, each with its worst case.

    Args:
        blocks: The number in the grid of each block, in the order they ran.
    """

    def __init__(self, engine, shape, blocks):
        self.engine, self.shape, self.blocks = engine, shape, blocks
        self.found = {}

    def add(self, one, other, at, them, site, level, severity, volatile=False):
        """Adds pairs: `at` of an access, the worst first, and earlier threads at a site."""
        key = frozenset((site, one.event.site)), one.event.allocation.number
        found = self.found.get(key)
        if found is None or severity > found["severity"]:
            before = found
            found = self.found[key] = {
                "severity": severity,
                "sites": (site, one.event.site),
                "who": [],
                "count": 0,
                "accesses": (_access(other), _access(one.kind)),
                "hazard": _hazard(other, one.kind),
                "level": level,
                **one.details(at[0]),
                "scoped": other > WRITE and one.kind > WRITE and severity > WARN,
                "volatile": one.volatile or volatile,
            }
            if before is not None:
                found |= {name: before[name] for name in ("count", "record", "seen")}
        later = np.unique(one.who[at])
        # A thread that races with several before it is counted once.
        if found.get("record") == one.record:
            later = np.setdiff1d(later, found["seen"], assume_unique=True)
            found["seen"] = np.concatenate((found["seen"], later))
        else:
            found["record"], found["seen"] = one.record, later
        found["count"] += len(later)
        room = EXAMPLES - len(found["who"])
        swap = found["sites"][0] is not site
        for first, second in zip(them[: room // 2], one.who[at[: room // 2]], strict=False):
            pair = self._name(int(first)), self._name(int(second))
            found["who"] += pair[::-1] if swap else pair

    def _name(self, number):
        gx, gy, _ = self.engine.grid
        x, y, _ = self.engine.block
        block = int(self.blocks[number // self.shape.block])
        thread = number % self.shape.block
        return Who(
            (block % gx, block // gx % gy, block // (gx * gy)),
            (thread % x, thread // x % y, thread // (x * y)),
            thread // self.shape.warp,
            thread % self.shape.warp,
        )

    def report(self):
        """Hands over all findings."""
        for one in self.found.values():
            severity = ("information", "warning", "error")[one["severity"]]
            if not one["severity"]:
                name = "several-writers"
            elif one["volatile"] and severity == "warning":
                name = "race.volatile"
            elif one["scoped"]:
                name = "race.scope"
            else:
                space = "shared" if one["space"] == "shared" else "global"
                name = f"race.{space}.{ORDERS[one['hazard']]}"
            self.engine.observation.collector.add(
                name,
                severity,
                one["sites"],
                one["who"],
                argument=one["argument"],
                offset=one["offset"],
                size=one["size"],
                count=one["count"],
                values={
                    "hazard": one["hazard"],
                    "between": UNITS[one["level"]],
                    "level": LEVELS[one["level"]],
                    "first": one["accesses"][0],
                    "second": one["accesses"][1],
                    **one["values"],
                },
            )


def _access(kind):
    return {READ: "load", WRITE: "store"}.get(kind, "atomic")


def _hazard(earlier, later):
    return {(True, False): "RAW", (False, True): "WAR"}.get((earlier not in READS, later not in READS), "WAW")


class Touch:
    """Accesses of one event, one for each place: kind, places, threads, bytes."""

    def __init__(self, event, kind, scope, cells, unit, parts, positions):
        self.event, self.kind, self.scope, self.cells = event, kind, scope, cells
        self.unit, self.parts, self.positions = unit, parts, positions
        self.record, self.volatile = None, False
        self.space = "shared" if event.allocation.rows == "block" else "global"

    def _lane(self, at):
        """The event's positions of the lanes."""
        lane = at // self.parts
        return lane if self.positions is None else self.positions[lane]

    def _bytes(self, at):
        """The bytes written to places, (n, unit); None where they cannot be told."""
        event, values = self.event, self.event.values
        values = values[self._lane(at)] if len(values) > 1 else np.repeat(values, len(at), 0)
        size = event.size
        if values.dtype == object:
            return None
        raw = np.ascontiguousarray(values)
        if raw.size and raw.nbytes // len(raw) == 2 * size:
            raw = np.ascontiguousarray(bfloat_bits(raw))
        if raw.nbytes != len(at) * size:
            return None
        raw = raw.view(np.uint8).reshape(len(at), self.parts, self.unit)
        return raw[np.arange(len(at)), at % self.parts]

    def _told(self, at, octets):
        """Whether bytes tell values apart: an undefined value does only as long as it is copied."""
        taint = self.event.taint
        if taint is None or not taint.any():
            return np.ones(len(at), bool)
        defined = (taint[self._lane(at)] if len(taint) > 1 else taint) == 0
        return defined | np.isin(octets, POISON_BYTES).all(1)

    def same(self, left, right):
        """Whether pairs of writes write the same bytes."""
        first, second = self._bytes(left), self._bytes(right)
        if first is None or second is None:
            return np.zeros(len(left), bool)
        return (first == second).all(1) & self._told(left, first)

    def _memory(self, at):
        places = self.cells[at][:, None] * self.unit + np.arange(self.unit)
        return self.event.allocation.data[places]

    def same_as_memory(self, at):
        """Whether writes write what is there."""
        new = self._bytes(at)
        if new is None:
            return np.zeros(len(at), bool)
        return (new == self._memory(at)).all(1) & self._told(at, new)

    def details(self, at):
        """What a finding says of one place."""
        event, at = self.event, np.array([at])
        lane = int(self._lane(at)[0])
        values = event.values[lane] if len(event.values) > 1 else event.values[0]
        there = self._memory(at)[0].tobytes().hex()
        offset = int(self.cells[at[0]]) * self.unit % max(1, event.allocation.stride)
        return {
            "argument": event.allocation.name,
            "space": event.allocation.space,
            "offset": offset,
            "size": event.size,
            "values": {"later": values.tolist(), "there": there},
        }
