"""The Korean of `en_asynchronous.py`."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["ASYNCHRONOUS"]

_COPYING = "비동기 복사가 진행 중인 메모리의 사용"
_EITHER = "두 값 중 어느 쪽이 남을지 알 수 없습니다"

ASYNCHRONOUS: dict[str, Message] = {
    "async-copy.read": Message(
        _COPYING,
        "복사가 진행 중인 {argument}에 대한 {access}: 이전 값을 얻을 수도, 새 값을 얻을 수도 있습니다",
        "먼저 복사를 기다리고, 다른 스레드가 읽는 곳이라면 배리어를 두세요",
    ),
    "async-copy.write": Message(
        _COPYING,
        "복사가 진행 중인 {argument}에 대한 {access}: " + _EITHER,
        "쓰기 전에 복사를 기다리세요",
    ),
    "async-copy.source": Message(
        _COPYING,
        "복사가 읽고 있는 {argument}에 대한 {access}: 복사는 이전 값을 가져갈 수도, 새 값을 가져갈 수도 있습니다",
        "쓰기 전에 복사를 기다리세요",
    ),
    "buffer-to-shared.pointer": Message(
        "한 레인만의 공유 메모리 포인터",
        "공유 메모리로의 복사는 첫 레인의 포인터부터 차례로 쓰지만, 한 웨이브의 레인들이 서로 다른 포인터를 줍니다",
        "웨이브의 모든 레인에 첫 레인의 포인터를 주세요: 각 레인의 자리는 레인 번호로 정해집니다",
    ),
}
