"""Korean messages about launches that do not end: deadlocks, endless loops, exceeded budgets; traps: `ko`."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["ENDS"]

_ENDLESS = "끝나지 않는 반복문"
_CHANGE = "반복문이 끝나도록, 조건이 읽는 값을 반복문 안에서 바꾸세요"
_COUNTER = "카운터의 시작 값과 더하는 값, 비교하는 값을 확인하세요"
_STOPPED = "끝나기 전에 중단"
_LONGER = "오래 걸릴 뿐이라면 데이터를 줄이거나 제한을 늘리고, 아니라면 모든 반복문이 끝나게 하세요"

ENDS: dict[str, Message] = {
    "deadlock": Message(
        "교착 상태",
        "교착 상태: 스레드 {waiting}개가 오지 않을 스레드를 기다립니다. "
        "먼저 끝난 스레드는 {ended}개입니다({operation})",
        "다른 스레드가 기다리는 스레드는 모두 같은 배리어에 도달하게 하세요",
        "블록 {blocks}개의 스레드 {threads}개가 대기 중: {place}",
    ),
    "livelock": Message(
        "라이브락",
        "라이브락: 어느 스레드도 이 반복문의 조건을 바꿀 수 없습니다",
        _CHANGE,
    ),
    "endless-loop.unchanged": Message(
        _ENDLESS,
        "끝나지 않는 반복문: 계속할지를 정하는 값이 하나도 바뀌지 않아, 어느 스레드도 빠져나오지 못합니다",
        _CHANGE,
    ),
    "endless-loop.no-exit": Message(
        _ENDLESS,
        "끝나지 않는 반복문: {exit}",
        "{ends}",
    ),
    "endless-loop.missed": Message(
        _ENDLESS,
        "끝나지 않는 반복문: 카운터가 반복문을 끝내는 값이 되는 일이 없습니다",
        _COUNTER,
    ),
    "endless-loop.counter": Message(
        _ENDLESS,
        "끝나지 않는 반복문: 카운터가 반복문을 끝내는 값이 되려면 적어도 {rounds}번 더 돌아야 합니다",
        _COUNTER,
    ),
    "budget-exceeded": Message(
        _STOPPED,
        "커널을 제한({budget})에서 중단했습니다. 끝나는 커널인지는 알 수 없습니다",
        _LONGER,
    ),
    "budget-exceeded.progress": Message(
        _STOPPED,
        "커널을 중단했습니다. 제한({budget}) 동안 끝난 블록이 없습니다. 끝나는 커널인지는 알 수 없습니다",
        _LONGER,
    ),
}
