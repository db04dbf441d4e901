"""`python -m tests.cluster.gpus`: each GPU of this host as a worker of its own, and none on the wrong one.

Needs two GPUs and Dask, and no network. Which GPU works is not taken from what a worker says of itself: the driver's
account of each GPU's memory is read while cases run. First one worker alone, for each GPU; then all of them; at last a
worker that says it has the second GPU and was left the first, which the same account must betray.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pynvml

from harness.cluster import resources
from harness.model.sources import MOJO, ROOT
from harness.process.box import choose_strongest
from tests.cluster.farm import Farm

CASES = ("p15", "p26", "p34", "p15@scale", "p26@scale", "p34@scale")
USED_BYTES = 64 << 20  # a process with a context takes several times that; an idle GPU's account moves by less
SAMPLE_SECONDS = 0.02


def misplaced(used: Sequence[int], expected: set[int]) -> list[str]:
    """What is wrong with who worked: a sentence for each GPU that should have and did not, or the other way round.

    Args:
        used: The most that each GPU's memory rose, in bytes.
        expected: The numbers of those that were to work.
    """
    worked = {number for number, most in enumerate(used) if most > USED_BYTES}
    idle = [f"GPU {number} was to work and did not" for number in sorted(expected - worked)]
    return idle + [f"GPU {number} worked and was not to" for number in sorted(worked - expected)]


@contextmanager
def watched(count: int) -> Iterator[list[int]]:
    """How far the memory of each GPU rises meanwhile, in bytes."""
    most, over = [0] * count, threading.Event()
    handles = [pynvml.nvmlDeviceGetHandleByIndex(number) for number in range(count)]
    before = [pynvml.nvmlDeviceGetMemoryInfo(handle).used for handle in handles]

    def watch() -> None:
        while not over.is_set():
            for number, handle in enumerate(handles):
                most[number] = max(most[number], pynvml.nvmlDeviceGetMemoryInfo(handle).used - before[number])
            time.sleep(SAMPLE_SECONDS)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()


class Trial:
    """What is tried, and what was wrong.

    Args:
        folder: For reports and logs.
        out: Gets what is told.
    """

    def __init__(self, folder: Path, out: Path | None) -> None:
        self.folder, self._out, self.count = folder, out, pynvml.nvmlDeviceGetCount()
        self.wrong: list[str] = []
        self.verdicts: dict[str, dict[str, str]] = {}

    def say(self, line: str) -> None:
        """Tells a line, at once."""
        print(line, flush=True)
        if self._out:
            with open(self._out, "a") as file:
                file.write(f"{line}\n")

    def cases(self, name: str, address: str, expected: set[int]) -> None:
        """Runs every case, and compares who worked with who was to."""
        report, begun = self.folder / f"{name}.json", time.monotonic()
        words = ["run", *CASES, "--backend", "max", "--scheduler", address, "--data-seed", "11", "--json", str(report)]
        with watched(self.count) as most:
            done = subprocess.run([sys.executable, "-m", "harness", *words], cwd=ROOT, capture_output=True, text=True)
        self.say(f"-- {name}: status {done.returncode}, {time.monotonic() - begun:.1f} s")
        self.say("   memory rose by " + ", ".join(f"{size >> 20} MiB on GPU {at}" for at, size in enumerate(most)))
        if not report.is_file():
            self.wrong.append(f"{name}: no report: {done.stderr.strip().splitlines()[-1:]}")
            return
        reports = json.loads(report.read_text())["cases"]
        for where, cases in Counter(case["device"] for case in reports).items():
            self.say(f"   {cases} cases on {where}")
        self.verdicts[name] = {case["case"]: case["verdict"] for case in reports}
        self.wrong += [f"{name}: {case['case']} is {case['verdict']}" for case in reports if case["verdict"] != "PASS"]
        complaints = misplaced(most, expected)
        if name == "misplaced":
            self.say(f"   the account says: {'; '.join(complaints) or 'all is well'}")
            if not complaints:
                self.wrong.append("a worker on the wrong GPU was not seen: this check proves nothing")
        else:
            self.wrong += [f"{name}: {complaint}" for complaint in complaints]


def main() -> int:
    """Status 0 if every case ran where it was to, and the account would have said so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=f"some of {', '.join(TRIALS)} (default: all)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="gets what is told as well")
    arguments = parser.parse_args()
    for name in arguments.trials:
        if name not in TRIALS:
            parser.error(f"there is no trial {name}")
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        print(f"needs two NVIDIA GPUs: {error}")
        return 3
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    with tempfile.TemporaryDirectory(prefix="gpus-") as folder:
        trial = Trial(Path(folder), arguments.out)
        if trial.count < 2:
            trial.say(f"needs two GPUs, here are {trial.count}")
            return 3
        for name in arguments.trials or TRIALS:
            TRIALS[name](trial)
    if len(set(map(str, trial.verdicts.values()))) > 1:
        trial.wrong.append(f"not the same verdicts everywhere: {trial.verdicts}")
    for line in trial.wrong:
        trial.say(f"WRONG {line}")
    trial.say("all right" if not trial.wrong else f"{len(trial.wrong)} wrong")
    return 1 if trial.wrong else 0


@contextmanager
def farm(trial: Trial, name: str) -> Iterator[Farm]:
    """A scheduler of its own for each trial, and its log where something is wrong."""
    place = trial.folder / name
    place.mkdir()
    before = len(trial.wrong)
    with Farm(place, judge=None) as started:
        started.scheduler()
        yield started
        for log in sorted(place.glob("*.log")) if len(trial.wrong) > before else ():
            trial.say(f"   {log.name}: " + "\n   ".join(log.read_text().splitlines()[-12:]))


def alone(trial: Trial) -> None:
    """One GPU's worker has everything to do, then the next one's."""
    for number in range(trial.count):
        with farm(trial, f"alone-{number}") as started:
            started.worker("worker", "--simulators", "0", devices=str(number))
            started.at_work(1)
            trial.cases(f"gpu-{number}-alone", started.address, {number})


def together(trial: Trial) -> None:
    """All GPUs' workers share it."""
    with farm(trial, "together") as started:
        started.worker("worker", "--simulators", "0", devices="all")
        started.at_work(trial.count)
        trial.cases("together", started.address, set(range(trial.count)))


def misplaced_on_purpose(trial: Trial) -> None:
    """A worker that says it has the second GPU, and sees the first."""
    offer = resources.list_offers(0, "1")[0]
    told = {"name": f"{offer.device}, so it says", "slots": 1, "resources": offer.resources, "port": 0}
    with farm(trial, "misplaced") as started:
        started.environment["CUDA_VISIBLE_DEVICES"] = "0"
        started.start("worker", "harness.cluster.member", started.address, json.dumps(told))
        started.at_work(1)
        trial.cases("misplaced", started.address, {1})


def graded(trial: Trial) -> None:
    """Submissions too, each compiled and run in a box on a GPU; only those that are right pass."""
    people = trial.folder / "people"
    right = (MOJO / "p15" / "solution.mojo").read_text()
    texts = {
        "right": right,
        "wrong": right.replace("cache[local_i] += addend", "cache[local_i] -= addend"),
        "broken": f"{right}\nvar = =\n",
        "also-right": f"{right}\ncomptime MINE = 1\n",
    }
    for name, text in texts.items():
        (people / name).mkdir(parents=True)
        (people / name / "p15.mojo").write_text(text)
    with farm(trial, "graded") as started:
        started.worker("worker", "--simulators", "0", devices="all")
        started.at_work(trial.count)
        out, begun = trial.folder / "graded" / "out", time.monotonic()
        words = ["grade", str(people), "--out", str(out), "--backend", "max", "--scheduler", started.address]
        words += ["--sandbox", choose_strongest().kind]
        with watched(trial.count) as most:
            done = subprocess.run([sys.executable, "-m", "harness", *words], cwd=ROOT, capture_output=True, text=True)
        trial.say(f"-- graded: status {done.returncode}, {time.monotonic() - begun:.1f} s")
        trial.say("   memory rose by " + ", ".join(f"{size >> 20} MiB on GPU {at}" for at, size in enumerate(most)))
        if not (out / "results.json").is_file():
            trial.wrong.append(f"graded: no results: {done.stderr.strip().splitlines()[-1:]}")
            return
        for person in json.loads((out / "results.json").read_text())["people"]:
            mode = person["modes"][0]
            trial.say(f"   {person['person']}: {mode['verdict']} {mode['reason']}")
            if (mode["verdict"] == "PASS") != person["person"].endswith("right"):
                trial.wrong.append(f"graded: {person['person']} is {mode['verdict']}")


TRIALS = {"alone": alone, "together": together, "misplaced": misplaced_on_purpose, "graded": graded}

if __name__ == "__main__":
    sys.exit(main())
