"""Store a grading in a locked folder, to resume it: settings, a data seed for each file, its result, report files.

    grading.json            what all its results have in common, and by file the seed of its secret data
    jobs/<key>.json         the result of a file, written whole or not at all
    results.*, index.html   what is made from them

One grading at a time works in a folder; the operating system drops its lock if it dies.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

from harness.errors import EnvironmentFault, UsageError
from harness.grading.work import Job, JobResult, Settings
from harness.model import codec
from harness.model.plain_file import read_plain_file, write_whole

__all__ = ["Store", "open_store", "write"]

VERSION = 1
_MOST_BYTES = 64 << 20  # of a file here
_PLACE, _LOCK, _WRITING = "grading.json", ".lock", ".writing-"


class Store:
    """An open folder of a grading; see `open_store`.

    Attributes:
        folder: The folder.
        settings: The settings that all its results share; the seed is that of the first run.
    """

    def __init__(self, folder: Path, settings: Settings, late_seed: int, seeds: Mapping[str, int]) -> None:
        self.folder, self.settings = folder, settings
        self._late_seed, self._seeds = late_seed, dict(seeds)

    def assign_seeds(self, jobs: Iterable[str], judged: Iterable[str]) -> Mapping[str, int]:
        """Return the seed of each job's data, also of earlier runs' jobs, and store them; a new job gets this run's.

        An earlier run may have told its seed by now, so whoever hands in later could know its data.

        Args:
            jobs: The keys of all.
            judged: The keys of those of which there are results; without a stored seed they get that of the first run.

        Raises:
            EnvironmentFault: The folder is read-only or full.
        """
        first = dict.fromkeys(judged, self.settings.data_seed)
        self._seeds = dict.fromkeys(jobs, self._late_seed) | first | self._seeds
        self.save()
        return self._seeds

    def save(self) -> None:
        """Write `grading.json`, the settings and the seed of each job, for a run that goes on.

        Raises:
            EnvironmentFault: The folder is read-only or full.
        """
        record = {"schema_version": VERSION, **asdict(self.settings), "seeds": self._seeds}
        write(self.folder / _PLACE, json.dumps(record, indent=1).encode())

    def results(self, jobs: Mapping[str, Job]) -> dict[str, JobResult]:
        """Return the stored results of jobs by key; one that is damaged or of another job counts as missing."""
        results = {}
        for key, job in jobs.items():
            with contextlib.suppress(OSError, ValueError, RecursionError):
                results[key] = JobResult.read(json.loads(read_plain_file(self._place(key), _MOST_BYTES) or b""), job)
        return results

    def save_result(self, result: JobResult) -> None:
        """Store a result.

        Raises:
            EnvironmentFault: The folder is read-only or full.
        """
        self.write(self._place(result.key), json.dumps(asdict(result), indent=1).encode())

    def write(self, path: Path, data: bytes) -> None:
        """Write a file of the folder, whole or not at all.

        Raises:
            EnvironmentFault: The folder is read-only or full.
        """
        write(path, data)

    def _place(self, key: str) -> Path:
        return self.folder / "jobs" / f"{key}.json"


def write(path: Path, data: bytes) -> None:
    """Write a file as `write_whole` does.

    Raises:
        EnvironmentFault: It cannot be written.
    """
    try:
        write_whole(path, data, _WRITING)
    except OSError as error:
        raise EnvironmentFault(f"cannot write {path}: {error.strerror}; fix that and run it again.") from None


@contextlib.contextmanager
def open_store(folder: Path, settings: Settings, *, seeded: bool) -> Iterator[Store]:
    """Open a folder for a new grading, or to continue one, and hold its lock meanwhile.

    Half-written files of a killed run are deleted, and `grading.json` is written at once.

    Args:
        folder: Made if it is not there.
        settings: The settings. An older grading keeps its language, and its seed for the files that it has seen.
        seeded: Whether the seed was asked for; then it must be that of the earlier grading.

    Raises:
        UsageError: It holds a grading that is damaged or has other settings, or something else, is a file, or is in
            use by another grading.
        EnvironmentFault: It cannot be written to.
    """
    place = folder / _PLACE
    if folder.is_dir() and not place.is_file() and any(map(_is_foreign, folder.iterdir())):
        raise UsageError(f"{folder} holds something else: give --out an empty folder, or that of an earlier grading.")
    if folder.is_file():
        raise UsageError(f"{folder} is a file: give --out a folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Whatever lies there: a pipe would have this wait, and a link lead elsewhere.
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {folder}: {error.strerror}.") from None
    with os.fdopen(lock, "rb+", buffering=0):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(f"another grading works in {folder}: wait for it, or give another folder.") from None
        for half in (*folder.glob(f"{_WRITING}*"), *folder.glob(f"jobs/{_WRITING}*")):
            half.unlink(missing_ok=True)  # whoever wrote it was killed
        own, seeds = _read_settings(place, settings, seeded) if place.is_file() else (settings, {})
        store = Store(folder, own, settings.data_seed, seeds)
        store.save()
        yield store


def _is_foreign(entry: Path) -> bool:
    """Return whether a file is not one that a grading leaves if it is killed at its start."""
    return entry.name != _LOCK and not entry.name.startswith(_WRITING)


def _read_settings(place: Path, present: Settings, seeded: bool) -> tuple[Settings, dict[str, int]]:
    """Return the settings of an earlier grading, and its seeds by job.

    Raises:
        UsageError: The file is damaged or of another version, or it has another target, backend, package versions or,
            if `seeded`, seed than `present`.
    """
    try:
        record = json.loads(read_plain_file(place, _MOST_BYTES) or b"")
        seeds = codec.build_record(dict[str, int], record.pop("seeds", {}))
        is_present_version = record.pop("schema_version") == VERSION
        earlier = codec.build_record(Settings, record) if is_present_version else present
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f"{place} is damaged: give --out another folder.") from None
    if not is_present_version:
        raise UsageError(f"{place} is from another version of the harness: give --out another folder.")
    for name in ("target", "backend", "versions", *(["data_seed"] if seeded else [])):
        before, now = getattr(earlier, name), getattr(present, name)
        if before != now:
            raise UsageError(
                f"{place.parent} holds a grading with {name} {before}, not {now}: give --out another folder."
            )
    return earlier, seeds
