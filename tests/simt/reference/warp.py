"""What lanes of a warp give one another, once all of them are there."""

from tests.simt.reference.arithmetic import reduced
from tests.simt.reference.memory import NotModelledError

__all__ = ["exchange"]

# The name of a reduction here, by its name there.
REDUX = {"max": "smax", "min": "smin", **{name: name for name in ("add", "umax", "umin", "and", "or", "xor")}}


def exchange(members):
    """Completes a shuffle or a vote of the lanes of one warp."""
    some = next(iter(members.values()))
    op = some.waits[1]
    name = op.attrs["callee"].name[1:]
    given = {number: lane.waits[2] for number, lane in members.items()}
    for number, lane in members.items():
        if name.startswith("llvm.nvvm.shfl"):
            mode = name.split(".")[4]
            value = _shuffle(mode, number, given)
        elif name.startswith("llvm.nvvm.vote"):
            value = _vote(name.split(".")[3], {n: sent[1] for n, sent in given.items()})
        elif name.startswith("llvm.nvvm.redux"):
            value = reduced(REDUX[name.split(".")[4]], [sent[1] for sent in given.values()], 32)
        elif name.startswith("llvm.nvvm.match.any"):
            value = sum(1 << other for other, sent in given.items() if sent[1] == given[number][1])
        else:
            value = None
        if op.name is not None:
            lane.frames[-1].values[op.name] = value
        lane.waits = None


def _shuffle(mode, number, given):
    """The rule of PTX, in its own words: j, maxLane, minLane and pval."""
    _, value, b, c = given[number]
    b, clamp, segment = b & 31, c & 31, c >> 8 & 31
    most = number & segment | clamp & ~segment
    match mode:
        case "up":
            source, inside = number - b, number - b >= most
        case "down":
            source, inside = number + b, number + b <= most
        case "bfly":
            source, inside = number ^ b, number ^ b <= most
        case "idx":
            source = number & segment | b & ~segment & 31
            inside = source <= most
    return given[source][1] if inside else value


def _vote(mode, bits):
    match mode:
        case "ballot":
            return sum(bit << number for number, bit in bits.items())
        case "any":
            return int(any(bits.values()))
        case "all":
            return int(all(bits.values()))
        case "uni":
            return int(len(set(bits.values())) == 1)
    raise NotModelledError(f"vote {mode}")
