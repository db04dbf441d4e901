"""Korean for the help and the notes about Mojo files that are written for an older Mojo (`puzzles migrate`)."""

from __future__ import annotations

__all__ = ["MIGRATION"]

MIGRATION = {
    "compile the text as it is, without replacing older spellings of Mojo": (
        "옛 Mojo의 표기를 바꾸지 않고 파일을 있는 그대로 컴파일합니다"
    ),
    "read Mojo files, or folders of them": "Mojo 파일이나 그런 파일이 든 폴더를 읽습니다",
    "change the files (default: show what would change)": "파일을 고칩니다(기본값: 바뀔 것을 보여 주기만 합니다)",
    "skip compiling the result": "고친 결과를 컴파일하지 않습니다",
    "the cell": "셀",
    "note: {file} is written for an older Mojo and compiled with {names}; --as-is leaves it alone.": (
        "참고: {file}은/는 옛 Mojo로 쓰여 있어 {names}으로/로 바꿔 컴파일했습니다. --as-is를 쓰면 바꾸지 않습니다."
    ),
    "note: {file} is written for an older Mojo and compiled with {names}: {command} changes the file, --as-is leaves "
    "the text alone.": (
        "참고: {file}은/는 옛 Mojo로 쓰여 있어 {names}으로/로 바꿔 컴파일했습니다. {command}을/를 실행하면 "
        "파일이 바뀌고, --as-is를 쓰면 바꾸지 않습니다."
    ),
    "{place}: {old} is gone: write {new}.": "{place}: {old}은/는 없어졌습니다. 대신 쓸 것: {new}",
    "{place}: write {new}.": "{place}: 대신 쓸 것: {new}",
    "{file}: nothing to change.": "{file}: 바꿀 것이 없습니다.",
    "{file}: {count} changes written.": "{file}: {count}곳을 바꿨습니다.",
    "{file}: {count} changes; --write makes them.": "{file}: {count}곳을 바꿀 수 있습니다. --write를 쓰면 바뀝니다.",
    "{file}: compiles.": "{file}: 컴파일됩니다.",
    "{file}: does not compile yet:": "{file}: 아직 컴파일되지 않습니다:",
    "{file}: not compiled, since it has no `main`.": "{file}: `main`이 없어 컴파일하지 않았습니다.",
    "no Mojo file in {folder}.": "{folder}에 Mojo 파일이 없습니다.",
    "no file or folder at {path}.": "{path}: 그런 파일이나 폴더가 없습니다.",
    "{path} is no Mojo file: name files that end in .mojo, or folders with such files.": (
        "{path}: Mojo 파일이 아닙니다. .mojo로 끝나는 파일이나 그런 파일이 든 폴더를 쓰세요."
    ),
    "{path} is a link that leads to itself.": "{path}: 자신을 가리키는 링크입니다.",
    "it has changed meanwhile": "그 사이에 바뀌었습니다",
    "cannot write {path}: {reason}.": "{path}: 쓸 수 없습니다({reason}).",
}
