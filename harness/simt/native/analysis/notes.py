"""Names of what compiled code counts: for observers (`NEEDS`, `COUNTED`), or as a kernel needs it (`add_notes`)."""

from harness.simt.compile.declarations import ClusterBarrier
from harness.simt.compile.program import Program
from harness.simt.compile.segments import compiled_form, intrinsic_of
from harness.simt.native.analysis.sync_points import warp_sync_of
from harness.simt.native.analysis.warp_sync import spaces_all_barriers_order

__all__ = ["CLUSTERS", "COUNTED", "LOCKSTEP", "NEEDS", "WARPS", "add_notes"]

NEEDS = "needs"  # somebody asks which barriers exchanges need
COUNTED = frozenset({"elements", "global", "ways"})  # for counters: see `sanitize.counting`
LOCKSTEP = "lockstep"  # warps run in lockstep, so that everything can be counted: see `sanitize.lane_counts`
CLUSTERS = "clusters"  # blocks of a launch form clusters, or the kernel waits for one
WARPS = "warps"  # meetings of a warp order memory


def add_notes(program: Program, notes: frozenset[str]) -> frozenset[str]:
    """Return notes with `CLUSTERS` if the kernel waits for a cluster, `WARPS` if warp synchronisation orders memory.

    `WARPS` is added only if some address space is ordered by that synchronisation and by every barrier. It is left out
    if there are clusters, asynchronous copies or phases of mbarriers, which have their own order within an epoch.
    """
    waits = (gate.wait for gate in program.gates.values())
    notes |= {CLUSTERS for wait in waits if isinstance(wait, ClusterBarrier)}
    ops = [op for segment in program.segments for op in segment.ops]
    meets = [(op, wait) for op in ops if (wait := warp_sync_of(intrinsic_of(op))) is not None]
    if not meets or CLUSTERS in notes or program.copies or any(compiled_form(op) == "phase" for op in ops):
        return notes
    everywhere = spaces_all_barriers_order(program)
    return notes | {WARPS for op, wait in meets if wait.ordered_spaces(op) & everywhere}
