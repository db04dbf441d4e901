"""Look up locations with inlined calls, variables and array shapes in debug metadata; escape and unescape strings."""

import re

from harness.simt.ir.lexer import unescape_bytes
from harness.simt.ir.module import Frame, Location, SourceVariable

__all__ = ["DebugInfo", "escape_bytes", "unescape_text"]

FIELD = {
    key: re.compile(rf"\b{key}: (!?\d+)")
    for key in ("line", "column", "scope", "inlinedAt", "file", "arg", "var", "annotations", "type")
}
SHAPE = re.compile(r'"mojo_source_name", !"shape ([-?\d,]+)"')  # what a build keeps of the name of an array's type
# The arguments of the layout in the name of a LayoutTensor's type, by rows or columns.
TENSOR = re.compile(r"layout_tensor::struct LayoutTensor\[.*?Layout::(?:row|col)_major\[.*?store_to_mem\(\[([^\]]*)\]")
# The lengths in the name of a TileTensor's type, which come before the strides.
TILE = re.compile(r'tile_tensor::struct TileTensor\[.*?\[(@"std::utils::coord::\w+"[^\]]*)\]')
LENGTH = re.compile(r"scalar<index> (\d+)")
QUOTED = {key: re.compile(rf'\b{key}: "((?:[^"\\]|\\.)*)"') for key in ("filename", "name", "directory")}


class DebugInfo:
    """Look up debug metadata by its number.

    Attributes:
        lines: The text of each metadata node, by its number.
    """

    def __init__(self, lines: dict[int, str]) -> None:
        self.lines = lines
        self._locations: dict[int, Location] = {}
        self._scopes: dict[int, tuple[str, str]] = {}

    def locate(self, number: int) -> Location:
        """Return the location of a `DILocation`, with the calls that it was inlined through, the innermost frame first.

        At most 64 frames are read; a line or column that is not recorded is 0. An unknown number gives one frame of the
        file `<unknown>`. The result is cached.
        """
        location = self._locations.get(number)
        if location is None:
            frames: list[Frame] = []
            at: int | None = number
            while at is not None and len(frames) < 64:
                text = self.lines.get(at, "")
                scope = self._number(text, "scope")
                file, function = self.scope(scope)
                line = self._number(text, "line") or 0
                column = self._number(text, "column") or 0
                frames.append(Frame(file, line, column, function))
                at = self._number(text, "inlinedAt")
            location = self._locations[number] = Location(tuple(frames))
        return location

    def scope(self, number: int | None) -> tuple[str, str]:
        """Return (file, function) of a scope, the number of a metadata node; cached.

        The function is the scope itself or the nearest one around it, else `""`. The file is the first one named on the
        way from the scope to that function. If none is named, it is `""`, but `<unknown>` if there is no function. None
        gives `("<unknown>", "")`.
        """
        if number is None:
            return "<unknown>", ""
        scope = self._scopes.get(number)
        if scope is None:
            text = self.lines.get(number, "")
            file = self._file(self._number(text, "file"))
            if "!DISubprogram" in text:
                scope = file, self._quoted(text, "name")
            else:
                parent = self.scope(self._number(text, "scope"))
                scope = file or parent[0], parent[1]
            self._scopes[number] = scope
        return scope

    def subprogram(self, number: int) -> Frame:
        """Return the frame of a `DISubprogram`: file, line (0 if it is not recorded), column 0 and function.

        An unknown number gives the file `<unknown>` and an empty function.
        """
        text = self.lines.get(number, "")
        file, name = self.scope(number)
        return Frame(file, self._number(text, "line") or 0, 0, name)

    def variable(self, number: int) -> SourceVariable | None:
        """Return a `DILocalVariable` with an empty shape, or None if it has no name or the number is unknown.

        If they are not recorded, file and function are empty, and line and parameter are 0.
        """
        text = self.lines.get(number, "")
        name = self._quoted(text, "name")
        _, function = self.scope(self._number(text, "scope"))
        file, line = self._file(self._number(text, "file")), self._number(text, "line") or 0
        return SourceVariable(name, file, line, function, self._number(text, "arg") or 0) if name else None

    def shape(self, variable: int) -> tuple[int | None, ...]:
        """Return the shape of the array whose method declares a `DILocalVariable`; a length known at run time is None.

        It is empty if the build does not record it, or if a block inside the method declares the variable.

        Args:
            variable: The number of the `DILocalVariable`.
        """
        scope = self._node(self._number(self._node(variable), "scope"))
        for number in re.findall(r"!(\d+)", self._node(self._number(scope, "annotations"))):
            if match := SHAPE.search(self.lines.get(int(number), "")):
                return tuple(None if length == "?" else int(length) for length in match[1].split(","))
        return ()

    def tensor(self, variable: int) -> tuple[int, ...]:
        """Return the shape of a LayoutTensor that is stored by rows or columns.

        It is empty if a length is known only at run time, and for other variables.

        Args:
            variable: The number of a `DILocalVariable`.
        """
        match = TENSOR.search(self._kind(variable))
        if match is None:
            return ()
        known_lengths = LENGTH.findall(match[1])
        return tuple(map(int, known_lengths)) if len(known_lengths) == match[1].count("scalar<index>") else ()

    def lengths(self, variable: int) -> tuple[int, ...]:
        """Return the shape of a TileTensor, empty if a length is not known; for other variables see `tensor`.

        Args:
            variable: The number of a `DILocalVariable`.
        """
        match = TILE.search(self._kind(variable))
        if match is None:
            return self.tensor(variable)
        known_lengths = LENGTH.findall(match[1])
        return tuple(map(int, known_lengths)) if len(known_lengths) == match[1].count("::coord::") else ()

    def caller(self, location: int) -> int | None:
        """Return the `DILocation` that a `DILocation` is inlined at, or None."""
        return self._number(self.lines.get(location, ""), "inlinedAt")

    def variable_of(self, expression: int) -> str:
        """Return the name of the global variable of a `DIGlobalVariableExpression`; empty if it is not recorded."""
        return self._quoted(self._node(self._number(self._node(expression), "var")), "name")

    def _node(self, number: int | None) -> str:
        return "" if number is None else self.lines.get(number, "")

    def _kind(self, variable: int) -> str:
        """Return the name of a variable's type; empty if it is not recorded."""
        return self._quoted(self._node(self._number(self._node(variable), "type")), "name")

    def _file(self, number: int | None) -> str:
        text = self._node(number)
        name = self._quoted(text, "filename")
        folder = self._quoted(text, "directory")
        return f"{folder}/{name}" if folder and not name.startswith("/") else name

    @staticmethod
    def _number(text: str, key: str) -> int | None:
        match = FIELD[key].search(text)
        return int(match.group(1).lstrip("!")) if match else None

    @staticmethod
    def _quoted(text: str, key: str) -> str:
        match = QUOTED[key].search(text)
        return unescape_text(match.group(1)) if match else ""


def unescape_text(text: str) -> str:
    r"""Return the meaning of a string of the module, as `unescape_bytes` does; bytes that are no UTF-8 become U+FFFD.

    LLVM writes what is not ASCII as the bytes of UTF-8, `\C3\A9`.
    """
    return unescape_bytes(text).decode("utf-8", "replace") if "\\" in text else text


def escape_bytes(octets: bytes) -> str:
    r"""Return bytes as LLVM writes them in a string or a name: `\C3` for what is not printable ASCII, for quotes and
    for `\`.
    """
    return "".join(chr(octet) if 32 <= octet < 127 and octet not in b'"\\' else f"\\{octet:02X}" for octet in octets)
