"""The lint of the Mojo files sees what is wrong with one."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from tests import mojo_lint

GOOD = '"""A module."""\n\n\ndef nothing():\n    """Does nothing."""\n    pass\n'

pytestmark = pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")


@pytest.fixture
def files(tmp_path):
    """A file without a fault, one badly formatted and one without a docstring."""
    texts = {
        "good": GOOD,
        "crooked": GOOD.replace("():", "(  ):"),
        "silent": GOOD.replace('    """Does nothing."""\n', ""),
        "old": GOOD.replace("():", "(a: LayoutTensor[DType.float32, Layout.row_major(1), MutAnyOrigin]):")
        .replace("nothing.", "nothing.\n\n    Args:\n        a: Of a type that has a successor.\n    ")
        .replace("\n\n\ndef", "\n\nfrom layout import Layout, LayoutTensor\n\n\ndef"),
    }
    paths = {name: tmp_path / f"{name}.mojo" for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text)
    return paths


@pytest.mark.slow
def test_a_file_that_is_not_formatted_is_shown(files, capsys):
    assert mojo_lint.unformatted(toolchain.require_mojo(), list(files.values())) == [files["crooked"]]
    assert "-def nothing(  ):\n+def nothing():\n" in capsys.readouterr().out


@pytest.mark.slow
def test_a_missing_docstring_is_shown(files, capsys):
    assert mojo_lint.undocumented(toolchain.require_mojo(), [files["old"], files["silent"]]) == [files["silent"]]
    assert "silent.mojo:4:5" in capsys.readouterr().out


@pytest.mark.slow
def test_a_file_that_does_not_compile_hides_no_other(files, capsys):
    """All files are looked at together, as long as all compile."""
    broken = files["good"].with_name("broken.mojo")
    broken.write_text(GOOD.replace("pass", "unknown()"))

    assert mojo_lint.undocumented(toolchain.require_mojo(), [broken, files["silent"]]) == [broken, files["silent"]]
    shown = capsys.readouterr().out
    assert "broken.mojo:6:5: error" in shown and "silent.mojo:4:5" in shown
