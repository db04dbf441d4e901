"""Korean for why `puzzles call` refuses a function, its arguments or expected values; joined in `phrases_ko`."""

from __future__ import annotations

__all__ = ["CALLS"]

CALLS = {
    "{name} of {file} is not exported: write `@export` above it.": (
        "{file}: {name} 함수가 내보내지지 않았습니다. 함수 위에 `@export`를 쓰세요."
    ),
    "{file} has no functions: define one with `@export` above it.": (
        "{file}: 함수가 없습니다. 함수를 정의하고 그 위에 `@export`를 쓰세요."
    ),
    "what {name} of {file} takes cannot be read: a bracket after its name is not closed.": (
        "{file}: {name} 함수의 인자를 읽을 수 없습니다. 이름 뒤의 괄호가 닫히지 않았습니다."
    ),
    "{name} of {function} is of type {type}, which a call cannot give: it gives pointers to numbers, numbers, and a "
    "DeviceContext.": (
        "{function} 함수의 인자 {name}: 호출에서 줄 수 없는 타입 {type}입니다. "
        "수를 가리키는 포인터, 수, DeviceContext를 줄 수 있습니다."
    ),
    "{file} is a folder: name the file in it that holds the function.": (
        "{file}: 폴더입니다. 그 안에서 함수가 있는 파일을 지정하세요."
    ),
    "name one that ends in .mojo": ".mojo로 끝나는 파일을 지정하세요",  # a reason why a file is no Mojo file
    "{file} has no `main`, where a program begins, but exports {function}: {command} calls it.": (
        "{file}: 프로그램이 시작되는 `main`이 없지만, {function} 함수를 내보냅니다. 호출하는 명령: {command}"
    ),
    "no argument {name}: {function} takes {names}.": "인자가 없습니다: {name}. {function} 함수의 인자: {names}.",
    "no argument {name}: {function} takes nothing.": "{name}: 없는 인자입니다. {function} 함수에는 인자가 없습니다.",
    "got {count} argument, but {function} takes {names}.": "받은 인자는 {count}개. {function} 함수의 인자: {names}.",
    "got {count} arguments, but {function} takes {names}.": "받은 인자는 {count}개. {function} 함수의 인자: {names}.",
    "the call of {function} left nothing of {name}: call it again.": (
        "{function} 호출이 끝난 뒤 {name}의 내용을 읽지 못했습니다. 다시 호출하세요."
    ),
    "{name} of {function} points to {dtype} ({type}), but its array holds {other}.": (
        "{function} 함수의 인자 {name}: {dtype}을/를 가리키는 포인터({type})인데, 배열의 타입은 {other}입니다."
    ),
    "{name} of {function} is a pointer ({type}): give an array, not {value}.": (
        "{function} 함수의 인자 {name}: 포인터({type})입니다. {value} 대신 배열을 주세요."
    ),
    "{name} of {function} is of type {type}: give a number, not an array.": (
        "{function} 함수의 인자 {name}: 타입이 {type}입니다. 배열 대신 수를 주세요."
    ),
    "{name} of {function} is of type {type}, which does not hold {value}.": (
        "{function} 함수의 인자 {name}: 타입 {type}에 담을 수 없는 값 {value}입니다."
    ),
    "{name} of {function} is a number, but got {type}.": "{function} 함수의 인자 {name}: 수가 필요하지만 {type}입니다.",
    "{name} of {function} has shape {shape}, but what is expected has {other}.": (
        "{function} 함수의 인자 {name}: 모양이 {shape}인데, 기대하는 값의 모양은 {other}입니다."
    ),
    "{name} of {function} holds {dtype}, which does not hold all that is expected.": (
        "{function} 함수의 인자 {name}: 기대하는 값을 모두 담을 수 없는 타입 {dtype}입니다."
    ),
    "what is expected of {name} is an array or a number, but got {value}.": (
        "{name}에 기대하는 값은 배열이나 수여야 하지만 {value}입니다."
    ),
    "{function} is given no array to compare.": "{function} 함수에 비교할 배열이 없습니다.",
    "{function} takes no pointer.": "{function} 함수에는 포인터 인자가 없습니다.",
    "{names} of {function} share memory: all lie on the host, or none does.": (
        "{function} 함수의 인자 {names}: 메모리를 공유하므로, 모두 호스트에 있거나 모두 디바이스에 있어야 합니다."
    ),
    "{flag} {text} is not NAME=VALUE.": "{flag} {text}: NAME=VALUE 형식이 아닙니다.",
    "{flag} {name}=... is given twice.": "{flag} {name}=...: 두 번 주었습니다.",
    "{name}: an array needs at least one element.": "{name}: 배열에는 원소가 하나 이상 있어야 합니다.",
    "{name}: the shape {shape} is not like 4x6.": "{name}: 모양 {shape}: 4x6 같은 형식이 아닙니다.",
    "{name}: '{text}' is no {kind}.": "{name}: {kind} 값이 아닙니다: '{text}'.",
    "{text}: no array is given.": "{text}: 주어진 배열이 없습니다.",
    "cannot read {path} as a NumPy array: {reason}.": "NumPy 배열로 읽을 수 없습니다: {path}({reason}).",
    "there is no GPU for {target} on this machine: leave out {option}.": (
        "이 컴퓨터에 {target}용 GPU가 없습니다. 다음을 빼세요: {option}"
    ),
    "{flag} counts in the simulator: leave out {option}.": "{flag}: 시뮬레이터에서만 셉니다. 다음을 빼세요: {option}",
    "{flag} looks in the simulator: leave out {option}.": "{flag}: 시뮬레이터에서만 봅니다. 다음을 빼세요: {option}",
    "no array was changed": "바뀐 배열이 없습니다",
    "unknown kind of value {name}: did you mean {near}?": "{name}이라는/라는 값의 종류는 없습니다. 혹시 {near}인가요?",
    "unknown kind of value {name}: known: {names}.": "{name}이라는/라는 값의 종류는 없습니다. 있는 것: {names}.",
    "unknown element type {name}: did you mean {near}?": "{name}이라는/라는 원소 타입은 없습니다. 혹시 {near}인가요?",
    "unknown element type {name}: known: {names}.": "{name}이라는/라는 원소 타입은 없습니다. 있는 것: {names}.",
    "argument {flag}: must be a number from 0 on, but is {value}": "{flag}: 0 이상의 수여야 하지만 {value}입니다",
    "Call a function that a Mojo file exports, on a GPU or in the simulator.": (
        "Mojo 파일이 내보내는 함수를 GPU나 시뮬레이터에서 호출합니다."
    ),
}
