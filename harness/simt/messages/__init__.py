"""Texts of findings by language: look up a message by id, fill its template; register texts of other packages.

A finding has an id and parameters, but no text. Each language has a table of texts by id (`en.py`, `ko.py`): the
simulator's own are here, a program that uses the simulator adds its own by `add_messages`. A template contains the
finding's parameters, `{argument}`, `{size}` and those of its `values`:

* `{ended:thread}` is a number with its noun, `1 thread` or `2 threads`; `{n:access/accesses}` gives an irregular
  plural;
* if a finding has an `element`, such as `[4, 0]`, the message `ID.element` is used if there is one: it names the
  element instead of bytes;
* a value that is a word, such as an access of kind `load`, is looked up under the parameter's name in the language's
  `TERMS`; their texts are templates, and their keys may be;
* consecutive numbers are shown as a range, `2-31`;
* a Korean particle has both forms, `{case}을/를`, if the word before it is not known; see `particles.py`.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any, Protocol

from harness.simt.messages import en
from harness.simt.messages.message import Message
from harness.simt.messages.particles import choose_particles
from harness.simt.messages.templates import best_match, translate_by_templates

__all__ = [
    "DEFAULTS",
    "LANGUAGES",
    "Message",
    "MessageSource",
    "Texts",
    "Words",
    "add_lazily",
    "add_messages",
    "message_ids",
    "read_tables",
    "register_tables",
    "words",
]


Terms = Mapping[str, Mapping[str, str]]  # by parameter and value
Texts = tuple[Mapping[str, Message], Terms]


class MessageSource(Protocol):
    """An id and parameters to make a text from, such as a `Finding`."""

    @property
    def id(self) -> str: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of one language.

    Attributes:
        messages: The messages by id.
        terms: The words by parameter and value.
    """

    messages: dict[str, Message] = field(default_factory=dict)
    terms: dict[str, dict[str, str]] = field(default_factory=dict)

    def title(self, source: MessageSource) -> str:
        """Return the heading, a few words."""
        return self._fill(self._message(source).title, source.parameters)

    def text(self, source: MessageSource) -> str:
        """Return a sentence that says what happened, without its full stop."""
        return self._fill(self._message(source).text, source.parameters)

    def remedy(self, source: MessageSource) -> str:
        """Return what to do about it; empty if the message has no remedy."""
        return self._fill(self._message(source).remedy, source.parameters)

    def items(self, source: MessageSource) -> tuple[str, ...]:
        """Return a line for each mapping in the source's parameter `items`; empty if the message has no `item` text.

        The values of an item take precedence over the source's parameters of the same name.
        """
        template = self._message(source).item
        items: Sequence[Mapping[str, Any]] = source.parameters.get("items", ()) if template else ()
        return tuple(self._fill(template, {**source.parameters, **item}) for item in items)

    def word(self, parameter: str, value: str, **parameters: Any) -> str:
        """Return the language's word for a parameter's value; the value itself if there is none."""
        return choose_particles(_Template(self.terms, parameters).translate(self.terms.get(parameter, {}), value))

    def phrase(self, text: str) -> str:
        """Return the translation of an English sentence; the sentence itself if there is none.

        The keys of the term `phrase` are templates such as `unknown {kind} {name}`. Of several that match the whole
        sentence, the most specific one counts; see `templates.py`. The texts that its names match are translated in the
        same way.
        """
        return translate_by_templates(self.terms.get("phrase", {}), text, self._fill)

    def _message(self, source: MessageSource) -> Message:
        if source.id not in self.messages:
            _load_all_tables()
        if "element" in source.parameters and (by_element := self.messages.get(f"{source.id}.element")):
            return by_element
        return self.messages.get(source.id) or words().messages[source.id]  # in English rather than not at all

    def _fill(self, template: str, parameters: Mapping[str, Any]) -> str:
        """Return a template filled with parameters, and with the particles that fit them."""
        return choose_particles(_Template(self.terms, parameters).format(template))


_PLAIN = str.maketrans("", "", "/ ")  # besides letters a noun may have a plural after `/`, or a word before it


# Parameters of remedies that a finding may lack: one that was stored, or one without a known cause.
DEFAULTS = {
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
    "gap": "apart",
    "opened": "",
    "exit": "none",
    "unwritten": "some",
    "ends": "none",
    "advice": "",
}


class _Template(string.Formatter):
    """Fills a template with parameters; the module's docstring says what a template may contain."""

    def __init__(self, terms: Terms, parameters: Mapping[str, Any]) -> None:
        self._terms, self._parameters = terms, parameters

    def get_value(self, key: int | str, _args: Sequence[Any], _keywords: Mapping[str, Any]) -> Any:
        """Return a parameter, or its entry of `DEFAULTS` if it is missing; KeyError if it has none.

        A string becomes the language's word for it. A value with an attribute `lane` becomes the label of a thread.
        """
        name = str(key)
        value: Any = self._parameters[name] if name in self._parameters or name not in DEFAULTS else DEFAULTS[name]
        if hasattr(value, "lane"):  # a thread
            block, thread = (",".join(map(str, place)) for place in (value.block, value.thread))
            labels = {"block": block, "thread": thread, "warp": value.warp, "number": value.lane}
            return _Template(self._terms, labels).format(self._terms["shown"]["lane"])
        return self.translate(self._terms.get(str(key), {}), value) if isinstance(value, str) else value

    def translate(self, table: Mapping[str, str], value: str) -> str:
        """Return the language's word for a value; the value itself if there is none.

        If the value is no key of the table, the most specific key that is a template and matches it counts; its fields
        fill the word.
        """
        if value in table:
            return self.format(table[value])
        if match := best_match((name for name in table if "{" in name), value):
            template, fields = match
            return _Template(self._terms, fields).format(table[template])
        return value

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return the text of a field: joins lists by commas, adds nouns to numbers, and leaves all else to Python.

        A format of at least two letters, such as `thread` or `access/accesses`, is a noun: it is plural unless the
        number is 1. Integers in a list are shown as ranges. A list that ends with "..." is shown as shortened.
        """
        if isinstance(value, tuple | list):
            if len(value) > 1 and value[-1] == "...":
                return self._terms["shown"]["shortened"].format(listed=", ".join(value[:-1]))
            return ", ".join(
                _format_ranges(value) if len(value) > 1 and set(map(type, value)) == {int} else map(str, value)
            )
        if len(format_spec) > 1 and format_spec.translate(_PLAIN).isalpha():
            singular, _, many = format_spec.partition("/")
            return f"{value} {singular if value == 1 else many or singular + 's'}"
        return str(super().format_field(value, format_spec))


def _format_ranges(numbers: Sequence[int]) -> list[str]:
    """Return the texts of ascending numbers: each run of three or more as a range, such as `2-31`, others singly."""
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
_pending_texts: dict[str, list[Callable[[], Texts]]] = {}
_pending_modules: list[str] = []  # modules with messages that have not been imported yet


def words(language: str = "en") -> Words:
    """Return the one `Words` object of a language, after adding the texts that `add_lazily` registered for it.

    For another language than English it first imports all modules named to `register_tables`; in English these may
    still be missing. KeyError if the language is none of `LANGUAGES`.
    """
    if language != "en":
        _load_all_tables()  # a missing term would be shown in English
    for texts in _pending_texts.pop(language, ()):
        messages, terms = texts()
        add_messages(messages, language, terms)
    return _LANGUAGES[language]


def message_ids() -> tuple[str, ...]:
    """Import all modules named to `register_tables`; return the ids of all English messages, as they were added."""
    _load_all_tables()
    return tuple(_LANGUAGES["en"].messages)


def register_tables(*modules: str) -> None:
    """Name modules that call `add_messages` when imported; they are imported when a message of theirs
    is first needed.
    """
    _pending_modules.extend(modules)


def _load_all_tables() -> None:
    while _pending_modules:
        import_module(_pending_modules.pop())


def add_lazily(language: str, texts: Callable[[], Texts]) -> None:
    """Register texts to be made or read when a language is first used.

    Args:
        language: One of `LANGUAGES`.
        texts: Returns (messages by id, terms by parameter and value).
    """
    _pending_texts.setdefault(language, []).append(texts)


def read_tables(module: str) -> Texts:
    """Import a module and return its (`MESSAGES`, `TERMS`); the terms are empty if it has none.

    AttributeError if it has no `MESSAGES`.
    """
    table = import_module(module)
    return table.MESSAGES, getattr(table, "TERMS", {})


def add_messages(messages: Mapping[str, Message], language: str = "en", terms: Terms | None = None) -> None:
    """Add messages, and terms, to a language; a term that exists already is replaced.

    Args:
        messages: The messages by id.
        language: One of `LANGUAGES`.
        terms: The words by parameter and value.

    Raises:
        ValueError: An id has a different message already; the terms and the messages before it have been added.
    """
    messages_of_language = _LANGUAGES[language].messages
    for parameter, texts in (terms or {}).items():
        _LANGUAGES[language].terms.setdefault(parameter, {}).update(texts)
    for name, message in messages.items():
        if messages_of_language.get(name, message) != message:
            raise ValueError(f"the message {name!r} has a text already")
        messages_of_language[name] = message


add_messages(en.MESSAGES, "en", en.TERMS)
add_lazily("ko", partial(read_tables, f"{__name__}.ko"))
