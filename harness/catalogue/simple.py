"""Make a whole case of one step that computes `output` from independent inputs: arguments, data, oracle, lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from harness.catalogue.data import (
    FACTOR_DRAW,
    ScalableDraw,
    draw_independent,
    make_datasets,
    print_out_and_expected,
    random_factors,
    random_fractions,
)
from harness.catalogue.sizes import cut_to_size, pad_masked
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

__all__ = ["make_simple_case"]


def make_simple_case(
    puzzle: str,
    title: str,
    step: Step,
    documented: Mapping[str, np.ndarray],
    compute: Callable[..., np.ndarray],
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
    """Make a case of one step that computes `output` from independent inputs, whatever the warp width.

    Args:
        puzzle: As in `Case`, like `title`, `mode` and `claims`.
        title: A few words.
        step: The launch, or the call of a host function; it names its arguments.
        documented: The inputs in the documents, by name; `make_datasets` makes the other data sets from them.
        compute: Computes the result from the inputs by name, in float64.
        mode: The command-line flag, if there is one.
        form: The form in which it takes tensors; a pointer's type always permits writing, as in the documents.
        scalars: Its scalar arguments, by name.
        size: A further scalar, by which it takes other sizes, along each axis.
        constants: As in `Instance`.
        claims: The promises.
        random: Makes an array of a shape from a seed, such that every result is exact.
        alignment: The alignment of every tensor, in bytes.
    """

    def oracle(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
        arrays = {name: inputs[name].astype(np.float64) for name in documented}
        if size is None:
            return {"output": compute(**arrays)}
        used = {name: cut_to_size(array, inputs, size) for name, array in arrays.items()}
        return {"output": pad_masked(compute(**used), compute(**documented).shape, packed=size.packed)}

    def tensor(name: str, role: Role, array: np.ndarray) -> TensorArgument:
        mutable = form == "pointer" and role == "input"
        return TensorArgument(name, role, array.shape, alignment=alignment, form=form, mutable=mutable)

    def instance(width: int) -> Instance:
        by_name: dict[str, TensorArgument | ScalarArgument] = {
            "output": tensor("output", "output", compute(**documented)),
            **{name: tensor(name, "input", array) for name, array in documented.items()},
            **{name: ScalarArgument(name, value) for name, value in (scalars or {}).items()},
            **({size.argument: ScalarArgument(size.argument, size.most)} if size else {}),
        }
        return Instance(
            width=width,
            arguments=tuple(by_name[name] for name in step.arguments.split()),
            constants=constants,
            datasets=make_datasets(documented, int(puzzle[1:3]), random),
        )

    return Case(
        puzzle=puzzle,
        mode=mode,
        title=title,
        steps=(step,),
        resolve=instance,
        oracle=oracle,
        printed=print_out_and_expected,
        claims=claims,
        size=size,
        draw=FACTOR_DRAW if random is random_factors else ScalableDraw(partial(draw_independent, random)),
    )
