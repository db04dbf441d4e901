"""Files of the same people are compiled together, and each comes to what it comes to alone."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from harness.build import device_code, toolchain
from harness.build.cache import Cache
from harness.build.hosts import build_host_programs
from harness.build.unit import Build, make_units
from harness.catalogue import find_case, select_cases
from harness.errors import CompileError
from harness.grading import calls, compile_stage, judge, local
from harness.grading.compile_stage import Compiled
from harness.grading.result import collect_jobs
from harness.grading.work import KernelCode, NotCompiled, solution_text
from harness.model.sources import Sources
from harness.model.target import Target
from harness.process import box as boxes
from harness.process.box import SandboxAnswer
from harness.process.child import ProcessExit
from tests import compiled as compiled_files
from tests import learners
from tests.grading.judges import SETTINGS, person, say

CODE = [{"llvm": "ir", "asm": "ptx"}]
ERROR = {"error": "does not compile", "diagnostics": "", "late": False}


def of_ann(**files):
    """The jobs of one person's files."""
    return list(collect_jobs([person("ann", **files)]).values())


@pytest.fixture
def compiled(tmp_path):
    """What files come to where a box answers so; and what it was asked for."""
    asked: list[list[str]] = []

    def run(jobs, codes, **more):
        class Asked:
            def ask(self, _module, order, **_):
                asked.append(list(json.loads(order)["files"]))
                return SandboxAnswer(ProcessExit(0), json.dumps({"result": {"codes": codes}, **more}).encode(), "")

        return judge.compile_together(jobs, SETTINGS, Asked(), Cache(tmp_path, lambda _: None))

    return run, asked


def test_files_of_the_same_people_are_compiled_at_once(compiled):
    run, asked = compiled
    jobs = of_ann(p01="one", p15="two")

    codes = run(jobs, {"p01": CODE, "p15": CODE}, cpu_seconds=8.0)

    assert asked == [["p01", "p15"]]
    assert codes == {job.key: Compiled({job.puzzle: (KernelCode(**CODE[0]),)}, 4.0) for job in jobs}


def test_what_was_compiled_together_is_kept_for_these_files_alone(compiled):
    """Somebody else's file with the same bytes lay beside others, which may have meddled with it."""
    run, asked = compiled
    run(of_ann(p01="one", p15="two"), {"p01": CODE, "p15": CODE})

    again = run(of_ann(p01="one", p15="two"), {})
    other = run(of_ann(p01="one", p15="three"), {})

    assert [list(code.codes) for code in again.values()] == [["p01"], ["p15"]] and other == {}
    assert asked == [["p01", "p15"]] * 2


def test_a_file_that_two_people_handed_in_is_not_compiled_with_one_of_theirs():
    people = [person("ann", p01="shared", p02="own"), person("bob", p01="shared", p15="his", p14="his too")]
    jobs = collect_jobs(people).values()

    groups = [[job.puzzle for job in group] for group in local._of_the_same_people(jobs)]
    assert groups == [["p01"], ["p02"], ["p15", "p14"]]
    assert {job.people for job in collect_jobs(people[:1]).values()} != {
        job.people for job in jobs if job.puzzle == "p01"
    }


def test_an_error_is_the_files_own_and_what_came_to_a_limit_is_compiled_alone(compiled):
    run, _ = compiled
    jobs = of_ann(p01="one", p02="two", p03="three", p04="four")

    codes = run(jobs, {"p01": CODE, "p02": ERROR, "p03": {**ERROR, "late": True}, "p04": [*CODE, *CODE]})
    assert [job.puzzle for job in jobs if job.key in codes] == ["p01", "p02"]
    kept = run(jobs, {})
    assert [job.puzzle for job in jobs if job.key in kept] == ["p01"], "an error may be the machine's after all"


@pytest.mark.parametrize("answer", [None, [], "x", {"p01": {}}])
def test_a_box_that_answers_nothing_leaves_each_to_its_own(compiled, answer):
    run, _ = compiled

    assert run(of_ann(p01="one", p15="two"), answer) == {}


def test_many_files_are_compiled_in_parts(compiled, monkeypatch):
    run, asked = compiled
    monkeypatch.setattr(judge, "TOGETHER", 3)

    run(of_ann(**{f"p0{number}": "text" for number in range(1, 9)}), {})
    assert sorted(map(len, asked)) == [2, 2, 2, 2]


def test_of_many_that_come_to_nothing_the_halves_are_tried(compiled, monkeypatch):
    """One may take what all have; of a few each is left to its own."""
    run, asked = compiled
    monkeypatch.setattr(judge, "MANY", 3)

    assert run(of_ann(**{f"p0{number}": "text" for number in range(1, 9)}), None) == {}
    assert [len(files) for files in asked] == [8, 4, 2, 2, 4, 2, 2]


def test_a_judge_gets_what_was_compiled_and_one_group_follows_another(monkeypatch):
    """A file that is alone waits for no compilation; a fault in one costs nobody a verdict."""
    people = [person("ann", p01="one", p02="two"), person("bob", p01="three"), person("cid", p01="4", p02="5")]
    given: dict[str, str | None] = {}

    def compiles(group, *_):
        if group[0].text == "4":
            raise ZeroDivisionError
        return {job.key: f"code of {job.text}" for job in group if job.puzzle == "p01"}

    def judges(job, *_, code=None):
        given[job.text] = code
        return say(job)

    jobs = collect_jobs(people)
    box = boxes.choose_sandbox("limits")
    results = list(local.judge_all(jobs.values(), SETTINGS, box, None, 2, judge=judges, compiled=compiles))

    assert {result.key for result in results} == set(jobs) and len(results) == 5
    assert given == {"one": "code of one", "two": None, "three": None, "4": None, "5": None}


# Those that compile come first: of what does not compile together the halves are tried, then each file alone.
HOSTILE = {
    # What the program around it calls with the code of its neighbours.
    "forges code": (
        "p02",
        "from max.gpu import thread_idx",
        "from max.gpu import thread_idx\nfrom std.ffi import external_call\n\n\n@export\ndef forged():\n"
        + "".join(
            f'    external_call["{level}_{number}", NoneType](StaticString("forged").unsafe_ptr())\n'
            for level in ("llvm", "asm")
            for number in range(8)
        ),
    ),
    "says that all numbers are paths": (
        "p03",
        "def add_10_guard(",
        "__extension SIMD:\n    def doubled(self) -> Self:\n        return self + self\n\n\ndef add_10_guard(",
    ),
    "uses what a neighbour says": ("p04", "a[row * size + col] + 10", "a[row * size + col].doubled()"),
    # By its module's name, as it is when a file is compiled alone; what is not used, the compiler does not look for.
    "imports a neighbour": (
        "p05",
        "    var row = thread_idx.y",
        "    from p01 import SIZE as other\n\n    var row = thread_idx.y + other",
    ),
    "does not compile": ("p06", "if i < size:", "if i < nobody:"),
}
FAILING = ("uses what a neighbour says", "imports a neighbour", "does not compile")


def edited(puzzle, old, new):
    text = solution_text(puzzle)
    assert old in text
    return text.replace(old, new, 1)


def files():
    """A right one beside hostile ones, by puzzle."""
    return {"p01": solution_text("p01"), **{puzzle: edited(puzzle, *edit) for puzzle, *edit in HOSTILE.values()}}


def codes(texts):
    order = compile_stage.CompileOrder(files=texts, target="nvidia:sm_90", limits=compile_stage.LIMITS)
    return compile_stage.STAGE.ask(order, boxes.choose_strongest()).result.codes


@pytest.fixture(scope="module")
def together():
    """The codes of all of them."""
    return codes(files())


def plain(code):
    """Code without the names of kernels, which hold that of the module, and hashes of it."""
    return re.sub(r"p\d\d_\w+", "kernel", code)


def settled(llvm):
    """The same, in an order of its own, and without numbers of places: what else a program compiles counts, too."""
    code = re.sub(r"^!.*\n|,? !dbg !\d+", "", plain(llvm), flags=re.MULTILINE)
    return compiled_files.settled(code)


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_hostile_neighbours_change_nothing_of_a_right_file(together):
    """It comes to what it comes to beside files that tests compile; the assembly has its lines' places, too."""
    (here,), held = together["p01"], learners.code("p01 solved", find_case("p01"))
    there = {level: text.replace(compiled_files.HOLE, "p01.mojo") for level, text in held.items()}

    assert settled(here.llvm) == settled(there["llvm"])
    assert plain(here.asm) == plain(there["asm"])


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize("puzzle", files())
def test_hostile_neighbours_change_nothing(together, puzzle):
    """Each file comes to what it comes to alone, code or error; the names of modules are parts of those of kernels."""
    alone = codes({puzzle: files()[puzzle]})

    assert {name: plain(repr(together[name])) for name in alone} == {
        name: plain(repr(code)) for name, code in alone.items()
    }


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_who_does_not_compile_is_told_from_the_others(together):
    failed = {name for name, code in together.items() if isinstance(code, NotCompiled)}
    assert failed == {size.id for why in FAILING for size in select_cases([HOSTILE[why][0]])[0].simulated.sizes}


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
@pytest.mark.parametrize(
    ("why", "said"),
    list(zip(FAILING[:2], ("has no attribute 'doubled'", "unable to locate module 'p01'"), strict=True)),
)
def test_nobody_reaches_a_neighbour(why, said, tmp_path):
    """In the midst of right ones, and of what would be reached: nothing else keeps these from compiling."""
    (puzzle, *_), target = HOSTILE[why], Target.parse("nvidia:sm_90")
    names = ("p01", "p03", puzzle)
    for name in names:
        (tmp_path / f"{name}.mojo").write_text(files()[name], encoding="utf-8")
    sources = Sources(overrides={name: tmp_path / f"{name}.mojo" for name in names})
    parts = [(unit, target) for unit in make_units(select_cases(names), Build(target=target, sources=sources))]

    with pytest.raises(CompileError) as raised:
        device_code._compile_program(parts, None, False, False, None, True)
    errors = re.findall(r"^(\S+?):\d+:\d+: error: (.*)", raised.value.diagnostics, re.MULTILINE)
    assert {place for place, _ in errors} == {str(tmp_path / f"{puzzle}.mojo")} and said in errors[0][1]


@pytest.mark.slow
@pytest.mark.parametrize("apart", [False, True])
def test_one_program_calls_the_host_functions_of_all_files(apart, tmp_path, monkeypatch):
    """In it nobody can tell the names of the modules before."""
    made = []

    def program(file, *_, **__):
        made.append(file.read_text(encoding="utf-8"))
        return "host", {}

    monkeypatch.setattr(toolchain, "compile_program", program)
    build = Build(target=Target.parse("nvidia:sm_90"), cache=Cache(tmp_path, lambda _: None), apart=apart)
    programs = build_host_programs(select_cases(["p17", "p23"]), build)

    assert len(made) == 1 and programs.keys() == {case.id for case in select_cases(["p17", "p23"])}
    modules = set(re.findall(r"^import (\w+)$", made[0], re.MULTILINE))
    assert len(modules) == 2 and (modules == {"p17", "p23"}) is not apart
    assert {module[:4] for module in modules} == ({"p17_", "p23_"} if apart else {"p17", "p23"})


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")
def test_host_functions_are_compiled_together_and_reach_no_neighbour():
    """A file that imports another one by its name does not compile, and the others do."""
    files = {
        "p23": f"from p24 import SIZE as other\n{solution_text('p23')}",
        "p24": solution_text("p24"),
        "p17": solution_text("p17"),
    }
    order = compile_stage.CompileOrder(files=files, target="nvidia:sm_90", limits=compile_stage.LIMITS)

    made = compile_stage.STAGE.ask(order, boxes.choose_strongest()).result

    failed = {name for name, code in made.codes.items() if isinstance(code, NotCompiled)}
    assert failed == {case.id for case in select_cases(["p23"])}
    assert {puzzle for puzzle, hosts in made.hosts.items() if hosts.programs} == {"p17", "p24"}
    for puzzle, hosts in made.hosts.items():  # as machine code, made once: nobody reads the other any more
        programs = tuple(replace(program, host=b"no IR") for program in hosts.programs)
        asked = calls.run_host_calls(replace(hosts, programs=programs), puzzle, SETTINGS, boxes.choose_strongest())
        assert not asked.failed and all(one.failure is None for own in asked.reports.values() for one in own[0])
