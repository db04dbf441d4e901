"""Name the Dask resources that a host offers and a job asks for, and choose a plan from those of the workers.

simulator          as many as it may judge at a time
nvidia:sm_90, ...  a GPU of that architecture, which the worker has to itself
sandbox:bwrap      submissions can be shut in by bubblewrap
sandbox:auto       they can be shut in there without being asked how: not where all there is are limits of the superuser
harness:<digest>   the same harness, kernels and versions, so that a verdict is the same wherever it is found
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from harness.backends import devices
from harness.backends.devices import Device
from harness.backends.planning import choose
from harness.errors import EnvironmentFault
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import MOJO
from harness.model.target import Target
from harness.process.box import choose_sandbox, choose_strongest

__all__ = [
    "SIMULATOR",
    "Offer",
    "choose_plan",
    "describe_sandboxes",
    "harness_resource",
    "list_offers",
    "sandbox_resource",
]

SIMULATOR = "simulator"
_PACKAGES = ("max", "mojo", "numpy", "llvmlite")
_PACKAGE = Path(__file__).resolve().parent.parent
_SUFFIXES = (".py", ".mojo", ".🔥")


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The description of one worker.

    Attributes:
        what: `simulator`, or a GPU's architecture.
        slots: How many jobs at a time.
        device: For people.
        environment: Variables that leave it this GPU alone.
    """

    what: str
    slots: int
    device: str
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def resources(self) -> dict[str, float]:
        """The resources that the worker declares to the scheduler, each as often as it has slots.

        They are `what` it is, its harness, `sandbox:bwrap` if bubblewrap works here, and `sandbox:auto` unless
        `choose_sandbox` refuses `auto` here.
        """
        names = [self.what, harness_resource()]
        if choose_strongest().kind == "bwrap":
            names.append(sandbox_resource("bwrap"))
        with suppress(EnvironmentFault):
            choose_sandbox("auto")
            names.append(sandbox_resource("auto"))
        return dict.fromkeys(names, float(self.slots))


@functools.cache
def harness_resource() -> str:
    """Return the name of the resource that only workers with this very harness have.

    It is a digest of all Python and Mojo files of the harness and of package versions, computed once in a process.
    """
    sums = hashlib.sha256()
    for folder in (_PACKAGE, MOJO):
        for path in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
            sums.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes() + b"\0")
    for package in _PACKAGES:
        try:
            sums.update(f"{package} {version(package)}\0".encode())
        except PackageNotFoundError:
            sums.update(f"no {package}\0".encode())
    return f"harness:{sums.hexdigest()[:16]}"


def sandbox_resource(kind: str) -> str:
    """Return the name of the resource of hosts where a kind of box works."""
    return f"sandbox:{kind}"


def describe_sandboxes(workers: Collection[Mapping[str, float]], need: str) -> str:
    """Return in words what `--sandbox auto` means on the workers that have the resource `need`.

    The text says on how many it is bwrap, and what limits leave exposed on the others. Workers that refuse `auto`,
    since they run as the superuser without bwrap, do not count.

    Raises:
        EnvironmentFault: No worker has the resource, or each that has it refuses `auto`; the message says which.
    """
    fitting = [offered for offered in workers if need in offered]
    if not fitting:  # it may have left since the plan was made
        raise EnvironmentFault(f"no worker offers {need}: start one with `puzzles worker`.")
    unattended = [offered for offered in fitting if sandbox_resource("auto") in offered]
    if not unattended:
        raise EnvironmentFault(
            "each worker runs as the superuser without bwrap, where a program could read and change every file: "
            "install bubblewrap, or run workers as another user; `--sandbox limits` does it all the same."
        )
    strong = sum(sandbox_resource("bwrap") in offered for offered in unattended)
    if strong == len(unattended):
        return "bwrap, as all workers have it"
    where = (
        f"bwrap on {strong} of {len(unattended)} workers, limits on the others" if strong else "limits, on all workers"
    )
    return f"{where}, where a program could use the network, and read and change what the worker may"


def list_offers(slots: int, gpus: str = "") -> list[Offer]:
    """Return the workers that this host can offer: one for its processors, and one for each GPU.

    Args:
        slots: Of the simulator; 0 for none.
        gpus: `all` GPUs that MAX builds for, none if empty, or the numbers of some, `0,2`, offered in this order; one
            that is named twice is offered once.

    Raises:
        EnvironmentFault: `gpus` has anything that is not the number of such a GPU.
    """
    offers = [Offer(what=SIMULATOR, slots=slots, device="SIMT simulator")] if slots else []
    present = {str(gpu.index): gpu for gpu in devices.discover() if gpu.target.max_can_build}
    names = present if gpus == "all" else filter(None, (part.strip() for part in gpus.split(",")))
    for name in dict.fromkeys(names):
        if name not in present:
            raise EnvironmentFault(f"there is no GPU {name} here: {', '.join(present) or 'there is none'}.")
        gpu = present[name]
        environment = devices.restrict_to_gpu(gpu.target.vendor, gpu.index)
        offers.append(Offer(what=gpu.target.name, slots=1, device=f"{gpu.name}, GPU {name}", environment=environment))
    return offers


def choose_plan(target: str | None, backend: str, offered: Collection[str]) -> tuple[LaunchPlan, str]:
    """Choose target and backend from the workers' resources, as `harness.backends.planning.plan` does for this machine.

    Args:
        target: `vendor:architecture`; a vendor or None for a GPU that a worker has, else the default target.
        backend: `auto` (a fitting GPU, else the simulator), `max` or `simulator`.
        offered: The resources of all workers.

    Returns:
        The plan, and the resource that a job asks for: a GPU's architecture or `SIMULATOR`.

    Raises:
        UsageError: Unknown target or backend.
        EnvironmentFault: No worker can do it.
    """
    gpus = sorted(name for name in offered if name != SIMULATOR and name.partition(":")[0] in devices.VISIBLE)
    choice = choose(target, backend, present=lambda: [Device(name, Target.parse(name)) for name in gpus])
    selected = choice.target
    if choice.gpus:
        gpu = choice.gpus[0].name
        return LaunchPlan(selected, "max", f"{gpu} of a cluster", "a worker has it"), gpu
    if backend == "max":
        raise EnvironmentFault(f"no worker has a GPU for {selected}: {_describe_offered(offered)}.")
    if SIMULATOR not in offered:
        raise EnvironmentFault(f"no worker has the simulator: {_describe_offered(offered)}.")
    why = "requested" if backend == "simulator" else f"no worker has a GPU for {selected}"
    return LaunchPlan(selected, "simulator", "SIMT simulator of a cluster", why), SIMULATOR


def _describe_offered(offered: Collection[str]) -> str:
    names = sorted(name for name in offered if not name.startswith(("harness:", "sandbox:")))
    return f"they have {', '.join(names)}" if names else "start one with `puzzles worker`"
