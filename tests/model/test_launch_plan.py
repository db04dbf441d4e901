"""The plan of a command's launches: made once, handed on whole, and followed by every simulated launch."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from harness import simt
from harness.catalogue import find_case
from harness.model.launch import Launch
from harness.model.launch_plan import LaunchPlan
from harness.model.launcher import Launcher
from harness.model.target import Target
from harness.programs import Execution, Options, Run, execute_all
from harness.programs import program_plan as programs
from harness.simt.observing.default import ALL

TARGET = Target.parse("nvidia:sm_90")
PLAN = LaunchPlan(TARGET, "simulator")
KERNEL = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %p) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  store i32 %block, ptr %p
  ret void
}
"""


def test_another_process_gets_the_whole_plan():
    plan = replace(PLAN, gpus=(0, 2), left_out=("unwritten",), seed=7, data_seed=8, launch_seconds=2.5, shapes=True)
    facts = json.loads(json.dumps(plan.as_facts()))

    assert facts.keys() == {field.name for field in fields(LaunchPlan)}
    assert LaunchPlan.from_facts(facts) == plan


def test_the_options_of_a_program_are_in_its_plan():
    options = Options(seed=3, engine="native", launch_seconds=9.0, counters=False, profile=True, orders=False)
    plan = options.plan(TARGET, "simulator")

    shared = {field.name for field in fields(Options)} & {field.name for field in fields(LaunchPlan)}
    assert {
        "seed",
        "engine",
        "launch_seconds",
        "counters",
        "profile",
        "orders",
        "shapes",
        "fail_on",
        "workers",
    } == shared
    assert all(getattr(plan, name) == getattr(options, name) for name in shared)


@pytest.mark.parametrize("runs", [1, 3])
def test_what_runs_where_is_decided_once_for_all_programs(runs, monkeypatch):
    chosen, plans = [], []
    choose = programs.choose
    monkeypatch.setattr(programs, "choose", lambda *given, **how: chosen.append(given) or choose(*given, **how))

    def note(plan, _):
        plans.append(plan)
        return Execution(
            file=plan.file, arguments=plan.arguments, target=plan.launches.target, backend="simulator", status=0
        )

    monkeypatch.setattr("harness.programs.many.execute_plan", note)
    files = [Run(Path(f"{number}.mojo"), (str(number),)) for number in range(runs)]
    execute_all(files, target="nvidia:sm_90", jobs=runs, options=Options(workers=8))

    assert len(chosen) == 1
    assert sorted((plan.file.name, plan.arguments) for plan in plans) == [
        (f"{number}.mojo", (str(number),)) for number in range(runs)
    ]
    assert {plan.launches.workers for plan in plans} == {8 // runs}  # of those that run side by side each has its share


def test_a_launch_has_the_seed_the_engine_and_the_limit_of_its_plan():
    launcher = Launcher(plan=replace(PLAN, seed=5, engine="native", workers=2, launch_seconds=3.0))
    options = launcher.options(1)

    assert (options.seed, options.engine, options.workers, options.patience) == (5, "native", 2, 3.0)
    assert launcher.options(1, 8.0).patience == 8.0
    assert launcher.options(options.chunk_lanes + 1).max_seconds == 6.0  # two chunks
    assert (launcher.whole_launch.max_seconds, launcher.whole_launch.patience) == (3.0, None)
    documented = Launcher(plan=replace(launcher.plan, documented_size=True))
    assert documented.options(1).patience == 12.0, "the puzzles' own sizes take longer"


def test_a_launch_has_the_observers_of_its_plan():
    launcher = Launcher(plan=replace(PLAN, left_out=("races", "sync"), profile=True))
    names = {type(observer).__name__ for observer in launcher.observers()}
    expected = {kind.__name__ for name, kind in ALL.items() if name not in ("races", "sync")}

    assert names == {*expected, "Profile"}
    assert {type(observer).__name__ for observer in launcher.observers(counters=False, measured=False)} == {
        *expected
    } - {"Counters"}


def test_a_plan_without_other_orders_launches_once():
    module, launch, orders = simt.decode(KERNEL), Launch(grid=(2, 1, 1), block=(1, 1, 1)), []
    for wanted in (True, False):
        launcher = Launcher(plan=replace(PLAN, orders=wanted))
        result = launcher.launch(
            module,
            None,
            launch,
            [np.zeros(1, np.int32)],
            observers=launcher.observers,
            options=launcher.options(2),
            seeds=(1, 2),
        )
        orders.append(result.orders)

    assert orders == [3, 1]


def test_a_reference_runs_at_the_documented_launch_alone():
    entry = find_case("p15")

    assert replace(PLAN, backend="cpu").sizes(entry) == (entry,)
    assert PLAN.sizes(entry) == entry.sizes and len(entry.sizes) > 1
