"""Why the Python engine runs a launch."""

__all__ = ["Declined", "Missing", "UnknownObserver"]


class Declined(Exception):
    """Native code has no form for something, or did not prove a launch clean.

    Args:
        why: What it was, for people: `atomicrmw`.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    @property
    def counting(self) -> bool:
        """Whether it might run, if less were to be counted."""
        return self.why.startswith("counting ")


class UnknownObserver(Declined):
    """Some observers have no part for launches that machine code proves, so the whole launch is interpreted.

    Args:
        observers: The names of their classes.
    """

    def __init__(self, observers: tuple[str, ...]) -> None:
        super().__init__(f"the observer{'s' * (len(observers) > 1)} {' and '.join(observers)}")
        self.observers = observers


class Missing(Declined):
    """There is code that never runs here: LLVM does not read it, or it calls what this computer does not have."""
