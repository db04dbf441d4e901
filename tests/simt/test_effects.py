"""What several vendors have is one effect: their names only say which, with which arguments."""

from __future__ import annotations

from collections import defaultdict

import pytest

from harness.simt.compile.registry import Effect, Intrinsic, all_intrinsics
from harness.simt.intrinsics.atomics import Update
from harness.simt.intrinsics.exchanges import ReadFirst, Reduction, Shuffle, Vote

VENDORS = ("air.", "llvm.amdgcn.", "llvm.nvvm.")
# Exchanges that one vendor alone has, and the products of matrices.
ALONE = ("elect", "permute", "dpp", "v_cmp_u_f32", "buffer.load.lds", "matrix", "mma", "mfma")


def effects() -> dict[type[Effect], set[str]]:
    """The kinds of effects, each with the beginnings of its names."""
    found: defaultdict[type[Effect], set[str]] = defaultdict(set)
    for name, intrinsic in all_intrinsics().items():
        if isinstance(intrinsic.handler, Effect):
            found[type(intrinsic.handler)] |= {vendor for vendor in VENDORS if name.startswith(vendor)}
    return found


@pytest.mark.parametrize(
    ("kind", "vendors"),
    [
        (Shuffle, set(VENDORS)),
        (Vote, set(VENDORS)),
        (ReadFirst, {"air.", "llvm.amdgcn."}),
        (Reduction, set(VENDORS)),
        (Update, {"air.", "llvm.nvvm."}),
    ],
)
def test_vendors_share_an_effect(kind, vendors):
    assert effects()[kind] == vendors


def exchanges_without_effect(intrinsics) -> list[str]:
    """Return the names of exchanges that are said by a handler of their own, and are no vendor's alone."""
    others = [one.name for one in intrinsics if one.exchanges and not isinstance(one.handler, Effect)]
    return [name for name in others if not any(word in name for word in ALONE)]


def test_what_passes_values_between_lanes_is_an_effect():
    assert exchanges_without_effect(all_intrinsics().values()) == []


def test_an_exchange_that_is_said_again_is_found():
    again = Intrinsic("air.simd_shuffle_again", "stateful", print, exchanges=True)
    assert exchanges_without_effect([again, all_intrinsics()["air.simd_shuffle"]]) == ["air.simd_shuffle_again"]


def test_an_effect_says_what_is_declared_of_its_names():
    for intrinsic in all_intrinsics().values():
        effect = intrinsic.handler
        if isinstance(effect, Effect):
            assert (intrinsic.waits, intrinsic.accesses) == (effect.waits, effect.accesses)
            assert (intrinsic.exchanges, intrinsic.copies) == (effect.exchanges, effect.copies)
