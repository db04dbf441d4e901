"""`python -m tests.benchmarks.cluster`: a real scheduler, 200 workers that sleep, and 10,000 submissions.

What a file takes is drawn from those of a class that was graded for real (`--times`, the folder of its results); its
judge sleeps as long, and answers with a report and compiled code of a real size. All else is real: the scheduler's
process, orders and answers, artifacts by content, and at the end every result is compared with what it had to be. The
workers are in few processes, each with a thread of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from harness.build.cache import Cache
from harness.cluster import grading, orders, resources
from harness.cluster.orders import Cluster
from harness.grading import judge
from harness.grading.work import Job, JobResult, ModeResult, Settings
from harness.model.sources import MOJO, ROOT
from tests.cluster.farm import Farm

SETTINGS = Settings(target="nvidia:sm_90", backend="simulator", data_seed=5, versions={"mojo": "1"})
PROCESSES = 4


def sleeping(job: Job, settings: Settings, box: object, cache: Cache, stop: object) -> JobResult:
    """The judge: it takes the time that stands in the file, and leaves code of the size that stands there."""
    facts = json.loads(job.text.rpartition("# ")[2])
    key = judge.code_key(job, settings)
    if facts["code"] and cache.get(key, judge.CODE) is None:
        cache.put(key, {"codes": code(facts["number"], facts["code"])})
    time.sleep(facts["seconds"])
    return expected(job)


def code(number: int, size: int) -> bytes:
    """As much as the code of a kernel, and as hard to compress: real assembly, and digits."""
    text = (MOJO / "p26" / "solution.mojo").read_text() * (size // 8000 + 1)
    return (f"{number}\n" + text[: size * 3 // 4] + random.Random(number).randbytes(size // 8).hex()).encode()[:size]


def expected(job: Job) -> JobResult:
    """The result of a file, with the lines of a real report."""
    key = job.key
    lines = tuple(f"{key}: line {number} of what a learner is told, as long as such are" for number in range(8))
    modes = (ModeResult(case=case, verdict="PASS", lines=lines, passed=10, total=10) for case in job.cases)
    return JobResult(key=key, modes=tuple(modes), people=job.people)


async def served(address: str, count: int) -> None:
    """Works for a scheduler, as many workers as are asked for in this process."""
    import dask
    from distributed import Worker

    logging.getLogger("distributed").setLevel(logging.ERROR)
    judge.judge = sleeping
    offer = resources.Offer(what=resources.SIMULATOR, slots=1, device="sleeps").resources
    # What each worker does now and then for itself, fifty times a second at that, would be most of what 200 here do.
    rare = {"distributed.admin.tick.interval": "5s", "distributed.admin.tick.limit": "60s"}
    rare |= {"distributed.admin.system-monitor.interval": "10s"}
    with dask.config.set({"distributed.worker.http.routes": [], "distributed.worker.profile.enabled": False, **rare}):
        workers = [
            Worker(
                address,
                nthreads=1,
                resources=offer,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
            )
            for _ in range(count)
        ]
    await asyncio.gather(*workers)
    print("ready", flush=True)
    await asyncio.gather(*(worker.finished() for worker in workers))


def drawn(times: list[float], count: int, speed: float, size: int) -> Iterator[Job]:
    """Files, each another one."""
    generator, text = random.Random(13), (MOJO / "p26" / "solution.mojo").read_text()
    for number in range(count):
        facts = {"seconds": round(generator.choice(times) / speed, 4), "code": size, "number": number}
        # A comment would not count: what is equal but for comments is one job.
        yield Job("p26", f"{text}\ncomptime PERSON = {number}\n# {json.dumps(facts)}")


def main() -> int:
    """Measures once; status 1 if a result is missing, given twice or another one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=Path, metavar="DIR", help="what `grade --out DIR` left (default: no time)")
    parser.add_argument("--workers", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=10_000)
    parser.add_argument("--speed", type=float, default=1.0, help="so many times as fast as recorded")
    parser.add_argument("--ahead", type=int, default=orders.ORDERS_PER_SLOT, help="orders under way for each worker")
    parser.add_argument("--code", type=int, default=0, help="bytes of code that each file is compiled to")
    parser.add_argument("--serve", nargs=2, metavar=("ADDRESS", "COUNT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        asyncio.run(served(arguments.serve[0], int(arguments.serve[1])))
        return 0
    orders.ORDERS_PER_SLOT = arguments.ahead
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    jobs = list(drawn(recorded(arguments.times), arguments.jobs, arguments.speed, arguments.code))
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        return measured(arguments, jobs, Path(folder))


def recorded(folder: Path | None) -> list[float]:
    """Seconds of the processor that each file of a graded class took, in its compiler and its judge."""
    if folder is None:
        return [0.0]
    results = [json.loads(path.read_bytes()) for path in sorted((folder / "jobs").iterdir())]
    return [result["compile_seconds"] + result["judge_seconds"] for result in results if result["judge_seconds"]]


def measured(arguments: argparse.Namespace, jobs: list[Job], folder: Path) -> int:
    """Runs and tells."""
    wanted = {job.key: expected(job) for job in jobs}
    with Farm(folder, judge=None, settings={"HARNESS_CACHE": str(folder / "theirs")}) as farm:
        scheduler = psutil.Process(farm.scheduler().pid)
        command = [sys.executable, "-m", "tests.benchmarks.cluster", "--serve", farm.address]
        counts = [arguments.workers // PROCESSES + (at < arguments.workers % PROCESSES) for at in range(PROCESSES)]
        serving = [
            subprocess.Popen([*command, str(count)], cwd=ROOT, env=farm.environment, stdout=subprocess.PIPE)
            for count in filter(None, counts)
        ]
        try:
            for worker in serving:
                assert worker.stdout is not None
                worker.stdout.readline()
            processes = {"scheduler": [scheduler], "workers": [psutil.Process(worker.pid) for worker in serving]}
            wrong, seconds, first = 0, 0.0, 0.0
            with Cluster(farm.address, 1, Cache(folder / "mine")) as cluster:
                assert cluster.sum_resources()[resources.SIMULATOR] == arguments.workers
                before = {name: used(some) for name, some in processes.items()} | {"client": own()}
                begun, most = time.perf_counter(), 0
                left = dict(wanted)
                results = grading.judge_files(jobs, SETTINGS, "limits", cluster, [resources.SIMULATOR])
                with contextlib.suppress(KeyboardInterrupt):  # whoever has enough is told how far it was
                    for done, result in enumerate(results):
                        first = first or time.perf_counter() - begun
                        wrong += left.pop(result.key, None) != result
                        most = max(most, scheduler.memory_info().rss) if done % 100 == 0 else most
                seconds = time.perf_counter() - begun
            after = {name: used(some) for name, some in processes.items()} | {"client": own()}
        finally:
            for worker in serving:
                worker.kill()
                worker.communicate()
    answered = [job for job in jobs if job.key not in left]
    slept = sum(json.loads(job.text.rpartition("# ")[2])["seconds"] for job in answered)
    ideal, count = slept / arguments.workers, max(1, len(answered))
    each = {name: (after[name] - before[name]) / count * 1e3 for name in before}
    shares = ", ".join(f"{name} {spent:.2f}" for name, spent in each.items())
    print(
        f"{arguments.workers} workers, {len(jobs)} files of {slept / count:.2f} s, {arguments.ahead} ahead, "
        f"{arguments.code} bytes of code: {seconds:.1f} s, {count / seconds:.0f} files/s, busy "
        f"{ideal / seconds:.2f}; CPU ms a file: {shares}; first after {first:.2f} s; scheduler {most >> 20} MiB; "
        f"{len(wanted) - len(left)} answered once, {len(left)} missing, {wrong} wrong",
        flush=True,
    )
    return 1 if wrong or left else 0


def used(processes: list[psutil.Process]) -> float:
    """Seconds of the processor that some processes took."""
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def own() -> float:
    """Those of this process."""
    taken = resource.getrusage(resource.RUSAGE_SELF)
    return taken.ru_utime + taken.ru_stime


if __name__ == "__main__":
    os.environ.setdefault("HARNESS_CACHE", tempfile.gettempdir())
    sys.exit(main())
