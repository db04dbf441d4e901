"""`RootParser`: the parser of `puzzles` itself; its help has exit codes, and commands in groups (see `parser`)."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from harness.cli.flags import Parser, Version
from harness.model import exit_code
from harness.model.language import translate
from harness.simt.messages import LANGUAGES

__all__ = ["RootParser"]

_MORE = (
    "`puzzles COMMAND --help` explains a command, `puzzles --version` prints the version. "
    "`puzzles p15` runs puzzle 15 as its document does."
)


class RootParser(Parser):
    """The parser of `puzzles`, whose help lists the commands in groups."""

    def __init__(self, groups: Mapping[str, Sequence[str]]) -> None:
        """Make the parser.

        Args:
            groups: The heading of each group, with the names of its commands in order. A command in no group, such as
                that of a puzzle, is accepted and not listed.
        """
        super().__init__(
            prog="puzzles", description="Run Mojo GPU puzzles: on a GPU through MAX, on any machine in a simulator."
        )
        self._groups = groups
        self.add_argument("--version", action=Version, nargs=0, help="print the version and end")

    def format_help(self) -> str:
        """Return the usage, the groups, and the exit codes."""
        codes = "; ".join(f"{code} {translate(meaning)}" for code, meaning in exit_code.MEANINGS.items())
        languages = "|".join(LANGUAGES)
        formatter = self._get_formatter()
        formatter.add_usage(f"%(prog)s [--language {languages}] COMMAND ...", self._actions, [])
        formatter.add_text(self.description)
        assert self._subparsers is not None
        (commands,) = self._subparsers._group_actions
        assert isinstance(commands, argparse._SubParsersAction)
        actions = {row.dest: row for row in commands._get_subactions()}
        for heading, names in self._groups.items():
            formatter.start_section(heading)
            formatter.add_arguments([actions[name] for name in names])
            formatter.end_section()
        # One paragraph for both: the help is to fit one screen.
        formatter.add_text(f"{translate(_MORE)} {translate(f'Exit codes: {codes}.')}")
        return formatter.format_help()
