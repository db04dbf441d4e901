"""What runs on what: one decision for cases and for programs, on this machine and on the workers of a scheduler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.backends import devices
from harness.backends.devices import Device
from harness.errors import unknown_name
from harness.model.report import BACKENDS
from harness.model.target import Target

__all__ = ["Choice", "choose"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What was decided.

    Attributes:
        target: What is compiled for.
        gpus: Those that run it, its very architecture first; none where another backend is asked for, or none fits.
        present: Those that were there to choose from.
    """

    target: Target
    gpus: tuple[Device, ...]
    present: tuple[Device, ...]


def choose(
    target: Target | str | None,
    backend: str,
    *,
    known: Sequence[str] = BACKENDS,
    present: Callable[[], Sequence[Device]] | None = None,
) -> Choice:
    """Decides what is compiled for, and which GPUs run it.

    Args:
        target: `vendor:architecture`; a vendor alone, or None, means the GPU that is there, else the default target.
        backend: One of `known`. `auto` takes a GPU that fits the target.
        known: The backends that there are to choose from.
        present: Finds the GPUs; those of this machine unless told.

    Raises:
        UsageError: Unknown target or backend.
    """
    if backend not in known:
        raise unknown_name("backend", backend, known)
    wanted = target if isinstance(target, Target) else Target.parse(target or "nvidia")
    exact = isinstance(target, Target) or (target is not None and ":" in target)
    there = () if exact and backend == "simulator" else tuple((present or devices.discover)())
    if not exact:
        wanted = next((gpu.target for gpu in there if target in (None, gpu.target.vendor)), wanted)
    fitting = (gpu for gpu in there if wanted.runs_on(gpu.target.architecture)) if backend in ("auto", "max") else ()
    return Choice(wanted, tuple(sorted(fitting, key=lambda gpu: gpu.target != wanted)), there)
