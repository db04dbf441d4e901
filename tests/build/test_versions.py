"""The table of pairs, `pyproject.toml`'s range, pip's choice, and what is said of a pair that is in neither."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.build import blame, versions
from harness.build.compiler import Compiler
from harness.build.unit import Build, make_units
from harness.catalogue import select_one_case
from harness.errors import CompileError, EnvironmentFault
from harness.grading import untested
from harness.grading.work import JobResult, ModeResult
from harness.model.language import set_language
from harness.model.sources import ROOT, Sources
from harness.model.target import Target
from harness.model.verdict import Verdict
from tests.pairs import NEEDS

RANGES = {
    re.match(r"\w+", name)[0]: name
    for name in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    if re.match(r"(max|mojo)\b", name)
}
NEITHER = {"max": "26.5.0", "mojo": "1.0.0"}


@pytest.fixture
def neither(monkeypatch):
    """A pair that is in no table; nothing was said of it yet."""
    monkeypatch.setattr(versions, "installed_version", NEITHER.get)
    versions.warn_once.cache_clear()
    yield
    versions.warn_once.cache_clear()


@pytest.fixture
def newest(monkeypatch):
    monkeypatch.setattr(versions, "installed_version", {"max": versions.NEWEST.max, "mojo": versions.NEWEST.mojo}.get)
    versions.warn_once.cache_clear()
    yield
    versions.warn_once.cache_clear()


def wheel(folder: Path, name: str, version: str, *needs: str) -> None:
    """Write a wheel that holds nothing but what it says of itself."""
    own = f"{name.replace('-', '_')}-{version}"
    files = {
        "METADATA": "\n".join(
            [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}", *(f"Requires-Dist: {one}" for one in needs)]
        )
        + "\n",
        "WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(folder / f"{own}-py3-none-any.whl", "w") as archive:
        record = []
        for file, text in files.items():
            path, data = f"{own}.dist-info/{file}", text.encode()
            archive.writestr(path, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}")
        archive.writestr(f"{own}.dist-info/RECORD", "\n".join([*record, f"{own}.dist-info/RECORD,,"]) + "\n")


@pytest.fixture(scope="module")
def releases(tmp_path_factory) -> Path:
    """An index with the tested pairs, one before and one after them, bound together as the real ones are."""
    folder = tmp_path_factory.mktemp("releases")
    pairs = [("26.5.0", "1.0.0"), *((pair.max, pair.mojo) for pair in versions.PAIRS), ("26.8.0", "1.3.0")]
    for max_, mojo in pairs:
        wheel(folder, "max", max_, f"max-core=={max_}")
        wheel(folder, "max-core", max_, f"mojo-compiler=={mojo}")
        wheel(folder, "mojo", mojo, f"mojo-compiler=={mojo}")
        wheel(folder, "mojo-compiler", mojo)
    return folder


def resolve(releases: Path, *requirements: str) -> dict[str, str] | None:
    """What pip would install of an index; None if nothing fits."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-index", "--quiet"]
    done = subprocess.run(
        [*command, "--find-links", str(releases), "--report", "-", *requirements], capture_output=True, text=True
    )
    if done.returncode:
        assert "ResolutionImpossible" in done.stderr or "No matching distribution" in done.stderr, done.stderr
        return None
    found = (item["metadata"] for item in json.loads(done.stdout)["install"])
    return {item["name"]: item["version"] for item in found if item["name"] in ("max", "mojo")}


needs_pip = pytest.mark.skipif(find_spec("pip") is None, reason="there is no pip here")


@needs_pip
@pytest.mark.slow
def test_pip_takes_the_newest_tested_pair(releases):
    assert resolve(releases, *RANGES.values()) == {"max": versions.NEWEST.max, "mojo": versions.NEWEST.mojo}


@needs_pip
@pytest.mark.slow
@pytest.mark.parametrize("pair", versions.PAIRS, ids=str)
def test_who_has_one_half_of_a_pair_gets_the_other(releases, pair):
    for half in pair.requirements:
        assert resolve(releases, *RANGES.values(), half) == {"max": pair.max, "mojo": pair.mojo}


@needs_pip
@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [("max==26.5.0",), ("mojo==1.3.0",), (f"max=={versions.PAIRS[0].max}", f"mojo=={versions.PAIRS[1].mojo}")],
    ids=["before", "after", "no pair"],
)
def test_pip_refuses_what_is_no_pair(releases, words):
    assert resolve(releases, *RANGES.values(), *words) is None


def test_the_installed_packages_are_bound_together_as_in_this_test():
    """Else the index above would be a fiction."""
    if versions.installed_pair() is None:
        pytest.skip("MAX and Mojo are not installed here")
    mojo = next(need for need in metadata.requires("mojo") or () if need.startswith("mojo-compiler"))
    assert mojo in (metadata.requires("max-core") or ()) and "==" in mojo


def test_the_range_ends_where_the_table_ends():
    """The next release is none of the tested ones: `pyproject.toml` admits corrections of the newest at most."""
    for number, name in enumerate(("max", "mojo")):
        oldest, newest = (
            [*map(int, (pair.max, pair.mojo)[number].split("."))] for pair in versions.PAIRS[:: len(versions.PAIRS) - 1]
        )
        assert RANGES[name] == f"{name}>={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"


def test_of_a_pair_in_neither_one_line_is_said_once(neither, capsys):
    versions.warn_once()
    versions.warn_once()

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        "note: MAX 26.5.0 with Mojo 1.0.0 is not one of the tested pairs (26.6.0/1.1.0, 26.7.0/1.2.0): "
        "if something fails, run `pip install max==26.7.0 mojo==1.2.0`.\n"
    )


def test_the_first_compilation_says_it(neither, capsys):
    for _ in range(2):
        with Compiler(Path("/bin/true")) as compiler:
            compiler.run([], Path("p15.mojo"))
    assert capsys.readouterr().err == f"{versions.untested_warning()}\n"


def test_it_is_said_in_korean_too(neither, capsys):
    set_language("ko")
    try:
        versions.warn_once()
    finally:
        set_language(None)
    told = capsys.readouterr().err
    assert "MAX 26.5.0" in told and "Mojo 1.0.0" in told and "`pip install max==26.7.0 mojo==1.2.0`" in told
    assert not re.search(r"[a-z]{4,} [a-z]{2,}", told.replace("pip install", "")), "English words in a row"


def test_what_needs_a_limit_is_named_for_each_limit():
    assert {limit.what for pair in versions.PAIRS for limit in pair.limits} == NEEDS.keys()


def test_two_halves_of_tested_pairs_are_none(monkeypatch):
    monkeypatch.setattr(versions, "installed_version", {"max": "26.7.0", "mojo": "1.1.0"}.get)
    assert versions.untested_warning().startswith("note: MAX 26.7.0 with Mojo 1.1.0 is not one of")


def test_of_a_tested_pair_nothing_is_said(newest, capsys):
    """The near twin."""
    versions.warn_once()
    assert capsys.readouterr().err == "" and versions.untested_warning() == ""


@pytest.mark.parametrize("pair", versions.PAIRS, ids=str)
def test_doctor_says_what_a_tested_pair_cannot_do_and_why(pair, monkeypatch):
    monkeypatch.setattr(versions, "installed_version", {"max": pair.max, "mojo": pair.mojo}.get)
    told = versions.describe_installed()
    assert told.startswith(f"{pair} is tested")
    assert all(limit.what in told and limit.why in told for limit in pair.limits)


@pytest.mark.parametrize("pair", versions.PAIRS, ids=str)
def test_a_tested_pair_is_repaired_in_its_own_version(pair, monkeypatch):
    """The newest `mojo` beside an older `max` would be no pair."""
    monkeypatch.setattr(versions, "installed_version", {"max": pair.max, "mojo": pair.mojo}.get)
    assert versions.reinstall_command("mojo") == f"`pip install --force-reinstall mojo=={pair.mojo}`"


@pytest.mark.parametrize("found", [NEITHER, {"mojo": versions.NEWEST.mojo}], ids=["not tested", "one half"])
def test_any_other_is_replaced_by_the_newest(found, monkeypatch):
    monkeypatch.setattr(versions, "installed_version", lambda package: found.get(package, ""))
    assert (
        versions.reinstall_command("mojo")
        == f"`pip install --force-reinstall {' '.join(versions.NEWEST.requirements)}`"
    )


def test_doctor_has_the_line(neither):
    assert versions.describe_installed() == versions.untested_warning().removeprefix("note: ")


P15 = select_one_case("p15")
UNIT = make_units([P15], Build(target=Target.parse("nvidia:sm_90")))[0]
ERROR = CompileError("it does not compile", "p15.mojo:1:1: error: it moved")


def learners(tmp_path: Path):
    file = tmp_path / "p15.mojo"
    file.write_text(UNIT.file.read_text())
    return make_units([P15], Build(target=Target.parse("nvidia:sm_90"), sources=Sources(overrides={"p15": file})))


def fail(*_):
    raise ERROR


def test_what_our_own_solution_has_too_is_not_the_learner_s(neither, tmp_path):
    said = r"our own solution mojo/p15/solution\.mojo does not compile here.*; here is MAX 26\.5\.0 with Mojo 1\.0\.0\."
    with pytest.raises(EnvironmentFault, match=said):
        blame.attribute_error(ERROR, learners(tmp_path), fail)


def test_what_only_the_learner_s_file_has_is_the_learner_s(neither, tmp_path):
    """The near twin: our own solution compiles in its place."""
    tried = []
    assert blame.attribute_error(ERROR, learners(tmp_path), lambda own: tried.append(own[0].file)) is ERROR
    assert tried == [UNIT.file]


def test_with_a_tested_pair_nothing_else_is_compiled(newest, tmp_path):
    assert blame.attribute_error(ERROR, learners(tmp_path), fail) is ERROR


def test_our_own_solution_is_named_as_ours(neither):
    error = blame.attribute_error(ERROR, (UNIT,), fail)
    assert str(error).endswith("it is the harness's own, and MAX 26.5.0 with Mojo 1.0.0 is not one of the tested pairs")
    assert error.diagnostics == ERROR.diagnostics


def graded(**verdicts: Verdict) -> JobResult:
    modes = tuple(ModeResult.without_a_run(name, verdict, "p15.mojo:1:1") for name, verdict in verdicts.items())
    return JobResult(key="", people="", modes=modes)


def test_a_mode_of_which_our_own_solution_does_not_compile_is_not_graded(neither):
    handed = graded(a=Verdict.COMPILE_ERROR, b=Verdict.COMPILE_ERROR, c=Verdict.PASS)
    ours = graded(a=Verdict.COMPILE_ERROR, b=Verdict.PASS, c=Verdict.PASS)

    result = untested.with_control(handed, ours)
    assert [mode.verdict for mode in result.modes] == [Verdict.NOT_GRADED, Verdict.COMPILE_ERROR, Verdict.PASS]
    assert "MAX 26.5.0 with Mojo 1.0.0" in result.modes[0].reason


def test_with_a_tested_pair_it_is_graded(newest):
    handed = graded(a=Verdict.COMPILE_ERROR)
    assert untested.with_control(handed, handed) == handed
    assert not untested.may_be_ours(handed.modes[0])
