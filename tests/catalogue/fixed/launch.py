"""A launch at which a form of a kernel that the documents show is wrong."""

from __future__ import annotations

from dataclasses import dataclass

from harness.model.case import Case

__all__ = ["Fixed"]


@dataclass(frozen=True, slots=True)
class Fixed:
    """Numbers that the documents fix: what would tell them apart, their own kernel is wrong at.

    Attributes:
        case: The id of the mode.
        equal: The names of the numbers that stay equal, as `tests/catalogue/coincidences.py` names them.
        launch: One that would tell them apart, from `harness.catalogue.further.make_further`.
        verdict: What the documented form earns there.
        why: What in the documents it breaks, in a clause.
    """

    case: str
    equal: tuple[str, ...]
    launch: Case
    verdict: str
    why: str
