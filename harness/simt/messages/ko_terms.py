"""Korean texts for values of parameters in messages: accesses, causes, remedies; labels of a shown finding.

`harness.simt.messages` says how they are looked up.
"""

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

_ACCESS = {
    "load": "읽기",
    "store": "쓰기",
    "atomic": "원자 연산",
    "volatile-load": "volatile 읽기",
    "volatile-store": "volatile 쓰기",
}
# What Mojo calls what lanes do together, by the compiler's names.
_SHUFFLES = {"idx": "idx", "up": "up", "down": "down", "bfly": "xor"}
_OPERATIONS = {
    **{f"shfl.{name}": f"`shuffle_{mojo}`" for name, mojo in _SHUFFLES.items()},
    **{f"llvm.nvvm.shfl.sync.{name}.{{type}}": f"`shuffle_{mojo}`" for name, mojo in _SHUFFLES.items()},
    "llvm.nvvm.bar.warp.sync": "`syncwarp`",
    "llvm.nvvm.vote.{kind}.sync": "`vote`",
}
_GUARD = "원소가 있는 스레드만 여기에 오게 하세요"
_NEIGHBOUR = "이 이웃이 있는 스레드만 여기에 오게 하세요: 자기 원소는 있지만, 스레드 {thread}에서는 `{written}`이/가"
_NEGATIVE = f"{_NEIGHBOUR} 음수입니다"
_PAST = f"{_NEIGHBOUR} 끝을 넘습니다"
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
    "operation": _OPERATIONS,
    "access": {"load": "읽기", "store": "쓰기", "atomic": "원자 연산"},
    "act": {"load": "읽기", "store": "쓰기", "atomic": "고쳐 쓰기", "exchange": "받기"},
    "first": _ACCESS,
    "second": _ACCESS,
    "role": {
        "load": "읽기",
        "store": "쓰기",
        "atomic": "원자 연산",
        "volatile-load": "volatile 읽기",
        "volatile-store": "volatile 쓰기",
        "use": "사용",
        "free": "해제",
        "copy": "복사",
    },
    # How to order two accesses of threads that lie so far apart.
    "level": {
        "warp": "두 접근 사이에서 `barrier()`를 호출하세요",
        "if": "두 접근 사이, {opened}번째 줄의 `if` 밖에서 `barrier()`를 호출하세요: 그 앞에서 `if`를 끝내고 뒤에서 "
        "다시 여세요. 두 쪽에서 쓰는 변수는 첫 `if` 앞에서 선언합니다",
        "statement": "먼저 변수에 읽고, `barrier()`를 호출한 뒤에 쓰세요{again}",
        "statement-if": "먼저 변수에 읽고 {opened}번째 줄의 `if`를 끝내세요. 그 밖에서 `barrier()`를 호출한 뒤, 새 "
        "`if` 안에서 쓰세요{again}. 변수는 첫 `if` 앞에서 선언합니다",
        "round": "{loop}번째 줄의 반복문에서 단계가 끝날 때마다 `barrier()`를 호출하세요. {last}번째 줄 뒤, 모든 `if` "
        "밖이어야 합니다",
        "step": "반복문의 각 단계가 끝날 때마다 `barrier()`를 호출하세요. 블록의 모든 스레드가 지나는 곳이어야 합니다",
        "phase": "두 접근 사이에서, 도착한 페이즈가 끝날 때까지 반복문에서 `mbarrier_test_wait`로 기다리세요",
        "ticket": "쓰기와 블록의 원자 연산 사이에서 `barrier()`를 호출하세요: 블록의 다른 스레드들이 이 배리어에 "
        "도달한 뒤라야 원자 연산이 그 스레드들의 쓰기를 알립니다",
        "block": "두 접근 사이, 블록의 모든 스레드가 지나는 곳에서 `barrier()`를 호출하세요",
        "cluster": "두 접근 사이에서 `cluster_sync()`를 호출하세요",
        "grid": "원자 연산을 쓰거나, 두 번째 단계를 다음 커널 실행으로 넘기세요: 블록은 서로를 기다리지 않습니다",
    },
    # Whether the next step of a loop reads again what was written.
    "again": {"loop": ". 다음 단계로 넘어가기 전에도 `barrier()`를 호출하세요", "none": ""},
    # Who is to write what several threads write.
    "writers": {
        "one": "원소마다 스레드 하나만 쓰게 하세요. 예를 들어 `if local_i == 0:`으로 첫 스레드만 쓰게 합니다",
        "several": "원소마다 스레드 하나만 쓰게 하세요. 그럴 수 없다면 {level}",
    },
    # How to order volatile accesses: of blocks, which do not wait for one another, the level names atomics itself.
    "volatile": {"blocks": "{level}", "block": "원자 연산을 쓰세요. 그럴 수 없다면 {level}"},
    # How to wait for a copy before what it fills is read.
    "awaited": {
        "group": "복사와 접근 사이에서 `async_copy_wait_all()`을 호출하고, 다른 스레드가 복사한 것을 읽는다면 "
        "그 뒤에 `barrier()`도 호출하세요",
        "barrier": "두 접근 사이, `async_copy_wait_all()` 뒤에서 `barrier()`를 호출하세요: 스레드는 자기 복사만 "
        "기다립니다",
        "other": "먼저 복사를 기다리고, 다른 스레드가 읽는 곳이라면 배리어를 두세요",
    },
    # What to do about memory that is read before anything is written to it, by its origin.
    "write": {
        **dict.fromkeys(
            ("argument", "shared", "local"), "읽기로 이어지는 모든 경로에서, {source}{cell}을/를 읽기 전에 값을 쓰세요"
        ),
        "stray": "그대로 두어야 할 {instead}을/를 쓰는 곳에서 인덱스를 고치세요: 읽는 원소를 아무도 쓰지 않았습니다",
        **dict.fromkeys(
            ("inactive-lane", "undef", "poison", "width", "lowest", "range", "promise"),
            "값을 쓰는 모든 경로에서, 사용하기 전에 먼저 값을 저장하세요",
        ),
    },
    # How to mend an index that is outside of its array.
    "fix": {
        "outside": "인덱스가 모양 안에 있게 하세요: 인덱스의 계산식과 여기에 오는 스레드, 반복 단계를 확인하세요",
        "guard": f"{_GUARD}: 먼저 인덱스를 길이와 비교합니다",
        "guard-each": f"{_GUARD}: 먼저 행과 열을 각각의 길이와 비교합니다",
        "guard-line": f"{_GUARD}: {{guard}}번째 줄의 조건은 다른 스레드도 통과시킵니다",
        "guard-line-each": f"{_GUARD}: {{guard}}번째 줄의 조건은 다른 스레드도 통과시킵니다. 행과 열을 각각의 길이와 "
        "비교해야 합니다",
        "guard-equal": f"{_GUARD}: {{guard}}번째 줄은 `<=` 때문에 인덱스를 하나 더 통과시킵니다",
        "guard-before": f"{_NEGATIVE}. 이 접근만 `if {{condition}}:` 안에 넣으세요",
        "guard-before-line": f"{_NEGATIVE}. {{guard}}번째 줄의 조건은 `{{condition}}`을/를 확인해야 합니다",
        "guard-after": f"{_PAST}. 이 접근만 `{{written}}`을/를 길이와 비교하는 `if` 안에 넣으세요",
        "guard-after-line": f"{_PAST}. {{guard}}번째 줄의 조건은 `{{written}}`을/를 길이와 비교해야 합니다",
        "guard-beyond": f"{_GUARD}: 원소가 없는 {{beyond}}이/가 {{wanted}}을/를 씁니다. 행과 열을 각각의 "
        "길이와 비교합니다",
        "index": "인덱스를 고치세요: 원소가 있는 스레드에서도 {argument}의 범위를 벗어납니다",
        "index-missing": "인덱스를 고치세요: {wanted}에는 {missing}이/가 필요합니다{lies}",
        "index-foreign": "인덱스를 고치세요: 지금은 {wanted}에 {foreign}이/가 들어갑니다",
        "index-other": "인덱스를 고치세요: {wanted}에는 {missing}이/가 필요한데 {foreign}이/가 들어갑니다{lies}",
        "start": "반복을 더 작은 값에서 시작하세요: 첫 단계에서는 {argument} 안에 있는 스레드가 없습니다",
        "end": "반복을 한 단계 일찍 끝내세요: 마지막 단계에서는 {argument} 안에 있는 스레드가 없습니다",
        "size": "{argument}의 자리를 원소 {needed}개로 늘리세요: 모두 쓰입니다",
    },
    # How far past the end of an array an access begins.
    "gap": {"adjacent": "끝 바로 다음", "apart": "끝보다 {distance}바이트 뒤"},
    # What an array without elements lacks.
    "room": {
        "longer": "커널이 기대하는 길이로 만들거나, 접근하기 전에 인덱스를 길이와 비교하세요",
        "needs": "{argument} 대신 커널이 읽어야 할 것을 넘기세요: {wanted}에는 {missing}이/가 필요합니다",
    },
    # Where a block has an element that it needs.
    "lies": {"block": ". 이 원소는 블록 안에서 {held}에 있습니다"},
    # Whom barriers wait for.
    "waits": {
        "living": "타깃 GPU는 남은 스레드만 기다리지만, 모든 GPU가 그렇지는 않고 Mojo도 이를 보장하지 않습니다",
        "all": "이때 타깃 GPU의 동작은 정의되어 있지 않습니다",
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
        "branches": "배리어를 분기 뒤로 옮기세요",
        "if": "{opened}번째 줄의 `if`를 배리어 앞에서 끝내 배리어를 밖에 두고, 그 뒤에서 `if`를 다시 여세요. "
        "두 쪽에서 쓰는 변수는 첫 `if` 앞에서 선언합니다",
    },
    # What an endless loop lacks, by whether it has a condition.
    "exit": {
        "none": "빠져나오는 길이 없습니다",
        "unchanged": "{loop}번째 줄의 조건에 쓰이는 {unchanged}을/를 반복문 안에서 바꾸는 곳이 없습니다",
    },
    "ends": {
        "none": "조건을 두어 반복문을 끝내세요",
        "unchanged": "{loop}번째 줄의 조건이 거짓이 될 때까지 반복문 안에서 {unchanged}을/를 바꾸세요",
    },
    "origin": {
        "argument": "초기화되지 않은 {source}",
        "shared": "초기화되지 않은 공유 메모리 {source}{cell}",
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
        "site-waiting": "기다리는 곳: {place}{inside}",
        "site-ended": "끝난 곳: {place}{inside}",
        "site-role": "{role}: {place}{inside}{doer}",
        "nowhere": "소스 줄을 알 수 없는 곳",
        "inside": " ({function})",
        "doer": ", {lane}",
        "lane": "블록 ({block})의 스레드 ({thread}), 워프 {warp} 레인 {number}",
        "pair": "{first}, 그리고 {second}",
        "by": "스레드: {lane}",
        "at": "위치: {places}",
        "and": ", ",
        "clause": ". ",
        "shortened": "{listed} 등",
        "also": "같은 문제: {lane}",
        "more": "같은 문제가 {more}번 더 있습니다",
        "also-launches": "다른 커널 실행 {launches}번에서도",
        "also-buffers": "같은 문제가 있는 버퍼: {buffers}",
        "order": "다른 스레드 순서에서: 시드 {seed}",
        "remedy": "고치는 법: {remedy}.",
        "times": "{count}번",
        "summary": "오류 요약: 오류 {errors}건({hazards}번), 경고 {warnings}건, 참고 {information}건",
        "incomplete": "시뮬레이션 불가(INCOMPLETE): {reason}",
    },
    **ENGINE,
}
