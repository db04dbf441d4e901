"""Set apart a program's findings that a source comment or a SARIF baseline accepts; list stale acceptances.

    cache[i] = x  # puzzles: accept race.shared.write-write: all lanes write the same
    # puzzles: accept out-of-bounds.after on amd: the driver pads this buffer
    output[i + 1] = x

A comment on a line of its own is for the line of code below it. A finding without a location is accepted where its
kernel begins. A baseline is what `exec --sarif` wrote. Only findings of whole programs can be accepted: the judging of
puzzles reads neither. Information can be accepted where it makes a program fail, with `--fail-on information`.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.errors import UsageError, unknown_name
from harness.model.named import display_name
from harness.model.plain_file import read_plain_file
from harness.model.sources import ROOT, SUFFIXES
from harness.model.target import VENDORS
from harness.model.verdict import Verdict
from harness.programs.result import Accepted, Execution
from harness.programs.sources import compute_digests
from harness.report.lines import find_kernel_line
from harness.report.programs import renderer
from harness.report.told import of_programs
from harness.simt.findings import Finding
from harness.simt.messages import message_ids

__all__ = ["Acceptances", "FilteredRun", "list_stale"]

_COMMENT = re.compile(r"^(?P<code>.*?)#\s*puzzles:\s*accept\b(?P<what>.*)$")
_WHAT = re.compile(r"\s+(?P<id>[\w.-]+)(?:\s+on\s+(?P<vendors>\w+(?:\s+\w+)*))?\s*:\s+(?P<reason>\S.*)")
_FORM = "an acceptance is written `# puzzles: accept ID: REASON`, or `ID on nvidia amd: REASON`"
_MOST_BYTES = 256 << 20  # of a baseline
_Key = tuple[str, str]  # a result's fingerprint and its file


@dataclass(frozen=True, slots=True)
class _Comment:
    """An acceptance in a source: `line`, from 1, is that of the code."""

    file: Path
    line: int
    id: str
    vendors: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        place = f"{display_name(str(self.file))}:{self.line}"
        return f"{place}: {self.id} is accepted here, and was not found: remove the comment"


@dataclass(frozen=True, slots=True)
class FilteredRun:
    """A program's run without its accepted findings.

    Attributes:
        execution: Its findings are those that nobody accepted.
        occurred: The acceptances that were needed, each a sentence for when it no longer is.
        absent: Those that were not, if the program was run whole and in the simulator; else empty.
    """

    execution: Execution
    occurred: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()


def list_stale(judged: Iterable[FilteredRun]) -> list[str]:
    """Return an English sentence for each acceptance that no run needed, sorted; it says where and how to remove it.

    A baseline's entry was needed if a run had at least as many such findings as it accepts. Only runs in the simulator
    that end with `PASS` or `FINDING` can show that an acceptance is not needed.
    """
    runs = list(judged)
    occurred = {sentence for run in runs for sentence in run.occurred}
    return sorted({sentence for run in runs for sentence in run.absent} - occurred)


class Acceptances:
    """The accepted findings of programs, from comments in their sources and from baselines.

    Args:
        baselines: Files that `exec --sarif` wrote.

    Raises:
        UsageError: One cannot be read, or is something else.

    Attributes:
        absent_programs: What baselines hold of programs that are no longer there, a sentence each.
    """

    def __init__(self, baselines: Sequence[Path] = ()) -> None:
        # By program and target, and there by result, how often it is accepted, and what to say when it is not needed.
        self._baseline_counts: dict[tuple[Path, str], dict[_Key, tuple[int, str]]] = defaultdict(dict)
        self._worse: set[_Key] = set()  # of these those that are worse than information
        for file in baselines:
            try:
                self._add_baseline(file, json.loads(read_plain_file(file.resolve(), _MOST_BYTES) or b""))
            except OSError as error:
                raise UsageError(f"cannot read the baseline in {file}: {error.strerror}.") from None
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                raise UsageError(f"{file} is no baseline: `puzzles exec ... --sarif {file}` writes one.") from None
        programs = dict.fromkeys(program for program, _ in self._baseline_counts)
        absent_names = [display_name(str(program)) for program in programs if not program.is_file()]
        self.absent_programs = [
            f"{program} is in the baseline, and is not there: write the baseline again" for program in absent_names
        ]

    def _add_baseline(self, file: Path, log: Any) -> None:
        """Merge a baseline's results, in parsed SARIF, into the accepted counts, by program and target.

        Counts are not summed: the largest one of a set of arguments, in any baseline, stays. Results that a comment
        suppresses are skipped. Those worse than information are noted in `_worse`. A log of another form raises a
        `LookupError`, `TypeError` or `AttributeError`.

        Args:
            file: Named in the sentences about unneeded results; it is not read.
        """
        counts: Counter[tuple[Path, str, str, _Key]] = Counter()
        for result in (result for run in log["runs"] for result in run["results"]):
            by_comment = any(why["kind"] == "inSource" for why in result.get("suppressions", ()))
            if by_comment:
                continue
            facts, key = result["properties"], _key_of_result(result)
            if result["level"] != "note":
                self._worse.add(key)
            program = Path(os.path.abspath(facts["program"]))
            counts[program, facts["target"], facts["arguments"], key] += 1
            before, _ = self._baseline_counts[program, facts["target"]].get(key, (0, ""))
            most = max(before, counts[program, facts["target"], facts["arguments"], key])
            location, rule = _format_location(result, program), result["ruleId"]
            # It does not say how often it was found: runs are compared by their sentences.
            less_often = f"{rule} is {most} times in {file}, and was found less often"
            why = less_often if most > 1 else f"{rule} is in {file}, and was not found"
            sentence = f"{location}: {why}: write it again"
            self._baseline_counts[program, facts["target"]][key] = most, sentence

    def check(self, files: Iterable[Path], includes: Sequence[Path] = ()) -> None:
        """Check the acceptances in the comments of programs and the files that they import; keep nothing.

        Raises:
            UsageError: A comment is none that accepts something.
        """
        for file in files:
            list(_read_comments(file, includes))

    def judged(self, execution: Execution, includes: Sequence[Path] = ()) -> FilteredRun:
        """Return a program's run with its accepted findings moved from `findings` to `accepted`; reads its sources.

        A comment accepts any number of findings of its id at its line, or without a place, at the line where the
        kernel begins. A baseline accepts, in each run, as many equal findings as it holds. Findings of severity
        `information` are accepted only if the program fails on information; else they stay in `findings`. The result
        also lists which acceptances the run needed, and which it did not.

        Args:
            includes: Folders where imports are looked for; comments in imported files count too.

        Raises:
            UsageError: A comment begins like an acceptance, but has a wrong form, finding or vendor.
        """
        vendor = execution.target.vendor
        comments = [each for each in _read_comments(execution.file, includes) if vendor in each.vendors]
        lenient = execution.fail_on != "information"  # information fails nothing, and nobody need accept it
        whole_baseline = self._baseline_counts.get((Path(os.path.abspath(execution.file)), execution.target.name), {})
        baseline = {key: value for key, value in whole_baseline.items() if key in self._worse or not lenient}
        if not comments and not baseline:
            return FilteredRun(execution)
        from harness.report import sarif  # late: most accept nothing

        show = renderer([execution])
        reported = [each for each in of_programs([execution]) if each.finding in execution.findings]
        remaining, seen = Counter({key: count for key, (count, _) in baseline.items()}), Counter[_Key]()
        occurred: set[str] = set()
        rest: list[Finding] = []
        accepted: list[Accepted] = []
        for each, result in zip(reported, sarif.results(reported, show, root=Path.cwd()), strict=True):
            finding, key = each.finding, _key_of_result(result)
            places = [(site.file, site.line) for site in finding.sites if site.known] or [find_kernel_line(each, show)]
            locations = {((ROOT / file).resolve(), line) for file, line in places}
            comment = next(
                (
                    candidate
                    for candidate in comments
                    if candidate.id == finding.id and (candidate.file, candidate.line) in locations
                ),
                None,
            )
            seen[key] += 1
            is_lenient = lenient and finding.severity == "information"
            if is_lenient or not comment:  # what a comment accepts is not in the baseline
                remaining[key] -= 1
            if is_lenient:
                rest.append(finding)
            elif comment:
                accepted.append(Accepted(finding, comment.reason, "inSource"))
                occurred.add(str(comment))
            elif remaining[key] >= 0:
                accepted.append(Accepted(finding, "", "external"))
            else:
                rest.append(finding)
        occurred |= {sentence for key, (count, sentence) in baseline.items() if seen[key] >= count}
        every = {str(comment) for comment in comments} | {sentence for _, sentence in baseline.values()}
        judged = replace(execution, findings=tuple(rest), accepted=tuple(accepted))
        is_complete = execution.backend == "simulator" and judged.verdict in (Verdict.PASS, Verdict.FINDING)
        return FilteredRun(judged, frozenset(occurred), frozenset(every - occurred if is_complete else ()))


def _read_comments(program: Path, includes: Sequence[Path]) -> Iterator[_Comment]:
    """Yield the acceptances in the comments of a program's files.

    Raises:
        UsageError: A comment is none that accepts something.
    """
    for name in compute_digests(program, includes):
        file = Path(name)
        if file.suffix not in SUFFIXES:
            continue
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
        for at, line in enumerate(lines, 1):
            if match := _COMMENT.match(line):
                yield _parse_comment(file, at, match, lines)


def _parse_comment(file: Path, at: int, match: re.Match[str], lines: Sequence[str]) -> _Comment:
    """Return the acceptance in the comment on line `at` (from 1); UsageError for a wrong form, finding or vendor.

    Its `line` is `at` if code stands before the comment. Otherwise it is the next line that is neither empty nor a
    comment; `at` if there is none.

    Args:
        match: Of `_COMMENT`, on that line.
    """
    what = _WHAT.fullmatch(match["what"].rstrip())
    location = f"{display_name(str(file))}:{at}"
    if what is None:
        raise UsageError(f"{location}: {_FORM}.")
    if what["id"] not in message_ids():
        raise UsageError(f"{location}: {unknown_name('finding', what['id'], message_ids())}")
    vendors = tuple(what["vendors"].split()) if what["vendors"] else VENDORS
    for vendor in vendors:
        if vendor not in VENDORS:
            raise UsageError(f"{location}: {unknown_name('vendor', vendor, VENDORS)}")
    if not match["code"].strip():
        code = (number for number, line in enumerate(lines[at:], at + 1) if line.strip()[:1] not in ("", "#"))
        at = next(code, at)
    return _Comment(file.resolve(), at, what["id"], vendors, what["reason"])


def _key_of_result(result: Mapping[str, Any]) -> _Key:
    (first, *_) = result.get("locations") or [{"physicalLocation": {"artifactLocation": {"uri": ""}}}]
    return result["partialFingerprints"]["finding/v1"], first["physicalLocation"]["artifactLocation"]["uri"]


def _format_location(result: Mapping[str, Any], program: Path) -> str:
    (first, *_) = result.get("locations") or [{}]
    line = first.get("physicalLocation", {}).get("region", {}).get("startLine")
    uri: str = _key_of_result(result)[1] or display_name(str(program))
    return f"{uri}:{line}" if line else uri
