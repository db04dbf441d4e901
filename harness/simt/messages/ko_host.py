"""Korean messages about capabilities that a target lacks, and about the heap, printing and traps of kernels."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["HOST"]

_HEAP = "디바이스의 힙 메모리"
_PRINT = "출력한 글"
_LACKING = "타깃에 없는 기능"

HOST: dict[str, Message] = {
    "capability.heap": Message(
        _LACKING,
        "커널이 `{needed}`을/를 호출하지만, {target}에는 커널에서 쓸 힙이 없습니다",
        "호스트에서 메모리를 할당하거나, 크기가 고정된 배열을 사용하세요",
    ),
    "capability.double": Message(
        _LACKING,
        "`{needed}`이/가 64비트 부동소수점 값을 다루지만, {target}에는 그런 형식이 없습니다",
        "`Float32`로 계산하세요",
    ),
    "capability.atomic": Message(
        _LACKING,
        "{target}에는 원자 연산 `{needed}`이/가 없습니다",
        "32비트 정수의 원자 연산이나, 디바이스 메모리에서 `Float32`의 `add`를 사용하세요",
    ),
    "capability.function-pointer": Message(
        _LACKING,
        "포인터로 함수를 호출하지만, {target}에서는 visible function table에 있는 함수만 포인터로 호출할 수 있습니다",
        "`if`로 함수를 고르거나, 컴파일 시점의 매개변수로 정하세요",
    ),
    "capability.runtime": Message(
        _LACKING,
        "커널이 호출하는 `{needed}`은/는 CUDA 런타임의 함수이며, {target}에는 없습니다",
        "다른 타깃으로 컴파일할 때는 이 호출을 빼세요",
    ),
    "capability.instruction": Message(
        _LACKING,
        "`{needed}` 명령은 {targets}에만 있고, {target}에는 없습니다",
        "타깃에 있는 명령을 쓰거나, 이 명령이 있는 타깃을 고르세요",
    ),
    "trap.assert": Message("단언", "{function}의 {file}:{line}에서 단언 `{said}` 실패를 스레드가 확인했습니다"),
    "trap.pure-virtual": Message(
        "순수 가상 함수 호출",
        "클래스가 선언만 한 가상 함수를 호출합니다",
        "그 함수를 정의하는 클래스의 생성자가 끝난 뒤, 소멸자가 시작되기 전에 호출하세요",
    ),
    "heap.double-free": Message(
        _HEAP, "이미 해제된 {argument}을/를 다시 해제합니다", "블록마다 한 스레드가 한 번만 해제하세요"
    ),
    "heap.foreign-free": Message(
        _HEAP,
        "디바이스의 `malloc`이 돌려주지 않은 포인터({address:#x})를 `free`에 넘깁니다",
        "`malloc`이 돌려준 포인터를 그대로 해제하세요",
    ),
    "heap.full": Message(
        _HEAP,
        "힙 {limit}바이트가 가득 차서 {size}바이트의 `malloc`이 널을 돌려줍니다",
        "다 쓴 블록을 해제하거나, 호스트에서 할당하세요",
    ),
    "use-after-free.heap": Message(
        "해제된 메모리에 대한 {access}: {size}바이트",
        "커널이 이미 해제한 {argument}에 대한 {access} {size}바이트",
        "블록의 포인터를 가진 모든 스레드가 마지막으로 사용한 뒤에 해제하세요",
    ),
    "print.arguments": Message(
        _PRINT,
        "`{said}`의 `printf`에 필요한 인수가 주어진 {taken}개보다 많습니다",
        "변환마다 인수를 하나씩 주고, 퍼센트 기호는 `%%`로 쓰세요",
    ),
    "print.width": Message(
        _PRINT,
        "`printf`가 변환 하나에 {wanted}글자를 요구합니다: {limit}글자만 출력합니다",
        "너비나 정밀도를 줄이세요",
    ),
    "print.full": Message(
        _PRINT,
        "커널이 {limit}글자를 출력했습니다: 그 뒤의 출력은 생략합니다",
        "출력을 줄이거나, 더 적은 스레드에서 출력하세요",
    ),
}
