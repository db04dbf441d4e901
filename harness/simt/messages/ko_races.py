"""Korean messages on races, also of atomics, several writers of one value, assumed orderings, redundant barriers."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["RACES"]

_RACE = "{first}과/와 {second}의 경쟁 상태, {count}건"
_TORN = "읽는 쪽은 이전 값을 얻을 수도, 새 값을 얻을 수도 있습니다"
_EITHER = "두 값 중 어느 쪽이 남을지 알 수 없습니다"
_ONE_WRITER = "{writers}"


def _messages_of_plain_races(space: str, name: str) -> dict[str, Message]:
    """Return the messages about races of plain accesses (neither atomic nor volatile) in an address space.

    Args:
        space: The address space in the ids: `race.SPACE.write-read`, `read-write` and `write-write`.
        name: The address space in the Korean texts.
    """
    what, open_ = f"{name} 메모리 {{argument}}에 대한", "({between})의 순서가 정해져 있지 않습니다: "
    return {
        f"race.{space}.write-read": Message(_RACE, f"{what} 쓰기와 읽기{open_}{_TORN}", "{level}"),
        f"race.{space}.read-write": Message(_RACE, f"{what} 읽기와 쓰기{open_}{_TORN}", "{level}"),
        f"race.{space}.write-write": Message(_RACE, f"{what} 두 쓰기{open_}{_EITHER}", _ONE_WRITER),
    }


RACES: dict[str, Message] = {
    **_messages_of_plain_races("shared", "공유"),
    **_messages_of_plain_races("global", "전역"),
    "race.volatile": Message(
        _RACE,
        "{argument}에 대한 volatile 접근({between})의 순서가 정해져 있지 않습니다: "
        "volatile은 접근이 일어나게 할 뿐, 순서를 정하지 않습니다",
        "{volatile}",
    ),
    "race.scope": Message(
        _RACE,
        "{argument}에 대한 원자 연산의 스코프가 좁습니다: 만나는 스레드는 {between}입니다",
        "만나는 모든 스레드를 포함하는 스코프를 지정하세요",
    ),
    "race.sizes": Message(
        _RACE,
        "크기가 다른 원자 연산이 {argument}에서 만납니다({between}): 서로에게는 원자적이지 않습니다",
        "만나는 원자 연산의 크기와 위치를 모두 같게 하세요",
    ),
    "race.update": Message(
        _RACE,
        "{between}이/가 {argument}의 값을 읽고 고쳐 쓰는 순서가 정해져 있지 않습니다: "
        "다른 스레드가 쓰기 전의 값을 읽으면 고친 값 하나가 사라집니다",
        "한 스레드가 모두 고치게 하거나, `from std.atomic import Atomic` 뒤에 `_ = Atomic.fetch_add(pointer, value)` "
        "같은 원자 연산 하나로 고치세요. 텐서 `t`의 첫 원소를 가리키는 포인터는 `t.ptr`입니다",
    ),
    "race.first-load": Message(
        _RACE,
        "{argument}에 대한 원자 연산 옆에서 비교 교환에 넘길 값을 원자적이지 않게 읽습니다({between}): "
        "읽은 값이 낡았으면 비교 교환이 다시 시도됩니다",
        "처음 값도 원자적으로 읽으세요",
    ),
    "several-writers": Message(
        "여러 스레드가 같은 값을 씀",
        "{argument}의 한 위치에 같은 값을 쓰는 스레드가 여럿입니다({between})",
        "한 스레드만 통과하는 조건을 두어, 그 스레드만 쓰게 하세요",
    ),
    "races-not-followed": Message(
        "일부 경쟁 상태를 추적하지 못함",
        "경쟁할 수 있는 접근이 너무 많아, 원자 연산과 메모리 펜스를 모두 따라가지는 못했습니다",
        "그리드를 줄여 실행하면 모두 추적합니다",
    ),
    "unknown-producer": Message(
        "적힌 그대로의 메모리 순서",
        "어느 컴파일러가 만든 코드인지 알 수 없어 원자 연산의 메모리 순서를 적힌 그대로 보았습니다. "
        "22까지의 clang은 NVIDIA용 코드에서 이 순서를 많이 지우므로 실제 GPU에서는 다를 수 있습니다",
    ),
    "redundant-barrier.one": Message("없어도 되는 배리어", "이 데이터에서는 이 배리어가 없어도 됩니다"),
    "redundant-barrier.either": Message(
        "없어도 되는 배리어", "다른 하나를 남겨 둔다면, 이 데이터에서는 이 배리어가 없어도 됩니다"
    ),
}
