"""`Cursor`: take the tokens of one line of printed LLVM IR, read types, skip attributes; unescape its strings.

See: https://llvm.org/docs/LangRef.html#identifiers
"""

import re
from collections.abc import Container, Mapping

from harness.simt.errors import DecodeError, Unsupported
from harness.simt.ir.types import Array, Float, Int, OtherType, Pointer, Struct, Type, Vector

__all__ = ["Cursor", "unescape_bytes"]

TOKEN = re.compile(
    r"""
    [%@](?:"[^"]*"|[-\w.$]+)        # a local or global name
    | c"[^"]*" | "[^"]*"            # bytes, a string
    | ![\w.]+ | \#\d+               # metadata, an attribute group
    | 0x[KLMHR]?[0-9A-Fa-f]+        # a float as bits
    | -?\d+\.\d*(?:[eE][-+]?\d+)?   # a decimal float
    | -?\d+ | [A-Za-z_][\w.]*       # an integer, a word
    | \.\.\. | [][(){}<>,=*:|!]
    """,
    re.VERBOSE,
)
# The address space of AMD's buffer descriptors, 128 bits wide; only intrinsics use them.
DESCRIPTORS = 8
SIMPLE: dict[str, Type] = {
    "ptr": Pointer(0),
    **{n: Float(n) for n in ("half", "bfloat", "float", "double", "fp128")},
    **{n: OtherType(n) for n in ("void", "label", "metadata", "token")},
}
MAX_BITS = 4096  # of an integer: arithmetic on more would take longer than any launch may
INTEGER = re.compile(r"i\d+")
ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|\\)")


def unescape_bytes(text: str) -> bytes:
    r"""Return the bytes of a string without its quotes: `\0A` (hexadecimal) and `\\` are resolved; others are UTF-8."""

    def replace(match: re.Match[bytes]) -> bytes:
        code = match.group(1)
        return b"\\" if code == b"\\" else bytes([int(code, 16)])

    return ESCAPE.sub(replace, text.encode())


class Cursor:
    """Read tokens from left to right.

    Attributes:
        named: The module's named struct types, by `%name`.
    """

    __slots__ = ("index", "named", "text", "tokens")

    def __init__(self, text: str, named: Mapping[str, Type]) -> None:
        self.text = text
        self.tokens: list[str] = TOKEN.findall(text)
        self.tokens.append("")
        self.index = 0
        self.named = named

    @property
    def token(self) -> str:
        """The next token, or an empty string at the end."""
        return self.tokens[self.index]

    def next(self) -> str:
        """Take and return the next token; an empty string at the end, and IndexError after it."""
        token = self.tokens[self.index]
        self.index += 1
        return token

    def accept(self, token: str) -> bool:
        """Take the next token if it is this one; return whether it was."""
        if self.tokens[self.index] == token:
            self.index += 1
            return True
        return False

    def expect(self, token: str) -> None:
        """Take the next token, which must be this one.

        Raises:
            DecodeError: It is another one.
        """
        if not self.accept(token):
            msg = f"expected {token!r}, found {self.token!r} in: {self.text.strip()}"
            raise DecodeError(msg)

    def accept_any(self, words: Container[str]) -> list[str]:
        """Take and return all next tokens that are among `words`."""
        accepted = []
        while self.tokens[self.index] in words:
            accepted.append(self.next())
        return accepted

    def skip_balanced(self) -> None:
        """Skip from a `(` to its `)`, or one token of another kind; brackets `[`, `{` and `<` are such tokens.

        Raises:
            DecodeError: The parenthesis is not closed.
        """
        depth = 0
        while True:
            token = self.next()
            depth += (token == "(") - (token == ")")
            if depth == 0:
                return
            if not token:
                raise DecodeError(f"unbalanced parenthesis in: {self.text.strip()}")

    def at_type(self) -> bool:
        """Return whether the next token begins a type; also true for a `[`, `{` or `<` that begins a constant."""
        token = self.token
        return (
            token in SIMPLE
            or (token != "" and token in "[<{")
            or INTEGER.fullmatch(token) is not None
            or token in self.named
        )

    def type(self) -> Type:
        """Read a type; of a function type only the result: its parameters stay. `ptr addrspace(8)` gives an `i128`.

        Raises:
            DecodeError, Unsupported: There is no type at the cursor, or one that no GPU has.
        """
        token = self.next()
        if token == "ptr":
            if self.accept("addrspace"):
                self.expect("(")
                space = int(self.next())
                self.expect(")")
                return Pointer(space) if space != DESCRIPTORS else Int(128)
            return SIMPLE[token]
        if token in SIMPLE:
            return SIMPLE[token]
        if INTEGER.fullmatch(token):
            if int(token[1:]) > MAX_BITS:
                raise Unsupported(f"an integer of {token[1:]} bits")
            return Int(int(token[1:]))
        if token == "[":
            length, element = self._sequence()
            self.expect("]")
            return Array(length, element)
        if token == "<" and self.accept("{"):
            fields = self._fields()
            self.expect(">")
            return Struct(fields, packed=True)
        if token == "<":
            length, element = self._sequence()
            self.expect(">")
            return Vector(length, element)
        if token == "{":
            return Struct(self._fields())
        if token in self.named:
            return self.named[token]
        raise DecodeError(f"{token!r} is not a type in: {self.text.strip()}")

    def _sequence(self) -> tuple[int, Type]:
        if self.token == "vscale":
            raise Unsupported("vscale", "a vector of scalable length (vscale) is not supported: no GPU has any")
        length = int(self.next())
        self.expect("x")
        return length, self.type()

    def _fields(self) -> tuple[Type, ...]:
        fields = []
        while not self.accept("}"):
            fields.append(self.type())
            self.accept(",")
        return tuple(fields)

    def skip_attributes(self) -> dict[str, Type]:
        """Skip the attributes before a value; return the types of `byval`, `byref` and `sret`, by these words.

        It stops before a type, a word that begins a value, or a token that is no word.
        """
        typed: dict[str, Type] = {}
        while not self.at_type():
            word = self.token
            if not (word[:1].isalpha() or word.startswith(("#", '"'))):
                return typed
            if word in ATTRIBUTE_STOPS or word.startswith('c"'):
                return typed
            self.index += 1
            if word in ("byval", "byref", "sret"):
                self.expect("(")
                typed[word] = self.type()
                self.expect(")")
            elif word == "align" and self.token.isdigit():
                self.index += 1
            elif self.token == "(":
                self.skip_balanced()
            elif self.token == "=":
                self.index += 2
        return typed


# Words that begin a value, not another attribute.
ATTRIBUTE_STOPS = frozenset(
    {
        *("asm", "null", "undef", "poison", "true", "false", "none", "zeroinitializer", "splat"),
        *("getelementptr", "inttoptr", "addrspacecast", "ptrtoint", "bitcast", "trunc"),
    }
)
