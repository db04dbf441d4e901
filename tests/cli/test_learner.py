"""The documented commands print the documented lines, byte for byte."""

from __future__ import annotations

import re
from functools import partial

import pytest

from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.catalogue import CASES, find_case
from harness.cli.main import main
from harness.model.exit_code import OK, USAGE, WRONG
from harness.model.sources import MOJO, Sources, display_path
from tests import compiled
from tests.learners import known, write

SWAPPED = "[" + ", ".join(f"{i ^ 1}.0" for i in range(32)) + "]"
LARGEST = "[" + ", ".join(["1000.0"] * 32) + "]"
EXTREMES = "[" + ", ".join(["9.0, 0.0"] * 16 + ["63.0, 32.0"] * 16) + "]"
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")
ZEROS = {n: "[" + ", ".join(["0.0"] * n) + "]" for n in (4, 32, 64)}

SOLVED = {
    "p15": "out: DeviceBuffer([15.0, 51.0, 87.0, 123.0])\nexpected: HostBuffer([15.0, 51.0, 87.0, 123.0])\n",
    "p26:pair-swap": (
        f"WARP_SIZE:  32\nSIZE:  32\noutput: {SWAPPED}\nexpected: {SWAPPED}\n✅ Butterfly pair swap test passed!\n"
    ),
    "p26:parallel-max": (
        f"WARP_SIZE:  32\nSIZE:  32\noutput: {LARGEST}\nexpected: {LARGEST}\n✅ Butterfly parallel max test passed!\n"
    ),
    "p26:conditional-max": (
        f"WARP_SIZE:  32\nSIZE_2:  64\noutput: {EXTREMES}\nexpected: {EXTREMES}\n"
        "✅ Butterfly conditional max test passed!\n"
    ),
    "p34:reduction": (
        "Testing Cluster-Wide Reduction\nSIZE: 1024 TPB: 256 CLUSTER_SIZE: 4\nExpected sum: 523776.0\n"
        "Cluster reduction result: 523776.0\nExpected: 523776.0\nError: 0.0\n"
        "✅ Passed: Cluster reduction accuracy test\n✅ Cluster-wide collective operations tests passed!\n"
    ),
}
UNSOLVED = {
    "p15": "out: DeviceBuffer([0.0, 0.0, 0.0, 0.0])\nexpected: HostBuffer([15.0, 51.0, 87.0, 123.0])\n",
    "p26:pair-swap": f"WARP_SIZE:  32\nSIZE:  32\noutput: {ZEROS[32]}\nexpected: {SWAPPED}\n",
    "p26:parallel-max": f"WARP_SIZE:  32\nSIZE:  32\noutput: {ZEROS[32]}\nexpected: {LARGEST}\n",
    "p26:conditional-max": f"WARP_SIZE:  32\nSIZE_2:  64\noutput: {ZEROS[64]}\nexpected: {EXTREMES}\n",
    "p34:reduction": (
        "Testing Cluster-Wide Reduction\nSIZE: 1024 TPB: 256 CLUSTER_SIZE: 4\nExpected sum: 523776.0\n"
        "Cluster reduction result: 0.0\nExpected: 523776.0\nError: 523776.0\n"
    ),
}


def command(case_id: str, *flags: str) -> list[str]:
    entry = find_case(case_id)
    mode = [f"--{entry.mode}"] if entry.mode else []
    return [entry.puzzle, *mode, "--target", "nvidia:sm_90", "--backend", "simulator", *flags]


@pytest.fixture
def pristine(tmp_path):
    """The file of a problem as it is handed out, whatever has been solved in it."""

    def handed_out(puzzle):
        file = MOJO / puzzle / "problem.mojo"
        text = Sources().original_text(next(entry for entry in CASES if entry.puzzle == puzzle))
        if file.read_text() != text:
            file = tmp_path / f"{puzzle}.mojo"
            file.write_text(text)
        known("a region left blank" if puzzle == "p15" else f"{puzzle} left blank", file)
        return file

    return handed_out


@pytest.fixture(scope="module")
def solved():
    """One compilation for all of them."""
    compiled.solutions()


def documented(entry):
    """The lines of a solved puzzle, as the catalogue has them."""
    entry = entry.simulated
    expected = entry.printed_values(entry.expected(entry.instance(32).datasets[0], 32))
    return "".join(f"{line}\n" for line in entry.printed(32, expected, expected, True))


def kind(entry):
    """What a command does beside running a kernel and printing results. In `full` are those alike: what they give is
    judged in `tests/puzzles/test_simulator.py` too.
    """
    if entry.graph or entry.called:
        return "op" if entry.graph else "host function"
    return entry.size is not None, entry.printed_output in entry.simulated.within, len(entry.steps) > 1


FIRST = {kind(entry): entry.id for entry in reversed(CASES)}
ALIKE = [pytest.param(entry.id, marks=pytest.mark.full) for entry in CASES if entry.id not in FIRST.values()]
OP = pytest.param(FIRST.pop("op"), marks=pytest.mark.slow)


@pytest.mark.slow
@pytest.mark.parametrize("case_id", [*FIRST.values(), OP, *ALIKE])
def test_solved_lines(case_id, solved, capsys):
    """A solved puzzle prints what the documents show, and nothing else, on stdout; but for what rounding may change."""
    assert main(command(case_id, "--solution")) == OK
    out, lines, entry = capsys.readouterr().out, documented(find_case(case_id)), find_case(case_id)
    if bound := next((entry.within[name] for name in entry.printed_output.split() if name in entry.within), None):
        got, expected = (list(map(float, NUMBER.findall(text))) for text in (out, lines))
        assert got == pytest.approx(expected, rel=bound.rtol, abs=bound.atol)
        out, lines = (re.sub(f" *{NUMBER.pattern}", "", text) for text in (out, lines))  # columns are padded
    assert out == lines


@pytest.mark.parametrize("case_id", SOLVED)
def test_the_catalogue_has_the_documents_lines(case_id):
    assert documented(find_case(case_id)) == SOLVED[case_id]


@pytest.mark.slow
@pytest.mark.parametrize("case_id", UNSOLVED)
def test_unsolved_lines(case_id, pristine, capsys):
    """An unsolved puzzle prints the documented zeros, and fails."""
    path = pristine(find_case(case_id).puzzle)

    assert main(command(case_id, "--file", str(path))) == WRONG

    captured = capsys.readouterr()
    assert captured.out == UNSOLVED[case_id]
    (said,) = (line for line in captured.err.splitlines() if line.startswith(f"{case_id} is "))
    assert said.startswith(f"{case_id} is not filled in yet: {display_path(path)}:")
    line, column = map(int, said.rsplit(":", 2)[1:])
    assert path.read_text().splitlines()[line - 1][column - 1 :].startswith("# FILL ME IN")
    assert captured.err.splitlines()[-1] == said and "never written" not in captured.err


def test_lines_of_a_64_wide_target():
    """On CDNA the first block holds all 64 elements."""
    entry = find_case("p26:conditional-max")
    expected = entry.oracle(entry.instance(64).datasets[0].inputs, 64)["output"]
    lines = entry.printed(64, expected, expected, True)

    assert lines[:2] == ("WARP_SIZE:  64", "SIZE_2:  64")
    assert lines[2] == "output: [" + ", ".join(["63.0, 0.0"] * 32) + "]"
    assert lines[-1] == "✅ Butterfly conditional max test passed!"


def test_a_puzzle_with_several_modes_lists_them(capsys):
    assert main(["p26"]) == 2
    assert "--pair-swap, --parallel-max, --conditional-max" in capsys.readouterr().err


@pytest.mark.slow
def test_a_puzzle_with_one_mode_needs_no_flag(capsys, monkeypatch):
    monkeypatch.setattr("harness.cli.learner.CASES", (find_case("p34:reduction"),))
    assert main(["p34", "--solution", "--target", "nvidia:sm_90"]) == OK
    assert capsys.readouterr().out == SOLVED["p34:reduction"]


def test_a_target_that_cannot_run_it_is_refused_with_the_reason(capsys):
    assert main(["p34", "--reduction", "--solution", "--target", "amd"]) == 3

    captured = capsys.readouterr()
    assert captured.out == ""
    assert "thread block clusters need an NVIDIA GPU" in captured.err


@pytest.mark.slow
def test_a_kernel_that_does_not_compile_shows_its_line(tmp_path, capsys):
    """The Mojo diagnostics, with the learner's own file and line."""
    path = tmp_path / "p15.mojo"
    path.write_text((MOJO / "p15" / "solution.mojo").read_text().replace("cache[0]", "cash[0]"))

    assert main(command("p15", "--file", str(path))) == WRONG

    captured = capsys.readouterr()
    assert captured.out == ""
    assert "p15.mojo:" in captured.err
    assert "use of unknown declaration 'cash'" in captured.err


ENDLESS = {
    "does nothing": ("Endless loop: no path leaves it.", 10.0),
    "counts": ("Endless loop: its counter reaches the value that ends it after 9223372036854775", 0.5),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["does nothing", pytest.param("counts", marks=pytest.mark.full)])
def test_a_kernel_that_never_ends_is_given_up_once(kind, tmp_path, capsys, monkeypatch):
    """Not once more for the data sets; the finding says where it is."""
    sentence, limit = ENDLESS[kind]
    monkeypatch.setattr("harness.backends.devices.discover", list)  # also where there is a GPU
    monkeypatch.setattr("harness.cases.documented.Request", partial(Request, time_limit_seconds=limit))
    path = tmp_path / "p15.mojo"
    write(f"a loop that {kind}", path)
    launches = []
    honest = SimulatorBackend.launch
    monkeypatch.setattr(SimulatorBackend, "launch", lambda *it: launches.append(it) or honest(*it))

    assert main(command("p15", "--file", str(path))) == WRONG

    captured = capsys.readouterr()
    assert captured.out == "" and len(launches) == 1
    verdict = captured.err[captured.err.index("p15: TIMEOUT on data set documented") :]
    assert sentence in verdict and f"at {path}:" in verdict and "by thread (0,0,0)" in verdict


def test_a_right_kernel_gets_its_verdict_beside_the_documented_lines(capsys):
    """On stderr: what goes to stdout is the documents'. A solution gets no remarks."""
    assert main(command("p15", "--solution")) == OK

    captured = capsys.readouterr()
    assert captured.out == SOLVED["p15"]
    assert captured.err.splitlines()[-1] == "p15: PASS, 12 of 12 data sets"


@pytest.mark.slow
def test_what_a_kernel_prints_is_shown(tmp_path, capsys):
    """Beside the documented lines, line by line, once: the data sets run silently."""
    path = tmp_path / "p15.mojo"
    write("a print", path)

    assert main(command("p15", "--file", str(path))) == OK

    captured = capsys.readouterr()
    assert captured.out == SOLVED["p15"]
    assert [line for line in captured.err.splitlines() if "| row" in line] == [f"    | row {row}" for row in range(4)]


@pytest.mark.slow
@pytest.mark.parametrize("asserted", [pytest.param(False, marks=pytest.mark.full), True])
def test_assertions_are_compiled_in_where_they_are_asked_for(asserted, tmp_path, capsys):
    """As Mojo has it: without the flag they are not there, and with it each says the line of the learner's own file."""
    path = tmp_path / "p15.mojo"
    text = (MOJO / "p15" / "solution.mojo").read_text()
    path.write_text(
        text.replace("    if local_i == 0:", '    debug_assert(local_i < 4, "too far")\n    if local_i == 0:')
    )
    flags = ["--assertions"] if asserted else []

    assert main(command("p15", "--file", str(path), *flags)) == (WRONG if asserted else OK)

    err = capsys.readouterr().err
    number = path.read_text().splitlines().index('    debug_assert(local_i < 4, "too far")') + 1
    assert (f"{path}:{number}:17: block: [0,0,0] thread: [4,0,0] Assert Error: too far" in err) == asserted
    assert ("Trap (trap.printed)" in err) == asserted and "/kernels/" not in err


@pytest.mark.slow
def test_a_renamed_kernel_is_missed_by_name(tmp_path, capsys):
    """Once, in one sentence, at the file."""
    path = tmp_path / "p15.mojo"
    path.write_text((MOJO / "p15" / "solution.mojo").read_text().replace("def axis_sum", "def axis_summed"))

    assert main(command("p15", "--file", str(path))) == WRONG

    err = capsys.readouterr().err
    missed = (
        f"{path}:1:1: error: there is no kernel axis_sum here: a function of this name must take (output, a, size_dev)"
    )
    assert err.count(missed) == 1 and "has no declaration" not in err


@pytest.mark.slow
def test_a_race_is_told_with_its_lines_and_both_threads(tmp_path, capsys):
    """Each once, with the variable's own name and what to do."""
    path = tmp_path / "p15.mojo"
    write("no last barrier", path)

    assert main(command("p15", "--file", str(path))) == WRONG

    err = capsys.readouterr().err
    assert err.count("race.shared.write-read") == 1
    assert "Nothing orders a write of cache in shared memory and a read of it" in err
    assert f"write at {path}:" in err and f"read at {path}:" in err
    assert "| " + " " * 12 + "addend = cache[local_i + stride]" in err and "^" in err
    assert "Remedy: call `barrier()` at the end of each step of the loop of line " in err


@pytest.mark.slow
def test_wrong_values_name_the_line_that_stores_them(tmp_path, capsys):
    """Behind where the element that is left out is lost."""
    path = tmp_path / "p15.mojo"
    text = write("half of the tree", path)

    assert main(command("p15", "--file", str(path))) == WRONG

    number = text.splitlines().index("        output[batch, 0] = cache[0]") + 1
    err = capsys.readouterr().err
    assert "Wrong values (check.wrong-value.owned)" in err and f"and {path}:{number}:15 in axis_sum" in err


@pytest.mark.slow
@pytest.mark.full  # of the same file, `tests/learning/test_mistakes.py` asserts it of the report
def test_a_changed_frame_is_told_first(tmp_path, capsys):
    """Blame would land elsewhere: half of the shared array stays as it was."""
    path = tmp_path / "p15.mojo"
    text = (MOJO / "p15" / "solution.mojo").read_text()
    path.write_text(text.replace("comptime TPB = 8", "comptime TPB = 16"))

    assert main(command("p15", "--file", str(path))) == WRONG

    lines = capsys.readouterr().err.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("  "))
    assert lines[first].endswith("Changed outside the marked region (frame.changed)")
    number = text.splitlines().index("comptime TPB = 8") + 1
    assert f"{path}:{number}:1 was changed outside the marked region" in lines[first + 1]
    assert "`comptime TPB = 16` was `comptime TPB = 8`" in lines[first + 1]


def test_a_link_to_something_else_is_refused_before_a_line_of_it_is_shown(tmp_path, capsys):
    (tmp_path / "secret.txt").write_text("the secret")
    (tmp_path / "p15.mojo").symlink_to(tmp_path / "secret.txt")

    assert main(["p15", "--file", str(tmp_path / "p15.mojo")]) == USAGE
    captured = capsys.readouterr()
    assert "leads to secret.txt, which is no Mojo file" in captured.err and "the secret" not in captured.err


@pytest.mark.slow
def test_data_that_was_drawn_can_be_drawn_again(tmp_path, capsys):
    """A verdict on it names its seed, with which the same values are wrong; another verdict names none."""
    path = tmp_path / "p15.mojo"
    write("a lookup table", path)
    told = []
    for flags in ([], ["--data-seed", None], ["--data-seed", "5"]):
        seed = re.search(r"`--data-seed (\d+)` draws it again", told[0])[1] if told else ""
        assert main(command("p15", "--file", str(path), *(flag or seed for flag in flags))) == WRONG
        told.append(capsys.readouterr().err)

    assert "MISMATCH on data set fresh-1; 6 of 10" in told[0]
    wrong = [[line for line in text.splitlines() if "expected" in line] for text in told]
    assert wrong[0] == wrong[1] != wrong[2] and len(wrong[0]) == 2

    write("half of the tree", path)
    assert main(command("p15", "--file", str(path))) == WRONG
    assert "--data-seed" not in capsys.readouterr().err
