"""Korean messages of the simulator: memory, undefined values, barriers, exchanges, traps, calls; see siblings.

`harness.simt.messages` says what a template may hold. Particles that depend on the word before them are
avoided by the order of the words: that word may be anybody's name.
"""

from __future__ import annotations

from harness.simt.messages.ko_asynchronous import ASYNCHRONOUS
from harness.simt.messages.ko_bounds import BOUNDS
from harness.simt.messages.ko_ends import ENDS
from harness.simt.messages.ko_host import HOST
from harness.simt.messages.ko_races import RACES
from harness.simt.messages.ko_terms import TERMS
from harness.simt.messages.message import Message

__all__ = ["MESSAGES", "TERMS"]

_UNDEFINED = "정의되지 않은 값의 사용"
_ORIGIN = "값의 출처: {origin}"
_INITIALISE = "{write}"
_BARRIER = "배리어 사용 순서 오류"
_CLUSTER = "클러스터 배리어 사용 순서 오류"
_EACH_WRITTEN = "마지막 블록의 끝까지 포함해, 모든 원소를 적어도 한 스레드가 쓰게 하세요"
_TOGETHER = "블록의 모든 스레드가 같은 배리어에서 기다리도록, {way}"

MESSAGES: dict[str, Message] = {
    **ASYNCHRONOUS,
    **HOST,
    **RACES,
    # Memory.
    **BOUNDS,
    "use-after-free": Message(
        "해제된 메모리에 대한 {access}: {size}바이트",
        "이미 해제된 {argument}에 대한 {access} {size}바이트",
        "Mojo는 버퍼를 마지막 사용 직후에 해제하며, 버퍼 안을 가리키는 포인터는 사용으로 치지 않습니다: "
        "작업이 끝나기를 기다린 뒤에 `_ = buffer^`를 쓰세요",
    ),
    "misaligned": Message(
        "정렬되지 않은 {space} {access}: {size}바이트",
        "{argument}에 대한 정렬되지 않은 {access}: 주소는 {align}의 배수여야 합니다",
        "원소를 그 타입의 너비로 읽고 쓰거나, 더 넓은 접근이 가능한 정렬된 위치에서 시작하세요",
    ),
    "write-to-constant": Message(
        "읽기 전용 메모리에 대한 {access}: {size}바이트",
        "읽기 전용인 {argument}에 대한 {access} {size}바이트",
        "출력이나 공유 메모리에 쓰세요",
    ),
    "no-such-peer": Message(
        "존재하지 않는 블록에 대한 {space} {access}: {size}바이트",
        "블록이 {blocks}개인 클러스터에서 블록 {peer}의 {argument}에 대한 {access}",
        "클러스터의 블록 순위는 0부터 시작합니다",
    ),
    "escaping-local": Message(
        "스레드 밖으로 나간 지역 변수",
        "지역 변수의 주소가 로컬 메모리 밖에 저장되지만, 다른 스레드는 그 주소를 쓸 수 없습니다",
        "주소가 아니라 값을 저장하세요",
    ),
    # Values.
    "uninitialised.branch": Message(_UNDEFINED, f"정의되지 않은 값이 분기를 결정합니다. {_ORIGIN}", _INITIALISE),
    "uninitialised.address": Message(_UNDEFINED, f"정의되지 않은 값이 주소로 쓰입니다. {_ORIGIN}", _INITIALISE),
    "uninitialised.output": Message(
        _UNDEFINED, f"정의되지 않은 값이 {{argument}}에 저장됩니다. {_ORIGIN}", _INITIALISE
    ),
    "uninitialised.atomic": Message(_UNDEFINED, f"정의되지 않은 값이 원자 연산에 들어갑니다. {_ORIGIN}", _INITIALISE),
    "uninitialised.division": Message(_UNDEFINED, f"정의되지 않은 값으로 나눕니다. {_ORIGIN}", _INITIALISE),
    "uninitialised.shuffle": Message(_UNDEFINED, f"정의되지 않은 값이 셔플에 들어갑니다. {_ORIGIN}", _INITIALISE),
    "never-written.elements": Message(
        "한 번도 쓰이지 않은 원소",
        "{argument}의 원소 {total}개 중 {count}개가 한 번도 쓰이지 않았습니다(첫 위치: {first})",
        _EACH_WRITTEN,
    ),
    "never-written.bytes": Message(
        "한 번도 쓰이지 않은 원소",
        "{argument}의 {total}바이트 중 {count}바이트가 한 번도 쓰이지 않았습니다(첫 위치: {first})",
        _EACH_WRITTEN,
    ),
    "division-by-zero": Message("0으로 나누기", "정수를 0으로 나눕니다", "0이 아닐 때만 나누세요"),
    "broken-assumption": Message("깨진 가정", "컴파일러에 알린 가정이 성립하지 않습니다"),
    "memcpy-overlaps": Message(
        "겹치는 부분 사이의 복사", "`memcpy`가 읽는 바이트에 쓰기도 합니다", "`memmove`로 복사하세요"
    ),
    "trap.printed": Message("트랩", "스레드가 트랩에 도달했습니다: {said}"),
    "trap.silent": Message("트랩", "스레드가 트랩에 도달했습니다"),
    "trap.unreachable": Message("트랩", "도달할 수 없다고 선언된 명령에 스레드가 도달했습니다"),
    "call.null": Message(
        "함수가 아닌 것을 호출",
        "널 포인터를 함수({expected})로 호출합니다",
        "호출하기 전에 표나 포인터를 채우거나, 널인지 확인하세요",
    ),
    "call.nowhere": Message(
        "함수가 아닌 것을 호출",
        "커널 모듈의 어떤 함수도 가리키지 않는 포인터({address:#x})를 함수({expected})로 호출합니다",
        "함수의 주소를 저장해 둔 포인터만 호출하고, 호출 전에 초기화하세요",
    ),
    "call.signature": Message(
        "다른 시그니처로 함수를 호출",
        "{function}의 시그니처는 {has}인데, 포인터를 통해 {expected}으로/로 호출합니다",
        "함수가 선언한 타입 그대로 호출하세요",
    ),
    "call.too-deep": Message(
        "너무 깊은 호출",
        "{function}의 호출이 {depth}단계보다 깊어집니다: GPU의 스택은 작습니다",
        "재귀를 더 일찍 끝내거나, 반복문으로 바꾸거나, call_depth를 늘리세요",
    ),
    # Barriers of a block.
    "missed-barrier.passed": Message(
        "배리어에 오지 않은 스레드",
        "나머지 스레드가 기다리는 배리어를 블록의 스레드 {ended}개가 지나쳐 갔습니다",
        "블록의 모든 스레드가 배리어에 도달하도록, {way}",
    ),
    "missed-barrier.ended": Message(
        "배리어 앞에서 끝난 스레드",
        "나머지 스레드가 기다리는 배리어 앞에서 블록의 스레드 {ended}개가 끝났습니다: {waits}",
        "모든 스레드가 배리어에 도달하도록, {way}",
    ),
    "divergent-barrier.warp": Message(
        "서로 다른 배리어에서 대기", "한 워프의 스레드들이 서로 다른 배리어에서 기다립니다", _TOGETHER
    ),
    "divergent-barrier.block": Message(
        "서로 다른 배리어에서 대기", "한 블록의 스레드들이 서로 다른 배리어에서 기다립니다", _TOGETHER
    ),
    "barrier-protocol.number": Message(
        _BARRIER, "블록의 배리어 번호는 0부터 {last}까지인데, {number}번을 썼습니다", "이 범위의 번호를 쓰세요"
    ),
    "barrier-protocol.counts": Message(
        _BARRIER, "스레드들이 한 배리어에 서로 다른 스레드 수를 지정합니다", "어디서나 같은 수를 지정하세요"
    ),
    "barrier-protocol.multiple": Message(
        _BARRIER,
        "배리어의 스레드 수는 {width}의 배수여야 하는데, {given}입니다",
        "워프 단위로 수를 지정하세요",
    ),
    "barrier-protocol.crowd": Message(
        _BARRIER,
        "정원이 {taken}인 배리어 {number}번에 스레드 {came}개가 옵니다",
        "오는 스레드를 모두 세거나, 나머지를 다른 배리어로 보내세요",
    ),
    "barrier-protocol.twice": Message(
        _BARRIER,
        "배리어 {number}번이 열리기 전에 한 스레드가 두 번 도착합니다",
        "다시 도착하기 전에 그 배리어를 기다리세요",
    ),
    "barrier-protocol.mixed": Message(
        _BARRIER,
        "배리어 {number}번에 어떤 스레드는 리덕션할 값을 가지고 오고, 다른 스레드는 값 없이 옵니다",
        "모두 리덕션하게 하거나, 나머지에 다른 배리어를 쓰세요",
    ),
    # Warps.
    "absent-lane.elsewhere": Message(
        "한 워프의 레인이 서로 다른 곳에서 대기",
        "워프의 레인 {absent}이/가 첫 번째 위치에서 기다려, 나머지가 있는 두 번째 위치에 오지 않습니다({operation})",
        "워프의 모든 레인이 두 곳에 모두 도달하도록, 기다리는 호출을 조건문 밖으로 옮기세요",
    ),
    "absent-lane": Message(
        "마스크에 오지 않는 레인이 있음",
        "워프의 레인 {absent}이/가 끝내 오지 않는데, 나머지 레인이 여기서 기다립니다({operation})",
        "도달하는 레인만 지정하거나, 모든 레인이 도달하게 하세요",
    ),
    "absent-lane.ended": Message(
        "마스크에 이미 끝난 레인이 있음",
        "워프 동기화의 마스크에 이미 끝난 레인이 들어 있습니다: {absent}; {waits}",
        "도달하는 레인만 지정하거나, 모든 레인이 도달하게 하세요",
    ),
    "caller-not-in-mask": Message(
        "마스크에 자기 자신이 없음",
        "마스크에 그것을 쓰는 레인 자신이 들어 있지 않습니다",
        "레인 자신의 비트를 마스크에 넣으세요",
    ),
    "masks-differ": Message(
        "마스크가 서로 다름",
        "마스크에 든 다른 레인이 다른 마스크를 가지고 옵니다",
        "한 마스크에 든 레인은 모두 같은 마스크를 쓰게 하세요",
    ),
    "inactive-source.undefined": Message(
        "비활성 레인과의 교환",
        "교환에 참여하지 않는 레인의 값을 읽습니다({operation})",
        "워프의 모든 레인이 교환에 참여하도록, 교환은 조건문 밖에 두고 그 값을 쓰는 일만 안에 두세요",
    ),
    "inactive-source.none": Message(
        "없는 레인과의 교환",
        "스레드가 없는 레인의 값을 읽습니다. 블록의 스레드는 {threads}개입니다({operation})",
        "블록의 스레드 수를 워프 레인 수의 배수로 하거나, 값을 공유 메모리로 전하세요",
    ),
    "inactive-source.zero": Message(
        "비활성 레인과의 교환",
        "교환에 참여하지 않는 레인의 값을 읽어 0을 얻습니다({operation})",
        "워프의 모든 레인이 교환에 참여하도록, 교환은 조건문 밖에 두고 그 값을 쓰는 일만 안에 두세요",
    ),
    "fragment.halves": Message(
        "레인 사이에 뒤섞인 조각",
        "{operation}: 레인 n과 n + 16은 A의 같은 행과 B의 같은 열을 가져야 하지만 서로 다릅니다",
        "두 조각을 레인 번호를 16으로 나눈 나머지로 불러오세요",
    ),
    # Clusters.
    "peer-not-started": Message(
        "시작하지 않았을 수 있는 블록의 분산 공유 메모리 사용",
        "클러스터의 첫 배리어 전에 다른 블록의 {argument}에 대한 {access}: 그 블록은 아직 시작하지 않았을 수 있습니다",
        "첫 접근 전에 `cluster_sync()`를 호출하세요",
    ),
    "peer-ended": Message(
        "끝났을 수 있는 블록의 분산 공유 메모리 사용",
        "이미 끝났을 수 있는 다른 블록의 {argument}에 대한 {access}: 사이에 클러스터 배리어가 없습니다",
        "마지막 접근 뒤에 `cluster_sync()`를 호출하세요",
    ),
    "cluster-protocol.twice": Message(
        _CLUSTER,
        "한 스레드가 대기 없이 클러스터 배리어에 두 번 도착합니다",
        "두 도착 사이에 `cluster_wait()`를 호출하세요",
    ),
    "cluster-protocol.early": Message(
        _CLUSTER,
        "도착하지 않은 스레드가 클러스터 배리어에서 대기합니다",
        "먼저 `cluster_arrive()`를 호출하세요",
    ),
    "cluster-protocol.missed": Message(
        _CLUSTER,
        "다른 스레드가 지나는 클러스터 배리어에 끝내 도착하지 않는 스레드가 있습니다",
        "클러스터의 모든 스레드가 도달하게 하세요",
    ),
    "cluster-protocol.unawaited": Message(
        _CLUSTER,
        "다른 스레드가 지나는 클러스터 배리어에 도착만 하고 대기하지 않는 스레드가 있습니다",
        "도착한 스레드는 모두 대기도 하게 하세요",
    ),
    "cluster-protocol.end": Message(
        _CLUSTER,
        "스레드들이 클러스터 배리어에 도착한 뒤 대기하지 않고 끝납니다",
        "끝나기 전에 `cluster_wait()`를 호출하세요",
    ),
    "order-dependent.result": Message(
        "스레드 순서에 따라 달라지는 결과",
        "{argument}의 원소 {total}개 중 {count}개가 스레드 순서에 따라 달라집니다: "
        "시드 {seed}에서 {index}의 값은 {first} 대신 {other}입니다",
        "스레드들이 하는 일의 순서를 정하거나, 한 스레드에 맡기세요",
    ),
    "order-dependent.rounding": Message(
        "스레드 순서에 따라 달라지는 결과",
        "{argument}의 원소 {total}개 중 {count}개의 반올림이 스레드 순서에 따라 달라집니다: "
        "시드 {seed}에서 {index}의 값은 {first} 대신 {other}입니다",
    ),
    **ENDS,
}
