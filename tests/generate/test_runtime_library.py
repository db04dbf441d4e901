"""Stored IR of the run-time library belongs to its C source, whether clang is there or not."""

from __future__ import annotations

import shutil

import pytest

from harness.simt.native.runtime.library import FOLDER, UNITS
from tests.generate import runtime_library
from tests.generate.files import GenerateError

needs_clang = pytest.mark.skipif(runtime_library.compiler() is None, reason=f"no clang {runtime_library.VERSION}")
CLANG = """
%struct.Pair = type { i32, %struct.Inner }
%struct.Inner = type { ptr }

; Function Attrs: alwaysinline nounwind
define dso_local zeroext i1 @is_equal(ptr noundef captures(none) %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = getelementptr inbounds %struct.Pair, ptr %0, i64 %1, !tbaa !2
  %4 = tail call zeroext i1 @own(ptr noundef nonnull %3) #1
  ret i1 %4
}

declare zeroext i1 @own(ptr noundef)

define dso_local i64 @run(ptr noundef %0) #1 {
  ret i64 0 ; nothing
}

attributes #0 = { alwaysinline nounwind "target-cpu"="x86-64" }
attributes #1 = { nounwind }
!2 = !{!"int"}
"""
PORTABLE = """define internal i1 @is_equal(ptr %0, i64 %1) alwaysinline {
  %3 = getelementptr inbounds { i32, { ptr } }, ptr %0, i64 %1
  %4 = tail call i1 @own(ptr %3)
  ret i1 %4
}
define i64 @run(ptr %0) {
  ret i64 0
}
"""


@pytest.fixture
def without_clang(monkeypatch):
    monkeypatch.setattr(runtime_library, "compiler", lambda: None)


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A copy of the library, to be changed."""
    root = tmp_path / "root"
    folder = root / FOLDER.relative_to(runtime_library.ROOT)
    shutil.copytree(FOLDER, folder)
    monkeypatch.setattr(runtime_library, "FOLDER", folder)
    monkeypatch.setattr(runtime_library, "ROOT", root)
    return folder


def stale(**how):
    return [one.path.name for one in runtime_library.generated(runtime_library.ROOT, **how) if one.stale]


def test_what_is_stored_is_portable():
    assert runtime_library.portable(CLANG) == PORTABLE


@pytest.mark.usefixtures("without_clang")
def test_without_clang_stored_ir_that_belongs_to_its_source_is_fresh(source):
    assert source.is_dir() and not stale(compile_stale=False)


@pytest.mark.usefixtures("without_clang")
@pytest.mark.parametrize("name", ["library.h", "shadow_cells.c"])
def test_without_clang_a_changed_source_is_seen(source, name):
    (source / name).write_text((source / name).read_text() + "// more\n")

    assert "shadow_cells.plain.ll" in stale(compile_stale=False)
    with pytest.raises(GenerateError, match=r"pip install ziglang"):
        stale(compile_stale=True)


@pytest.mark.usefixtures("without_clang")
def test_without_clang_changed_ir_is_seen(source):
    path = source / "stored" / "shadow_cells.plain.ll"
    path.write_text(path.read_text().replace("65535", "65534", 1))

    assert stale(compile_stale=False) == [path.name]


def test_a_file_that_no_unit_has_is_removed(source, without_clang):
    (source / "stored" / "old.ll").write_text("")

    assert stale(compile_stale=False) == ["old.ll"]


@needs_clang
def test_clang_makes_what_is_stored():
    assert not stale(compile_stale=True)


def test_every_unit_is_stored():
    assert {path.stem for path in (FOLDER / "stored").glob("*.ll")} == set(UNITS)
