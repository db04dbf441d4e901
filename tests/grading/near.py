"""A class whose files are nearly each other's: right, wrong and hostile ones, and what each must come to.

Whatever is taken for a blank, a comment or a line's end by somebody, and not by the compiler, stands between them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from harness.model.frames import blank_regions
from harness.model.sources import MOJO
from tests.exploits.__main__ import EXPLOITS

__all__ = ["NEAR", "Near", "hand_in"]

SOLUTION = (MOJO / "p15" / "solution.mojo").read_text(encoding="utf-8")
RIGHT = SOLUTION.replace("var addend", "var more").replace("= addend", "= more").replace("addend = ", "more = ")
WRONG = RIGHT.replace("cache[local_i] += more", "cache[local_i] -= more")
_END, _BARRIER = "    # END OF FILL ME IN\n", "    barrier()\n\n    var stride"
_ASSEMBLY = 'inlined_assembly["frobnicate.sync;", NoneType, constraints="", has_side_effect=True]()'
_PRINTED = 'external_call["vprintf", Int32](StaticString("{}\\n").unsafe_ptr(), given)'


@dataclass(frozen=True, slots=True)
class Near:
    """A submission for p15.

    Attributes:
        kind: What is about it.
        data: The file.
        verdicts: One of which it must get.
        notes: What a note of it says; empty where there is none.
        alike: A name of those that are alike with it; empty where nobody is.
    """

    kind: str
    data: bytes
    verdicts: tuple[str, ...]
    notes: str = ""
    alike: str = ""


def _one(kind: str, text: str | bytes, *verdicts: str, notes: str = "", alike: str = "") -> Near:
    return Near(kind, text.encode() if isinstance(text, str) else text, verdicts, notes, alike)


def _before_the_end(code: str, *imports: str) -> str:
    """The right file with some code at the end of its region."""
    first = "from layout import TileTensor\n"
    return RIGHT.replace(_END, f"    {code}\n{_END}").replace(first, "\n".join([*imports, first]), 1)


def _below(text: str) -> str:
    """The file with the code of its region behind it."""
    region = re.search(r"    # FILL ME IN.*\n((?s:.*))    # END OF FILL ME IN\n", text)
    assert region
    return blank_regions(text) + region[1]


def _twins() -> list[Near]:
    """A right and a wrong file, and what of both is the same to some reader of text."""
    made = []
    for name, text, verdict in (("right", RIGHT, "PASS"), ("wrong", WRONG, "MISMATCH")):
        whole, (first, rest) = text.encode(), text.split(_BARRIER)
        alike = f"{name} ones"
        made += [
            _one(f"{name}", text, verdict, alike=alike),
            _one(f"{name}, with a comment", f"# mine\n\n{text}", verdict, alike=alike),
            _one(f"{name}, with blanks behind lines", text.replace("\n", " \t\n"), verdict),  # of strings, too
            _one(f"{name}, with a wide blank in a comment", f"# \u3000\u2028\n{text}", verdict, alike=alike),
            _one(f"{name}, of Windows", whole.replace(b"\n", b"\r\n"), verdict, alike=alike),
            _one(f"{name}, with a byte order mark", b"\xef\xbb\xbf" + whole, "UNREADABLE"),
            _one(f"{name}, of an old Mac", whole.replace(b"\n", b"\r"), "UNREADABLE"),
            _one(f"{name}, with a form feed", first + "    # \f\n" + _BARRIER + rest, "UNREADABLE"),
            _one(f"{name}, with a wide blank", first + _BARRIER.replace("()", "()\u3000", 1) + rest, "COMPILE_ERROR"),
        ]
    return made


def _blanks() -> list[Near]:
    """Every kind of blank, or of nothing, that some library strips from the end of a line."""
    kinds = {"hard": "\u00a0", "em": "\u2003", "ogham": "\u1680", "line": "\u2028", "no": "\u200b", "mark": "\ufeff"}
    texts = {name: RIGHT.replace("barrier()\n", f"barrier(){sign}\n") for name, sign in kinds.items()}
    return [_one(f"a {name} blank at the end of a line", text, "COMPILE_ERROR") for name, text in texts.items()]


def _hidden() -> list[Near]:
    """Code in what an editor shows as a comment, and none where it shows code."""
    add = "    cache[local_i] = 0"
    first, rest = RIGHT.split(_BARRIER)
    unreadable = {
        "a carriage return in a comment": f"{first}    # why\r{add}\n{_BARRIER}{rest}",
        "a next line in a comment": f"{first}    # why\x85{add}\n{_BARRIER}{rest}",
        "a null in a comment": f"{first}    # why\0{add}\n{_BARRIER}{rest}",
        "an escape in a comment": f"# \x1b[2J\n{RIGHT}",
        "a delete in a comment": f"# \x7f\n{RIGHT}",
        "another encoding": "# Größe\n".encode("latin-1") + RIGHT.encode(),
    }
    return [
        *(_one(kind, text, "UNREADABLE") for kind, text in unreadable.items()),
        _one("a barrier as a comment", RIGHT.replace(_BARRIER, f"    # {_BARRIER.lstrip()}"), "FINDING"),
        _one("a line separator", f"{first}    # why\u2028{add}\n{_BARRIER}{rest}", "PASS", alike="right ones"),
    ]


def _elsewhere() -> list[Near]:
    """Code that stands where none was to be, and files in which there is none."""
    begun = "the whole file ran"
    unmarked = RIGHT.replace(_END, "").replace("    # FILL ME IN: about 25 lines\n", "")
    exploits = {path.stem: path.read_text(encoding="utf-8") for path in EXPLOITS}
    return [
        _one("right code below the region", _below(RIGHT), "PASS", notes=begun),
        _one("wrong code below the region", _below(WRONG), "MISMATCH"),
        _one("no marks", unmarked, "PASS", notes=begun, alike="right ones"),
        _one("our solution", SOLUTION, "PASS", alike="ours"),
        _one("our solution, with a comment", f"# mine\n{SOLUTION}", "PASS", alike="ours"),
        _one("as it was handed out", blank_regions(SOLUTION), "NOT_ATTEMPTED"),
        _one("a comment alone", f"# mine\n{blank_regions(SOLUTION)}", "NOT_ATTEMPTED"),
        _one("blanks alone", blank_regions(SOLUTION).replace("pass", " " * 250_000), "NOT_ATTEMPTED"),
        _one("marks alone", blank_regions(SOLUTION) + "# FILL ME IN: a\n" * 14_000, "NOT_ATTEMPTED"),
        _one("a lookup table", exploits["lookup_table"], "MISMATCH"),
        _one("one size", exploits["one_size"], "MISMATCH"),
        _one("fractions cut off", RIGHT.replace("a[batch, global_i]", "a[batch, global_i].__trunc__()"), "MISMATCH"),
    ]


def _at_will() -> list[Near]:
    """What could be taken for a fault of the machine, or of nobody."""
    stack, call = "from std.memory import stack_allocation as stacked", "from std.ffi import external_call"
    assembly = "from std.sys._assembly import inlined_assembly"
    given = "var given = stacked[1, Int32]()\n    given[0] = 7\n    _ = "
    memory = 'external_call["malloc", UnsafePointer[Float32, MutAnyOrigin]](64)'
    ran = ("PASS", "FINDING", "LIMIT", "LAUNCH_ERROR", "INCOMPLETE")
    return [
        _one("words of a full disk", f'{RIGHT}\nvar = "No space left on device"\n', "COMPILE_ERROR"),
        _one("words of no memory", f'{RIGHT}\nvar = "Out of memory"\n', "COMPILE_ERROR"),
        _one("unknown assembly", _before_the_end(_ASSEMBLY, assembly), "INCOMPLETE"),
        _one("memory of its own", _before_the_end(f"var got = {memory}\n    got[0] = cache[0]", call), *ran),
        _one("too little to print", _before_the_end(given + _PRINTED.format("%d %d %s"), stack, call), *ran),
        _one("too much to print", _before_the_end(given + _PRINTED.format("%1500000000d"), stack, call), *ran),
    ]


NEAR = [*_twins(), *_blanks(), *_hidden(), *_elsewhere(), *_at_will()]


def hand_in(folder: Path, near: list[Near], *, backwards: bool = False) -> dict[str, Near]:
    """Hands submissions in, each by a person of its own.

    Args:
        folder: Gets a folder for each person.
        near: Whose.
        backwards: Whether the last is the first by name.

    Returns:
        The submissions by the names of their folders.
    """
    people = {}
    for number, one in enumerate(near):
        name = f"{99 - number if backwards else number:02} {one.kind}"
        (folder / name).mkdir(parents=True)
        (folder / name / "p15.mojo").write_bytes(one.data)
        people[name] = one
    return people
