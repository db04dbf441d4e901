"""Records what an NVIDIA GPU prints for the gallery's programs, and what other tools say of them.

    python -m tests.gallery.record                      all programs, into docs/gallery/recorded.json
    python -m tests.gallery.record --runs 5 tail radix  some of them; what is recorded of the others stays

It needs a GPU of NVIDIA. The programs are compiled three times: as they are, with Mojo's assertions, and with its check
of uninitialised reads. Each is run as it is several times, and once under each tool. compute-sanitizer is left out,
with a line that says so, where it is not installed. Afterwards `nox -s generate` writes what was recorded into
`docs/gallery.md` and `docs/sanitizers.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from harness.backends.compute_sanitizer.tool import EXACT, TOOLS, find, parse
from harness.backends.planning import choose
from harness.build.cache import sha256_hex
from harness.build.toolchain import package_versions
from harness.errors import EnvironmentFault, HarnessError, unknown_name
from harness.model import exit_code
from harness.programs import Execution, Options
from harness.programs.compile import executable
from tests.gallery.entries import FOLDER, RECORD, programs_for
from tests.gallery.running import ASSERTIONS, CHOICE, run, together

__all__ = ["MOJO_TOOLS", "Record", "drop_stale", "load", "main", "outcomes_of", "record_runs", "reported"]

Record = dict[str, Any]

VENDOR = "nvidia"
SECONDS = 20.0  # of a run: a kernel that does not end takes no longer
RUNS = 20
# By tool: what programs are compiled with, the environment that they run in, and what the tool then writes.
MOJO_TOOLS: Mapping[str, tuple[Mapping[str, str], Mapping[str, str], str]] = {
    "-D ASSERT=all": (ASSERTIONS, {}, r"Assert Error|Assertion failed"),
    "uninitialised reads": (
        {"MOJO_STDLIB_SIMD_UNINIT_CHECK": "true"},
        {"MODULAR_DEBUG_DEVICE_ALLOCATOR": "uninitialized-poison"},
        r"(?i)uninitialized",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Record and write; 0 if everything was recorded, else as the error says."""
    parser = argparse.ArgumentParser(prog="python -m tests.gallery.record", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs, without .mojo (default: all)")
    parser.add_argument(
        "--runs", type=int, default=RUNS, metavar="N", help="runs of each program (default: %(default)d)"
    )
    parser.add_argument(
        "--out", type=Path, default=RECORD, metavar="FILE", help="where to write (default: %(default)s)"
    )
    options = parser.parse_args(argv)
    every = programs_for(VENDOR)
    try:
        for name in options.names:
            if name not in every:
                raise unknown_name("program", name, every)
        choice = choose(VENDOR, "max", backends=("max",))
        if not choice.gpus:
            raise EnvironmentFault("there is no NVIDIA GPU on this machine, and what it prints cannot be recorded.")
        facts = {"device": choice.gpus[0].name, "date": f"{datetime.now(UTC):%Y-%m-%d}", "versions": package_versions()}
        names = options.names or every
        recorded = drop_stale(load(options.out), facts)
        for name in names:  # each is written as soon as it is known: what follows may be interrupted
            recorded["runs"][name] = record_runs(name, options.runs)
            _write(options.out, recorded)
        for tool, check in _tools().items():
            print(f"{tool} ...", file=sys.stderr, flush=True)
            recorded["tools"].setdefault(tool, {}).update({name: check(name) for name in names})
            _write(options.out, recorded)
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr)
        return exit_code.code_of_error(error)
    return exit_code.OK


def _write(file: Path, recorded: Record) -> None:
    file.write_text(json.dumps(recorded, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def load(file: Path) -> Record:
    """Return what a file holds, or an empty record where there is no file."""
    if not file.is_file():
        return {"runs": {}, "tools": {}}
    held: Record = json.loads(file.read_text(encoding="utf-8"))
    return held


def drop_stale(before: Record, facts: Mapping[str, Any]) -> Record:
    """Return a record for this machine: with what was recorded on the same device and with the same versions.

    Args:
        before: What was recorded.
        facts: Of the machine: `device`, `date` and `versions`.
    """
    stays = all(before.get(name) == facts[name] for name in ("device", "versions"))
    return {**facts, "runs": dict(before["runs"]) if stays else {}, "tools": dict(before["tools"]) if stays else {}}


def outcomes_of(recorded: Record, name: str) -> list[dict[str, Any]]:
    """Return what was recorded of a program, the most frequent outcome first; nothing of another text than it has."""
    held = recorded["runs"].get(name)
    if held is None or held["text"] != sha256_hex((FOLDER / f"{name}.mojo").read_bytes()):
        return []
    outcomes: list[dict[str, Any]] = held["outcomes"]
    return outcomes


def record_runs(name: str, count: int, *, backend: str = "max") -> dict[str, Any]:
    """Run a program several times; return the digest of its text and how often it came to what.

    Each outcome has `output`, `end` (a status, the name of a signal as a negative number, or `hangs`) and `times`.
    """
    print(f"{name} ...", file=sys.stderr, flush=True)
    options = Options(seconds=SECONDS, counters=False)
    seen = Counter(_outcome(run(name, VENDOR, backend=backend, options=options)) for _ in range(count))
    outcomes = [{"output": output, "end": end, "times": times} for (output, end), times in seen.most_common()]
    return {"text": sha256_hex((FOLDER / f"{name}.mojo").read_bytes()), "outcomes": outcomes}


def _outcome(execution: Execution) -> tuple[str, str]:
    return execution.output.decode(errors="replace"), "hangs" if execution.limit else str(execution.status)


def _tools() -> dict[str, Callable[[str], str]]:
    """By name, what asks each tool that this machine has about a program."""
    asked = {tool: _asked_of_mojo(tool) for tool in MOJO_TOOLS}
    try:
        find()
    except EnvironmentFault as error:
        print(f"without compute-sanitizer: {error}", file=sys.stderr)
        return asked
    return asked | {tool: _asked_of_sanitizer(tool) for tool in TOOLS}


def _asked_of_mojo(tool: str) -> Callable[[str], str]:
    defines, environment, says = MOJO_TOOLS[tool]

    def ask(name: str) -> str:
        with patch.dict(os.environ, environment):
            execution = run(name, VENDOR, backend="max", defines=defines, options=Options(seconds=SECONDS))
        return reported(execution.output + execution.errors, says, hangs=bool(execution.limit))

    return ask


def reported(said: bytes, pattern: str, *, hangs: bool) -> str:
    """Return `yes`, `no` or `hangs`: whether a tool's own words stand among what a program wrote."""
    if re.search(pattern, said.decode(errors="replace")):
        return "yes"
    return "hangs" if hangs else "no"


def _asked_of_sanitizer(tool: str) -> Callable[[str], str]:
    target = choose(VENDOR, "max", backends=("max",)).target
    program = executable(together(VENDOR), target, defines={}, includes=(FOLDER,))

    def ask(name: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "gallery")
            path.write_bytes(program)
            path.chmod(0o700)
            environment = {**os.environ, **EXACT, CHOICE: name}
            try:
                done = subprocess.run(
                    [find(), "--tool", tool, str(path)], env=environment, capture_output=True, timeout=3 * SECONDS
                )
            except subprocess.TimeoutExpired:
                return "hangs"
        errors = parse(done.stdout.decode(errors="replace")).errors
        return "none" if errors is None else "yes" if errors else "no"

    return ask


if __name__ == "__main__":
    sys.exit(main())
