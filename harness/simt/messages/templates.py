"""Match texts with templates such as `unknown {kind} {name}`, the most specific first; translate texts and fields.

Several templates may match one text. The most specific one counts: not the first of the table, but the one that leaves
the least of the text to its fields.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

__all__ = ["best_match", "count_literals", "match_all", "translate_by_templates"]

_DEEPEST = 8  # fields within fields; a text of many lines could nest without end


def match_all(templates: Iterable[str], text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each template that matches the whole text, with the texts of its fields by name."""
    for template in templates:
        first, *middle, last = _literals(template)
        if not (text.startswith(first) and text.endswith(last) and all(literal in text for literal in middle)):
            continue  # a pattern takes long to compile
        if match := _pattern(template).fullmatch(text):
            yield template, match.groupdict()


def best_match(templates: Iterable[str], text: str) -> tuple[str, dict[str, str]] | None:
    """Return the matching template with the most characters of its own, and the texts of its fields.

    Returns:
        (template, texts by field), the first of the table among equals; None if no template matches.
    """
    return max(match_all(templates, text), key=lambda match: count_literals(match[0]), default=None)


def translate_by_templates(table: Mapping[str, str], text: str, fill: Callable[[str, Mapping[str, str]], str]) -> str:
    """Return the translation of a text and of what its fields hold; the text itself if no template matches.

    The template counts that covers most characters of the text, together with the templates that match its fields.

    If a text begins like a template with the field `sentence`, such as `error: {sentence}`, only templates that begin
    so can match it. Otherwise one that begins with a field would match, with `error: ` in that field. Templates with
    `sentence` match whole texts only: within a field, `error: ` is a compiler's.

    Args:
        table: The translations by template.
        text: The text in English.
        fill: Fills a translation with the texts of its fields.
    """
    heads, by_letter = _index(tuple(table))
    results: dict[tuple[str, int], tuple[int, str]] = {}

    def candidates(part: str, depth: int) -> Iterable[str]:
        """Return the templates that may match a part: the part alone if it is in the table.

        Within a field (`depth` above 0), an identifier has none, since it is a name.
        """
        if depth and part.isidentifier():
            return ()  # a name that somebody gave, though there is a phrase `right`
        if part in table:
            return (part,)
        similar = by_letter.get(part[:1], by_letter[""])
        if depth:
            return (template for template in similar if "{sentence}" not in template)
        head = next((head for head in heads if part.startswith(head)), "")
        return (template for template in similar if template.startswith(head))

    def cover(part: str, depth: int) -> tuple[int, str]:
        """Return (number of characters that templates cover, translation) of a part; (0, part) if none matches."""
        if (part, depth) not in results:
            best: tuple[int, int, str] = (0, 0, part)
            for template, fields in match_all(candidates(part, depth) if depth < _DEEPEST else (), part):
                covers = {name: cover(value, depth + 1) for name, value in fields.items()}
                literals = count_literals(template)
                covered = literals + sum(count for count, _ in covers.values())
                if (covered, literals) > best[:2]:
                    filled = fill(table[template], {name: translation for name, (_, translation) in covers.items()})
                    best = covered, literals, filled
            results[part, depth] = best[0], best[2]
        return results[part, depth]

    return cover(text, 0)[1]


@cache
def _index(templates: tuple[str, ...]) -> tuple[list[str], dict[str, list[str]]]:
    """Return (what stands before the field `sentence` of templates, templates by the letter they can begin with).

    Under the empty text are the templates that begin with a field, which are under each letter too.
    """
    heads = [template[: template.index("{")] for template in templates if "{sentence}" in template]
    letters = {template[0] for template in templates if template and template[0] != "{"}
    by_letter = {
        letter: [template for template in templates if template[:1] in (letter, "{")] for letter in (*letters, "")
    }
    return heads, by_letter


@cache
def count_literals(template: str) -> int:
    """Return the number of characters of a template outside its fields."""
    return sum(map(len, _literals(template)))


@cache
def _literals(template: str) -> tuple[str, ...]:
    """Return the texts before, between and after the fields of a template, which may be empty.

    A template without fields gives two: itself and an empty text.
    """
    parts = list(string.Formatter().parse(template)) or [("", None, None, None)]
    texts = [literal for literal, _, _, _ in parts]
    return tuple(texts) if parts[-1][1] is None and len(texts) > 1 else (*texts, "")


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """Return a pattern, for `fullmatch`, of a template with any texts in its fields, which are named groups.

    An empty text does not match a field.
    """
    patterns = (
        re.escape(literal) + (f"(?P<{name}>.+?)" if name else "")
        for literal, name, _, _ in string.Formatter().parse(template)
    )
    return re.compile("".join(patterns), re.DOTALL)
