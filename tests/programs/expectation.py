"""What a program of `tests/programs/programs` must come to, as its comments say.

    # status: 1                 its exit status, or minus a signal's number; 0 unless told
    # amd status: 1             the same, on one vendor's target
    # arguments: --pair-swap    what it is given; several such lines are several runs, each with what follows
    # defines: ASSERT=all       what it is compiled with
    # targets: nvidia amd       where it runs; on all three vendors' default targets unless told
    # natively: it races        why it may come to something else on a GPU
    # > 1.0 2.0                 a line of its stdout; {file} stands for the program's path
    # amd> 1.0 2.0              a line of its stdout on one vendor's target
    x = y  # finding: error missing-wait.read
                                a finding at this line; on a line of its own one that has no place
    x = y  # amd finding: ...   the same, on one vendor's target; several with commas between

Every error and every warning must be named; information need not be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["RUNS", "VENDORS", "Expectation", "Finding", "read"]

VENDORS = ("nvidia", "amd", "apple")
_LINE = re.compile(r"^# (?:(?P<vendor>nvidia|amd|apple))?>(?: (?P<text>.*))?$")
_SETTING = re.compile(r"^# (?P<name>status|arguments|defines|targets|natively): (?P<value>.*)$")
_STATUS = re.compile(r"^# (?P<vendor>nvidia|amd|apple) status: (?P<value>.*)$")
_FINDING = re.compile(
    r"^(?P<code>.*?)# (?:(?P<vendor>nvidia|amd|apple) )?finding: (?P<all>(?:error|warning) [\w.-]+(?:, \w+ [\w.-]+)*)$"
)

Finding = tuple[str, str, int]  # severity, id, line (0: no place)


@dataclass(slots=True)
class Expectation:
    """One run of a program on one vendor's target.

    Attributes:
        output: All that goes to stdout.
        findings: Errors and warnings.
        natively: Why it may come to something else on a GPU; empty where it may not.
    """

    file: Path
    vendor: str
    arguments: list[str] = field(default_factory=list)
    defines: dict[str, str] = field(default_factory=dict)
    status: int = 0
    output: str = ""
    findings: set[Finding] = field(default_factory=set)
    natively: str = ""

    def __str__(self) -> str:
        return "-".join([self.file.stem, *(word.lstrip("-") for word in self.arguments), self.vendor])


def read(file: Path) -> Iterator[Expectation]:
    """Every run that the file's comments ask for."""
    lines = file.read_text(encoding="utf-8").splitlines()
    targets = next(
        (match["value"].split() for match in map(_SETTING.match, lines) if match and match["name"] == "targets"),
        VENDORS,
    )
    for vendor in targets:
        yield from _of_vendor(file, vendor, lines)


def _of_vendor(file: Path, vendor: str, lines: list[str]) -> Iterator[Expectation]:
    runs = [Expectation(file, vendor)]
    common: set[Finding] = set()
    defines: dict[str, str] = {}
    natively = ""
    for number, line in enumerate(lines, 1):
        if match := _LINE.match(line):
            if match["vendor"] in (None, vendor):
                runs[-1].output += f"{match['text'] or ''}\n".replace("{file}", str(file))
        elif match := _SETTING.match(line):
            if match["name"] == "defines":
                defines = dict(word.split("=", 1) for word in match["value"].split())
            elif match["name"] == "natively":
                natively = match["value"]
            elif match["name"] == "status":
                runs[-1].status = int(match["value"])
            elif match["name"] == "arguments":
                if runs[-1].arguments or runs[-1].output:
                    runs.append(Expectation(file, vendor))
                runs[-1].arguments = match["value"].split()
        elif match := _STATUS.match(line):
            if match["vendor"] == vendor:
                runs[-1].status = int(match["value"])
        elif (match := _FINDING.match(line)) and match["vendor"] in (None, vendor):
            for severity, name in (finding.split() for finding in match["all"].split(", ")):
                common.add((severity, name, number if match["code"].strip() else 0))
    for run in runs:
        run.findings, run.defines, run.natively = common, defines, natively
        yield run


RUNS = [run for file in sorted((Path(__file__).parent / "programs").glob("*.mojo")) for run in read(file)]
