"""Cases of the simplest kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from harness.catalogue.data import (
    InOneUnit,
    each,
    factors,
    out_and_expected,
    patterns,
    random_factors,
    random_fractions,
)
from harness.catalogue.sizes import cut, with_gaps
from harness.model.arguments import Form
from harness.model.case import (
    Arrays,
    Case,
    Claim,
    Instance,
    Role,
    ScalarArgument,
    Size,
    Step,
    TensorArgument,
)

__all__ = ["simple"]


def simple(
    puzzle: str,
    title: str,
    step: Step,
    documented: Mapping[str, np.ndarray],
    made: Callable[..., np.ndarray],
    *,
    mode: str | None = None,
    form: Form = "tile",
    scalars: Mapping[str, int] | None = None,
    size: Size | None = None,
    constants: Mapping[str, int],
    claims: tuple[Claim, ...],
    random: Callable[[tuple[int, ...], int], np.ndarray] = random_fractions,
    alignment: int = 1,
) -> Case:
    """One step that makes `output` of inputs which have nothing to do with one another, whatever the warp width.

    Args:
        puzzle: As of any case, like `title`, `mode` and `claims`.
        title: A few words.
        step: The launch, or the call of a host function; it names its arguments.
        documented: What the inputs hold in the documents, by name.
        made: The result, of the inputs by name, in float64.
        mode: The command-line flag, if there is one.
        form: As what it takes tensors: the documents have no pointers that may not be written through.
        scalars: The numbers that it takes, by name.
        size: One more, by which it takes other sizes: of each axis, and of what is made of it.
        constants: As of an `Instance`.
        claims: What is promised.
        random: Makes an array of a shape from a seed, such that every result is exact.
        alignment: Of every tensor, in bytes.
    """

    def oracle(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
        given = {name: inputs[name].astype(np.float64) for name in documented}
        if size is None:
            return {"output": made(**given)}
        there = {name: cut(array, inputs, size) for name, array in given.items()}
        return {"output": with_gaps(made(**there), made(**documented).shape, packed=size.packed)}

    def tensor(name: str, role: Role, array: np.ndarray) -> TensorArgument:
        mutable = form == "pointer" and role == "input"
        return TensorArgument(name, role, array.shape, alignment=alignment, form=form, mutable=mutable)

    def instance(width: int) -> Instance:
        known: dict[str, TensorArgument | ScalarArgument] = {
            "output": tensor("output", "output", made(**documented)),
            **{name: tensor(name, "input", array) for name, array in documented.items()},
            **{name: ScalarArgument(name, value) for name, value in (scalars or {}).items()},
            **({size.argument: ScalarArgument(size.argument, size.most)} if size else {}),
        }
        return Instance(
            width=width,
            arguments=tuple(known[name] for name in step.arguments.split()),
            constants=constants,
            datasets=patterns(documented, int(puzzle[1:3]), random),
        )

    return Case(
        puzzle=puzzle,
        mode=mode,
        title=title,
        steps=(step,),
        resolve=instance,
        oracle=oracle,
        printed=out_and_expected,
        claims=claims,
        size=size,
        draw=factors if random is random_factors else InOneUnit(partial(each, random)),
    )
