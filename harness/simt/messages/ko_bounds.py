"""Korean messages about accesses out of bounds, indices outside of a shape, null pointers; freed memory: `ko`."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["BOUNDS"]

_OUTSIDE = "잘못된 {space} {access}: {size}바이트"
_GUARD = "접근하기 전에 인덱스를 길이와 비교하세요"

BOUNDS: dict[str, Message] = {
    "out-of-bounds.before": Message(
        _OUTSIDE,
        "범위를 벗어난 {space} {access} {size}바이트: "
        "{argument}(크기 {allocation}바이트)의 시작보다 {distance}바이트 앞",
        _GUARD,
    ),
    "out-of-bounds.across": Message(
        _OUTSIDE,
        "범위를 벗어난 {space} {access} {size}바이트: {argument}(크기 {allocation}바이트)의 끝에 걸침",
        _GUARD,
    ),
    "out-of-bounds.after": Message(
        _OUTSIDE,
        "범위를 벗어난 {space} {access} {size}바이트: {argument}(크기 {allocation}바이트)의 {gap}",
        _GUARD,
    ),
    **dict.fromkeys(
        ("out-of-bounds.before.element", "out-of-bounds.after.element"),
        Message(
            "배열 밖의 인덱스",
            "범위를 벗어난 {space} {access}, {argument}{element}: {argument}의 모양은 {shape}입니다",
            "{fix}",
        ),
    ),
    "out-of-bounds.across.element": Message(
        "배열 밖의 인덱스",
        "범위를 벗어난 {space} {access}, {argument}{element}부터 {size}바이트: {argument}의 모양은 {shape}입니다",
        "{fix}",
    ),
    "out-of-shape.index": Message(
        "모양 밖의 인덱스",
        "{argument}{element}: 모양이 {shape}인 {argument}의 밖이라, 다른 원소의 자리입니다",
        "인덱스를 모양의 순서대로 쓰고, 각각을 그 차원의 길이보다 작게 하세요",
    ),
    "out-of-shape.rank": Message(
        "모양과 맞지 않는 인덱스",
        "{argument}{element}: 인덱스는 {given}개인데 {argument}의 모양은 {shape}입니다",
        "차원마다 인덱스를 하나씩 쓰세요",
    ),
    "out-of-shape.asserted": Message(
        "모양 밖의 인덱스",
        "{argument}의 인덱스 하나가 모양의 밖입니다",
        "각 인덱스를 그 차원의 길이보다 작게 하세요",
    ),
    "out-of-bounds.empty": Message(
        _OUTSIDE,
        "원소가 없는 {argument}에 대한 잘못된 {space} {access}: {size}바이트",
        "{room}",
    ),
    "out-of-bounds.not-given": Message(
        _OUTSIDE,
        "실행할 때 크기를 주지 않은 {argument}에 대한 잘못된 {space} {access}: {size}바이트",
        "실행할 때 `shared_mem_bytes=`를 주세요: 동적 공유 메모리의 크기는 이 값이 정합니다",
    ),
    "out-of-bounds.pointer.null": Message(
        "잘못된 {access}: {size}바이트",
        "널 포인터({address:#x})를 통한 {access} {size}바이트",
        "이 인수에 배열을 넘기거나, 접근을 없애세요",
    ),
    "out-of-bounds.pointer.nowhere": Message(
        "잘못된 {access}: {size}바이트",
        "할당되지 않은 주소({address:#x})를 통한 {access} {size}바이트",
        "주소는 커널의 인수나 배열에서 계산하세요",
    ),
}
