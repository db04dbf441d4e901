"""Atomic read-modify-write of many lanes, as if one after another.

Lanes that meet at one place are taken in ascending order (or in the order of
the seed). Each gets the value that the one before it left.
"""

import numpy as np

from harness.simt.ir.values import poison_value
from harness.simt.ops.integer import unsigned
from harness.simt.state.checked_access import groups

__all__ = ["exchange", "update"]


def _unsigned_pick(choose):
    def apply(left, right):
        bits = 8 * left.dtype.itemsize
        first = choose(unsigned(left, bits), unsigned(right, bits))
        return first.view(left.dtype)

    return apply


def _wrap_up(left, right):
    bits = 8 * left.dtype.itemsize
    at_end = unsigned(left, bits) >= unsigned(right, bits)
    return np.where(at_end, left.dtype.type(0), left + left.dtype.type(1))


def _wrap_down(left, right):
    bits = 8 * left.dtype.itemsize
    over = (left == 0) | (unsigned(left, bits) > unsigned(right, bits))
    return np.where(over, right, left - left.dtype.type(1))


COMBINE = {
    "xchg": lambda left, right: np.broadcast_to(right, left.shape),
    "add": np.add,
    "sub": np.subtract,
    "and": np.bitwise_and,
    "nand": lambda left, right: ~(left & right),
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "max": np.maximum,
    "min": np.minimum,
    "umax": _unsigned_pick(np.maximum),
    "umin": _unsigned_pick(np.minimum),
    "fadd": np.add,
    "fsub": np.subtract,
    "fmax": np.fmax,
    "fmin": np.fmin,
    "uinc_wrap": _wrap_up,
    "udec_wrap": _wrap_down,
}
# These can be run over all lanes of one place at once.
RUNNING = {
    "add": np.add,
    "fadd": np.add,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "max": np.maximum,
    "min": np.minimum,
    "fmax": np.fmax,
    "fmin": np.fmin,
}


def _taints(engine, site, lanes, taints):
    address, value = taints
    if address is not None:
        engine.emit_taint("address", site, lanes, address)
    if value is not None:
        engine.emit_taint("atomic", site, lanes, value)


def _places(engine, lanes, pointers, access, site):
    """Yields (allocation, positions, offsets, rows, element numbers)."""
    found = engine.memory.locate(lanes, pointers, access)
    if found is not None and found[0].writable:
        allocation, index, offsets = found
        count = lanes.n
        if len(index) < count:
            index = np.repeat(index, count)
        yield allocation, np.arange(count), offsets, None, index
        return
    for allocation, positions, offsets, rows in groups(engine.memory, lanes, pointers, access, site, "atomic"):
        index = (offsets + rows * allocation.stride) >> access.shift
        yield allocation, positions, offsets, rows, index


def update(engine, lanes, operation, pointers, values, access, site, taints):
    """`atomicrmw`: returns the old value and no taint."""
    _taints(engine, site, lanes, taints)
    old = np.repeat(poison_value(access.type), lanes.n, 0)
    for allocation, positions, offsets, rows, index in _places(engine, lanes, pointers, access, site):
        operands = values[positions] if len(values) > 1 else np.repeat(values, len(positions))
        got = _apply(engine, operation, allocation, index, operands, access)
        old[positions] = got
        if engine.on_access:
            some = lanes if len(positions) == lanes.n else lanes.sub(positions)
            engine.emit_access("atomic", site, some, allocation, offsets, access, operands, None, rows, got, operation)
        if allocation.shadow is not None:
            engine.memory.put_shadow(allocation, index << access.shift, None, access.width)
    return old, None


def _apply(engine, operation, allocation, index, operands, access):
    """Combines all operands into memory; returns what each lane found."""
    view = allocation.view(access.dtype)
    combine = COMBINE[operation]
    order = np.argsort(index, kind="stable")
    if engine.store_order is not None:
        shuffled = engine.store_order(len(index))
        order = shuffled[np.argsort(index[shuffled], kind="stable")]
    places = index[order]
    starts = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))
    ends = np.append(starts[1:], len(places))
    sizes = ends - starts
    before = view[places[starts]].copy()
    old = np.empty(len(index), operands.dtype)
    if access.kind == "plain" and operation in RUNNING and len(starts) <= sizes.max():
        running = RUNNING[operation]
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            place = places[start]
            chain = np.concatenate((view[place : place + 1], operands[order[start:end]]))
            chain = running.accumulate(chain, dtype=chain.dtype)
            old[order[start:end]] = chain[:-1]
            view[place] = chain[-1]
    else:
        for turn in range(int(sizes.max())):
            here = starts[sizes > turn] + turn
            spots, lanes = places[here], order[here]
            current = access.decode(view[spots])
            old[lanes] = current
            result = combine(current, operands[lanes])
            view[spots] = access.encode(np.asarray(result))
    if (view[places[starts]] != before).any():
        engine.writes += 1
    return old


def exchange(engine, lanes, pointers, expected, new, access, site, taints):
    """`cmpxchg`: returns the old value, whether it was exchanged, and no taint."""
    _taints(engine, site, lanes, taints)
    old = np.repeat(poison_value(access.type), lanes.n, 0)
    done = np.zeros(lanes.n, bool)
    expected = np.broadcast_to(expected, (lanes.n,))
    new = np.broadcast_to(new, (lanes.n,))
    for allocation, positions, offsets, rows, index in _places(engine, lanes, pointers, access, site):
        view = allocation.view(access.dtype)
        order = np.argsort(index, kind="stable")
        if engine.store_order is not None:
            shuffled = engine.store_order(len(index))
            order = shuffled[np.argsort(index[shuffled], kind="stable")]
        places = index[order]
        starts = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))
        sizes = np.append(starts[1:], len(places)) - starts
        for turn in range(int(sizes.max())):
            here = starts[sizes > turn] + turn
            spots, own = places[here], order[here]
            at = positions[own]
            current = view[spots]
            hit = current == expected[at]
            old[at], done[at] = current, hit
            view[spots[hit]] = new[at[hit]]
            engine.writes += bool(hit.any())
        if engine.on_access:
            # Where the comparison failed nothing is stored: that is a load.
            for kind, here in (("atomic", np.flatnonzero(done[positions])), ("load", np.flatnonzero(~done[positions]))):
                if len(here):
                    at = positions[here]
                    some = lanes if len(at) == lanes.n else lanes.sub(at)
                    own = rows[here] if rows is not None and len(rows) > 1 else rows
                    first = offsets[here] if len(offsets) > 1 else offsets
                    engine.emit_access(
                        kind, site, some, allocation, first, access, new[at], None, own, old[at], "cmpxchg"
                    )
    return old, done, None
