"""Timing without a GPU: statistics, data, selection and reports."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace

import numpy as np
import pytest

from harness.backends import devices
from harness.bench import plot, report, run
from harness.bench.clocks import ClockMonitor
from harness.bench.gpu import LoadedGraph, choose_batch
from harness.bench.peers import Peers
from harness.bench.report import Measurement, Results
from harness.bench.stats import StopRule, Timing, summarise, take_samples
from harness.bench.work import SIZES, Periodic, format_size, make_graph, select_graphs, select_host_cases
from harness.build import toolchain
from harness.catalogue import CASES, KNOWN, find_case
from harness.catalogue.scaled import ScaledCase
from harness.cli.main import main
from harness.errors import EnvironmentFault, UsageError
from harness.model.target import Target

NVIDIA = Target.parse("nvidia:sm_90")


def test_the_median_lies_in_its_interval():
    """LaunchOrder statistics bound the median, and an outlier does not move it."""
    timing = summarise([*range(1, 100), 10_000])
    assert timing.low <= timing.median <= timing.high
    assert (timing.median, timing.best, timing.samples) == (50.5, 1, 100)
    assert 38 <= timing.low <= 42
    assert 59 <= timing.high <= 63
    assert summarise([3.0]) == Timing(3.0, 3.0, 3.0, 3.0, 1)


def test_the_interval_covers_the_median_as_often_as_it_says():
    """About 95 of 100 intervals hold the true median of what is sampled."""
    generator = np.random.default_rng(1)
    timings = [summarise(generator.exponential(1.0, 51)) for _ in range(400)]
    covered = sum(timing.low <= np.log(2) <= timing.high for timing in timings)
    assert 0.93 * 400 <= covered <= 400


def test_sampling_stops_when_the_interval_is_narrow():
    """Equal samples end at the least number, noisy ones at the most."""
    assert take_samples(lambda: 5.0, StopRule(least=7)).samples == 7
    noisy = iter(np.tile([1.0, 9.0], 1000))
    assert take_samples(lambda: next(noisy), StopRule(most=40, seconds=60)).samples == 40


def test_rates_are_in_terabytes_per_second():
    """4 TB in a second."""
    assert summarise([1e6]).rate(4 * 10**12) == pytest.approx(4.0)


SCALED = [entry.id for entry in KNOWN if isinstance(entry, ScaledCase)]


@pytest.mark.slow
@pytest.mark.parametrize("name", SCALED)
def test_expected_results_match_a_direct_computation(name):
    """The periodic data's closed forms agree with NumPy over the whole input."""
    data = Periodic()
    for work in select_graphs([name], NVIDIA, (2**12, 2**24)):
        values = np.resize(data.values, work.size // 4).reshape(work.tensors[1].shape)
        direct = (np.sum if work.entry.reduces == "sum" else np.max)(values.astype(np.float64), -1, keepdims=True)
        assert data.expected(work).shape == work.tensors[0].shape and (data.expected(work) == direct).all()
    assert data.expected(work).size == 1 or np.unique(data.expected(work)).size > 5


PEERED = [entry for entry in KNOWN if "cupy" in entry.peers]


@pytest.mark.parametrize("entry", PEERED, ids=lambda entry: entry.id)
def test_a_peer_does_the_same_work(entry):
    """CuPy's part is NumPy's as well: it takes the first input, and fills what has the output's shape."""
    instance = entry.instance(32)
    for dataset in instance.datasets:
        expected = entry.expected(dataset, 32)["output"]
        if getattr(entry, "again", None):  # what is timed makes one number of them
            expected = expected.sum(keepdims=True)
        output = np.empty(expected.shape, np.float32)
        entry.peers["cupy"](np, dataset.inputs[instance.inputs[0].name], output)()
        assert np.array_equal(output, expected), dataset.name


def test_a_case_without_a_peer_is_timed_alone(monkeypatch):
    """And what is not installed is left out, though a case says how it would do the work."""
    monkeypatch.setattr(Peers, "_load", lambda self, name: self.versions.setdefault(name, "missing") and None)
    (alone,), (peered,) = (select_graphs([name], NVIDIA) for name in ("p01", "p15"))

    assert alone.entry.peers == {} and peered.entry.peers
    assert Peers(0).make_peers(alone, np.zeros(4)) == Peers(0).make_peers(peered, np.zeros((4, 6))) == []


@pytest.mark.slow
def test_selection():
    """Every documented case once and every scaled one at every size; clusters only where they are."""
    everything = select_graphs([], NVIDIA)
    assert len(everything) == sum(not case.called for case in CASES) + len(SCALED) * len(SIZES)
    assert len({work.graph for work in everything}) == len(everything)
    assert [work.case for work in select_graphs(["p26"], NVIDIA)] == [case.id for case in CASES if case.puzzle == "p26"]
    assert not [work for work in select_graphs([], Target.parse("amd:gfx942")) if work.case.startswith("p34")]
    with pytest.raises(UsageError, match="p15@scale"):
        select_graphs(["p15@scal"], NVIDIA)


@pytest.mark.slow
def test_functions_of_the_host_are_timed_too():
    """Each documented case is timed one way or the other, and asked for by its puzzle as well."""
    timed = [work.case for work in select_graphs([], NVIDIA) if not work.scaled] + [
        entry.id for entry in select_host_cases([], NVIDIA)
    ]
    assert sorted(timed) == sorted(entry.id for entry in CASES)
    for puzzle in dict.fromkeys(entry.puzzle for entry in CASES if entry.called):
        mine = {entry.id for entry in CASES if entry.puzzle == puzzle}
        works = {work.case for work in select_graphs([puzzle], NVIDIA)}
        assert works | {entry.id for entry in select_host_cases([puzzle], NVIDIA)} == mine, puzzle


def test_a_long_launch_is_timed_in_short_batches():
    """One of them each where a hundred would take minutes, and still a hundred of the short ones."""
    assert [choose_batch(milliseconds) for milliseconds in (0.002, 0.5, 1.0, 20.0, 1500.0)] == [100, 100, 50, 2, 1]
    assert choose_batch(0.0) == 100  # below what the clock resolves


class Held:
    """A buffer, on the host."""

    def __init__(self, values):
        self.values = values

    def to_numpy(self):
        return self.values


@pytest.mark.parametrize("name", ["p31:minimal", "p04", "p27:histogram"])
def test_what_is_timed_is_right_within_its_bound(name):
    """What is updated in place is looked at after one execution, inputs are given though they may be written, and what
    an oracle masks may hold anything."""
    entry = find_case(name).simulated
    data = entry.instance(32).datasets[0]
    expected = entry.expected(data, 32)
    gpu = SimpleNamespace(
        empty=lambda shape, dtype: Held(np.zeros(shape, dtype)), device=SimpleNamespace(synchronize=lambda: None)
    )
    work = make_graph(entry, NVIDIA, entry.op)
    loaded = LoadedGraph(gpu, work, None, {held: Held(array) for held, array in data.inputs.items()}, expected)
    given = {tensor.name: buffer.values for tensor, buffer in zip(work.tensors, loaded.arguments, strict=True)}
    assert all(given[held] is array for held, array in data.inputs.items())
    assert loaded.describe_error(once=True)

    for at, tensor in enumerate(work.tensors):
        if tensor.name in expected:
            loaded.arguments[at] = Held(np.ma.filled(expected[tensor.name], 7).astype(tensor.dtype))
    assert loaded.describe_error() == loaded.describe_error(once=True) == ""


@pytest.mark.parametrize(("got", "right"), [(-np.inf, True), (np.inf, False), (0.0, False), (np.nan, False)])
def test_what_is_to_be_infinite_is_right_where_it_is(got, right):
    """A maximum of nothing but infinities, say: their difference is no number."""
    entry = find_case("p04")
    gpu = SimpleNamespace(
        empty=lambda shape, dtype: Held(np.full(shape, got, dtype)), device=SimpleNamespace(synchronize=lambda: None)
    )
    work, inputs = make_graph(entry, NVIDIA, entry.op), entry.instance(32).datasets[0].inputs
    given = {name: Held(array) for name, array in inputs.items()}
    expected = {tensor.name: np.full(tensor.shape, -np.inf) for tensor in entry.instance(32).results}
    assert (LoadedGraph(gpu, work, None, given, expected).describe_error() == "") == right


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_what_the_documents_time_compiles_without_a_gpu(tmp_path, capsys):
    """Kernels at their full size, one of every launch, and functions of the host; for the documents' `--benchmark`."""
    asked = ["p24", "p30", "p31", "p32", "p35", "p23:tiled"]
    assert main(["bench", *asked, "--build", str(tmp_path / "x.mef"), "--target", "nvidia:sm_90"]) == 0
    said = capsys.readouterr().out
    assert (tmp_path / "x.mef").stat().st_size > 0
    assert said.endswith("what calls p23:tiled, p24:functional is in the cache\n")


def test_what_is_timed_holds_its_scalars_as_constants():
    """A replay has no more arguments than the kernel has tensors."""
    held = {}
    for work in select_graphs(["p15", "p26:pair-swap", "p34"], NVIDIA):
        (call,) = work.spec.calls
        held[work.case] = call.scalars
        assert len(work.spec.buffers) == len(work.launches[0][0].instance.tensors)
    assert (held["p15"], held["p34:reduction"]) == ((("int32", 6),), (("int32", 1024),))
    assert not held["p26:pair-swap"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--bild x", "unknown flag '--bild': did you mean '--build'?"),
        ("--largest 0", "puzzles bench: argument --largest: must be a whole number above 0, but is '0'"),
        ("--build x p155", "unknown case 'p155': did you mean 'p15'?"),
        ("--language kr", "unknown language 'kr'"),
    ],
)
def test_it_is_refused_as_other_commands_are(words, said, capsys):
    assert main(["bench", *words.split()]) == 2
    assert capsys.readouterr().err.startswith(f"error: {said}")


def test_without_a_gpu_it_says_so(monkeypatch, capsys):
    """One sentence and the exit code of a lacking environment."""
    monkeypatch.setattr(devices, "discover", list)
    assert main(["bench"]) == 3
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "error: there is no GPU here that MAX can use, so there is nothing to time.\n"


def test_the_first_gpu_that_max_builds_for_is_the_only_one_that_is_seen(monkeypatch):
    """By the engine, the peers and the calls of host functions; the clocks are read of the same one."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,3")
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "FASTEST_FIRST")
    second = devices.Device("H200", NVIDIA, 1, bus_index=3)
    monkeypatch.setattr(devices, "discover", lambda: [second])
    seen = []

    def read_clocks(index):
        seen.append((index, os.environ["CUDA_VISIBLE_DEVICES"], os.environ["CUDA_DEVICE_ORDER"]))
        raise EnvironmentFault("enough seen.")

    monkeypatch.setattr(run, "ClockMonitor", read_clocks)
    monkeypatch.setattr(run, "select_graphs", lambda *_: ())
    monkeypatch.setattr(run, "select_host_cases", lambda *_: ())

    assert main(["bench"]) == 3
    assert seen == [(3, "3", "PCI_BUS_ID")]


def _results() -> Results:
    timing = summarise([10.0, 11.0, 12.0])
    return Results(
        environment={"device": "a GPU"},
        first={"load": 1.5},
        measured=[
            Measurement("p15", 96, "engine", "host", timing),
            Measurement("p15", 96, "replay", "host", timing),
            Measurement("p15", 96, "replay", "device", timing),
            Measurement("p34:reduction", 4096, "engine", "host", timing),
            Measurement("p15@scale", 2**20, "replay", "cold", timing),
            Measurement("p15@scale", 2**31, "replay", "cold", timing),
            Measurement("p15@scale", 2**31, "torch", "cold", timing),
        ],
        transfers=[{"way": "host to device", "what": "staging buffer", "size": 4096, "GB/s": 1.0, "us": 4.1}],
        notes=["triton: missing"],
    )


def test_reports(tmp_path):
    """Tables leave a dash where nothing was timed; the JSON holds every timing."""
    text = report.format_markdown(_results())
    assert "| 1 MiB | 11.0 (0.10) | - |" in text
    assert "| p15 | 11.00 | 11.00 |\n| p34:reduction | 11.00 | - |" in text
    assert "| p15 | 11.00 |\n| p34:reduction | - |" in text, "the GPU's own time"
    assert "| 4 KiB | 1.00 (4.1) |" in text
    assert "- triton: missing" in text
    report.write_json(_results(), tmp_path / "x.json")
    read = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert read["measured"][0]["timing"]["samples"] == 3
    assert [format_size(size) for size in (96, 4096, 2**31)] == ["96 B", "4 KiB", "2 GiB"]


def test_the_plot_needs_matplotlib(tmp_path):
    """A PNG with it, a sentence without."""
    path = tmp_path / "x.png"
    said = plot.draw_plot(_results(), path, roof=4.8)
    assert path.is_file() or said == "no plot: matplotlib is not installed."
    assert plot.draw_plot(Results(), path, roof=4.8).startswith("no plot")


def test_clocks_without_a_gpu():
    """Readings are None where there is no management library, and numbers where there is."""
    watch = ClockMonitor()
    reading = watch.read()
    assert reading is None or reading.sm_mhz > 0
    assert isinstance(watch.throttled, tuple)


def test_transfers_are_the_harness_s_own(monkeypatch):
    """Each way at each size, on the host instead of a GPU; what does not come back as it was sent is an error."""
    from max import driver

    from harness.backends.staging import Staging
    from harness.bench import transfers

    sizes = (2**12, 2**16)
    monkeypatch.setattr(transfers, "SIZES", sizes)
    monkeypatch.setattr(transfers, "PAGEABLE_LIMIT", 2**12)
    monkeypatch.setattr(transfers, "_RULE", StopRule(least=2, most=2, seconds=0.0))
    gpu = SimpleNamespace(device=driver.CPU())
    measured = list(transfers.measure_transfers(gpu, None))
    ways = ["host to device", "device to host"]
    own = [(way, what) for what in ("staging buffer", "ordinary array") for way in ways]
    engine = [("host to device", "Buffer.from_numpy"), ("device to host", "Buffer.to_numpy")]
    assert [(transfer.way, transfer.what, transfer.size) for transfer in measured] == [
        *((*way, sizes[0]) for way in own + engine),
        *((*way, sizes[1]) for way in own),
    ]
    assert all(transfer.rate > 0 for transfer in measured)

    monkeypatch.setattr(Staging, "download", lambda self, buffer, out=None: out)
    with pytest.raises(RuntimeError, match="4096 bytes of a staging buffer did not come back"):
        list(transfers.measure_transfers(gpu, None))
