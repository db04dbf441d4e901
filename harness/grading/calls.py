"""What a puzzle's functions of the host do, asked of a box that runs them natively (`harness.grading.call_stage`).

The box gets inputs, drawn here, and no other one is used for it before or after: a program that ran in there could have
left something. All that comes out may be false: it is what the judge follows on a device of its own
(`harness.backends.replay`), and what is wrong in it is wrong of the submission alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.backends.base import Request
from harness.backends.calls import Given, Told, on_its_own
from harness.backends.simulator import given
from harness.build.cache import Cache
from harness.cases.fresh import instance_of
from harness.cases.python_graph import Checked, graph_of
from harness.catalogue import select
from harness.grading.call_stage import LIMITS, STAGE, Call, Called, CallOrder, DataSet
from harness.grading.work import MOST_CODE, WIDEST, HostCall, HostPrograms, Job, Settings
from harness.model.case import Case
from harness.model.sources import PYTHON
from harness.model.target import Target
from harness.process.box import Box, Stop, WarmBoxes
from harness.process.stage import Blame, Done
from harness.simt.plain import one_line

__all__ = ["Asked", "ToldByStep", "asked", "graphs", "lack"]

ToldByStep = Mapping[str, Mapping[int, tuple[Told, ...]]]  # by case, and by the number of the step for each data set


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked of boxes.

    Attributes:
        told: What the calls told.
        failed: What came of the first box that gave no result, if one did not.
        seconds: Of the processor.
        peak_bytes: The most of memory that a process took.
    """

    told: ToldByStep = field(default_factory=dict)
    failed: Done[Any] | None = None
    seconds: float = 0.0
    peak_bytes: int = 0


def asked(
    hosts: HostPrograms, puzzle: str, settings: Settings, box: Box | WarmBoxes, stop: Stop | None = None
) -> Asked:
    """What the calls of a puzzle's cases told.

    Args:
        hosts: From the compile stage.
        puzzle: Whose.
        settings: What is compiled for, and the data.
        box: The kind of box that each program is run in.
        stop: Asked now and then whether the result is not wanted any more.

    Raises:
        EnvironmentFault: No box could be started.
        Stopped: It is not.
    """
    told: dict[str, dict[int, tuple[Told, ...]]] = {}
    seconds, peak = 0.0, 0
    cases = {size.id: size for case in select([puzzle]) for size in case.simulated.sizes}
    for number, program in enumerate(hosts.programs):
        wanted = [
            (cases[name], call) for name, calls in hosts.calls.items() for call in calls if call.program == number
        ]
        if not wanted or sum(map(len, program.kernels.values())) > MOST_CODE:
            continue  # the judge says so
        calls = tuple(_call(case, call, settings) for case, call in wanted)
        order = CallOrder(program=program, target=settings.target, calls=calls, limits=LIMITS)
        done = STAGE.ask(order, _alone(box), stop=stop)
        seconds, peak = seconds + done.cpu_seconds, max(peak, done.peak_bytes)
        if done.result is None or not _is_answer(done.result, calls):
            # It may have ended its box itself, and said that the machine did: our own solution tells.
            blame: Blame = "order" if done.blame == "order" else "stage"
            reason = "its box told what no calls do"
            return Asked({}, replace(done, result=None, blame=blame, reason=done.reason or reason), seconds, peak)
        for (case, call), own in zip(wanted, done.result.told, strict=True):
            told.setdefault(case.id, {})[call.step] = tuple(map(_plain, own))
    return Asked(told, None, seconds, peak)


def _call(case: Case, call: HostCall, settings: Settings) -> Call:
    instance = instance_of(case, Target.parse(settings.target).warp_width, settings.data_seed)
    assert on_its_own(case, instance, call.step)
    sets = (
        _data_set(given(Request(case=case, instance=instance, dataset=dataset), call.step))
        for dataset in instance.datasets
    )
    return Call(case.steps[call.step].name, call.number, tuple(sets))


def _data_set(one: Given) -> DataSet:
    buffers = []
    for buffer in one.buffers:
        octets = buffer.array.reshape(-1).view(np.uint8)
        undefined = np.zeros(len(octets), bool) if buffer.undefined is None else buffer.undefined
        buffers.append((octets.tobytes(), undefined.tobytes()))
    return DataSet(tuple(buffers), tuple(one.scalars))


def _is_answer(result: Called, calls: Sequence[Call]) -> bool:
    """Whether a box's answer is one to these calls, and its findings can be shown."""
    if len(result.told) != len(calls):
        return False
    try:
        _ = [str(found) for own in result.told for one in own for found in one.findings]
    except Exception:  # a stranger's values, in words of ours: whatever there is to go wrong
        return False
    # The last of a call failed, or it is that of the last data set.
    return all(
        own and len(own) <= len(call.sets) and (own[-1].failure is not None or len(own) == len(call.sets))
        for own, call in zip(result.told, calls, strict=True)
    )


def _plain(told: Told) -> Told:
    """What was told, in words that people may be shown; what is printed counts for nothing."""
    failure = told.failure and replace(told.failure, reason=one_line(told.failure.reason)[:WIDEST])
    return replace(told, failure=failure, printed=())


def graphs(job: Job, settings: Settings, box: Box | WarmBoxes, cache: Cache) -> dict[str, Checked]:
    """What became of the graphs that a puzzle's Python builds, by case; it runs in boxes that are used once as well.

    Args:
        job: With the Python, if the puzzle has some.
        settings: What is compiled for.
        box: The kind of box that it is run in.
        cache: Where what it did may be, and goes.

    Raises:
        EnvironmentFault: This machine is to blame, or seems to be.
    """
    file, width = Path(f"{job.puzzle}{PYTHON}"), Target.parse(settings.target).warp_width
    wanted = [case for case in select([job.puzzle]) if case.graph]
    return {case.id: graph_of(case, file, job.python, width, cache, _alone(box)) for case in wanted}


def lack(box: Box | WarmBoxes) -> str:
    """Why nothing of a stranger is run natively in boxes of a kind, in a sentence; empty where it is."""
    if _alone(box).chosen:
        return ""
    return "it runs natively, which without bwrap may read and change results: `--sandbox limits` says that you mean it"


def _alone(box: Box | WarmBoxes) -> Box:
    return box.box if isinstance(box, WarmBoxes) else box
