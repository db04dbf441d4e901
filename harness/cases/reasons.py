"""Explain a wrong element by changing inputs: which are missing or foreign, and at which lines they get lost.

Nothing is read out of the kernel's text. One element of an input is changed at a time, and what kernel and oracle make
of that is compared: an input that matters to the oracle alone is missing, one that matters to the kernel alone does not
belong. What a change touches on its way, seen by `harness.cases.trail`, says where it got to.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np

from harness.backends.base import Request
from harness.backends.guarded import find_poisoned
from harness.backends.simulator import SimulatorBackend
from harness.cases.check import compare_values, index
from harness.cases.counterparts import Differing, Element, find_counterpart
from harness.cases.reason_names import describe_touch, name_reason
from harness.cases.trail import Touch, Trail, find_touches
from harness.cases.trials import Changed
from harness.cases.upstream import trace_upstream
from harness.model.case import Case, Dataset, Instance
from harness.model.messages import make_finding
from harness.simt.findings import Finding, SourceLocation

__all__ = ["explain_wrong_element"]

SECONDS = 2.0  # of the processor: a learner waits
SINGLY = 128  # input elements up to which each is tried; of more, groups that are halved
GROUPS = 16
SHOWN = 3  # elements that are named, and steps on the way of one
NONZERO = 3.0
TWICE = 1.5  # times as much as it should be, at least: of a maximum no weight is quite as it should be
CHANGES = (4096.0, -4096.0)  # above what data sets hold, and exact beside it; downwards where a maximum hides the first


def explain_wrong_element(
    case: Case, instance: Instance, dataset: Dataset, backend: SimulatorBackend, argument: str, lines: Sequence[str]
) -> Finding | None:
    """Launch a case again with changed inputs; return a finding for information that explains the first wrong element;
    None if no element is wrong, a launch fails, or no cause is certain.

    Args:
        case: The case, whose kernels `backend` has; `instance` is at its warps' width.
        dataset: The data set with which it is wrong.
        argument: The name of the result.
        lines: The lines of the kernel's file.
    """
    probe = _Probe(case, instance, dataset, backend, argument, lines)
    return probe.explain() if probe.flat is not None else None


@dataclass
class _Probe:
    """Changes inputs one at a time and compares what kernel and oracle make of them."""

    case: Case
    instance: Instance
    dataset: Dataset
    backend: SimulatorBackend
    argument: str
    lines: Sequence[str]

    def __post_init__(self) -> None:
        self._started = time.process_time()
        # What is undefined would hide what a change comes to.
        self._plain = self.backend.with_recorders({}, beside=lambda **_: (Changed(zeros=True),))
        self._sound: Element | None = None
        self._is_exhaustive = True  # whether each input was tried, and each answered

    @cached_property
    def _actual(self) -> np.ndarray | None:
        return self._run_kernel(self.dataset)

    @cached_property
    def _expected(self) -> np.ndarray:
        return self._run_oracle(self.dataset)

    @cached_property
    def flat(self) -> int | None:
        """The flat index of the first wrong element that is written, or else of the first wrong one; None
        if none is wrong or the launch fails. Elements that are to be NaN, or to be left alone, do not count.
        """
        if self._actual is None:
            return None
        right = compare_values(self._actual, self._expected, self.case.tolerance(self.argument, self.dataset.name))
        wrong = np.flatnonzero(~right & ~np.isnan(self._expected))
        written = wrong[~self._unwritten[wrong]] if wrong.size else wrong
        return int((written if written.size else wrong)[0]) if wrong.size else None

    @property
    def _unwritten(self) -> np.ndarray:
        """The elements that nobody writes, as a flat mask; launches the kernel each time."""
        values = self._plain.launch(replace(self._request(self.dataset), fill="poison")).results[self.argument].values
        return find_poisoned(values, "poison").reshape(-1)

    def _run_kernel(self, dataset: Dataset) -> np.ndarray | None:
        """Run the kernel on zeroed memory; return the result, flat, as float64, or None if the launch fails."""
        outcome = self._plain.launch(self._request(dataset))
        if outcome.failure or self.argument not in outcome.results:
            return None
        return outcome.results[self.argument].values.astype(np.float64).reshape(-1)

    def _run_oracle(self, dataset: Dataset) -> np.ndarray:
        expected = np.ma.filled(self.case.expected(dataset, self.instance.width)[self.argument], np.nan)
        shape = next(tensor.shape for tensor in self.instance.results if tensor.name == self.argument)
        return np.broadcast_to(np.asarray(expected, np.float64), shape).reshape(-1)

    def _request(self, dataset: Dataset) -> Request:
        return Request(case=self.case, instance=self.instance, dataset=dataset, fill="zero", counted=False)

    @cached_property
    def _ground(self) -> Dataset:
        """The data set with 3 in place of each zero in inputs of floats: a product with 0 shows no factor's effect."""
        inputs = {
            name: np.where(values == 0, values.dtype.type(NONZERO), values) if values.dtype.kind == "f" else values
            for name, values in self.dataset.inputs.items()
        }
        return replace(self.dataset, inputs=inputs)

    @cached_property
    def _before(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The whole results of kernel and oracle, flat, for `_ground`; None if the launch fails."""
        result = self._run_kernel(self._ground)
        return None if result is None else (result, self._run_oracle(self._ground))

    def _change_elements(self, ground: Dataset, elements: list[Element], by: float) -> Dataset:
        inputs = {name: np.array(values) for name, values in ground.inputs.items()}
        for number, (name, flat) in enumerate(elements):
            inputs[name].reshape(-1)[flat] += by * (1 + number % 7)  # so that no two of a group cancel out
        return replace(ground, inputs=inputs)

    def _effect(self, elements: list[Element]) -> tuple[float, float] | None:
        """Change some inputs at once; return by how much the wrong element changes in kernel and oracle, per unit.
        It is (0, 0) if the opposite change has no effect either, None if a launch fails or a change is not finite.
        """
        at = self.flat or 0
        for by in CHANGES:
            dataset = self._change_elements(self._ground, elements, by)
            result = self._run_kernel(dataset)
            if result is None or self._before is None:
                return None
            kernel = float(result[at] - self._before[0][at]) / by
            oracle = float(self._run_oracle(dataset)[at] - self._before[1][at]) / by
            if not (np.isfinite(kernel) and np.isfinite(oracle)):
                return None
            if kernel or oracle:
                return kernel, oracle
        return 0.0, 0.0

    @cached_property
    def _elements(self) -> list[Element]:
        """Return the elements of all inputs that can be changed a little: those of floats."""
        return [
            (tensor.name, flat)
            for tensor in self.instance.initialized
            if tensor.dtype.kind == "f"
            for flat in range(tensor.elements)
        ]

    def _find_differing(self) -> Iterator[Differing]:
        """Yield input elements whose effects in kernel and oracle differ, with both; not all if over 128 or after 2 s.
        `_is_exhaustive` becomes False if some could not be tried, `_sound` an input with equal effects.
        """
        every = self._elements
        size = 1 if len(every) <= SINGLY else -(-len(every) // GROUPS)
        if size > 1:  # most kernels that large take what has the result's own place
            same_index = [element for element in every if element[1] == self.flat]
            for element in same_index:
                yield from self._search_group([element])
            every = [element for element in every if element[1] != self.flat]
            size = -(-len(every) // GROUPS)
            if self._effect(every) == (0.0, 0.0):
                return
        groups = [every[start : start + size] for start in range(0, len(every), size)]
        if size > 1:  # of each input one after another, since time may run out
            groups = sorted(groups, key=lambda group: group[0][1])
        searches = [self._search_group(group) for group in groups]
        count, certain = 0, False  # whether one was missing or foreign, which says more than how much one counts
        for most in (1, SHOWN):  # one of each group, since time may run out, and more where that says little
            for search in searches if count <= SHOWN or not certain else ():
                for match in islice(search, most if size > 1 else SHOWN + 1):
                    count, certain = count + 1, certain or not (match[1] and match[2])
                    yield match

    def _effect_in_time(self, elements: list[Element]) -> tuple[float, float] | None:
        return None if time.process_time() - self._started > SECONDS else self._effect(elements)

    def _search_group(self, group: list[Element]) -> Iterator[Differing]:
        effect = self._effect_in_time(group)
        if effect is None:
            self._is_exhaustive = False
        elif np.isclose(*effect, rtol=1e-3, atol=1e-4):
            if effect[0] and self._sound is None and (self._effect(group[:1]) or [0])[0]:
                self._sound = group[0]  # not any of its group: there are others that do not take part
        elif len(group) == 1:
            yield group[0], *effect
        else:
            half = len(group) // 2
            yield from self._search_group(group[:half])
            yield from self._search_group(group[half:])

    def explain(self) -> Finding | None:
        """Return a finding that names missing, foreign or wrongly weighed inputs, and lines on their way. If no input
        differs, it is `check.reason.combined` if each was tried; None if some were not, or there is none.
        """
        differing = list(self._find_differing())
        if len(self._elements) > SINGLY:
            differing += find_counterpart(differing, self._elements, self._effect_in_time)
        if not (differing or (self._is_exhaustive and self._elements)):
            return None
        missing = [element for element, kernel, oracle in differing if oracle and not kernel]
        foreign = [element for element, kernel, oracle in differing if kernel and not oracle]
        weighed = [(element, kernel / oracle) for element, kernel, oracle in differing if kernel and oracle]
        takers = [*([self._sound] if self._sound else []), *(element for element, _ in weighed)]
        same_array = [element for element in takers if element[0] == (missing or takers)[0][0]]
        self._sound = next(iter(same_array or takers), None)
        base = self._trail(self.dataset)
        last_store = base.last_store(self.argument, self.flat or 0)
        touches: list[Touch] = []
        followed = foreign or missing or [element for element, _ in weighed] or ([self._sound] if self._sound else [])
        if followed:
            touches = self._trace_change(base, followed[:1])
        same = [(element, times) for element, times in weighed if missing and element[0] == missing[0][0]]
        again = [element for element, times in same if not 1 - TWICE / 3 <= times <= TWICE]
        name = name_reason(bool(missing), bool(foreign), bool(again), [times for _, times in weighed])
        steps = [*touches[:SHOWN], *([last_store] if last_store and last_store not in touches[:SHOWN] else [])]
        ends = [touch.place for touch in touches if last_store is None or touch.place.line != last_store.place.line]
        # Of what is missing, another element of its array may have the place, which counts twice then.
        instead = foreign or again
        if sites := self._find_entry_and_exit(instead[0], last_store) if instead else []:
            ends = sites  # where it comes in, and where it is taken last
        elif missing and not foreign:
            ends = self._find_loss(base, touches, last_store)
        elif foreign:
            ends = [*ends[:1], *ends[1:][-1:]]
        elif weighed:
            ends = list({place.line: place for place in ends}.values())[-2:]
        places = {place.line: place for place in [*([last_store.place] if last_store else []), *reversed(ends)]}
        return replace(
            make_finding(
                name,
                "information",
                argument=self.argument,
                index=self._index(self.argument, self.flat or 0),
                missing=self._format_elements(missing),
                foreign=self._format_elements(foreign),
                weighed=self._format_elements(again or [element for element, _ in weighed]),
                times=round(weighed[0][1]) if weighed else 0,
                items=tuple(describe_touch(step, self.instance, self.lines) for step in steps),
            ),
            sites=tuple(reversed(places.values())),
        )

    @cached_property
    def _beside(self) -> Trail:
        return self._trail(self._ground)

    def _trail(self, dataset: Dataset) -> Trail:
        trails = {number: Trail(number) for number in range(len(self.case.steps))}
        self.backend.with_recorders(trails, beside=lambda **_: (Changed(zeros=True),)).launch(self._request(dataset))
        combined = Trail()
        for trail in trails.values():
            combined.events += trail.events
            combined.floats |= trail.floats
        combined.floats |= {tensor.name: tensor.dtype for tensor in self.instance.tensors if tensor.dtype.kind == "f"}
        return combined

    def _trace_change(self, base: Trail, elements: list[Element]) -> list[Touch]:
        """Return the accesses that a change of elements affects."""
        return find_touches(self._beside, self._trail(self._change_ground(*elements)), base)

    def _change_ground(self, *elements: Element) -> Dataset:
        return self._change_elements(self._ground, list(elements), CHANGES[0])

    def _find_entry_and_exit(self, element: Element, last_store: Touch | None) -> list[SourceLocation]:
        """Return the first place on an input's way to the result, and the last that the correct input `_sound` does not
        pass; empty if that passes all. The line of `last_store` does not count.
        """
        upstream_sites, rightly = (
            [place for place in self._upstream(start) if last_store is None or place.line != last_store.place.line]
            for start in (element, self._sound)
        )
        alone = [place for place in upstream_sites if place not in rightly or self._sound == element]
        return list(dict.fromkeys([*upstream_sites[:1], *alone[-1:]])) if alone else []

    def _upstream(self, element: Element | None) -> list[SourceLocation]:
        if element is None:
            return []
        return trace_upstream(self._beside, self._trail(self._change_ground(element)), self.argument, self.flat or 0)

    def _find_loss(self, base: Trail, touches: list[Touch], last_store: Touch | None) -> list[SourceLocation]:
        """Return at most one place, where the missing input (of `touches`) is lost: the next that only a correct input
        reaches, else the first such, else the last place of either.
        """
        touched_places = dict.fromkeys(touch.place for touch in touches)
        others = [
            touch
            for touch in self._trace_change(base, [self._sound] if self._sound else self._elements)
            if last_store is None or touch.place.line != last_store.place.line
        ]
        end = max((touch.last for touch in touches), default=-1)
        on = [touch for touch in others if touch.place not in touched_places]
        later = [touch.place for touch in on if touch.last > end]
        before = [touch.place for touch in others] or [
            place for place in touched_places if not last_store or place.line != last_store.place.line
        ]
        return later[:1] or [touch.place for touch in on[:1]] or before[-1:]

    def _index(self, name: str, flat: int) -> str:
        return index(flat, next(each.indexed_shape for each in self.instance.tensors if each.name == name))

    def _format_elements(self, elements: list[Element]) -> tuple[str, ...]:
        labels = [f"{name}{self._index(name, flat)}" for name, flat in elements[:SHOWN]]
        return (*labels, *(["..."] if len(elements) > SHOWN else []))
