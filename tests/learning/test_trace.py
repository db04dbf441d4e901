"""Traces say what the simulator did."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from harness.backends.base import Request
from harness.cases import frame_check, pipeline
from harness.catalogue import find_case
from harness.learning import trace
from harness.learning.replay import DecodedTrace
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.model.target import Target
from harness.simt.observing.recording import Recorder
from harness.simt.render import Renderer
from tests.learning.traced import CASES, made, put, shown, spoilt, traced

# The modes of p26 are alike.
SOME = [pytest.param(id, marks=pytest.mark.full) if id in CASES[1:3] else id for id in CASES]


@pytest.mark.slow
@pytest.mark.parametrize("id", SOME)
def test_every_step_of_a_trace_holds_what_memory_held(id):
    made, watched = traced(id)
    replay = DecodedTrace(made.data)

    states = [shown(made.data, state.cells) for state in replay.states()]

    assert len(states) == len(watched.snapshots) == made.data["steps"]
    assert states == watched.snapshots
    assert made.data["agrees"] and made.data["verdict"] == "PASS"
    assert made.data["findings"] == [], "nothing is remarked on our own solution, as if it had a fault"


class _Recorded(Exception):
    """Raised in place of a recording."""


class _WrongOnFreshData:
    """A runner whose report says that the first fresh data set is wrong; it notes what it launches."""

    def __init__(self, *_):
        self.backend = SimpleNamespace(launch=LAUNCHED.append)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def find_compile_error(self, _case):
        pass

    def report(self, _case):
        return SimpleNamespace(decisive=SimpleNamespace(name="fresh-1"), ok=False)


LAUNCHED: list[Request] = []


def test_fresh_data_that_decides_is_recorded(monkeypatch):
    """As `watch --page --data-seed 7` asks for it."""

    def stop(*_):
        raise _Recorded

    LAUNCHED.clear()
    monkeypatch.setattr(trace, "Runner", _WrongOnFreshData)
    monkeypatch.setattr(trace, "compile_cases", lambda *_: SimpleNamespace(require=lambda _: None))
    monkeypatch.setattr(trace, "add_cause", lambda report, *_: report)
    monkeypatch.setattr(trace, "_record", stop)
    plan = LaunchPlan(Target.parse("nvidia:sm_90"), "simulator", "", "", data_seed=7)

    with pytest.raises(_Recorded):
        trace.record_case(find_case("p15"), plan=plan, sources=Sources())

    assert [request.dataset.name for request in LAUNCHED] == ["fresh-1"]


OTHERS = ("amd:gfx942", "apple:apple-m4")
PLACES = [
    pytest.param(id, target, marks=pytest.mark.slow if id == CASES[1] else pytest.mark.full)
    for target in OTHERS
    for id in CASES
    if find_case(id).refusal(Target.parse(target)) is None
]


@pytest.mark.parametrize(("id", "target"), PLACES)
def test_code_for_amd_and_apple_is_traced_too(id, target):
    """Verdict of the normal build, values of the debug build; both must have done the same."""
    made, watched = traced(id, target=target)
    states = [shown(made.data, state.cells) for state in DecodedTrace(made.data).states()]

    assert states == watched.snapshots and made.data["target"] == target
    assert made.data["agrees"] and made.data["verdict"] == "PASS"
    assert made.data["findings"] == []
    exchanges = [shuffle for step in DecodedTrace(made.data).steps for shuffle in step.shuffles]
    assert all(shuffle.sources is not None and len(shuffle.lanes) > 0 for shuffle in exchanges)
    assert bool(exchanges) == (find_case(id).puzzle == "p26")
    replay = DecodedTrace(made.data)
    handed = {replay.text(int(value)) for shuffle in exchanges for value in (*shuffle.sent, *shuffle.received)}
    assert all("." in text for text in handed), "floats, where AMD's instruction hands over their bits"


@pytest.mark.slow
def test_a_trace_is_small():
    assert len(traced("p34:reduction")[0].compress()) < 25_000  # 1,024 lanes
    assert len(traced("p15")[0].compress()) < 3_000


@pytest.mark.slow
def test_equal_launches_make_equal_bytes():
    assert traced("p26:pair-swap")[0].compress() == made("p26:pair-swap")[0].compress()


@pytest.mark.slow
def test_named_variables_hold_what_the_kernel_computes():
    data = traced("p26:parallel-max")[0].data
    *_, state = DecodedTrace(data).states()
    names = [variable["name"] for variable in data["variables"]]

    largest = state.variables[names.index("largest")]
    index = state.variables[names.index("global_i")]

    assert {data["texts"][text] for text in largest.values()} == {"1000.0"}
    assert [int(data["texts"][index[lane]]) for lane in range(32)] == list(range(32))


@pytest.mark.slow
def test_shuffles_say_who_gets_what_from_whom():
    data = traced("p26:parallel-max")[0].data
    shuffles = [shuffle for step in DecodedTrace(data).steps for shuffle in step.shuffles]

    for shuffle, offset in zip(shuffles, (16, 8, 4, 2, 1), strict=True):
        assert shuffle.sources is not None
        assert (shuffle.sources == np.arange(32) ^ offset).all()
        assert (shuffle.received == shuffle.sent[shuffle.sources]).all()


@pytest.mark.slow
def test_barriers_and_cluster_barriers_take_all_lanes():
    steps = DecodedTrace(traced("p34:reduction")[0].data).steps
    kinds = [meeting.kind for step in steps for meeting in step.synchronizations if len(meeting.lanes) == 1024]

    assert kinds == ["barrier"] * 9 + ["cluster.arrive", "cluster.wait"]


@pytest.mark.slow
def test_lanes_that_a_branch_leaves_out_are_not_active():
    data = traced("p15")[0].data
    adding = [step for step in DecodedTrace(data).steps if data["lines"][step.line][1] == 75]

    assert [len(step.active) for step in adding] == [16, 8, 4]
    assert adding[0].active.tolist()[:5] == [0, 1, 2, 3, 8]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["p15", pytest.param("p34", marks=pytest.mark.full)])
def test_a_race_has_both_sides_in_the_trace(name, tmp_path):
    file = spoilt(name, tmp_path)
    data = made("p15" if name == "p15" else "p34:reduction", file)[0].data
    race = next(finding for finding in data["findings"] if finding["id"].startswith("race."))

    steps = DecodedTrace(data).steps
    earlier, later = race["sides"]
    assert data["verdict"] == "FINDING" and data["agrees"]
    assert earlier["step"] <= later["step"] and earlier["lane"] != later["lane"]
    for side in (earlier, later):
        accesses = [access for access in steps[side["step"]].accesses if access.buffer == race["buffer"]]
        assert any(
            side["cell"] in access.cells[access.lanes.tolist().index(side["lane"])]
            for access in accesses
            if side["lane"] in access.lanes
        )
    assert earlier["cell"] == later["cell"]


@pytest.mark.slow
def test_a_remark_is_told_of_a_learners_own_kernel_and_of_no_barrier_that_was_handed_out(tmp_path, monkeypatch):
    file = tmp_path / "p15.mojo"
    put("p15", "p15 solved", file)

    def remarks():
        (own,), _ = trace.record_case(
            find_case("p15"), plan=pipeline.plan("nvidia", "simulator"), sources=Sources(overrides={"p15": file})
        )
        return [finding["id"] for finding in own.data["findings"]]

    assert remarks() == ["redundant-barrier.one"]
    monkeypatch.setattr(frame_check, "is_in_frame", lambda *_: True)
    assert remarks() == []


@pytest.mark.slow
def test_wrong_results_have_what_belongs_there_and_who_wrote_them(tmp_path):
    data = made("p15", spoilt("mismatch", tmp_path))[0].data
    replay = DecodedTrace(data)
    *_, state = replay.states()

    (expected,) = data["expected"]
    output = data["buffers"][expected["buffer"]]
    sums = np.arange(24, dtype=np.float32).reshape(4, 6).sum(1)
    assert (output["called"], expected["cells"]) == ("output", [0, 1, 2, 3])
    assert expected["texts"] == list(map(str, sums))
    (wrong,) = [finding for finding in data["findings"] if finding["id"].startswith("check.wrong-value")]
    assert wrong["buffer"] == expected["buffer"] and [side["cell"] for side in wrong["sides"]] == expected["cells"]
    for side in wrong["sides"]:
        written = [access for access in replay.steps[side["step"]].accesses if access.buffer == expected["buffer"]]
        assert any(side["cell"] in access.cells[access.lanes.tolist().index(side["lane"])] for access in written)
        assert data["lines"][replay.steps[side["step"]].line][1] == side["line"]
        assert replay.text(state.cells[expected["buffer"]][side["cell"]]) != expected["texts"][side["cell"]]


@pytest.mark.full
def test_arrivals_and_waits_at_barriers_in_shared_memory_are_steps():
    (trace_of_p29,), _ = trace.record_case(
        find_case("p29:double-buffer"), plan=pipeline.plan("nvidia", "simulator"), sources=Sources()
    )
    steps = DecodedTrace(trace_of_p29.data).steps
    met = [(meeting.kind, len(meeting.lanes)) for step in steps for meeting in step.synchronizations]

    phases = [kind for kind in met if kind[0].startswith("mbarrier")]
    assert phases and phases == [("mbarrier.arrive", 1024), ("mbarrier.wait", 1024)] * (len(phases) // 2)
    assert {step.kind for step in steps if step.synchronizations} >= {"barrier", "mbarrier.arrive", "mbarrier.wait"}


@pytest.mark.slow
def test_lanes_wait_where_others_miss_a_barrier(tmp_path):
    data = made("p34:reduction", spoilt("deadlock", tmp_path))[0].data
    last = DecodedTrace(data).steps[-1]

    assert data["findings"][0]["id"] == "deadlock"
    assert [side["lane"] for side in data["findings"][0]["sides"]] == [0, None], "thread 0 waits at one of both lines"
    assert set(last.waiting.tolist()) == {256 * block + thread for block in range(4) for thread in range(128)}


@pytest.mark.slow
def test_what_is_too_long_is_cut_and_counted(monkeypatch):
    class Short(Recorder):
        def __init__(self, blocks, dtypes, *limits):
            super().__init__(blocks, dtypes, limit=1)

    monkeypatch.setattr(trace, "Recorder", Short)

    plan = pipeline.plan("nvidia", "simulator")
    data = trace.record_case(find_case("p34:reduction"), plan=plan, sources=Sources())[0][0].data

    assert data["kept"] == 64 < data["steps"] == traced("p34:reduction")[0].data["steps"]
    assert len(DecodedTrace(data).steps) == 64


@pytest.mark.slow
def test_a_trace_is_plain_json():
    data = traced("p15")[0].data

    assert json.loads(json.dumps(data)) == json.loads(json.dumps(data, allow_nan=False))


def test_lines_of_a_file_that_has_become_shorter_begin_within_it():
    """Two lines are left of the three that it had when its code was compiled."""
    show = Renderer(source=lambda _: ["def kernel():", "    pass"])

    assert trace._first_line(show, "k.mojo", [("k.mojo", 3)]) == 1
    assert trace._first_line(Renderer(source=lambda _: []), "k.mojo", [("k.mojo", 3)]) == 3
