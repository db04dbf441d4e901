"""What was asked for is named as it was asked: flags on a command line, arguments and fields in Python."""

from __future__ import annotations

from dataclasses import fields

import pytest

from harness.model.terms import command_line, format_option, translate_flags
from harness.programs import Options


def test_an_option_is_a_flag_or_an_argument():
    assert format_option("backend", "max") == '`backend="max"`'
    with command_line():
        assert format_option("backend", "max") == "`--backend max`"


@pytest.mark.parametrize(
    ("text", "field", "told"),
    [
        ("`--seconds` raises it", "seconds", "`Options.seconds` raises it"),
        ("`--memory` raises it", "memory_bytes", "`Options.memory_bytes` raises it"),
        ("`--observed-launches 0` does", "observed_launches", "`Options(observed_launches=0)` does"),
    ],
)
def test_flags_of_a_program_are_fields_in_python(text, field, told):
    assert translate_flags(text) == told and field in {each.name for each in fields(Options)}
    with command_line():
        assert translate_flags(text) == text
