"""The command `python -m harness bench [CASE ...]`: compile, time everything on one GPU, and write reports."""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.backends import devices
from harness.backends.devices import Device
from harness.bench import graphs, plot, report
from harness.bench.clocks import ClockMonitor
from harness.bench.report import Measurement, Results
from harness.bench.stats import Timing, summarise
from harness.bench.work import SIZES, BenchmarkGraph, Periodic, select_graphs, select_host_cases
from harness.build import toolchain
from harness.build.hosts import HostLibrary, build_host_libraries
from harness.build.unit import Build
from harness.errors import ArtifactError, CompileError, EnvironmentFault
from harness.model import exit_code
from harness.model.case import Case
from harness.model.target import Target
from harness.model.whole_file import replace_file
from harness.programs.native_calls import NativeCalls

__all__ = ["run"]

# Read bandwidth by the vendors' data sheets, in TB/s; another GPU is given with --roof.
ROOFS = {"H200": 4.8, "H100": 3.35, "B200": 8.0, "A100": 2.04, "MI300X": 5.3}
BATCHES, BATCH = 30, 100  # of calls of a function of the host, and calls in each
COPIES = 5  # copies of a documented case's buffers: which slice of the GPU's cache they fall into counts


def run(arguments: argparse.Namespace) -> int:
    """Run the benchmark: write its JSON, Markdown and plot to `arguments.out`, and print the Markdown.

    It runs on the first GPU that MAX builds for. From then on this process sees no other GPU of that vendor.

    With `arguments.build`, a file, it only compiles the graphs into that, for `arguments.target`.

    Returns:
        0; 1 if a result was wrong.

    Raises:
        HarnessError: There is no GPU, or something does not compile or fit.
    """
    if arguments.build:
        return _build(arguments, Target.parse(arguments.target or "nvidia"))
    present = [device for device in devices.discover() if device.target.max_can_build]
    if not present:
        raise EnvironmentFault("there is no GPU here that MAX can use, so there is nothing to time.")
    # All that is timed here takes the first GPU that it sees, which may be another one: of no known target, or faster.
    os.environ.update(devices.restrict_to_gpu(present[0].target.vendor, present[0].index))
    results = _measure(arguments, present[0])
    folder: Path = arguments.out
    folder.mkdir(parents=True, exist_ok=True)
    name = results.environment["device"]
    roof = arguments.roof or next((roof for key, roof in ROOFS.items() if key in name), 1.0)
    if missing := plot.draw_plot(results, folder / "benchmarks.png", roof):
        results.notes.append(missing)
    report.write_json(results, folder / "benchmarks.json")
    text = report.format_markdown(results)
    replace_file(folder / "benchmarks.md", text.encode())
    print(text)
    return exit_code.WRONG if results.checks else exit_code.OK


def _build(arguments: argparse.Namespace, target: Target) -> int:
    """Compile the graphs into a file, and the libraries that call host functions into the cache; print where they are.

    Without graphs no file is written. Returns exit code 0.
    """
    works, hosts = select_graphs(arguments.cases, target), select_host_cases(arguments.cases, target)
    if works:
        replace_file(arguments.build, graphs.build(works, target).read_bytes())
        print(f"graphs for {target} are in {arguments.build}")
    if _build_libraries(hosts, target):
        print(f"what calls {', '.join(case.id for case in hosts)} is in the cache")
    return exit_code.OK


def _build_libraries(hosts: Sequence[Case], target: Target) -> dict[str, dict[int, HostLibrary]]:
    """Build the libraries that call the host functions of cases; return them by case id and step.

    Raises:
        CompileError: One of them does not compile; the first such error.
    """
    libraries = {}
    for name, library in build_host_libraries(hosts, Build(target=target)).items():
        if isinstance(library, CompileError):
            raise library
        libraries[name] = library
    return libraries


def _measure(arguments: argparse.Namespace, device: Device) -> Results:
    """Time all selected work on a GPU, the only one that this process sees, and return the results.

    Scaled work above `arguments.largest` bytes is left out. ArtifactError if a given file of graphs lacks some;
    CompileError if something does not compile.
    """
    target = device.target
    works, hosts = select_graphs(arguments.cases, target), select_host_cases(arguments.cases, target)
    calls = NativeCalls(target, _build_libraries(hosts, target), 0, target.architecture)
    compiled = arguments.graphs or (graphs.build(works, target) if works else None)
    works = tuple(work for work in works if work.size <= arguments.largest or not work.scaled)
    results, monitor = Results(), ClockMonitor(device.bus_index)
    before = monitor.read()
    started = time.perf_counter()
    from harness.bench.gpu import LoadedGraph, TimedGpu

    gpu = TimedGpu()
    results.first["import of the engine and creation of the device"] = (time.perf_counter() - started) * 1000
    models: dict[str, Any] = {}
    if compiled:
        models, results.first["load of the compiled graphs"] = LoadedGraph.load_models(gpu, compiled)
    if missing := [work.graph for work in works if work.graph not in models]:
        raise ArtifactError(f"{compiled} lacks {', '.join(missing)}: make it again with --build.")
    peers = None
    if not arguments.no_peers:
        from harness.bench.peers import Peers

        peers = Peers(gpu.stream)
    results.environment = _describe_environment(gpu, target, peers) | {"driver": monitor.driver}
    data = Periodic()
    longest = max((work.size for work in works if work.scaled), default=0)
    vector = gpu.periodic(data, longest // 4) if longest else None
    for work in works:
        copies = [
            _load(gpu, work, models[work.graph], data, vector, target.warp_width, key)
            for key in range(1 if work.scaled else COPIES)
        ]
        if work.scaled:
            _time_scaled(gpu, work, copies[0], peers, results)
        else:
            _time_documented(gpu, work, copies, peers, results)
        monitor.read()
    del vector
    for case in hosts:
        timing = summarise(calls.timed(case, BATCHES, BATCH))
        results.measured.append(Measurement(case.id, _count_input_bytes(case, target), "called", "host", timing))
    if not arguments.no_transfers:
        from harness.bench import transfers

        for transfer in transfers.measure_transfers(gpu, peers.torch if peers else None):
            row = {"way": transfer.way, "what": transfer.what, "size": transfer.size}
            results.transfers.append(row | {"GB/s": transfer.rate, "us": transfer.timing.median})
    after = monitor.read()
    results.clocks = {
        "SM MHz before": before and before.sm_mhz,
        "SM MHz after": after and after.sm_mhz,
        "slowest SM MHz": monitor.slowest_sm_mhz,
        "memory MHz": after and after.memory_mhz,
        "watts": after and after.watts,
        "°C": after and after.celsius,
        "throttled": monitor.throttled,
    }
    return results


def _count_input_bytes(case: Case, target: Target) -> int:
    return sum(tensor.elements * tensor.dtype.itemsize for tensor in case.geometry(target.warp_width).initialized)


def _load(gpu: Any, work: BenchmarkGraph, model: Any, data: Periodic, vector: Any, width: int, key: int) -> Any:
    from harness.bench.gpu import LoadedGraph

    if work.scaled:
        source = work.tensors[1]
        inputs = {source.name: vector[: work.size // 4].view(vector.dtype, source.shape)}
        return LoadedGraph(gpu, work, model, inputs, {"output": data.expected(work)}, key)
    instance = work.entry.instance(width)
    dataset = instance.datasets[0]
    inputs = {name: gpu.upload(array) for name, array in dataset.inputs.items()}
    return LoadedGraph(gpu, work, model, inputs, work.entry.expected(dataset, width), key)


def _time_documented(gpu: Any, work: BenchmarkGraph, copies: Sequence[Any], peers: Any, results: Results) -> None:
    """Time every method on each copy of the buffers; the middle copy of each method counts.

    Timings, the milliseconds of the first launch, wrong results and a note go into `results`.
    """
    from harness.bench.gpu import choose_batch

    timings_by_method: dict[tuple[str, str], list[Timing]] = {}
    for loaded in copies:
        batch = choose_batch(results.first.setdefault(f"first launch of {work.case}", loaded.time_first()))
        if error := loaded.describe_error(once=True):
            results.checks.append(error)
        loaded.capture()
        calls = {"engine": loaded.execute, "replay": loaded.replay, "bound replay": loaded.bind_replay()}
        calls |= {peer.name: peer.call for peer in _make_peers(work, loaded, peers)}
        for method, call in calls.items():
            timings_by_method.setdefault((method, "host"), []).append(gpu.time_on_host(call, batch))
            timings_by_method.setdefault((method, "device"), []).append(gpu.time_on_device(call, batch))
        two_ways = {"MAX alone": loaded.execute_and_wait, "through the harness": loaded.bind_harness_run()}
        for method, timing in zip(two_ways, gpu.time_in_turns(list(two_ways.values()), 5 * batch), strict=True):
            timings_by_method.setdefault((method, "awaited"), []).append(timing)
        if error := loaded.describe_error():
            results.checks.append(error)
    for (method, how), timings in timings_by_method.items():
        middle = sorted(timings, key=lambda timing: timing.median)[len(timings) // 2]
        results.measured.append(Measurement(work.case, work.size, method, how, middle))
    medians = [timing.median for timing in timings_by_method["replay", "device"]]
    results.notes.append(
        f"{work.case}: a replay takes the GPU {min(medians):.2f} to {max(medians):.2f} µs, "
        f"depending on where its buffers lie ({len(copies)} places)"
    )


def _time_scaled(gpu: Any, work: BenchmarkGraph, loaded: Any, peers: Any, results: Results) -> None:
    """Time each method cold on one scaled case; put timings and a wrong result into `results`, peers that are not exact
    only into its notes. At the smallest size the first launch is also reported.
    """
    first_milliseconds = loaded.time_first()
    if work.size == SIZES[0]:
        results.first[f"first launch of {work.case}"] = first_milliseconds
    loaded.capture()
    rivals = _make_peers(work, loaded, peers)
    calls = {"engine": loaded.execute, "replay": loaded.replay, **{peer.name: peer.call for peer in rivals}}
    for method, call in calls.items():
        results.measured.append(Measurement(work.case, work.size, method, "cold", gpu.time_cold(call)))
    if error := loaded.describe_error():
        results.checks.append(error)
    expected = loaded.expected["output"].ravel()
    for peer in rivals:
        if not (peer.result() == expected).all():
            results.notes.append(f"{peer.name} differs from the exact result of {work.graph}")


def _make_peers(work: BenchmarkGraph, loaded: Any, peers: Any) -> list[Any]:
    source = next(buffer for buffer, tensor in zip(loaded.arguments, work.tensors, strict=True) if not tensor.written)
    return peers.make_peers(work, source) if peers else []


def _describe_environment(gpu: Any, target: Target, peers: Any) -> dict[str, str]:
    facts = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "device": gpu.name,
        "target": target.name,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        **toolchain.package_versions(),
    }
    facts.update(peers.versions if peers else {"peers": "left out"})
    return facts
