"""Korean for usage and system errors and progress notes, by English template; joins the tables of its siblings.

Keys are templates, and the most specific one that matches counts, in whatever table it is; what a name in one stands
for is a phrase too. What is not here is said in English.
"""

from __future__ import annotations

from harness.model.messages.calls_ko import CALLS
from harness.model.messages.errors_ko import ERRORS
from harness.model.messages.help_ko import HELP
from harness.model.messages.interface_ko import INTERFACE
from harness.model.messages.launches_ko import LAUNCHES
from harness.model.messages.machine_ko import MACHINE

__all__ = ["PHRASES"]

_REFUSALS = {
    "interrupted": "중단됨",
    "{command}: {error}; see `{command_help} --help`.": "{command}: {error}. 도움말: `{command_help} --help`",
    "unknown {category} {name}: did you mean {near}?": "{name}이라는/라는 {category}은/는 없습니다. 혹시 {near}인가요?",
    "unknown {category} {name}: known: {names}.": "{name}이라는/라는 {category}은/는 없습니다. 있는 것: {names}.",
    "unknown {category} {name}: see {command}.": (
        "{name}이라는/라는 {category}은/는 없습니다. {command}에서 볼 수 있습니다."
    ),
    "unexpected argument {word}": "필요 없는 인자 {word}",
    "the following arguments are required: {names}": "다음 인자가 필요합니다: {names}",
    "argument {name}: expected one argument": "{name}: 값이 하나 필요합니다",
    "argument {name}: expected at least one argument": "{name}: 값이 하나 이상 필요합니다",
    "argument {name}: not allowed with argument {other}": "{name}: {other} 옵션과 함께 쓸 수 없습니다",
    "argument {name}: ignored explicit argument {value}": "{name}: 값을 받지 않는 옵션입니다({value})",
    "argument {name}: must be a whole number of at least 0, but is {value}": (
        "{name}: 0 이상의 정수여야 하지만 {value}입니다"
    ),
    "ambiguous option: {name} could match {names}": "{name}: 어느 옵션인지 알 수 없습니다. 후보: {names}",
    "{puzzle} has several {kinds}: choose one of {names}.": (
        "{puzzle}: 세부 퍼즐이 여럿 있습니다. 하나를 고르세요: {names}."
    ),
    "there is no part {number}: name one of 1 to {last}, as `puzzles list` has them.": (
        "{number}부는 없습니다. 1부터 {last}까지 중에서 고르세요(`puzzles list` 참고)."
    ),
    "--all checks every puzzle: leave out {names}, or --all.": (
        "--all은 모든 퍼즐을 검사합니다. {names} 또는 --all을 빼세요."
    ),
    "cannot write the report to {path}: it is a folder; name a file.": (
        "{path}에 쓸 수 없습니다. 폴더입니다. 파일 이름을 쓰세요."
    ),
    "cannot write the report to {path}: make the folder {folder} first.": (
        "{path}에 쓸 수 없습니다. 먼저 {folder} 폴더를 만드세요."
    ),
    "cannot write the report to {path}: {folder} may not be written to; name a file in another folder.": (
        "{path}에 쓸 수 없습니다. {folder} 폴더에 쓸 권한이 없습니다. 다른 폴더의 파일 이름을 쓰세요."
    ),
    "cannot write the report to {path}: {reason}.": "보고서를 {path}에 쓸 수 없습니다({reason}).",
    "there is no lane {lane}: the grid has {first} to {last}.": (
        "{lane}번 레인은 없습니다. 그리드의 레인은 {first}번부터 {last}번까지입니다."
    ),
    "a fault of the harness, not of a kernel: {error} ({place}). {variable}=1 shows where; please report it.": (
        "커널이 아니라 하네스 자체의 결함입니다: {error} ({place}). {variable}=1을/를 설정하면 위치를 볼 수 있습니다. "
        "알려 주시기 바랍니다."
    ),
    "{name} is no puzzle: the folder comes last.": "{name}: 퍼즐이 아닙니다. 폴더는 맨 뒤에 쓰세요.",
    "{name} is several puzzles: reset one at a time, as in {command}.": (
        "{name}: 퍼즐이 여럿입니다. 한 번에 하나씩 되돌리세요. 예: {command}"
    ),
    "{name} goes backwards: write {other}.": "{name}: 순서가 거꾸로입니다. {other}으로/로 쓰세요.",
    "{one} and {other} cannot be combined.": "{one}, {other} 옵션은 함께 쓸 수 없습니다.",
    "no kernel file at {path}: restore it with `git checkout`, or install the package again.": (
        "커널 파일이 없습니다: {path}. `git checkout`으로 되살리거나 패키지를 다시 설치하세요."
    ),
    "no kernel file at {path}.": "커널 파일이 없습니다: {path}",
    "no file at {path}.": "파일이 없습니다: {path}",
    "{path} leads to {name}, which is no Mojo file (.mojo).": (
        "{path}: Mojo 파일(.mojo)이 아닌 파일을 가리킵니다: {name}."
    ),
    "{path} is no {language} file: {reason}.": "{path}: {language} 파일이 아닙니다. {reason}.",
    "the cell is no Mojo file: {reason}.": "셀: Mojo 파일이 아닙니다. {reason}.",
    "line {line} is no text in UTF-8 (byte {byte} of the file): save it as UTF-8": (
        "{line}번째 줄이 UTF-8이 아닙니다(파일의 {byte}번째 바이트). UTF-8로 저장하세요"
    ),
    "it begins with a byte order mark, which Mojo refuses: save it as UTF-8 without one": (
        "바이트 순서 표시(BOM)로 시작하는데 Mojo는 이것을 받지 않습니다. BOM 없는 UTF-8로 저장하세요"
    ),
    "line {line} has {character}: a Mojo file has no control characters but tabs and line ends": (
        "{line}번째 줄에 제어 문자가 있습니다: {character}. Mojo 파일에는 탭과 줄바꿈 말고는 제어 문자를 쓸 수 없습니다"
    ),
    "target {name} names no architecture after the colon.": "타깃 {name}: 쌍점 뒤에 아키텍처가 없습니다.",
    "the workspace {folder} has no {puzzle}: {command} adds it.": (
        "작업 폴더 {folder}: {puzzle} 폴더가 없습니다. {command}으로/로 받을 수 있습니다."
    ),
    "{case} does not run on {name}: {reason}.": "{case}: {name}에서 실행되지 않습니다. {reason}.",
    "cannot write to the cache {folder} ({reason}: {path}): fix that, or set HARNESS_CACHE to another directory.": (
        "캐시 {folder}에 쓸 수 없습니다({reason}: {path}). 이를 바로잡거나 HARNESS_CACHE를 다른 폴더로 정하세요."
    ),
    "cannot read the cache {folder} ({reason}: {path}): fix that, or set HARNESS_CACHE to another directory.": (
        "캐시 {folder}을/를 읽을 수 없습니다({reason}: {path}). 이를 바로잡거나 HARNESS_CACHE를 다른 폴더로 정하세요."
    ),
    "cannot read {path}: {reason}.": "읽을 수 없습니다: {path}({reason}).",
    "cannot write to {path}: {reason}.": "{path}에 쓸 수 없습니다: {reason}.",
    "the system refuses: {reason}.": "시스템이 거부합니다: {reason}.",
    "this machine has too little memory for it.": "이 컴퓨터의 메모리가 부족합니다.",
    "there is no `mojo` here: install it with {command}.": "`mojo`가 없습니다. 설치: {command}",
    "our own solution {file}": "이 프로젝트의 풀이 {file}",
    "{file} does not compile: it is the harness's own, and MAX {max} with Mojo {mojo} is not one of the tested pairs": (
        "{file} 파일이 컴파일되지 않습니다. 이 프로젝트의 파일이며, MAX {max}, Mojo {mojo}은/는 시험한 조합이 아닙니다"
    ),
    "`mojo` could not compile {file}: {reason}.": "`mojo`로 컴파일하지 못했습니다({file}). {reason}.",
    "it does not start on this machine ({words}): {command} must work first; {remedy} may help": (
        "이 컴퓨터에서 시작되지 않습니다({words}). 먼저 {command}이/가 실행되어야 합니다. "
        "{remedy}이/가 도움이 될 수 있습니다"
    ),
    "{program} was killed by {name} and printed nothing": "{program}: {name} 신호로 종료되었고 출력이 없음",
    "{program} ended with status {status} and printed nothing": "{program}: 상태 {status}(으)로 끝났고 출력이 없음",
    "its installation is incomplete ({path}: {reason}): {command} completes it": (
        "설치가 완전하지 않습니다({path}: {reason}). {command}으로/로 다시 설치하세요"
    ),
    "its installation is damaged ({path} has {found} bytes of {size}): {command} repairs it": (
        "설치된 파일이 손상되었습니다({path}: {size}바이트 중 {found}바이트). {command}으로/로 다시 설치하세요"
    ),
    "it cannot load its own library ({words}): {command} may help": (
        "자체 라이브러리를 불러오지 못합니다({words}). {command}이/가 도움이 될 수 있습니다"
    ),
    "it was killed (SIGKILL), as happens when the machine has no memory left; try again when it has": (
        "강제로 종료되었습니다(SIGKILL). 메모리가 부족할 때 생기는 일이니, 메모리가 남을 때 다시 실행하세요"
    ),
    "the disk with {folder} is full; free some room, or set TMPDIR": (
        "디스크가 가득 찼습니다({folder}). 공간을 비우거나 TMPDIR을 다른 폴더로 정하세요"
    ),
    "cannot make a temporary folder ({reason}): free some room, or set TMPDIR.": (
        "임시 폴더를 만들 수 없습니다({reason}). 공간을 비우거나 TMPDIR을 다른 폴더로 정하세요."
    ),
    "cannot start {program}: {reason}.": "시작할 수 없습니다: {program}({reason}).",
    "{reason} (its interpreter {path} is not there)": "{reason}: 인터프리터 {path} 파일이 없음",
    "{reason} (its loader {path} is not there: it was built for another C library)": (
        "{reason}: 로더 {path} 파일이 없음. 다른 C 라이브러리용으로 만든 프로그램임"
    ),
    "MAX cannot build here: {words}.": "MAX가 이 컴퓨터에서 빌드할 수 없습니다: {words}.",
    (
        "there is no home folder for the cache: HOME is not set, and this user is not in the system's list (passwd). "
        "Set HOME, or HARNESS_CACHE to a folder."
    ): (
        "캐시를 둘 홈 폴더가 없습니다. HOME이 설정되지 않았고, 이 사용자는 시스템의 목록(passwd)에 없습니다. "
        "HOME을 설정하거나 HARNESS_CACHE를 폴더로 정하세요."
    ),
    "the working directory was removed: change to another one.": (
        "현재 폴더가 삭제되었습니다. 다른 폴더로 옮겨 가서 실행하세요."
    ),
    "a package does not load in {python} ({reason}): install it again with {command}.": (
        "{python}에서 패키지를 불러오지 못합니다({reason}). 다시 설치: {command}"
    ),
    "a name is not UTF-8, which reports and compilers need ({name}): rename that file or folder.": (
        "보고서와 컴파일러에는 UTF-8이 필요한데, UTF-8이 아닌 이름이 있습니다({name}). 파일이나 폴더의 이름을 바꾸세요."
    ),
    (
        "the path {path} is not UTF-8, which compilers and reports need: rename it, or set a locale with UTF-8 "
        "({command})."
    ): (
        "경로 {path}: UTF-8이 아닙니다. 컴파일러와 보고서에는 UTF-8이 필요합니다. 이름을 바꾸거나, UTF-8 로캘을 "
        "설정하세요({command})."
    ),
    "the system refuses another thread: raise the limit on processes ({command}).": (
        "시스템이 새 스레드를 거부합니다. 프로세스 수의 한도를 올리세요({command})."
    ),
    "No such file or directory": "그런 파일이나 폴더가 없습니다",
    "Permission denied": "권한이 없습니다",
    "No space left on device": "디스크에 남은 공간이 없습니다",
    "Is a directory": "폴더입니다",
    "Not a directory": "폴더가 아닙니다",
    "Read-only file system": "읽기 전용 파일 시스템입니다",
}
_ON_THE_WAY = {
    "note: MAX {max} with Mojo {mojo} is not one of the tested pairs ({pairs}): if something fails, run {command}.": (
        "참고: MAX {max}, Mojo {mojo}은/는 시험한 조합({pairs})이 아닙니다. 문제가 생기면 다음을 실행하세요: {command}"
    ),
    "{kernels} for {name}, in the simulator ({why})": "{kernels}, 타깃 {name}, 시뮬레이터에서 실행({why})",
    "{kernels} for {name}, on {device} ({why})": "{kernels}, 타깃 {name}, {device}에서 실행({why})",
    "note: Metal's own code generator was not run: what it refuses, or compiles wrongly, is not found here.": (
        "참고: Metal의 코드 생성기는 실행하지 않았습니다. "
        "Metal이 거부하거나 잘못 컴파일하는 코드는 여기서 찾지 못합니다."
    ),
    "no {vendor} GPU here": "{vendor} GPU가 없음",
    "the GPU is here": "GPU가 있음",
    "orders of the threads: {orders} on {count} of {total} data sets ({why})": (
        "스레드 실행 순서: 데이터 {total}개 중 {count}개는 {orders}가지({why})"
    ),
    "orders of the threads: {orders} on {count} of {total} data sets": (
        "스레드 실행 순서: 데이터 {total}개 중 {count}개는 {orders}가지"
    ),
    "every order gives the same": "어느 순서로 실행해도 결과가 같음",
    "others are tried on other data": "다른 순서는 다른 데이터로 시험함",
    "it takes long": "오래 걸림",
    "it did not end": "끝나지 않음",
    "a seed asks for this one": "시드로 정한 순서",
    "{targets}, with the names of their variables": "{targets}, 변수 이름 포함",
    "compiling the kernels of {cases} for {targets}": "커널 컴파일 중: {cases}, 타깃 {targets}",
    "compiling the host functions of {cases} for {targets}": "호스트 함수 컴파일 중: {cases}, 타깃 {targets}",
    "compiling {cases} for {targets}": "컴파일 중: {cases}, 타깃 {targets}",
    "another process builds the same: waiting for it, at most {seconds} s.": (
        "다른 프로세스가 같은 것을 만드는 중: 최대 {seconds}초 기다림"
    ),
    "the other process has not finished: building it here too.": "다른 프로세스가 아직 끝나지 않아 여기서도 만듦",
    "the cache entry {key} is corrupt: building it again.": "손상된 캐시 항목: {key}, 다시 만듦",
    "This file is the package's own: `puzzles start` makes a workspace with one of yours.": (
        "패키지에 든 파일입니다. `puzzles start`로 작업 폴더를 만들어 자신의 파일을 작성하세요."
    ),
}
_CONCERNS = {
    "hung: {people}": "끝나지 않음: {people}",
    "over a limit: {people}": "한도를 넘음: {people}",
    "signs of cheating: {people}": "부정행위의 흔적: {people}",
}
PHRASES = {
    "error: {sentence}": "오류: {sentence}",
    **ERRORS,
    **_REFUSALS,
    **CALLS,
    **INTERFACE,
    **LAUNCHES,
    **MACHINE,
    **HELP,
    **_CONCERNS,
    **_ON_THE_WAY,
}
