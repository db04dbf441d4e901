"""What scripts rely on: commands with their flags, names of the Python API, ids of findings, exit codes.

`python -m tests.compatibility.interface FILE` stores the interface of this version.
"""

from __future__ import annotations

import inspect
import json
import sys
from argparse import Action, ArgumentParser, _SubParsersAction
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

from harness import pytest_plugin
from harness.catalogue import PUZZLES
from harness.cli.parser import make_parser
from harness.model import exit_code
from harness.model.verdict import Verdict
from harness.simt.messages import message_ids

__all__ = ["describe_commands", "describe_interface", "subparsers"]

# Modules that docs/programs.md, docs/notebooks.md, docs/kernels.md and the README name as a Python API.
MODULES = ("harness", "harness.simt", "harness.programs", "harness.notebook", "harness.pytest_plugin")
# Classes of results: users read their attributes, and only the harness makes them.
_MADE_HERE = ("Result", "LaunchResult", "Module", "Execution", "Launched", "Shown")
PUZZLE = "p15"  # its command stands for those of all puzzles


def describe_interface() -> dict[str, Any]:
    """Return the interface as values of JSON."""
    return {
        "commands": describe_commands(),
        "python": {name: _describe_module(name) for name in MODULES},
        "pytest options": _pytest_options(),
        "findings": sorted(
            name for name in message_ids() if not name.startswith("learn.")
        ),  # those are texts, never findings
        "exit codes": sorted(exit_code.MEANINGS),
        "verdicts": sorted(str(verdict) for verdict in Verdict),
    }


def describe_commands() -> dict[str, Any]:
    """Return each command's arguments: positional ones in their order, flags by each of their spellings."""
    described = {}
    for name, command in subparsers().items():
        actions = [action for action in command._actions if action.dest != "help"]
        described[name] = {
            "arguments": [_describe_action(action) for action in actions if not action.option_strings],
            "flags": {flag: _describe_action(action) for action in actions for flag in action.option_strings},
        }
    return described


def subparsers() -> dict[str, ArgumentParser]:
    """Return the parser of each command, and of one puzzle."""
    (commands,) = (action for action in make_parser()._actions if isinstance(action, _SubParsersAction))
    return {name: each for name, each in commands.choices.items() if name not in PUZZLES or name == PUZZLE}


def _describe_action(action: Action) -> dict[str, Any]:
    return {
        "nargs": action.nargs,
        "choices": sorted(map(str, action.choices)) if action.choices is not None else None,
        "default": str(action.default),
        "required": action.required,
    }


def _describe_module(name: str) -> dict[str, Any]:
    module = import_module(name)
    public = import_module(f"{name}.public") if name == "harness.simt" else module
    names = [*public.__all__, *(["load_ipython_extension"] if name == "harness" else [])]
    return {each: _describe_object(getattr(module, each)) for each in names}


def _describe_object(found: Any) -> Any:
    if inspect.isclass(found):
        members = [name for name, _ in inspect.getmembers(found) if not name.startswith("_")]
        if issubclass(found, Enum):
            return {"members": sorted(found.__members__)}
        members += [field.name for field in fields(found)] if is_dataclass(found) else []
        takes = {} if issubclass(found, Exception) or found.__name__ in _MADE_HERE else _describe_parameters(found)
        return {"members": sorted(set(members)), "parameters": takes}
    return {"parameters": _describe_parameters(found)} if inspect.isfunction(found) else {}


def _describe_parameters(found: Any) -> dict[str, Any]:
    """Return kind and place of each parameter, and whether a caller must give it."""
    described = {}
    for place, parameter in enumerate(inspect.signature(found).parameters.values()):
        described[parameter.name] = {
            "kind": parameter.kind.name,
            "required": parameter.default is parameter.empty,
            "place": place if parameter.kind is parameter.POSITIONAL_OR_KEYWORD else None,
        }
    return described


class _Options:
    """Stands in for pytest's parser of options, and notes their names."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def getgroup(self, *_: object) -> _Options:
        return self

    def addoption(self, *names: str, **_: object) -> None:
        self.names += names

    def addini(self, name: str, *_: object, **__: object) -> None:
        self.names.append(name)


def _pytest_options() -> list[str]:
    options = _Options()
    pytest_plugin.pytest_addoption(cast(pytest.Parser, options))
    return sorted(options.names)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(describe_interface(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
