"""Each message of the simulator is used, has what it names, and is told in sentences."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from harness import simt
from harness.simt.findings import Finding, SourceLocation, Who
from harness.simt.messages import Message, Words, add_messages, words
from harness.simt.messages.en import MESSAGES, TERMS
from harness.simt.render import Renderer
from tests import messages

SIMT = Path(simt.__file__).parent


def test_every_report_has_its_text_and_what_the_text_names():
    """A missing parameter would end a run that found something."""
    reports = list(messages.reported(SIMT))

    assert len(reports) > 50
    assert messages.complaints(reports, MESSAGES, TERMS) == []


def test_a_report_without_its_text_or_without_what_the_text_names_is_a_complaint():
    reports = [("no-such-id", set(), "a.py:1"), ("known", {"width"}, "a.py:2"), ("known", set(), "a.py:3")]
    known = {"known": Message("Known", "it is {width} wide in {kernel}", "")}

    assert messages.complaints(reports, known, {}) == [
        "a.py:1 reports no-such-id, which has no text",
        "a.py:3: known names width",
    ]


@pytest.mark.slow
def test_every_text_is_used():
    """What nobody reports is dead, or its check is."""
    patterns = messages.mentioned(SIMT) | messages.mentioned(SIMT.parent / "programs")

    assert messages.unused([*(name.removesuffix(".element") for name in MESSAGES), "no-such-message"], patterns) == {
        "no-such-message"
    }


def test_the_scan_sees_a_report_without_a_text(tmp_path):
    """And the parameters given with it."""
    (tmp_path / "a.py").write_text(
        'engine.report(f"odd.{one}" if one else "even", "error", (), values={"width": 1})\n'
        'engine.fail("end", (), budget=2)\nlog.add("other", 1)'
    )

    listed = [(pattern, names) for pattern, names, _ in messages.reported(tmp_path)]
    assert listed == [(r"odd\.[\w-]+", {"width"}), ("even", {"width"}), ("end", {"budget"})]


def test_a_text_is_a_sentence_without_its_end():
    """The renderer adds what every sentence has."""
    assert [name for name, message in MESSAGES.items() if message.title.endswith(".")] == []
    assert messages.unfinished(MESSAGES) == []


def test_a_text_with_its_end_is_noticed():
    texts = {"a": Message("A title", "a text.", ""), "b": Message("small", "", ""), "c": Message("C", "a text", "do.")}
    assert messages.unfinished({**texts, "d": Message("D", "a text", "do")}) == ["a", "b", "c"]


def told(**values):
    """A text with a number, a noun and a word of the language."""
    terms = {"access": {"load": "read"}, "role": {}}
    known = Words({"odd": Message("Odd", "{access} by {n:thread} at {places}", "", "{n:access/accesses}")}, terms)
    return Renderer(words=known).line(Finding("odd", "error", values={"access": "load", **values}))


def test_numbers_agree_with_their_nouns():
    assert told(n=1, places=(1, 2)) == "read by 1 thread at 1, 2"
    assert told(n=2, places=[3], items=({"n": 1}, {"n": 2})) == "read by 2 threads at 3; 1 access; 2 accesses"


def test_an_id_has_one_text():
    """A second one would change what another program's findings say."""
    with pytest.raises(ValueError, match="'livelock' has a text already"):
        add_messages({"livelock": Message("Endless", "it never ends")})
    add_messages({"livelock": MESSAGES["livelock"]})


SOURCE = [
    "def helper():",
    "    var other = stack_allocation[dtype=T, address_space=AddressSpace.SHARED](",
    "        row_major[8]()",
    "    )",
    "def kernel(a: Int):",
    "    var local = stack_allocation[dtype=T](row_major[8]())",
    "    var cache = stack_allocation[",
    "        dtype=T, address_space=AddressSpace.SHARED",
    "    ](row_major[8]())",
    "\tcache[i] = a[i]  \x1b[31m",
    "    nothing[i] = a[i]",
]


def finding(line: int, argument: str = "shared array 0", **fields) -> Finding:
    site = SourceLocation("kernel.mojo", line, 2, "store float 1.0, ptr %p", function="kernel")
    values = {"origin": "shared", "source": argument}
    return Finding("uninitialised.branch", "error", "k", (site,), argument=argument, values=values, **fields)


def shown(finding: Finding, **options) -> list[str]:
    return Renderer(lambda file: SOURCE if file == "kernel.mojo" else (), **options).block(finding)


def test_a_line_is_shown_with_its_caret():
    """Control characters as escapes; the caret stands below the column."""
    lines = shown(finding(10, who=(Who((0, 0, 0), (3, 0, 0), 0, 3),)))

    assert lines == [
        "Use of an undefined value (uninitialised.branch)",
        "    An undefined value decides a branch; it comes from cache: shared memory, not initialised.",
        "    at kernel.mojo:10:2 in kernel",
        "        10 |  cache[i] = a[i]  \\x1b[31m",
        "           |  ^",
        "        store float 1.0, ptr %p",
        "    by thread (3,0,0) in block (0,0,0), warp 0 lane 3",
        "    Remedy: write cache before it is read, on every path to the read.",
    ]


@pytest.mark.parametrize("column, shown_column", [(5, 5), (19, 13), (30, 22), (40, 40)])
def test_a_column_that_compilers_count_in_bytes_is_shown_in_characters(column, shown_column):
    """What lies behind the line's end stays as it is."""
    line = '    s = "안녕하세"; b[i] = 1'
    place = SourceLocation("kernel.mojo", 1, column, "store float 1.0, ptr %p")
    show = Renderer(lambda file: [line])
    finding = Finding("livelock", "error", "k", (place,))

    assert f"    at kernel.mojo:1:{shown_column}" in show.block(finding)
    assert show.record(finding)["sites"][0]["column"] == shown_column
    assert show.at(place).column == shown_column


def test_a_thread_that_comes_again_is_named_once():
    """In a loop, or in the steps of a library's function; how often it was is counted."""
    first, second = (Who((0, 0, 0), (thread, 0, 0), 0, thread) for thread in (3, 5))
    lines = shown(finding(10, who=(first, first, second, first, second), count=7), detail=False)

    assert lines[-4:-1] == [
        "    by thread (3,0,0) in block (0,0,0), warp 0 lane 3",
        "    by thread (5,0,0) in block (0,0,0), warp 0 lane 5",
        "    and 5 more like this",
    ]


@pytest.mark.parametrize(
    ("language", "waiting", "ended"),
    [("en", "waiting at {}", "ended at {}"), ("ko", "기다리는 곳: {}", "끝난 곳: {}")],
)
def test_where_threads_wait_and_where_others_ended_are_told_apart(language, waiting, ended):
    sites = (SourceLocation("k.mojo", 61, 9, ""), SourceLocation("k.mojo", 63, 5, ""))
    for name in ("missed-barrier.passed", "missed-barrier.ended"):
        told = Finding(name, "error", "k", sites, values={"ended": 1, "waits": "all", "way": "return"})
        lines = Renderer(words=words(language)).block(told)

        assert f"    {waiting.format('k.mojo:61:9')}" in lines and f"    {ended.format('k.mojo:63:5')}" in lines


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        (12, "instead of a `return` before the barrier"),
        (13, "outside the condition or loop that some skip"),
        (99, "instead of a `return` before the barrier"),
    ],
    ids=["return", "branch", "unknown"],
)
def test_threads_that_end_before_a_barrier_are_told_by_how_they_end(line, remedy):
    """At a `return`, or since the barrier stands in what is last in the function: the same code comes of both."""
    source = [*SOURCE, "        return", "    if i < n:"]
    sites = [SourceLocation("kernel.mojo", at, 5, "") for at in (10, line)]
    values = {"ended": 2, "waits": "living", "way": "return"}
    told = Finding("missed-barrier.ended", "warning", "k", tuple(sites), values=values)

    assert Renderer(lambda _: source).block(told)[-1].endswith(f"{remedy}.")


def test_without_details_the_instruction_is_left_out():
    assert not any("store float" in line for line in shown(finding(10), detail=False))


def test_a_place_without_a_source_line_shows_its_instruction():
    """Even where details are left out: there is nothing else."""
    site = SourceLocation("<unknown>", 0, 0, "store float 1.0, ptr %p")
    lines = shown(Finding("redundant-barrier.one", "information", "k", (site,)), detail=False)

    assert lines[2:4] == ["    at an unknown source line", "        store float 1.0, ptr %p"]
    assert "<unknown>" not in "".join(lines)


@pytest.mark.parametrize(("line", "argument"), [(11, "shared array 0"), (10, "shared array 1"), (99, "shared array 0")])
def test_a_shared_array_without_a_certain_name_keeps_its_number(line, argument):
    """The line does not name it, there is no such array, or there is no such line."""
    assert argument in shown(finding(line, argument))[1]
    record = Renderer(lambda _: SOURCE).record(finding(line, argument))
    assert (record["argument"], record["variable"]) == (argument, argument)


def test_the_line_of_a_call_names_the_shared_array_that_it_passes():
    """The access lies in a function that was inlined."""
    place = SourceLocation("helper.mojo", 3, 1, "load", ("helper.mojo:3:1", "kernel.mojo:10:4"))
    (_, message, *_) = shown(replace(finding(10), sites=(place,)))

    assert "comes from cache: shared memory" in message


CLOSURE = [
    "def main():",
    "    var data = out.unsafe_ptr()",
    "    @parameter",
    "    def kernel(given: Float32):",
    "        var own = given",
    "        data[i] = own + given",
    "    plain[i] = data[i]",
]


@pytest.mark.parametrize(
    ("line", "column", "name"),
    [(6, 9, "data"), (6, 19, ""), (6, 25, ""), (6, 17, ""), (2, 9, ""), (9, 1, "")],
    ids=["from around it", "its own", "its argument", "no name", "no closure", "no line"],
)
def test_what_a_closure_captures_of_the_host_is_named(line, column, name):
    place = SourceLocation("kernel.mojo", line, column, "load ptr, ptr %0", function="kernel")
    values = {"access": "read", "address": 4096, "instead": "given"}
    told = Finding("out-of-bounds.pointer.host", "error", "k", (place,), size=8, values=values)

    *_, remedy = Renderer(lambda _: CLOSURE).block(told)
    assert (f"`{name}` is captured by reference" in remedy) == bool(name)
    assert ("copy it to a buffer of the device" in remedy) != bool(name)


@pytest.mark.parametrize(
    ("statement", "at", "name"),
    [
        (("    copy[", "        threads=9,", "    ](", "        b_shared.tensor(),", "    )"), 2, "b_shared"),
        (("    var part = b_shared.tile[4](0)", "    part[i] = 0"), 1, "b_shared"),
        (("    var value = b_shared.load[1](0)", "    total = sum(value)"), 1, "shared array 1"),
        (("    copy[", "    ](a_shared)", "    b_shared[i] = 0"), 1, "shared array 1"),
    ],
    ids=["further on in its statement", "by a part of it", "its value alone", "in the next statement"],
)
def test_a_shared_array_is_named_where_its_statement_names_it(statement, at, name):
    made = [f"    var {which}_shared = stack_allocation[address_space=AddressSpace.SHARED]()" for which in "ab"]
    lines = ["def kernel(a: Tensor):", *made, *statement]
    told = finding(len(made) + 2 + at, "shared array 1")

    (_, message, *_) = Renderer(lambda _: lines).block(told)
    assert f"comes from {name}:" in message


@pytest.mark.parametrize(
    ("line", "name"),
    [(6, "local"), (7, "local variable at ./kernel.mojo:7"), (11, "local variable at ./kernel.mojo:11")],
)
def test_a_local_array_has_the_name_that_its_line_gives_it(line, name):
    """Where the line makes none, or a shared one, its place is shown."""
    told = finding(10, f"local variable at kernel.mojo:{line}")
    (_, message, *_) = shown(told, named=lambda file: f"./{file}")

    assert f"comes from {name}" in message


@pytest.mark.parametrize(
    ("line", "column", "shown_column"),
    [
        ("    output[i] = a[i] + b[i]", 22, 11),
        ("    (output + i)[1] += a[i]", 24, 17),
        ("    output[(i + 1)] = a[i]", 24, 11),
        ("    if a[i] == b[i]: pass", 13, 13),
        ("    é[i] = a[i]", 13, 12),
    ],
)
def test_a_store_is_shown_at_what_it_stores_to(line, column, shown_column):
    """Compilers give a store the column of the last operator of its value; bytes of UTF-8 become characters."""
    site = SourceLocation("kernel.mojo", 1, column, "store i32 0, ptr %p")
    values = {"access": "store", "where": "global", "bytes": 4, "distance": 0, "size": 32}
    renderer = Renderer(lambda _: [line])

    (shown_site,) = renderer.with_names(Finding("out-of-bounds.after", "error", "k", (site,), values=values)).sites
    assert renderer.at(shown_site).column == shown_column


@pytest.mark.parametrize("lines", [(), ("def kernel():",)])
def test_a_local_array_of_a_line_that_is_not_there_is_named_by_its_place(lines):
    """A library has no source here, or another one than it was compiled from."""
    renderer = Renderer(lambda _: lines)

    assert (
        renderer.record(finding(10, "local variable at mma.mojo:101"))["variable"] == "local variable at mma.mojo:101"
    )


def test_lines_come_only_from_the_given_folders(tmp_path):
    """Whatever file the device code names; a link leads nowhere either."""
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.mojo").write_text("password\n")
    (tmp_path / "in" / "link.mojo").symlink_to(tmp_path / "secret.mojo")
    (tmp_path / "in" / "kernel.mojo").write_text("line\n")
    read = simt.render.Excerpts(tmp_path / "in", root=tmp_path / "in")

    for name in ("kernel.mojo", str(tmp_path / "in" / "kernel.mojo")):
        assert read(name)[0] == "line"
    (tmp_path / "in" / "keys.txt").write_text("password\n")
    for name in ("../secret.mojo", str(tmp_path / "secret.mojo"), "link.mojo", "keys.txt", "nowhere.mojo", "\0", "."):
        assert not read(name)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b]0;x\x07b", "a\\x1b]0;x\\x07b"),
        ("\r::error::no", "\\r::error::no"),
        ("one\n  ::error::no\n::x", "one\n  \\::error::no\n\\::x"),
        ("so ##[error]no", "so #\\#[error]no"),
        ("###[error]no", "##\\#[error]no"),
        ("a ##vso[task.complete result=Succeeded]", "a #\\#vso[task.complete result=Succeeded]"),
        ("##teamcity[buildStatus]", "#\\#teamcity[buildStatus]"),
        ("\u3000::error::no", "\u3000\\::error::no"),
        ("section_start:1:a\r\x1b[0Kb", "section_start:1:a\\r\\x1b[0Kb"),
        ("  ## a heading\n#[a]\n##\n[b]", "  ## a heading\n#[a]\n##\n[b]"),
        ("std::move and # ##", "std::move and # ##"),
        ("\u202eabc\ud800", "\\u202eabc\\ud800"),
        ("tab\tépée 한글 ✅", "tab\tépée 한글 ✅"),
    ],
)
def test_a_strangers_text_does_nothing(text, shown):
    """No escape sequence, no command of a CI service, no hidden character."""
    assert simt.plain.printable(text) == shown


@pytest.mark.parametrize(
    "text", ["##[error]no", "a ###vso[task.complete]", "x\t##Vso[task]", "# ##teamcity[a ##[b]", "\x07##[c]"]
)
def test_what_is_obeyed_anywhere_in_a_line_is_nowhere_left(text):
    """As Azure's agent and GitHub's runner look for it, and also where it is shown a second time."""
    once = simt.plain.printable(text)

    assert not re.search(r"##\w*\[", once) and simt.plain.printable(once) == once


@pytest.mark.parametrize(
    "text",
    ["\n" * 200_000, "\t" * 200_000, "\n " * 100_000 + "#", "#" * 200_000 + "a" * 200_000],
    ids=["lines", "tabs", "both", "signs"],
)
def test_blanks_of_a_stranger_are_read_once(text):
    """It took a minute of the processor where the end of them was looked for from each line on."""
    started = time.process_time()

    assert simt.plain.printable(text) == text
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("name", "shown"),
    [("\n", "\\n"), ("a\n::b\tc", "a\\n\\::b\\tc"), ("\u2028", "\\u2028"), ("풀이 1.mojo", "풀이 1.mojo")],
)
def test_a_strangers_name_stays_in_its_line(name, shown):
    assert simt.plain.one_line(name) == shown
