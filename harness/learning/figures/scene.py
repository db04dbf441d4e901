"""Collect boxes, lines, arrows and texts in a `Scene`, and write it as SVG for light and dark pages.

The drawing has a background of its own, so that it does not depend on the page.
"""

from __future__ import annotations

import html

from harness.model.lines import wrap

__all__ = ["CHARACTER", "Scene", "text_width"]

CHARACTER = 6.6  # the width of one at 11 pixels, in any usual monospaced font
_MARGIN = 12
_NOTE = 240  # pixels: shorter lines of a sentence are hard to read
_STYLE = """<style>
svg{--paper:#fdfcfa;--edge:#d8d5cc;--ink:#1d1f23;--soft:#5a606b;--run:#cfe6f8;--blue:#0072b2;--write:#ffe0a8;
--brown:#7a4a00;--idle:#efede7;--wait:#8f3f74;--link:#0072b2}
@media (prefers-color-scheme:dark){svg{--paper:#15171b;--edge:#3a3f48;--ink:#e9e7e1;--soft:#a9aeb8;--run:#0f4a72;
--blue:#56b4e9;--write:#5c3d00;--brown:#f0b440;--idle:#23262c;--wait:#e08cc4;--link:#7cc4f5}}
text{font:11px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink);text-anchor:middle}
.left{text-anchor:start}.right{text-anchor:end}.soft{fill:var(--soft)}.small{font-size:9px}.bold{font-weight:700}
.source{paint-order:stroke;stroke:var(--paper);stroke-width:3px}
path{fill:none}.weak{stroke:var(--soft);opacity:.55}.sheet{fill:var(--paper);stroke:var(--edge)}
.idle{fill:var(--idle)}.held{stroke:var(--edge);fill:var(--paper)}.run,.read{fill:var(--run);stroke:var(--blue)}
.written{fill:var(--write);stroke:var(--brown);stroke-width:2}.same{stroke:var(--soft)}
.link{stroke:var(--link);stroke-width:1.6}.tip{fill:var(--link)}
.barrier{stroke:var(--wait);stroke-width:2}.cluster{stroke:var(--wait);stroke-width:5}.meet{fill:var(--wait)}
</style>"""


def text_width(text: str) -> float:
    """Return the width of a text in pixels; Korean letters are wider."""
    return sum(CHARACTER if ord(letter) < 0x1100 else 11 for letter in text)


class Scene:
    """A drawing under construction; lines lie below boxes, boxes below texts.

    Coordinates are pixels from the upper left corner. Styles are names of the style sheet's classes.
    """

    def __init__(self) -> None:
        self._below: dict[str, list[str]] = {}
        self._boxes: dict[str, list[str]] = {}
        self._above: dict[str, list[str]] = {}
        self._texts: dict[tuple[str, int], list[str]] = {}
        self._right = self._bottom = 0

    def _reach(self, x: float, y: float) -> None:
        self._right, self._bottom = max(self._right, round(x)), max(self._bottom, round(y))

    def add_box(self, style: str, x: int, y: int, width: int, height: int) -> None:
        """Add a box, above the lines and below arrows and texts; the drawing grows to contain it.

        `x` and `y` are its upper left corner. The style is a class of the style sheet, such as `run`.
        """
        self._boxes.setdefault(style, []).append(f"M{x} {y}h{width}v{height}h{-width}z")
        self._reach(x + width, y + height)

    def add_line(self, style: str, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Add a straight line from `start` to `end`, each (x, y), below the boxes.

        The drawing grows to contain `end`, but not `start`.
        """
        self._below.setdefault(style, []).append(f"M{start[0]} {start[1]}L{end[0]} {end[1]}")
        self._reach(*end)

    def add_flow(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Add a curved arrow downwards from `start` to `end`, along which a value passes.

        The drawing grows to contain `end`, but not `start`.
        """
        (left, top), (right, bottom) = start, end
        bend = (bottom - top) // 3
        shape = f"M{left} {top}C{left} {top + bend} {right} {bottom - 5 - bend} {right} {bottom - 5}"
        self._above.setdefault("link", []).append(shape)
        self._above.setdefault("tip", []).append(f"M{right} {bottom}l-4-6h8z")
        self._reach(right, bottom)

    def rise(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Add a straight arrow upwards from `start` to `end`, along which a value passes.

        The drawing grows to contain `start`, but not `end`.
        """
        (left, bottom), (right, top) = start, end
        self._above.setdefault("link", []).append(f"M{left} {bottom}L{right} {top + 5}")
        self._above.setdefault("tip", []).append(f"M{right} {top}l-4 6h8z")
        self._reach(left, bottom)

    def add_text(self, style: str, x: int, y: int, text: str) -> None:
        """Add a text, which is escaped, with its base line at `y`; the drawing grows to contain its end.

        It is centred at `x`, or begins or ends there if the style has `left` or `right`. The style may be several words
        (`left soft`).
        """
        self._texts.setdefault((style, y), []).append(f'<tspan x="{x}">{html.escape(text)}</tspan>')
        width = text_width(text)
        self._reach(x + (width if "left" in style else 0 if "right" in style else width / 2), y + 4)

    def add_note(self, y: int, text: str) -> None:
        """Add a sentence with its first base line at `y`, wrapped to the width that the drawing has so far."""
        for at, line in enumerate(wrap(text, int(max(self._right, _NOTE) / CHARACTER))):
            self.add_text("left soft", 0, y + 16 * at, line)

    @property
    def width(self) -> int:
        """The width of the drawing with its margins, in pixels."""
        return self._right + 2 * _MARGIN

    def render_svg(self, title: str) -> str:
        """Return the drawing, with a title for those who cannot see it, as an SVG file's text."""
        width, height = self.width, self._bottom + 2 * _MARGIN
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="{-_MARGIN} {-_MARGIN} {width} {height}" role="img">',
            f"<title>{html.escape(title)}</title>",
            _STYLE,
            f'<rect class="sheet" x="{0.5 - _MARGIN}" y="{0.5 - _MARGIN}" width="{width - 1}" height="{height - 1}" '
            'rx="8"/>',
        ]
        for layer in (self._below, self._boxes, self._above):
            lines += [f'<path class="{style}" d="{"".join(shapes)}"/>' for style, shapes in layer.items()]
        for (style, y), spans in self._texts.items():
            class_attribute = f' class="{style}"' if style else ""
            lines.append(f'<text{class_attribute} y="{y}">{"".join(spans)}</text>')
        return "\n".join([*lines, "</svg>"]) + "\n"
