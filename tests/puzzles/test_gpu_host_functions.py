"""On a GPU: host functions called natively, on guarded memory, with what they launched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.backends.base import Request
from harness.cases import pipeline
from harness.cases.runner import Runner
from harness.catalogue import CASES, find_case
from harness.model.sources import Sources
from tests.puzzles.alike import alike, random_inputs

pytestmark = pytest.mark.gpu


called = pytest.mark.parametrize("entry", [case for case in CASES if case.called], ids=lambda case: case.id)


@called
def test_host_functions_are_called_on_the_gpu(target, entry):
    """Alone: a graph that a case has too is another way to it."""
    plan = pipeline.plan(target.name, "max")
    (report,) = pipeline.run([replace(entry, graph=None)], plan=replace(plan, data_seed=1), sources=Sources()).cases

    assert (report.verdict, report.reason) == ("PASS", "")


@called
def test_simulator_and_gpu_agree_on_what_they_leave(target, entry):
    """On 50 random inputs bit for bit, or nearly where the hardware fuses what it multiplies with what it adds."""
    entry = replace(entry.simulated, graph=None)
    instance = entry.instance(target.warp_width)
    instance = replace(instance, datasets=random_inputs(entry, instance))
    left = []
    for where in ("max", "simulator"):
        with Runner([entry], pipeline.plan(target.name, where), Sources()) as runner:
            backend = runner.backend_for(entry)
            requests = [Request(case=entry, instance=instance, dataset=dataset) for dataset in instance.datasets]
            left.append([backend.launch(request) for request in requests])

    for dataset, hardware, simulated in zip(instance.datasets, *left, strict=True):
        assert (hardware.failure, simulated.failure) == (None, None)
        for buffer in instance.results:
            ours, theirs = simulated.results[buffer.name].values, hardware.results[buffer.name].values
            assert alike(entry, buffer.name, theirs, ours), f"{buffer.name} differs for {dataset.name}"


def test_another_launch_is_told_on_the_gpu(target, tmp_path: Path):
    """Half of the grid is enough for the result, and no other than the documented one passes."""
    text = Sources().kernel_file(find_case("p17")).read_text()
    file = tmp_path / "p17.mojo"
    file.write_text(text.replace("grid_dim=BLOCKS_PER_GRID", "grid_dim=(1, 1)"))
    plan = pipeline.plan(target.name, "max")
    entry = replace(find_case("p17"), graph=None)
    (report,) = pipeline.run([entry], plan=plan, sources=Sources(overrides={"p17": file})).cases

    assert report.verdict == "MISMATCH"
    assert any(found.id == "check.made.other" for found in report.findings), report.reason
