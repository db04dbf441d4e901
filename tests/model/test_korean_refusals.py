"""Whatever the harness refuses something with is said in Korean, by the template that fits it best."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from harness.model.sources import ROOT
from harness.simt.messages import words
from tests.korean import english
from tests.messages import fields
from tests.refusals import Module, Refusal, collect_refusals, read_refusals

# Refusals that stay English, by folder: no user of a command, a notebook or the interface meets them.
ENGLISH_ONLY = {
    "harness/learning/figures/": "for authors of lessons: figures are drawn when the pages are generated",
    "harness/simt/state/": "for callers of the simulator's own modules: no command makes tensor maps of its own",
}
# Names that Korean sentences keep; so are words with capitals beyond the first letter.
NAMES = {"atol", "block", "bubblewrap", "Classroom", "cluster", "cpu", "Dask", "exec", "grid", "llvmlite", "native"}
NAMES |= {"passwd", "puzzles", "Python", "rtol", "simulator"}
NAMES |= {"backend", "case", "kernel", "kernels", "target"}  # parameters of `harness.run` and `harness.launch`
_OTHER_TERMS = {"_FATES"}  # tables whose keys are no phrases
_TABLES = ROOT / "harness" / "model" / "messages"


def describe_gaps(refusals: Iterable[Refusal]) -> list[str]:
    """Return a line for each refusal that Korean says in English words, or without one of its values."""
    korean, gaps = words("ko"), {}
    for refusal in refusals:
        said = korean.phrase(f"error: {refusal.text}")
        left = [word for word in english(said, NAMES) if not re.search("[A-Z]", word[1:])]
        left += [f"without {sample}" for sample in refusal.samples if sample not in said]
        if left:
            gaps[refusal.text] = f"{refusal.place}: {refusal.text} -> {said} ({', '.join(left)})"
    return list(gaps.values())


def _is_english_only(refusal: Refusal) -> bool:
    return refusal.place.startswith(tuple(ENGLISH_ONLY))


@pytest.fixture(scope="module")
def refusals() -> list[Refusal]:
    return collect_refusals(ROOT / "harness")


def test_every_refusal_has_its_korean(refusals):
    assert len(refusals) > 400
    assert describe_gaps(refusal for refusal in refusals if not _is_english_only(refusal)) == []


@pytest.mark.parametrize("folder", ENGLISH_ONLY)
def test_an_exception_is_still_needed(refusals, folder):
    assert describe_gaps(refusal for refusal in refusals if refusal.place.startswith(folder))


def test_a_refusal_without_korean_is_found():
    source = """
def refuse(path, large):
    how = f"it has {path.size} bytes" if large else "it is a toy"
    raise UsageError(f"{path} is no theatre: {how}.")
def name(word): raise unknown_name("theatre", word, [])
def _deny(verb): return EnvironmentFault(f"cannot {verb} {word!r}.")
_deny("read"), _deny("paint")
"""
    found = list(read_refusals(Module(source), "a.py"))

    assert [(refusal.text, refusal.place) for refusal in found] == [
        ("q1 is no theatre: it has q2 bytes.", "a.py:4"),
        ("q1 is no theatre: it is a toy.", "a.py:4"),
        ("unknown theatre 'q1': known: q2.", "a.py:5"),
        ("cannot read 'q1'.", "a.py:6"),
        ("cannot paint 'q1'.", "a.py:6"),
    ]
    assert len(describe_gaps(found)) == len(found)
    assert describe_gaps([Refusal("unknown case 'q1': known: q2.", "a.py:1")]) == []


def _samples(template: str) -> dict[str, str]:
    """Return a sample for each field of a template."""
    return {name: f"q{number}" for number, name in enumerate(sorted(fields(template)))}


def test_no_template_is_hidden_by_a_more_general_one():
    """Each is used for the text that it was written for, by itself and as an error."""
    korean = words("ko")
    phrases = korean.terms["phrase"]
    hidden = []
    for template, translation in phrases.items():
        text, wanted = template.format(**_samples(template)), korean._fill(translation, _samples(template))
        if korean.phrase(text) != wanted:
            hidden.append(f"{template}: {korean.phrase(text)}")
        if template.startswith("error: ") or template.isidentifier():
            continue  # a single word within a sentence is a name
        if (said := korean.phrase(f"error: {text}")) != f"오류: {wanted}":
            hidden.append(f"error: {template}: {said}")

    assert hidden == []


def _table_keys() -> Iterator[tuple[str, str]]:
    """Yield (template with unnamed fields, file) for each key that is written in a Korean table of phrases."""
    phrases = words("ko").terms["phrase"]
    for file in sorted(_TABLES.glob("*_ko.py")):
        for statement in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) not in _OTHER_TERMS:
                keys = (key for node in ast.walk(statement.value) if isinstance(node, ast.Dict) for key in node.keys)
                for key in keys:
                    if isinstance(key, ast.Constant) and key.value in phrases and " " in key.value:
                        yield re.sub(r"\{\w+\}", "{}", key.value), file.name


def test_no_template_is_written_twice():
    """Not under other names of its fields either: one of the two would never be used."""
    keys = list(_table_keys())
    counts = Counter(key for key, _ in keys)

    assert len(keys) > 300
    assert [(key, file) for key, file in keys if counts[key] > 1] == []


def test_a_translation_names_only_fields_of_its_template():
    """Another one would end the command that was to say why it ends."""
    phrases = words("ko").terms["phrase"]

    assert [key for key, translation in phrases.items() if not fields(translation) <= fields(key)] == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("error: unknown element type 'f23': did you mean 'f32'?", "오류: 'f23'이라는 원소 타입은 없습니다."),
        ("error: 'host' is no scheduler: give tcp://127.0.0.1:8786, or tls://HOST:PORT.", "오류: 'host': 스케줄러의"),
        ("error: n of f is a number, but got str.", "오류: f 함수의 인자 n: 수가 필요하지만"),
        (
            "error: k.ll: kernel k takes 3 arguments, but got 2.",
            "오류: k.ll: 커널 k의 인자는 3개이지만 2개를 받았습니다.",
        ),
        ("error: runs.json, launch 2: 'grid' is missing.", "오류: runs.json, 2번째 커널 실행: 'grid' 키가 없습니다."),
        ("error: input of buffer is a number, but got str.", "오류: buffer 함수의 인자 input: 수가 필요하지만"),
        ("error: unknown buffer 'array': known: right.", "오류: 'array'라는 버퍼는 없습니다. 있는 것: right."),
        ("error: 3 more launches were not made, since this one did not end.", "오류: 이 커널 실행이 끝나지 않아"),
    ],
)
def test_a_sentence_keeps_its_own_template_within_another(text, wanted):
    assert words("ko").phrase(text).startswith(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "LLVM takes more than the limit to read it (cpu seconds).",
        "MAX cannot build here: its compiler was killed by SIGSEGV and printed nothing.",
        "the MAX engine ended with status 3: it printed nothing",
        "p15.py could not be run: it takes more time of the processor than its limit, 150.",
        "p15.py could not be read: its box was killed by SIGSEGV without an answer: it said nothing.",
        "--profile counts in the simulator: leave out --backend max.",
    ],
)
def test_a_reason_within_a_refusal_is_korean(text):
    assert english(words("ko").phrase(f"error: {text}"), ["SIGSEGV"]) == []


def test_many_lines_are_left_alone_at_once():
    """What a compiler printed is no phrase, however often a template could begin in it."""
    text = "\n".join(f"k.mojo:{line}:1: error: use of unknown declaration 'x'." for line in range(1, 2001))

    assert words("ko").phrase(text) == text
