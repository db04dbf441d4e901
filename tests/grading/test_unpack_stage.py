"""Archives are read in a box: what is in them is as it is outside, and one that never ends to unpack is told."""

from __future__ import annotations

import dataclasses
import io
import sys
import tarfile
import zipfile

import pytest

from harness.grading import unpack_stage
from harness.grading.submissions import files_of, read
from harness.grading.unpack_stage import unpack_in_box
from harness.process.box import SandboxAnswer, SandboxPool, choose_strongest
from harness.process.child import ProcessExit

PUZZLES = ("p15", "p26")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and bubblewrap are Linux's")


@pytest.fixture(scope="module")
def box():
    with SandboxPool(choose_strongest()) as warm:
        yield warm


def zipped(path, **files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(f"{name}.mojo", data)
    return path


@pytest.mark.slow
def test_what_is_in_it_is_what_is_read_outside(tmp_path, box):
    zipped(tmp_path / "ann.zip", p15="# 입력\r\n\tpass\n", p26=b"\xff", other="x")
    (tmp_path / "bob.tar.gz").write_bytes(b"\x1f\x8b\x08")
    (tmp_path / "cid.rar").write_bytes(b"Rar!")

    here, there = (
        read(tmp_path, PUZZLES, unpack=unpack) for unpack in (files_of, lambda *given: unpack_in_box(*given, box=box))
    )

    assert here == there and [submission.person for submission in there] == ["ann", "bob", "cid"]
    assert there[0].files["p15"].text == "# 입력\r\n\tpass\n" and there[1].lack and there[2].lack


@pytest.mark.slow
def test_an_archive_that_never_ends_to_unpack_is_told(tmp_path, box, monkeypatch):
    """Some versions of Python look for a number in these digits from each of them on."""
    digits = b"1" * 4_000_000
    header = tarfile.TarInfo("x")
    header.type, header.size = tarfile.XHDTYPE, len(digits)
    path = tmp_path / "ann.tar"
    path.write_bytes(header.tobuf(tarfile.USTAR_FORMAT) + io.BytesIO(digits + bytes(-len(digits) % 512)).getvalue())
    monkeypatch.setattr(unpack_stage, "LIMITS", dataclasses.replace(unpack_stage.LIMITS, cpu_seconds=1))

    files, lack = unpack_in_box(path, PUZZLES, box)

    assert not files and lack.startswith("ann.tar cannot be read: it ")


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[]",
        b'{"result": {"files": [], "lack": ""}}',
        b'{"result": {"files": {"p15": 1}, "lack": ""}}',
        b'{"result": {"files": {"p15": {"name": "", "lack": "", "text": "\\r"}}, "lack": ""}}',
        b'{"result": {"files": {"p15": {"name": "", "lack": "", "text": "\\udc00"}}, "lack": ""}}',
        b"[" * 100_000,
        None,
    ],
    ids=range(8),
)
def test_what_has_not_the_form_of_an_answer_is_none(tmp_path, said):
    class Box:
        def ask(self, *_, **__):
            return SandboxAnswer(ProcessExit(0), said, "")

    files, lack = unpack_in_box(zipped(tmp_path / "ann.zip", p15="x"), PUZZLES, Box())

    assert not files and lack.startswith("ann.zip cannot be read: ")
