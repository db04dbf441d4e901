"""A release holds what git tracks, says what is new, and its page has no link that leads nowhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
import zipfile
from importlib.util import find_spec

import pytest

from harness.model import project
from harness.model.sources import ROOT
from tests import release

VERSION = release.version_of((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
START = "## Start\n\n`nox -s puzzles`\n\n## "  # replaced on the page
PAGE = "[a](docs/a.md) ![b](docs/b.svg) [c](https://c) [d](#d) [e](docs/e.md#f)"

pytestmark = pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling is not installed, which builds")


def test_one_place_says_the_version():
    """The changelog begins with it, and the manifests of other tools say none."""
    assert project.version() == VERSION
    assert release.notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), VERSION)
    for manifest in (ROOT / "pixi.toml", ROOT / "noxfile.py", *(ROOT / ".github").rglob("*.yml")):
        assert VERSION not in manifest.read_text(encoding="utf-8").split('"'), manifest


@pytest.mark.parametrize("text", ["", "## 1.1.0\nnew\n", "## 1.0.0\n\n## 0.9.0\nold\n", "# Changes\n1.0.0\n"])
def test_a_version_of_which_nothing_is_said_is_no_release(text):
    with pytest.raises(release.ReleaseError, match=re.escape("write a section `## 1.0.0`")):
        release.notes(text, "1.0.0")
    assert release.notes("# Changes\n\n## 1.0.0 (today)\n\nnew\n\n## 0.9.0\nold\n", "1.0.0") == "new\n"


def test_another_tag_is_no_release(capsys, tmp_path):
    assert release.main(["--tag", f"v{VERSION}.1", "--out", str(tmp_path / "dist")]) == 1
    assert f"error: the tag v{VERSION}.1 is not v{VERSION}" in capsys.readouterr().err
    assert not (tmp_path / "dist").exists()


def _after_start(page: str) -> str:
    return page.rpartition("\n## ")[2]


def test_the_page_starts_with_what_works_without_the_repository():
    from hatch_build import for_its_page

    page = for_its_page((ROOT / "README.md").read_text(encoding="utf-8"), "", "1", "it")

    assert page.count("\n## Start\n") == 1 and "\npip install it\n" in page
    assert not re.search(r"\bnox\b|\.nox|pip install \.|pixi", page)
    start = page.partition("\n## Start\n")[2].partition("\n## ")[0]
    assert "Python 3.11 or later" in start and "WSL2" in start and "`wsl --install`" in start, (
        "what is needed, on Windows too"
    )
    with pytest.raises(ValueError, match=r"no section `## Start`"):
        for_its_page("# It\n\n## Begin\n\n## End\n", "", "1", "it")


@pytest.mark.parametrize("home", ["", "https://host/us/it/"])
def test_addresses_are_those_of_the_repository_where_somebody_says_which(home, monkeypatch):
    import hatch_build

    monkeypatch.setenv(hatch_build.HOME_VARIABLE, home)
    metadata = {"name": "it", "version": "1"}
    hatch_build.ReadmeHook(str(ROOT), {}).update(metadata)

    urls = metadata.get("urls", {})
    assert urls.keys() == ({"Homepage", "Documentation", "Changelog", "Issues"} if home else set())
    assert all(url.startswith("https://host/us/it") for url in urls.values())
    files = [url.partition("/blob/v1/")[2] for url in urls.values() if "/blob/" in url]
    assert all((ROOT / file).is_file() for file in files) and len(files) == (2 if home else 0)


def test_links_of_the_package_s_page_lead_to_the_repository_or_are_text():
    from hatch_build import for_its_page

    assert _after_start(for_its_page(START + PAGE, "", "1.0", "it")) == "a  [c](https://c) [d](#d) e"
    assert _after_start(for_its_page(START + PAGE, "https://host/us/it/", "1.0", "it")) == (
        "[a](https://host/us/it/blob/v1.0/docs/a.md) ![b](https://host/us/it/raw/v1.0/docs/b.svg) "
        "[c](https://c) [d](#d) [e](https://host/us/it/blob/v1.0/docs/e.md#f)"
    )


def test_the_readme_leads_to_files_of_the_repository_wherever_it_is_shown():
    """Absolute, relative from the repository's front page, or no link at all."""
    from hatch_build import for_its_page

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)\)", readme)
    assert len(targets) > 10 and all((ROOT / target).is_file() for target in targets)
    led = re.findall(
        r"\]\(https://host/us/it/(?:blob|raw)/v1/([^)]+)\)", for_its_page(readme, "https://host/us/it", "1", "it")
    )
    assert led == [target for target in targets if target != "CONTRIBUTING.md"]  # for who has the repository
    assert not re.search(r"\]\((?!https:)", for_its_page(readme, "", "1", "it"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The files that git tracks, as somebody has them who cloned them, and what is built of them."""
    folder = tmp_path_factory.mktemp("clone")
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is no clone of git's")
    for name in (files := release.tracked(ROOT)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder, files, *release.build(folder, folder / "dist")


@pytest.mark.slow
def test_the_archives_hold_what_git_tracks(built):
    """A wheel of the sdist is the wheel."""
    folder, files, wheel, sdist = built
    release.check_wheel(wheel, files, VERSION)
    release.check_sdist(sdist, files, VERSION)
    with tarfile.open(sdist) as held:
        held.extractall(folder / "unpacked", filter="data")
    (again, _) = release.build(next((folder / "unpacked").iterdir()), folder / "again")

    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        first, second = ({name: held.read(name) for name in held.namelist()} for held in (one, other))
    assert first == second


@pytest.mark.slow
def test_what_is_missing_or_too_much_is_named(built):
    _, files, wheel, sdist = built
    for check, archive in ((release.check_wheel, wheel), (release.check_sdist, sdist)):
        with pytest.raises(release.ReleaseError, match=r"lacks harness/more\.py\."):
            check(archive, {*files, "harness/more.py"}, VERSION)
        with pytest.raises(release.ReleaseError, match=r"has, and git does not know, harness/model/handout\.py\."):
            check(archive, files - {"harness/model/handout.py"}, VERSION)
    with zipfile.ZipFile(wheel, "a") as held, pytest.warns(UserWarning, match="Duplicate name"):
        held.writestr(f"mojo_gpu_puzzles_harness-{VERSION}.dist-info/METADATA", f"Name: a\n\n{PAGE}\n")
    with pytest.raises(release.ReleaseError, match=re.escape("lead nowhere: docs/a.md, docs/b.svg, docs/e.md#f.")):
        release.check_wheel(wheel, files, VERSION)
