"""Which graphs are compiled, which are found again, and what a broken file costs."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.build import generate, graphs, stage, toolchain
from harness.build.cache import Cache
from harness.build.graphs import build_graphs
from harness.build.max_compiler import GraphProduct, GraphSpec, OpCall
from harness.build.mlir import format_parameter, format_tensor_type
from harness.build.unit import Build, make_units
from harness.catalogue import CASES, find_case
from harness.catalogue.scaled import CASES as SCALED_CASES
from harness.catalogue.scaled import row_max
from harness.errors import ArtifactError, CompileError, CompileTimeout, EnvironmentFault
from harness.model.case import TensorArgument
from harness.model.sources import MOJO, Sources, find_reference
from harness.model.target import Target
from harness.process import channel
from harness.process.child import Child
from harness.process.python import module_command
from tests import compiled as in_cache

pytestmark = pytest.mark.slow  # together they take three seconds

SM_90, GFX942, APPLE = (Target.parse(name) for name in ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4"))
LAUNCHED = [entry.id for entry in CASES if entry.kernel_steps]
CALLED = [entry.id for entry in CASES if entry.graph]  # what else a host function does has no graph
NAMED_ALIKE = "p20"  # its op has the name of that of p17
IDS = [*LAUNCHED, *CALLED]
P26 = [name for name in IDS if name.startswith("p26")]


def test_the_cases_here_are_of_either_kind():
    """What is asserted below of each kind is asserted of something."""
    assert {"p14:complete", "p15", "p34:reduction", *P26} < set(LAUNCHED) and {"p17", "p18"} <= set(CALLED)
    assert P26[:3] == ["p26:pair-swap", "p26:parallel-max", "p26:conditional-max"]
    assert not set(LAUNCHED) & set(CALLED) and "p09:first-case" not in IDS


def mlir(spec: GraphSpec, device: str) -> str:
    """The text of a graph as far as it is read: of an op that gives results all of it."""
    if spec.calls[0].results:
        return called(spec, device)
    calls = []
    for call in spec.calls:
        listed = ", ".join(f"{key} = {value} : index" for key, value in call.parameters.items())
        calls.append(f'mo.custom [symbol = "{call.op}", parameters = {{{listed}}}]')
    return f"mo.graph @{spec.name}() {{ {' '.join(calls)} }}"


def called(spec: GraphSpec, device: str) -> str:
    (call,) = spec.calls
    takes = [
        format_tensor_type(TensorArgument("", "input", shape, np.dtype(dtype)), device)
        for shape, dtype, _ in spec.buffers
    ]
    (gives,) = [
        format_tensor_type(TensorArgument("", "output", shape, np.dtype(dtype)), device)
        for shape, dtype in call.results
    ]
    listed = ", ".join(f"{name} = {format_parameter(value)}" for name, value in call.parameters.items())
    kind, number = device.split(":")
    op = f'symbol = "{call.op}", device = #M.device_ref<"{kind}", {number}>, parameters = {{{listed}}}'
    names = [f"%arg{number}" for number in call.buffers]
    inputs = ", ".join(f"{name}: {form}" for name, form in zip(names, takes, strict=True))
    return f"""mo.graph @{spec.name}({inputs}) -> {gives} {{
  %0 = mo.chain.create()
  %1 = mo.custom [{op}]({", ".join(names)}) : ({", ".join(takes)}) -> {gives}
  mo.output %1 : {gives}
}}"""


@pytest.fixture
def build(tmp_path):
    return Build(target=SM_90, cache=Cache(tmp_path / "cache"))


@pytest.fixture
def compiled(monkeypatch):
    """Replaces the compiler by one that records what it was asked, and may refuse cases or files of kernels."""
    asked: list[list[str]] = []
    broken: set[str] = set()

    class Compiler:
        def __init__(self, build):
            self.device = "cpu:0" if build.reference else "gpu:0"

        def close(self):
            pass

        def compile(self, job, who) -> GraphProduct:
            names = [spec.name for spec in job.graphs]
            asked.append(names)
            time.sleep(0.05)
            if broken & set(names):
                folder = Path(job.packages[0]).parent
                (file,) = (folder / stage.STAGED).rglob("p26.mojo")  # in a package with others, or alone
                inside = file.relative_to(folder / stage.STAGED)
                place = folder / "src" / (inside if len(inside.parts) > 1 else Path("p26", "__init__.mojo"))
                outer = "error: could not elaborate the generated KGEN"
                return GraphProduct({}, f"{place}:7:1: error: broken\n{outer}")
            Path(job.out).write_text(" ".join(names))
            return GraphProduct({spec.name: mlir(spec, self.device) for spec in job.graphs})

    def precompile(source, package, folder, origin=None, limits=None):
        if broken & {package, *(file.stem for file in source.glob("*.mojo"))}:
            raise CompileError(f"{package} does not compile", "broken")

    monkeypatch.setattr(stage, "_Compiler", Compiler)
    monkeypatch.setattr(toolchain, "precompile", precompile)
    return asked, broken


def ops(*names: str) -> list[str]:
    return [find_case(name).op for name in names]


def together(*names: str) -> list[list[str]]:
    """What the compiler is asked for: all in one module, but for an op whose name is another's too."""
    others = [name for name in names if name != NAMED_ALIKE or "p17" not in names]
    return [ops(*some) for some in (others, [name for name in names if name not in others]) if some]


def changed(tmp_path: Path, puzzle: str) -> Sources:
    path = tmp_path / f"{puzzle}.mojo"
    path.write_text((MOJO / puzzle / "solution.mojo").read_text() + "# changed\n")
    return Sources(overrides={puzzle: path})


def test_everything_missing_is_compiled_together(compiled, build):
    """One module for all but an op that is named as another; the second time nothing is compiled, nor takes time."""
    asked, _ = compiled
    lines: list[str] = []
    build = replace(build, notify=lines.append)
    built = build_graphs(CASES, build)
    assert asked == together(*IDS) and list(built.artifacts) == IDS
    assert asked[1:] == [ops(NAMED_ALIKE)]
    assert lines == [f"compiling {', '.join(IDS)} for nvidia:sm_90"]
    assert {artifact.mef.read_text() for artifact in built.artifacts.values()} == set(map(" ".join, asked))
    assert built.artifacts["p15"].mef.read_text() == " ".join(ops(*(name for name in IDS if name != NAMED_ALIKE)))
    again = build_graphs(CASES, build)
    assert asked == together(*IDS) and len(lines) == 1 and not again.seconds
    assert again.artifacts == built.artifacts


def test_a_changed_file_costs_its_own_cases(compiled, build, tmp_path):
    """Changing p15 rebuilds p15; another target, the reference or another width rebuilds all."""
    asked, _ = compiled
    build_graphs(CASES, build)
    built = build_graphs(CASES, replace(build, sources=changed(tmp_path, "p15")))
    first = len(together(*IDS))
    assert asked[first:] == [["p15"]] and list(built.seconds) == ["p15"]
    assert sorted(built.artifacts) == sorted(IDS)
    build_graphs(CASES, replace(build, target=Target.parse("nvidia:sm_100")))
    build_graphs(CASES, replace(build, reference=True))
    build_graphs([find_case("p26:pair-swap")], replace(build, target=GFX942, reference=True))
    with_reference = [entry.id for entry in CASES if entry.kernel_steps and find_reference(entry)]
    with_reference += [entry.id for entry in CASES if entry.graph and "cpu" in entry.graph.devices]
    assert {"p15", "p18", *P26} <= set(with_reference) and "p17" not in with_reference
    assert asked[first + 1 :] == [*together(*IDS), *together(*with_reference), ops("p26:pair-swap")]


def test_only_what_is_asked_for_is_compiled(compiled, build):
    """A case of a puzzle, and not the others in its file; asking for all finds it again."""
    asked, _ = compiled
    build_graphs([find_case("p26:pair-swap")], build)
    build_graphs([find_case(name) for name in P26], build)
    assert asked == [ops(P26[0]), ops(*P26[1:])]


def test_the_reference_does_not_depend_on_the_kernel(compiled, build, tmp_path):
    """Whatever a learner's file holds, a processor runs the same."""
    asked, _ = compiled
    reference = replace(build, reference=True)
    build_graphs([find_case("p15")], reference)
    build_graphs([find_case("p15")], replace(reference, sources=changed(tmp_path, "p15")))
    assert len(asked) == 1


def test_a_case_without_a_reference_is_left_out(compiled, build, tmp_path):
    kernel = tmp_path / "lonely.mojo"
    kernel.write_text("")
    lonely = replace(find_case("p15"), file=kernel)
    assert not build_graphs([lonely], replace(build, reference=True)).artifacts
    assert compiled[0] == []


def test_a_kernel_that_does_not_elaborate_costs_its_own_case(compiled, build):
    """The joint build fails, it is found by halves, and the error names the real file."""
    asked, broken = compiled
    broken.add(find_case("p26:pair-swap").op)
    built = build_graphs(CASES, build)
    assert asked[0] == together(*IDS)[0] and ops("p26:pair-swap") in asked
    assert len(asked) < len(IDS), "not each of them alone"
    assert list(built.errors) == ["p26:pair-swap"]
    assert sorted(built.artifacts) == sorted(set(IDS) - {"p26:pair-swap"})
    error = built.errors["p26:pair-swap"]
    assert error.diagnostics == "mojo/p26/solution.mojo:7:1: error: broken"
    with pytest.raises(CompileError):
        built.graph_text(find_case("p26:pair-swap"))


def test_a_file_that_does_not_parse_costs_its_own_cases(compiled, build):
    """The others are built together, and no case of the file is tried alone."""
    asked, broken = compiled
    broken.add("p26")
    built = build_graphs(CASES, build)
    assert asked == together(*(name for name in IDS if name not in P26))
    assert sorted(built.errors) == sorted(P26)
    assert sorted(built.artifacts) == sorted(set(IDS) - set(P26))


def test_a_file_of_ops_and_its_copy_with_other_constants_are_compiled_apart(build):
    """MAX refuses packages that register an op twice: then all were tried again, in halves."""
    wanted = graphs._group_by_case(find_case("p18").sizes, build)
    modules = [[launches[0].module for launches in group] for group in graphs._group_by_ops(wanted)]
    assert sorted(map(sorted, modules)) == [["p18", "p18"], ["p18_50d2a9b1"]]
    assert {launches[0].registered_ops for launches in wanted} == {("softmax",)}


def test_files_are_precompiled_as_many_together_as_there_are_processors(compiled, build, monkeypatch):
    """Each call reads Mojo's own library first. Where one of them does not parse, each of that call has its own try."""
    calls: list[list[str]] = []

    def precompile(source, package, folder, origin=None, limits=None):
        files = source.iterdir() if source.is_dir() else [source]
        calls.append(sorted(file.stem for file in files if file.stem != "__init__"))
        if "p04" in calls[-1]:
            raise CompileError(f"{package} does not compile", "broken")

    monkeypatch.setattr(toolchain, "precompile", precompile)
    monkeypatch.setattr(stage.os, "cpu_count", lambda: 2)
    names = ("p01", "p03", "p04", "p05", "p15")
    of_ops = next(entry for entry in find_case("p18").sizes if entry.id == "p18:cpu-BLOCK_DIM_X-64")
    wanted = [launches[0] for launches in graphs._group_by_case([*map(find_case, names), of_ops], build)]
    one, two, op = ["p01", "p04", "p15"], ["p03", "p05"], ["p18_50d2a9b1"]
    with stage.GraphBuilder(build) as made:
        made.add_kernels(wanted)
        assert sorted(calls) == sorted([one, ["p01"], ["p04"], ["p15"], two, op]) and list(made.errors) == ["p04"]
        assert made._inside == {"p03": "together_p03.p03", "p05": "together_p03.p05"}
    calls.clear()
    with stage.GraphBuilder(replace(build, limits=stage.LIMITS)) as made:
        made.add_kernels(wanted)
    assert sorted(calls) == [["p01"], ["p03"], ["p04"], ["p05"], ["p15"], op], "what has limits has them alone"


@pytest.mark.parametrize(
    ("error", "fate", "kind", "said"),
    [
        (channel.ClosedError, "was killed by SIGPROF", CompileTimeout, r"^p15 was still compiling after 600 s of the"),
        (channel.TimeUpError, "", EnvironmentFault, r"^MAX could not compile p15: it was not done after 3600 s by"),
        (channel.ClosedError, "was killed by SIGKILL", EnvironmentFault, r"^MAX could not compile p15: it was killed"),
        (channel.ClosedError, "was killed by SIGSEGV", CompileError, "^p15 does not compile for nvidia:sm_90$"),
    ],
)
def test_who_is_to_blame_for_a_compiler_that_ends(build, monkeypatch, error, fate, kind, said):
    """The file, where it takes for ever or crashes the compiler; the machine, where it kills it."""

    class Ending:
        def __init__(self, module, arguments, limits):
            pass

        def send(self, job):
            pass

        def receive(self, seconds):
            if not self.loaded:
                self.loaded = True
                return "ready"
            raise error

        loaded = False

        def fate(self):
            return fate

        def noise(self):
            return "Stack dump:"

        def close(self):
            pass

    monkeypatch.setattr(stage, "Worker", Ending)
    monkeypatch.setattr(toolchain, "precompile", lambda *_, **__: None)
    with pytest.raises(kind, match=said) as caught:
        build_graphs([find_case("p15")], build).graph_text(find_case("p15"))
    assert getattr(caught.value, "diagnostics", "") == (
        "error: the compiler was killed by SIGSEGV" if "SIGSEGV" in fate else ""
    )


@pytest.mark.parametrize(
    ("noise", "fate", "said"),
    [
        (
            "Traceback:\nImportError: libmax.so: cannot open shared object file",
            "",
            "ImportError: libmax.so: cannot open",
        ),
        ("", "was killed by SIGILL", "its compiler was killed by SIGILL and printed nothing"),
        ("asked MAX for a virtual hip gfx942, but got None", "", "asked MAX for a virtual hip gfx942"),
    ],
)
def test_a_max_that_does_not_load_is_no_file_s_fault(build, monkeypatch, noise, fate, said):
    """Whatever it says, it has seen no kernel."""

    class Broken:
        def __init__(self, module, arguments, limits):
            pass

        def send(self, job):
            pass

        def receive(self, seconds):
            raise channel.ClosedError

        def fate(self):
            return fate

        def noise(self):
            return noise

        def close(self):
            pass

    monkeypatch.setattr(stage, "Worker", Broken)
    monkeypatch.setattr(toolchain, "precompile", lambda *_, **__: None)
    with pytest.raises(EnvironmentFault, match=rf"^MAX cannot build here: {re.escape(said)}"):
        build_graphs([find_case("p15")], build)


def test_what_is_launched_around_a_case_comes_along(compiled, build):
    """Where it is asked for: apart from the cases, and not for a processor."""
    asked, broken = compiled
    built = build_graphs([find_case("p15")], build, surrounded=True)
    assert asked == [["p15", "warmup", "differing"]]
    assert (list(built.artifacts), built.around["warmup"].parameters["grid_x"]) == (["p15"], 1024)
    assert build_graphs([find_case("p15")], replace(build, reference=True), surrounded=True).around == {}
    broken.add("dirty_shared")
    with pytest.raises(EnvironmentFault, match="to fill shared memory does not compile here"):
        build_graphs([find_case("p15")], replace(build, target=GFX942), surrounded=True)


def test_two_builds_at_once(compiled, build):
    """The second waits for the first and finds everything done."""
    asked, _ = compiled
    built = []
    threads = [threading.Thread(target=lambda: built.append(build_graphs(CASES, build))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert asked == together(*IDS) and len(built) == 3
    assert all(graphs.artifacts == built[0].artifacts for graphs in built)


def test_a_corrupt_artifact_is_built_again(compiled, build, tmp_path):
    """A damaged MEF is noticed; the result is the undamaged one."""
    asked, _ = compiled
    notices: list[str] = []
    build = replace(build, cache=Cache(tmp_path / "cache", notices.append))
    built = build_graphs([find_case("p15")], build)
    built.artifacts["p15"].mef.write_text("damaged")
    again = build_graphs([find_case("p15")], build)
    assert len(asked) == 2 and len(notices) == 1
    assert again.artifacts["p15"].mef.read_text() == "p15"


def test_the_launch_is_read_back(compiled, build, monkeypatch):
    """A graph that holds another grid than the documented one is refused."""
    honest = graphs._describe_graph

    def mutated(unit):
        spec = honest(unit)
        spec.calls[0].parameters["grid_y"] += 1
        return spec

    monkeypatch.setattr(graphs, "_describe_graph", mutated)
    with pytest.raises(ArtifactError, match=r"graph of p15 holds .*'grid_y': 5.*documented .*'grid_y': 4"):
        build_graphs([find_case("p15")], build)


def test_an_unwritable_cache_is_found_out_first(compiled, build, tmp_path):
    """Before anything is compiled."""
    asked, _ = compiled
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFault, match="cannot write to the cache"):
        build_graphs(CASES, replace(build, cache=Cache(tmp_path / "file" / "cache")))
    assert not asked


def test_refused_cases_are_not_built(compiled, build):
    """p34 needs clusters; Metal has no graphs."""
    asked, _ = compiled
    refused = {entry.id for entry in CASES if entry.refusal(GFX942)}
    assert {"p29:double-buffer", "p34:reduction"} <= refused and not {"p15", *P26, *CALLED} & refused
    built = build_graphs(CASES, replace(build, target=GFX942))
    assert sorted(built.artifacts) == sorted(set(IDS) - refused) and not built.errors
    assert asked == together(*(name for name in IDS if name not in refused))
    with pytest.raises(EnvironmentFault, match="only its device code can be built"):
        build_graphs(CASES, replace(build, target=APPLE))


def test_a_case_with_a_file_of_its_own_is_cached_by_its_contents(compiled, build, tmp_path):
    """The solved and the learner's build are one; a changed kernel or another size is built again."""
    asked, _ = compiled
    wanted = find_case("p26@scale")
    assert wanted.file == MOJO / "scaled" / "row_max.mojo"
    build_graphs(SCALED_CASES, build)
    built = build_graphs([wanted], replace(build, sources=Sources("problems")))
    assert asked == [ops("p15@scale", "p26@scale", "p34@scale")]
    kernel = tmp_path / "mine.mojo"
    kernel.write_text(wanted.file.read_text() + "# changed\n")
    build_graphs(SCALED_CASES, replace(build, sources=Sources(overrides={"p26@scale": kernel})))
    other = build_graphs([row_max(129, 4100)], build)  # of no catalogue
    assert asked[1:] == [ops("p26@scale"), ops("p26@scale")]
    columns = [graphs.artifacts["p26@scale"].parameters["columns"] for graphs in (built, other)]
    assert columns == [4099, 4100]


def test_another_op_is_another_entry(compiled, build, monkeypatch):
    """What is generated counts as a source."""
    asked, _ = compiled
    build_graphs([find_case("p15")], build)
    honest = generate.generate_ops
    monkeypatch.setattr(generate, "generate_ops", lambda *given, **more: honest(*given, **more) + "# changed\n")
    build_graphs([find_case("p15")], build)
    assert len(asked) == 2


@pytest.mark.parametrize("cases", [in_cache.KINDS, pytest.param(CASES, marks=pytest.mark.full)], ids=["some", "all"])
def test_graphs_of_a_real_build(cases):
    """MAX compiles each case that has a graph for a GPU that is not here, with the documented launch in place."""
    built = in_cache.graphs(cases)
    assert built.artifacts.keys() == {entry.id for entry in cases} & set(IDS) and not built.errors
    text = built.graph_text(find_case("p34:reduction"))
    assert 'device = #M.device_ref<"gpu", 0>' in text and "cluster_x = 4" in text
    assert text.count("!mo.buffer") >= 2 and "/tmp" not in text
    assert "%arg3: !mo.tensor<[], si32>)" in text, "the size is an input, on the host"


@pytest.mark.full
def test_a_graph_may_hold_its_scalars_as_constants():
    """As those do that are timed: the same op, with an input less."""
    build = Build(target=SM_90, reference=True)
    (unit,) = make_units([find_case("p15")], build)
    call = OpCall("p15", (0, 1), unit.launch.parameters())
    specs = [
        GraphSpec(name, (((4, 1), "float32", True), ((4, 6), "float32", False)), (replace(call, scalars=scalars),))
        for name, scalars in (("given", (("int32", None),)), ("held", (("int32", 5),)))
    ]
    with stage.GraphBuilder(build) as made:
        made.add_kernels([unit])
        _, mef = made.compile([unit], specs)
        from max import driver, engine

        path = made._folder / "x.mef"
        path.write_bytes(mef)
        models = engine.InferenceSession(devices=[driver.CPU()]).load_all(path)
    rows = np.ones((4, 6), np.float32)
    sums = []
    for name, scalars in (("given", [np.asarray(np.int32(3))]), ("held", [])):
        output = np.zeros((4, 1), np.float32)
        models[name].execute(*map(driver.Buffer.from_numpy, (output, rows, *scalars)))
        sums.append(output.ravel().tolist())
    assert sums == [[3.0] * 4, [5.0] * 4]


@pytest.mark.full
def test_full_size_graphs_of_a_real_build():
    """The launch stands in the graph; clusters are left out where there are none."""
    built = build_graphs(SCALED_CASES, Build(target=SM_90))
    assert built.artifacts.keys() == {"p15@scale", "p26@scale", "p34@scale"} and not built.errors
    text = built.graph_text(find_case("p34@scale"))
    assert re.search(r"\bgrid_x = 16\b", text) and "cluster_x = 4" in text
    assert built.artifacts["p15@scale"].parameters == {
        "rows": 129,
        "columns": 4099,
        "threads": 256,
        "grid_x": 129,
        "grid_y": 1,
        "block_x": 256,
        "block_y": 1,
    }
    assert build_graphs(SCALED_CASES, Build(target=GFX942)).artifacts.keys() == {"p15@scale", "p26@scale"}


def test_the_compiler_of_graphs_is_held_to_its_time_of_the_processor():
    """However busy the machine is; what it spent on earlier jobs does not count."""
    spend = "while time.process_time() < {}: pass\n"
    limited = f"{spend.format(1.2)}_limit_cpu_time(1)\n{spend.format(60)}"
    code = f"import time\nfrom harness.build.max_compiler import _limit_cpu_time\n{limited}"

    command, variables = module_command("-", "-")
    with Child() as child:
        child.start([*command[:2], "-c", code], variables)
        ended = child.wait()

    assert ended is not None and str(ended) == "was killed by SIGPROF"
    assert 1.2 < ended.cpu_seconds < 6
