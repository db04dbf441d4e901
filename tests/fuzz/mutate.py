"""Damages bytes, texts, JSON, values and folders, the same for the same generator."""

from __future__ import annotations

import json
import os
import random
import shutil
import string
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["bytes_of", "folder", "json_of", "odd", "text_of", "word"]

NUMBERS = ("0", "-1", "1", "65537", "4294967296", "-9223372036854775808", "1e400", "nan", "0x1p-3", "9" * 5000, "١")
SIGNS = ("", "\0", "\x1b[2J", "::error::x", "\n", "\ud800", "é", "🙂", *"'\"\\%{}[]=:,.")


def bytes_of(generator: random.Random, data: bytes, most: int = 8) -> bytes:
    """A few places of some bytes changed, cut, doubled or moved."""
    for _ in range(generator.randint(1, most)):
        at = generator.randrange(len(data) + 1)
        to = min(len(data), at + generator.choice((0, 1, 1, 2, 4, 16, 256)))
        match generator.randrange(6):
            case 0:
                data = data[:at] + bytes(generator.randrange(256) for _ in range(to - at)) + data[to:]
            case 1:
                data = data[:at] + data[to:]
            case 2:
                data = data[:at] + data[at:to] * generator.randint(2, 40) + data[to:]
            case 3:
                data = data[:at] + generator.choice(NUMBERS).encode() + data[to:]
            case 4:
                data = data[:at] + generator.choice(SIGNS).encode(errors="surrogatepass") + data[to:]
            case 5:
                data = data[: generator.randrange(len(data) + 1)] if generator.random() < 0.2 else data
    return data


def text_of(generator: random.Random, text: str, most: int = 6) -> str:
    """A few words or lines of a text changed, left out, doubled or exchanged."""
    for _ in range(generator.randint(1, most)):
        parted = "\n" if generator.random() < 0.4 else " "
        words = text.split(parted)
        at, other = generator.randrange(len(words)), generator.randrange(len(words))
        match generator.randrange(7):
            case 0:
                words[at], words[other] = words[other], words[at]
            case 1:
                words[at] = words[other]
            case 2:
                del words[at]
            case 3:
                words[at] = generator.choice(NUMBERS)
            case 4:
                words[at] += generator.choice(SIGNS)
            case 5:
                words[at : at + 1] = [words[at]] * generator.randint(2, 30)
            case 6:
                words[at] = words[at].translate({ord(digit): generator.choice(NUMBERS) for digit in "0123456789"})
        text = parted.join(words)
    return text


def odd(generator: random.Random, depth: int = 2) -> Any:
    """A value of JSON that is likely not the one that is expected."""
    simple: list[Any] = [None, True, False, 0, -1, 2**31, 2**63, 10**400, 1.5, float("nan"), float("inf"), "", "x"]
    simple += [generator.choice(SIGNS), generator.choice(NUMBERS), "../../etc/passwd", "/dev/zero", "a" * 70_000]
    if depth and generator.random() < 0.3:
        several = [odd(generator, depth - 1) for _ in range(generator.randrange(4))]
        return several if generator.random() < 0.5 else {word(generator): value for value in several}
    return generator.choice(simple)


def word(generator: random.Random) -> str:
    """A short word."""
    return "".join(generator.choice(string.ascii_lowercase) for _ in range(generator.randint(1, 6)))


def json_of(generator: random.Random, data: bytes) -> bytes:
    """JSON with a few values exchanged, left out or added, wherever they stand; or with damaged bytes."""
    if generator.random() < 0.25:
        return bytes_of(generator, data)
    if generator.random() < 0.03:
        return b"[" * 100_000
    whole = json.loads(data)
    for _ in range(generator.randint(1, 3)):
        places = list(_places(whole))
        if not places:
            whole = odd(generator)
            continue
        held, key = generator.choice(places)
        match generator.randrange(4):
            case 0:
                del held[key]
            case 1 if isinstance(held, dict):
                held[word(generator)] = odd(generator)
            case 2 if isinstance(held, dict):
                held[generator.choice(SIGNS)] = held.pop(key)
            case _:
                held[key] = odd(generator)
    return json.dumps(whole).encode()


def _places(value: Any) -> Any:
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


def folder(generator: random.Random, root: Path) -> None:
    """Damages one or two files of a folder: their contents, or what they are."""
    for _ in range(generator.randint(1, 2)):
        files = [path for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
        if not files:
            return
        path = generator.choice(files)
        data = path.read_bytes()
        kind = generator.randrange(10)
        if kind < 5:
            try:
                path.write_bytes(json_of(generator, data))
            except (ValueError, RecursionError):
                path.write_bytes(bytes_of(generator, data))
            continue
        path.unlink()
        match kind:
            case 5:
                os.mkfifo(path)
            case 6:
                path.mkdir()
            case 7:
                path.symlink_to(generator.choice(["/dev/zero", "/etc/passwd", "nowhere", path.name, "/"]))
            case 8:
                shutil.rmtree(path.parent) if path.parent != root else None


def array(generator: random.Random) -> Any:
    """What somebody might give for an array."""
    shape = tuple(generator.choice([0, 1, 2, 4, 6, 8, 32, 256]) for _ in range(generator.randrange(4)))
    kind = generator.choice(["f4", "f8", "i4", "u1", "c8", "?", "O", "U3", "M8[s]", "V4", ">f4", "f2"])
    values = np.zeros(shape, kind)
    ways = [lambda: values, lambda: values.tolist(), lambda: values.T, lambda: values[..., ::-1] if shape else values]
    ways += [lambda: memoryview(values.tobytes()), lambda: np.ma.array(values), lambda: odd(generator), lambda: object]
    return generator.choice(ways)()
