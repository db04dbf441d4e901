"""Where undefined bytes and values come from, by number: 0 stands for those that are defined."""

from __future__ import annotations

from harness.simt.ir.site import Site

__all__ = ["Origin", "Origins"]

Origin = tuple[str, str, Site | None]


class Origins:
    """Numbers for origins, the same one for the same origin.

    An origin is a term of the messages' `origin`, what that term names (an argument, a variable, an operation), and the
    site of the program, if there is one.
    """

    def __init__(self) -> None:
        self._origins: list[Origin] = [("", "", None)]
        self._numbers: dict[Origin, int] = {}

    def number(self, kind: str, source: str = "", site: Site | None = None) -> int:
        """The number of an origin."""
        key: Origin = kind, source, site
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._origins)
            self._origins.append(key)
        return number

    def of(self, number: int) -> Origin:
        """The origin of a number."""
        return self._origins[number]
