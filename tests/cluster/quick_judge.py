"""For a worker's `DASK_DISTRIBUTED__WORKER__PRELOAD`: judges that need no compiler; see `tests.grading.judges`.

A file says `seconds = 0.5` for how long its judge takes. Who judges what is told line by line in $JUDGED.
"""

from __future__ import annotations

import os
import re
import time

from harness.grading import judge
from harness.process.box import StoppedError
from tests.grading.judges import say


def quick(job, settings, box, cache, stop):
    """The verdict that the file names, after the time that it names."""
    with open(os.environ["JUDGED"], "a") as told:
        told.write(f"{os.getpid()} begins {job.key}\n")
    deadline = time.monotonic() + float((re.search(r"seconds = ([\d.]+)", job.text) or ["", "0"])[1])
    while time.monotonic() < deadline:
        if stop():
            raise StoppedError
        time.sleep(0.01)
    if "fault = 1" in job.text:
        raise RuntimeError("this machine is broken")
    with open(os.environ["JUDGED"], "a") as told:
        told.write(f"{os.getpid()} ends {job.key}\n")
    return say(job)


def dask_setup(_worker):
    """Called by Dask in a worker."""
    judge.judge = quick
