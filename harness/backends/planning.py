"""Choose the target to compile for, and the backend and the GPUs of this machine that launch it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.backends import devices
from harness.backends.devices import Device
from harness.errors import ArtifactError, EnvironmentFault, UsageError, unknown_name
from harness.model.launch_plan import LaunchPlan
from harness.model.project import installed_version
from harness.model.report import BACKENDS
from harness.model.target import VENDOR_NAMES, Target
from harness.model.terms import format_option

if TYPE_CHECKING:  # a learner's command waits for nothing that only others need
    from harness.build.bundle import Bundle

__all__ = ["Choice", "choose", "plan", "plan_artifacts"]


@dataclass(frozen=True, slots=True)
class Choice:
    """A target, and the GPUs that run it.

    Attributes:
        target: The GPU that is compiled for.
        gpus: Those that run it, its very architecture first; none where another backend is asked for, or none fits.
        present: Those that were there to choose from.
    """

    target: Target
    gpus: tuple[Device, ...]
    present: tuple[Device, ...]


def choose(
    target: Target | str | None,
    backend: str,
    *,
    backends: Sequence[str] = BACKENDS,
    present: Callable[[], Sequence[Device]] | None = None,
) -> Choice:
    """Choose the target to compile for and the GPUs that run it, but no backend. No GPUs unless `backend` is `auto` or
    `max`.

    Args:
        target: `vendor:architecture`. A vendor, or None for any vendor, means the first such GPU that is there, else
            the default target of the vendor, or of NVIDIA.
        backend: One of `backends`.
        backends: The backends that there are to choose from.
        present: Finds the GPUs; those of this machine unless told. Not called for an exact target and `simulator`.

    Raises:
        UsageError: Unknown target or backend. That no GPU fits is no error here.
    """
    if backend not in backends:
        raise unknown_name("backend", backend, backends)
    chosen_target = target if isinstance(target, Target) else Target.parse(target or "nvidia")
    exact = isinstance(target, Target) or (target is not None and ":" in target)
    found_gpus = () if exact and backend == "simulator" else tuple((present or devices.discover)())
    if not exact:
        chosen_target = next((gpu.target for gpu in found_gpus if target in (None, gpu.target.vendor)), chosen_target)
    fitting = (
        (gpu for gpu in found_gpus if chosen_target.runs_on(gpu.target.architecture))
        if backend in ("auto", "max")
        else ()
    )
    return Choice(chosen_target, tuple(sorted(fitting, key=lambda gpu: gpu.target != chosen_target)), found_gpus)


def plan(target: str | None = None, backend: str = "auto", gpus: str = "") -> LaunchPlan:
    """Plan the launches of cases on this machine.

    Args:
        target: `vendor:architecture`, a vendor, or None for this machine's GPU
            and, without one, the default target.
        backend: One of `BACKENDS`. `auto` takes a GPU that fits the target, and
            the simulator where there is none; never `cpu`.
        gpus: `all` GPUs that fit the target, or the numbers of some, `0,2`;
            otherwise the first one. Naming any asks for `max`.

    Raises:
        UsageError: Unknown target, backend or GPU, or `gpus` beside a backend that uses none.
        EnvironmentFault: `max` was asked for and no GPU fits, or MAX does not run kernels on it.
    """
    if gpus and backend not in ("auto", "max"):
        raise UsageError(f"--devices is for GPUs: it does not go with --backend {backend}.")
    backend = "max" if gpus else backend
    choice = choose(target, backend)
    plan_target = choice.target
    if backend == "cpu":
        return LaunchPlan(plan_target, "cpu", "host CPU through MAX", "requested: no kernel runs")
    if backend == "simulator":
        return LaunchPlan(plan_target, "simulator", "SIMT simulator", "requested")
    if choice.gpus and plan_target.max_can_build:
        selected = _select_gpus(gpus, choice.gpus)
        reason = "the GPU is here" if len(selected) == 1 else f"{len(selected)} GPUs are here"
        return LaunchPlan(plan_target, "max", choice.gpus[0].name, reason, tuple(device.index for device in selected))
    vendor = VENDOR_NAMES[plan_target.vendor]
    missing = f"no {vendor} GPU here"
    if choice.gpus:
        missing = f"MAX {installed_version('max')} does not run custom ops on {vendor} yet"
    elif others := [gpu for gpu in choice.present if gpu.target.vendor == plan_target.vendor]:
        missing = f"the GPU here is {others[0].target}, which does not run {plan_target}"
    if backend == "max":
        instead = format_option("backend", "simulator")
        raise EnvironmentFault(f"{missing}: use {instead}, which executes the same compiled kernel.")
    return LaunchPlan(plan_target, "simulator", "SIMT simulator", missing)


def plan_artifacts(bundle: Bundle, gpus: str = "") -> LaunchPlan:
    """Plan the launches of artifacts that were built elsewhere; `gpus` as for `plan`.

    Raises:
        UsageError: Unknown GPU.
        ArtifactError: No GPU here fits, or MAX does not run kernels on it.
    """
    try:
        return plan(bundle.target.name, "max", gpus)
    except EnvironmentFault:
        gpu_names = ", ".join(f"{gpu.name} ({gpu.target})" for gpu in devices.discover()) or "no GPU"
        raise ArtifactError(
            f"the artifacts in {bundle.folder} are for {bundle.target}, but here is {gpu_names}: "
            "build for this machine's own GPU, or run without --artifacts."
        ) from None


def _select_gpus(gpus: str, fitting: Sequence[Device]) -> list[Device]:
    """Return the GPUs that `gpus` names, each once, in its order: numbers (`Device.index`) with commas, or `all`. If
    `gpus` is empty, return the first of `fitting`, which must not be empty. UsageError for a number that none has.
    """
    if not gpus:
        return [fitting[0]]
    if gpus == "all":
        return list(fitting)
    by_number = {str(gpu.index): gpu for gpu in fitting}
    names = [name.strip() for name in gpus.split(",")]
    for name in names:
        if name not in by_number:
            raise unknown_name("GPU", name, [*by_number, "all"])
    return [by_number[name] for name in dict.fromkeys(names)]
