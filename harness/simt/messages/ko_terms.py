"""The words of the simulator's messages in Korean, by parameter and value; they are templates too."""

from __future__ import annotations

from harness.simt.messages.ko_engine import ENGINE

__all__ = ["TERMS"]

_NAMELESS = {
    "shared array {number}": "{number}번 공유 배열",
    "local variable at {place}": "지역 변수({place})",
    "local variable {name}": "지역 변수 {name}",
    "a block of `malloc` at {place}": "`malloc`으로 할당한 블록({place})",
    "a block of `malloc`": "`malloc`으로 할당한 블록",
    "argument {number}": "인자 {number}",
}

TERMS: dict[str, dict[str, str]] = {
    "space": {
        "global": "전역 메모리",
        "shared": "공유 메모리",
        "private": "로컬 메모리",
        "local": "로컬 메모리",
        "constant": "상수 메모리",
        "generic": "메모리",
    },
    # Memory whose name the compiler does not keep.
    "argument": _NAMELESS,
    "source": _NAMELESS,
    "budget": {
        "{count} seconds of processor time": "CPU 시간 {count}초",
        "{count} steps": "{count}단계",
        "{count} bytes of memory for the frames of its calls": "함수 호출에 쓰는 메모리 {count}바이트",
    },
    "access": {"load": "읽기", "store": "쓰기", "atomic": "원자 연산"},
    "act": {"load": "읽기", "store": "쓰기", "atomic": "고쳐 쓰기", "exchange": "받기"},
    "first": {"load": "읽기", "store": "쓰기", "atomic": "원자 연산"},
    "second": {"load": "읽기", "store": "쓰기", "atomic": "원자 연산"},
    "role": {
        "load": "읽기",
        "store": "쓰기",
        "atomic": "원자 연산",
        "use": "사용",
        "free": "해제",
        "copy": "복사",
    },
    # How to order two accesses of threads that lie so far apart.
    "level": {
        "warp": "두 접근 사이에서 `barrier()`를 호출하세요",
        "statement": "먼저 변수에 읽고 `barrier()`를 호출한 뒤 쓰고, 다음에 읽기 전에 `barrier()`를 다시 호출하세요",
        "block": "두 접근 사이, 블록의 모든 스레드가 지나는 곳에서 `barrier()`를 호출하세요",
        "cluster": "두 접근 사이에서 `cluster_sync()`를 호출하세요",
        "grid": "원자 연산을 쓰거나, 두 번째 단계를 다음 커널 실행으로 넘기세요: 블록은 서로를 기다리지 않습니다",
    },
    # Whom barriers wait for.
    "waits": {
        "living": "이 GPU는 남은 스레드만 기다리지만, 모든 GPU가 그렇지는 않고 Mojo도 이를 보장하지 않습니다",
        "all": "이때 이 GPU의 동작은 정의되어 있지 않습니다",
    },
    "between": {
        "threads of one warp": "한 워프의 스레드들",
        "warps of one block": "한 블록의 워프들",
        "blocks of one cluster": "한 클러스터의 블록들",
        "different blocks": "서로 다른 블록들",
    },
    "way": {
        "return": "배리어 앞의 `return` 대신 할 일을 조건문 안에 넣으세요",
        "branch": "일부 스레드가 건너뛰는 조건문이나 반복문 밖에 배리어를 두세요",
    },
    "origin": {
        "argument": "초기화되지 않은 {source}",
        "shared": "초기화되지 않은 공유 메모리 {source}",
        "local": "스레드마다 따로 있고 초기화되지 않은 {source}",
        "inactive-lane": "비활성 레인에서 온 {source}",
        "undef": "상수 undef",
        "poison": "상수 poison",
        "width": "너비 이상만큼의 {source}",
        "lowest": "가장 작은 수와 -1의 {source}",
        "range": "범위를 벗어난 {source}",
        "promise": "성립하지 않는 {source}",
    },
    "severity": {"error": "", "warning": "경고: ", "information": "참고: "},
    # How a finding is laid out.
    "shown": {
        "fail-on": "`fail-on`이 `{fail_on}`이고, 심각도가 그 이상인 진단이 {count}건 있어 실패로 판정합니다.",
        "heading": "{severity}{title} ({id})",
        "site": "위치: {place}{inside}{doer}",
        "site-more": "그리고 {place}{inside}{doer}",
        "site-role": "{role}: {place}{inside}{doer}",
        "nowhere": "소스 줄을 알 수 없는 곳",
        "inside": " ({function})",
        "doer": ", {lane}",
        "lane": "블록 ({block})의 스레드 ({thread}), 워프 {warp} 레인 {number}",
        "pair": "{first}, 그리고 {second}",
        "by": "스레드: {lane}",
        "at": "위치: {places}",
        "and": ", ",
        "also": "같은 일: {lane}",
        "more": "이 밖에 {more}번 더",
        "also-launches": "다른 커널 실행 {launches}번에서도",
        "also-buffers": "같은 일이 일어난 버퍼: {buffers}",
        "order": "다른 스레드 순서에서: 시드 {seed}",
        "remedy": "해결: {remedy}.",
        "times": "{count}번",
        "summary": "오류 요약: 오류 {errors}건({hazards}번), 경고 {warnings}건, 참고 {information}건",
        "incomplete": "시뮬레이션 불가(INCOMPLETE): {reason}",
    },
    **ENGINE,
}
