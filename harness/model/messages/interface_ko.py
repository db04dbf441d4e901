"""Korean for why the Python API, a notebook, `puzzles call` or `puzzles op` refuses launches, arrays, arguments."""

from __future__ import annotations

__all__ = ["INTERFACE"]

_LAUNCHES = {
    "the simulator's results lie in the host's memory: use `outputs`.": (
        "시뮬레이터의 결과는 호스트 메모리에 있습니다. `outputs`를 쓰세요."
    ),
    "a kernel is launched on a GPU or in the simulator: backend is auto, max or simulator.": (
        "커널은 GPU나 시뮬레이터에서 실행합니다. `backend`는 `auto`, `max`, `simulator` 중 하나여야 합니다."
    ),
    "an op is called on a GPU or in the simulator: backend is auto, max or simulator.": (
        "op는 GPU나 시뮬레이터에서 호출합니다. `backend`는 `auto`, `max`, `simulator` 중 하나여야 합니다."
    ),
    "file is a path, but got {type}.": "`file`에는 경로를 주어야 하지만 받은 타입은 {type}입니다.",
    "{name} is given by its name, but got {type}.": "{name}: 이름을 주어야 하지만 받은 타입은 {type}입니다.",
    "GPU {number} cannot be used here, since graphs are made for the first that a process sees: set {variable}={value} "
    "before Python starts, or move the data to GPU 0.": (
        "GPU {number}은/는 여기서 쓸 수 없습니다. 그래프는 프로세스가 보는 첫 GPU용으로 만듭니다. 파이썬을 시작하기 "
        "전에 {variable}={value}으로/로 설정하거나 데이터를 GPU 0으로 옮기세요."
    ),
    "{case} calls {function}, a function of the host, and {what} takes launches of kernels alone": (
        "{case}: 호스트 함수 {function}을/를 호출합니다. {what}에서는 커널 실행만 됩니다"
    ),
    "backend {name}": "백엔드 {name}",
    "level {name}": "{name} 단계",
    "{reason}: name the backend simulator.": "{reason}. 백엔드로 simulator를 고르세요.",
    "{reason}: it has the levels op and llvm.": "{reason}. 볼 수 있는 단계는 `op`와 `llvm`입니다.",
    "{puzzle} has no reference.mojo that a processor could run: use another backend.": (
        "{puzzle}: CPU에서 실행할 reference.mojo가 없습니다. 다른 백엔드를 쓰세요."
    ),
    "{kernel} only reads {name}, and nobody has written that.": (
        "{kernel}: {name}을/를 읽기만 하는데, 아무도 쓰지 않은 배열입니다."
    ),
    "{one} and {other} of {kernel} may share memory, and it writes: give a copy of one.": (
        "{kernel}의 인자 {one}, {other}: 메모리를 공유할 수 있는데 커널이 씁니다. 하나는 복사본을 주세요."
    ),
    "{file} holds no kernel, no `def`.": "{file}: 커널(`def`)이 없습니다.",
    "shared_bytes is a number of bytes from 0 on, but got {value}.": (
        "shared_bytes는 0 이상의 바이트 수여야 하지만 {value}입니다."
    ),
    "{name} is one to three whole numbers like (4, 1, 1), but got {value}.": (
        "{name}: (4, 1, 1)처럼 정수를 하나에서 셋까지 주어야 하지만 {value}입니다."
    ),
    "{name} must be three positive whole numbers, but got {value}": "{name}: 양의 정수 셋이어야 하지만 {value}입니다",
    "a cluster has at most {most} blocks, but got {extent}": "클러스터의 블록은 최대 {most}개이지만 {extent}입니다",
    "cluster {extent} does not divide grid {grid}": "그리드 {grid}을/를 클러스터 {extent}으로/로 나눌 수 없습니다",
}
_ARRAYS = {
    "no array of shape {shape} and type {dtype}: it takes extents from 0 on, and real numbers.": (
        "모양 {shape}, 타입 {dtype}인 배열은 만들 수 없습니다. 크기는 0 이상이고 타입은 실수여야 합니다."
    ),
    "no array of shape {shape} and type {dtype}: {reason}.": (
        "모양 {shape}, 타입 {dtype}인 배열은 만들 수 없습니다({reason})."
    ),
    "no memory for an array of shape {shape} and type {dtype}: it would have {size} bytes.": (
        "모양 {shape}, 타입 {dtype}인 배열을 만들 메모리가 없습니다. 크기가 {size}바이트입니다."
    ),
    "no memory for an array of shape {shape} and type {dtype}: {reason}.": (
        "모양 {shape}, 타입 {dtype}인 배열을 만들 메모리가 없습니다({reason})."
    ),
    "there are {count} inputs, so give a dict with {names}.": (
        "입력이 {count}개이므로 다음 이름이 든 `dict`를 주세요: {names}."
    ),
    "no input {missing}: the case takes {names}.": "입력이 빠졌습니다: {missing}. 이 퍼즐의 입력: {names}.",
    "'{one}' and '{other}'": "'{one}', '{other}'",
    "input {name} holds {dtype}, which are no real numbers.": "입력 {name}: 타입이 {dtype}입니다. 실수여야 합니다.",
    "input {name} is empty (shape {shape}), but the case takes shape {other}.": (
        "입력 {name}: 비어 있습니다(모양 {shape}). 이 퍼즐의 입력은 모양이 {other}입니다."
    ),
    "input {name} has shape {shape}, but the case takes shape {other}.": (
        "입력 {name}: 모양이 {shape}이지만, 이 퍼즐의 입력은 모양이 {other}입니다."
    ),
    "input {name} is {dtype}, which does not convert to {other} without loss: if the loss is wanted, give {call}.": (
        "입력 {name}: 타입 {dtype}을/를 {other}으로/로 바꾸면 값을 잃을 수 있습니다. 그래도 되면 {call}을/를 주세요."
    ),
    "a tensor cannot tell where it lies: {reason}.": "텐서가 어느 디바이스에 있는지 알 수 없습니다: {reason}.",
    "input {name} does not lie contiguously on its device: give a contiguous copy.": (
        "입력 {name}: 디바이스에 연속으로 놓여 있지 않습니다. 연속된 복사본을 주세요."
    ),
    "input {name} is a masked array: give {filled}.": ("입력 {name}: 마스크가 있는 배열입니다. {filled}을/를 주세요."),
    "input {name} lies on a GPU (DLPack device {device}), which does not run this: give a copy in the host's memory.": (
        "입력 {name}: 이것을 실행하지 않는 GPU에 있습니다(DLPack 디바이스 {device}). 호스트 메모리의 복사본을 주세요."
    ),
    "input {name} is no array of numbers: {reason}.": "입력 {name}: 수의 배열이 아닙니다({reason}).",
    "input {name} holds floating-point numbers, but the case takes {dtype}: give integers.": (
        "입력 {name}: 부동소수점 수가 들어 있지만, 이 퍼즐의 입력은 {dtype}입니다. 정수를 주세요."
    ),
    "input {name} holds {value}, which {dtype} does not hold.": (
        "입력 {name}: 타입 {dtype}에 담을 수 없는 값이 있습니다: {value}."
    ),
    "input {name} cannot be used in place: {reason}.": "입력 {name}: 그 자리에서 쓸 수 없습니다({reason}).",
    "input {name} is {dtype}, but the case takes {other}: convert it there.": (
        "입력 {name}: 타입이 {dtype}이지만, 이 퍼즐의 입력은 {other}입니다. 그 디바이스에서 변환하세요."
    ),
}
_ARGUMENTS = {
    "{name} is a number from 0 on, but got {value}.": "{name}: 0 이상의 수여야 하지만 {value}입니다.",
    "arguments are a dict by name, or a list in order, but got {type}: {function} takes {names}.": (
        "인자는 이름으로 `dict`에, 또는 순서대로 `list`에 담아야 하지만 받은 타입은 {type}입니다. "
        "{function} 함수의 인자: {names}."
    ),
    "arguments are a dict by name, or a list in order, but got {type}: {function} takes nothing.": (
        "인자는 이름으로 `dict`에, 또는 순서대로 `list`에 담아야 하지만 받은 타입은 {type}입니다. "
        "{function} 함수에는 인자가 없습니다."
    ),
    "got {count} argument, but {function} takes nothing.": (
        "받은 인자는 {count}개. {function} 함수에는 인자가 없습니다."
    ),
    "got {count} arguments, but {function} takes nothing.": (
        "받은 인자는 {count}개. {function} 함수에는 인자가 없습니다."
    ),
    "the result of {op}": "{op}의 결과",
    "{name} of {function} is a tensor: give a NumPy array, not {type}.": (
        "{function}의 인자 {name}: 텐서입니다. {type} 대신 NumPy 배열을 주세요."
    ),
    "{name} of {function} holds {dtype}, which no kernel takes: give real numbers.": (
        "{function}의 인자 {name}: 커널이 받지 않는 타입 {dtype}입니다. 실수를 주세요."
    ),
    "{name} of {function} has shape {shape}: give an array of at least one axis and one element.": (
        "{function}의 인자 {name}: 모양이 {shape}입니다. 축과 원소가 하나 이상인 배열을 주세요."
    ),
    "{name} of {function} is of type {type}, but what can be given is a TileTensor, a LayoutTensor, an UnsafePointer "
    "or a number like Int32.": (
        "{function}의 인자 {name}: 타입이 {type}입니다. TileTensor, LayoutTensor, UnsafePointer, 또는 Int32 같은 수만 "
        "줄 수 있습니다."
    ),
}
_OPS = {
    "a graph runs on a GPU, and there is none for {target} here: leave it out.": (
        "그래프는 GPU에서 실행하는데, 이 컴퓨터에 {target}용 GPU가 없습니다. 그래프를 빼세요."
    ),
    "say what {op} gives, {names}: its shape and type.": "{op}의 결과({names})의 모양과 타입을 정하세요.",
    "target of {op} is no parameter to give: it is gpu here.": (
        "{op}의 매개변수 `target`은 줄 수 없습니다. 여기서는 `gpu`입니다."
    ),
    "{name} of {op} is given by an array, or by (shape, type), but got {value}.": (
        "{op}의 결과 {name}: 배열이나 (모양, 타입)을 주어야 하지만 {value}입니다."
    ),
    "a graph takes element types that NumPy has, and {name} is {value}.": (
        "그래프에는 NumPy에 있는 원소 타입만 쓸 수 있지만, {name}은/는 {value}입니다."
    ),
    "a graph is made of tensors that are read and of results, and {name} is neither.": (
        "그래프에는 읽는 텐서와 결과만 있을 수 있지만, {name}은/는 어느 쪽도 아닙니다."
    ),
    "{folder} registers no op: none of its structs has a decorator `@register(...)`.": (
        "{folder}: 등록된 op가 없습니다. 데코레이터 `@register(...)`가 붙은 구조체가 없습니다."
    ),
    "the op {name} of {file} has no `execute` that can be read: a static method of {struct}.": (
        "{file}의 op {name}: {struct}의 정적 메서드 `execute`를 찾거나 읽을 수 없습니다."
    ),
    "the op {name} of {file} cannot launch: `execute` must take a DeviceContext, as its last.": (
        "{file}의 op {name}: 커널을 실행할 수 없습니다. `execute`의 마지막 인자는 DeviceContext여야 합니다."
    ),
    "{file} cannot be imported, since {name} is no name in Mojo: rename it.": (
        "{file}: `import`할 수 없습니다. Mojo의 이름으로 쓸 수 없는 {name}의 이름을 바꾸세요."
    ),
    "the op {name} of {file} has no result: `execute` takes no OutputTensor.": (
        "{file}의 op {name}: 결과가 없습니다. `execute`에 OutputTensor 인자가 없습니다."
    ),
    "no library of ops at {path}: name a folder with an __init__.mojo, or a Mojo file.": (
        "op 라이브러리가 없습니다: {path}. __init__.mojo가 든 폴더나 Mojo 파일을 지정하세요."
    ),
    "{folder} is no library of ops: it needs an __init__.mojo, which may be empty.": (
        "{folder}: op 라이브러리가 아닙니다. __init__.mojo가 있어야 합니다. 비어 있어도 됩니다."
    ),
    "{file} and {other} both register an op {name}: rename one.": (
        "{file}, {other}: 두 파일 모두 op {name}을/를 등록합니다. 하나의 이름을 바꾸세요."
    ),
    "--input {text} is not like f32[4,6]=arange (zeros, ones, random:7), FILE.npy or f32=1.5.": (
        "--input {text}: `f32[4,6]=arange`(또는 `zeros`, `ones`, `random:7`), `FILE.npy`, `f32=1.5` 같은 "
        "형식이 아닙니다."
    ),
    "{text} is no array: name a file that ends in .npy.": "{text}: 배열이 아닙니다. .npy로 끝나는 파일을 지정하세요.",
    "--output {text} is not like f32[4]: an element type and a shape.": (
        "--output {text}: f32[4]처럼 원소 타입과 모양을 쓰세요."
    ),
    "{text}: the shape [{shape}] is not like [4,6].": "{text}: 모양 [{shape}]: [4,6] 같은 형식이 아닙니다.",
    "{function} has no parameter {name}: it has none at all.": (
        "{function}: 매개변수 {name}은/는 없습니다. 매개변수가 하나도 없습니다."
    ),
    "{function} has a compile-time parameter {name} ({type}) that does not follow from its arguments: give its value, "
    "{example}": (
        "{function}: 컴파일 시점 매개변수 {name}({type})은/는 인자에서 정해지지 않습니다. 값을 주세요. 예: {example}"
    ),
    "parameter {name} of {function} is no element type: {value}.": (
        "{function}의 매개변수 {name}: 원소 타입이 아닙니다: {value}."
    ),
    "parameter {name} of {function} is a number, a text or an element type, not {value}.": (
        "{function}의 매개변수 {name}: 수, 문자열, 원소 타입 중 하나여야 하지만 {value}입니다."
    ),
}
_NOTEBOOK = {
    "{case} is solved in two files: {command} makes a folder with both.": (
        "{case}: 파일 두 개로 풀어야 합니다. 두 파일이 든 폴더를 만드는 명령: {command}"
    ),
    "say for which puzzle: %hint p15.": "어느 퍼즐의 힌트인지 쓰세요. 예: %hint p15",
    "{case} has no single region to fill in: the cell must be its whole file.": (
        "{case}: 채울 영역이 하나가 아닙니다. 셀에 파일 전체를 쓰세요."
    ),
    "{line} cannot be read: {reason}.": "{line}: 읽을 수 없습니다({reason}).",
}
INTERFACE = {**_LAUNCHES, **_ARRAYS, **_ARGUMENTS, **_OPS, **_NOTEBOOK}
