"""Messages in Korean that say why a result's element is wrong, such as a missing term, each with a remedy."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["REASONS", "REASON_TERMS"]

REASON_TERMS = {
    # What to do about an error of the compiler.
    "advice": {
        "misspelt": "`{declared}` 대신 `{near}`을/를 쓰거나, 사용하기 전에 `{declared}`을/를 선언하세요",
        "import": "파일 맨 위에 `from {module} import {declared}`을/를 쓰세요",
        "inner": "{opened}번째 줄의 `{opener}` 앞에서 `{declared}`을/를 선언하세요: 이름은 블록과 함께 끝납니다",
        "unknown": "이름 `{declared}`을/를 고치거나, 사용하기 전에 `var`로 선언하세요",
        "index": "인덱스는 정수여야 합니다: `/`의 결과는 부동소수점 수이므로 `//`로 나누세요",
        "division": "정수는 `//`로 나누세요: `/`의 결과는 부동소수점 수입니다. 또는 `{to}(...)`으로/로 변환하세요",
        "begin": "`var {declared} = Scalar[dtype]({begun})`으로/로 시작하세요: `{begun}`이면 형식이 {to}입니다",
        "convert": "값을 변환하세요: `{to}(...)`",
        "truncate": "값을 변환하세요: `{to}(...)`. 소수부는 버려집니다",
        "rebind": "원소를 수로 꺼내세요: `rebind[Scalar[dtype]](...)`",
    },
    # What an access reads or writes, where that is no number.
    "value": {"undefined": "정의되지 않은 값"},
    # Why elements are never written, as far as it is known.
    "unwritten": {
        "some": "모든 원소를 적어도 한 스레드가 쓰게 하세요",
        "blocks": "전역 인덱스를 쓰세요: `thread_idx`는 블록마다 0에서 시작하므로 블록 {writers}개가 "
        "{argument}{twice}을/를 씁니다",
    },
    # Where to look, by whether the kernel has a loop.
    "around": {
        "loop": "이 줄을 둘러싼 반복문의 시작과 끝, 증가량, 그리고 조건을 확인하세요",
        "lines": "이 줄의 계산식과 둘러싼 조건을 확인하세요",
    },
}

_STEP = "{line}번째 줄: {who}, {what}{value} {act}"

REASONS: dict[str, Message] = {
    "check.reason.missing": Message(
        "{argument}{index}에 빠진 원소",
        "{argument}{index}을/를 계산할 때 {missing}을/를 사용하지 않았습니다",
        "{argument}{index}에 {missing}도 들어가게 하세요: {around}",
        item=_STEP,
    ),
    "check.reason.foreign": Message(
        "{argument}{index}에 잘못 들어간 원소",
        "{argument}{index}의 계산에 들어가면 안 되는 원소가 들어갑니다: {foreign}",
        "{foreign}을/를 빼세요: {around}",
        item=_STEP,
    ),
    "check.reason.other": Message(
        "{argument}{index}에 바뀌어 들어간 원소",
        "{argument}{index}을/를 계산할 때 {missing}을/를 사용하지 않았습니다; 대신 다음 원소가 들어갑니다: {foreign}",
        "이 줄의 인덱스를 고치세요: {argument}{index}에는 {missing}이/가 필요합니다",
        item=_STEP,
    ),
    "check.reason.again": Message(
        "{argument}{index}에 빠진 원소와 거듭 들어간 원소",
        "{argument}{index}을/를 계산할 때 {missing}을/를 사용하지 않았습니다; 한 번 더 들어가는 원소: {weighed}",
        "이 줄의 인덱스를 고치세요: {argument}{index}에는 {missing}이/가 필요합니다",
        item=_STEP,
    ),
    "check.reason.elsewhere": Message(
        "{argument}{index}에 빠진 원소",
        "{argument}{index}을/를 계산할 때 {missing}을/를 사용하지 않았습니다; "
        "아무도 쓰지 않은 {source}{cell}이/가 들어갑니다",
        "이 줄의 인덱스를 고치세요: {argument}{index}에 필요한 {missing}은/는 다른 자리에 있습니다",
        item=_STEP,
    ),
    "check.reason.unfilled": Message(
        "{argument}{index}에 빠진 원소",
        "{argument}{index}을/를 계산할 때 {missing}을/를 사용하지 않았습니다; "
        "대신 아무도 쓰지 않은 {source}이/가 들어갑니다",
        "{source} 대신 {missing}이/가 든 버퍼를 커널에 넘기세요",
        item=_STEP,
    ),
    "check.reason.times": Message(
        "{argument}{index}에 거듭 들어간 원소",
        "{argument}{index}의 계산에 {times}번 들어가는 원소가 있습니다(한 번이어야 합니다): {weighed}",
        "{weighed}은/는 한 번만 들어가게 하세요: {around}",
        item=_STEP,
    ),
    "check.reason.sign": Message(
        "{argument}{index}에 들어간 원소의 부호",
        "{argument}{index}의 계산에 부호가 반대로 들어가는 원소가 있습니다: {weighed}",
        "이 줄의 계산을 고치세요: 원소는 맞습니다",
        item=_STEP,
    ),
    "check.reason.weight": Message(
        "{argument}{index}에 반영되는 정도",
        "{argument}{index}의 계산에 들어가는 원소는 맞지만 반영되는 정도가 다릅니다: {weighed}",
        "각 원소가 얼마나 반영되는지 확인하세요: 무엇을 곱하거나 무엇으로 나누는지, 어떤 원소와 짝을 이루는지 보세요",
        item=_STEP,
    ),
    "check.reason.combined": Message(
        "{argument}{index}의 계산식",
        "{argument}{index}의 계산에 들어가는 원소는 맞지만 계산식이 틀립니다",
        "이 줄의 계산을 고치세요: 원소는 맞습니다",
        item=_STEP,
    ),
}
