"""What reads what others wrote, with inputs made from a seed: whatever comes, there is a result or one sentence."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import harness
from harness import simt
from harness.backends.calls import CallReport
from harness.backends.replay import Replay
from harness.build import bundle
from harness.build.around import surrounding_cases
from harness.build.cache import Cache, make_key, sha256_hex
from harness.build.foreign_ir import decode_foreign
from harness.build.toolchain import package_versions
from harness.build.unit import compiled_parameters
from harness.catalogue import CASES, PUZZLES, find_case
from harness.cli.main import main
from harness.cli.parser import make_parser
from harness.errors import HarnessError
from harness.grading import scheme, submissions
from harness.grading.grade import grade
from harness.grading.judge import judge
from harness.grading.scheme import Scheme
from harness.grading.work import Job
from harness.learning.progress import LearnerProgress
from harness.model import codec, exit_code
from harness.model.launch_plan import LaunchPlan
from harness.model.launcher import Launcher
from harness.model.sources import MOJO
from harness.model.target import Target
from harness.process.box import SandboxAnswer, SandboxPool, choose_strongest
from harness.process.child import ProcessExit
from harness.simt.errors import DecodeError
from harness.simt.ir.values import FIRST, base_of
from tests.fuzz import mutate
from tests.grading.judges import SETTINGS, person, said
from tests.hazards import pairs

__all__ = ["SUBJECTS", "Unexpected"]

SECONDS = 5.0
Subject = Callable[[random.Random, Path], None]


class Unexpected(Exception):
    """What must not be: a traceback, an unclear sentence, a result from damaged files."""


def _refused(error: BaseException) -> None:
    """Sees to it that an error is one sentence for people."""
    sentence = str(error)
    several = "\n" in sentence.strip() and not isinstance(error, DecodeError)  # LLVM shows the line that it means
    if not isinstance(error, HarnessError | simt.SimtError) or not sentence or several:
        raise Unexpected(f"{type(error).__name__}: {error}") from error


@contextlib.contextmanager
def _a_result_or_a_sentence() -> Iterator[None]:
    try:
        yield
    except (HarnessError, simt.SimtError) as error:
        _refused(error)


def _command(*words: str) -> int:
    """Runs a command; what it says ends in a sentence if it fails."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(list(words))
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1 if ended.code else 0
    told = out.getvalue() + err.getvalue()
    if code == exit_code.INTERNAL or "Traceback" in told or "a fault of the harness" in told:
        raise Unexpected(f"{words}: {err.getvalue()[-600:]}")
    if code == exit_code.USAGE and not re.search(r"^(\S+ )?(\w+: )?(error|오류): ", err.getvalue(), re.MULTILINE):
        raise Unexpected(f"{words}: refused without a sentence: {told[-300:]!r}")
    if "\x1b[2J" in told or re.search(r"^::error", told, re.MULTILINE):
        raise Unexpected(f"{words}: a terminal or a log would obey what it prints")
    return code


@cache
def _boxes() -> SandboxPool:
    return SandboxPool(choose_strongest())


def ir(generator: random.Random, folder: Path) -> None:
    """LLVM IR of a stranger, read in its box and, as far as it can be read, launched."""
    path = generator.choice(pairs.PAIRS)
    text = path.read_text(encoding="utf-8")
    if generator.random() < 0.8:
        text = mutate.text_of(generator, text)
    else:
        text = mutate.bytes_of(generator, text.encode()).decode("utf-8", "surrogateescape")
    with _a_result_or_a_sentence():
        module = decode_foreign(text, _boxes())
        grid, block, cluster = (int(number) for number in re.findall(r"\d+", pairs.header(path, "launch")))
        simt.launch(
            module,
            kernel=generator.choice(["caught", "clean"]),
            target=pairs.header(path, "target"),
            grid=grid,
            block=block,
            cluster=cluster,
            args=list(pairs.arguments(path)),
            observers=simt.observers(),
            options=simt.Options(max_seconds=SECONDS),
        )


def cache_entry(generator: random.Random, folder: Path) -> None:
    """An entry of the cache whose files are damaged: nothing or what was stored, never anything else."""
    cache = Cache(folder / "cache", lambda _: None)
    key = make_key({"kind": "fuzz", "number": 1})
    blobs = {"llvm": b"define void @k() { ret void }", "asm": b".visible .entry k"}
    cache.put(key, blobs)
    mutate.folder(generator, folder / "cache")
    with _a_result_or_a_sentence():
        entry = cache.get(key, list(blobs))
        if entry is not None and {role: blob.data for role, blob in entry.items()} != blobs:
            raise Unexpected(f"the cache gave what was never stored: {entry}")
        cache.put(key, blobs)


def artifacts(generator: random.Random, folder: Path) -> None:
    """A folder of artifacts that is damaged: refused, or whole."""
    target, mef = Target.parse("nvidia:sm_90"), b"\x7fMEF" + bytes(64)
    name = f"{sha256_hex(mef)[: bundle.NAME_DIGITS]}.mef"
    entry = {"graph": "g", "mef": name, "parameters": dict(compiled_parameters(find_case("p15"), 32))}
    manifest = {
        "format": bundle.FORMAT,
        "target": target.name,
        "warp_width": 32,
        "host": os.uname().machine,
        "versions": package_versions(),
        "kernels": "solutions",
        "sources": {},
        "cases": {"p15": entry},
        "around": {one.id: {**entry, "parameters": compiled_parameters(one, 32)} for one in surrounding_cases(target)},
        "files": {name: sha256_hex(mef)},
    }
    place = folder / "artifacts"
    place.mkdir()
    (place / name).write_bytes(mef)
    (place / "manifest.json").write_text(json.dumps(manifest))
    mutate.folder(generator, place)
    with _a_result_or_a_sentence():
        kept = bundle.read_bundle(place)
        cases = kept.select([])
        for artifact in kept.load_graphs(cases).artifacts.values():
            if artifact.mef.resolve().parent != place.resolve() or artifact.mef.read_bytes() != mef:
                raise Unexpected(f"it leads out of its folder: {artifact.mef}")


@cache
def _flags() -> dict[str, list[str]]:
    """The flags of each command."""
    (commands,) = (action.choices for action in make_parser()._actions if getattr(action, "choices", None))
    return {
        name: [option for action in command._actions for option in action.option_strings]
        for name, command in commands.items()
        if name not in ("bench", "doctor", "watch")  # these wait, or ask the machine
    }


def _can_be_said(word: str) -> bool:
    """Whether an operating system hands a word on to a command."""
    return not {"\0", "\ud800"} & set(word)


def command_line(generator: random.Random, folder: Path) -> None:
    """Words in the place of a command's own; no compiler is there."""
    command = generator.choice([*_flags(), "", "-", "p99", "\udc80"])
    values = ["p15", "p26:pair-swap", "@scale", "nvidia", "amd:gfx942", "4", "-1", "simulator", "cpu", "x.mojo", "x.ll"]
    values += [".", "/dev/null", "/", "no/such", "1,1,1", "out=ones:f32:8", "solutions", "ko", "llvm", "races"]
    values += [*mutate.NUMBERS, *filter(_can_be_said, mutate.SIGNS), "a" * 5000]
    words = [command]
    for _ in range(generator.randrange(7)):
        words.append(generator.choice([*_flags().get(command, []), *values] if generator.random() < 0.5 else values))
        if generator.random() < 0.1:
            words[-1] += f"={generator.choice(values)}"
    (folder / "x.mojo").write_text("def k(): pass\n")
    (folder / "x.ll").write_text("define ptx_kernel void @k() { ret void }\n")
    _command(*words)


def launches_file(generator: random.Random, folder: Path) -> None:
    """A file of launches."""
    text = "define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) { ret void }\n"
    (folder / "x.ll").write_text(text)
    launch = {"kernel": "k", "grid": [2, 1], "block": 32, "cluster": 1, "shared_bytes": 16}
    launch["args"] = {"out": generator.choice(["zeros:f32:8", "empty:i32:4,2", "ones:f16:3"]), "n": "i32:8"}
    again = {**launch, "args": {"out": "@out", "n": 8}}
    (folder / "launches.json").write_bytes(mutate.json_of(generator, json.dumps([launch, again]).encode()))
    _command("simulate", "x.ll", "--target", "nvidia:sm_90", "--launches", "launches.json", "--launch-seconds", "2")


def arguments(generator: random.Random, folder: Path) -> None:
    """Values of a kernel's arguments, on the command line."""
    (folder / "x.ll").write_text("define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) { ret void }\n")
    mutate.np.save(folder / "x.npy", mutate.np.zeros(8, "f4"))
    if generator.random() < 0.3:
        (folder / "x.npy").write_bytes(mutate.bytes_of(generator, (folder / "x.npy").read_bytes()))
    values = ["out=zeros:f32:8", "out=x.npy", "n=i32:8", "n=8", "out=@n", "out={a: 1}", "out=empty:u8:1,2,3"]
    words = [generator.choice(values[:2]), generator.choice(values[2:4])]
    for at in range(2):
        if generator.random() < 0.7:
            words[at] = mutate.text_of(generator, generator.choice(values), 2)
    grid, block = generator.choice(["1", "0", "1,1,1", *mutate.NUMBERS]), generator.choice(["8", "1025"])
    geometry = ["--grid", grid, "--block", block]
    flags = [flag for word in words for flag in ("--arg", word)]
    _command("simulate", "x.ll", "--target", "nvidia:sm_90", *geometry, *flags, "--launch-seconds", "2")


def cases_file(generator: random.Random, folder: Path) -> None:
    """A file that names programs; no compiler is there."""
    (folder / "x.mojo").write_text("def main(): pass\n")
    text = "x.mojo 1 2  # small\nx.mojo 'two words' \"three\"\n"
    (folder / "cases").write_bytes(mutate.bytes_of(generator, text.encode()))
    _command("exec", "--cases", "cases", "--target", "nvidia", "--backend", "simulator")


def points(generator: random.Random, folder: Path) -> None:
    """A file that says what modes are worth."""
    text = '[points]\ndefault = 1\n"p26:pair-swap" = 2.5\n[share]\nunkept = 0.8\n'
    damaged = mutate.text_of(generator, text).encode(errors="surrogatepass")
    place = folder / "points.toml"
    place.write_bytes(damaged if generator.random() < 0.6 else mutate.bytes_of(generator, text.encode()))
    with _a_result_or_a_sentence():
        read = scheme.read(place)
        if not 0 <= read.unkept <= 1 or not all(0 <= value < 1e6 for value in (read.default, *read.by_case.values())):
            raise Unexpected(f"points that nobody gives: {read}")


def handed_in(generator: random.Random, folder: Path) -> None:
    """Folders and archives of many people, read and reported."""
    root = folder / "people"
    for number in range(generator.randint(1, 3)):
        place = root / f"person{number}{generator.choice(mutate.SIGNS).replace(chr(0), '').replace(chr(0xD800), '')}"
        for puzzle in generator.sample(PUZZLES, 2):
            (place / puzzle).mkdir(parents=True, exist_ok=True)
            text = (MOJO / puzzle / "solution.mojo").read_bytes()
            (place / puzzle / "problem.mojo").write_bytes(mutate.bytes_of(generator, text))
        mutate.folder(generator, place)
        if generator.random() < 0.6:
            _packed(generator, place)
    with _a_result_or_a_sentence():
        read = submissions.read(root, PUZZLES)
        grade(read, folder / "out", SETTINGS, Scheme(), "limits", said)
        for name in ("results.json", "results.csv", "junit.xml", "index.html"):
            (folder / "out" / name).read_text()


def _packed(generator: random.Random, place: Path) -> None:
    kind, end = generator.choice([("zip", ".zip"), ("tar", ".tar"), ("gztar", ".tar.gz"), ("xztar", ".tar.xz")])
    for path in list(place.rglob("*")):
        if not path.is_file() and not path.is_dir():
            path.unlink()
    with contextlib.suppress(OSError, ValueError, zipfile.LargeZipFile):
        packed = Path(shutil.make_archive(str(place), kind, place))
        if generator.random() < 0.7:
            packed.write_bytes(mutate.bytes_of(generator, packed.read_bytes()))
        if generator.random() < 0.1:
            packed.rename(
                packed.with_name(packed.name.removesuffix(end) + generator.choice([".zip", ".tar", ".tar.bz2", ".rar"]))
            )
        shutil.rmtree(place)


def store(generator: random.Random, folder: Path) -> None:
    """The folder of a grading that was stopped: gone on with, or refused."""
    people = [person("ann", p15='verdict = "PASS"'), person("bob", p15='verdict = "FINDING"', p26="x")]
    grade(people, folder / "out", SETTINGS, Scheme(), "limits", said)
    mutate.folder(generator, folder / "out")
    with _a_result_or_a_sentence():
        grading = grade(people, folder / "out", SETTINGS, Scheme(), "limits", said)
        if not grading.complete:
            raise Unexpected("somebody is not graded")


def box_answer(generator: random.Random, folder: Path) -> None:
    """What a box that was taken over might answer."""
    mode = {"case": "p15", "verdict": "PASS", "reason": "", "lines": ["x"], "unkept": [], "passed": 6, "total": 6}
    codes = {"result": {"codes": {"p15": [{"llvm": "ir", "asm": "ptx"}]}}, "cpu_seconds": 4.0, "peak_bytes": 9}
    right = {"result": {"modes": [mode]}, "cpu_seconds": 0.5, "peak_bytes": 5}

    class Taken:
        def ask(self, module: str, *_: Any, **__: Any) -> SandboxAnswer:
            data = json.dumps(codes if module.endswith("compile_stage") else right).encode()
            changed = mutate.json_of(generator, data) if generator.random() < 0.7 else data
            status, limit = generator.choice([(0, ""), (0, ""), (1, ""), (-9, ""), (-24, "cpu_seconds")])
            return SandboxAnswer(
                ProcessExit(status, limit), generator.choice([changed, changed, changed, None]), "noise"
            )

    job = Job("p15", f"kernel {generator.random()}")
    with _a_result_or_a_sentence():
        result = judge(job, SETTINGS, Taken(), Cache(folder / "cache", lambda _: None))
        codec.encode(result)
        grade([person("ann", p15=job.text)], folder / "out", SETTINGS, Scheme(), "limits", lambda *_: iter([result]))


STORE = "define ptx_kernel void @k(ptr %p) {\n  store float 1.0, ptr %p\n  ret void\n}\n"


def journal(generator: random.Random, folder: Path) -> None:
    """What the process of a host function might tell: followed, or refused; a result that the host wrote is told."""
    right = np.arange(1, 5, dtype=np.float32)
    pointer = base_of(FIRST + 1).to_bytes(8, "little").hex()
    launch = ["launch", "k", [1, 1, 1], [1, 1, 1], [1, 1, 1], 0, [pointer], {}]
    entries = [["buffer", FIRST, 16], ["given", 0, 0, FIRST], ["buffer", FIRST + 1, 16], launch]
    entries += [["fill", FIRST, 0, 16, "00000000"], ["copy", FIRST + 1, 4, FIRST, 0, 8], ["freed", FIRST + 1]]
    entries.insert(generator.randrange(2, 6), ["host", FIRST, 0, 16, right.tobytes().hex(), "00" * 16])
    told = mutate.json_of(generator, json.dumps(entries).encode())
    output = np.full(4, np.nan, np.float32)
    given = [simt.Buffer(output, "output", undefined=np.ones(16, bool))]
    kernels = {"k": simt.decode(STORE)}
    launcher = Launcher(plan=LaunchPlan(Target.parse("nvidia:sm_90"), "simulator"))
    replay = Replay(launcher, given, kernels, simt.observers, simt.Options(max_seconds=SECONDS), ())
    with contextlib.suppress(ValueError), _a_result_or_a_sentence():
        replay.follow(codec.decode(CallReport, b'{"journal": %s}' % told).journal)
        if np.array_equal(output, right) and not list(replay.find_host_writes()):
            raise Unexpected(f"a result that no kernel made: {told!r}")


def workspace(generator: random.Random, folder: Path) -> None:
    """A learner's workspace whose state is damaged."""
    _command("start", "work")
    root = folder / "work"
    (root / "puzzles.toml").exists() or (root / "puzzles.toml").touch()
    progress = LearnerProgress.read(root)
    progress.update("p15", tries=3, hints=1)
    progress.update("p26:pair-swap", tries=1, solved="2026-01-01T00:00:00+00:00")
    for path in root.rglob("README*"):
        path.unlink()
    state = root / ".progress.json"
    if generator.random() < 0.7:
        state.write_bytes(mutate.json_of(generator, state.read_bytes()))
    else:
        mutate.folder(generator, root)
    with contextlib.chdir(root):
        for words in (["next"], ["hint", "p15"], ["list"], ["start", "."]):
            _command(*words)


INPUTS = {case.id: case.instance(32).inputs for case in CASES}


def from_python(generator: random.Random, folder: Path) -> None:
    """`harness.run` and `harness.empty` with what somebody might give; nothing is compiled."""
    name = generator.choice([*INPUTS, "p15", "p99", "", None, 3, b"p15"])
    known = INPUTS.get(name, ()) if isinstance(name, str) else ()
    names = [*(buffer.name for buffer in known), generator.choice(["", "x", 1, None])]
    arrays = {name: mutate.array(generator) for name in generator.sample(names, generator.randint(1, len(names)))}
    right = {
        buffer.name: mutate.np.zeros(buffer.shape, generator.choice([buffer.dtype, "f8", "i4"])) for buffer in known
    }
    given = generator.choice([arrays, right, {**right, **arrays}, mutate.odd(generator), [mutate.array(generator)]])
    options = {
        "target": generator.choice(["nvidia", "nvidia:sm_90", "amd", "x", mutate.odd(generator)]),
        "backend": generator.choice(["simulator", "auto", "max", "cpu", mutate.odd(generator)]),
        "kernels": generator.choice(["solutions", "problems", mutate.odd(generator)]),
        "file": generator.choice([None, "x.mojo", folder, mutate.odd(generator)]),
    }
    few = {key: options[key] for key in generator.sample(list(options), generator.randint(1, 3))}
    with _a_result_or_a_sentence():
        harness.run(name, given, **few)
    with _a_result_or_a_sentence():
        shape = generator.choice([mutate.odd(generator), (2, 3), -1, (0,), 2**62, (2**40, 2**40), "12"])
        kind = generator.choice(["f4", "f8", "O", "x", 3, None, mutate.odd(generator)])
        if not isinstance(shape, int | tuple) or not _large(shape):
            harness.empty(shape, kind)


def _large(shape: Any) -> bool:
    whole = 1
    for extent in shape if isinstance(shape, tuple) else (shape,):
        whole *= extent
    return 1 << 28 < whole < 1 << 44  # a machine may well have room for it, and takes its time


SUBJECTS: dict[str, Subject] = {
    subject.__name__.replace("_", "-"): subject
    for subject in (
        ir,
        cache_entry,
        artifacts,
        command_line,
        launches_file,
        arguments,
        cases_file,
        points,
        handed_in,
        store,
        box_answer,
        journal,
        workspace,
        from_python,
    )
}
