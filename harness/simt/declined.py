"""Reasons why the compiled engine does not run a launch, or cannot prove it clean; exceptions such as `Declined`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from harness.simt.messages import Words, words

__all__ = ["Cause", "Declined", "Missing", "Reason", "UnknownObserver"]


class Reason(StrEnum):
    """A reason why the compiled engine does not run a launch, or was not able to prove it clean.

    The term `interpreted` of `harness.simt.messages` says each in every language.
    """

    # What the launch asks for.
    SEED = "seed"
    STEP_LIMIT = "step-limit"
    CALL_DEPTH = "call-depth"
    OBSERVER = "observer"
    OBSERVERS = "observers"
    TARGET = "target"
    # What it would cost.
    SIZE = "size"
    LENGTH = "length"
    MEMORY = "memory"
    TIME = "time"
    BLOCK_SIZE = "block-size"
    PARTIAL_WARP = "partial-warp"
    UNREADABLE = "unreadable"
    NO_SUCH_FUNCTION = "no-such-function"
    # What was not proved.
    DOUBT = "doubt"
    OBSERVER_DOUBT = "observer-doubt"
    UNPROVED_BEFORE = "unproved-before"
    BLOCKS_STORE = "blocks-store"
    BLOCKS_EXCHANGE = "blocks-exchange"
    FLOAT_SUM_ORDER = "float-sum-order"
    CLOCK = "clock"
    # What is counted.
    COUNTED_FOR_OTHERS = "counted-for-others"
    COUNTING_ALONE = "counting-alone"
    COUNTING_OTHERWISE = "counting-otherwise"
    COUNTING_ORDER = "counting-order"
    COUNTING_DIVERGENCE = "counting-divergence"
    COUNTING_PATHS = "counting-paths"
    COUNTING_DYNAMIC_SHARED = "counting-dynamic-shared"
    COUNTING_REQUEST = "counting-request"
    COUNTING_EXCHANGES = "counting-exchanges"
    COUNTING_PARTIAL_EXCHANGES = "counting-partial-exchanges"
    # Synchronisation.
    PARTIAL_BARRIER = "partial-barrier"
    WAIT = "wait"
    QUESTION = "question"
    PHASE = "phase"
    ARRIVALS = "arrivals"
    BARRIER_TOKEN = "barrier-token"
    COPIES_AFTER_WAIT = "copies-after-wait"
    UNAWAITED = "unawaited"
    BESIDE_COUNTERS_OR_NUMBER = "beside-counters-or-number"
    BESIDE_COUNTERS_OR_CLUSTERS = "beside-counters-or-clusters"
    BESIDE_COPIES_OR_COUNTERS = "beside-copies-or-counters"
    # Exchanges between lanes.
    PARTIAL_EXCHANGE = "partial-exchange"
    EXCHANGE_BESIDE_CALLS = "exchange-beside-calls"
    PARTIAL_MEETING = "partial-meeting"
    PARTIAL_LEADER = "partial-leader"
    LANE_NUMBER = "lane-number"
    VOTE = "vote"
    FORK = "fork"
    # Calls.
    INTRINSIC = "intrinsic"
    OPCODE = "opcode"
    CALL = "call"
    INDIRECT_CALL = "indirect-call"
    FRAMES = "frames"
    POINTERS = "pointers"
    # Values and types.
    UNDEFINED = "undefined"
    NO_VALUE = "no-value"
    NO_SUCH_ELEMENT = "no-such-element"
    ELEMENTS = "elements"
    FRAGMENTS = "fragments"
    TYPE = "type"
    TYPE_IN_MEMORY = "type-in-memory"
    PARAMETER = "parameter"
    RESULT = "result"
    OPERAND = "operand"
    CONVERSION_TO = "conversion-to"
    CONVERSION = "conversion"
    CONVERSION_FROM = "conversion-from"
    SATURATION = "saturation"
    BITCAST = "bitcast"
    COMPARISON = "comparison"
    FLAG = "flag"
    SHIFT = "shift"
    DIVISION = "division"
    OVERFLOW = "overflow"
    EXTREME = "extreme"
    REDUCTION = "reduction"
    PRODUCT = "product"
    # Memory.
    INDEX = "index"
    SHARED_ADDRESS = "shared-address"
    ADDRESS_VECTOR = "address-vector"
    ADDRESS_STORED = "address-stored"
    LIFETIME = "lifetime"
    GATHER = "gather"
    MISALIGNED = "misaligned"
    ATOMIC = "atomic"
    ATOMIC_SCOPE = "atomic-scope"
    VOLATILE_ATOMIC = "volatile-atomic"
    # Nobody asked for machine code: nothing is said.
    NOT_ASKED = "not-asked"

    @property
    def is_counting(self) -> bool:
        """True if the compiled engine might run the launch with observers that count less."""
        return self in _COUNTING


_COUNTING = frozenset(
    {
        Reason.COUNTING_ALONE,
        Reason.COUNTING_OTHERWISE,
        Reason.COUNTING_ORDER,
        Reason.COUNTING_DIVERGENCE,
        Reason.COUNTING_PATHS,
        Reason.COUNTING_DYNAMIC_SHARED,
        Reason.COUNTING_REQUEST,
        Reason.COUNTING_EXCHANGES,
        Reason.COUNTING_PARTIAL_EXCHANGES,
    }
)


@dataclass(frozen=True, slots=True)
class Cause:
    """A reason, with the names and numbers that its message needs.

    Attributes:
        values: Names, types and numbers by the name that the message has for them; numbers are `int`.
    """

    reason: Reason
    values: Mapping[str, str | int] = field(default_factory=dict, hash=False)

    def text(self, language: Words | None = None) -> str:
        """Return the cause in a language, or in English: `atomicrmw xchg`."""
        return (language or words()).word("interpreted", self.reason, **self.values)


class Declined(Exception):
    """The compiled engine cannot compile something, or did not prove a launch clean.

    Args:
        reason: The reason.
        values: What the reason is about; values other than `int` become text.
    """

    def __init__(self, reason: Reason, **values: object) -> None:
        self.cause = Cause(
            reason, {name: value if isinstance(value, int) else str(value) for name, value in values.items()}
        )
        super().__init__(reason)

    @classmethod
    def because(cls, cause: Cause) -> Declined:
        """Make one for a cause that was found earlier."""
        return cls(cause.reason, **cause.values)

    @property
    def why(self) -> str:
        """The cause in English, for records."""
        return self.cause.text()

    def __str__(self) -> str:
        return self.why


class UnknownObserver(Declined):
    """Some observers cannot use the proof of compiled code, so blocks are interpreted for them.

    Args:
        observers: The names of their classes.
    """

    @classmethod
    def of(cls, observers: Iterable[object]) -> UnknownObserver:
        """Make one that names the classes of observers."""
        return cls(tuple(dict.fromkeys(type(observer).__name__ for observer in observers)))

    def __init__(self, observers: tuple[str, ...]) -> None:
        several = len(observers) > 1
        super().__init__(Reason.OBSERVERS if several else Reason.OBSERVER, names=" and ".join(observers))
        self.observers = observers


class Missing(Declined):
    """Some code never runs here: LLVM does not read it, or it calls something that this computer does not have."""
