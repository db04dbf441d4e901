"""What is read of folders and archives of strangers: files of puzzles, and nothing that a link or a bomb leads to."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from harness.errors import UsageError
from harness.grading import archives, submissions
from harness.grading.submissions import read, read_one

PUZZLES = ("p15", "p26")


def only(folder: Path) -> submissions.Submission:
    (submission,) = read(folder, PUZZLES)
    return submission


def zipped(path: Path, files: dict[str, bytes], mode: int | None = None) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            if mode is not None:
                info.external_attr = mode << 16
            archive.writestr(info, data)


def tarred(entries: dict[str, bytes | tarfile.TarInfo]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in entries.items():
            if isinstance(data, tarfile.TarInfo):
                archive.addfile(data)
                continue
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


@pytest.mark.parametrize("name", ["p15.mojo", "p15/problem.mojo", "home/week-3/p15.mojo", "puzzles/p15/problem.mojo"])
@pytest.mark.parametrize("kind", ["folder", "zip", "tar", "tar.gz", "tgz", "tar.bz2", "tar.xz"])
def test_a_puzzles_file_is_found_wherever_it_lies(tmp_path, name, kind):
    if kind == "folder":
        (tmp_path / "ann" / name).parent.mkdir(parents=True)
        (tmp_path / "ann" / name).write_text("kernel")
    elif kind == "zip":
        zipped(tmp_path / "ann.zip", {name: b"kernel"})
    else:
        pack = {"tar": bytes, "tar.bz2": bz2.compress, "tar.xz": lzma.compress}.get(kind, gzip.compress)
        (tmp_path / f"ann.{kind}").write_bytes(pack(tarred({name: b"kernel"})))

    submission = only(tmp_path)

    assert (submission.person, submission.lack) == ("ann", "")
    assert {puzzle: handed.text for puzzle, handed in submission.files.items()} == {"p15": "kernel"}


def test_other_files_do_not_count(tmp_path):
    (tmp_path / "ann" / ".git").mkdir(parents=True)
    (tmp_path / "ann" / "p77.mojo").write_text("x")
    (tmp_path / "ann" / "problem.mojo").write_text("x")
    (tmp_path / "ann" / ".git" / "p15.mojo").write_text("x")
    (tmp_path / "loose.mojo").write_text("x")

    assert only(tmp_path).files == {}


@pytest.mark.parametrize("name", ["week 3/hand-in.zip", "hand-in.rar"])
def test_what_an_archive_inside_may_hold_is_not_called_missing(tmp_path, name):
    (tmp_path / "ann" / name).parent.mkdir(parents=True)
    (tmp_path / "ann" / name).write_bytes(b"?")
    (tmp_path / "ann" / "p26.mojo").write_text("kernel")
    zipped(tmp_path / "bob.zip", {name: b"?", "p26.mojo": b"kernel", "__MACOSX/._p15.zip": b"?"})

    for submission in read(tmp_path, PUZZLES):
        assert submission.lack == "" and submission.files["p26"] == submissions.SubmittedFile("p26.mojo", "kernel")
        lack = f"{name} is an archive inside of what was handed in, which is not opened: unpack it"
        assert submission.files["p15"] == submissions.SubmittedFile(name, lack=lack)


def test_a_link_is_not_followed(tmp_path):
    secret = tmp_path / "secret.mojo"
    secret.write_text("secret")
    people = tmp_path / "people"
    (people / "ann").mkdir(parents=True)
    (people / "ann" / "p15.mojo").symlink_to(secret)
    (people / "ann" / "p26").symlink_to(tmp_path)
    (people / "bob").symlink_to(tmp_path)

    submission = only(people)

    assert submission.person == "ann"
    assert "link" in submission.files["p15"].lack and submission.files["p15"].text == ""
    assert list(submission.files) == ["p15"]


def test_what_is_nobodys_is_named_and_everything_else_is_somebodys(tmp_path):
    for name in ("notes.txt", "p15.mojo", ".DS_Store"):
        (tmp_path / name).write_text("x")
    (tmp_path / "dan").symlink_to("/")
    for name in ("ann.rar", "bob.7z", "cid.gz"):
        (tmp_path / name).write_bytes(b"?")
    (tmp_path / "eve.zip").mkdir()
    told = []

    people = {submission.person: submission.lack for submission in read(tmp_path, PUZZLES, notify=told.append)}

    assert told == ["passed by, neither a folder nor an archive: dan (a link), notes.txt, p15.mojo"]
    assert list(people) == ["ann", "bob", "cid", "eve.zip"] and people.pop("eve.zip") == ""
    assert all("cannot be read: it is packed in another way than .zip, .tar" in lack for lack in people.values())


def test_results_among_the_submissions_are_nobodys(tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "results").mkdir()

    assert [submission.person for submission in read(tmp_path, PUZZLES)] == ["ann", "results"]
    assert [submission.person for submission in read(tmp_path, PUZZLES, results=tmp_path / "results")] == ["ann"]


def test_a_repository_s_own_files_are_not_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "MOST_ENTRIES", 3)
    (tmp_path / "ann" / ".git").mkdir(parents=True)
    for number in range(9):
        (tmp_path / "ann" / ".git" / str(number)).touch()
    (tmp_path / "ann" / "p15.mojo").write_text("kernel")
    assert only(tmp_path).files["p15"].text == "kernel"

    for number in range(9):
        (tmp_path / "ann" / str(number)).touch()
    assert "more than 3 files" in only(tmp_path).lack


def test_an_archive_from_windows_is_read(tmp_path):
    zipped(tmp_path / "ann.zip", {"week\\": b"", "week\\p15\\problem.mojo": b"kernel"})

    assert (only(tmp_path).lack, only(tmp_path).files["p15"].text) == ("", "kernel")


def test_an_archive_with_a_password_says_so(tmp_path):
    zipped(tmp_path / "ann.zip", {"p15.mojo": b"kernel", "p26.mojo": b"kernel"})
    data = bytearray((tmp_path / "ann.zip").read_bytes())
    for sign, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(sign) + flags] |= 1
    (tmp_path / "ann.zip").write_bytes(data)

    files = only(tmp_path).files
    assert files["p15"].lack == "p15.mojo is not read: it needs a password" and files["p26"].text == "kernel"


def test_a_pipe_is_not_waited_for(tmp_path):
    (tmp_path / "ann").mkdir()
    os.mkfifo(tmp_path / "ann" / "p15.mojo")

    assert "no plain file" in only(tmp_path).files["p15"].lack


@pytest.mark.parametrize(
    ("data", "lack"),
    [
        (b"\xff\xfe\x00k", "p15.mojo is no Mojo file: line 1 is no text in UTF-8"),
        (b"ker\0nel", "line 1 has a null character"),
        (b"# x\r kernel", "line 1 has a carriage return without a line feed"),
        (b"\xef\xbb\xbfkernel", "it begins with a byte order mark"),
        (b"x" * (submissions.MOST_BYTES + 1), "more than 256 KiB"),
    ],
    ids=["utf-16", "null", "carriage-return", "byte-order-mark", "large"],
)
def test_what_is_no_text_of_a_bearable_size_is_told(tmp_path, data, lack):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "p15.mojo").write_bytes(data)
    zipped(tmp_path / "bob.zip", {"p15.mojo": data})

    for submission in read(tmp_path, PUZZLES):
        assert lack in submission.files["p15"].lack


def test_two_files_of_one_puzzle_are_told_unless_they_are_equal(tmp_path):
    (tmp_path / "ann" / "p15").mkdir(parents=True)
    (tmp_path / "ann" / "p15.mojo").write_text("one")
    (tmp_path / "ann" / "p15" / "problem.mojo").write_text("one")
    assert only(tmp_path).files["p15"].lack == ""

    (tmp_path / "ann" / "p15" / "problem.mojo").write_text("two")
    assert "there are several: p15.mojo, p15/problem.mojo" in only(tmp_path).files["p15"].lack


@pytest.mark.parametrize("name", ["../week-3.zip", "/home/ann/week-3.zip"])
def test_an_archive_inside_is_seen_wherever_its_path_leads(tmp_path, name):
    zipped(tmp_path / "ann.zip", {name: b"packed"})

    assert "archive inside" in only(tmp_path).files["p15"].lack


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_in_an_archive_are_told(tmp_path, kind):
    (tmp_path / "ann.tar").write_bytes(tarred({"": link("p15.mojo", "/etc/passwd", kind)}))
    zipped(tmp_path / "bob.zip", {"p15.mojo": b"/etc/passwd"}, mode=0o120777)

    for submission in read(tmp_path, PUZZLES):
        assert "link" in submission.files["p15"].lack


@pytest.mark.parametrize("name", ["../../p15.mojo", "/p15.mojo", "../p15/problem.mojo", "a/../p15.mojo", "/a/P15.Mojo"])
def test_nothing_of_an_archive_reaches_the_disk(tmp_path, name):
    people = tmp_path / "people"
    people.mkdir()
    zipped(people / "ann.zip", {name: b"kernel"})
    (people / "bob.tar").write_bytes(tarred({name: b"kernel"}))
    before = sorted(tmp_path.rglob("*"))

    submitted = read(people, PUZZLES)

    assert sorted(tmp_path.rglob("*")) == before
    for submission in submitted:
        assert "leads out of the archive" in submission.files["p15"].lack, "somebody handed it in: it is not missing"


@pytest.mark.parametrize(
    "damage",
    [b"", b"PK\x03\x04", b"\x1f\x8b\x08", bytes(512), b"\xfd7zXZ\x00" + bytes(40)],
    ids=["empty", "zip", "gzip", "nulls", "xz"],
)
@pytest.mark.parametrize("suffix", archives.SUFFIXES)
def test_a_damaged_archive_is_told(tmp_path, suffix, damage):
    (tmp_path / f"ann{suffix}").write_bytes(damage)

    submission = only(tmp_path)

    assert submission.files == {}
    assert submission.lack.startswith(f"ann{suffix} cannot be read") or suffix == ".tar" or damage == b""


def test_of_a_damaged_zip_the_whole_files_are_read(tmp_path):
    zipped(tmp_path / "ann.zip", {"p15.mojo": bytes(range(33, 90)), "p26.mojo": b"kernel"})
    data = bytearray((tmp_path / "ann.zip").read_bytes())
    data[data.index(b"p15.mojo") + len("p15.mojo") + 4] ^= 0xFF
    (tmp_path / "ann.zip").write_bytes(data)

    submission = only(tmp_path)

    assert submission.lack == "" and submission.files["p26"] == submissions.SubmittedFile("p26.mojo", "kernel")
    assert submission.files["p15"].lack.startswith("p15.mojo is not read: it is damaged (")


NOISE = bytes(random.Random(7).choices(range(33, 127), k=200_000))  # which does not shrink to nothing


@pytest.mark.parametrize(
    "kind", ["tar", "tar.gz", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("tar.bz2", "tar.xz"))]
)
def test_of_an_archive_that_is_cut_off_the_whole_files_are_read(tmp_path, kind):
    pack = {"tar": bytes, "tar.bz2": bz2.compress, "tar.xz": lzma.compress, "tar.gz": gzip.compress}[kind]
    # A block of bzip2 has 900 kB, and is read whole or not at all.
    files = {"p15.mojo": b"kernel", **{f"{n}.txt": NOISE for n in range(8)}, "p26.mojo": b"kernel"}
    data = pack(tarred(files))
    (tmp_path / f"ann.{kind}").write_bytes(data[: len(data) * 3 // 4])

    submission = only(tmp_path)

    assert submission.files == {"p15": submissions.SubmittedFile("p15.mojo", "kernel")}
    assert submission.lack.startswith(f"ann.{kind} cannot be read: it is damaged (")


@pytest.mark.parametrize("cut", ["between two files", "a header"])
def test_what_tarfile_takes_for_an_end_is_told(tmp_path, cut):
    data = bytearray(tarred({"p15.mojo": b"kernel", "p26.mojo": b"kernel"}))
    if cut == "a header":
        data[1024 + 148] ^= 1  # its checksum
    else:
        del data[1024:]
    (tmp_path / "ann.tar").write_bytes(data)

    submission = only(tmp_path)

    assert list(submission.files) == ["p15"] and "ann.tar cannot be read: it is damaged (" in submission.lack


def test_of_other_damage_in_a_compressed_tar_nothing_is_read(tmp_path):
    """Nobody can say which file it is in."""
    data = bytearray(gzip.compress(tarred({"p15.mojo": b"kernel", "1.txt": NOISE})))
    data[-5] ^= 0xFF  # of the checksum or the length at its end
    (tmp_path / "ann.tgz").write_bytes(data)

    assert only(tmp_path).files == {} and "it is damaged (" in only(tmp_path).lack


def test_beside_a_folder_that_is_closed_files_are_read(tmp_path, monkeypatch):
    (tmp_path / "ann" / "a").mkdir(parents=True)
    (tmp_path / "ann" / "z").mkdir()
    (tmp_path / "ann" / "a" / "p15.mojo").write_text("kernel")
    scandir = os.scandir

    def closed(path):  # to the superuser, who may run the tests, nothing is
        if Path(path).name == "z":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(submissions.os, "scandir", closed)

    submission = only(tmp_path)

    assert submission.files == {"p15": submissions.SubmittedFile("a/p15.mojo", "kernel")}
    assert submission.lack == "ann cannot be read: z: Permission denied"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["zip", "tar.gz", "tar.xz", "directory-lies"])
def test_a_bomb_is_not_unpacked(tmp_path, kind):
    huge = bytes(archives.MOST_BYTES + (1 << 20))
    if kind == "tar.gz":
        (tmp_path / "ann.tar.gz").write_bytes(gzip.compress(tarred({"p15.mojo": huge})))
    elif kind == "tar.xz":
        (tmp_path / "ann.tar.xz").write_bytes(lzma.compress(tarred({"p15.mojo": huge}), preset=0))
    else:
        zipped(tmp_path / "ann.zip", {"p15.mojo": huge})
        if kind == "directory-lies":
            data = (tmp_path / "ann.zip").read_bytes()
            size = len(huge).to_bytes(4, "little")
            (tmp_path / "ann.zip").write_bytes(data.replace(size, (100).to_bytes(4, "little")))

    submission = only(tmp_path)

    told = submission.lack + "".join(handed.lack for handed in submission.files.values())
    assert "MiB" in told or "KiB" in told or "damaged" in told
    assert not any(handed.text for handed in submission.files.values())


def test_an_archive_with_too_many_entries_is_told(tmp_path):
    zipped(tmp_path / "ann.zip", {f"{number}.txt": b"" for number in range(archives.MOST_ENTRIES + 1)})

    assert "entries" in only(tmp_path).lack


def test_names_do_nothing_to_a_terminal(tmp_path):
    (tmp_path / "\x1b[2J\n::error::x").mkdir()
    (tmp_path / os.fsdecode(b"\xff")).mkdir()

    for submission in read(tmp_path, PUZZLES):
        assert submission.person.isprintable()


def test_an_escape_and_what_it_stands_for_are_two_people(tmp_path):
    for name in ("ann\n", "ann\\n", "ann\\\\n"):
        (tmp_path / name).mkdir()

    people = [submission.person for submission in read(tmp_path, PUZZLES)]

    assert people == ["ann\\n", "ann\\\\\\\\n", "ann\\\\n"] and len(set(people)) == 3


def test_a_file_is_read_as_it_is(tmp_path):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "p15.mojo").write_bytes(b"a\r\n\xe3\x80\x80b  \n")

    assert only(tmp_path).files["p15"].text == "a\r\n\u3000b  \n"


def test_only_files_of_puzzles_are_unpacked(tmp_path, monkeypatch):
    """And of a hundred of one name not all are kept."""
    large = bytes(submissions.MOST_BYTES)
    zipped(tmp_path / "ann.zip", {**{f"{n}/other.mojo": large for n in range(50)}, "p26.mojo": b"kernel"})
    opened = []
    whole = zipfile.ZipFile.open
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *given, **more: opened.append(given) or whole(*given, **more))
    assert only(tmp_path).files["p26"].text == "kernel" and len(opened) == 1

    zipped(tmp_path / "ann.zip", {f"{n}/p15.mojo": b"%d" % n for n in range(100)})
    assert len(only(tmp_path).files["p15"].lack) < 1000


def test_a_folder_and_an_archive_of_one_name_are_two_people(tmp_path):
    (tmp_path / "ann").mkdir()
    zipped(tmp_path / "ann.zip", {"p15.mojo": b"kernel"})

    assert [submission.person for submission in read(tmp_path, PUZZLES)] == ["ann", "ann.zip"]


def test_nobody_is_told(tmp_path):
    with pytest.raises(UsageError, match="nobody"):
        read(tmp_path, PUZZLES)
    with pytest.raises(UsageError, match="no folder of submissions"):
        read(tmp_path / "missing", PUZZLES)
    with pytest.raises(UsageError, match="no submission"):
        read_one(tmp_path / "missing", PUZZLES)


def test_one_person_is_a_folder_or_an_archive(tmp_path):
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "p26.mojo").write_text("kernel")
    zipped(tmp_path / "work.zip", {"p26.mojo": b"kernel"})

    for name in ("submission", "work.zip"):
        assert read_one(tmp_path / name, PUZZLES).files["p26"].text == "kernel"


@pytest.mark.parametrize("name", ["P15.MOJO", "Week 3/P15/Problem.mojo", "p15.Mojo"])
def test_capital_letters_are_as_good_as_small_ones(tmp_path, name):
    (tmp_path / "ann" / name).parent.mkdir(parents=True)
    (tmp_path / "ann" / name).write_text("kernel")
    zipped(tmp_path / "bob.zip", {name: b"kernel"})

    for submission in read(tmp_path, PUZZLES):
        assert submission.files == {"p15": submissions.SubmittedFile(name, "kernel")}


def test_capital_letters_make_no_second_kind_of_file(tmp_path):
    (tmp_path / "ann" / "p17").mkdir(parents=True)
    (tmp_path / "ann" / "p17" / "Problem.PY").write_text("graph")
    (tmp_path / "ann" / "p17" / "problem.py").write_text("other")
    (tmp_path / "ann" / "P17.mojo").write_text("kernel")

    (submission,) = read(tmp_path, ("p17",))

    assert "there are several: p17/Problem.PY, p17/problem.py" in submission.files["p17"].lack


@pytest.mark.parametrize(
    "name",
    ["p15 (1).mojo", "p15 - Copy.mojo", "p15.mojo.txt", "p15_final.mojo", "p15/problem (2).mojo", "Puzzle 15.mojo"],
)
def test_a_file_with_almost_the_name_is_not_called_missing(tmp_path, name):
    """And where the right one is there too, it is that one."""
    (tmp_path / "ann" / name).parent.mkdir(parents=True)
    (tmp_path / "ann" / name).write_text("kernel")
    zipped(tmp_path / "bob.zip", {name: b"kernel", "p26.mojo": b"kernel"})
    zipped(tmp_path / "cid.zip", {name: b"old", "p15.mojo": b"kernel"})

    *unread, right = read(tmp_path, PUZZLES)

    lack = f"{name} is not read, since its name is another one: call it p15.mojo"
    assert [submission.files["p15"] for submission in unread] == [submissions.SubmittedFile(name, lack=lack)] * 2
    assert right.files == {"p15": submissions.SubmittedFile("p15.mojo", "kernel")}


@pytest.mark.parametrize("name", ["p1.mojo", "p151.mojo", "p15x.mojo", "notes on p15.mojo", "p15.md", ".p15.mojo.swp"])
def test_other_names_are_no_puzzles(tmp_path, name):
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / name).write_text("kernel")

    assert only(tmp_path).files == {}


def test_of_a_puzzle_of_two_files_the_one_that_is_missing_decides(tmp_path):
    zipped(tmp_path / "ann.zip", {"p17.py": b"graph", "p17.mojo.txt": b"kernel"})
    zipped(tmp_path / "bob.zip", {"p17.mojo": b"kernel", "p17 (1).mojo": b"kernel"})

    ann, bob = read(tmp_path, ("p17",))

    assert "call it p17.mojo" in ann.files["p17"].lack
    assert (bob.files["p17"].lack, bob.files["p17"].missing) == ("", "p17.py")


def test_what_is_not_read_of_a_folder_says_which_it_is(tmp_path):
    (tmp_path / "ann").mkdir()
    os.mkfifo(tmp_path / "ann" / "p26.mojo")
    (tmp_path / "ann" / "p15.mojo").write_bytes(b"x" * (submissions.MOST_BYTES + 1))

    lacks = {puzzle: handed.lack for puzzle, handed in only(tmp_path).files.items()}

    assert lacks == {
        "p15": "p15.mojo is not read: it has more than 256 KiB",
        "p26": "p26.mojo is not read: it is no plain file",
    }
