"""What is stored is made again if the code of what makes it changes, and not if its docstrings do."""

from __future__ import annotations

import pytest

from tests.generate.digests import digest_of_code

CODE = '''"""A module."""


class Made:
    """A class."""

    size = """no docstring"""


def make():
    """Make one.

    Of one statement.
    """
    return Made()
'''


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("A module.", "The module.", True),
        ("A class.", "A class,\n    of two lines.", True),
        ("Of one statement.", "It has one.", True),
        ("no docstring", "another value", False),
        ("return Made()", "return None", False),
    ],
)
def test_docstrings_do_not_count(tmp_path, old, new, same):
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(CODE, encoding="utf-8")
    after.write_text(CODE.replace(old, new), encoding="utf-8")

    assert (digest_of_code(before) == digest_of_code(after)) is same


def test_all_of_another_file_counts(tmp_path):
    kernel = tmp_path / "kernel.mojo"
    kernel.write_text('"""A kernel."""\n', encoding="utf-8")
    before = digest_of_code(kernel)
    kernel.write_text('"""The kernel."""\n', encoding="utf-8")

    assert digest_of_code(kernel) != before
