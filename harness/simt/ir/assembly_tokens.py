"""Split inline assembly into tokens; drop comments, line directives and `${:uid}`, and turn `$$` into `$`.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#syntax and https://llvm.org/docs/LangRef.html#inline-asm-expressions
"""

import re
from collections.abc import Iterator

from harness.simt.errors import Unsupported

__all__ = ["Token", "tokenize"]

# (kind, text, end position)
Token = tuple[str, str, int]
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|^\s*(?:#|\.loc|\.file|\.line)\b[^\n;]*;?", re.DOTALL | re.MULTILINE)
TOKEN = re.compile(
    r"""\s*(?:
    (?P<argument>\$\d+|\$\{\d+(?::\w*)?\})
    | (?P<number>0[fF][0-9a-fA-F]{8}\b | 0[dD][0-9a-fA-F]{16}\b | 0[xX][0-9a-fA-F]+U? | 0[bB][01]+U?
        | \d+\.\d*(?:[eE][+-]?\d+)? | \d+[eE][+-]?\d+ | \d+U?)
    | (?P<text>"[^"]*")
    | (?P<name>\.[a-z]\w* | [%$_A-Za-z][\w$%]*(?:(?:\.|::)\w+)*)
    | (?P<sign><<|>>|[{}\[\](),;:@!|+\-<>=*/])
    )""",
    re.VERBOSE,
)
UNIQUE = re.compile(r"\$\{:uid\}|\$\(:uid\)|%=")


def tokenize(text: str) -> tuple[str, list[Token]]:
    """Return (text, tokens): a text as LLVM writes it out, without comments, and its tokens (kind, text, end position).

    `$$` becomes `$`; unique identifiers (`${:uid}`) vanish. A comment or a line directive (`#`, `.loc`, `.file`,
    `.line`) becomes a space. The end position of a token counts characters of the returned text.

    Raises:
        Unsupported: Something in it is no token.
    """
    plain = COMMENT.sub(" ", UNIQUE.sub("", text).replace("$$", "$"))
    return plain, list(_tokens(plain))


def _tokens(text: str) -> Iterator[Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        match = TOKEN.match(text, at)
        if match is None:
            raise Unsupported(f"inline assembly with {text[at:].split()[0]!r}")
        assert match.lastgroup is not None
        yield match.lastgroup, match[match.lastgroup], match.end()
        at = match.end()
