"""Korean findings by id, but for a learner's file (`files_ko`) and reasons (`reasons_ko`), which it joins.

It also joins the tables of other phrases, as terms. `harness.simt.messages` says what a template may hold.
"""

from __future__ import annotations

from harness.model.messages.datasets_ko import DATASETS
from harness.model.messages.errors_ko import CATEGORIES
from harness.model.messages.files_ko import FILES
from harness.model.messages.machine_ko import LIMITS
from harness.model.messages.migration_ko import MIGRATION
from harness.model.messages.output_ko import OUTPUT, OUTPUT_TERMS
from harness.model.messages.phrases_ko import PHRASES
from harness.model.messages.reasons_ko import REASON_TERMS, REASONS
from harness.simt.messages.message import Message

__all__ = ["MESSAGES", "TERMS"]

_OUTSIDE = "버퍼 밖에 씀"
_GUARD = "접근하기 전에 인덱스를 길이와 비교하세요"
_ASKED = "퍼즐이 요구한 방식과 다름"
_READ_ONCE = "전역 메모리는 느립니다: 한 번 읽은 값은 공유 메모리나 레지스터로 나눌 수 있습니다"
_WRITE_ONCE = "원소마다 한 스레드만 쓰게 하세요: 같은 값을 여럿이 써도 맞지만, 값이 달라지는 순간 경쟁 상태가 됩니다"
_UNDONE = "결과 없음"
_LAUNCH = "다른 실행 구성"
_GRAPH = "다른 그래프"
_ON_DEVICE = "계산은 디바이스에서 해야 합니다: `ctx`로 커널을 실행하세요"
_OWN_LAUNCH = "커널 실행은 하네스에 맡기세요: 커널은 함수 하나입니다"

_AS_DOCUMENTED = "원래 교재대로 실행하세요: `grid_dim`, `block_dim`과 실행 횟수를 확인하세요"

MESSAGES: dict[str, Message] = {
    # A data set.
    "check.never-written": Message(
        "한 번도 쓰이지 않은 원소",
        "{argument}: 원소 {total}개 중 {count}개가 한 번도 쓰이지 않았습니다(위치: {places})",
        "{unwritten}",
    ),
    "check.wrong-value.owned": Message(
        "틀린 값",
        "{argument}: 원소 {total}개 중 {count}개가 틀립니다",
        item="{argument}{index} 기대한 값 {expected}, 실제 값 {got} ({owner})",
    ),
    "check.wrong-value.shared": Message(
        "틀린 값",
        "{argument}: 원소 {total}개 중 {count}개가 틀립니다",
        item="{argument}{index} 기대한 값 {expected}, 실제 값 {got}",
    ),
    **REASONS,
    "check.touched": Message(
        "쓰지 말아야 할 곳에 씀",
        "{argument}: 원소 {total}개 중 그대로 두어야 할 {count}개를 썼습니다: {places}",
        "쓸 값이 있는 스레드만 쓰게 하세요",
    ),
    "check.depends-on-memory": Message(
        "이전 메모리에 따라 달라짐",
        "{argument}{index}: 실행 전 메모리에 무엇이 있었는지에 따라 {one} 또는 {other}입니다",
        "공유 메모리와 결과는 읽기 전에 먼저 쓰세요",
    ),
    "check.graph-differs": Message(
        "그래프를 거치면 다른 결과",
        "{argument}: 직접 호출할 때와 그래프를 거칠 때의 비트가 다릅니다. {index} 등 {count}개: {one}, {other}",
        "op가 우연에 맡긴 것을 찾으세요: 쓰지 않은 메모리, 원자적 연산의 순서",
    ),
    "check.unstable": Message(
        "불안정한 결과",
        "{argument}: 같은 입력으로 {runs}번 실행한 결과가 서로 다릅니다",
        "배리어로 순서가 정해지지 않은 접근을 찾으세요: 시뮬레이터가 위치를 알려 줍니다",
    ),
    "check.outside.before": Message(
        _OUTSIDE,
        "{argument}: 시작보다 앞쪽 {count}곳에 썼습니다(가장 가까운 인덱스: {index})",
        _GUARD,
    ),
    "check.outside.after": Message(
        _OUTSIDE,
        "{argument}: 끝보다 뒤쪽 {count}곳에 썼습니다(가장 가까운 인덱스: {index})",
        _GUARD,
    ),
    "check.changed-input": Message(
        "입력이 바뀜", "입력 {argument}의 값이 바뀌었습니다(위치: {index})", "출력이나 공유 메모리에 쓰세요"
    ),
    "check.lost": Message(_UNDONE, "{argument}({role}): 결과가 돌아오지 않았습니다"),
    "check.other-type": Message(_UNDONE, "{argument}: {expected} 대신 {got} 타입으로 돌아왔습니다"),
    "check.launch.none": Message(_LAUNCH, "드라이버의 기록에 커널 실행이 없습니다"),
    "check.launch.several": Message(
        _LAUNCH,
        "드라이버의 기록에는 커널 실행이 {launches}번 있지만, 원래 교재에는 {documented}번입니다: {names}",
        _OWN_LAUNCH,
    ),
    "check.launch.other": Message(
        _LAUNCH, "드라이버의 기록에는 그리드 {grid}, 블록 {block}이지만, 원래 교재에는 {documented}입니다", _OWN_LAUNCH
    ),
    "check.by-host": Message(
        "호스트가 쓴 원소",
        "{argument}: 원소 {total}개 중 {count}개를 호스트가 썼습니다(처음: {argument}{index})",
        _ON_DEVICE,
    ),
    "check.made.none": Message(
        _LAUNCH,
        "{function}: 커널을 하나도 실행하지 않았습니다",
        _ON_DEVICE,
    ),
    "check.made.several": Message(
        _LAUNCH,
        "{function}: 커널을 {launches}번 실행했지만, 원래 교재에는 {documented}번입니다: {names}",
        _AS_DOCUMENTED,
    ),
    "check.made.kernel": Message(
        _LAUNCH, "{function}: {kernel} 커널을 실행했지만, 원래 교재에는 {documented}입니다", _AS_DOCUMENTED
    ),
    "check.made.other": Message(
        _LAUNCH,
        "{function}: {kernel} 커널을 그리드 {grid}, 블록 {block}으로/로 실행했지만, 원래 교재에는 {documented}입니다",
        _AS_DOCUMENTED,
    ),
    # The graph that a puzzle's Python builds.
    "graph.none": Message(
        "그래프 없음",
        "{function}: 세션에 그래프를 넘기지 않았습니다",
        "그래프를 `session.load`에 넘기고 그 결과를 실행하세요",
    ),
    "graph.uncalled": Message(
        "호출 없음",
        "{function}: 라이브러리의 op을 호출하지 않습니다",
        "결과를 담을 텐서를 먼저, 그 뒤에 입력 텐서를 넘겨 op을 호출하세요",
    ),
    "graph.several": Message(
        _GRAPH, "{function}: 그래프를 하나만 넘겨야 하는데 {graphs}개를 넘겼습니다", "그래프 하나를 한 번만 넘기세요"
    ),
    "graph.unreadable": Message(
        "그래프 없음", "{function}: 그래프로 넘긴 것이 MAX가 쓴 그래프가 아닙니다: `{line}`", "`max.graph`로 만드세요"
    ),
    "graph.more": Message(
        _GRAPH, "{place}: op 호출({op}) 하나면 되는 그래프에 다른 연산({operation})이 있습니다", "계산은 op에 맡기세요"
    ),
    "graph.calls": Message(
        _GRAPH,
        "{function}: 그래프에 op 호출({op})이 하나 있어야 하는데 {calls}개 있습니다",
        "`ops.custom`을 한 번만 부르세요",
    ),
    "graph.op": Message(_GRAPH, "{place}: 다른 op입니다: {got} (기대한 op: {op})"),
    "graph.device": Message(
        _GRAPH,
        "{place}: {op}의 디바이스가 다릅니다: {got} (기대한 디바이스: {documented})",
        "함수가 받은 디바이스를 그대로 넘기세요",
    ),
    "graph.parameter": Message(_GRAPH, "{place}: {op}의 매개변수 {argument}: {got} (기대한 값: {documented})"),
    "graph.operands": Message(
        _GRAPH,
        "{place}: {op}에 넘긴 텐서의 순서가 다릅니다: {got} (기대한 순서: {documented})",
        "그래프 입력의 순서와 모델에 텐서를 넘기는 순서를 비교하세요",
    ),
    "graph.type": Message(_GRAPH, "{place}: {argument}의 형식이 다릅니다: {got} (기대한 형식: {documented})"),
    "graph.results": Message(_GRAPH, "{place}: {op}의 결과가 {documented}개여야 하는데 {got}개입니다"),
    "graph.output": Message(
        _GRAPH, "{function}: 그래프의 출력이 {op}의 결과가 아닙니다", "op의 결과를 그래프의 출력으로 하세요"
    ),
    "graph.executed": Message(
        _GRAPH, "{function}: 모델을 한 번 실행해야 하는데 {executions}번 실행합니다", "불러온 모델을 한 번만 실행하세요"
    ),
    "graph.handed": Message(_GRAPH, "{function}: 입력이 {inputs}개인 그래프에 텐서 {got}개를 넘겼습니다"),
    "graph.returned": Message(
        _GRAPH,
        "{function}: 모델이 준 것이 아닌 다른 값을 돌려줍니다",
        "`execute`의 첫 결과를 CPU로 옮겨 돌려주세요",
    ),
    "graph.unfilled": Message(
        _GRAPH, "{function}: op이 채운 것이 아닌 다른 값을 돌려줍니다", "op에 맨 먼저 넘긴 텐서를 돌려주세요"
    ),
    "graph.no-torch": Message(
        "확인하지 않음",
        "{function}: torch가 없어 {op} 호출을 확인하지 않았습니다. op의 코드는 채점했습니다",
        "`pip install torch`로 설치하고 다시 실행하세요",
    ),
    "graph.asserted": Message(
        "그래프",
        "{function}: 원래 교재와 같은 그래프입니다. 그래프 실행에는 GPU가 필요하며, 여기서는 op의 코드를 실행했습니다",
    ),
    # What a puzzle asks for beside the answer.
    "promise.shared_bytes_per_block": Message(
        _ASKED, "{sentence} ({promised}바이트). 이 커널은 {measured}바이트를 씁니다"
    ),
    "promise.reduction_steps": Message(_ASKED, "{sentence} ({promised}단계). 이 커널은 {measured}단계입니다"),
    "promise.reads_per_input_element": Message(
        _ASKED, "{sentence}. 이 커널은 어떤 원소를 {measured}번 읽습니다", _READ_ONCE
    ),
    "promise.writes_per_output_element": Message(
        _ASKED, "{sentence}. 이 커널은 어떤 원소를 {measured}번 씁니다", _WRITE_ONCE
    ),
    "promise.contributing_blocks": Message(
        _ASKED, "{sentence} ({promised}개). 이 커널에서는 블록 {measured}개가 결과에 기여합니다"
    ),
    "promise.communicating_blocks": Message(
        _ASKED, "{sentence} ({promised}개). 이 커널에서는 블록 {measured}개가 데이터를 주고받습니다"
    ),
    "promise.shuffles_per_lane": Message(
        _ASKED, "{sentence} ({promised}번). 이 커널에서는 한 레인이 교환에 {measured}번 참여합니다"
    ),
    "promise.barriers_per_thread": Message(
        _ASKED, "{sentence}. 이 커널에서는 한 스레드가 배리어에서 {measured}번 기다립니다"
    ),
    "promise.cluster_barriers_per_thread": Message(
        _ASKED, "{sentence}. 이 커널에서는 한 스레드가 클러스터 배리어에서 {measured}번 기다립니다"
    ),
    "promise.bank_conflicts": Message(
        _ASKED, "{sentence} ({promised}번). 이 커널에서는 공유 메모리를 한 번보다 {measured}번 더 거칩니다"
    ),
    "promise.global_loads_per_thread": Message(
        _ASKED, "{sentence} ({promised}개). 이 커널에서는 스레드 하나가 전역 메모리에서 원소 {measured}개를 읽습니다"
    ),
    "promise.output_writers": Message(
        _ASKED, "{sentence}. 이 커널에서는 스레드 {measured}개가 결과를 씁니다", _WRITE_ONCE
    ),
    "promise.first_writing_block": Message(_ASKED, "{sentence}. 이 커널에서는 {measured}번 블록이 먼저 씁니다"),
    "promise.scratch_writers": Message(_ASKED, "{sentence} ({promised}개). 이 커널에서는 스레드 {measured}개가 씁니다"),
    "promise.scratch": Message(
        _ASKED,
        "{argument}에는 원래 교재에 나온 값이 들어 있어야 하는데, 이 커널에서는 원소 {total}개 중 {count}개가 다릅니다",
        "원래 교재의 커널은 단계 사이에서 이 값을 넘겨줍니다",
        item="{argument}{index} 기대한 값 {expected}, 실제 값 {got}",
    ),
    "promise.counter": Message(_ASKED, "{sentence} ({counter}: {promised}). 이 커널에서는 {measured}입니다"),
    "promise.occupancy": Message(_ASKED, "{sentence} ({promised}). 이 커널은 {measured}입니다"),
    "promise.code": Message(_ASKED, "{sentence} ({promised}). 컴파일된 코드에는 {measured}"),
    # A case.
    "case.right": Message("맞음", "{case}: {verdict}, 데이터 세트 {total}개 중 {passed}개 통과"),
    "case.beside": Message(
        "커널 밖의 잘못", "{case}: {verdict}. 커널은 맞습니다(데이터 세트 {total}개 중 {passed}개 통과)"
    ),
    "case.wrong": Message("틀림", "{case}: {verdict} ({dataset}), 데이터 세트 {total}개 중 {passed}개 통과"),
    "case.wrong-at.row": Message(
        "틀림",
        "{case}: 블록 {blocks}개, 블록마다 스레드 {threads}개{sizes}: {verdict} ({dataset}), "
        "데이터 세트 {total}개 중 {passed}개 통과",
    ),
    "case.wrong-at.grid": Message(
        "틀림",
        "{case}: 그리드 {grid}, 블록 {block}{sizes}: {verdict} ({dataset}), 데이터 세트 {total}개 중 {passed}개 통과",
    ),
    "case.wrong-at.sizes": Message(
        "틀림", "{case}: {sizes}: {verdict} ({dataset}), 데이터 세트 {total}개 중 {passed}개 통과"
    ),
    "case.coincidence": Message("우연히 맞음", "원래 교재의 실행에서 결과가 맞은 것은 우연입니다"),
    "case.unrun": Message("실행되지 않음", "{case}: {verdict}"),
    "case.small": Message(
        "작은 크기",
        "{case}: 시뮬레이터에서 쓴 크기는 {constant} = {value}입니다(원래 교재의 크기: {documented}). 원래 교재의 "
        "크기는 GPU에서 실행하고, 여기서는 --documented-size로 실행합니다",
    ),
    "case.also": Message("그 밖에", "그 밖에: {line}"),
    "case.more": Message("더 있음", "이 밖에 {count}건 더 있습니다. 위의 것을 고치면 보입니다"),
    "case.promises": Message(
        "다른 방법", "답은 맞습니다. 이 퍼즐은 답 말고도 요구하는 것이 있는데, 이 커널은 다른 방식으로 답을 구합니다:"
    ),
    "case.why": Message("이유", "이유: {why}"),
    **FILES,
    # A launch without a result, and what was not launched.
    "run.compile-error": Message("컴파일되지 않음", "{reason}", "{advice}", item="{line}"),
    "run.no-graph": Message("그래프 없음", "{reason}", item="{line}"),
    "run.launch-error": Message("결과 없음", "{reason}", item="{line}"),
    "run.timeout": Message("시간 제한 초과", "{reason}", "끝나지 않는 반복문이나 대기를 찾으세요"),
    "run.incomplete": Message(
        "시뮬레이션 불가",
        "{reason}",
        "GPU에서 실행하세요: 시뮬레이터가 모르는 부분이 있습니다",
    ),
    "run.environment": Message("이 컴퓨터에서 실행하지 못함", "{reason}"),
    "run.reads-clock": Message(
        "시계를 읽음",
        "커널이 디바이스의 시계를 읽습니다. 시계로는 시뮬레이터와 GPU를 구별할 수 있고, 퍼즐을 푸는 데는 필요 없습니다",
        "시계를 읽는 코드를 빼세요",
    ),
    "call.raised": Message("함수에서 오류 발생", "{function}에서 오류가 발생했습니다: {reason}"),
    "call.ended": Message("함수가 반환하지 않음", "{function} 함수가 상태 {status}(으)로 프로그램을 끝냈습니다"),
    "run.skipped": Message("건너뜀", "{reason}"),
    "run.printed": Message("출력", "원래 교재의 데이터로 실행할 때 커널이 출력한 내용:"),
    "run.printed-more": Message("출력", "이 밖에 {count}줄 더"),
}

TERMS: dict[str, dict[str, str]] = {
    **OUTPUT_TERMS,
    **REASON_TERMS,
    "dataset": DATASETS,
    "category": CATEGORIES,
    "why": {"requested": "요청에 따라"},
    "limit": LIMITS,
    "phrase": OUTPUT | OUTPUT_TERMS["reason"] | PHRASES | MIGRATION | OUTPUT_TERMS["unsupported"],
    "role": {"output": "출력", "inout": "입출력", "scratch": "작업 버퍼", "input": "입력"},
}
