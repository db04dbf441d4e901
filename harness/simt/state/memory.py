"""Allocations, and loads and stores of many lanes at once.

Every access is checked against the allocation its pointer came from. Memory
that nothing wrote holds `POISON_BYTES`. The quick path is for lanes that all
stay within one allocation; `checked_access.py` has the rest.
"""

import numpy as np

from harness.simt.errors import Unsupported
from harness.simt.ir.types import Float, Int, Vector, align_of, dtype_of, size_of
from harness.simt.ir.values import POISON_BYTES, SHIFT, base_of, bfloat_bits, bfloat_value
from harness.simt.ops.undefined import seen, settled, whole
from harness.simt.state import checked_access

__all__ = ["Access", "Allocation", "Memory"]

SIGN = -1 << 63
MASK = 0xFFFF


class Access:
    """How a value of one type lies in memory.

    Attributes:
        width: Its size in bytes.
        count: Elements of a vector, or 0 for a scalar.
        dtype: What one element is stored as.
        align: The alignment that the compiler promises, in bytes.
        bad: Bits of an offset that only the slow path can deal with.
    """

    def __init__(self, ty, align=None):
        self.type = ty
        element = ty.element if isinstance(ty, Vector) else ty
        self.count = ty.length if isinstance(ty, Vector) else 0
        self.element = element
        if self.count and isinstance(element, Int) and element.bits not in (8, 16, 32, 64):
            raise Unsupported(f"{ty} in memory")
        self.kind = "plain"
        self.dtype = dtype_of(element)
        size = size_of(element)
        if element == Int(1):
            self.kind, self.dtype = "bool", np.dtype(np.uint8)
        elif element == Float("bfloat"):
            self.kind, self.dtype = "bfloat", np.dtype(np.uint16)
        elif isinstance(element, Int) and element.bits not in (8, 16, 32, 64):
            self.kind, self.dtype = "odd", np.dtype(np.uint8)
            self.odd = (element.bits + 7) // 8
        self.shift = self.dtype.itemsize.bit_length() - 1
        self.width = self.odd if self.kind == "odd" else size * max(1, self.count)
        self.align = align or align_of(ty)
        self.bad = SIGN | (max(self.align, self.dtype.itemsize) - 1)
        self.steps = np.arange(self.odd if self.kind == "odd" else self.count)
        self.spread = bool(self.count) or self.kind == "odd"

    def decode(self, raw):
        """From what is stored to what is computed with."""
        match self.kind:
            case "plain":
                return raw
            case "bool":
                return raw & np.uint8(1) != 0
            case "bfloat":
                return bfloat_value(raw)
        bits = self.element.bits
        total = sum(column.astype(object) << 8 * number for number, column in enumerate(raw.T))
        half, full = 1 << (bits - 1), 1 << bits
        return ((total + half) % full - half).astype(dtype_of(self.element))

    def encode(self, values):
        """From what is computed with to what is stored."""
        match self.kind:
            case "plain":
                return values
            case "bool":
                return values.astype(np.uint8)
            case "bfloat":
                return bfloat_bits(values)
        values = values.astype(object)
        return np.stack([(values >> 8 * n & 255).astype(np.uint8) for n in range(self.odd)], -1)


class Allocation:
    """Some bytes with a name; one instance for each row.

    Attributes:
        number: What its pointers carry.
        space: `global`, `shared`, `private`, `constant` or `param`.
        size: Its bytes in each row.
        rows: `grid` (one row), `block` or `lane`: who has a row of its own.
        argument: Its position among the kernel's arguments, or None.
        writable: Whether the kernel may store to it.
        data: The bytes of all rows, one after another.
        granule: Bytes of an element as the host has them; 1 where it has mere bytes.
        shadow: For each byte the origin of its not being initialised, or 0;
            None while all bytes are initialised.
    """

    __slots__ = (
        "_views",
        "argument",
        "base",
        "data",
        "granule",
        "name",
        "number",
        "rows",
        "shadow",
        "size",
        "space",
        "stride",
        "writable",
    )

    def __init__(self, number, name, space, size, *, rows="grid", data=None, writable=True, argument=None, granule=1):
        self.number, self.name, self.space, self.size = number, name, space, size
        self.rows, self.writable, self.argument, self.granule = rows, writable, argument, granule
        self.base = base_of(number)
        self.stride = size if rows == "grid" else -(-max(size, 1) // 16) * 16
        self.data = data
        self.shadow = None
        self._views = {}

    def reset(self, rows, origin=0):
        """Gives each of `rows` rows fresh bytes that nothing wrote."""
        total = rows * self.stride
        if self.data is None or len(self.data) != total:
            self.data = np.empty(total, np.uint8)
            self._views.clear()
        self.data.reshape(-1, 16)[:] = POISON_BYTES
        if origin:
            self.shadow = np.full(total, origin, np.int32)

    def view(self, dtype):
        """All bytes as elements of `dtype`; a tail that does not fit is cut."""
        found = self._views.get(dtype)
        if found is None:
            size = dtype.itemsize
            found = self.data[: len(self.data) // size * size].view(dtype)
            self._views[dtype] = found
        return found


class Memory:
    """All allocations of a launch.

    Attributes:
        allocations: By number; 0 is null.
        private: The numbers of the local variables.
        observation: Whom to report to, and the observers' hooks.
        store_order: Takes a number of lanes; the order in which they store. None for ascending.
        writes: Counts what may have changed memory.
    """

    def __init__(self, observation, store_order=None):
        self.observation, self.store_order = observation, store_order
        self.writes = 0
        self.allocations = [None]
        self.private = []

    def find(self, pointer):
        """The allocation an integer address belongs to, or None."""
        number = (pointer >> SHIFT) & MASK
        if 0 < number < len(self.allocations):
            return self.allocations[number]
        return None

    def locate(self, lanes, pointers, access):
        """The allocation and the element numbers, or None for the slow path."""
        allocation = self.find(int(pointers[0]))
        if allocation is None:
            return None
        if len(pointers) == 1:
            offset = int(pointers[0]) - allocation.base
            if offset & access.bad or offset > allocation.size - access.width:
                return None
            index = offsets = np.array([offset])
        else:
            offsets = pointers - allocation.base
            if int(np.bitwise_or.reduce(offsets)) & access.bad:
                return None
            if int(np.maximum.reduce(offsets)) > allocation.size - access.width:
                return None
            index = offsets
        if access.shift:
            index = index >> access.shift
        if allocation.rows != "grid":
            stride = allocation.stride >> access.shift
            index = index + lanes.get("row" if allocation.rows == "block" else "self") * stride
        return allocation, index, offsets

    def load(self, lanes, pointers, access, site):
        """Loads a value for each lane."""
        found = self.locate(lanes, pointers, access)
        if found is None:
            return checked_access.load(self, lanes, pointers, access, site, None)[0]
        allocation, index, offsets = found
        if access.spread:
            index = index[:, None] + access.steps
        values = access.decode(allocation.view(access.dtype).take(index))
        if self.observation.on_access:
            self.observation.emit_access("load", site, lanes, allocation, offsets, access, values, None)
        return values

    def load_tainted(self, lanes, pointers, taint, access, site):
        """Loads a value and its taint for each lane."""
        if taint is not None:
            self.observation.emit_taint("address", site, lanes, taint)
        found = self.locate(lanes, pointers, access)
        if found is None:
            return checked_access.load(self, lanes, pointers, access, site, taint)
        allocation, index, offsets = found
        shadow = None
        if allocation.shadow is not None:
            byte = index << access.shift
            shadow = allocation.shadow.take(byte[:, None] + np.arange(access.width))
            shadow = settled(shadow)
        if access.spread:
            index = index[:, None] + access.steps
        values = access.decode(allocation.view(access.dtype).take(index))
        if self.observation.on_access:
            self.observation.emit_access("load", site, lanes, allocation, offsets, access, values, whole(shadow))
        return values, shadow

    def store(self, lanes, pointers, values, access, site, taints=(None, None), padded=None):
        """Stores a value for each lane; of lanes that agree on the place, the last.

        Args:
            taints: Of the address, taken as a whole, and of the value.
            padded: See `undefined.seen`.
        """
        address_taint, taint = taints
        observation = self.observation
        if address_taint is not None:
            observation.emit_taint("address", site, lanes, address_taint)
        found = self.locate(lanes, pointers, access)
        if found is None or not found[0].writable:
            checked_access.store(self, lanes, pointers, values, access, site, taint, padded)
            return
        allocation, index, offsets = found
        if observation.on_access:
            observation.emit_access("store", site, lanes, allocation, offsets, access, values, whole(taint))
        if taint is not None and allocation.rows == "grid":
            shown = seen(taint, access.count, allocation.granule, padded)
            observation.emit_taint("output", site, lanes, shown, allocation)
        if allocation.shadow is not None or taint is not None:
            self.put_shadow(allocation, index << access.shift, taint, access.width)
        raw = access.encode(values)
        if access.spread:
            index = index[:, None] + access.steps
        order = self.store_order
        if order is not None and len(index) > 1:
            permuted = order(len(index))
            index = index[permuted]
            raw = raw[permuted] if len(raw) > 1 else raw
        elif len(index) == 1 and len(raw) > 1:
            raw = raw[-1:]
        allocation.view(access.dtype)[index] = raw
        self.writes += 1

    def begin_life(self, lanes, number, site):
        """A local variable begins to exist: its bytes become undefined."""
        allocation = self.allocations[number]
        if allocation.shadow is None:
            allocation.shadow = np.zeros(len(allocation.data), np.int32)
        origin = self.observation.origin("argument", allocation.name, site)
        allocation.shadow.reshape(-1, allocation.stride)[lanes.idx] = origin

    def put_shadow(self, allocation, byte, taint, width):
        """Marks bytes as initialised or, where there is taint, as not."""
        if allocation.shadow is None:
            allocation.shadow = np.zeros(len(allocation.data), np.int32)
        if taint is None:
            taint = np.zeros(1, np.int32)
        if len(byte) == 1:
            taint = taint[-1:]
        allocation.shadow[byte[:, None] + np.arange(width)] = taint if taint.ndim == 2 else taint[:, None]
