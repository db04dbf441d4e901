"""The kernels' own device code: LLVM IR and assembly, without a GPU."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness.build import toolchain
from harness.build.cache import Cache
from harness.build.unit import BuildUnit, parameters_of, units
from harness.errors import ArtifactError, CompileError, UsageError
from harness.model.case import Case
from harness.model.sources import Sources, shown
from harness.model.target import Target

__all__ = ["device_code", "stored_kernels"]

Notify = Callable[[str], None]
# The mangled symbol keeps this many characters of `<puzzle>_<kernel>`, then adds a hash.
_SYMBOL_CHARACTERS = 31


def device_code(
    cases: Sequence[Case],
    target: Target,
    sources: Sources,
    level: str,
    notify: Notify = lambda _: None,
    *,
    cache: Cache | None = None,
    force: bool = False,
) -> dict[str, str | CompileError]:
    """The device code of each case's kernel.

    Args:
        cases: What is wanted; a case that the target refuses is left out.
        target: Any, Apple's too.
        sources: Whose kernels.
        level: `llvm` or `asm` (PTX, AMDGCN; for Apple LLVM IR once more).
        notify: Gets one line when something is compiled.
        cache: The default one unless told.
        force: Compiles also what the target refuses.

    Returns:
        By case id, the text, or why it does not compile.
    """
    if level not in toolchain.LEVELS:
        raise UsageError(f"no level {level!r} of device code: known are {', '.join(toolchain.LEVELS)}.")
    store = cache or Cache.default()
    groups = units(cases, target, sources, target.warp_width, force=force)
    codes: dict[str, str | CompileError] = {}
    missing = []
    for group in groups:
        kernels = stored_kernels(group, target, level, store)
        if kernels is None:
            missing.append(group)
        else:
            codes |= kernels
    if missing:
        store.require_writable()
        names = ", ".join(group.puzzle for group in missing)
        notify(f"compiling the kernels of {names} for {target} to {level}")

        def build(groups: list[BuildUnit]) -> None:
            with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
                for kernels in pool.map(lambda group: _built(group, target, level, store), groups):
                    codes.update(kernels)

        store.in_turn({_key(group, target, level): group for group in missing}, build)
    return {case.id: codes[case.id] for case in cases if case.id in codes}


def stored_kernels(group: BuildUnit, target: Target, level: str, cache: Cache) -> dict[str, str | CompileError] | None:
    """The device code of a group out of the cache, or None."""
    blobs = cache.get(_key(group, target, level), [case.id for case in group.cases])
    return None if blobs is None else {case: blob.text for case, blob in blobs.items()}


def _key(group: BuildUnit, target: Target, level: str) -> str:
    # Debug locations name the kernel's file, so its path counts too: that below the
    # repository's root, so that a checkout elsewhere finds what was built here.
    files = [group.kernel, group.device_program, Path(toolchain.__file__)]
    return group.key(level, files, target=target.name, path=shown(group.kernel))


def _built(group: BuildUnit, target: Target, level: str, cache: Cache) -> dict[str, str | CompileError]:
    stored = stored_kernels(group, target, level, cache)
    if stored is not None:  # another build was faster
        return stored
    with tempfile.TemporaryDirectory(prefix="kernels-") as folder:
        # Linked alone under the puzzle's name: nothing else in its folder is imported.
        link = Path(folder).resolve() / f"{group.module}.mojo"
        link.symlink_to(group.kernel)
        try:
            emitted = toolchain.emit(
                group.device_program,
                target.architecture,
                level,
                defines=_defines(group),
                includes=[link.parent],
                origins={str(link): group.kernel},
            )
        except CompileError as error:
            return {case.id: error for case in group.cases}
    kernels = {case.id: _of(case, emitted) for case in group.cases}
    cache.put(_key(group, target, level), {case: text.encode() for case, text in kernels.items()})
    return dict(kernels)


def _defines(group: BuildUnit) -> dict[str, int]:
    return {
        f"{case.op}_{name}": value
        for case in group.cases
        for name, value in parameters_of(group.instance(case)).items()
    }


def _of(case: Case, emitted: dict[str, str]) -> str:
    stem = f"{case.source}_{case.kernel}"[:_SYMBOL_CHARACTERS]
    texts = [text for symbol, text in emitted.items() if symbol.startswith(stem)]
    if len(texts) != 1:
        raise ArtifactError(f"{len(texts)} compiled kernels are called {stem}*: {', '.join(emitted)}.")
    return texts[0]
