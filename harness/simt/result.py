"""`LaunchResult`: verdict, findings, counters, printed texts, profile; `EngineUsage`. Neither loads an engine."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.simt.declined import Cause
from harness.simt.findings import Counts, Finding, LaunchVerdict
from harness.simt.messages import Words, words
from harness.simt.rows import Row

__all__ = ["EngineUsage", "LaunchResult"]

LONG = 0.1  # seconds: what takes less is interpreted for its size anyway


@dataclass(frozen=True, slots=True)
class EngineUsage:
    """The engines that ran a launch.

    Attributes:
        native: How many of its blocks the compiled engine ran.
        python: How many the interpreter ran.
        cause: Why the interpreter ran some; None if compiled code was not requested, or ran all.
        observers: The observers for which blocks were interpreted, by the names of their classes: others can take the
            proof of compiled code in place of events, see `Observer.adopt`.
    """

    native: int = 0
    python: int = 0
    cause: Cause | None = None
    observers: tuple[str, ...] = ()

    @property
    def why(self) -> str:
        """The cause in English, for records; empty if there is none."""
        return "" if self.cause is None else self.cause.text()

    def is_reported(self, engine: str, seconds: float) -> bool:
        """Return whether a note is worth printing: compiled code was requested, or an observer makes a launch long."""
        return engine == "native" or (bool(self.observers) and seconds > LONG)

    def note(self, kernel: str, language: Words | None = None) -> str:
        """Return one line that says which engine ran how many blocks of the launch, and why any were interpreted.

        Args:
            kernel: The kernel's name as it is shown.
            language: The texts of a language; None for English.
        """
        chosen_words = language or words()
        cause = "" if self.cause is None else self.cause.text(chosen_words)
        kind = "interpreted" if not self.native else "partly" if self.python else "proved"
        return chosen_words.word("ran", kind, kernel=kernel, blocks=self.native, count=self.python, cause=cause)


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """The result of a launch.

    Attributes:
        verdict: Clean, findings, or no result.
        findings: All findings, errors first.
        counters: `steps` (segments run), `lanes`, and what observers add.
        fidelity: Operation to `exact`, `may fuse`, `approximate`, `as written` or `unknown`.
        printed: The texts that the kernel printed, in order.
        fault: The error that ended the launch early, or None.
        kernel: The kernel's name.
        symbol: Its name in the code.
        seconds: How long it took, without compiling machine code.
        work: How much of that the processor worked for it.
        seeded_work: How much it worked for the kernel's last launch in an order that a seed gave; 0 if there was none.
        ordered: Whether it is known that every order of the threads gives the same.
        orders: In how many orders it ran.
        why_no_more: Why `launch_in_orders` did not try all orders; empty if it did.
        profile: Counts by source location, if `Profile` observed it.
        engine: Which engine ran it. In the compiled engine, `steps` counts barrier intervals of threads or warps.
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
    engine: EngineUsage = field(default_factory=EngineUsage)
    work: float = 0.0
    seeded_work: float = 0.0

    def raise_for_fault(self) -> None:
        """Raise the fault that ended the launch, if there was one."""
        if self.fault is not None:
            raise self.fault
