"""`python -m harness` and `puzzles`: a command in a process of its own."""

import gc
from typing import NoReturn

__all__ = ["command"]


def command() -> NoReturn:
    """Runs one command and ends this process."""
    # What is imported stays: to look through it again and again takes a tenth of a short command. It is left alone for
    # good once the command's own work begins, see `harness.cli.flags.begin`.
    gc.disable()
    from harness.cli.main import command

    command()


if __name__ == "__main__":
    command()
