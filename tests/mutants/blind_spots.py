"""The blind spots of the documents' check, in a table."""

from __future__ import annotations

from harness.catalogue import find_case
from tests.generate.files import table
from tests.mutants.documents import rule_of
from tests.mutants.handwritten import HOSTS, MUTANTS, RULES

__all__ = ["BLIND", "blind_spots_table"]

BLIND = [mutant for mutant in (*MUTANTS, *HOSTS) if mutant.blind]
_HEADS = ("mode", "what is wrong", "the documents compare", "and let it pass, since", "here")


def blind_spots_table() -> str:
    """A row for each wrong kernel that passes the documents' check, by mode."""
    rows = []
    for mutant in sorted(BLIND, key=lambda mutant: mutant.case):
        assert mutant.blind is not None
        compared = rule_of(find_case(mutant.case), RULES).says
        rows.append(
            [f"`{mutant.case}`", mutant.name.replace("-", " "), compared, mutant.blind.why, mutant.blind.refused]
        )
    return table(_HEADS, rows)
