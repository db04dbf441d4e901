"""`LaneSet`, some lanes of a chunk, and `Geometry`, their thread, warp, block and cluster numbers, with caches.

A chunk holds whole clusters. Its lanes are numbered block by block and thread
by thread; a `LaneSet` names some of them in ascending order, and values that
belong to it are arrays of its length, or of length 1 when all lanes agree.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import numpy as np

from harness.simt.arrays import Array, Integers
from harness.simt.findings import Who

__all__ = ["Dim", "Geometry", "GeometryCache", "LaneSet", "clusters_of", "union"]

EXAMPLES = 64
Dim: TypeAlias = tuple[int, int, int]
T = TypeVar("T")


class LaneSet:
    """Some lanes of a chunk.

    Attributes:
        idx: The lanes' numbers in the chunk, ascending, int64.
        n: How many lanes there are.
        root: The set of all lanes of the chunk.
        cache: Values derived from this set; see `cached`.
    """

    __slots__ = ("cache", "geometry", "idx", "n", "root")

    def __init__(self, idx: Integers, root: "LaneSet | None", geometry: "Geometry") -> None:
        self.idx = idx
        self.n = len(idx)
        self.root: LaneSet = root or self
        self.geometry = geometry
        self.cache: dict[Any, Any] = {}

    def sub(self, positions: Integers) -> "LaneSet":
        """Return the lanes at ascending positions of this set."""
        return LaneSet(self.idx[positions], self.root, self.geometry)

    def cached(self, key: object, make: Callable[[], T]) -> T:
        """Return a value derived from this set, made at the first call with a key; None is not kept.

        Keys that are texts or tuples name values that follow from the geometry alone: other chunks may `reuse` them.
        """
        value: T | None = self.cache.get(key)
        if value is None:
            value = self.cache[key] = make()
        return value

    def get(self, name: str) -> Array:
        """Return a geometric value of these lanes, (n,) or (1,): `tid.x`, `lane`, `warp`, `block_id`...

        KeyError if there is no such value; `Geometry._compute` has all names.
        """

        def make() -> Array:
            values = self.geometry.value(name)
            return values if self is self.root or len(values) == 1 else values[self.idx]

        return self.cached(name, make)

    def who(self, positions: Array | Sequence[int]) -> list[Who]:
        """Return block, thread, warp and lane of the lanes at some positions of this set, of the first 64 positions."""
        geometry = self.geometry
        shape = geometry.grid, geometry.block, geometry.warp
        return [
            Who.numbered(int(geometry.blocks[lane // geometry.threads]), lane % geometry.threads, *shape)
            for lane in self.idx[np.asarray(positions)[:EXAMPLES]].tolist()
        ]

    @property
    def by_block(self) -> Integers:
        """How many of the lanes are in each block of the chunk, (blocks,)."""
        return self.cached("by_block", lambda: np.bincount(self.get("row"), minlength=len(self.geometry.blocks)))

    @property
    def where(self) -> Integers:
        """The position of each lane of the chunk in this set, (lanes of the chunk,); -1 for lanes that
        are not in it.
        """

        def make() -> Integers:
            positions = np.full(self.root.n, -1, np.int64)
            positions[self.idx] = np.arange(self.n)
            return positions

        return self.cached("where", make)


def union(sets: Sequence[LaneSet]) -> LaneSet:
    """Return the union of one or more disjoint sets of one chunk, ascending.

    A single set is returned itself; if all lanes of the chunk are in the union, it is the root.
    """
    if len(sets) == 1:
        return sets[0]
    root = sets[0].root
    idx = np.concatenate([lanes.idx for lanes in sets])
    return root if len(idx) == root.n else LaneSet(np.sort(idx), root, root.geometry)


# (grid, block, cluster), the blocks of a chunk, its geometric values by name, and cached values of all its lanes.
GeometryCache: TypeAlias = tuple[tuple[Dim, Dim, Dim], Integers, dict[str, Array], dict[Any, Any]]


class Geometry:
    """The positions of a chunk's lanes in the grid.

    Attributes:
        blocks: The linear number in the grid of each block of the chunk.
        threads: Threads of a block.
        warp: Lanes of a warp.
        warps: Warps of a block; the last may be partial.
        all_warps: Warps of the chunk.
        slots: Lanes of all warps, as if none were partial.
        cluster_size: Blocks of a cluster.
        root: The set of all lanes.
    """

    def __init__(self, blocks: Integers, grid: Dim, block: Dim, cluster: Dim, warp: int) -> None:
        self.blocks = blocks
        self.grid, self.block, self.cluster = grid, block, cluster
        self.threads = block[0] * block[1] * block[2]
        self.warp = warp
        self.warps = -(-self.threads // warp)
        self.all_warps = self.warps * len(blocks)
        self.slots = self.all_warps * warp
        self.cluster_size = cluster[0] * cluster[1] * cluster[2]
        self.lanes = len(blocks) * self.threads
        self.root = LaneSet(np.arange(self.lanes), None, self)
        self._values: dict[str, Array] = {}

    def value(self, name: str) -> Array:
        """Return a geometric value of all lanes by its name, of length 1 when they agree; KeyError if there is none.

        It is computed once; see `LaneSet.get`.
        """
        values = self._values.get(name)
        if values is None:
            values = self._values[name] = self._compute(name)
        return values

    def cached_values(self) -> GeometryCache:
        """Return the geometric values, and the cached values of the set of all lanes that follow from the geometry, for
        `reuse` by another chunk or launch.

        Geometric values that are computed later will be among them, since the dict is shared. Of the cached values only
        those made by now are.
        """
        derived = {key: value for key, value in self.root.cache.items() if isinstance(key, str | tuple)}
        return (self.grid, self.block, self.cluster), self.blocks, self._values, derived

    def reuse(self, other: GeometryCache) -> None:
        """Take over values of another chunk; nothing if grid, block, cluster or the number of blocks differ.

        Values that depend on which blocks these are, and cached values of the lanes, only if the blocks are the same.
        """
        shape, blocks, values, derived = other
        if shape != (self.grid, self.block, self.cluster) or len(blocks) != len(self.blocks):
            return
        is_same = bool((blocks == self.blocks).all())
        for name, array in values.items():
            if is_same or not name.startswith(("ctaid", "cluster", "block_id", "lane_id")):
                self._values[name] = array
        if is_same:
            self.root.cache.update(derived)

    def _per_thread(self, values: Integers) -> Integers:
        return np.tile(values, len(self.blocks)) if len(self.blocks) > 1 else values

    def _per_block(self, values: Integers) -> Integers:
        if (values == values[0]).all():
            return values[:1]
        return np.repeat(values, self.threads)

    def _compute(self, name: str) -> Integers:
        """Return a geometric value of all lanes by its name, (lanes,) or (1,) if they agree; KeyError
        if there is none.
        """
        x, y, z = self.block
        linear = np.arange(self.threads)
        match name:
            case "tid":
                return self._per_thread(linear)
            case "tid.x" | "tid.y" | "tid.z":
                extent, position = {"x": (x, linear), "y": (y, linear // x), "z": (z, linear // (x * y))}[name[-1]]
                return self._per_thread((position % extent).astype(np.int32)) if extent > 1 else np.zeros(1, np.int32)
            case "lane":
                return self._per_thread((linear % self.warp).astype(np.int32))
            case "warp_in_block":
                return self._per_thread((linear // self.warp).astype(np.int32))
            case "warp":  # numbered through the chunk
                return self.value("row") * self.warps + self.value("warp_in_block")
            case "warp_first":  # the chunk's number of lane 0 of the lane's warp
                return np.arange(self.lanes) - self.value("lane")
            case "slot":  # warp * width + lane: partial warps leave gaps
                return self.value("warp") * self.warp + self.value("lane")
            case "row":  # the block's number in the chunk
                return np.repeat(np.arange(len(self.blocks)), self.threads)
            case "self":
                return self.root.idx
            case "block_id":
                return self._per_block(np.asarray(self.blocks))
            case "lane_id":  # the lane's number in the grid
                return np.repeat(np.asarray(self.blocks) * self.threads, self.threads) + self._per_thread(linear)
        return self._block_value(name)

    def _block_value(self, name: str) -> Integers:
        """Return a value that follows from a lane's block, such as `ctaid.x` or `cluster_rank`, (lanes,) or (1,).

        KeyError if there is none.
        """
        ids = np.asarray(self.blocks)
        gx, gy, gz = self.grid

        def along(number: int) -> Integers:
            before, extent = ((1, gx), (gx, gy), (gx * gy, gz))[number]
            return ids // before % extent if extent > 1 else np.zeros(1, np.int64)

        if name == "cluster_rank":
            (cx, cy, cz), (px, py, pz) = self.cluster, map(along, range(3))
            return self._per_block((px % cx + cx * (py % cy + cy * (pz % cz))).astype(np.int32))
        kind, _, axis = name.partition(".")
        if axis not in ("x", "y", "z"):
            raise KeyError(name)
        number = "xyz".index(axis)
        match kind:
            case "ctaid":
                values = along(number)
            case "cluster_ctaid":
                values = along(number) % self.cluster[number]
            case "clusterid":
                values = along(number) // self.cluster[number]
            case _:
                raise KeyError(name)
        return self._per_block(values.astype(np.int32))


@lru_cache(maxsize=2)  # of a large grid they are large
def clusters_of(grid: Dim, cluster: Dim) -> Integers:
    """Return the linear block numbers, one row for each cluster, in rank order; the array is read-only.

    Args:
        cluster: Its extents, which divide those of the grid.
    """
    gx, gy, gz = grid
    cx, cy, cz = cluster
    ids: Integers = np.arange(gx * gy * gz)
    if cx * cy * cz > 1:
        ids = ids.reshape(gz // cz, cz, gy // cy, cy, gx // cx, cx).transpose(0, 2, 4, 1, 3, 5)
    ids = ids.reshape(-1, cx * cy * cz)
    ids.flags.writeable = False
    return ids
