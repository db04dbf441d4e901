"""What is built, what is found again, and what a broken file costs."""

from __future__ import annotations

import re
import shutil
import threading
import time
from pathlib import Path

import pytest

from harness.build import device_code, product
from harness.build.cache import Cache
from harness.build.graphs import Product
from harness.build.unit import units
from harness.catalogue import CASES, case
from harness.catalogue.scaled import SCALED_CASES, row_max
from harness.errors import ArtifactError, CompileError, EnvironmentFault
from harness.model.sources import MOJO, ROOT, Sources
from harness.model.target import Target

SM_90, GFX942, APPLE = (Target.parse(name) for name in ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4"))
IDS = [entry.id for entry in CASES]
MLIR = 'mo.graph @{name}() {{ mo.custom [symbol = "{name}", parameters = {{{parameters}}}] }}'


def mlir(name: str, parameters: dict[str, int]) -> str:
    listed = ", ".join(f"{key} = {value} : index" for key, value in parameters.items())
    return MLIR.format(name=name, parameters=listed)


@pytest.fixture
def store(tmp_path):
    return Cache(tmp_path / "cache")


@pytest.fixture
def compiled(monkeypatch):
    """Replaces the compiler by one that records what it was asked, and may refuse puzzles."""
    asked: list[list[str]] = []
    broken: set[str] = set()

    class Compiler:
        def __init__(self, target):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def compile(self, groups, stage) -> Product:
            puzzles = [group.puzzle for group in groups]
            asked.append(puzzles)
            time.sleep(0.05)
            specs = [product._spec(group, entry) for group in groups for entry in group.cases]
            if broken & set(puzzles):
                place = stage / "src" / sorted(broken)[0] / "__init__.mojo"
                outer = "error: could not elaborate the generated KGEN"
                return Product({}, f"{place}:7:1: error: broken\n{outer}")
            product._mef(stage, groups).write_text(" ".join(puzzles))
            return Product({spec.name: mlir(spec.name, spec.parameters) for spec in specs})

    monkeypatch.setattr(product, "_Compiler", Compiler)
    monkeypatch.setattr(product, "_precompiled", lambda group, stage: None)
    return asked, broken


def changed(tmp_path: Path, puzzle: str, old: str = "", new: str = "# changed\n") -> Sources:
    text = (MOJO / "solutions" / f"{puzzle}.mojo").read_text()
    assert old in text
    path = tmp_path / f"{puzzle}.mojo"
    path.write_text(text.replace(old, new, 1))
    return Sources(overrides={puzzle: path})


def test_everything_missing_is_compiled_together(compiled, store):
    """One module for all; the second time nothing is compiled and nothing took time."""
    asked, _ = compiled
    lines: list[str] = []
    built = product.build_graphs(CASES, SM_90, Sources(), lines.append, cache=store)
    assert asked == [["p15", "p26", "p34"]] and list(built.artifacts) == IDS
    assert lines == [f"compiling {', '.join(IDS)} for nvidia:sm_90"]
    assert {one.mef.read_text() for one in built.artifacts.values()} == {"p15 p26 p34"}
    again = product.build_graphs(CASES, SM_90, Sources(), lines.append, cache=store)
    assert len(asked) == len(lines) == 1 and not again.seconds
    assert again.artifacts == built.artifacts


def test_a_changed_file_costs_its_own_puzzle(compiled, store, tmp_path):
    """Changing p15 rebuilds p15; another target or width rebuilds all."""
    asked, _ = compiled
    product.build_graphs(CASES, SM_90, Sources(), cache=store)
    built = product.build_graphs(CASES, SM_90, changed(tmp_path, "p15"), cache=store)
    assert asked[1:] == [["p15"]] and list(built.seconds) == ["p15"]
    assert sorted(built.artifacts) == sorted(IDS)
    product.build_graphs(CASES, Target.parse("nvidia:sm_100"), Sources(), cache=store)
    product.build_graphs(CASES, None, Sources(), cache=store)
    product.build_graphs([case("p26:pair-swap")], None, Sources(), cache=store, width=64)
    assert asked[2:] == [["p15", "p26", "p34"], ["p15", "p26", "p34"], ["p26"]]


def test_a_puzzle_is_built_whole(compiled, store):
    """Asking for one case and then for another compiles once."""
    asked, _ = compiled
    product.build_graphs([case("p26:pair-swap")], SM_90, Sources(), cache=store)
    product.build_graphs([case("p26:parallel-max")], SM_90, Sources(), cache=store)
    assert asked == [["p26"]]


def test_a_file_that_does_not_elaborate_costs_its_own_cases(compiled, store):
    """The joint build fails, each puzzle is tried alone, and the error names the real file."""
    asked, broken = compiled
    broken.add("p26")
    built = product.build_graphs(CASES, SM_90, Sources(), cache=store)
    assert asked == [["p15", "p26", "p34"], ["p15"], ["p26"], ["p34"]]
    assert sorted(built.artifacts) == ["p15", "p34:reduction"]
    assert sorted(built.errors) == [name for name in sorted(IDS) if name.startswith("p26")]
    error = built.errors["p26:pair-swap"]
    assert error.diagnostics == "mojo/solutions/p26.mojo:7:1: error: broken"
    with pytest.raises(CompileError):
        built.graph_text(case("p26:pair-swap"))


def test_two_builds_at_once(compiled, store):
    """The second waits for the first and finds everything done."""
    asked, _ = compiled
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(product.build_graphs(CASES, SM_90, Sources(), cache=store)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(asked) == 1 and len(found) == 3
    assert all(one.artifacts == found[0].artifacts for one in found)


def test_a_corrupt_artifact_is_built_again(compiled, tmp_path):
    """A damaged MEF is noticed; the result is the undamaged one."""
    asked, _ = compiled
    notices: list[str] = []
    store = Cache(tmp_path / "cache", notices.append)
    built = product.build_graphs([case("p15")], SM_90, Sources(), cache=store)
    built.artifacts["p15"].mef.write_text("damaged")
    again = product.build_graphs([case("p15")], SM_90, Sources(), cache=store)
    assert len(asked) == 2 and len(notices) == 1
    assert again.artifacts["p15"].mef.read_text() == "p15"


def test_the_launch_is_read_back(compiled, store, monkeypatch):
    """A graph that holds another grid than the documented one is refused."""
    honest = product._spec

    def mutated(group, entry):
        spec = honest(group, entry)
        spec.parameters["grid_y"] += 1
        return spec

    monkeypatch.setattr(product, "_spec", mutated)
    with pytest.raises(ArtifactError, match=r"graph of p15 holds .*'grid_y': 5.*documented .*'grid_y': 4"):
        product.build_graphs([case("p15")], SM_90, Sources(), cache=store)


def test_an_unwritable_cache_is_found_out_first(compiled, tmp_path):
    """Before anything is compiled."""
    asked, _ = compiled
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFault, match="cannot write to the cache"):
        product.build_graphs(CASES, SM_90, Sources(), cache=Cache(tmp_path / "file" / "cache"))
    assert not asked


def test_refused_cases_are_not_built(compiled, store):
    """p34 needs clusters; Metal has no graphs."""
    asked, _ = compiled
    assert "p34:reduction" not in product.build_graphs(CASES, GFX942, Sources(), cache=store).artifacts
    assert asked == [["p15", "p26"]]
    with pytest.raises(EnvironmentFault, match="only its device code can be built"):
        product.build_graphs(CASES, APPLE, Sources(), cache=store)


def test_a_case_with_files_of_its_own_is_cached_by_their_contents(compiled, store, tmp_path):
    """Kernel and op lie where the case says; a changed kernel or another size is built again."""
    asked, _ = compiled
    (group,) = units([case("p26@scale")], SM_90, Sources(), 32)
    assert (group.kernel, group.op) == (MOJO / "scaled" / "row_max.mojo", MOJO / "ops" / "scaled_row_max.mojo")
    assert group.device_program == MOJO / "device_ir" / "scaled_row_max_device.mojo"
    product.build_graphs(SCALED_CASES, SM_90, Sources(), cache=store)
    built = product.build_graphs([case("p26@scale")], SM_90, Sources("problems"), cache=store)  # there is but one
    assert asked == [["p15@scale", "p26@scale", "p34@scale"]]
    changed_kernel = tmp_path / "mine.mojo"
    changed_kernel.write_text(group.kernel.read_text() + "# changed\n")
    product.build_graphs(SCALED_CASES, SM_90, Sources(overrides={"p26@scale": changed_kernel}), cache=store)
    other = product.build_graphs([row_max(129, 4100)], SM_90, Sources(), cache=store)  # of no catalogue
    assert asked[1:] == [["p26@scale"], ["p26@scale"]]
    columns = [one.artifacts["p26@scale"].parameters["columns"] for one in (built, other)]
    assert columns == [4099, 4100]


def test_another_op_or_program_is_another_entry(store, tmp_path, monkeypatch):
    """MEFs depend on the op's file, device code on the program's."""
    root = tmp_path / "mojo"
    shutil.copytree(MOJO, root)
    monkeypatch.setattr("harness.build.unit.MOJO", root)
    (group,) = units([case("p15@scale")], SM_90, Sources(), 32)

    def keys() -> tuple[str, str]:
        return product._key(group, SM_90), device_code._key(group, SM_90, "llvm")

    before = keys()
    group.op.write_text(group.op.read_text() + "# changed\n")
    between = keys()
    group.device_program.write_text(group.device_program.read_text() + "# changed\n")
    after = keys()
    assert before[0] != between[0] == after[0] and before[1] == between[1] != after[1]


def test_artifacts_of_a_target(compiled, store, monkeypatch):
    """Built, then cached; what the target refuses is skipped with its reason; Apple has device code only."""
    emitted = []

    def emit(file, architecture, level, **_):
        emitted.append((file.stem, level))
        puzzle = file.stem.removesuffix("_device")
        return {f"{entry.puzzle}_{entry.kernel}"[:31]: entry.id for entry in CASES if entry.puzzle == puzzle}

    monkeypatch.setattr(device_code.toolchain, "emit", emit)
    first = {one.case: one for one in product.artifacts(CASES, GFX942, Sources(), cache=store)}
    assert {one.status for name, one in first.items() if name != "p34:reduction"} == {"built"}
    assert first["p15"].artifacts == ("mef", "llvm", "asm") and first["p15"].seconds > 0
    assert first["p34:reduction"].status == "skipped" and "clusters" in first["p34:reduction"].reason
    count = len(emitted)
    again = product.artifacts(CASES, GFX942, Sources(), cache=store)
    assert {one.status for one in again} == {"cached", "skipped"} and len(emitted) == count
    apple = product.artifacts([case("p15")], APPLE, Sources(), cache=store)[0]
    assert apple.artifacts == ("llvm", "asm") and "device code only" in apple.reason


def test_graphs_of_a_real_build():
    """MAX compiles all the cases for a GPU that is not here, with the documented launch in place."""
    built = product.build_graphs(CASES, SM_90, Sources())
    assert list(built.artifacts) == IDS and not built.errors
    text = built.graph_text(case("p34:reduction"))
    assert 'device = #M.device_ref<"gpu", 0>' in text and "cluster_x = 4" in text
    assert text.count("!mo.buffer") >= 2 and "/tmp" not in text


def test_full_size_graphs_of_a_real_build():
    """The op's sizes and launch stand in the graph; clusters are left out where there are none."""
    built = product.build_graphs(SCALED_CASES, SM_90, Sources())
    assert list(built.artifacts) == ["p15@scale", "p26@scale", "p34@scale"] and not built.errors
    text = built.graph_text(case("p34@scale"))
    assert re.search(r"clusters = 4\b", text) and re.search(r"\bsize = 65539\b", text) and "cluster_x = 4" in text
    assert built.artifacts["p15@scale"].parameters == {
        "rows": 129,
        "columns": 4099,
        "grid_x": 129,
        "grid_y": 1,
        "block_x": 256,
        "block_y": 1,
    }
    assert list(product.build_graphs(SCALED_CASES, GFX942, Sources()).artifacts) == ["p15@scale", "p26@scale"]


def test_a_kernel_that_does_not_compile(tmp_path):
    """MEF and device code name file and line; the other puzzles are built all the same."""
    sources = changed(tmp_path, "p15", "local_i = thread_idx.x", "local_i = nothing")
    lines = sources.kernel_file("p15").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "nothing" in text)
    place = f"{sources.kernel_file('p15')}:{line}:19: error: use of unknown declaration 'nothing'"
    wanted = [case("p15"), case("p34:reduction")]
    built = product.build_graphs(wanted, SM_90, sources)
    assert built.errors["p15"].diagnostics.startswith(place) and "p34:reduction" in built.artifacts
    code = product.device_code([case("p15")], SM_90, sources, "llvm")["p15"]
    assert isinstance(code, CompileError) and code.diagnostics.startswith(place)


def test_the_compiler_refuses_what_the_catalogue_refuses():
    """Clusters on gfx942: the library's own constraint, at the line that asks for them."""
    code = product.device_code([case("p34:reduction")], GFX942, Sources(), "llvm", force=True)
    error = code["p34:reduction"]
    assert isinstance(error, CompileError)
    assert "mojo/solutions/p34.mojo:" in error.diagnostics
    assert "only supported by NVIDIA SM90+ GPUs" in error.diagnostics
    assert not product.device_code([case("p34:reduction")], GFX942, Sources(), "llvm")


def test_debug_locations_lead_to_the_real_file(tmp_path):
    """Whatever a learner's file is called, and wherever it lies; the repository's own relative to its root."""
    path = tmp_path / "my attempt.mojo"
    path.write_text((MOJO / "solutions" / "p15.mojo").read_text())
    sources = Sources(overrides={"p15": path})
    text = product.device_code([case("p15")], SM_90, sources, "llvm", cache=Cache(tmp_path / "cache"))["p15"]
    assert f'!DIFile(filename: "{path.resolve()}"' in text and "/kernels-" not in text
    assert str(ROOT) not in text and '!DIFile(filename: "mojo/device_ir/p15_device.mojo"' in text


@pytest.mark.parametrize("target", [SM_90, GFX942, APPLE], ids=str)
def test_what_is_cached_holds_on_any_machine(target):
    """No path of this checkout or of a temporary folder is in the device code."""
    text = product.device_code([case("p15")], target, Sources(), "llvm")["p15"]
    assert '!DIFile(filename: "mojo/solutions/p15.mojo"' in text
    assert str(ROOT) not in text and "/kernels-" not in text


def test_a_checkout_elsewhere_finds_the_same_entries(store, tmp_path, monkeypatch):
    """The key holds the path below the root, and a learner's own path whole."""
    keys = []
    for root in (tmp_path / "here", tmp_path / "there"):
        file = root / "mojo" / "p15.mojo"
        file.parent.mkdir(parents=True)
        file.write_text("kernel")
        monkeypatch.setattr("harness.model.sources.ROOT", root)
        group = units([case("p15")], SM_90, Sources(overrides={"p15": file}), 32)[0]
        keys.append(device_code._key(group, SM_90, "llvm"))
    monkeypatch.undo()
    assert keys[0] == keys[1] != device_code._key(group, SM_90, "llvm")
