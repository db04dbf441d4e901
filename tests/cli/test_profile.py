"""`--profile` of `run`, `exec` and `simulate`: a table by source line, JSON, and what it does not go with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.cli import simulate
from harness.cli.main import main
from harness.simt.ir.parse import decode
from tests.programs.together import CHOICE, PROGRAMS, words

KERNEL = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @twice(ptr %out, ptr %in) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr %in, i32 %i
  %value = load float, ptr %from, align 4
  %twice = fmul float %value, 2.0
  %to = getelementptr float, ptr %out, i32 %i
  store float %twice, ptr %to, align 4
  ret void
}
"""


@pytest.mark.parametrize(
    "flags",
    [["--backend", "max"], ["--backend", "cpu"], ["--require-gpu"], ["--devices", "all"], ["--scheduler", "h:1"]],
)
def test_what_a_profile_does_not_go_with_is_told(flags: list[str], capsys: pytest.CaptureFixture[str]):
    assert main(["run", "p32", "--profile", *flags]) == 2

    told = " ".join(flags) if flags[0] == "--backend" else flags[0]
    assert f"--profile and {told} cannot be combined: what is counted is a run in the" in capsys.readouterr().err


def test_a_program_on_a_gpu_has_no_profile(capsys: pytest.CaptureFixture[str]):
    assert main(["exec", str(PROGRAMS / "strided.mojo"), "--profile", "--backend", "max"]) == 2
    assert "--profile counts in the simulator: leave out --backend max." in capsys.readouterr().err


def test_any_kernel_has_a_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Registers are not known of what Mojo did not compile."""
    monkeypatch.setattr(simulate, "decode_foreign", decode)
    monkeypatch.chdir(tmp_path)
    Path("k.ll").write_text(KERNEL)
    arrays = ["--arg", "out=empty:f32:48", "--arg", "in=ones:f32:48"]
    how = ["--target", "nvidia:sm_86", "--grid", "1", "--block", "48", *arrays]

    assert main(["simulate", "k.ll", *how, "--profile", "--json", "r.json"]) == 0
    out = capsys.readouterr().out
    assert "each element written: 8 bytes of global memory, 1 floating-point operations" in out
    assert "occupancy 66.7%, 32 of 48 warps in 16 blocks, limited by blocks; registers are not known" in out
    profile = json.loads(Path("r.json").read_text())["profile"]
    load = next(row for row in profile["rows"] if row["what"] == "global load")
    assert (load["requests"], load["lanes"], load["sectors"], load["lines"]) == (2, 48, 6, 2)
    assert (profile["resources"], profile["occupancy"]["blocks"]) == (None, 16)


def test_without_the_flag_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(simulate, "decode_foreign", decode)
    monkeypatch.chdir(tmp_path)
    Path("k.ll").write_text(KERNEL)
    arrays = ["--arg", "out=empty:f32:8", "--arg", "in=ones:f32:8"]

    assert main(["simulate", "k.ll", "--target", "nvidia", "--grid", "1", "--block", "8", *arrays, "--json", "r"]) == 0
    assert "profile" not in json.loads(Path("r").read_text())


@pytest.mark.slow
def test_a_case_has_the_profile_of_its_documented_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    report = tmp_path / "r.json"

    assert main(["run", "p32:two-way", "--target", "nvidia", "--profile", "--json", str(report)]) == 0
    assert "occupancy 100.0%, 64 of 64 warps in 8 blocks, limited by threads" in capsys.readouterr().out
    (profile,) = json.loads(report.read_text())["cases"][0]["profiles"]
    shared = [row for row in profile["rows"] if row["what"] in ("shared store", "shared load")]
    assert [(row["requests"], row["passes"], row["conflicts"]) for row in shared] == [(256, 512, 256)] * 2
    assert profile["resources"]["registers"] > 0


@pytest.mark.slow
def test_a_program_has_a_profile_of_each_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    """Launches of one shape together; two loads of one line by their columns; stdout stays the program's own."""
    report = tmp_path / "r.json"
    monkeypatch.setenv(CHOICE, "strided")

    assert main(["exec", *words("strided", "nvidia"), "--profile", "--json", str(report)]) == 0
    assert capfd.readouterr().out == "done\n"
    near, far = json.loads(report.read_text())["programs"][0]["profiles"]
    assert (near["launches"], far["launches"]) == (2, 1)

    def loads(profile: dict) -> list[tuple[int, int, int]]:
        rows = [row for row in profile["rows"] if row["what"] == "global load"]
        assert len({row["line"] for row in rows}) == 1
        return [(row["requests"], row["sectors"], row["least_sectors"]) for row in rows]

    assert loads(near) == [(4, 32, 16), (4, 16, 16)]
    assert loads(far) == [(2, 64, 8), (2, 8, 8)]
    assert near["bytes_per_element"] == 12
    assert all(profile["resources"]["registers"] for profile in (near, far))


def test_the_page_of_a_program_has_none(capsys: pytest.CaptureFixture[str]):
    assert main(["show", str(PROGRAMS / "strided.mojo"), "--profile"]) == 2
    assert "`exec --profile` has that of a program." in capsys.readouterr().err


@pytest.mark.full
def test_the_page_of_a_case_with_questions_has_its_costs_at_its_lines(tmp_path: Path):
    """A page that asks for figures has them without `--profile`."""
    page = tmp_path / "p32.html"

    assert main(["show", "p32:two-way", "--target", "nvidia", "-o", str(page)]) == 0
    facts = {
        name: json.loads(page.read_text().partition(f'id="{name}">')[2].partition("</script>")[0])
        for name in ("costs", "questions")
    }
    assert [question["answer"] for question in facts["questions"]] == [2, 2048]
    costs = facts["costs"]
    assert list(costs.values()) == [
        ["store: 2 passes (1)", "load: 4 sectors (4)"],
        ["store: 4 sectors (4)", "load: 2 passes (1)"],
    ]
    assert all(place.startswith("mojo/p32/solution.mojo:") for place in costs)
