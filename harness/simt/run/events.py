"""The engine's side of observing: hooks, reports, and who is who."""

import numpy as np

from harness.simt.errors import Trap
from harness.simt.findings import Collector, Finding, Place, Who
from harness.simt.ir.values import LITERAL
from harness.simt.observe import (
    HOOKS,
    AccessEvent,
    BarrierEvent,
    BranchEvent,
    ExitEvent,
    FenceEvent,
    Observer,
    SegmentEvent,
    TaintEvent,
)

__all__ = ["Events"]

EXAMPLES = 64
SCOPES = {
    "": "system",
    "singlethread": "thread",
    "wavefront": "warp",
    "workgroup": "block",
    "block": "block",
    "cluster": "cluster",
    "agent": "device",
    "device": "device",
}
BOTH = frozenset({"global", "shared"})
ZERO = np.zeros(1, np.int64)


class Events:
    """What `Engine` offers to observers, and how it tells them."""

    def setup_events(self, program, launch, observers, options):
        """Finds out which hooks somebody overrides."""
        self.program, self.options = program, options
        self.target = program.target
        self.grid, self.block, self.cluster = launch
        self.cluster_size = int(np.prod(self.cluster))
        self.collector = Collector(program.name)
        self.origins = [None]
        self.counters = {}
        self._origin_numbers = {}
        for name in HOOKS:
            hooks = [getattr(one, name) for one in observers if getattr(type(one), name) is not getattr(Observer, name)]
            setattr(self, f"on_{name}", hooks)
        self.tracked = bool(self.on_tainted)

    def close(self):
        """Lets go of observers and helpers that refer back to this.

        Otherwise the memory of a launch stays until a full garbage collection, and
        peak memory grows with the number of launches.
        """
        for name in HOOKS:
            setattr(self, f"on_{name}", [])
        self.memory.engine = self.schedule.engine = None

    # Reports.

    def who(self, lanes, positions) -> list[Who]:
        """Block, thread, warp and lane of some lanes, at most 64."""
        positions = np.asarray(positions)[:EXAMPLES]
        x, y, _ = self.block
        gx, gy, _ = self.grid
        found = []
        for lane in lanes.idx[positions].tolist():
            block = int(self.geometry.blocks[lane // self.geometry.threads])
            thread = lane % self.geometry.threads
            found.append(
                Who(
                    (block % gx, block // gx % gy, block // (gx * gy)),
                    (thread % x, thread // x % y, thread // (x * y)),
                    thread // self.geometry.warp,
                    thread % self.geometry.warp,
                )
            )
        return found

    def report(self, name, severity, sites, lanes, positions, **details):
        """Adds a finding; see `Collector.add`."""
        details.setdefault("count", len(positions))
        self.collector.add(name, severity, sites, self.who(lanes, positions), **details)

    def fail(self, name, sites, lanes, *, error=Trap, **values):
        """Ends the launch with one finding."""
        finding = Finding(
            name,
            "error",
            self.program.name,
            tuple(Place.of(site) for site in sites if site is not None),
            tuple(self.who(lanes, np.arange(lanes.n))),
            values=values,
            count=max(1, lanes.n),
        )
        raise error(finding)

    def origin(self, kind, source="", site=None) -> int:
        """The number of an origin of undefined values.

        Args:
            kind: A term of the messages' `origin`.
            source: What that term names: an argument, a variable, an operation.
        """
        key = kind, source, site
        number = self._origin_numbers.get(key)
        if number is None:
            number = self._origin_numbers[key] = len(self.origins)
            self.origins.append(key)
        return number

    def origin_of(self, number):
        """(kind, source, site or None) of an origin's number."""
        number = int(number)
        if number >= LITERAL:
            return self.program.origins[number - LITERAL]
        return self.origins[number]

    # Events. Each is built only when the hook's list is not empty.

    def emit_segment(self, segment, lanes):
        """Tells that lanes run a segment."""
        event = SegmentEvent(segment.number, lanes, len(segment.ops), segment.ops)
        for hook in self.on_segment:
            hook(event)

    def emit_access(
        self, kind, site, lanes, allocation, offsets, access, values, taint, rows=None, old=None, operation=None
    ):
        """Tells of a load, a store or an atomic."""
        if rows is None:
            rows = ZERO
            if allocation.rows != "grid":
                rows = lanes.get("row" if allocation.rows == "block" else "self")
        attrs = site.instruction.attrs
        event = AccessEvent(
            kind,
            site,
            lanes,
            allocation,
            offsets,
            rows,
            access.width,
            values,
            old,
            taint,
            attrs.get("ordering") or ("monotonic" if kind == "atomic" else None),
            attrs.get("scope", ""),
            operation,
            "volatile" in site.instruction.flags,
        )
        for hook in self.on_access:
            hook(event)

    def emit_barrier(self, segment, groups, number, arrived=None):
        """Tells that blocks pass a barrier."""
        memory, aligned = BOTH, True
        callee = getattr(segment.gate[2].attrs["callee"], "name", "")
        if "amdgcn" in callee:
            memory = frozenset()
        elif "air." in callee:
            flags = int(getattr(segment.gate[2].operands[0], "value", 3))
            names = [n for bit, n in ((1, "global"), (2, "shared")) if flags & bit]
            memory = frozenset(names)
        elif "aligned" not in callee:
            aligned = False
        rows = np.unique(np.concatenate([one.get("row") for _, one in groups]))
        ended = ~self.live.reshape(len(self.geometry.blocks), -1)[rows]
        event = BarrierEvent(groups, number, rows, ended.sum(1), memory, aligned, arrived)
        for hook in self.on_barrier:
            hook(event)

    def emit_fence(self, site, lanes, ordering=None, scope=None, spaces=BOTH):
        """Tells of a fence."""
        attrs = site.instruction.attrs
        ordering = ordering or attrs.get("ordering", "seq_cst")
        scope = scope or SCOPES.get(attrs.get("scope", "").split("-")[0], "system")
        event = FenceEvent(site, lanes, ordering, scope, spaces)
        for hook in self.on_fence:
            hook(event)

    def emit_branch(self, site, lanes, taken):
        """Tells of a branch."""
        event = BranchEvent(site, lanes, taken)
        for hook in self.on_branch:
            hook(event)

    def emit_exit(self, site, lanes):
        """Tells that lanes end."""
        event = ExitEvent(site, lanes)
        for hook in self.on_exit:
            hook(event)

    def emit_taint(self, use, site, lanes, taint, allocation=None):
        """Tells that an undefined value is used."""
        if taint is None or not taint.any():
            return
        event = TaintEvent(use, site, lanes, taint, allocation)
        for hook in self.on_tainted:
            hook(event)
