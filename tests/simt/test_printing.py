"""What a kernel prints, as each vendor's runtime receives it, is the text that its lanes meant."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import kernel

AMD, METAL = "amd:gfx942", "apple:apple-m4"
BEGIN, END, WORDS = 1, 2, 7
PAIR = "{ { i64, i64 } }"
CALL = "std_sys__amdgpu_hostcall_of_a_test"


def printed(body, target, lanes, globals_=""):
    """What so many lanes print."""
    text = kernel(body, globals_=globals_, target=target)
    result = simt.launch(text, target=target, grid=1, block=lanes, args=[np.zeros(1, np.int32)])
    assert result.verdict == "clean", result.findings
    return list(result.printed)


def padded(text):
    """A text with its end, in whole words."""
    data = text.encode() + b"\0"
    return data.ljust(-(-len(data) // 8) * 8, b"\0")


def pieces(message):
    """A message as AMD's runtime sends it: begun with its first word, in pieces of up to seven, then ended."""
    words = struct.unpack(f"<{len(message) // 8}q", message)
    yield BEGIN, words[:1]
    for at in range(1, len(words), WORDS):
        yield END if at + WORDS >= len(words) else 0, words[at : at + WORDS]


def sent(message, hole):
    """The calls of a lane that sends a message; the word `hole` of it is the lane's own value %w."""
    lines, count = [], 0
    for number, (flags, words) in enumerate(pieces(message)):
        head = f"i64 {flags | len(words) << 5}"
        if number:
            lines.append(f"  %f{number} = or i64 %d{number - 1}, {flags | len(words) << 5}")
            head = f"i64 %f{number}"
        given = [f"i64 {'%w' if count + n == hole else word}" for n, word in enumerate(words)]
        given += ["i64 0"] * (WORDS - len(words))
        count += len(words)
        lines.append(f"  %h{number} = call {PAIR} @{CALL}(i32 2, {head}, {', '.join(given)})")
        lines.append(f"  %d{number} = extractvalue {PAIR} %h{number}, 0, 0")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("template", "values"),
    [
        ("plain", ()),
        ("100 %% of %s\n", ("a text of more than eight letters",)),
        ("%d %i %u %x %o|%5.2f|%-8s|%c %ld", (-3, 7, 9, 255, 8, 2.5, "ab", ord("z"), -(1 << 40))),
    ],
)
def test_amd_prints_a_message_that_comes_in_pieces(template, values):
    """Each lane's own, with all kinds of conversions; Python's `%` has the same ones."""
    template = f"%d: {template}"
    data = struct.pack("<q", 0) + padded(template)
    hole = len(data) // 8
    for value in (0, *values):
        data += (
            padded(value) if isinstance(value, str) else struct.pack("<d" if isinstance(value, float) else "<q", value)
        )
    body = f"  %w = mul i64 %i, -5\n{sent(data, hole)}"

    assert printed(body, AMD, 3) == [template.replace("%ld", "%d") % (-5 * lane, *values) for lane in range(3)]


def test_other_services_of_amds_runtime_print_nothing():
    zeros = ", ".join(["i64 0"] * 7)

    assert printed(f"  %h = call {PAIR} @{CALL}(i32 3, i64 35, {zeros})", AMD, 2) == []


def test_metal_logs_texts_of_any_memory():
    """A constant one, and one that each lane makes in its own variable."""
    body = """
  call void @__mojo_metal_os_log_64(ptr @said)
  %own = alloca [4 x i8]
  %n = trunc i32 %t to i8
  %letter = add i8 %n, 97
  store i8 %letter, ptr %own
  %second = getelementptr i8, ptr %own, i64 1
  store i8 0, ptr %second
  call void @__mojo_metal_os_log_64(ptr %own)"""
    said = '@said = internal constant [7 x i8] c"Gr\\C3\\BC\\C3\\9F\\00"\n'

    assert printed(body, METAL, 3, said) == ["Grüß"] * 3 + ["a", "b", "c"]
