"""All observers of a launch, each with a switch.

Bounds, alignment and writes to read-only memory are checked by the core itself,
in every launch: without them a simulated kernel could harm its host.
"""

from collections.abc import Collection

from harness.simt.observe import Observer
from harness.simt.observing.asynchronous import Asynchronous
from harness.simt.observing.counters import Counters
from harness.simt.observing.products import Products
from harness.simt.observing.profile import Profile
from harness.simt.observing.proxies import Proxies
from harness.simt.observing.races import Races
from harness.simt.observing.redundant import Redundant
from harness.simt.observing.shapes import Shapes
from harness.simt.observing.sync import Sync
from harness.simt.observing.uninitialised import Uninitialised
from harness.simt.observing.unwritten import Unwritten

__all__ = ["ALL", "observers"]

ALL: dict[str, type[Observer]] = {
    "uninitialised": Uninitialised,
    "sync": Sync,
    "races": Races,
    "copies": Asynchronous,
    "products": Products,
    "proxies": Proxies,
    "unwritten": Unwritten,
    "redundant": Redundant,
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
    """Fresh observers for one launch, all of them but those switched off.

    Args:
        profile: Whether what the launch does is counted by the places of the source too.
        shapes: Whether indices are held against the shapes of arrays; debug builds alone tell both.
        counted: The names of those counters that are wanted, others being told or not; None for all.
        more: Whether all others are told too, unless machine code cannot count them and Python takes long.
        switches: Names of `ALL` to False, or True.

    Raises:
        ValueError: If a name is not one of `ALL`.
    """
    unknown = switches.keys() - ALL.keys()
    if unknown:
        raise ValueError(f"no observer {min(unknown)!r}: expected one of {', '.join(ALL)}")
    made = [
        Counters(counted, more=more) if name == "counters" else make()
        for name, make in ALL.items()
        if switches.get(name, True)
    ]
    return (*made, *([Profile()] if profile else []), *([Shapes()] if shapes else []))
