"""Compare the rules for atomics, which decoding reads, with the PTX that each version of LLVM makes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from harness.simt.ir import atomic_orders
from harness.simt.ir.atomic_orders import LATEST, CompilerTarget, effective_order
from harness.simt.ir.opcodes import ACQUIRES, RELEASES, scope_of
from tests.simt.atomic_ptx import RECORDED, Observation, Operation, observations, signature

Left = tuple[bool, bool, str]  # whether it releases, whether it acquires, at which scope
# LLVM 21 adds halves by an instruction that PTX 6.0 does not have: what assembles it refuses the module.
REFUSED = (21, 70, 60, "fadd", "half")
OBSERVED = tuple(one for one in observations() if (*one[:3], *one.operation[:2]) != REFUSED)
FENCES = ("fence", "membar")
SCOPES = {"cta": "block", "cluster": "cluster", "gpu": "device", "gl": "device", "sys": "system"}
WIDTHS = ("thread", "warp", "block", "cluster", "device", "system")


def in_ptx(operation: Operation, words: str) -> Left:
    """Return whether an operation releases and acquires by PTX's memory model, and at which scope.

    A fence before an access makes it release, one behind it makes it acquire. An `atom` without a qualifier is relaxed
    at the scope of the device; a volatile access is relaxed at that of the system. `membar` is `fence.sc`.
    """
    parts = [word.split(".") for word in words.split()]
    main = (
        len(parts) - 1 if operation.what == "fence" else max(n for n, part in enumerate(parts) if part[0] not in FENCES)
    )
    access = parts[main]
    scopes = [SCOPES[word] for part in parts for word in part if word in SCOPES]
    if access[0] == "atom" and not set(access) & set(SCOPES):
        scopes.append("device")
    scope = min(scopes, key=WIDTHS.index, default="system")
    if operation.what == "fence":
        return access[1] != "acquire", access[1] != "release", scope
    before = any(part[0] in FENCES and part[1] != "acquire" for part in parts[:main])
    behind = any(part[0] in FENCES and part[1] != "release" for part in parts[main + 1 :])
    return before or bool({"release", "acq_rel"} & {*access}), behind or bool({"acquire", "acq_rel"} & {*access}), scope


def at_most(operation: Operation, words: str) -> Left:
    """Return the same, but never more than what is written in the IR."""
    releases, acquires, scope = in_ptx(operation, words)
    written, ordering = scope_of(operation.scope), operation.ordering
    loads, stores = operation.what != "store", operation.what != "load"
    return (
        releases and stores and ordering in RELEASES,
        acquires and loads and ordering in ACQUIRES,
        min(scope, written, key=WIDTHS.index),
    )


def by_rule(machine: CompilerTarget, operation: Operation) -> Left:
    """Return what the rules leave of it."""
    ordering, scope = effective_order(machine, *operation)
    loads, stores = operation.what != "store", operation.what != "load"
    return ordering in RELEASES and stores, ordering in ACQUIRES and loads, scope_of(scope)


@cache
def expected() -> tuple[Left, ...]:
    """Return what PTX gives of each observation."""
    return tuple(at_most(one.operation, one.signature) for one in OBSERVED)


def wrong() -> Iterator[Observation]:
    """Yield what the rules get wrong."""
    for one, right in zip(OBSERVED, expected(), strict=True):
        if by_rule(CompilerTarget(*one[:3]), one.operation) != right:
            yield one


@pytest.mark.slow
def test_the_rules_are_what_every_version_of_llvm_does():
    """Each operation, type, ordering and scope, by each version for each machine."""
    assert list(islice(wrong(), 20)) == []
    assert len(OBSERVED) > 80_000


@pytest.mark.slow
def test_a_seq_cst_that_is_left_has_a_fence_of_that_kind():
    """Where the rules leave `seq_cst`, the PTX has `fence.sc` or `membar`."""
    for one in OBSERVED:
        left, _ = effective_order(CompilerTarget(*one[:3]), *one.operation)
        if left == "seq_cst":
            assert "fence.sc" in one.signature or "membar" in one.signature, one


def test_every_version_up_to_the_latest_is_recorded():
    """What comes later is ordered as written."""
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert list(map(int, recorded["builds"])) == list(range(min(one.version for one in OBSERVED), LATEST + 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["RULES", "UNSCOPED", "NATIVE"])
def test_no_rule_is_there_in_vain(name, monkeypatch):
    """Without any one of them, what is recorded differs."""
    rules = getattr(atomic_orders, name)
    for left_out in rules:
        monkeypatch.setattr(atomic_orders, name, tuple(rule for rule in rules if rule is not left_out))
        assert next(wrong(), None), left_out


@pytest.mark.parametrize(
    ("ptx", "expected"),
    [
        ("ld.param.u64 %rd1, [p];\n\tatom.add.u32 %r2, [%rd1], %r1;\n\tst.param.b32 [o], %r2;", "atom"),
        ("fence.sc.sys;\n\tatom.acquire.sys.cas.b32 %r2, [%rd1], %r3, %r4;", "fence.sc.sys atom.acquire.sys.cas"),
        ("membar.gl;\n\tld.volatile.u32 %r1, [%rd1];", "membar.gl ld.volatile"),
        ("st.release.cta.b32 [%rd1], %r1;", "st.release.cta"),
    ],
)
def test_a_signature_has_the_words_that_order(ptx, expected):
    """Without types, operations and what passes parameters."""
    assert signature(ptx) == expected
