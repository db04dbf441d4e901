"""Kernels that lose what stands behind the point: right for whole numbers and infinities alone."""

from __future__ import annotations

__all__ = ["lossy"]

# Arithmetic on infinities is no number, which is not 0.
_WHOLE = "{0} = Scalar[dtype](Int({0})) if {0} - {0} == 0 else {0}"


def lossy(load: str, loaded: str, store: str, stored: str) -> list[tuple[str, str, str]]:
    """Edits, as `EDITS` of a puzzle's mutants has them.

    Args:
        load: A line of the solution that makes something of the input.
        loaded: What it makes, as it is written.
        store: A line that writes the result.
        stored: What it writes.
    """
    pad = " " * (len(load) - len(load.lstrip()))
    return [
        ("loaded-values-truncated", load, f"{load}\n{pad}{loaded} = {loaded}.__trunc__()"),
        ("loaded-values-made-integers", load, f"{load}\n{pad}{_WHOLE.format(loaded)}"),
        ("result-rounded", store, store.replace(stored, f"round({stored})")),
        ("result-floored", store, store.replace(stored, f"({stored}).__floor__()")),
    ]
