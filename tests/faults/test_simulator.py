"""In the simulator every fault gets its verdict, its reason and its place, and harms nothing after it."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.cases import pipeline
from harness.model.sources import ROOT, Sources, display_path
from harness.model.target import Target
from harness.process.worker import Worker
from tests import compiled, learners
from tests.faults.faults import FAULTS, P15
from tests.faults.table import shortened
from tests.faults.trials import Simulated, kill
from tests.processes import children, comes_to

pytestmark = pytest.mark.slow  # together they take five seconds

TARGET = Target.parse("nvidia:sm_90")
HERE = [fault for fault in FAULTS if fault.simulator]

compiles = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


@pytest.fixture(scope="module")
def simulated():
    """The simulator, with the faults compiled, but for those that do not compile."""
    compiled.solutions()
    sound = [fault for fault in HERE if fault.name in learners.LEARNERS]
    texts = {fault.name: learners.code(fault.name, fault.case)["llvm"] for fault in sound}
    here = {fault.name: (texts[fault.name].replace(compiled.HOLE, display_path(fault.file)),) for fault in sound}
    return Simulated(TARGET, here)


@compiles
@pytest.mark.parametrize(
    "fault",
    [pytest.param(fault, marks=[pytest.mark.slow] if fault.name == "endless_loop" else []) for fault in HERE],
    ids=lambda fault: fault.name,
)
def test_the_verdict_is_the_expected_one(simulated, fault):
    """And a correct kernel passes right after it."""
    trial = simulated.run(fault)

    assert fault.simulator.met(trial.verdict, trial.reason), (trial.verdict, trial.reason)
    assert trial.afterwards == ("PASS", "")


@compiles
def test_a_refused_case_takes_no_memory(simulated):
    """Nothing is allocated for buffers that cannot fit."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    (fault,) = [fault for fault in HERE if fault.name == "huge_buffers"]
    simulated.run(fault)

    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 20  # KiB


@compiles
def test_the_whole_pipeline_goes_on_after_a_fault():
    """A fault that ends its launch, then the solution, in one process, through `pipeline.run`."""
    plan = pipeline.plan(TARGET.name, "simulator")
    files = {fault.name: fault.sources for fault in HERE}

    def run(sources):
        return pipeline.run([P15], plan=plan, sources=sources)

    learners.known("trap", files["trap"].kernel_file(P15))
    before = children()  # of tests that share this process
    bad, good = run(files["trap"]), run(Sources())

    assert (bad.cases[0].verdict, bad.exit_code) == ("FINDING", 1)
    assert (good.cases[0].verdict, good.exit_code) == ("PASS", 0)
    assert comes_to(lambda: children() <= before, 5.0)  # a compiler gives its memory back in the background


def test_every_difference_is_explained():
    """And nothing is explained that does not differ."""
    for fault in FAULTS:
        if fault.simulator is not None:
            assert bool(fault.differs) == (fault.gpu.verdict != fault.simulator.verdict), fault.name


def test_an_expectation_can_fail():
    """Another verdict, or a reason in which the expression is not found."""
    (fault,) = [fault for fault in FAULTS if fault.name == "trap"]
    expected = replace(fault.simulator, reason="reached a trap")

    assert expected.met("FINDING", "lanes reached a trap, at ...")
    assert not expected.met("PASS", "lanes reached a trap")
    assert not expected.met("FINDING", "nothing of the kind")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no list of processes in /proc")
def test_a_worker_is_killed_below_its_reaper():
    """What stands between this process and a worker does not hide it, and its end is told as the signal that it was."""
    with Worker("tests.fake_worker", ["hang"]) as worker:
        worker.receive()  # it is ready
        kill("tests.fake_worker")

        assert worker.fate() == "was killed by SIGKILL"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no list of processes in /proc")
def test_children_are_seen():
    """The list that must be empty at the end is not always empty."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    try:
        assert child.pid in children()
    finally:
        child.wait()
    assert child.pid not in children()


def test_the_documents_hold_every_fault():
    """With the verdict that is expected of the simulator, and why hardware differs."""
    text = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    rows = text.partition("## In the simulator")[2].partition("## On an")[0]
    verdicts = dict(re.findall(r"^\| `(\w+)`: [^|]*\| (\w+) \|", rows, re.MULTILINE))

    assert verdicts == {fault.name: fault.simulator.verdict for fault in HERE}
    assert dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE)) == {
        fault.name: fault.differs for fault in FAULTS if fault.differs
    }


def test_a_reason_fits_into_a_cell():
    """One line, no column's end, no data set; long ones are cut between words."""
    assert shortened("documented: a | b\n c; and more") == "a \\| b c"
    assert shortened("word " * 40).endswith("word ...") and len(shortened("word " * 40)) <= 114
