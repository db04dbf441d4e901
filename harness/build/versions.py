"""The table of tested pairs of MAX and Mojo, compared with what is installed: warnings, limits, pip commands.

A release of MAX is made for one release of Mojo, and pip keeps the two together: `max-core` asks for one version of
`mojo-compiler`, and so does `mojo`. The range in `pyproject.toml` spans the pairs of this table. `CONTRIBUTING.md` says
how a new release is taken up. Nothing but Python's own library is imported here: `noxfile.py` reads the table too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from harness.errors import CompileError, EnvironmentFault
from harness.model.language import translate
from harness.model.project import installed_version

__all__ = [
    "NEWEST",
    "PAIRS",
    "Limit",
    "ReleasePair",
    "describe_installed",
    "install_command",
    "installed_pair",
    "make_own_fault",
    "reinstall_command",
    "untested_warning",
    "warn_once",
]


@dataclass(frozen=True, slots=True)
class Limit:
    """Something that does not work with a pair.

    Attributes:
        what: A noun phrase.
        why: A clause.
    """

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class ReleasePair:
    """A release of MAX and the release of Mojo that it is made for.

    Attributes:
        max: The version of the package `max`.
        mojo: The version of the package `mojo`.
        limits: What does not work with this pair; empty for one that is only installed, not tested.
    """

    max: str
    mojo: str
    limits: tuple[Limit, ...] = ()

    def __str__(self) -> str:
        return f"MAX {self.max} with Mojo {self.mojo}"

    @property
    def requirements(self) -> tuple[str, str]:
        """The two packages as pip requirements."""
        return f"max=={self.max}", f"mojo=={self.mojo}"


# Oldest first. `nox -s versions` runs the puzzles, the fast tests and ten programs with each of them.
PAIRS = (
    ReleasePair(
        "26.6.0",
        "1.1.0",
        limits=(
            Limit(
                "stores to a TileTensor whose layout is a parameter",
                "Mojo 1.1 asks for `comptime assert output.flat_rank == 1`, or as many axes as there are, before them",
            ),
            Limit(
                "programs that call MAX's `rms_norm_gpu`, `cumsum` or `sum` as 26.7 has them",
                "their parameters changed",
            ),
            Limit(
                "`wait_on_dependent_grids` and `launch_dependent_grids` in a puzzle's kernel",
                "Mojo 1.1 looks for the GPU on its command line, where a puzzle's compilation names none",
            ),
        ),
    ),
    ReleasePair("26.7.0", "1.2.0"),
)
NEWEST = PAIRS[-1]


def install_command(*packages: str) -> str:
    """Return, in backticks for a message, the pip command that installs packages of the newest tested pair.

    The packages are `max`, `mojo` or, by default, both.
    """
    return f"`pip install {_requirements(NEWEST, packages)}`"


def reinstall_command(package: str) -> str:
    """Return, in backticks for a message, the pip command that reinstalls a package, `max` or `mojo`.

    It keeps the installed version if the installed pair is tested; else it installs both of the newest tested pair.
    """
    pair = installed_pair()
    requirements = _requirements(pair, (package,)) if pair in PAIRS else _requirements(NEWEST, ())
    return f"`pip install --force-reinstall {requirements}`"


def _requirements(pair: ReleasePair, packages: Sequence[str]) -> str:
    return " ".join(name for name in pair.requirements if not packages or name.partition("==")[0] in packages)


def installed_pair() -> ReleasePair | None:
    """Return the pair that is installed, with its limits if it is tested; None if one of the packages is missing."""
    pair = ReleasePair(installed_version("max"), installed_version("mojo"))
    if not (pair.max and pair.mojo):
        return None
    return next((tested for tested in PAIRS if (tested.max, tested.mojo) == (pair.max, pair.mojo)), pair)


def untested_warning() -> str:
    """Return one line about an installed pair that is not tested; empty if it is tested, or not there."""
    pair = installed_pair()
    if pair is None or pair in PAIRS:
        return ""
    return f"note: {pair} is not one of the tested pairs ({_tested()}): if something fails, run {install_command()}."


@cache
def warn_once() -> None:
    """Print `untested_warning` to stderr, translated, once in a process; nothing if it is empty."""
    if line := untested_warning():
        print(translate(line), file=sys.stderr)


def describe_installed() -> str:
    """Return whether the installed pair is tested, and with which limits, for people; empty if a package is missing."""
    pair = installed_pair()
    if pair is None:
        return ""
    if line := untested_warning():
        return line.removeprefix("note: ")
    limits = "; ".join(f"without {limit.what} ({limit.why})" for limit in pair.limits)
    return f"{pair} is tested" + (f", {limits}" if limits else "")


def make_own_fault(what: str, error: CompileError) -> EnvironmentFault:
    """Return the error for harness code that does not compile, which is not the kernel's fault; it quotes the first
    line.

    Args:
        what: What does not compile, for people.
        error: The compiler's error.
    """
    reason = (error.diagnostics or str(error)).splitlines()[0]
    installed = installed_pair()
    return EnvironmentFault(
        f"{what} does not compile here, whatever the kernel ({reason}): it is written for MAX/Mojo {_tested()}"
        + (f"; here is {installed}." if installed else ".")
    )


def _tested() -> str:
    return ", ".join(f"{pair.max}/{pair.mojo}" for pair in PAIRS)
