"""Korean for help texts: the list of commands, exit codes, and the options of the learners' commands."""

from __future__ import annotations

__all__ = ["ARGUMENTS", "COMMANDS", "HELP"]

_ROOT = {
    "usage: ": "사용법: ",
    "positional arguments": "인자",
    "options": "옵션",
    "solve the puzzles": "퍼즐 풀기",
    "run your own Mojo": "자신의 Mojo 실행",
    "grade, build and measure": "채점, 빌드, 측정",
    "Run Mojo GPU puzzles: on a GPU through MAX, on any machine in a simulator.": (
        "Mojo GPU 퍼즐을 실행합니다. GPU가 있으면 MAX로, 없으면 시뮬레이터로 실행합니다."
    ),
    (
        "`puzzles COMMAND --help` explains a command, `puzzles --version` prints the version. `puzzles p15` runs "
        "puzzle 15 as its document does."
    ): (
        "명령 설명은 `puzzles COMMAND --help`, 버전은 `puzzles --version`으로 볼 수 있습니다. `puzzles p15`는 퍼즐 "
        "15를 원래 교재대로 실행합니다."
    ),
    "Exit codes: {codes}.": "종료 코드: {codes}.",
    "right": "맞음",
    "wrong: something ran, or was compiled, and is not right": "틀림: 실행하거나 컴파일한 것이 맞지 않음",
    "usage": "사용법",
    "environment: nothing could be judged": "환경: 아무것도 판정할 수 없었음",
    "a fault of the harness itself": "하네스 자체의 결함",
    "the reader of the output left": "출력을 읽던 쪽이 닫힘",
}
COMMANDS = {
    "Make a workspace with the problems; nothing is overwritten.": (
        "퍼즐이 든 작업 폴더를 만듭니다. 아무것도 덮어쓰지 않습니다."
    ),
    "Show where you are and what is next; so does `puzzles` alone.": (
        "현재 위치와 다음에 할 일을 보여 줍니다(`puzzles`도 같음)."
    ),
    "Check a puzzle each time you save its file.": "파일을 저장할 때마다 검사합니다.",
    "Check your kernels once.": "작성한 커널을 한 번 검사합니다.",
    "Show a hint; each call shows one more.": "힌트를 보여 줍니다. 실행할 때마다 하나씩 더 나옵니다.",
    "Show the solution of a puzzle.": "퍼즐의 풀이를 보여 줍니다.",
    "Write a page that shows what each lane does, step by step.": (
        "레인이 하는 일을 단계별로 보여 주는 페이지를 만듭니다."
    ),
    "Print what each lane does, step by step.": "레인이 하는 일을 단계별로 출력합니다.",
    "Reset a puzzle to its original file; your version is kept.": (
        "퍼즐의 파일을 처음 상태로 되돌리고, 작성한 것은 보관합니다."
    ),
    "Show what you have solved.": "지금까지 푼 것을 보여 줍니다.",
    "List the puzzles and their modes.": "퍼즐과 세부 퍼즐의 목록을 보여 줍니다.",
    "Run Mojo GPU programs and report what is wrong.": "Mojo GPU 프로그램을 실행하고 잘못된 곳을 알려 줍니다.",
    "Call a function that a Mojo file exports.": "Mojo 파일이 내보내는 함수를 호출합니다.",
    "Call an op of a MAX library of custom ops.": "MAX 사용자 정의 op 라이브러리의 op를 호출합니다.",
    "Run any compiled kernel in the simulator.": "컴파일된 커널을 시뮬레이터에서 실행합니다.",
    "Rewrite programs of an older Mojo for Mojo 1.2.": "이전 Mojo로 쓴 프로그램을 Mojo 1.2에 맞게 고칩니다.",
    "Grade the submissions of a class.": "수강생의 제출물을 채점합니다.",
    "Run puzzles on all of their data sets.": "퍼즐을 모든 데이터로 실행합니다.",
    "Build puzzles for targets; needs no GPU.": "퍼즐을 타깃별로 빌드합니다. GPU가 없어도 됩니다.",
    "Check what the puzzles promise of each kernel.": "각 커널이 지켜야 할 약속을 검사합니다.",
    "Print the graph, LLVM IR or assembly of a puzzle.": "퍼즐의 그래프, LLVM IR, 어셈블리를 출력합니다.",
    "Time launches and transfers on a GPU, beside its peers.": "GPU의 실행과 전송 시간을 다른 도구와 비교해 잽니다.",
    "Serve a Dask scheduler with this machine.": "이 컴퓨터로 Dask 스케줄러의 일을 합니다.",
    "Show versions, devices and the cache.": "버전, 디바이스, 캐시를 보여 줍니다.",
    "Puzzle {number}: {titles}.": "퍼즐 {number}: {titles}.",
}
ARGUMENTS = {
    "show this help message and exit": "이 도움말을 보여 주고 끝냅니다",
    "print the version and end": "버전을 보여 주고 끝냅니다",
    "choose the language (default: the locale's, else en)": "출력 언어를 고릅니다(기본값: 로캘의 언어, 없으면 en)",
    "choose cases: p26:pair-swap, p26 for all its modes, p01-p08, or a puzzle's file; they are checked in the "
    "order of `puzzles list` (default: the next one)": (
        "퍼즐을 고릅니다. p26:pair-swap, 세부 퍼즐 모두는 p26, 여러 개는 p01-p08, 또는 퍼즐의 파일. `puzzles list`의 "
        "순서대로 검사합니다(기본값: 다음 퍼즐)"
    ),
    "choose cases: p26:pair-swap, p26 for all of its modes, p01-p08; they run in the order of `puzzles list` "
    "(default: all)": (
        "퍼즐을 고릅니다. p26:pair-swap, 세부 퍼즐 모두는 p26, 여러 개는 p01-p08. `puzzles list`의 순서대로 "
        "실행합니다(기본값: 모두)"
    ),
    "choose a case: p15, p26:pair-swap, or a puzzle's file (default: the next one)": (
        "퍼즐을 고릅니다. p15, p26:pair-swap 또는 퍼즐의 파일(기본값: 다음 퍼즐)"
    ),
    "choose a case, p26:pair-swap, or a program; its arguments follow --": (
        "퍼즐(p26:pair-swap)이나 프로그램을 고릅니다. 프로그램의 인자는 -- 뒤에 씁니다"
    ),
    "take the kernels of this file (default: the workspace's)": "이 파일의 커널을 씁니다(기본값: 작업 폴더의 파일)",
    "take the kernels of this file (default: in a workspace yours)": (
        "이 파일의 커널을 씁니다(기본값: 작업 폴더에서는 작성한 파일)"
    ),
    "take our kernels, in a workspace too": "작업 폴더에서도 풀이의 커널을 씁니다",
    "take only this launch of a program, from 1": "프로그램에서 이 번호의 실행만 봅니다(1부터)",
    "look for modules there": "이 폴더에서 모듈을 찾습니다",
    "define a name": "이름을 정의합니다",
    "choose a vendor, or vendor:architecture (default: this machine's GPU, else nvidia)": (
        "제조사 또는 제조사:아키텍처를 고릅니다(기본값: 이 컴퓨터의 GPU, 없으면 nvidia)"
    ),
    "compile `debug_assert` in, and run in the simulator": "`debug_assert`를 컴파일에 넣고 시뮬레이터에서 실행합니다",
    "choose where to run (default: a GPU, else the simulator)": "실행할 곳을 고릅니다(기본값: GPU, 없으면 시뮬레이터)",
    "use the documented sizes in the simulator too; may take hours (default: small sizes)": (
        "시뮬레이터에서도 원래 교재의 크기로 실행합니다. 몇 시간이 걸릴 수 있습니다(기본값: 작은 크기)"
    ),
    "draw the same fresh data again (default: new data in each run)": (
        "새로 뽑는 데이터를 이 시드로 다시 뽑습니다(기본값: 실행할 때마다 새 데이터)"
    ),
    "use N processes for the simulator (default: as many as there are processors and memory for)": (
        "시뮬레이터를 프로세스 N개로 실행합니다(기본값: 프로세서와 메모리가 허락하는 만큼)"
    ),
    "run N programs at once (default: as many as there are processors and memory for)": (
        "프로그램을 한 번에 N개씩 실행합니다(기본값: 프로세서와 메모리가 허락하는 만큼)"
    ),
    "stop a simulated launch none of whose blocks ends for S seconds of the processor (default: {default})": (
        "CPU 시간 S초 동안 끝난 블록이 없는 커널 실행을 중단합니다(기본값: {default})"
    ),
    "print JSON": "JSON으로 출력합니다",
    "choose puzzles: p15, or p01-p08 for several (default: all)": (
        "퍼즐을 고릅니다. p15, 여러 개는 p01-p08(기본값: 모두)"
    ),
    "add the puzzles of a part, as `puzzles list` numbers them": "이 부의 퍼즐을 추가합니다(번호는 `puzzles list`에서)",
    "use this folder (default: the workspace here, else puzzles)": (
        "이 폴더를 씁니다(기본값: 현재 작업 폴더, 없으면 puzzles)"
    ),
    "check every puzzle": "모든 퍼즐을 검사합니다",
    "serve a page on this machine that follows the file": "파일을 따라가는 페이지를 이 컴퓨터에서만 엽니다",
    "look at the files periodically instead of waiting for events": (
        "이벤트를 기다리지 않고 파일을 주기적으로 확인합니다"
    ),
    "show it without asking": "묻지 않고 보여 줍니다",
    "show the solution without asking": "묻지 않고 풀이를 보여 줍니다",
    "choose the puzzle, with all of its modes: p15": "퍼즐을 고릅니다. 세부 퍼즐도 모두 되돌립니다(예: p15)",
    "run the solved kernel": "풀이의 커널을 실행합니다",
    "run the kernels of this file": "이 파일의 커널을 실행합니다",
    "run this mode: {title}": "이 세부 퍼즐을 실행합니다: {title}",
    "write the page there (default: CASE.html)": "페이지를 이 파일에 씁니다(기본값: CASE.html)",
    "count memory, branches and arithmetic by source line, registers and occupancy, in the simulator": (
        "시뮬레이터에서 소스의 줄마다 메모리, 분기, 연산을 세고, 레지스터와 점유율도 보여 줍니다"
    ),
    "print findings as text, or for editors as lines: `file:line:column: severity: id: text` (default: text)": (
        "진단을 text로, 또는 편집기를 위해 lines로, 하나에 한 줄씩 출력합니다. `file:line:column: severity: id: text`"
        "(기본값: text)"
    ),
    "fail on findings of this severity or worse (default: %(default)s)": (
        "심각도가 이 이상인 진단이 있으면 실패로 판정합니다(기본값: %(default)s)"
    ),
    "print only what this lane does; counted in the grid": "이 레인이 하는 일만 출력합니다(그리드 전체에서 센 번호)",
}
HELP = {**_ROOT, **COMMANDS, **ARGUMENTS}
