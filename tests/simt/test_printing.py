"""What a kernel prints, as each vendor's runtime receives it, is the text that its lanes meant."""

from __future__ import annotations

import ctypes
import math
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


@pytest.mark.parametrize(
    ("template", "value", "expected"),
    [
        ("%+u|", 5, "5|"),
        ("%#o|", 8, "010|"),
        ("%#x|", 0, "0|"),
        ("%#06x|", 255, "0x00ff|"),
        ("%05.3d|", 7, "  007|"),
        ("%.0d|", 0, "|"),
        ("%-6d|", -7, "-7    |"),
        ("%08f|", -math.inf, "    -inf|"),
        ("%+F|", math.nan, "+NAN|"),
        ("%a|", -2.5, "-0x1.4p+1|"),
        ("%.1a|", 1.90625, "0x1.ep+0|"),
        ("%.0a|", 1.5, "0x2p+0|"),
        ("%#.0A|", 1.0, "0X1.P+0|"),
        ("%012a|", 5e-324, "0x0.0000000000001p-1022|"),
        ("%20p|", 4096, "              0x1000|"),
        ("%p|", 0, "(nil)|"),
        ("%3c|", 65, "  A|"),
    ],
)
def test_numbers_are_printed_as_c_does(template, value, expected):
    """Where Python's `%` does otherwise, or has no such conversion: what glibc's `printf` makes of it."""
    template = f"%d: {template}"
    data = struct.pack("<q", 0) + padded(template)
    hole = len(data) // 8
    data += bytes(8) + struct.pack("<d" if isinstance(value, float) else "<q", value)

    assert printed(f"  %w = mul i64 %i, -5\n{sent(data, hole)}", AMD, 2) == [f"0: {expected}", f"-5: {expected}"]


def test_too_few_arguments_of_amds_runtime():
    message = struct.pack("<q", 0) + padded("%d %d") + struct.pack("<q", 5)
    lines, previous = [], "0"
    for number, (flags, words) in enumerate(pieces(message)):
        given = ", ".join(f"i64 {one}" for one in (*words, *[0] * (7 - len(words))))
        lines.append(f"%f{number} = or i64 {previous}, {flags | len(words) << 5}")
        lines.append(f"%h{number} = call {PAIR} @{CALL}(i32 2, i64 %f{number}, {given})")
        lines.append(f"%d{number} = extractvalue {PAIR} %h{number}, 0, 0")
        previous = f"%d{number}"
    text = kernel("\n".join(lines), target=AMD)
    result = simt.launch(text, target=AMD, grid=1, block=1, args=[np.zeros(1, np.int32)])

    assert list(result.printed) == ["%d %d"]
    assert [finding.id for finding in result.findings] == ["print.arguments"]


@pytest.mark.parametrize("number", [0, 1, 7])
def test_a_part_of_a_message_that_was_not_begun_is_refused(number):
    """Also of one that is complete: a lane has sent and ended message 1 before."""
    whole = sent(struct.pack("<q", 0) + padded("done"), 9)
    zeros = ", ".join(["i64 0"] * WORDS)
    body = f"{whole}\n  %again = call {PAIR} @{CALL}(i32 2, i64 {number << 8 | END | 1 << 5}, {zeros})"
    result = simt.launch(kernel(body, target=AMD), target=AMD, grid=1, block=1, args=[np.zeros(1, np.int32)])

    assert (result.verdict, list(result.printed)) == ("incomplete", ["done"])
    assert f"a part of message {number} of `printf`, which was not begun, is not supported" in str(result.fault)


def test_messages_that_are_not_complete_have_numbers_of_their_own():
    """One ends while another is open, and a third begins then."""
    first, second, third = (padded(text) for text in ("1st", "2nd", "3rd"))
    lines = []

    def send(name, flags, data, to="0"):
        words = (0, *struct.unpack("<q", data)) if flags & BEGIN else struct.unpack("<q", data)
        given = ", ".join(f"i64 {word}" for word in (*words, *[0] * (WORDS - len(words))))
        lines.append(f"  %w{name} = or i64 {to}, {flags | len(words) << 5}")
        lines.append(f"  %h{name} = call {PAIR} @{CALL}(i32 2, i64 %w{name}, {given})")
        lines.append(f"  %d{name} = extractvalue {PAIR} %h{name}, 0, 0")

    send("a", BEGIN, first)
    send("b", BEGIN, second)
    send("a1", END, bytes(8), "%da")
    send("c", BEGIN, third)
    send("b1", END, bytes(8), "%db")
    send("c1", END, bytes(8), "%dc")

    assert printed("\n".join(lines), AMD, 1) == ["1st", "2nd", "3rd"]


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


KINDS = {"i32": ctypes.c_int, "i64": ctypes.c_longlong, "double": ctypes.c_double}
NUMBERS = [
    ("nothing but 100 %%\n", ()),
    ("%d %i %u|%5d|%-5d|%05d|%+d\n", (-7, 7, -1, 42, 42, -42, 42)),
    ("%x %X %#x %o %c%c\n", (255, 48879, 4096, 8, 72, 105)),
    ("%hd %hu\n", (70000, -1)),
    ("%ld %lld %lu %llx %d\n", (-(1 << 40), 1 << 62, ("i64", -1), ("i64", 1 << 36), 3)),
    ("%f %.2f %e %g %G %10.3f|%-10.1f|\n", (1.5, 2.0 / 3, 12345.678, 1e-7, 1e20, -3.25, 0.05)),
    ("%d %f %d %ld %c %f\n", (1, 2.5, 3, 1 << 33, 65, -0.5)),
]


def type_of(number):
    """As C passes it."""
    return "double" if isinstance(number, float) else "i32" if abs(number) < 1 << 31 else "i64"


@pytest.mark.parametrize(("template", "values"), NUMBERS)
def test_nvidia_prints_what_c_prints(template, values):
    """Of numbers, each packed at a multiple of its size; the call gives how many there were."""
    typed = [value if isinstance(value, tuple) else (type_of(value), value) for value in values]
    lines, at = [], 0
    for n, (kind, number) in enumerate(typed):
        size = 4 if kind == "i32" else 8
        word = f"0x{struct.pack('>d', number).hex()}" if kind == "double" else number
        at = -(-at // size) * size
        lines += [f"%p{n} = getelementptr i8, ptr %pack, i64 {at}", f"store {kind} {word}, ptr %p{n}, align {size}"]
        at += size
    data = template.encode() + b"\0"
    said = f'@said = internal constant [{len(data)} x i8] c"{"".join(f"{chr(92)}{octet:02X}" for octet in data)}"\n'
    body = "\n".join(
        [
            "%pack = alloca [64 x i8], align 8",
            *lines,
            "%count = call i32 @vprintf(ptr @said, ptr %pack)",
            "store i32 %count, ptr %o",
        ]
    )
    counts = np.full(1, -1, np.int32)
    result = simt.launch(kernel(body, globals_=said), target="nvidia:sm_90", grid=1, block=1, args=[counts])
    given = [KINDS[kind](number) for kind, number in typed]
    room = ctypes.create_string_buffer(256)
    ctypes.CDLL(None).snprintf(room, ctypes.c_size_t(256), data, *given)

    assert ("".join(result.printed), counts.tolist()) == (room.value.decode(), [len(values)])


@pytest.mark.simulated
def test_each_lane_prints_its_own_text():
    """With a text that stands in its own memory; their order is that of the lanes, which a GPU leaves open."""
    body = """
      %own = alloca [4 x i8]
      %n = trunc i32 %t to i8
      %letter = add i8 %n, 97
      store i8 %letter, ptr %own
      %second = getelementptr i8, ptr %own, i64 1
      store i8 0, ptr %second
      %pack = alloca [2 x ptr], align 8
      store ptr %own, ptr %pack
      %count = call i32 @vprintf(ptr @said, ptr %pack)"""
    said = '@said = internal constant [7 x i8] c"<%4s>\\0A\\00"\n'

    assert printed(body, "nvidia:sm_90", 3, said) == ["<   a>\n", "<   b>\n", "<   c>\n"]


TEXT_PER_BLOCK = """
  %generic = addrspacecast ptr addrspace(3) @text to ptr
  %first = icmp eq i32 %t, 0
  %number = trunc i32 %bx to i8
  %letter = add i8 %number, 97
  br i1 %first, label %write, label %go
write:
  store i8 %letter, ptr addrspace(3) @text
  %second = getelementptr i8, ptr addrspace(3) @text, i64 1
  store i8 0, ptr addrspace(3) %second
  br label %go
go:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
"""
SHARED_TEXT = "@text = internal addrspace(3) global [8 x i8] undef, align 8\n"
AS_FORMAT = "  %count = call i32 @vprintf(ptr %generic, ptr null)"
AS_ARGUMENT = """
  %pack = alloca ptr, align 8
  store ptr %generic, ptr %pack
  %count = call i32 @vprintf(ptr @said, ptr %pack)"""
FORMAT = '@said = internal constant [3 x i8] c"%s\\00"\n'


@pytest.mark.parametrize("body", [AS_FORMAT, AS_ARGUMENT], ids=["format", "argument"])
def test_a_text_in_shared_memory_is_that_of_the_lanes_block(body):
    """The row of shared memory is the block's, although a lane's number is larger than that of its block."""
    text = kernel(TEXT_PER_BLOCK + body, globals_=SHARED_TEXT + FORMAT)
    result = simt.launch(text, target="nvidia:sm_90", grid=3, block=2, args=[np.zeros(1, np.int32)])

    assert sorted(result.printed) == ["a", "a", "b", "b", "c", "c"]


def test_arguments_packed_in_shared_memory_are_those_of_the_lanes_block():
    text = kernel(
        f"{TEXT_PER_BLOCK}  %count = call i32 @vprintf(ptr @said, ptr %generic)",
        globals_=SHARED_TEXT + FORMAT.replace("%s", "%c"),
    )
    result = simt.launch(text, target="nvidia:sm_90", grid=3, block=2, args=[np.zeros(1, np.int32)])

    assert sorted(result.printed) == ["a", "a", "b", "b", "c", "c"]


def test_a_text_in_the_shared_memory_of_a_peer_is_the_peers():
    body = f"""{TEXT_PER_BLOCK}
  %other = xor i32 %bx, 1
  %peer = call ptr @llvm.nvvm.mapa(ptr %generic, i32 %other)
  %pack = alloca ptr, align 8
  store ptr %peer, ptr %pack
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()
  %count = call i32 @vprintf(ptr @said, ptr %pack)
  call void @llvm.nvvm.barrier.cluster.arrive()
  call void @llvm.nvvm.barrier.cluster.wait()"""
    text = kernel(body, globals_=SHARED_TEXT + FORMAT)
    result = simt.launch(text, target="nvidia:sm_90", grid=2, block=1, cluster=2, args=[np.zeros(1, np.int32)])

    assert list(result.printed) == ["b", "a"]


@pytest.mark.parametrize(("offset", "said"), [(-1, "<bad pointer>"), (2, "cd"), (4, "<bad pointer>")])
def test_a_text_ends_where_its_memory_ends(offset, said):
    """A text without a NUL: what lies beside it belongs to another lane."""
    body = f"""
  %own = alloca [4 x i8], align 4
  store i32 {int.from_bytes(b"abcd", "little")}, ptr %own
  %at = getelementptr i8, ptr %own, i64 {offset}
  call void @__mojo_metal_os_log_64(ptr %at)"""

    assert printed(body, METAL, 2) == [said] * 2
