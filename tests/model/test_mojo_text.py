"""What is no text of a Mojo file is refused by name, with its line, wherever it is handed in."""

from __future__ import annotations

import pytest

from harness.errors import UsageError
from harness.model.mojo_text import MOST_BYTES, TextError, decode_mojo
from harness.model.sources import Sources

REFUSED = {
    "carriage-return": (b"# x\r pass\n", r"line 1 has a carriage return without a line feed \(U\+000D\)"),
    "carriage-return-at-the-end": (b"x\n\r", "line 2 has a carriage return"),
    "two-carriage-returns": (b"x\r\r\n", "line 1 has a carriage return"),
    "null": (b"x\n# \0\n", r"line 2 has a null character \(U\+0000\)"),
    "form-feed": (b"\x0c", "line 1 has a form feed"),
    "vertical-tab": (b"a\x0bb", "line 1 has a vertical tab"),
    "escape": (b"# \x1b[2J", "line 1 has an escape character"),
    "bell": (b"# \x07", r"line 1 has a control character \(U\+0007\)"),
    "delete": (b"\x7f", "line 1 has a delete character"),
    "next-line": ("# \x85 pass".encode(), r"line 1 has a next line character \(U\+0085\)"),
    "byte-order-mark": (b"\xef\xbb\xbfpass\n", "begins with a byte order mark, which Mojo refuses: save it as UTF-8 w"),
    "utf-16": ("pass".encode("utf-16"), r"line 1 is no text in UTF-8 \(byte 0 of the file\)"),
    "latin-1": (b"a\nb\n# caf\xe9\n", r"line 3 is no text in UTF-8 \(byte 9 of the file\): save it as UTF-8"),
    "large": (b"#" * (MOST_BYTES + 1), "more than 256 KiB"),
}
TAKEN = ["", "\tpass\n", "a\r\nb\r\n", "# 입력 \u3000\u00a0\u2028\u200b", "a\ufeff"]


@pytest.mark.parametrize(("data", "told"), REFUSED.values(), ids=REFUSED)
def test_it_is_refused_by_name_with_its_line(data, told, tmp_path):
    with pytest.raises(TextError, match=told):
        decode_mojo(data)
    (tmp_path / "p15.mojo").write_bytes(data)
    with pytest.raises(UsageError, match=rf"p15\.mojo is no Mojo file: .*{told}"):
        Sources(overrides={"p15": tmp_path / "p15.mojo"})


@pytest.mark.parametrize("text", TAKEN, ids=range(len(TAKEN)))
def test_what_is_taken_is_what_it_was(text):
    """What no compiler takes is for the compiler to say."""
    assert decode_mojo(text.encode()).encode() == text.encode()
