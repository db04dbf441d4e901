"""Precompile files of kernels into packages in a temporary folder; a child compiles graphs from them with MAX."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from harness.build import generate, toolchain
from harness.build.compiler import KILLED, WALL_SECONDS, describe_timeout, describe_wait, disk_errors
from harness.build.device_code import STAGED
from harness.build.diagnostics import extract_diagnostics
from harness.build.max_compiler import GraphJob, GraphProduct, GraphSpec
from harness.build.unit import Build, BuildUnit
from harness.errors import CompileError, CompileTimeout, EnvironmentFault
from harness.model.sources import GENERATED
from harness.process import channel, child
from harness.process.worker import Worker
from harness.simt.plain import one_line

__all__ = ["GraphBuilder"]

# All the puzzles together take one GiB; a `comptime` that never ends takes all.
LIMITS = child.Limits(memory_bytes=16 << 30, cpu_seconds=600, seconds=WALL_SECONDS)


class GraphBuilder:
    """A temporary folder of precompiled packages, and a child that compiles graphs from them; a context manager.

    Args:
        build: The build's options.

    Attributes:
        errors: The compile error of each file of kernels that does not compile, by module.
    """

    def __init__(self, build: Build) -> None:
        self.errors: dict[str, CompileError] = {}
        self._build = build
        self._cpu_seconds = (build.limits or LIMITS).cpu_seconds or 0
        self._files: dict[str, Path] = {}
        self._staged: dict[str, Path] = {}  # of packages, by the end of their names there
        self._inside: dict[str, str] = {}  # modules that were precompiled with others, by the names of their own
        self._count = 0
        with ExitStack() as resources:
            self._folder = resources.enter_context(child.temporary_folder())
            self._compiler = _Compiler(build)
            resources.callback(self._compiler.close)
            self._closing = resources.pop_all()

    def __enter__(self) -> GraphBuilder:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def add_kernels(self, requested: Sequence[BuildUnit]) -> None:
        """Precompile the units' files into packages, in parallel; add what does not compile to `errors`, by module.

        Files without ops of their own are compiled in as many groups as there are processors, the others one by one.
        """
        units = {unit.module: unit for unit in requested}
        self._files |= {module: unit.file for module, unit in units.items()}
        # Two files' ops may have one name, and what has limits of its own may take what others need.
        joinable = [u for u in units.values() if not (self._build.limits or u.case.package or u.registered_ops)]
        processors = os.cpu_count() or 1
        shares = [share for number in range(processors) if (share := joinable[number::processors])]
        shares += [[unit] for unit in units.values() if unit not in joinable]
        with ThreadPoolExecutor(processors) as pool:
            list(pool.map(self._precompile_together, shares))

    def _precompile_together(self, share: Sequence[BuildUnit]) -> None:
        """Precompile several files as one package, since reading Mojo's library takes longer than reading ten of
        them; if that fails, each alone. Errors go into `errors`, by module.
        """
        if len(share) == 1:
            self._precompile(share[0])
            return
        package = f"together_{share[0].module}"
        folder = self._folder / STAGED / package
        staged: dict[str, Path] = {}
        with disk_errors(self._folder):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "__init__.mojo").touch()
            for unit in share:
                staged |= unit.stage(folder)
        try:
            toolchain.precompile(folder, package, self._folder)
        except CompileError:
            for unit in share:  # each has its own errors
                self._precompile(unit)
            return
        self._staged |= {path.replace(str(self._folder / STAGED), "src"): real for path, real in staged.items()}
        self._inside |= {unit.module: f"{package}.{unit.module}" for unit in share}

    def _precompile(self, unit: BuildUnit) -> None:
        """Precompile one unit's file or package; put a CompileError into `errors`, by module."""
        # A separate folder: a package may have any name, also that of a result.
        modules = self._folder / STAGED
        with disk_errors(self._folder):
            modules.mkdir(exist_ok=True)
            staged = unit.stage(modules)
        package = unit.case.package
        source = modules / package.name if package else Path(next(iter(staged)))
        self._staged |= {path.replace(str(modules), "src"): real for path, real in staged.items() if package}
        try:
            toolchain.precompile(source, _package_of(unit.module), self._folder, unit.file, self._build.limits)
        except CompileError as error:
            self.errors[unit.module] = error

    def compile(self, together: Sequence[BuildUnit], specs: Sequence[GraphSpec]) -> tuple[dict[str, str], bytes]:
        """Compile graphs into one MEF file.

        Args:
            together: The units whose ops are generated, or whose file has the op; `add_kernels` had them before.
            specs: The graphs.

        Returns:
            The MLIR of each graph by its name, and the bytes of the MEF file.

        Raises:
            CompileError: One of them does not compile.
            CompileTimeout: They take more than the processor time.
            EnvironmentFault: The machine is to blame.
        """
        self._count += 1
        out = self._folder / f"{self._count}.mef"
        together = [replace(unit, module=self._inside.get(unit.module, unit.module)) for unit in together]
        modules = list(dict.fromkeys(unit.module for unit in together))
        if generated := [unit for unit in together if unit.case.graph is None]:
            ops = f"ops_{self._count}"
            source = self._folder / f"{ops}.mojo"
            with disk_errors(self._folder):
                source.write_text(generate.generate_ops(generated, reference=self._build.reference), encoding="utf-8")
            toolchain.precompile(source, ops, self._folder, GENERATED / "ops.mojo", limits=self._build.limits)
            modules.append(ops)
        packages = tuple(str(self._folder / f"{root}.mojoc") for root in dict.fromkeys(map(_package_of, modules)))
        case_ids = " and ".join(dict.fromkeys(unit.case.id for unit in together))
        product = self._compiler.compile(GraphJob(tuple(specs), packages, str(out), self._cpu_seconds), case_ids)
        if product.error:
            # By the end of its name: the engine keeps places of an earlier build of the same ops, in another folder.
            staged = {module: f"src/{module}/__init__.mojo" for module in modules}
            origins = {staged[module]: self._files.get(module, GENERATED / "ops.mojo") for module in modules}
            origins |= self._staged
            raise CompileError(
                f"{case_ids} does not compile for {self._build.target_name}",
                extract_diagnostics(product.error, origins),
            )
        return product.mlir, out.read_bytes()


def _package_of(module: str) -> str:
    """Return the package of a dotted module name."""
    return module.partition(".")[0]


class _Compiler:
    """A child process that compiles for one target; it is replaced after a crash."""

    def __init__(self, build: Build) -> None:
        self._where = ["cpu", ""] if build.reference else [build.target.gpu.api, build.target.architecture]
        self._limits = build.limits or LIMITS
        self._is_ready = False  # whether MAX is loaded in the child, and has its device
        self._child = self._start_child()

    def close(self) -> None:
        """End the child."""
        self._child.close()

    def compile(self, job: GraphJob, case_ids: str) -> GraphProduct:
        """Compile a job; a compile error is in the product, not raised, and so is a crash.

        The child is replaced after a crash or a timeout.

        Args:
            job: The job.
            case_ids: The ids of its cases, for people.

        Raises:
            CompileTimeout: It takes more than its processor time.
            EnvironmentFault: The machine is to blame.
        """
        try:
            self._child.send(job)
            if not self._is_ready:
                self._child.receive(WALL_SECONDS)
                self._is_ready = True
            product: GraphProduct = self._child.receive(WALL_SECONDS)
        except channel.TimeUpError:
            self._restart()
            raise EnvironmentFault(f"MAX could not compile {case_ids}: {describe_wait(WALL_SECONDS)}.") from None
        except (channel.ClosedError, channel.GarbageError):
            fate, noise = self._child.fate(), self._child.noise()
            is_ready = self._is_ready
            self._restart()
            if "SIGPROF" in fate:
                raise CompileTimeout(describe_timeout(case_ids, job.cpu_seconds)) from None
            if "SIGKILL" in fate:
                raise EnvironmentFault(f"MAX could not compile {case_ids}: {KILLED}.") from None
            if not is_ready:  # it has seen no kernel yet, whatever it says
                words = one_line((noise.splitlines() or [f"its compiler {fate} and printed nothing"])[-1])
                raise EnvironmentFault(f"MAX cannot build here: {words}.") from None
            return GraphProduct({}, f"error: the compiler {fate}\n{noise}")
        if not product.error and not Path(job.out).is_file():
            return GraphProduct({}, "error: the compiler wrote nothing")
        return product

    def _restart(self) -> None:
        self._child.close()
        self._child = self._start_child()

    def _start_child(self) -> Worker:
        self._is_ready = False
        return Worker(
            "harness.build.max_compiler", self._where, limits=child.Limits(memory_bytes=self._limits.memory_bytes)
        )
