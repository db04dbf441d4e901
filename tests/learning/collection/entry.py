"""What a collected mistake is, and what each remedy says in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from harness.catalogue import find_case
from harness.model.sources import MOJO

__all__ = ["REMEDIES", "Entry", "Remedy"]


class Remedy(NamedTuple):
    """What a report must say where this remedy is right, and what it must not say then.

    Attributes:
        english: Texts that it must have, `|` between texts of which one is enough.
        korean: The same.
        never: Texts of other remedies, which would cure the symptom or nothing.
        never_korean: The same.
    """

    english: str
    korean: str
    never: tuple[str, ...] = ()
    never_korean: tuple[str, ...] = ()


_GUARD, _GUARD_KO = "let only threads", "스레드만 여기에"
_BARRIER, _BARRIER_KO = "call `barrier()`", "`barrier()`를 호출"
_INDEX, _INDEX_KO = "correct the index", "인덱스를 고치세요"
_ATOMICS, _ATOMICS_KO = "atomic", "아토믹"
_VALUES = ((_GUARD, _BARRIER, _ATOMICS), (_GUARD_KO, _BARRIER_KO, _ATOMICS_KO))
_MEMORY = ((_INDEX, _BARRIER), (_INDEX_KO, _BARRIER_KO))
_ORDER = ((_GUARD, _INDEX), (_GUARD_KO, _INDEX_KO))

# By what is to be changed.
REMEDIES: dict[str, Remedy] = {
    # The wrong element is read or written.
    "index": Remedy(_INDEX, _INDEX_KO, *_VALUES),
    # An element is left out, counted twice, weighed otherwise or combined otherwise.
    "include": Remedy(" too: |correct the index", "도 들어가게|인덱스를 고치세요", *_VALUES),
    # The same in a kernel without a loop.
    "include-straight": Remedy(
        " too: check what is computed",
        "도 들어가게 하세요: 이 줄의 계산식",
        (*_VALUES[0], "loop"),
        (*_VALUES[1], "반복문"),
    ),
    "once-straight": Remedy(
        " only once: check what is computed",
        "한 번만 들어가게 하세요: 이 줄의 계산식",
        (*_VALUES[0], "loop"),
        (*_VALUES[1], "반복문"),
    ),
    "once": Remedy(" only once", "한 번만", *_VALUES),
    "leave-out": Remedy("leave out ", "빼세요", *_VALUES),
    "weight": Remedy("by how much each of them counts", "얼마나 반영되는지", *_VALUES),
    "operation": Remedy("correct what is computed", "계산을 고치세요", *_VALUES),
    # Threads, loops and arrays that go too far.
    "guard": Remedy(_GUARD, _GUARD_KO, *_MEMORY),
    "guard-each": Remedy("compare the row and the column", "행과 열을 각각의 길이와 비교", *_MEMORY),
    "guard-equal": Remedy("with `<=`, line", "`<=` 때문에", *_MEMORY),
    "guard-line": Remedy("the condition of line", "번째 줄의 조건은", *_MEMORY),
    # The neighbour of a thread at the edge, which has an element of its own.
    "neighbour": Remedy("put this access alone under", "이 접근만", ("the condition of line", *_MEMORY[0]), _MEMORY[1]),
    "neighbour-line": Remedy("must ask for|must compare", "번째 줄의 조건은", *_MEMORY),
    "beyond": Remedy("has none, yet it writes", "원소가 없는", *_MEMORY),
    "stray": Remedy("let only threads that have a result write", "쓸 값이 있는 스레드만", *_MEMORY),
    "start": Remedy("begin the loop", "반복을 더", (_GUARD, *_MEMORY[0]), (_GUARD_KO, *_MEMORY[1])),
    "end": Remedy("end the loop", "반복을 한 단계", (_GUARD, *_MEMORY[0]), (_GUARD_KO, *_MEMORY[1])),
    "size": Remedy("make room in ", "늘리세요", (_GUARD, *_MEMORY[0]), (_GUARD_KO, *_MEMORY[1])),
    # Order.
    "barrier": Remedy("call `barrier()` between the two", "두 접근 사이", *_ORDER),
    "step": Remedy(
        "call `barrier()` at the end of each step",
        "단계가 끝날 때마다 `barrier()`를 호출",
        ("between the two", "again before the next", *_ORDER[0]),
        ("두 접근 사이", "넘어가기 전에도", *_ORDER[1]),
    ),
    "statement": Remedy("read into a variable first", "먼저 변수에", *_ORDER),
    # The same where a condition is around the accesses, which not all threads meet.
    "barrier-if": Remedy("between the two, outside the `if`", "줄의 `if` 밖에서 `barrier()`를 호출", *_ORDER),
    "statement-if": Remedy("call `barrier()` outside it, and write", "그 밖에서 `barrier()`를 호출", *_ORDER),
    "meet-if": Remedy("end the `if` of line", "`if`를 배리어 앞에서", *_ORDER),
    "cluster": Remedy("call `cluster_sync()`", "`cluster_sync()`를 호출", *_ORDER),
    "wait": Remedy("async_copy_wait_all", "async_copy_wait_all", *_ORDER),
    "phase": Remedy("mbarrier", "mbarrier", *_ORDER),
    "meet": Remedy("every thread|all threads", "모든 스레드", *_ORDER),
    "exchange": Remedy("let every lane of the warp reach", "모든 레인이", *_ORDER),
    "loop": Remedy("let the loop end|change in the loop", "반복", *_ORDER),
    "unchanged": Remedy("change `stride` in the loop", "`stride`를 바꾸", ("let a condition",), ("조건을 두어",)),
    # Writers.
    "one-writer": Remedy("let one thread write", "스레드 하나만", (_INDEX, _ATOMICS), (_INDEX_KO, _ATOMICS_KO)),
    "write": Remedy("let some thread write each element", "모든 원소를", (_GUARD, _BARRIER), (_GUARD_KO, _BARRIER_KO)),
    "global": Remedy("use the global index", "전역 인덱스를", ("let some thread", *_ORDER[0]), _ORDER[1]),
    "pass": Remedy("pass the kernel a buffer that holds", "버퍼를 커널에 넘기세요", *_ORDER),
    "fill": Remedy("before it is read", "읽기 전에", *_ORDER),
    # What the host does, and what a graph is.
    "launch": Remedy("launch", "실행", (_GUARD, _BARRIER), (_GUARD_KO, _BARRIER_KO)),
    "graph": Remedy("", "", (_GUARD, _BARRIER), (_GUARD_KO, _BARRIER_KO)),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One mistake: an edit of a solution.

    Attributes:
        case: Its id.
        name: What was done.
        old: A text of the solution, in the case's kernel or below it.
        new: What stands in its place.
        remedy: What the report must advise, a key of `REMEDIES`.
        at: Texts of the lines of which one must be named, between `|`.
        says: Texts that the report must have in both languages: elements, arrays and numbers; between `|` all of them.
        follow: What following the remedy changes in the wrong text, where that is not the solution again: a text of
            it, and what stands in its place.
        then: What that comes to: `PASS`, or the remedy of the next true mistake.
        python: Whether the edit is of the puzzle's Python.
        further: Whether the documented launch alone does not show it.
    """

    case: str
    name: str
    old: str
    new: str
    remedy: str
    at: str
    says: str = ""
    follow: tuple[str, str] | None = None
    then: str = "PASS"
    python: bool = False
    further: bool = False

    @property
    def id(self) -> str:
        """Case and name."""
        return f"{self.case}-{self.name}"

    @property
    def solution(self) -> str:
        """The text of the solution that it is an edit of."""
        suffix = "py" if self.python else "mojo"
        return (MOJO / find_case(self.case).puzzle / f"solution.{suffix}").read_text(encoding="utf-8")

    def source(self) -> str:
        """The learner's file."""
        return self._replace(self.solution, self.old, self.new)

    def followed(self) -> str:
        """The same file after the remedy was followed."""
        return self.solution if self.follow is None else self._replace(self.source(), *self.follow)

    def _replace(self, text: str, old: str, new: str) -> str:
        # From the body of the case's kernel on: its documentation has some of the same words.
        body = re.search(rf'^def {find_case(self.case).steps[0].name}\b.*?""".*?"""', text, re.MULTILINE | re.DOTALL)
        start = 0 if body is None or self.python or old not in text[body.end() :] else body.end()
        assert old in text[start:], (self.id, old)
        return text[:start] + text[start:].replace(old, new, 1)
