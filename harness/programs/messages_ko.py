"""Korean texts of findings on a program's host part: waits, streams, copies, freed memory, leaks, crashes.

`harness.simt.messages` explains the form.
"""

from __future__ import annotations

from harness.simt.messages import Message

__all__ = ["MESSAGES", "TERMS"]

_WAIT = "호스트가 접근하기 전에 컨텍스트의 `synchronize()`를 호출하거나 이벤트를 기다리세요"

MESSAGES: dict[str, Message] = {
    "out-of-bounds.pointer.host": Message(
        "잘못된 {access}: {size}바이트",
        "어느 버퍼에도 없는 호스트 메모리({address:#x})에 대한 {access} {size}바이트",
        "{instead}",
    ),
    "use-after-free.host": Message(
        "해제된 메모리 사용",
        "{what}: 이미 해제된 {argument}에 접근합니다",
        "Mojo는 버퍼를 마지막 사용 직후에 해제하며, 버퍼 안을 가리키는 포인터는 사용으로 치지 않습니다: "
        "작업이 끝나기를 기다린 뒤에 `_ = buffer^`를 쓰세요",
    ),
    "use-after-free.pages": Message(
        "해제된 메모리 사용",
        "호스트가 이미 해제된 {argument}에 접근합니다",
        "Mojo는 버퍼를 마지막 사용 직후에 해제하며, 버퍼 안을 가리키는 포인터는 사용으로 치지 않습니다: "
        "포인터를 마지막으로 쓴 뒤에 `_ = buffer^`를 쓰세요",
    ),
    "use-after-free.unordered": Message(
        "사용 중일 수 있는 메모리 해제",
        "{argument}: 다른 스트림의 작업({what})이 아직 사용할 수 있는데, 기다리지 않고 해제합니다",
        "작업이 끝나기를 기다린 뒤에 `_ = buffer^`를 쓰세요: "
        "Mojo는 버퍼를 마지막 사용 직후에, 버퍼 자신의 스트림 순서대로 해제합니다",
    ),
    "double-free": Message(
        "두 번 해제",
        "{argument}: 이미 해제된 버퍼를 다시 해제합니다",
        "메모리는 한 버퍼만 소유하게 하세요: `take_ptr()`로 소유권을 넘깁니다",
    ),
    "foreign-memory": Message(
        "디바이스가 해제하는 호스트 메모리",
        "{argument}: 소유하는 버퍼에 넘겨졌지만 디바이스가 만든 메모리가 아니므로 해제할 수 없습니다",
        "버퍼가 소유하지 않게 하세요: `owning=False` 또는 `wrap_host_memory`",
    ),
    "device-memory-on-host": Message(
        "호스트에서 디바이스 메모리 사용",
        "호스트가 디바이스 메모리에 있는 {argument}에 포인터로 접근합니다",
        "먼저 호스트 버퍼로 복사하거나 `map_to_host()`를 쓰세요",
    ),
    "aborted": Message(
        "프로그램이 스스로 끝남",
        "프로그램이 {signal} 시그널로 끝났습니다. "
        "Mojo의 `assert`, `debug_assert`, `abort`가 이렇게 끝내며, 이유는 위에 있습니다",
    ),
    "crashed": Message(
        "프로그램이 비정상 종료됨",
        "프로그램의 호스트 쪽이 주소 {address:#x}에서 {signal} 시그널로 끝났습니다",
        "이 줄에서 사용하는 포인터를 확인하세요",
    ),
    "misuse": Message("디바이스 인터페이스를 잘못 사용", "{what}: {reason}"),
    "copy-too-short": Message(
        "원본의 끝을 넘는 복사",
        "복사할 크기는 {argument}의 {wanted}바이트인데, 원본 {source}의 크기는 {given}바이트입니다",
        "원본을 대상보다 짧지 않게 만들거나, 하위 버퍼로 복사하세요",
    ),
    "copy-overlaps": Message(
        "겹치는 부분 사이의 복사",
        "{argument} 안에서의 복사인데 원본과 대상이 {shared}바이트 겹칩니다. 어떤 순서로 복사될지는 알 수 없습니다",
        "먼저 다른 버퍼로 복사한 뒤 거기서 다시 복사하세요",
    ),
    "uninitialised-copy": Message(
        "정의되지 않은 바이트를 호스트로 복사",
        "{argument}: 호스트로 복사한 {given}바이트 중 {undefined}바이트는 한 번도 쓰이지 않았습니다",
        "버퍼를 먼저 채우거나, 커널이 전부 쓰게 하세요",
    ),
    "uninitialised-copy.unused": Message(
        "정의되지 않은 바이트를 호스트로 복사",
        "{argument}: 호스트로 복사한 {given}바이트 중 {undefined}바이트는 한 번도 쓰이지 않았습니다. "
        "이를 사용하는 접근은 확인되지 않았습니다",
    ),
    "uninitialised-copy.unwatched": Message(
        "정의되지 않은 바이트를 호스트로 복사",
        "한 번도 쓰이지 않은 바이트가 든 복사 {count}건은 호스트의 접근을 모두 확인하지 못했습니다: {unwatched}",
    ),
    "missing-wait.read": Message(
        "기다리지 않은 호스트 접근", "{what}: 끝나기 전에 호스트가 {argument}에 접근합니다", _WAIT
    ),
    "missing-wait.write": Message(
        "기다리지 않은 호스트 접근", "{what}: 다 읽기 전에 호스트가 {argument}에 씁니다", _WAIT
    ),
    "stream-race": Message(
        "순서가 없는 작업",
        "두 작업({what}, {other})이 {argument}의 같은 바이트에 접근하는데, 어느 스트림도 다른 쪽을 기다리지 않습니다",
        "앞선 작업 뒤에 이벤트를 기록하고 다른 스트림이 기다리게 하거나, 동기화하세요",
    ),
    "never-awaited": Message(
        "아무도 기다리지 않은 작업",
        "{what}: 기다리지 않은 채 프로그램이 끝납니다. 그때 작업이 끝나 있을지는 운에 달렸습니다",
        "끝나기 전에 `synchronize()`를 호출하세요",
    ),
    "never-awaited.returned": Message(
        "아무도 기다리지 않은 작업",
        "{what}: 기다리지 않은 채 함수가 반환합니다. 그때 작업이 끝나 있을지는 운에 달렸습니다",
        "반환하기 전에 `synchronize()`를 호출하세요",
    ),
    "leak": Message("해제되지 않은 채 종료", "{argument}: 프로그램이 끝날 때 {given}바이트가 해제되지 않았습니다"),
    "launches-unobserved": Message(
        "관찰하지 않은 실행",
        "{kernel}: 처음 {observed}번 뒤의 실행 {count}번은 관찰하지 않고 Python으로 결과만 계산했습니다",
        "모두 검사하려면 --observed-launches로 한도를 올리세요",
    ),
    "launches-unexplained": Message(
        "오류가 난 뒤 관찰하지 않은 실행",
        "{kernel}: 처음 {observed}번의 실행에서 오류를 찾는 데 {seconds}초가 걸렸으므로, 그 뒤의 실행 {count}번은 "
        "결과만 계산했습니다",
        "처음 실행들에서 보고된 오류를 고친 뒤 프로그램을 다시 실행하세요",
    ),
}

TERMS = {
    "unwatched": {
        "no steps": "이 컴퓨터에서는 명령어를 하나씩 실행할 수 없어, 페이지마다 첫 접근만 확인합니다",
        "many": "접근 {steps}회 이후에는 페이지마다 첫 접근만 확인합니다",
    },
    "instead": {
        "given": "디바이스 버퍼로 복사해서 그 버퍼를 커널에 넘기세요",
        "captured {name}": "`{name}`: 참조로 캡처되어 호스트 메모리에 있습니다. 커널의 인자로 넘기세요",
    },
}
