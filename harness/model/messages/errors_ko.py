"""Korean for refused arguments and files (learners, programs, runs, grading, machine); names of categories."""

from __future__ import annotations

__all__ = ["CATEGORIES", "ERRORS"]

# What a command, a file or a call names, as in `unknown flag '--x'`.
CATEGORIES = {
    "argument": "인자",
    "array": "배열",
    "backend": "백엔드",
    "buffer": "버퍼",
    "case": "퍼즐",
    "command": "명령",
    "finding": "진단",
    "flag": "옵션",
    "format": "형식",
    "function": "함수",
    "input": "입력",
    "kernel": "커널",
    "kernels": "커널 종류",
    "key": "키",
    "language": "언어",
    "level": "단계",
    "observer": "관찰자",
    "op": "op 이름",
    "parameter": "매개변수",
    "pointer": "포인터",
    "puzzle": "퍼즐",
    "result": "결과",
    "sandbox": "샌드박스",
    "sanitizer": "검사 도구",
    "section": "항목",
    "severity": "심각도",
    "target": "타깃",
    "variable": "변수",
    "vendor": "제조사",
}
_LEARNERS = {
    "--backend cpu runs the reference, not your kernel: choose simulator or max.": (
        "--backend cpu는 여러분의 커널이 아니라 참조 구현을 실행합니다. simulator나 max를 고르세요."
    ),
    "--assertions run in the simulator: they do not go with --backend max.": (
        "--assertions는 시뮬레이터에서만 됩니다. --backend max와 함께 쓸 수 없습니다."
    ),
    "--jobs is for the simulator: a GPU runs one kernel after another.": (
        "--jobs는 시뮬레이터에서만 씁니다. GPU는 커널을 하나씩 실행합니다."
    ),
    "--file and --solution name two kernels: give one of them.": (
        "--file과 --solution은 서로 다른 커널을 가리킵니다. 하나만 쓰세요."
    ),
    "--profile of `show` is for cases: `exec --profile` has that of a program.": (
        "`show`의 --profile은 퍼즐에만 씁니다. 프로그램에는 `exec --profile`을 쓰세요."
    ),
    "what follows -- goes to a program: {name} is no file that ends in .mojo.": (
        "-- 뒤의 인자는 프로그램에 넘깁니다. {name}: .mojo로 끝나는 파일이 아닙니다."
    ),
    "{flag} is for cases: a program is its own file.": "{flag}: 퍼즐에만 씁니다. 프로그램은 그 자체가 파일입니다.",
    "{flag} is for programs: {name} is no file that ends in .mojo.": (
        "{flag}: 프로그램에만 씁니다. {name}: .mojo로 끝나는 파일이 아닙니다."
    ),
    "no Python file at {path}: {case} builds a graph, and that file is to build it.": (
        "파이썬 파일이 없습니다: {path}. {case}의 그래프를 만드는 파일입니다."
    ),
    "the files in {folder} cannot be watched: {reason}.": "{folder} 폴더의 파일을 지켜볼 수 없습니다: {reason}.",
    "{program} launched no kernel{more}: there are no steps to show.": (
        "{program}: 실행한 커널이 없어 보여 줄 단계가 없습니다{more}."
    ),
    "{program} launched no kernel: there are no steps to show.": (
        "{program}: 실행한 커널이 없어 보여 줄 단계가 없습니다."
    ),
    "{program} has no launch {number}: it made {count}.": (
        "{program}: {number}번 런치가 없습니다. 런치는 {count}개입니다."
    ),
    "there are no more hints for {case}.": "{case}: 남은 힌트가 없습니다.",
}
_MACHINE = {
    "no {vendor} GPU here: use {option}, which executes the same compiled kernel.": (
        "{vendor} GPU가 없습니다. {option}을/를 쓰세요. 컴파일한 같은 커널을 실행합니다."
    ),
    "the GPU here is {gpu}, which does not run {target}: use {option}, which executes the same compiled kernel.": (
        "이 컴퓨터의 GPU {gpu}에서는 {target}을/를 실행할 수 없습니다. {option}을/를 쓰세요. 컴파일한 같은 "
        "커널을 실행합니다."
    ),
    "MAX {version} does not run custom ops on {vendor} yet: use {option}, which executes the same compiled kernel.": (
        "MAX {version}에서는 아직 {vendor}용 연산을 실행할 수 없습니다. {option}을/를 쓰세요. 컴파일한 같은 "
        "커널을 실행합니다."
    ),
    "--devices is for GPUs: it does not go with --backend {backend}.": (
        "--devices는 GPU에만 씁니다. --backend {backend}과/와 함께 쓸 수 없습니다."
    ),
    "there is no `mojo` here: {remedy}.": "이 컴퓨터에 `mojo`가 없습니다. {remedy}.",
    "the Python package {package} is missing: {remedy}.": "파이썬 패키지 {package}이/가 없습니다. {remedy}.",
    "HARNESS_CACHE is {path}, and there is no such user: give a path.": (
        "HARNESS_CACHE가 {path}인데 그런 사용자가 없습니다. 경로를 쓰세요."
    ),
    "there is no bwrap here, and without it {danger}: install bubblewrap, or work as another user; `--sandbox limits` "
    "does it all the same.": (
        "bwrap이 없습니다. bwrap 없이 관리자 권한으로 실행하면 제출물의 프로그램이 다른 파일을 모두 읽고 "
        "바꿀 수 있습니다. "
        "bubblewrap을 설치하거나 다른 사용자로 실행하세요. 그래도 실행하려면 `--sandbox limits`를 쓰세요."
    ),
    "--sandbox bwrap: {reason}; `--sandbox limits` does without.": (
        "--sandbox bwrap: {reason}. `--sandbox limits`에는 bwrap이 필요 없습니다."
    ),
    "{process}: with fewer --jobs it takes less memory.": "{process}. --jobs를 줄이면 메모리를 덜 씁니다.",
    "the artifacts in {folder} are for {target}, not for {other}.": (
        "{folder}의 산출물은 {target}용이며 {other}용이 아닙니다."
    ),
    "Mojo does not compile for {target}: choose another target, or give `puzzles simulate` LLVM IR "
    "that another compiler made for it.": (
        "Mojo는 {target}용으로 컴파일하지 못합니다. 다른 타깃을 고르거나, 다른 컴파일러가 만든 LLVM IR을 "
        "`puzzles simulate`에 주세요."
    ),
}
_PROGRAMS = {
    "exec: name a program, a folder with programs, or a file with --cases.": (
        "exec: 프로그램이나 프로그램이 든 폴더, 또는 --cases로 파일을 지정하세요."
    ),
    "exec: what follows -- goes to programs that stand before it; --cases names their arguments.": (
        "exec: -- 뒤의 인자는 앞에 쓴 프로그램에 넘깁니다. --cases를 쓰면 인자는 그 파일에 적습니다."
    ),
    "no program at {path}.": "프로그램이 없습니다: {path}.",
    "{path} is a folder: name the file in it that has `main`.": (
        "{path}: 폴더입니다. 그 안에서 `main`이 있는 파일을 지정하세요."
    ),
    "{path} is no Mojo program: name files that end in .mojo, or folders with such files.": (
        "{path}: Mojo 프로그램이 아닙니다. .mojo로 끝나는 파일이나 그런 파일이 든 폴더를 지정하세요."
    ),
    "{path} has no `main`, where a program begins: write one that enqueues each kernel, with "
    "`ctx.enqueue_function[kernel](...)`.": (
        "{path}: 프로그램이 시작하는 `main`이 없습니다. `ctx.enqueue_function[kernel](...)`로 커널을 "
        "실행하는 `main`을 작성하세요."
    ),
    "no file below {folder} has a `main`.": "{folder} 아래에 `main`이 있는 파일이 없습니다.",
    "{path} names no program.": "{path}: 프로그램을 하나도 지정하지 않았습니다.",
    "-I {path}: there is no such folder.": "-I {path}: 그런 폴더가 없습니다.",
    **{
        f"{{flag}} {verb} in the simulator: leave out --backend max.": (
            "{flag}: 시뮬레이터에서만 됩니다. --backend max를 빼세요."
        )
        for verb in ("counts", "looks")
    },
    "{what} in the simulator: leave out --backend max.": "{what}: 시뮬레이터에서만 됩니다. --backend max를 빼세요.",
    "cannot read the cases in {path}: {reason}.": "{path}의 실행 목록을 읽을 수 없습니다({reason}).",
    "it is no text in UTF-8 (byte {byte})": "UTF-8이 아님: {byte}번째 바이트",
    "{path} is no baseline: {command} writes one.": "{path}: 기준 결과가 아닙니다. 만드는 명령: {command}",
    "{place}: an acceptance is written {form}, or {other}.": (
        "{place}: 허용하는 주석은 {form} 또는 {other}의 형식으로 씁니다."
    ),
    "cannot read the baseline in {path}: {reason}.": "{path}의 기준 결과를 읽을 수 없습니다({reason}).",
}
_RUNS = {
    "--engine native and --scheduler cannot be combined: machine code is made here.": (
        "--engine native와 --scheduler는 함께 쓸 수 없습니다. 기계어는 이 컴퓨터에서 만듭니다."
    ),
    "--profile and {flag} cannot be combined: what is counted is a run in the simulator, here.": (
        "--profile과 {flag} 옵션은 함께 쓸 수 없습니다. 이 컴퓨터의 시뮬레이터 실행만 셉니다."
    ),
    "--devices is for this machine: each worker of a scheduler has its own.": (
        "--devices는 이 컴퓨터에만 씁니다. 스케줄러의 워커는 저마다 자기 디바이스를 씁니다."
    ),
    "--jobs is for this machine: a worker's own `--simulators` says how many cases it runs.": (
        "--jobs는 이 컴퓨터에만 씁니다. 워커가 한 번에 케이스를 몇 개 실행할지는 그 워커의 `--simulators`로 정합니다."
    ),
    "--backend cpu runs no kernel: run it here, without --scheduler.": (
        "--backend cpu는 커널을 실행하지 않습니다. --scheduler 없이 이 컴퓨터에서 실행하세요."
    ),
    "--sanitize needs an NVIDIA GPU: in the simulator its own checks always run.": (
        "--sanitize에는 NVIDIA GPU가 필요합니다. 시뮬레이터는 자체 검사를 늘 합니다."
    ),
    "--sanitize takes tools, and {case} is a case: name it first, {command}.": (
        "--sanitize 뒤에는 도구를 씁니다. {case}: 퍼즐은 앞에 쓰세요. 예: {command}"
    ),
    "--artifacts are for a GPU: they do not go with --backend {backend}.": (
        "--artifacts는 GPU에만 씁니다. --backend {backend}과/와 함께 쓸 수 없습니다."
    ),
    "--artifacts hold kernels already: leave out --kernels {kernels}.": (
        "--artifacts에는 이미 커널이 들어 있습니다. --kernels {kernels}을/를 빼세요."
    ),
}
_TEACHERS = {
    "--backend cpu runs the reference, not what was handed in: choose simulator or max.": (
        "--backend cpu는 제출물이 아니라 참조 구현을 실행합니다. simulator나 max를 고르세요."
    ),
    "--out is missing: say which folder the results go to, or with --format which file.": (
        "--out이 없습니다. 결과를 둘 폴더를 쓰세요. --format을 쓸 때는 파일 이름을 쓰세요."
    ),
    "--workers is for this machine: a worker's own `--simulators` says how many it judges.": (
        "--workers는 이 컴퓨터에만 씁니다. 워커가 한 번에 몇 개를 채점할지는 그 워커의 `--simulators`로 정합니다."
    ),
    "no folder of submissions at {path}: it holds a folder or an archive for each person.": (
        "제출물 폴더가 없습니다: {path}. 사람마다 폴더나 압축 파일 하나가 들어 있어야 합니다."
    ),
    "nobody has handed in anything in {path}: it holds a folder or an archive for each person.": (
        "{path}에 제출물이 없습니다. 사람마다 폴더나 압축 파일 하나가 들어 있어야 합니다."
    ),
    "no submission at {path}: it is a folder or an archive of one person's files.": (
        "제출물이 없습니다: {path}. 한 사람의 파일이 든 폴더나 압축 파일을 지정하세요."
    ),
    "{path} holds something else: give --out an empty folder, or that of an earlier grading.": (
        "{path}에 다른 것이 들어 있습니다. --out에 빈 폴더나 이전 채점의 폴더를 쓰세요."
    ),
    "{path} is a file: give --out a folder.": "{path}: 파일입니다. --out에는 폴더를 쓰세요.",
    "{path} is from another version of the harness: give --out another folder.": (
        "{path}: 다른 버전의 하네스로 만든 결과입니다. --out에 다른 폴더를 쓰세요."
    ),
    "{path} is damaged: give --out another folder.": "{path}: 손상되었습니다. --out에 다른 폴더를 쓰세요.",
    "{path} holds a grading with {setting}, not {other}: give --out another folder.": (
        "{path}: {setting} 설정으로 채점한 결과이며 {other}과/와 다릅니다. --out에 다른 폴더를 쓰세요."
    ),
    "another grading works in {path}: wait for it, or give another folder.": (
        "{path}에서 다른 채점이 진행 중입니다. 끝날 때까지 기다리거나 다른 폴더를 쓰세요."
    ),
    "cannot write {path}: {reason}; fix that and run it again.": (
        "{path}에 쓸 수 없습니다({reason}). 이를 고치고 다시 실행하세요."
    ),
    "--format classroom50 needs {names} in the environment, as Classroom 50's runner sets it.": (
        "--format classroom50에는 환경 변수 {names}이/가 필요합니다. Classroom 50의 실행기가 정하는 값입니다."
    ),
    "{path}: puzzles is a list of names, as in {example}.": "{path}: puzzles에는 이름의 목록을 씁니다. 예: {example}",
    "{path}: puzzles names no puzzle to solve: {names}.": "{path}: puzzles에 풀 수 있는 퍼즐이 없습니다: {names}.",
    "{path}: {name} is a section, {section}.": "{path}: {name}은/는 항목입니다. {section}처럼 쓰세요.",
    "{path}: a number has thousands of digits, or brackets are nested too deep.": (
        "{path}: 자릿수가 수천인 수가 있거나 괄호가 너무 깊이 중첩되어 있습니다."
    ),
    "{path}: [share] has `unkept`, a number from 0 to 1, but not {name} = {value}.": (
        "{path}: [share]에는 0에서 1까지의 수 `unkept`만 쓸 수 있습니다. 쓸 수 없는 것: {name} = {value}."
    ),
    "{path}: [points] gives {puzzle} {points}, but its modes {total}.": (
        "{path}: [points]에서 {puzzle}의 점수는 {points}점인데 세부 퍼즐의 합은 {total}점입니다."
    ),
    "{path}: {key} in [{name}] is a number of at least 0, but got {value}.": (
        "{path}: [{name}]의 {key}은/는 0 이상의 수여야 하지만 {value}입니다."
    ),
    "{path} is no TOML: {reason}.": "{path}: TOML이 아닙니다({reason}).",
    "{path}: [points] has {name}, which is not among the puzzles of the assignment.": (
        "{path}: [points]의 {name}은/는 과제에 없는 퍼즐입니다."
    ),
}
ERRORS = {**_LEARNERS, **_MACHINE, **_PROGRAMS, **_RUNS, **_TEACHERS}
