"""What is told to people, apart from where it is found.

A finding has an id and parameters, never a text. The texts lie in a table for each
language (`en.py`, `ko.py`), keyed by id: the simulator's own here, those of a program that uses
it through `add`. A template names the finding's parameters, `{argument}`, `{size}` and
those of its `values`:

* `{ended:thread}` is a number with its noun, `1 thread` or `2 threads`; `{n:access/accesses}`
  where the plural is not made with an s;
* where a finding has an `element`, `[4, 0]`, the message `ID.element` says it instead of bytes, if there is one;
* a value that is a word, such as an access of kind `load`, is looked up under the
  parameter's name in the language's `TERMS`, whose texts are templates too, and whose names may be;
* of numbers that follow one another the ends are shown, `2-31`;
* of a Korean particle both forms, `{case}을/를`, where what stands before it is not known; see `particles.py`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from typing import Any, Protocol

from harness.simt.messages import en
from harness.simt.messages.message import Message
from harness.simt.messages.particles import fitted

__all__ = ["LANGUAGES", "UNSAID", "Message", "Texts", "Told", "Words", "add", "ids", "later", "read", "tables", "words"]


Terms = Mapping[str, Mapping[str, str]]  # by parameter and value
Texts = tuple[Mapping[str, Message], Terms]


class Told(Protocol):
    """What a text is made from; a `Finding` is one."""

    @property
    def id(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language.

    Attributes:
        messages: By id.
        terms: By parameter and value.
    """

    messages: dict[str, Message] = field(default_factory=dict)
    terms: dict[str, dict[str, str]] = field(default_factory=dict)

    def title(self, told: Told) -> str:
        """A few words: the heading."""
        return self._filled(self._message(told).title, told.parameters)

    def text(self, told: Told) -> str:
        """What happened, in one sentence without its full stop."""
        return self._filled(self._message(told).text, told.parameters)

    def remedy(self, told: Told) -> str:
        """What to do about it, or an empty string."""
        return self._filled(self._message(told).remedy, told.parameters)

    def items(self, told: Told) -> tuple[str, ...]:
        """A line for each of the finding's `items`, if its message has such lines."""
        template = self._message(told).item
        rows: Sequence[Mapping[str, Any]] = told.parameters.get("items", ()) if template else ()
        return tuple(self._filled(template, {**told.parameters, **row}) for row in rows)

    def word(self, parameter: str, value: str, **parameters: Any) -> str:
        """The language's word for a parameter's value, or the value itself where there is none."""
        return fitted(_Template(self.terms, parameters).own(self.terms.get(parameter, {}), value))

    def phrase(self, text: str) -> str:
        """The language's form of an English sentence, or the sentence itself where there is none.

        The keys of the term `phrase` are templates such as `unknown {kind} {name}`; what a name stands for is a
        phrase too.
        """
        for template, own in self.terms.get("phrase", {}).items():
            if match := _pattern(template).fullmatch(text):
                held = {name: self.phrase(value) for name, value in match.groupdict().items()}
                return self._filled(own, held)
        return text

    def _message(self, told: Told) -> Message:
        if told.id not in self.messages:
            _complete()
        if "element" in told.parameters and (own := self.messages.get(f"{told.id}.element")):
            return own
        return self.messages.get(told.id) or words().messages[told.id]  # in English rather than not at all

    def _filled(self, template: str, parameters: Mapping[str, Any]) -> str:
        return fitted(_Template(self.terms, parameters).format(template))


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """What matches a template filled with anything."""
    parts = (
        re.escape(literal) + (f"(?P<{name}>.+?)" if name else "")
        for literal, name, _, _ in string.Formatter().parse(template)
    )
    return re.compile("".join(parts), re.DOTALL)


_PLAIN = str.maketrans("", "", "/ ")  # what a noun may have beside letters: its plural, or a word before it


# What remedies are made from where a finding does not say it: one that was stored, or made without a cause.
UNSAID = {
    "fix": "outside",
    "write": "shared",
    "cell": "",
    "writers": "several",
    "volatile": "block",
    "awaited": "other",
    "again": "loop",
    "way": "branch",
    "around": "loop",
    "lies": "",
    "room": "longer",
    "opened": "",
    "advice": "",
}


class _Template(string.Formatter):
    """Fills one template; see the module's docstring for what it may hold."""

    def __init__(self, terms: Terms, parameters: Mapping[str, Any]) -> None:
        self._terms, self._parameters = terms, parameters

    def get_value(self, key: int | str, _args: Sequence[Any], _keywords: Mapping[str, Any]) -> Any:
        """A parameter, or the language's word for it."""
        name = str(key)
        value: Any = self._parameters[name] if name in self._parameters or name not in UNSAID else UNSAID[name]
        if hasattr(value, "lane"):  # a thread
            block, thread = (",".join(map(str, place)) for place in (value.block, value.thread))
            own = {"block": block, "thread": thread, "warp": value.warp, "number": value.lane}
            return _Template(self._terms, own).format(self._terms["shown"]["lane"])
        return self.own(self._terms.get(str(key), {}), value) if isinstance(value, str) else value

    def own(self, table: Mapping[str, str], value: str) -> str:
        """The language's word for a value, which may be a template's, or the value itself."""
        if value in table:
            return self.format(table[value])
        for template in (name for name in table if "{" in name):
            if match := _pattern(template).fullmatch(value):
                return _Template(self._terms, match.groupdict()).format(table[template])
        return value

    def format_field(self, value: Any, format_spec: str) -> str:
        """Numbers with nouns and lists; all else as Python has it."""
        if isinstance(value, tuple | list):
            return ", ".join(
                _in_ranges(value) if len(value) > 1 and set(map(type, value)) == {int} else map(str, value)
            )
        if len(format_spec) > 1 and format_spec.translate(_PLAIN).isalpha():
            singular, _, many = format_spec.partition("/")
            return f"{value} {singular if value == 1 else many or singular + 's'}"
        return str(super().format_field(value, format_spec))


def _in_ranges(numbers: Sequence[int]) -> list[str]:
    """Return ascending numbers with each run of three or more as its ends, such as `0`, `2-31`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run) for run in runs)
    return [part for ends in texts for part in ends]


_LANGUAGES = {name: Words() for name in ("en", "ko")}
LANGUAGES = tuple(_LANGUAGES)  # English first
_later: dict[str, list[Callable[[], Texts]]] = {}
_unread: list[str] = []  # modules with messages that nobody has needed yet


def words(language: str = "en") -> Words:
    """The texts of a language."""
    if language != "en":
        _complete()  # a term that is missing would be told in English
    for texts in _later.pop(language, ()):
        messages, terms = texts()
        add(messages, language, terms)
    return _LANGUAGES[language]


def ids() -> tuple[str, ...]:
    """Those of all messages."""
    _complete()
    return tuple(_LANGUAGES["en"].messages)


def tables(*modules: str) -> None:
    """Names the modules with all other messages: they call `add` as they are imported, when one of them is needed."""
    _unread.extend(modules)


def _complete() -> None:
    while _unread:
        import_module(_unread.pop())


def later(language: str, texts: Callable[[], Texts]) -> None:
    """Adds what is made, or read, when the language is first spoken: most who come by speak another one.

    Args:
        language: One of `LANGUAGES`.
        texts: Gives messages by id, and terms by parameter and value.
    """
    _later.setdefault(language, []).append(texts)


def read(module: str) -> Texts:
    """The `MESSAGES` of a module that is imported for them, and its `TERMS` if it has some."""
    table = import_module(module)
    return table.MESSAGES, getattr(table, "TERMS", {})


def add(messages: Mapping[str, Message], language: str = "en", terms: Terms | None = None) -> None:
    """Adds the messages of a program that uses the simulator.

    Args:
        messages: By id.
        language: One of `LANGUAGES`.
        terms: By parameter and value.

    Raises:
        ValueError: An id has a text already.
    """
    known = _LANGUAGES[language].messages
    for parameter, texts in (terms or {}).items():
        _LANGUAGES[language].terms.setdefault(parameter, {}).update(texts)
    for name, message in messages.items():
        if known.get(name, message) != message:
            raise ValueError(f"the message {name!r} has a text already")
        known[name] = message


add(en.MESSAGES, "en", en.TERMS)
later("ko", partial(read, f"{__name__}.ko"))
