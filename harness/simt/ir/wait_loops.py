"""Loops of inline assembly that do nothing but wait for the phase of a barrier in shared memory."""

from collections.abc import Sequence

from harness.simt.ir.assembly import Item, Label, Name, Statement

__all__ = ["with_waits"]

TESTS = ("try_wait", "test_wait")


def with_waits(items: Sequence[Item]) -> list[Item]:
    """Each loop that asks for the parity of a phase until it has ended as one statement, `mbarrier.wait`."""
    found: list[Item] = []
    at = 0
    while at < len(items):
        item, taken = items[at], 0
        if isinstance(item, Label) and at + 2 < len(items):
            taken = _loop(item, items[at + 1 :])
        if taken:
            test = items[at + 1]
            assert isinstance(test, Statement)
            words = ("mbarrier", "wait", *(word for word in test.words[2:] if word != "parity"))
            found.append(Statement(words, test.operands[1:], text=test.text))
        else:
            found.append(item)
        at += 1 + taken
    return found


def _loop(label: Label, items: Sequence[Item]) -> int:
    """How many items behind a label are the rest of such a loop; 0 if it is none."""
    test, again = items[0], items[1]
    if not (isinstance(test, Statement) and isinstance(again, Statement)) or test.guard is not None:
        return 0
    if test.words[0] != "mbarrier" or test.words[1] not in TESTS or "parity" not in test.words:
        return 0
    if not test.operands or again.words[0] != "bra" or again.guard != test.operands[0]:
        return 0
    if again.negated:
        return 2 if _leads(again, label) else 0
    back, end = (*items[2:4], None, None)[:2]
    if not isinstance(back, Statement) or back.guard is not None or not _leads(back, label):
        return 0
    return 3 if isinstance(end, Label) and _leads(again, end) else 0


def _leads(item: Statement, label: Label) -> bool:
    return item.words[0] == "bra" and item.operands == (Name(label.name),)
