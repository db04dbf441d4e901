"""The tables of `docs/commands.md`: commands with their flags, sessions and exit codes, as the code has them."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator

from harness.catalogue import PUZZLES
from harness.cli.parser import make_parser
from harness.model import exit_code
from tests.generate.files import table
from tests.sessions import sessions

__all__ = ["commands_tables", "exit_codes_table", "sessions_table"]

_EVERYWHERE = {"help", "language"}  # flags of every command
PUZZLE = "p15"  # one puzzle's command stands for all: they differ in their modes


def commands_tables() -> str:
    """Each command with what it does, then its arguments and flags."""
    (commands,) = (action for action in make_parser()._actions if isinstance(action, _SubParsersAction))
    summaries = {action.dest: action.help or "" for action in commands._get_subactions()}
    own: dict[str, ArgumentParser] = {name: made for name, made in commands.choices.items() if name not in PUZZLES}
    own["pNN"] = commands.choices[PUZZLE]
    summaries["pNN"] = "Run your kernel, or the solved one, as documented; `--MODE` where a puzzle has several."
    heads = [[f"[`{name}`](#{name.lower()})", _cell(summaries[name])] for name in own]
    parts = [f"\n{table(['command', 'what it does'], heads)}"]
    for name, command in own.items():
        rows = [[f"`{_cell(_form(action))}`", _cell(_help(action))] for action in _told(command)]
        usage = " ".join(["puzzles", name, *(_form(action) for action in _told(command) if not action.option_strings)])
        parts.append(f"\n### {name}\n\n{summaries[name]}\n\n    {usage}\n")
        parts.append(f"\n{table(['argument', 'what it says'], rows)}" if rows else "")
    return "".join(parts) + "\n"


def _told(command: ArgumentParser) -> Iterator[Action]:
    yield from (action for action in command._actions if action.dest not in _EVERYWHERE and action.help != SUPPRESS)


def _form(action: Action) -> str:
    """An argument as it is written: `--target T`, `[CASE ...]`."""
    metavar = str(action.metavar or action.dest.upper())
    several = action.nargs in ("*", "+")
    if not action.option_strings:
        return f"[{metavar}{' ...' * several}]" if action.nargs in ("*", "?") else metavar
    if action.nargs == 0:
        return action.option_strings[0] if len(action.option_strings) == 1 else ", ".join(action.option_strings)
    value = f"[{metavar}]" if action.nargs == "?" else metavar
    return f"{', '.join(action.option_strings)} {value}"


def _help(action: Action) -> str:
    return (
        (action.help or "") % {**vars(action), "prog": "puzzles"} if "%" in (action.help or "") else action.help or ""
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def sessions_table() -> str:
    """The sessions of `noxfile.py` by their docstrings."""
    return table(
        ["session", "what it does"], [[f"`nox -s {name}`", _cell(told or "")] for name, told in sessions().items()]
    )


def exit_codes_table() -> str:
    """How commands end."""
    return table(["code", "meaning"], [[str(code), meaning] for code, meaning in exit_code.MEANINGS.items()])
