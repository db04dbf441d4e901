"""Exceptions of a launch: bad IR, arguments or geometry, unsupported code, budgets, deadlocks, livelocks, traps.

* SimtError
  x DecodeError               the text is not LLVM IR that can be read
  x ArgumentError             the arguments do not fit the kernel's signature
  x LaunchError               the geometry is not possible
  x Unsupported               an instruction or intrinsic that is not modelled
  x BudgetExceeded            the step or time budget of the options is exceeded
  x KernelFault               the kernel failed: the launch stopped
    + Deadlock                all lanes that are left wait
    + Livelock                lanes spin and nothing can change
      . EndlessLoop           lanes never leave a loop, whatever others do
    + Trap                    a lane reached a trap, an abort or `unreachable`
"""

from harness.simt.findings import Finding

__all__ = [
    "ArgumentError",
    "BudgetExceeded",
    "Deadlock",
    "DecodeError",
    "EndlessLoop",
    "KernelFault",
    "LaunchError",
    "Livelock",
    "SimtError",
    "Trap",
    "Unsupported",
]


class SimtError(Exception):
    """The base of every error of the simulator."""


class DecodeError(SimtError):
    """The text is not LLVM IR that can be read."""


class ArgumentError(SimtError):
    """An argument does not fit the kernel's signature."""


class LaunchError(SimtError):
    """The grid, block or cluster is not possible."""


class Unsupported(SimtError):
    """An instruction or intrinsic that the simulator does not model.

    Attributes:
        what: The name of the instruction or intrinsic.
    """

    def __init__(self, what: str, message: str | None = None) -> None:
        super().__init__(message or f"{what} is not supported")
        self.what = what


class _LaunchEnded(SimtError):
    """A launch that ended early.

    Attributes:
        finding: The same as a `Finding`, with its site and its lane.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


class BudgetExceeded(_LaunchEnded):
    """The step or time budget is exceeded: the rest of the launch is unknown."""


class KernelFault(_LaunchEnded):
    """The kernel did something that ends the launch."""

    kind = "fault"


class Deadlock(KernelFault):
    """All lanes that are left wait for one that will not come."""

    kind = "deadlock"


class Livelock(KernelFault):
    """Lanes spin on a state that nothing can change any more."""

    kind = "livelock"


class EndlessLoop(Livelock):
    """Lanes never leave a loop, whatever other lanes and memory do."""

    kind = "endless-loop"


class Trap(KernelFault):
    """A lane reached a trap, an abort or `unreachable`."""

    kind = "trap"
