"""In inline PTX, replace each loop that only tests an mbarrier's phase with one statement, `mbarrier.wait`."""

from collections.abc import Sequence

from harness.simt.ir.assembly import Item, Label, Name, Statement

__all__ = ["merge_wait_loops"]

TESTS = ("try_wait", "test_wait")


def merge_wait_loops(items: Sequence[Item]) -> list[Item]:
    """Return the items with each loop that tests the parity of a phase until it has ended as one statement.

    The statement `mbarrier.wait` has the operands of the test without the predicate. The loop's first label is removed
    with the loop; the label `E` after it stays. A loop is `L: test p; @!p bra L` or `L: test p; @p bra E; bra L; E:`.
    """
    merged: list[Item] = []
    position = 0
    while position < len(items):
        item, length = items[position], 0
        if isinstance(item, Label) and position + 2 < len(items):
            length = _loop_length(item, items[position + 1 :])
        if length:
            test = items[position + 1]
            assert isinstance(test, Statement)
            words = ("mbarrier", "wait", *(word for word in test.words[2:] if word != "parity"))
            merged.append(Statement(words, test.operands[1:], text=test.text))
        else:
            merged.append(item)
        position += 1 + length
    return merged


def _loop_length(label: Label, items: Sequence[Item]) -> int:
    """Return how many items after a label are the rest of a loop that only waits, 2 or 3; 0 if no such loop begins.

    The label that ends a loop of 3 is not counted.

    Args:
        items: The items after the label, at least two.
    """
    test, again = items[0], items[1]
    if not (isinstance(test, Statement) and isinstance(again, Statement)) or test.guard is not None:
        return 0
    if test.words[0] != "mbarrier" or test.words[1] not in TESTS or "parity" not in test.words:
        return 0
    if not test.operands or again.words[0] != "bra" or again.guard != test.operands[0]:
        return 0
    if again.negated:
        return 2 if _branches_to(again, label) else 0
    back, end = (*items[2:4], None, None)[:2]
    if not isinstance(back, Statement) or back.guard is not None or not _branches_to(back, label):
        return 0
    return 3 if isinstance(end, Label) and _branches_to(again, end) else 0


def _branches_to(item: Statement, label: Label) -> bool:
    return item.words[0] == "bra" and item.operands == (Name(label.name),)
