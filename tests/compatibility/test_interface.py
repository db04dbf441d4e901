"""Commands, flags, the Python API, ids of findings and exit codes of 24f83de3 are still there."""

from __future__ import annotations

import copy
import json
from argparse import SUPPRESS
from pathlib import Path
from typing import Any

import pytest

from harness.cli.renamed import OLD_COMMANDS, OLD_FLAGS
from harness.model.language import set_language
from tests.compatibility.comparison import changes
from tests.compatibility.interface import describe_interface, subparsers

OLD: dict[str, Any] = json.loads((Path(__file__).parent / "known" / "interface.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def present():
    """The present interface, with the old spellings that commands still accept."""
    interface = describe_interface()
    commands = interface["commands"]
    for command, flags in OLD_FLAGS.items():
        commands[command]["flags"] |= {old: commands[command]["flags"][new] for old, new in flags.items()}
    return interface | {"commands": commands | {old: commands[new] for old, new in OLD_COMMANDS.items()}}


@pytest.mark.parametrize("part", sorted(OLD))
def test_scripts_go_on_to_work(part, present):
    assert changes(OLD[part], present[part]) == []


def test_nothing_more_is_required(present):
    """A new argument or parameter has a default, so old calls are still complete."""
    required = []
    for name, command in OLD["commands"].items():
        now = present["commands"][name]
        required += [f"{name} {flag}" for flag in _required(now["flags"]) - _required(command["flags"])]
        positional = [each for each in now["arguments"] if each["nargs"] in (None, "+")]
        required += [name] * (len(positional) > len(command["arguments"]))
    for module, members in OLD["python"].items():
        for name, member in members.items():
            before, now = (each.get("parameters", {}) for each in (member, present["python"][module][name]))
            required += [f"{module}.{name}({new})" for new in _required(now) - _required(before)]
    assert required == []


def _required(described):
    return {name for name, facts in described.items() if facts["required"]}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_help_explains_each_flag(language):
    """The texts may change; each visible argument has one, in the reader's language."""
    set_language(language)
    silent = []
    for name, command in subparsers().items():
        text = command.format_help()
        for action in command._actions:
            shown = action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)
            if action.help != SUPPRESS and not ((action.help or "").strip() and shown in text):
                silent.append(f"{name} {shown}")
    assert silent == []


def test_a_break_is_noticed(present):
    """Otherwise the tests above could not fail."""
    broken = copy.deepcopy(present)
    del broken["commands"]["exec"]["flags"]["--sarif"]
    broken["python"]["harness"]["run"]["parameters"]["inputs"]["place"] = 2
    broken["findings"].remove("race.shared.write-read")

    assert changes(OLD, broken) == [
        "/commands/exec/flags/--sarif: is missing",
        "/findings: lacks 'race.shared.write-read'",
        "/python/harness/run/parameters/inputs/place: was 1, is 2",
    ]
