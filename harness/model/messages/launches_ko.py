"""Korean for why the simulator, or `puzzles simulate`, refuses a launch, an argument, a launch file or LLVM IR.

The simulator's sentences have no full stop: a command adds it, and says of which file it speaks.
"""

from __future__ import annotations

__all__ = ["LAUNCHES"]

_WHERE = {
    "{clause}.": "{clause}.",
    "{file}: {error}.": "{file}: {error}.",
    "{file}: {error}": "{file}: {error}",
    "{file}, launch {number}: {error}": "{file}, {number}번째 커널 실행: {error}",
    "{error} (kernel {kernel}, {place})": "{error}(커널 {kernel}, {place})",
    "{error} (kernel {kernel})": "{error}(커널 {kernel})",
}
_FILES = {
    "--launches and --{flag} cannot be combined: the file says it.": (
        "--launches와 --{flag} 옵션은 함께 쓸 수 없습니다. 그 값은 파일에 있습니다."
    ),
    "--{flag} is missing: say how many, like --{other} 4,1,1, or give --launches FILE.": (
        "--{flag} 옵션이 없습니다. --{other} 4,1,1처럼 개수를 쓰거나 --launches FILE을 쓰세요."
    ),
    "{path} is no JSON: {reason}.": "{path}: JSON이 아닙니다({reason}).",
    "{path} is no list of launches: see {command}.": "{path}: 커널 실행의 목록이 아닙니다. 도움말: {command}",
    "a launch is an object with {keys}, but this is {value}.": (
        "커널 실행 하나는 키가 {keys}인 객체여야 하지만 {value}입니다."
    ),
    "{key} is missing.": "{key} 키가 없습니다.",
    "'kernel' is a name, but got {value}.": "`kernel`은 이름이어야 하지만 {value}입니다.",
    "'args' is an object: the name of each argument and its value, in the kernel's order.": (
        "`args`는 커널의 순서대로 인자의 이름과 값을 쓴 객체여야 합니다."
    ),
    "'shared_bytes' is a number of at least 0, but got {value}.": (
        "`shared_bytes`는 0 이상의 수여야 하지만 {value}입니다."
    ),
    "{name} {value} is not one to three positive numbers like 4,1,1.": (
        "{name} {value}: 4,1,1처럼 양의 정수를 하나에서 셋까지 쓰세요."
    ),
    "--observers names those to use or, each with `no-`, those to leave out; not both.": (
        "--observers에는 쓸 관찰자만 쓰거나, `no-`를 붙여 뺄 관찰자만 쓰세요. 둘을 섞을 수 없습니다."
    ),
    "{file} is neither LLVM IR (.ll) nor Mojo (.mojo); docs/kernels.md says how clang makes a .ll of CUDA and of "
    "OpenCL.": (
        "{file}: LLVM IR(.ll)도 Mojo(.mojo)도 아닙니다. clang으로 CUDA와 OpenCL에서 .ll을 만드는 방법은 "
        "docs/kernels.md에 있습니다."
    ),
    "{file} enqueues no kernel: what is simulated are the kernels that its `main` enqueues.": (
        "{file}: 실행하는 커널이 없습니다. 시뮬레이션하는 것은 `main`이 실행하는 커널입니다."
    ),
    "{name} is {value}: a value is a text, a number, null or a list.": (
        "{name}: {value}입니다. 값은 문자열, 수, `null`, 목록 중 하나여야 합니다."
    ),
    "there is an array {name} already: {reference} refers to it.": (
        "배열 {name}은/는 이미 있습니다. 그 배열은 {reference}으로/로 쓰세요."
    ),
    "{text} is not like @NAME or @NAME[2:9].": "{text}: @NAME이나 @NAME[2:9] 같은 형식이 아닙니다.",
    "{text} has no elements: {name} has {count}.": "{text}: 원소가 없습니다. {name}의 원소는 {count}개입니다.",
    "{name}: {text} is not like {{VALUE,VALUE}}.": "{name}: {text}: {{VALUE,VALUE}} 같은 형식이 아닙니다.",
    "{name}: {text} is not like zeros:f32:4x6 or random:f32:4x6:7.": (
        "{name}: {text}: zeros:f32:4x6이나 random:f32:4x6:7 같은 형식이 아닙니다."
    ),
    "LLVM takes more than the limit to read it ({limit}).": "LLVM이 읽다가 한도를 넘었습니다({limit}).",
    "there is no room to read it: free some, or set TMPDIR.": (
        "읽는 데 필요한 디스크 공간이 없습니다. 공간을 비우거나 TMPDIR을 다른 폴더로 정하세요."
    ),
    "it is malformed: LLVM {fate} while it read it.": "형식이 잘못되었습니다. LLVM이 읽다가 끝났습니다({fate}).",
}
_KERNELS = {
    "there is no kernel: nothing is declared as one (`ptx_kernel`, `amdgpu_kernel`)": (
        "커널이 없습니다. 커널(`ptx_kernel`, `amdgpu_kernel`)로 선언된 함수가 없습니다"
    ),
    "there are {count} kernels, name one of: {names}": "커널이 {count}개입니다. 하나를 고르세요: {names}",
    "{count} kernels are called {name}, name one by its symbol: {symbols}": (
        "이름이 {name}인 커널이 {count}개입니다. 심볼로 하나를 고르세요: {symbols}"
    ),
    "no kernel is called {name}; there are: {names}": "{name}이라는/라는 커널은 없습니다. 있는 것: {names}",
    "unknown target {name}: expected one of {names}": "{name}이라는/라는 타깃은 없습니다. 있는 것: {names}",
    "{name} must be one to three whole numbers of at least 1, but got {value}": (
        "{name}: 1 이상의 정수를 하나에서 셋까지 주어야 하지만 {value}입니다"
    ),
    "the code is for {triple}, which is no GPU that is simulated: compile it for nvptx64-nvidia-cuda or "
    "amdgcn-amd-amdhsa": (
        "{triple}용 코드인데, 시뮬레이션할 수 있는 GPU가 아닙니다. nvptx64-nvidia-cuda나 amdgcn-amd-amdhsa용으로 "
        "컴파일하세요"
    ),
    "the code is for {triple}, not for {target}: name a target of {vendor}": (
        "{triple}용 코드이며 {target}용이 아닙니다. {vendor} 타깃을 고르세요"
    ),
    "the code is for {compiled}, which {target} does not run: compile it for {architecture}": (
        "{compiled}용 코드인데 {target}에서는 실행할 수 없습니다. {architecture}용으로 컴파일하세요"
    ),
    "the code has wavefronts of 64 lanes, but {target} is simulated with 32: compile it without -mwavefrontsize64": (
        "웨이브프런트의 레인이 64개인 코드인데, {target}에서는 32개로 시뮬레이션합니다. "
        "-mwavefrontsize64 없이 컴파일하세요"
    ),
    "a block on {target} has at most {limit} in {axis}, but got {value}": (
        "{target}의 블록은 {axis} 방향으로 최대 {limit}이지만 {value}입니다"
    ),
    "a grid on {target} has at most {limit} in {axis}, but got {value}": (
        "{target}의 그리드는 {axis} 방향으로 최대 {limit}이지만 {value}입니다"
    ),
    "a grid on {target} has at most {limit} threads in {axis}, not {value}": (
        "{target}의 그리드는 {axis} 방향으로 스레드가 최대 {limit}개이지만 {value}개입니다"
    ),
    "a block has at most {limit} threads, but got {value}": "블록의 스레드는 최대 {limit}개이지만 {value}개입니다",
    "{target} has no clusters, but got {cluster}": "{target}에는 클러스터가 없지만 {cluster}을/를 받았습니다",
    "a cluster on {target} has at most {limit} blocks, but got {count}": (
        "{target}의 클러스터는 블록이 최대 {limit}개이지만 {count}개입니다"
    ),
    "grid {axis} must be a multiple of the cluster's {size}, but got {value}": (
        "그리드의 {axis} 크기는 클러스터의 크기 {size}의 배수여야 하지만 {value}입니다"
    ),
    "kernel {kernel} declares at most {limit} threads for a block ({attribute}), but got {value}": (
        "커널 {kernel}: 블록의 스레드를 최대 {limit}개로 선언했지만({attribute}) {value}개입니다"
    ),
    "kernel {kernel} declares blocks of {expected} ({attribute}), but got {value}": (
        "커널 {kernel}: 블록을 {expected}으로/로 선언했지만({attribute}) {value}입니다"
    ),
    "kernel {kernel} declares {least} to {limit} threads for a block ({attribute}), not {value}": (
        "커널 {kernel}: 블록의 스레드를 {least}개에서 {limit}개까지로 선언했지만({attribute}) {value}개입니다"
    ),
    "kernel {kernel} declares clusters of {expected} ({attribute}), but got {value}": (
        "커널 {kernel}: 클러스터를 {expected}으로/로 선언했지만({attribute}) {value}입니다"
    ),
    "kernel {kernel} declares clusters of at most {limit} blocks, but got {value}": (
        "커널 {kernel}: 클러스터의 블록을 최대 {limit}개로 선언했지만 {value}입니다"
    ),
    "kernel {kernel} takes {size} bytes of shared memory, but {target} has {limit} for a block": (
        "커널 {kernel}: 공유 메모리를 {size}바이트 쓰지만, {target}의 블록에는 {limit}바이트가 있습니다"
    ),
    "kernel {kernel} is too large to be simulated: it has {count} variables, and there can be {limit}": (
        "커널 {kernel}: 시뮬레이션하기에 너무 큽니다. 변수가 {count}개인데 최대 {limit}개입니다"
    ),
    "kernel {kernel} has too many local variables for calls {depth} deep: simulate it with a smaller call_depth": (
        "커널 {kernel}: {depth}단계 깊이의 호출을 하기에는 지역 변수가 너무 많습니다. call_depth를 줄여 "
        "시뮬레이션하세요"
    ),
    "{name} has {size} bytes, and {limit} are allowed; make it smaller or raise max_bytes": (
        "{name}: {size}바이트이지만 {limit}바이트까지 허용됩니다. 크기를 줄이거나 max_bytes를 늘리세요"
    ),
    **{
        f"{{name}} has {{size}} bytes for each {english}: simulating {{count}} of them side by side takes {{total}} "
        "bytes of memory, and {limit} are allowed; make it smaller or raise max_bytes": (
            f"{{name}}: {korean}마다 {{size}}바이트입니다. 동시에 {{count}}개를 시뮬레이션하려면 메모리가 "
            "{total}바이트 필요하지만 {limit}바이트까지 허용됩니다. 크기를 줄이거나 max_bytes를 늘리세요"
        )
        for english, korean in (("block", "블록"), ("thread", "스레드"))
    },
}
_ARGUMENTS = {
    "kernel {kernel} takes {count} arguments, but got {value}": (
        "커널 {kernel}의 인자는 {count}개이지만 {value}개를 받았습니다"
    ),
    "kernel {kernel} takes {count} parameters, but got {value}": (
        "커널 {kernel}의 매개변수는 {count}개이지만 {value}개를 받았습니다"
    ),
    "parameter {number} of kernel {kernel} is {type} of {size} bytes, but got {value}": (
        "커널 {kernel}의 매개변수 {number}: 타입 {type}, {size}바이트이지만 {value}바이트를 받았습니다"
    ),
    "{name} is {type}: it takes {count} values, but got {value}": (
        "{name}: 타입 {type}에는 값이 {count}개 필요하지만 {value}개를 받았습니다"
    ),
    "{name} is {type}, and nothing is given for {missing}: pass a tuple of {count} values": (
        "{name}: 타입이 {type}인데 다음 값이 없습니다: {missing}. 값 {count}개의 튜플을 주세요"
    ),
    "{name} is {type} and takes no tensor map, which has {size} bytes": (
        "{name}: 타입이 {type}이므로 {size}바이트인 텐서 맵을 받을 수 없습니다"
    ),
    "{name} must be a NumPy array for a parameter of type {type}, but got {value}": (
        "{name}: 매개변수의 타입이 {type}이므로 NumPy 배열이어야 하지만 {value}입니다"
    ),
    "{name} holds Python objects: dtype {dtype}": "{name}: 파이썬 객체가 든 배열입니다(`{dtype}`)",
    "{name} is not contiguous and may overlap {other}: pass contiguous views": (
        "{name}: 연속된 배열이 아니고 {other}과/와 겹칠 수 있습니다. 연속된 뷰를 주세요"
    ),
    "{name} holds {dtype} ({size} bytes), but kernel {kernel} reads and writes {type} ({width} bytes): convert it, or "
    "pass .view(np.uint8) if bytes are meant": (
        "{name}: 원소가 {dtype}({size}바이트)이지만 커널 {kernel}은/는 {type}({width}바이트)을/를 읽고 씁니다. "
        "변환하거나, 바이트로 쓰려면 .view(np.uint8)을 주세요"
    ),
    "{name}: a parameter of type {type} cannot be passed": "{name}: 타입이 {type}인 매개변수에는 값을 줄 수 없습니다",
    "{name} must be {type}, {count} values, but got {value}": (
        "{name}: 타입 {type}의 값 {count}개가 필요하지만 {value}개를 받았습니다"
    ),
    "{name} must be a scalar of type {type}, but got an array of {shape}": (
        "{name}: 타입 {type}의 스칼라여야 하지만 모양이 {shape}인 배열입니다"
    ),
    "{name} must be a scalar of type {type}, but got {value}": (
        "{name}: 타입 {type}의 스칼라여야 하지만 {value}입니다"
    ),
    "{name} must be {type} ({size} bytes), but got {dtype} ({width} bytes)": (
        "{name}: 타입 {type}({size}바이트)이어야 하지만 {dtype}({width}바이트)입니다"
    ),
    "{name} must be {type}, but got {value}": "{name}: 타입 {type}이어야 하지만 {value}입니다",
}
_TEXTS = {
    "LLVM does not accept the text: {reason}": "LLVM이 받아들이지 않는 코드입니다: {reason}",
    "an atomic operation on {type}": "{type}에 대한 원자적 연산",
    "{token} is not supported: {text}": "시뮬레이터가 지원하지 않습니다: {token} (코드: {text})",
    "{token} is not a value in: {text}": "{token}: 값이 아닙니다(코드: {text})",
    "{token} is not a type in: {text}": "{token}: 타입이 아닙니다(코드: {text})",
    "type {type} has no zero": "타입 {type}에는 0이 없습니다",
    "unknown instruction {opcode}: {text}": "알 수 없는 명령어 {opcode}: {text}",
    "unexpected {token} in: {text}": "예상하지 못한 {token}(코드: {text})",
    "unexpected {token} in {text}": "예상하지 못한 {token}(코드: {text})",
    "expected {token}, found {other} in: {text}": "필요한 것: {token}, 실제: {other}(코드: {text})",
    "unbalanced parenthesis in: {text}": "괄호의 짝이 맞지 않습니다(코드: {text})",
}
LAUNCHES = {**_WHERE, **_FILES, **_KERNELS, **_ARGUMENTS, **_TEXTS}
