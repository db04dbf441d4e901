"""The table of default observers, checks and counters, and `observers`, which makes fresh ones by switches.

Bounds, alignment and writes to read-only memory are checked by the core itself,
in every launch: without these checks a simulated kernel could harm its host.
"""

from collections.abc import Collection

from harness.simt.observe import Observer
from harness.simt.observing.asynchronous import Asynchronous
from harness.simt.observing.counters import Counters
from harness.simt.observing.products import Products
from harness.simt.observing.profile import Profile
from harness.simt.observing.proxies import Proxies
from harness.simt.observing.races import RaceDetector
from harness.simt.observing.redundant_barriers import RedundantBarriers
from harness.simt.observing.shapes import Shapes
from harness.simt.observing.sync import Sync
from harness.simt.observing.uninitialised import Uninitialised
from harness.simt.observing.unwritten import Unwritten

__all__ = ["ALL", "observers"]

ALL: dict[str, type[Observer]] = {
    "uninitialised": Uninitialised,
    "sync": Sync,
    "races": RaceDetector,
    "copies": Asynchronous,
    "products": Products,
    "proxies": Proxies,
    "unwritten": Unwritten,
    "redundant": RedundantBarriers,
    "counters": Counters,
}


def observers(
    *,
    profile: bool = False,
    shapes: bool = False,
    counted: Collection[str] | None = None,
    more: bool = False,
    **switches: bool,
) -> tuple[Observer, ...]:
    """Make fresh observers for one launch: all of `ALL` but those switched off, in its order, then profile and shapes.

    Args:
        profile: Whether to count also by source location.
        shapes: Whether to check indices against the shapes of arrays, which only debug builds have.
        counted: The names of the counters that are needed; None for all.
        more: Whether to count all others too, unless the compiled engine cannot count them and the interpreter takes
            long.
        switches: Names of `ALL`, each with whether to use that observer.

    Raises:
        ValueError: If a name is not one of `ALL`.
    """
    unknown = switches.keys() - ALL.keys()
    if unknown:
        raise ValueError(f"no observer {min(unknown)!r}: expected one of {', '.join(ALL)}")
    choices = ((name, make) for name, make in ALL.items() if switches.get(name, True))
    selected = [Counters(counted, more=more) if name == "counters" else make() for name, make in choices]
    return (*selected, *([Profile()] if profile else []), *([Shapes()] if shapes else []))
