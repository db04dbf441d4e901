"""Render HTML: the class's page (filters, concerns, summary, table, findings), each person's (see `person_page`).

A page needs no network. It contains strangers' text, so everything is escaped, and its content policy forbids every
script but its own.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path

from harness.grading import person_page
from harness.grading.concerns import TITLED, TITLES, concerns
from harness.grading.result import GradedMode, Grading, PersonResult
from harness.grading.scheme import format_points
from harness.grading.work import WIDEST, is_graded, is_right
from harness.model.verdict import Verdict
from harness.simt.plain import one_line

__all__ = ["as_page", "as_person", "failure_page", "place_of"]

_FOLDER = Path(__file__).parent
_SIGNS = {"good": "✓", "bad": "✗", "none": "–", "blank": ""}  # never colour alone
_COUNTED = re.compile(r" \[[^]]*\]$")  # how often one file had it
_TYPICAL = 3  # findings of a mode that the summary names


def as_page(grading: Grading) -> bytes:
    """Return the page of a whole grading."""
    return _document(f"Grading of {len(grading.people)} submissions", _body(grading))


def place_of(number: int) -> str:
    """Return the path of a person's page, relative to the whole page, from their position, starting at 1."""
    return f"people/{number}.html"


def as_person(grading: Grading, person: PersonResult) -> bytes:
    """Return a person's page, with each verdict next to the source."""
    return _page_of(person, person_page.body(person, grading.settings.language))


def failure_page(person: PersonResult, error: Exception) -> bytes:
    """Return a page that says that a person's page could not be made, with the error as one line of at most `WIDEST`
    characters.
    """
    why = one_line(f"{type(error).__name__}: {error}")[:WIDEST]
    return _page_of(person, [f"<p>The files are not shown, for a fault of the harness ({escape(why)}).</p>"])


def _page_of(person: PersonResult, body: Iterable[str]) -> bytes:
    head = [
        '<p><a href="../index.html">All submissions</a></p>',
        f"<h1>{escape(person.person)}: {format_points(person.points)} / {format_points(person.most)}</h1>",
    ]
    return _document(person.person, [*head, *body], bare=True)


def _document(title: str, body: Iterable[str], bare: bool = False) -> bytes:
    style, script = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    scripted = "" if bare else f"<script>{script}</script>\n"
    policy = f"default-src 'none'; style-src '{_hash(style)}'" + ("" if bare else f"; script-src '{_hash(script)}'")
    page = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
{chr(10).join(body)}
</main>
{scripted}</body>
</html>
"""
    return page.encode("utf-8", "xmlcharrefreplace")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _body(grading: Grading) -> Iterator[str]:
    people = grading.people
    yield f"<h1>Grading of {len(people)} submissions</h1>"
    if not grading.complete:
        ungraded = sum(not person.graded for person in people)
        yield f"<p><strong>{ungraded} of them are not graded in full: run the same command again.</strong></p>"
    yield "<dl>"
    for name, value in (
        ("compiled for", grading.settings.target),
        ("run by", grading.settings.backend),
        ("seed of the fresh data", ", of later files ".join(map(str, grading.seeds))),
        ("sandbox", grading.sandbox),
        *((name.replace("_", " ").replace("mib", "MiB"), f"{value:g}") for name, value in grading.figures.items()),
    ):
        yield f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
    yield "</dl>"
    yield from _concerns(grading)
    yield from _filters(people)
    yield from _table(grading)
    yield from _summary(people)
    if grading.alike:
        yield "<h2>Alike</h2>"
        yield "<p>These files differ in comments and blank lines at most. That says nothing of who wrote them.</p><ol>"
        for group in grading.alike:
            ours = " <strong>as our solution</strong>" if group.solution else ""
            yield f"<li>{escape(group.puzzle)}{ours}: {escape(', '.join(group.people))}</li>"
        yield "</ol>"


def _concerns(grading: Grading) -> Iterator[str]:
    """Yield a list of who hung, came to a limit or shows signs of cheating, with links; nothing if nobody did."""
    places = {person.person: place_of(at) for at, person in enumerate(grading.people, start=1)}
    if by_concern := concerns(grading):
        yield '<h2>At a glance</h2><ul class="concerns">'
        for concern, by_person in by_concern.items():
            people = (
                f'<a href="{places[name]}">{escape(name)}</a> ({escape(", ".join(cases))})'
                for name, cases in by_person.items()
            )
            yield f"<li>{escape(TITLES[concern])}: {', '.join(people)}</li>"
        yield "</ul>"


def _filters(people: tuple[PersonResult, ...]) -> Iterator[str]:
    have = Counter(verdict for person in people for verdict in {mode.result.verdict for mode in person.modes})
    verdicts = "".join(
        f'<option value="{escape(verdict)}">{escape(verdict)} ({count})</option>'
        for verdict, count in sorted(have.items())
    )
    modes = "".join(f'<option value="{at}">{escape(case)}</option>' for at, case in enumerate(_cases(people)))
    yield '<form hidden aria-label="Filters">'
    yield '<label>Person <input name="person" type="search"></label>'
    yield f'<label>Verdict <select name="verdict"><option value="">any</option>{verdicts}</select></label>'
    yield f'<label>of <select name="mode"><option value="">any mode</option>{modes}</select></label>'
    yield '<label>Order <select name="order"><option value="name">as handed in</option>'
    yield '<option value="most">most points first</option>'
    yield '<option value="least">least points first</option></select></label>'
    yield '<output id="shown" aria-live="polite"></output></form>'


def _cases(people: tuple[PersonResult, ...]) -> list[str]:
    return [mode.result.case for mode in people[0].modes] if people else []


def _table(grading: Grading) -> Iterator[str]:
    """Yield a table in HTML, with two rows for each person: points and verdicts, and the findings, which a click on the
    name opens.
    """
    people, cases = grading.people, _cases(grading.people)
    groups: dict[tuple[str, str], str] = {}
    for at, group in enumerate(grading.alike, start=1):
        others = [f"{len(group.people) - 1} more"] if len(group.people) > 1 else []
        note = f"alike with {' and '.join([*['our solution'] * group.solution, *others])}: group {at} below"
        groups |= {(person, group.puzzle): note for person in group.people}
    yield '<div class="wide"><table>'
    yield "<caption>✓ right, ✗ wrong, – not graded, blank: not tried; * is a note of the file. "
    yield "A name opens what was found, with a page that shows the files beside it.</caption>"
    puzzles = Counter(case.partition(":")[0] for case in cases)
    groups_of = "".join(
        f'<th scope="colgroup" colspan="{count}">{escape(puzzle)}</th>'
        if count > 1
        else f'<th scope="col" rowspan="2" class="single">{escape(puzzle)}</th>'  # said once
        for puzzle, count in puzzles.items()
    )
    several = [case for case in cases if puzzles[case.partition(":")[0]] > 1]
    heads = "".join(f'<th scope="col">{escape(case.partition(":")[2] or case)}</th>' for case in several)
    yield f'<thead><tr><td colspan="2"></td>{groups_of}</tr>'
    yield f'<tr class="modes"><th scope="col">Person</th><th scope="col">Points</th>{heads}</tr></thead>'
    for number_of, person in enumerate(people):
        verdicts = escape(" ".join(mode.result.verdict for mode in person.modes))
        name, points = escape(person.person), format_points(person.points)
        yield f'<tbody data-person="{name}" data-verdicts="{verdicts}" data-points="{points}"><tr>'
        yield f'<th scope="row"><button aria-expanded="true" aria-controls="found{number_of}" title="{name}">'
        yield f'<span class="name">{name}</span></button></th>'
        yield f'<td class="points">{points} / {format_points(person.most)}</td>'
        for mode in person.modes:
            kind = _kind(mode)
            noted = mode.result.notes or (person.person, mode.result.case.partition(":")[0]) in groups
            note = f' title="{escape(mode.result.case)}: {escape(mode.result.verdict)}"' if kind != "blank" else ""
            yield f'<td class="{kind}"{note}>{_SIGNS[kind]}{"*" if noted else ""}</td>'
        yield f'</tr><tr id="found{number_of}" class="found"><td colspan="{len(cases) + 2}"><div>'
        yield f'<p><a href="{place_of(number_of + 1)}">{name}, beside the files</a></p>'
        yield f"{_findings_of(person, groups, grading.settings.language)}</div></td></tr></tbody>"
    yield "</table></div>"


def _summary(people: tuple[PersonResult, ...]) -> Iterator[str]:
    """Yield a table in HTML, with a row for each mode that somebody tried: how many tried and solved it, and its three
    most frequent findings.
    """
    yield '<h2>The class</h2><div class="wide"><table class="class">'
    yield "<caption>Each mode that somebody tried.</caption><thead><tr>"
    yield "".join(f'<th scope="col">{head}</th>' for head in ("Mode", "Tried", "Solved", "Found most, by how many"))
    yield "</tr></thead><tbody>"
    for at, case in enumerate(_cases(people)):
        modes = [person.modes[at] for person in people if _kind(person.modes[at]) != "blank"]
        if not modes:
            continue
        most_found = Counter(name for mode in modes for name in _names(mode)).most_common(_TYPICAL)
        typical = "; ".join(f"{escape(name)}: {count}" for name, count in most_found)
        solved = sum(_kind(mode) == "good" for mode in modes)
        yield f'<tr><th scope="row">{escape(case)}</th><td>{len(modes)}</td><td>{solved}</td><td>{typical}</td></tr>'
    yield "</tbody></table></div>"


def _names(mode: GradedMode) -> set[str]:
    """Return the titles of a wrong mode's findings, without their counts, or its verdict if there are none; empty for a
    right mode.
    """
    if _kind(mode) == "good":
        return set()
    matches = (TITLED.match(line) for line in mode.result.lines)
    return {_COUNTED.sub("", match["title"]) for match in matches if match} or {str(mode.result.verdict)}


def _kind(mode: GradedMode) -> str:
    verdict = mode.result.verdict
    if is_right(verdict):
        return "good"
    if verdict == Verdict.NOT_ATTEMPTED:
        return "blank"
    return "bad" if is_graded(verdict) else "none"


def _findings_of(person: PersonResult, groups: Mapping[tuple[str, str], str], language: str) -> str:
    """Return HTML with the lines of each mode that a person tried or has a file for, and with the note on similar files
    that `groups` has by person and puzzle.
    """
    sections = []
    for mode in filter(person_page.tried, person.modes):
        lines = mode.result.lines or (f"{mode.result.case}: {mode.result.verdict}",)
        file = f" ({escape(mode.file)})" if mode.file else ""
        if similar := groups.get((person.person, mode.result.case.partition(":")[0])):
            file += f", {similar}"
        text = escape("\n".join(lines))
        sections.append(f'<h2>{escape(mode.result.case)}{file}</h2><pre lang="{escape(language)}">{text}</pre>')
    return "".join(sections)
