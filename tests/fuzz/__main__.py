"""Damaged inputs: `python -m tests.fuzz [SUBJECT ...] [--inputs N] [--first S] [--jobs J] [--seconds T]`.

Each seed makes one input, N for each subject. Several processes try them; one that dies or takes longer than a time
limit counts as a failure of its seed, and another one goes on behind it. Failures are printed with their seed, which
repeats them: `--first SEED --inputs 1`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import select
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from tests.processes import import_path

ROOT = Path(__file__).resolve().parents[2]
CHUNK = 250  # seeds of a process
SECONDS = 60.0  # for an input; a start of the process is in the first one's
TRACEBACK_LINES = 14


@dataclass(frozen=True)
class Failure:
    """An input that must not be."""

    subject: str
    seed: int
    told: str

    def __str__(self) -> str:
        return f"FAILED {self.subject} --first {self.seed}: {self.told}"


def tried(subject: str, seeds: range, seconds: float = SECONDS) -> Iterator[Failure]:
    """The failures of some seeds, each tried in a process that may die."""
    left = seeds
    while left:
        done, failures, fate = _process(subject, left, seconds)
        yield from failures
        left = left[done:]
        if fate and left:
            yield Failure(subject, left[0], fate)
            left = left[1:]


def _process(subject: str, seeds: range, seconds: float) -> tuple[int, list[Failure], str]:
    """Tries seeds until the process is done or ends.

    Returns:
        How many are done, their failures, and what became of the process where it did not end well.
    """
    words = [sys.executable, "-P", "-m", "tests.fuzz", "--child", subject, str(seeds.start), str(len(seeds))]
    given = {**os.environ, "PYTHONPATH": import_path(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    failures: list[Failure] = []
    done, data = 0, b""
    with tempfile.TemporaryFile() as noise:
        child = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=noise, stdin=subprocess.DEVNULL, env=given, start_new_session=True
        )
        assert child.stdout is not None
        try:
            while True:
                if not select.select([child.stdout], [], [], seconds)[0]:
                    return done, failures, f"it hung for {seconds:g} s"
                part = os.read(child.stdout.fileno(), 1 << 16)
                if not part:
                    break
                *lines, data = (data + part).split(b"\n")
                for line in lines:
                    told = line.decode(errors="replace")
                    if told:
                        failures.append(Failure(subject, seeds[done], told.replace("\\n", "\n")))
                    done += 1
            status = child.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, 9)
            child.wait()
            child.stdout.close()
        if done == len(seeds):
            return done, failures, ""
        noise.seek(0)
        last = noise.read().decode(errors="replace").strip().splitlines()[-TRACEBACK_LINES:]
        return done, failures, "\n".join([f"the process ended with status {status}", *last])


def _child(subject: str, first: int, count: int) -> None:
    """Tries seeds in this process: a line for each on stdout, empty if all is well."""
    out = os.dup(1)
    os.dup2(2, 1)  # what is printed is no answer
    from harness.build import toolchain
    from tests.fuzz.subjects import SUBJECTS

    toolchain.find_mojo = lambda: None  # a compiler would take most of the time, and is no reader of ours
    for seed in range(first, first + count):
        told = ""
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder, contextlib.chdir(folder):
            for name in ("HARNESS_CACHE", "HOME", "XDG_DATA_HOME"):
                os.environ[name] = folder
            try:
                SUBJECTS[subject](random.Random(f"{subject} {seed}"), Path(folder))
            except BaseException as error:
                told = "".join(traceback.format_exception(error)[-3:])
        line = told[-1500:].replace("\n", "\\n")
        os.write(out, line.encode(errors="replace") + b"\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the failures; 1 if there are any."""
    if argv is None and sys.argv[1:2] == ["--child"]:
        _child(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
        return 0
    from tests.fuzz.subjects import SUBJECTS

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"of {', '.join(SUBJECTS)} (default: all)")
    parser.add_argument("--inputs", type=int, default=1000, metavar="N", help="of each subject (1000)")
    parser.add_argument("--first", type=int, default=0, metavar="S", help="the first seed (0)")
    parser.add_argument(
        "--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="J", help="processes at a time"
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="T", help=f"for each input ({SECONDS:g})")
    options = parser.parse_args(argv)
    if lacking := [name for name in options.subjects if name not in SUBJECTS]:
        parser.error(f"no subject {lacking[0]}: there are {', '.join(SUBJECTS)}")
    subjects, last = options.subjects or list(SUBJECTS), options.first + options.inputs
    chunks = [
        (subject, range(at, min(at + CHUNK, last))) for at in range(options.first, last, CHUNK) for subject in subjects
    ]
    started, failed, counts = time.monotonic(), 0, dict.fromkeys(subjects, 0)

    def run(subject: str, seeds: range) -> tuple[str, range, list[Failure]]:
        return subject, seeds, list(tried(subject, seeds, options.seconds))

    with ThreadPoolExecutor(options.jobs) as pool:
        for done in as_completed([pool.submit(run, *chunk) for chunk in chunks]):
            subject, seeds, failures = done.result()
            failed += len(failures)
            counts[subject] += len(seeds)
            for failure in failures:
                print(failure, flush=True)
    shown = ", ".join(f"{subject} {count}" for subject, count in counts.items())
    print(f"{sum(counts.values())} inputs in {time.monotonic() - started:.0f} s, {failed} failures ({shown})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
