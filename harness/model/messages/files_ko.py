"""Korean findings on a learner's file: empty regions, changes outside of regions, predictions; joined in `ko`."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["FILES"]

_FRAME = "표시된 영역 밖의 변경"
_UNDO = "의도한 것이 아니라면 되돌리세요: 퍼즐은 나머지 부분이 받은 그대로여야 성립합니다"

FILES: dict[str, Message] = {
    "frame.unfilled": Message(
        "아직 비어 있음", "{case}: 아직 채우지 않았습니다. 여기를 보세요: {place}", "두 표시 사이에 커널을 작성하세요"
    ),
    "frame.whole": Message(
        "완성된 채로 받은 커널",
        "{case}: 비교하라고 완성된 채로 나눠 준 커널이며, {other}을/를 아직 채우지 않았습니다. 여기를 보세요: {place}",
        "먼저 {other}의 커널을 작성하세요",
    ),
    "frame.left": Message(
        "일부만 채움",
        "{case}: 일부만 채웠고, {place}의 영역이 아직 비어 있습니다",
        "빠진 부분을 두 표시 사이에 작성하세요",
    ),
    "frame.changed": Message(
        _FRAME, "{place}: 표시된 영역 밖의 줄이 바뀌었습니다. `{was}`였던 줄이 `{now}`입니다", _UNDO
    ),
    "frame.moved.inside": Message(
        _FRAME, "{place}: `{now}`의 들여쓰기가 달라져 {opened}번째 줄의 `{opener}` 안에 있습니다", _UNDO
    ),
    "frame.moved.outside": Message(_FRAME, "{place}: `{now}`의 들여쓰기가 달라졌습니다", _UNDO),
    "frame.added": Message(_FRAME, "{place}: 표시된 영역 밖에 줄이 추가되었습니다. `{now}`", _UNDO),
    "frame.removed": Message(_FRAME, "{place}: 표시된 영역 밖에 있던 줄이 없습니다. `{was}`", _UNDO),
    "frame.outside": Message(
        _FRAME, "표시된 영역 밖에서 바뀌거나 추가된 {count}줄까지 파일 전체를 실행했습니다: {place}"
    ),
    "frame.unmarked": Message(_FRAME, "영역 표시가 없어진 파일 전체를 실행했습니다: {file}"),
    # Figures that a learner predicts.
    "predict.open": Message(
        "예측 전",
        "{place}의 수를 아직 예측하지 않았습니다: {question}",
        "`?` 자리에 수를 쓰고 다시 검사하세요",
    ),
    "predict.no-number": Message(
        "수가 아님", "{place}의 {answer}은/는 수가 아닙니다: {question}", "12나 66.7과 같은 수를 쓰세요"
    ),
    "predict.gone": Message(
        "질문이 없음",
        "{file}에 이 질문이 없습니다: {text}",
        "질문을 되돌리거나 `puzzles reset`으로 파일을 다시 받으세요",
    ),
    "predict.wrong": Message(
        "예측과 다름",
        "{question}: {answer}이/가 아닙니다({place})",
        "`puzzles run {case} --profile`로 재 보고 수를 고치세요",
    ),
    "predict.right": Message("맞은 예측", "{question}: {answer}. {why}"),
}
