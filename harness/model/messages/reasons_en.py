"""Messages in English that say why a result's element is wrong, such as a missing term, each with a remedy."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["REASONS", "REASON_TERMS"]

REASON_TERMS = {
    # What to do about an error of the compiler.
    "advice": {
        "misspelt": "write `{near}` in place of `{declared}`, or declare `{declared}` before it is used",
        "import": "write `from {module} import {declared}` at the top of the file",
        "inner": "declare `{declared}` before the `{opener}` of line {opened}: no name outlives its block",
        "unknown": "correct the name `{declared}`, or declare it with `var` before it is used",
        "index": "make the index a whole number: divide by `//`, since `/` makes a floating-point number",
        "division": "divide whole numbers by `//`, as `/` makes a floating-point number, or convert with `{to}(...)`",
        "begin": "begin with `var {declared} = Scalar[dtype]({begun})`: begun with `{begun}`, it is of type {to}",
        "convert": "convert the value: `{to}(...)`",
        "truncate": "convert the value: `{to}(...)`, which cuts off its fraction",
        "rebind": "take the element as a number: `rebind[Scalar[dtype]](...)`",
    },
    # What an access reads or writes, where that is no number.
    "value": {"undefined": "an undefined value"},
    # Why elements are never written, as far as it is known.
    "unwritten": {
        "some": "let some thread write each element",
        "blocks": "use the global index: `thread_idx` begins at 0 in every block, and {writers} blocks write "
        "{argument}{twice}",
    },
    # Where to look, by whether the kernel has a loop.
    "around": {
        "loop": "check where the loop around these lines begins and ends, its step, and the conditions",
        "lines": "check what is computed at these lines, and the conditions around them",
    },
}

_WHY = "What {argument}{index} is made of"
_STEP = "line {line}: {who} {act} {what}{value}"

REASONS: dict[str, Message] = {
    "check.reason.missing": Message(
        _WHY,
        "{argument}{index} leaves out {missing}",
        "let {argument}{index} take in {missing} too: {around}",
        item=_STEP,
    ),
    "check.reason.foreign": Message(
        _WHY,
        "{argument}{index} takes in {foreign}, no part of it",
        "leave out {foreign}: {around}",
        item=_STEP,
    ),
    "check.reason.other": Message(
        _WHY,
        "{argument}{index} takes in {foreign} instead of {missing}",
        "correct the index at these lines: {argument}{index} needs {missing}",
        item=_STEP,
    ),
    "check.reason.again": Message(
        _WHY,
        "{argument}{index} leaves out {missing}, and takes in {weighed} once more",
        "correct the index at these lines: {argument}{index} needs {missing}",
        item=_STEP,
    ),
    "check.reason.elsewhere": Message(
        _WHY,
        "{argument}{index} leaves out {missing}, and takes in {source}{cell}, which nobody wrote",
        "correct the index at these lines: {argument}{index} needs {missing}, which lies elsewhere",
        item=_STEP,
    ),
    "check.reason.unfilled": Message(
        _WHY,
        "{argument}{index} leaves out {missing}, and takes in {source}, which nobody wrote",
        "pass the kernel a buffer that holds {missing} in place of {source}",
        item=_STEP,
    ),
    "check.reason.times": Message(
        _WHY,
        "{argument}{index} counts {weighed} {times} times instead of once",
        "take in {weighed} only once: {around}",
        item=_STEP,
    ),
    "check.reason.sign": Message(
        _WHY,
        "{argument}{index} takes {weighed} with the opposite sign",
        "correct what is computed at these lines: the elements are the right ones",
        item=_STEP,
    ),
    "check.reason.weight": Message(
        _WHY,
        "{argument}{index} depends on {weighed} more or less than it should",
        "check by how much each of them counts: what it is multiplied with, divided by or paired with",
        item=_STEP,
    ),
    "check.reason.combined": Message(
        _WHY,
        "{argument}{index} is made of the right elements, but something else is done with them",
        "correct what is computed at these lines: the elements are the right ones",
        item=_STEP,
    ),
}
