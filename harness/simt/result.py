"""What comes of a launch and which engine ran it, for whoever reads results and simulates nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.simt.declined import Cause
from harness.simt.findings import Counts, Finding, LaunchVerdict
from harness.simt.messages import Words, words
from harness.simt.rows import Row

__all__ = ["LaunchResult", "Ran"]

LONG = 0.1  # seconds: what takes less is interpreted for its size anyway


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran a launch.

    Attributes:
        native: How many of its blocks machine code of the host ran.
        python: How many the engine in Python ran.
        cause: Why that did; None where machine code was not asked for, or ran all.
        observers: The observers for which blocks were interpreted, by the names of their classes: others can take the
            proof of machine code in place of events, see `Observer.adopt`.
    """

    native: int = 0
    python: int = 0
    cause: Cause | None = None
    observers: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """The cause in English, for records; empty where there is none."""
        return "" if self.cause is None else self.cause.text()

    def is_reported(self, engine: str, seconds: float) -> bool:
        """Return whether a note is worth printing: machine code was asked for, or an observer makes a launch long."""
        return engine == "native" or (bool(self.observers) and seconds > LONG)

    def note(self, kernel: str, language: Words | None = None) -> str:
        """Return a line in a language, or in English, for whoever asked for machine code."""
        spoken = language or words()
        cause = "" if self.cause is None else self.cause.text(spoken)
        kind = "interpreted" if not self.native else "partly" if self.python else "proved"
        return spoken.word("ran", kind, kernel=kernel, blocks=self.native, count=self.python, cause=cause)


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """What came of a launch.

    Attributes:
        verdict: What came of it.
        findings: All findings, errors first.
        counters: `steps` (segments run), `lanes`, and what observers add.
        fidelity: Operation to `exact`, `may fuse`, `approximate`, `as written` or `unknown`.
        printed: What the kernel printed, in order.
        fault: The error that ended the launch early, or None.
        kernel: The kernel's name.
        symbol: Its name in the code.
        seconds: How long it took, without what compiles machine code.
        work: How much of that the processor worked for it; what else the machine does is left out.
        ordered: Whether it is known that every order of the threads gives the same.
        orders: In how many it ran.
        why_no_more: Why not in all that `launch_in_orders` would try; empty if it did.
        profile: What each place of the source did, if `Profile` observed it.
        engine: What ran it. Natively, `steps` is how often threads of a block or of a warp went from wait to wait.
    """

    verdict: LaunchVerdict
    findings: tuple[Finding, ...]
    counters: Counts
    fidelity: Mapping[str, str]
    printed: tuple[str, ...] = ()
    fault: Exception | None = None
    kernel: str = ""
    seconds: float = 0.0
    ordered: bool = False
    orders: int = 1
    why_no_more: str = ""
    profile: tuple[Row, ...] = ()
    symbol: str = ""
    engine: Ran = field(default_factory=Ran)
    work: float = 0.0

    def raise_for_fault(self) -> None:
        """Raises the fault that ended the launch, if there was one."""
        if self.fault is not None:
            raise self.fault
