"""Korean for output besides findings: table heads, verdicts, reasons, and lines of runs, profiles and grading.

`Words.phrase` says how templates are used.
"""

from __future__ import annotations

__all__ = ["OUTPUT", "OUTPUT_TERMS"]

# Why a case, a program or a file has no result.
_REASONS = {
    **{
        f"{{kernel}}: the kernel was stopped{english}; whether it ends is not known, in kernel {{name}}, by thread "
        f"({{thread}}) in block ({{block}}), warp {{warp}} lane {{lane}}{times}": (
            f"{{kernel}}: 커널을 {korean}. 끝나는 커널인지는 알 수 없습니다. "
            f"블록 ({{block}})의 스레드 ({{thread}}), 워프 {{warp}} 레인 {{lane}}{more}"
        )
        for english, korean in (
            (" after {budget}", "제한({budget})에서 중단했습니다"),
            (": no block ended in {budget}", "중단했습니다. 제한({budget}) 동안 끝난 블록이 없습니다"),
        )
        for times, more in ((" ({count} times)", " 등 {count}번"), ("", ""))
    },
    "our own solution does not compile with {pair} either": "이 프로젝트의 풀이도 컴파일되지 않습니다({pair})",
    "{file} does not compile for {target}": "{file} 파일이 타깃 {target}용으로 컴파일되지 않습니다",
    "{file} does not compile": "{file} 파일이 컴파일되지 않습니다",
    "{what} was still compiling after {seconds} s of the processor, which is the limit: look for a `comptime` whose "
    "computation does not end": (
        "{what}: 컴파일이 한도(CPU 시간 {seconds}초)를 넘었습니다. 계산이 끝나지 않는 `comptime`을 찾으세요"
    ),
    "{function} in {file} did not end within {seconds} s, the limit": (
        "{function}({file}): 제한 시간 {seconds}초 안에 끝나지 않았습니다"
    ),
    "{function} in {file} builds no graph: {why}": "{function}({file}): 그래프를 만들지 못합니다. {why}",
    "{who} did not end within {seconds} s, the limit (phase: {phase})": (
        "{who}: 제한 시간 {seconds}초 안에 끝나지 않았습니다(단계: {phase})"
    ),
    "{who}: its process {fate} (phase: {phase})": "{who}: {fate}(단계: {phase})",
    "{who}: its process sent no valid message (phase: {phase})": (
        "{who}: 프로세스가 알 수 없는 메시지를 보냈습니다(단계: {phase})"
    ),
    "{name} did not return within {seconds} s of the processor": (
        "{name}: CPU 시간 {seconds}초 안에 반환하지 않았습니다"
    ),
    "{name} did not return within {seconds} s": "{name}: {seconds}초 안에 반환하지 않았습니다",
    "{name} did not return: it ended its program with status {status}": (
        "{name}: 반환하지 않고 프로그램을 상태 {status}으로/로 끝냈습니다"
    ),
    "{name} did not return: its process {fate}": "{name}: 반환하지 않았습니다. {fate}",
    "did not end within {seconds} s: `{flag}` raises the limit": (
        "{seconds}초 안에 끝나지 않았습니다. `{flag}`으로/로 제한을 늘릴 수 있습니다"
    ),
    "ended with {held} MiB in use, of {most} that it may have: `{flag}` raises the limit": (
        "허용된 메모리 {most} MiB 중 {held} MiB를 쓰다가 끝났습니다. `{flag}`으로/로 제한을 늘릴 수 있습니다"
    ),
    "ended by {name}, as by a machine that has no memory left: a device buffer takes five times its size in the "
    "simulator": (
        "{name} 신호로 종료되었습니다. 메모리가 부족할 때 생기는 일입니다. "
        "시뮬레이터에서 디바이스 버퍼는 크기의 다섯 배를 차지합니다"
    ),
    "ended by {name}": "{name} 신호로 종료되었습니다",
    "ended with status {status}": "상태 {status}으로/로 끝났습니다",
    "kernel {kernel}: {reason}": "커널 {kernel}: {reason}",
    "{unsupported} is not supported by the simulated device": "시뮬레이션 디바이스가 지원하지 않습니다: {unsupported}",
    "{unsupported} is not supported, reached by {who}": (
        "시뮬레이터가 지원하지 않습니다: {unsupported}(도달한 스레드: {who})"
    ),
    "{unsupported} is not supported": "시뮬레이터가 지원하지 않습니다: {unsupported}",
    "not filled in yet at {place}": "아직 채우지 않았습니다: {place}",
    "not filled in yet: {place}": "아직 채우지 않았습니다: {place}",
    "not filled in yet": "아직 채우지 않았습니다",
    "its device code has more than {size} MiB": "디바이스 코드가 {size} MiB를 넘습니다",
    "the simulator failed on it": "시뮬레이터가 이 파일에서 실패했습니다",
}
# What the simulator does not support, and a lane.
_UNSUPPORTED = {
    "inline assembly with {part}": "인라인 어셈블리의 {part}",
    "a value of type {type} in memory": "메모리에 있는 타입 {type}의 값",
    "a value of type {type}": "타입 {type}의 값",
    "a value of {count} elements": "원소 {count}개짜리 값",
    "a kernel of this size": "이 크기의 커널",
    "a call {count} deep": "{count}단계 깊이의 호출",
    "an integer of {count} bits": "{count}비트 정수",
}
_WHO = {
    "thread ({thread}) in block ({block}), warp {warp} lane {lane}": (
        "블록 ({block})의 스레드 ({thread}), 워프 {warp} 레인 {lane}"
    ),
}
# Heads of tables, each a term of its own: a kernel may be called `value`.
_PAIR = {"MAX {max} with Mojo {mojo}": "MAX {max}와/과 Mojo {mojo}"}
_FATES = {
    "was killed by {name}": "프로세스가 {name} 신호로 종료되었습니다",
    "ended with status {status}": "프로세스가 상태 {status}으로/로 끝났습니다",
}
_HEADS: dict[str, str] = {
    "verdict": "판정",
    "case": "퍼즐",
    "backend": "백엔드",
    "device": "디바이스",
    "target": "타깃",
    "grid x block x cluster": "그리드 x 블록 x 클러스터",
    "data sets": "데이터",
    "data\nsets": "데이터",
    "build s": "빌드(초)",
    "build\ns": "빌드\n(초)",
    "run s": "실행(초)",
    "run\ns": "실행\n(초)",
    "status": "상태",
    "artifacts": "산출물",
    "s": "초",
    "reason": "이유",
    "tool": "도구",
    "errors": "오류",
    "program": "프로그램",
    "arguments": "인자",
    "launches": "커널 실행",
    "seconds": "초",
    "counter": "카운터",
    "value": "값",
    "place": "위치",
    "what": "종류",
    "requests": "요청",
    "lanes": "레인",
    "bytes": "바이트",
    "sectors": "섹터",
    "least": "최소",
    "lines": "캐시 라인",
    "passes": "패스",
    "conflicts": "충돌",
    "divergent": "다이버전스",
    "operations": "연산",
}
# What a row of a profile counts, and what limits the occupancy.
_KINDS = {
    "global load": "전역 읽기",
    "global store": "전역 쓰기",
    "global atomic": "전역 원자 연산",
    "shared load": "공유 읽기",
    "shared store": "공유 쓰기",
    "shared atomic": "공유 원자 연산",
    "branch": "분기",
    "arithmetic": "산술",
}
_RESOURCES = {"threads": "스레드", "blocks": "블록", "shared memory": "공유 메모리", "registers": "레지스터"}
_RUN = {
    "full size; run it by name": "원래 크기의 퍼즐입니다(이름을 지정하면 실행합니다)",
    "SIMT simulator, {lanes} lanes a warp": "SIMT 시뮬레이터, 워프당 레인 {lanes}개",
    "SIMT simulator": "SIMT 시뮬레이터",
    "simulator: {device}, for {target}": "시뮬레이터: {device}, 타깃 {target}",
    "max: {device}, for {target}": "MAX: {device}, 타깃 {target}",
    "cpu: {device}, for {target}": "CPU: {device}, 타깃 {target}",
    "REFERENCE: the op's sequential branch gave the documented result; no kernel was executed.": (
        "REFERENCE: op의 순차 코드가 원래 교재의 결과를 냈습니다. 커널은 실행하지 않았습니다."
    ),
    "{counts}: no case passed": "{counts}: 통과한 퍼즐이 없습니다",
    "no case passed": "통과한 퍼즐이 없습니다",
    "{counts}, {unkept} of them without what the puzzles promise: the puzzles' own solutions; `--kernels problems` "
    "runs yours": (
        "{counts}, 그중 원래 교재의 약속을 지키지 않은 것 {unkept}개. 원래 교재의 풀이를 실행했습니다. "
        "작성한 커널은 `--kernels problems`로 실행합니다"
    ),
    "{counts}: the puzzles' own solutions; `--kernels problems` runs yours": (
        "{counts}. 원래 교재의 풀이를 실행했습니다. 작성한 커널은 `--kernels problems`로 실행합니다"
    ),
    "the order of the cases was shuffled with seed {seed} (--seed repeats it)": (
        "퍼즐의 순서를 시드 {seed}으로/로 섞었습니다(--seed로 되풀이할 수 있습니다)"
    ),
    "fresh data was drawn with data seed {seed} (--data-seed repeats it)": (
        "새 데이터의 시드: {seed}(--data-seed로 되풀이할 수 있습니다)"
    ),
    "Machine code cannot count the rest of it, and Python would take long.": (
        "나머지는 컴파일된 코드로 셀 수 없고, 인터프리터로 세면 오래 걸립니다."
    ),
    "{case}, launch {number}": "{case}, {number}번째 커널 실행",
    "without registers: {error}": "레지스터 정보 없음: {error}",
}
_PROFILE = {
    "profile of {kernel}, {launches} launches": "프로파일: {kernel}, 커널 실행 {launches}번",
    "profile of {kernel}": "프로파일: {kernel}",
    "  each element written: {bytes} bytes of global memory, {operations} floating-point operations": (
        "  쓴 원소마다: 전역 메모리 {bytes}바이트, 부동소수점 연산 {operations}번"
    ),
    "  {registers} registers of a thread and {scalars} scalar ones of a wave, {spilled}": (
        "  스레드마다 레지스터 {registers}개, 웨이브프런트마다 스칼라 레지스터 {scalars}개, {spilled}"
    ),
    "  {registers} registers of a thread, {spilled}": "  스레드마다 레지스터 {registers}개, {spilled}",
    "nothing spilled": "스필 없음",
    "{bytes} bytes spilled": "스필 {bytes}바이트",
    "  occupancy {percent}%, {warps} of {most} warps in {blocks}, limited by {limits}; registers are not known and may "
    "allow less": (
        "  점유율 {percent}%, 워프 {most}개 중 {warps}개({blocks}), 제한 요인: {limits}. "
        "레지스터를 알 수 없어 더 낮을 수 있습니다"
    ),
    "  occupancy {percent}%, {warps} of {most} warps in {blocks}, limited by {limits}": (
        "  점유율 {percent}%, 워프 {most}개 중 {warps}개({blocks}), 제한 요인: {limits}"
    ),
    "{count} block": "블록 {count}개",
    "{count} blocks": "블록 {count}개",
}
_PROGRAMS = {
    **{
        f"{{errors}} {error}, {{warnings}} {warning}{more}": f"오류 {{errors}}건, 경고 {{warnings}}건{korean}"
        for more, korean in ((", {accepted} accepted", ", 허용 {accepted}건"), ("", ""))
        for error in ("error", "errors")
        for warning in ("warning", "warnings")
    },
    "information": "참고",
    "INCOMPLETE: {reason}": "시뮬레이션 불가(INCOMPLETE): {reason}",
    "LIMIT: the program {reason}": "제한(LIMIT): 프로그램이 {reason}",
    "the program {reason}": "프로그램이 {reason}",
    "ENDED BY A SIGNAL: {reason}": "신호로 종료: {reason}",
    "accepted: {count} finding": "허용된 진단: {count}건",
    "accepted: {count} findings": "허용된 진단: {count}건",
    "accepted no longer: {place}: {id} is accepted here, and was not found: remove the comment.": (
        "더는 없는 진단: {place}: 여기서 허용한 {id}이/가 나오지 않았습니다. 주석을 지우세요."
    ),
    "accepted no longer: {program} is in the baseline, and is not there: write the baseline again.": (
        "더는 없는 진단: 기준 파일에 있는 {program} 파일이 없습니다. 기준 파일을 다시 만드세요."
    ),
    "accepted no longer: {place}: {id} is in {file}, and was not found: write it again.": (
        "더는 없는 진단: {place}: {file}에 있는 {id}이/가 나오지 않았습니다. 기준 파일을 다시 만드세요."
    ),
    "accepted no longer: {place}: {id} is {count} times in {file}, and was found less often: write it again.": (
        "더는 없는 진단: {place}: {file}에 {count}건 있는 {id}이/가 그보다 적게 나왔습니다. 기준 파일을 다시 만드세요."
    ),
    "to run: {what}, each compiled first; Ctrl-C ends it": (
        "실행할 것: {what}. 먼저 하나씩 컴파일합니다. Ctrl-C로 끝낼 수 있습니다"
    ),
    "{runs} runs of {programs}": "{programs}, 모두 {runs}번 실행",
    "{count} program": "프로그램 {count}개",
    "{count} programs": "프로그램 {count}개",
    "compiling {file} for {target}, with names of variables": "컴파일 중: {file}, 타깃 {target}, 변수 이름 포함",
    "compiling {file} for {target}, for its registers": "컴파일 중: {file}, 타깃 {target}, 레지스터 확인용",
    "building {file} for {target}": "빌드 중: {file}, 타깃 {target}",
    "error: a launch takes longer than its limit: --launch-seconds raises it, with fewer --observers it takes less.": (
        "오류: 커널 실행이 제한 시간을 넘었습니다. --launch-seconds로 늘리거나 --observers를 줄이세요."
    ),
    "error: {count} more launches were not made, since this one did not end.": (
        "오류: 이 커널 실행이 끝나지 않아 나머지 {count}번은 실행하지 않았습니다."
    ),
}
_GRADING = {
    "for {target}, {device}; sandbox: {sandbox}": "타깃 {target}, {device}, 샌드박스: {sandbox}",
    "bwrap: network, processes and others' files are out of reach, but for a hole in the system's kernel": (
        "bwrap. 네트워크, 프로세스, 남의 파일에 접근할 수 없습니다(시스템 커널의 결함이 없는 한)"
    ),
    "{kind}: no limits, and {open}": "{kind}. 제한이 없고, {open}",
    "limits ({lack}): {open}": "limits(제한, {lack}). {open}",
    "limits: {open}": "limits(제한). {open}",
    "a program in it could do what the superuser may: read and change every file, other submissions too": (
        "제출된 프로그램이 관리자 권한으로 다른 제출물을 포함한 모든 파일을 읽고 바꿀 수 있습니다"
    ),
    "a program in it could use the network, and read and change what you may, other submissions too": (
        "제출된 프로그램이 네트워크를 쓰고, 다른 제출물을 포함해 실행한 사람의 파일을 읽고 바꿀 수 있습니다"
    ),
    "there is no bwrap here": "bwrap이 없음",
    "bwrap does not work here: {reason}": "bwrap이 동작하지 않음: {reason}",
    "to judge: {left}, judged in an earlier run: {before}, as handed out, so nothing to judge: {untouched}": (
        "채점할 파일: {left}개, 이전 실행에서 채점함: {before}개, 나눠 준 그대로라 채점하지 않음: {untouched}개"
    ),
    "to judge: {left}, judged in an earlier run: {before}": "채점할 파일: {left}개, 이전 실행에서 채점함: {before}개",
    "to judge: {left}, as handed out, so nothing to judge: {untouched}": (
        "채점할 파일: {left}개, 나눠 준 그대로라 채점하지 않음: {untouched}개"
    ),
    "to judge: {left}": "채점할 파일: {left}개",
    "{done} of {total} files judged, about {minutes} min left": "파일 {total}개 중 {done}개 채점, 약 {minutes}분 남음",
    "{done} of {total} files judged, about {seconds} s left": "파일 {total}개 중 {done}개 채점, 약 {seconds}초 남음",
    "passed by, neither a folder nor an archive: {names} and {more} more": (
        "폴더도 압축 파일도 아니어서 건너뜀: {names} 외 {more}개"
    ),
    "passed by, neither a folder nor an archive: {names}": "폴더도 압축 파일도 아니어서 건너뜀: {names}",
    "{done} of {people} graded: {counts}": "{people}명 중 {done}명 채점: {counts}",
    "groups of files that are alike: {counts}": "서로 같은 파일의 묶음: {counts}",
    "{count} INCOMPLETE: the simulator could not run all of it; --backend max grades it on a GPU": (
        "INCOMPLETE {count}개: 시뮬레이터가 모두 실행하지는 못했습니다. --backend max를 쓰면 GPU에서 채점합니다"
    ),
    "the fresh data had seed {seed} (--data-seed repeats it)": (
        "새 데이터의 시드: {seed}(--data-seed로 되풀이할 수 있습니다)"
    ),
    "that of files that came after it was told had another one: {seeds}": (
        "시드를 알린 뒤에 들어온 파일의 시드: {seeds}"
    ),
    "results: {path}": "결과: {path}",
    "error: {person} is not graded, {case}: {reason}": "오류: {person}: 채점하지 못했습니다. {case}: {reason}",
    "error: not everybody is graded: the same command goes on where this one stopped.": (
        "오류: 모두를 채점하지는 못했습니다. 같은 명령을 다시 실행하면 멈춘 곳부터 이어서 합니다."
    ),
}
OUTPUT = {**_PAIR, **_RUN, **_PROFILE, **_PROGRAMS, **_GRADING}
OUTPUT_TERMS = {
    "reason": _REASONS,
    "unsupported": _UNSUPPORTED,
    "who": _WHO,
    "fate": _FATES,
    "pair": _PAIR,
    "head": _HEADS,
    "what-is-counted": _KINDS,
    "resource": _RESOURCES,
    "verdict": {
        "PASS": "통과",
        "REFERENCE": "참조 구현",
        "MISMATCH": "값이 다름",
        "FINDING": "문제 발견",
        "COMPILE_ERROR": "컴파일 오류",
        "LAUNCH_ERROR": "실행 오류",
        "TIMEOUT": "시간 제한 초과",
        "INCOMPLETE": "판정 불가",
        "SKIPPED": "건너뜀",
    },
}
