"""Launch kernels in the simulator by a `LaunchPlan`: options, observers, thread orders; on arrays or a device."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness import simt
from harness.model.launch_plan import LaunchPlan
from harness.simt.ir.parse import Module
from harness.simt.observe import Observer
from harness.simt.observing.default import observers as default_observers
from harness.simt.options import Objects, Options
from harness.simt.result import LaunchResult
from harness.simt.state.device import Device

__all__ = ["Geometry", "Launcher"]

Extent = tuple[int, ...]


class Geometry(Protocol):
    """The geometry of a launch."""

    @property
    def grid(self) -> Extent:
        """Blocks in x, y and z."""

    @property
    def block(self) -> Extent:
        """Threads of a block in x, y and z."""

    @property
    def cluster(self) -> Extent:
        """Blocks of a cluster in x, y and z."""

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a block, in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launcher:
    """Makes the simulated launches of a plan.

    Attributes:
        plan: The plan: target, limits, engine and observers of each launch.
        objects: The store of kernels' machine code; None to keep it for this process alone.
        observe: Makes fresh observers for a launch, as `harness.simt.observers` does.
    """

    plan: LaunchPlan
    objects: Objects | None = None
    observe: Callable[..., tuple[Observer, ...]] = default_observers

    @property
    def whole_launch(self) -> Options:
        """The options of a launch whose limit holds for all of it."""
        return self.options(1).impatient(self.plan.seconds_per_chunk)

    def options(self, lanes: int, seconds: float | None = None) -> Options:
        """Return the options of a launch of so many lanes, with the plan's seed, engine and workers.

        Args:
            lanes: How many threads it has.
            seconds: The limit for each chunk of threads that runs together, in CPU seconds, so a longer launch has more
                time; None for the plan's.
        """
        plan = self.plan
        options = Options(seed=plan.seed, engine=plan.engine, objects=self.objects, workers=plan.workers)
        return options.patient(seconds or plan.seconds_per_chunk, lanes)

    def observers(
        self,
        *,
        counters: bool = True,
        counted: Collection[str] | None = None,
        measured: bool = True,
        without: Collection[str] = (),
    ) -> tuple[Observer, ...]:
        """Make fresh observers for one launch.

        Args:
            counters: Whether the counter observer is among them.
            counted: The names of the counters that are needed (more are counted if the plan counts all); None for all.
            measured: False omits the profile and the comparison with shapes, even if the plan asks for them.
            without: Names of observers to leave out, beside those that the plan leaves out.
        """
        left_out = {*self.plan.left_out, *without, *(() if counters else ("counters",))}
        return self.observe(
            profile=self.plan.profile and measured,
            shapes=self.plan.shapes and measured,
            counted=counted,
            more=counted is not None and self.plan.counters,
            **dict.fromkeys(left_out, False),
        )

    def check(self, module: Module, kernel: str | None, geometry: Geometry) -> None:
        """Check that a kernel can be launched with a geometry on the plan's target; launch nothing.

        Raises:
            SimtError: It cannot; says why.
        """
        simt.check(module, **self._aim(kernel, geometry))

    def launch(
        self,
        module: Module,
        kernel: str | None,
        geometry: Geometry,
        arguments: Sequence[Any],
        *,
        observers: Callable[[], Iterable[Observer]],
        options: Options,
        seeds: Sequence[int],
    ) -> LaunchResult:
        """Launch a kernel on arrays in one order of its threads, and in other orders while these take little time.

        Args:
            module: The module with the kernel.
            kernel: Its symbol, a unique part of that, or its name in the source; None if the module has only one.
            geometry: The geometry.
            arguments: The kernel's arguments, in order; arrays hold the results of the first order afterwards.
            observers: Makes fresh observers for each order.
            options: The options; no other order is tried if they have a seed.
            seeds: The other orders; none is tried if the plan has no `orders`.

        Raises:
            SimtError: It cannot be launched so.
        """
        return simt.launch_in_orders(
            module,
            **self._aim(kernel, geometry),
            args=arguments,
            observers=observers,
            options=options,
            seeds=seeds if self.plan.orders else (),
        )

    def launch_on(
        self,
        device: Device,
        module: Module,
        kernel: str,
        geometry: Geometry,
        parameters: Sequence[bytes],
        constants: Mapping[str, bytes],
        observers: Iterable[Observer],
        options: Options,
        *,
        proved: bool = False,
    ) -> LaunchResult:
        """Launch a kernel on a device's memory, in one order of its threads.

        Args:
            device: The device.
            module: The module with the kernel.
            kernel: Its symbol, a unique part of that, or its name in the source.
            geometry: The geometry.
            parameters: The bytes of each parameter of the kernel, in order; pointers are addresses of the device.
            constants: The initial bytes of global variables, by name, in place of those in the module.
            observers: What watches the launch.
            options: The options, as of `options`.
            proved: Whether to refuse a launch that the compiled engine does not run.

        Raises:
            SimtError: It cannot be launched so.
            Declined: With `proved`, the compiled engine does not run it; memory has not changed.
        """
        return simt.launch_on(
            device,
            module,
            **self._aim(kernel, geometry),
            parameters=parameters,
            constants=constants,
            observers=observers,
            options=options,
            proved=proved,
        )

    def _aim(self, kernel: str | None, geometry: Geometry) -> dict[str, Any]:
        return {
            "kernel": kernel,
            "target": self.plan.target.name,
            "grid": geometry.grid,
            "block": geometry.block,
            "cluster": geometry.cluster,
            "dynamic_shared_bytes": geometry.shared_bytes,
        }
