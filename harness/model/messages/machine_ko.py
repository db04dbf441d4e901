"""Korean for errors of artifacts, builds, GPU tools, processes, clusters and archives; names of limits."""

from __future__ import annotations

__all__ = ["LIMITS", "MACHINE"]

# What a child process may have no more of.
LIMITS = {
    "memory": "메모리",
    "memory bytes": "메모리",
    "cpu seconds": "CPU 시간",
    "time of the processor": "CPU 시간",
    "seconds": "시간",
    "room in a file": "파일 크기",
    "file bytes": "파일 크기",
    "room on the disk": "디스크 공간",
    "folder bytes": "디스크 공간",
    "open files": "열린 파일 수",
    "processes": "프로세스 수",
}

_ARTIFACTS = {
    "{case} was built with {built}, but is asked to run with {asked}.": (
        "{case}: {built}으로/로 빌드했지만 {asked}으로/로 실행하라고 합니다."
    ),
    "the artifacts are for {target}, but the device is {name} ({architecture}): build for its own target.": (
        "산출물은 {target}용이지만 디바이스는 {name}({architecture})입니다. 그 디바이스의 타깃으로 빌드하세요."
    ),
    "the artifacts in {folder} are for {target}, but here is {gpus}: build for this machine's own GPU, or run without "
    "--artifacts.": (
        "{folder}의 산출물은 {target}용이지만 이 컴퓨터에 있는 것은 {gpus}입니다. 이 컴퓨터의 GPU용으로 빌드하거나 "
        "--artifacts 없이 실행하세요."
    ),
    "the artifacts in {folder} are for {target}, but here is no GPU: build for this machine's own GPU, or run without "
    "--artifacts.": ("{folder}의 산출물은 {target}용이지만 이 컴퓨터에는 GPU가 없습니다. --artifacts 없이 실행하세요."),
    "the artifacts in {folder} lack {missing}: they hold {available}.": (
        "{folder}의 산출물에 없는 것: {missing}. 들어 있는 것: {available}."
    ),
    "the artifacts in {folder} do not fit the catalogue: {error}": (
        "{folder}의 산출물이 퍼즐 목록과 맞지 않습니다: {error}"
    ),
    "the artifacts in {folder} hold {name} with {built}, but the catalogue has {documented}: build them again.": (
        "{folder}의 산출물에는 {built}으로/로 빌드한 {name}이/가 들어 있지만, 퍼즐 목록에서는 {documented}입니다. "
        "다시 빌드하세요."
    ),
    "{folder} holds something else than artifacts: name another folder with --out.": (
        "{folder}: 산출물이 아닌 것이 들어 있습니다. --out에 다른 폴더를 쓰세요."
    ),
    "cannot write the artifacts to {folder}: {reason}.": "산출물을 {folder}에 쓸 수 없습니다({reason}).",
    "{folder} holds no artifacts: make them with {command}.": "{folder}: 산출물이 없습니다. 만드는 명령: {command}",
    "cannot read {path} ({reason}): make it readable.": "{path}: 읽을 수 없습니다({reason}). 읽기 권한을 주세요.",
    "{path} is damaged and cannot be renamed ({reason}): make its folder writable.": (
        "{path}: 손상되었고 이름을 바꿀 수 없습니다({reason}). 폴더에 쓰기 권한을 주세요."
    ),
    "{path} is missing or damaged: build or copy the artifacts again.": (
        "{path}: 없거나 손상되었습니다. 산출물을 다시 빌드하거나 복사하세요."
    ),
    "the artifacts in {folder} were built with {built}, but here is {versions}: build them again, or install those "
    "versions.": (
        "{folder}의 산출물은 {built}으로/로 빌드했지만, 이 컴퓨터에는 {versions}이/가 있습니다. 다시 빌드하거나 "
        "그 버전을 설치하세요."
    ),
    "the artifacts in {folder} are for hosts with {host} processors, but this one is {machine}: build them on such a "
    "machine.": (
        "{folder}의 산출물은 CPU가 {host}인 호스트용이지만, 이 컴퓨터는 {machine}입니다. 같은 종류의 컴퓨터에서 "
        "빌드하세요."
    ),
    "the artifacts in {folder} are for warps of {width} lanes, but {target} has {lanes}: build them again.": (
        "{folder}의 산출물은 레인이 {width}개인 워프용이지만, {target}의 워프는 레인이 {lanes}개입니다. 다시 "
        "빌드하세요."
    ),
    "{path} is damaged: build or copy the artifacts again.": (
        "{path}: 손상되었습니다. 산출물을 다시 빌드하거나 복사하세요."
    ),
    "{path} has format {format}, but this harness reads {known}: build the artifacts again.": (
        "{path}: 형식이 {format}이지만 이 하네스는 {known} 형식을 읽습니다. 산출물을 다시 빌드하세요."
    ),
    "--out takes one target that MAX builds graphs for, not {targets}.": (
        "--out에는 MAX가 그래프를 빌드하는 타깃 하나만 쓸 수 있습니다. 지정한 타깃: {targets}."
    ),
    "an artifact was removed from the cache while it was needed.": "쓰고 있던 산출물이 캐시에서 삭제되었습니다.",
}
_BUILDS = {
    "cannot write to {folder} ({reason}): free some room, or set TMPDIR.": (
        "{folder}에 쓸 수 없습니다({reason}). 공간을 비우거나 TMPDIR을 다른 폴더로 정하세요."
    ),
    "no level {name} of device code: known are {names}.": (
        "디바이스 코드에 {name}이라는/라는 단계는 없습니다. 있는 것: {names}."
    ),
    "{file} could not be run: there is no MAX here.": "{file}: 실행할 수 없습니다. 이 컴퓨터에 MAX가 없습니다.",
    "{file} could not be run: {reason}.": "{file}: 실행할 수 없습니다({reason}).",
    "{file} could not be read: {reason}.": "{file}: 읽을 수 없습니다({reason}).",
    "the graph of {op} that was built for {file} is another: {reason}.": (
        "{file}에서 만든 {op}의 그래프가 원래 교재의 그래프와 다릅니다: {reason}."
    ),
    "the graph of {case} holds {actual}, but documented are {documented}.": (
        "{case}의 그래프에는 {actual}이/가 있지만, 원래 교재에서는 {documented}입니다."
    ),
    "MAX builds no graphs for {target} yet: only its device code can be built.": (
        "MAX는 아직 {target}용 그래프를 빌드하지 않습니다. 디바이스 코드만 빌드할 수 있습니다."
    ),
    "NVIDIA's compiler of PTX did not say what the kernels take: {reason}.": (
        "NVIDIA의 PTX 컴파일러에서 커널의 레지스터 사용량을 알아내지 못했습니다({reason})."
    ),
    "there is no {file} in {folders}: install it with {command}, or let MODULAR_HOME or LD_LIBRARY_PATH name where it "
    "lies.": (
        "{file} 파일이 없습니다(찾은 폴더: {folders}). {command}으로/로 설치하거나, MODULAR_HOME이나 "
        "LD_LIBRARY_PATH에 그 파일이 있는 폴더를 쓰세요."
    ),
    "MAX could not compile {cases}: {reason}.": "MAX가 컴파일하지 못했습니다: {cases}. {reason}.",
    "it was not done after {seconds} s by the clock, most of which it waited; try again when less else runs": (
        "{seconds}초 동안 대부분 기다리기만 하다가 끝내지 못했습니다. 다른 프로그램이 적을 때 다시 실행하세요"
    ),
    "its compiler was killed by {name} and printed nothing": "컴파일러가 {name} 신호로 종료되었고 출력이 없습니다",
    "its compiler ended with status {status} and printed nothing": (
        "컴파일러가 상태 {status}으로/로 끝났고 출력이 없습니다"
    ),
    "install it with {command}": "설치: {command}",
    "the graph of our own {file} is not understood with {pair} either.": (
        "이 프로젝트의 {file} 그래프도 {pair}에서는 읽을 수 없습니다."
    ),
    "it ends with an error": "오류로 끝났습니다",
    "{what} does not compile here, whatever the kernel ({reason}): it is written for MAX/Mojo {pairs}; here is "
    "{pair}.": (
        "{what}: 커널과 상관없이 여기서는 컴파일되지 않습니다({reason}). 시험한 MAX/Mojo는 {pairs}이고, "
        "설치된 것은 {pair}입니다."
    ),
    "{what} does not compile here, whatever the kernel ({reason}): it is written for MAX/Mojo {pairs}.": (
        "{what}: 커널과 상관없이 여기서는 컴파일되지 않습니다({reason}). 시험한 MAX/Mojo는 {pairs}입니다."
    ),
    "there is no GPU here that MAX can use, so there is nothing to time.": (
        "MAX가 쓸 수 있는 GPU가 없어 시간을 잴 것이 없습니다."
    ),
    "{folder} lacks {missing}: make it again with --build.": "{folder}에 없는 것: {missing}. --build로 다시 만드세요.",
}
_TOOLS = {
    "--sanitize needs an NVIDIA GPU, and there is none for these kernels here: leave it out, and they run in the "
    "simulator, whose own checks always run.": (
        "--sanitize에는 NVIDIA GPU가 필요한데, 이 커널들을 실행할 GPU가 없습니다. --sanitize를 빼면 시뮬레이터에서 "
        "실행하며, 시뮬레이터는 자체 검사를 늘 합니다."
    ),
    "nothing was examined: {reason}.": "검사한 것이 없습니다: {reason}.",
    "nothing was examined: there are no cases.": "검사한 것이 없습니다: 케이스가 없습니다.",
    **{
        f"compute-sanitizer's {{tool}} {english} on {{kernel}}: it is blind here, and its silence about the cases "
        "would mean nothing.": (
            f"compute-sanitizer의 {{tool}}: 잘못된 것이 알려진 커널에서 {korean}({{kernel}}). 이 컴퓨터에서는 잘못을 "
            "찾지 못하므로, 퍼즐에서 아무것도 찾지 못해도 의미가 없습니다."
        )
        for english, korean in (
            ("gives no summary", "요약을 출력하지 않습니다"),
            ("does not report what is wrong", "잘못을 보고하지 않습니다"),
        )
    },
    "the known-bad kernel {file}": "{file}",
    "compute-sanitizer is not installed: install NVIDIA's CUDA toolkit, or put the tool on PATH.": (
        "compute-sanitizer가 설치되어 있지 않습니다. NVIDIA의 CUDA 툴킷을 설치하거나, PATH에 그 폴더를 넣으세요."
    ),
    "the MAX engine was asked for a launch after its end": "MAX 엔진이 끝난 뒤에 커널 실행을 요청받았습니다",
    "the MAX engine {fate}: {last}": "MAX 엔진: {fate}. {last}",
    "did not start within {seconds} s, the limit": "제한 시간 {seconds}초 안에 시작되지 않았습니다",
    "it printed nothing": "출력이 없습니다",
    "the MAX engine does not start here: {reason}.": "MAX 엔진이 이 컴퓨터에서 시작되지 않습니다({reason}).",
    "this process lost its GPU to an earlier fault ({reason}); restart it.": (
        "이 프로세스는 앞선 오류로 GPU를 쓸 수 없게 되었습니다({reason}). 프로세스를 다시 시작하세요."
    ),
    "it takes more {limit} than there is": "쓸 수 있는 것보다 많이 썼습니다({limit})",
    "it takes more {limit} than its limit, {amount}": "한도를 넘었습니다({limit}: {amount})",
    "it stops processes of its box": "샌드박스의 프로세스를 멈췄습니다",
    "it did not end within {seconds} s, and the machine is busy": (
        "{seconds}초 안에 끝나지 않았습니다. 컴퓨터에서 다른 프로그램이 많이 실행되고 있습니다"
    ),
    "its box {fate} without an answer: {last}": "샌드박스의 {fate}. 결과가 없습니다: {last}",
    "it said nothing": "출력이 없습니다",
    "cannot start a process in a box: {reason}.": "샌드박스에서 프로세스를 시작할 수 없습니다({reason}).",
    **{
        f"{{lack}}, and without it {english}: install bubblewrap, or work as another user; `--sandbox limits` does it "
        "all the same.": (
            f"{{lack}}. bwrap 없이는 {korean}. bubblewrap을 설치하거나 다른 사용자로 실행하세요. 그래도 실행하려면 "
            "`--sandbox limits`를 쓰세요."
        )
        for english, korean in (
            (
                "a program in it could do what the superuser may: read and change every file, other submissions too",
                "제출된 프로그램이 관리자 권한으로 다른 제출물을 포함한 모든 파일을 읽고 바꿀 수 있습니다",
            ),
            (
                "a program in it could use the network, and read and change what you may, other submissions too",
                "제출된 프로그램이 네트워크를 쓰고, 다른 제출물을 포함해 실행한 사람의 파일을 읽고 바꿀 수 있습니다",
            ),
        )
    },
    "the processes of this run ended before it was done.": "실행이 끝나기 전에 이 실행의 프로세스가 끝났습니다.",
    "a process of this run was killed by {name}": "이 실행의 프로세스가 {name} 신호로 종료되었습니다",
    "a process of this run ended with status {status}.": "이 실행의 프로세스가 상태 {status}으로/로 끝났습니다.",
    "its process {fate}: {last}": "{fate}: {last}",
    "must be {requirement}, but is {value}": "{requirement}여야 하지만 {value}입니다",
    "argument {name}: must be {requirement}, but is {value}": "{name}: {requirement}여야 하지만 {value}입니다",
    "a whole number of at least 0": "0 이상의 정수",
    "a whole number above 0": "0보다 큰 정수",
    "a number of seconds above 0": "0보다 큰 초 단위의 수",
    "a number from 0 on": "0 이상의 수",
    "argument {name}: {problem}": "{name}: {problem}",
    "must name a file or a folder, but is empty": "파일이나 폴더를 써야 하지만 비어 있습니다",
    "there is none": "없음",
}
_CLUSTER = {
    "this host has no GPU, and --simulators 0 leaves nothing else to offer.": (
        "이 컴퓨터에는 GPU가 없고, --simulators 0이면 달리 제공할 것이 없습니다."
    ),
    "Dask's settings of encryption cannot be used: {reason}.": "Dask의 암호화 설정을 쓸 수 없습니다: {reason}",
    "there is no Dask here: {command} in the project's folder has it.": (
        "Dask가 없습니다. 프로젝트 폴더에서 설치하세요: {command}"
    ),
    "{address} is no scheduler: give {example}, or tls://HOST:PORT.": (
        "{address}: 스케줄러의 주소가 아닙니다. {example} 또는 tls://HOST:PORT를 쓰세요."
    ),
    "{address} leads to another machine, and without TLS whoever reaches a scheduler runs code as you: use tls:// or a "
    "tunnel to {host} (docs/cluster.md).": (
        "{address}: 다른 컴퓨터의 주소입니다. TLS 없이는 스케줄러에 접속하는 누구나 여러분의 권한으로 코드를 실행할 수 "
        "있습니다. tls://나 {host}으로/로 가는 터널을 쓰세요(docs/cluster.md)."
    ),
    "the scheduler at {address} listens on {listening}, and without TLS whoever reaches a scheduler runs code as you: "
    "start it with {flag} or TLS.": (
        "스케줄러({address})가 {listening}에서 접속을 받습니다. TLS 없이는 스케줄러에 접속하는 누구나 여러분의 "
        "권한으로 코드를 실행할 수 있습니다. {flag}을/를 쓰거나 TLS로 시작하세요."
    ),
    "there is no host {name}.": "{name}이라는/라는 호스트는 없습니다.",
    "{address} needs certificates: set {names} (docs/cluster.md).": (
        "{address}: 인증서가 필요합니다. 다음을 설정하세요: {names} (docs/cluster.md)."
    ),
    "the certificates for {address} cannot be used: {reason} ({files}).": (
        "{address}용 인증서를 쓸 수 없습니다: {reason} ({files})."
    ),
    "there is no scheduler at {address} ({reason}).": "스케줄러가 없습니다: {address}({reason}).",
    "what listens there, a scheduler behind the other of tcp:// and tls:// or another program,": (
        "그 주소에서 접속을 받는 것(tcp://와 tls:// 중 다른 쪽을 쓰는 스케줄러, 또는 다른 프로그램)이"
    ),
    "{what} hangs up: {reason}": "{what} 연결을 끊습니다({reason})",
    "{what} does not answer": "{what} 응답하지 않습니다",
    "{address} refuses this certificate: {reason}.": "{address}: 이 인증서를 거부합니다({reason}).",
    "nobody works for {address}: start {command}.": "{address}: 일하는 워커가 없습니다. 시작하는 명령: {command}",
    "all {count} workers of {address} have another harness, MAX, Mojo, NumPy or llvmlite than this machine: install "
    "the same on both.": (
        "{address}: 워커 {count}개의 하네스, MAX, Mojo, NumPy, llvmlite 중 이 컴퓨터와 다른 것이 있습니다. "
        "양쪽에 같은 버전을 설치하세요."
    ),
    "the scheduler at {address} cannot pass on this harness's work: run it where the same harness is installed "
    "({error}).": (
        "스케줄러({address})가 이 하네스의 작업을 전달하지 못합니다. 같은 하네스를 설치한 곳에서 스케줄러를 "
        "실행하세요({error})."
    ),
    "no worker of {address} has {names}, with this harness: start one that has.": (
        "{address}: 이 하네스로 {names}을/를 제공하는 워커가 없습니다. 그런 워커를 시작하세요."
    ),
    "each worker runs as the superuser without bwrap, where a program could read and change every file: install "
    "bubblewrap, or run workers as another user; `--sandbox limits` does it all the same.": (
        "모든 워커가 bwrap 없이 관리자 권한으로 실행되어, 프로그램이 모든 파일을 읽고 바꿀 수 있습니다. bubblewrap을 "
        "설치하거나 워커를 다른 사용자로 실행하세요. 그래도 실행하려면 `--sandbox limits`를 쓰세요."
    ),
    "there is no GPU {name} here: {names}.": "이 컴퓨터에 GPU {name}은/는 없습니다. 있는 GPU: {names}.",
    "no worker has a GPU for {target}: {offered}.": "{target}용 GPU가 있는 워커가 없습니다. {offered}.",
    "no worker has the simulator: {offered}.": "시뮬레이터를 제공하는 워커가 없습니다. {offered}.",
    "no worker offers {resource}: start one with {command}.": (
        "{resource} 자원을 제공하는 워커가 없습니다. {command} 명령으로 시작하세요."
    ),
    "they have {names}": "워커가 제공하는 것: {names}",
    "start one with {command}": "시작하는 명령: {command}",
    "{case} could not be run: a worker answered what is no report ({reason}).": (
        "{case}: 실행하지 못했습니다. 워커가 보고서가 아닌 것을 보냈습니다({reason})."
    ),
    "{case} could not be run: {reason}": "{case}: 실행하지 못했습니다. {reason}",
    "a worker was refused, for the reason above.": "위의 이유로 워커가 거부되었습니다.",
}
_ARCHIVES = {
    "it is packed in another way than {names}": "다음 형식의 압축 파일이 아닙니다: {names}",
    "it has more than {size} MiB": "{size} MiB보다 큽니다",
    "it has more than {count} entries": "항목이 {count}개보다 많습니다",
    "it has more than {count} files": "파일이 {count}개보다 많습니다",
    "it has more than {size} KiB": "{size} KiB보다 큽니다",
    "its path leads out of the archive": "경로가 압축 파일 밖을 가리킵니다",
    "it grows to more than {size} MiB": "풀면 {size} MiB보다 커집니다",
    "it is damaged (cut off)": "손상되었습니다(끝이 잘림)",
    "it is damaged (in the middle)": "손상되었습니다(중간)",
    "it is damaged ({reason})": "손상되었습니다({reason})",
    "it is a link or no plain file": "링크이거나 일반 파일이 아닙니다",
    "it needs a password": "암호가 필요합니다",
    "it is compressed in an unusual way": "지원하지 않는 방식으로 압축되었습니다",
}
MACHINE = {**_ARTIFACTS, **_BUILDS, **_TOOLS, **_CLUSTER, **_ARCHIVES}
