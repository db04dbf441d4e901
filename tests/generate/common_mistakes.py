"""Which mistakes of the tests' collection `docs/mistakes.md` shows, and what they mean, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["COMMON", "Common"]


@dataclass(frozen=True, slots=True)
class Common:
    """A mistake that many make.

    Attributes:
        mistake: Its id in the collection.
        title: By language.
        meaning: What the report means, and how to fix it, by language.
    """

    mistake: str
    title: Mapping[str, str]
    meaning: Mapping[str, str]


def _common(mistake: str, en: tuple[str, str], ko: tuple[str, str]) -> Common:
    return Common(mistake, {"en": en[0], "ko": ko[0]}, {"en": en[1], "ko": ko[1]})


COMMON = (
    _common(
        "p03-no-guard",
        (
            "No guard",
            "More threads run than there are elements. Those beyond the end touch memory that is not theirs. Ask "
            "before "
            "you read or write: the thread's index has to be below the size.",
        ),
        (
            "가드가 없음",
            "스레드가 원소보다 많습니다. 원소가 없는 스레드가 남의 메모리를 건드립니다. 읽거나 쓰기 전에 인덱스가 "
            "크기보다 작은지 확인하세요.",
        ),
    ),
    _common(
        "p03-guard-off-by-one",
        (
            "One too many",
            "The last element has the index `size - 1`. With `<=` one thread more than there are elements goes on. "
            "Compare with `<`.",
        ),
        (
            "하나 더 많음",
            "마지막 원소의 인덱스는 `size - 1`입니다. `<=`로 비교하면 원소가 없는 스레드 하나가 더 지나갑니다. `<`로 "
            "비교하세요.",
        ),
    ),
    _common(
        "p05-swapped-places",
        (
            "Row and column swapped",
            "`row` and `col` stand in each other's place, so the thread reads elements that are not in the shape. Say "
            "aloud what each axis counts, and put the row first.",
        ),
        (
            "행과 열이 바뀜",
            "`row`와 `col`이 서로의 자리에 있어서 모양에 없는 원소를 읽습니다. 축마다 무엇을 세는지 말해 보고, 행을 "
            "먼저 쓰세요.",
        ),
    ),
    _common(
        "p08-place-in-the-grid",
        (
            "The index of the grid in shared memory",
            "Each block has its own shared memory, with a place for each of its threads. Use the index within the "
            "block "
            "there, and the index within the grid for global memory.",
        ),
        (
            "공유 메모리에 그리드의 인덱스를 씀",
            "블록마다 공유 메모리가 따로 있고, 자리는 블록의 스레드 수만큼입니다. 공유 메모리에는 블록 안의 "
            "인덱스를, 전역 메모리에는 그리드 "
            "전체의 인덱스를 쓰세요.",
        ),
    ),
    _common(
        "p15-barrier-missing-after-load",
        (
            "No barrier after the load",
            "A thread reads what another one wrote, and nothing says that the write came first. The sum may be right "
            "by "
            "luck. Let all threads meet between the write and the read.",
        ),
        (
            "읽어 넣은 뒤에 배리어가 없음",
            "다른 스레드가 쓴 값을 읽지만, 쓰기가 먼저라는 보장이 없습니다. 합이 맞아도 우연입니다. 쓰기와 읽기 "
            "사이에서 모든 스레드가 "
            "만나게 하세요.",
        ),
    ),
    _common(
        "p14:simple-barrier-missing-before-write",
        (
            "Reading and writing in one step",
            "In one step of the scan a place is read by one thread and written by another. Read into a variable, let "
            "all "
            "meet, and write then.",
        ),
        (
            "한 단계에서 읽고 씀",
            "누적 합의 한 단계에서 한 스레드가 읽는 자리에 다른 스레드가 씁니다. 먼저 변수에 읽고, 모두 만난 다음에 "
            "쓰세요.",
        ),
    ),
    _common(
        "p15-barrier-in-a-branch",
        (
            "A barrier in a condition",
            "A barrier waits for all threads of the block. Some never come to this one, so the others wait in vain, or "
            "meet somewhere else. Put the barrier where no condition is around it.",
        ),
        (
            "조건문 안의 배리어",
            "배리어는 블록의 모든 스레드를 기다립니다. 이 배리어에는 일부가 오지 않으므로 나머지는 헛되이 기다리거나 "
            "엉뚱한 곳에서 만납니다. "
            "배리어를 조건문 밖에 두세요.",
        ),
    ),
    _common(
        "p15-tail-not-zeroed",
        (
            "A place that nobody filled",
            "Shared memory holds junk until it is written. The tree reads every place, also those of threads without "
            "an "
            "element. Fill these with a number that changes no sum.",
        ),
        (
            "아무도 채우지 않은 자리",
            "공유 메모리에는 쓰기 전까지 알 수 없는 값이 있습니다. 트리는 원소가 없는 스레드의 자리까지 읽습니다. "
            "합을 바꾸지 않는 수로 "
            "채우세요.",
        ),
    ),
    _common(
        "p15-stride-too-small",
        (
            "The tree starts too low",
            "The first stride has to be half of the block. With less, the upper places are never added. The report "
            "names "
            "the elements that are left out.",
        ),
        (
            "너무 작은 스트라이드에서 시작함",
            "첫 스트라이드는 블록의 절반이어야 합니다. 더 작으면 위쪽 자리를 더하지 않습니다. 보고서가 빠진 원소를 "
            "알려 줍니다.",
        ),
    ),
    _common(
        "p12-every-thread-writes",
        (
            "All threads write the result",
            "The sum lies in one place, but every thread stores to it, each what it has. Let one thread write.",
        ),
        (
            "모든 스레드가 결과를 씀",
            "합은 한 자리에 있는데 스레드마다 자기 값을 저장합니다. 스레드 하나만 쓰게 하세요.",
        ),
    ),
    _common(
        "p25:neighbor-exchange-of-some",
        (
            "An exchange that some lanes skip",
            "A shuffle takes a value from another lane's register, and that lane has to take part. Let all lanes "
            "exchange, and decide afterwards who stores.",
        ),
        (
            "일부 레인이 빠진 교환",
            "셔플은 다른 레인의 레지스터에서 값을 가져오므로 그 레인도 참여해야 합니다. 모든 레인이 교환하고, 누가 "
            "저장할지는 그 뒤에 "
            "정하세요.",
        ),
    ),
    _common(
        "p28-barrier-missing",
        (
            "A wait in place of a barrier",
            "`async_copy_wait_all` waits for the copies of the thread that calls it, and for no others. Before a "
            "thread "
            "reads what its neighbours copied, all have to meet as well.",
        ),
        (
            "배리어 대신 대기만 함",
            "`async_copy_wait_all`은 부른 스레드의 복사만 기다립니다. 이웃이 복사한 것을 읽기 전에 모두 만나기도 "
            "해야 합니다.",
        ),
    ),
    _common(
        "p34:reduction-cluster-sync-missing",
        (
            "Blocks that do not wait for each other",
            "One block reads what another one wrote. A plain `barrier()` holds the threads of one block only. Between "
            "blocks of a cluster, wait with `cluster_sync()`.",
        ),
        (
            "서로 기다리지 않는 블록",
            "한 블록이 다른 블록이 쓴 값을 읽습니다. `barrier()`는 한 블록의 스레드만 붙잡아 둡니다. 클러스터의 블록 "
            "사이에서는 "
            "`cluster_sync()`로 기다리세요.",
        ),
    ),
)
