"""Why an element is wrong: which inputs it is made of, which it should be made of, and where they are lost.

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
from harness.backends.guarded import poisoned
from harness.backends.simulator import SimulatorBackend
from harness.cases.check import index, which_fit
from harness.cases.counterparts import Differing, Element, find_counterpart
from harness.cases.reason_names import describe_touch, name_reason
from harness.cases.trail import Touch, Trail, touched
from harness.cases.trials import Changed
from harness.cases.upstream import upstream
from harness.model.case import Case, Dataset, Instance
from harness.model.messages import make_finding
from harness.simt.findings import Finding, SourceLocation

__all__ = ["reason"]

SECONDS = 2.0  # of the processor: a learner waits
SINGLY = 128  # input elements up to which each is tried; of more, groups that are halved
GROUPS = 16
SHOWN = 3  # elements that are named, and steps on the way of one
NONZERO = 3.0
TWICE = 1.5  # times as much as it should be, at least: of a maximum no weight is quite as it should be
CHANGES = (4096.0, -4096.0)  # above what data sets hold, and exact beside it; downwards where a maximum hides the first


def reason(
    case: Case, instance: Instance, dataset: Dataset, backend: SimulatorBackend, argument: str, lines: Sequence[str]
) -> Finding | None:
    """Of a result that is wrong, why its first wrong element is.

    Args:
        case: What was run.
        instance: At the width of its warps.
        dataset: With which it is wrong.
        backend: Has the kernels.
        argument: The result.
        lines: Of the kernel's file.

    Returns:
        A finding for information; None where nothing certain is to be said.
    """
    probe = _Probe(case, instance, dataset, backend, argument, lines)
    return probe.told() if probe.flat is not None else None


@dataclass
class _Probe:
    """Asks what becomes of changed inputs."""

    case: Case
    instance: Instance
    dataset: Dataset
    backend: SimulatorBackend
    argument: str
    lines: Sequence[str]

    def __post_init__(self) -> None:
        self._started = time.process_time()
        # What is undefined would hide what a change comes to.
        self._plain = self.backend.watched({}, beside=lambda **_: (Changed(zeros=True),))
        self._sound: Element | None = None
        self._whole = True  # whether each input was tried, and each answered

    @cached_property
    def _got(self) -> np.ndarray | None:
        return self._made(self.dataset)

    @cached_property
    def _expected(self) -> np.ndarray:
        return self._wanted(self.dataset)

    @cached_property
    def flat(self) -> int | None:
        """The place of the first element that is wrong, of those that are written if one is; None if none is.

        What is to be NaN, or to be left alone, follows from no input.
        """
        if self._got is None:
            return None
        right = which_fit(self._got, self._expected, self.case.tolerance(self.argument, self.dataset.name))
        wrong = np.flatnonzero(~right & ~np.isnan(self._expected))
        written = wrong[~self._unwritten[wrong]] if wrong.size else wrong
        return int((written if written.size else wrong)[0]) if wrong.size else None

    @property
    def _unwritten(self) -> np.ndarray:
        """Return which elements nobody writes, flat."""
        values = self._plain.launch(replace(self._request(self.dataset), fill="poison")).results[self.argument].values
        return poisoned(values, "poison").reshape(-1)

    def _made(self, dataset: Dataset) -> np.ndarray | None:
        """What the kernel makes of data, flat; None where it does not end well."""
        outcome = self._plain.launch(self._request(dataset))
        if outcome.failure or self.argument not in outcome.results:
            return None
        return outcome.results[self.argument].values.astype(np.float64).reshape(-1)

    def _wanted(self, dataset: Dataset) -> np.ndarray:
        expected = np.ma.filled(self.case.expected(dataset, self.instance.width)[self.argument], np.nan)
        shape = next(tensor.shape for tensor in self.instance.results if tensor.name == self.argument)
        return np.broadcast_to(np.asarray(expected, np.float64), shape).reshape(-1)

    def _request(self, dataset: Dataset) -> Request:
        return Request(case=self.case, instance=self.instance, dataset=dataset, fill="zero", counted=False)

    @cached_property
    def _ground(self) -> Dataset:
        """Data on which each input shows: a product with 0 follows none of its factors."""
        inputs = {
            name: np.where(values == 0, values.dtype.type(NONZERO), values) if values.dtype.kind == "f" else values
            for name, values in self.dataset.inputs.items()
        }
        return replace(self.dataset, inputs=inputs)

    @cached_property
    def _before(self) -> tuple[np.ndarray, np.ndarray] | None:
        """What kernel and oracle make of that."""
        made = self._made(self._ground)
        return None if made is None else (made, self._wanted(self._ground))

    def _changed(self, ground: Dataset, elements: list[Element], by: float) -> Dataset:
        inputs = {name: np.array(values) for name, values in ground.inputs.items()}
        for number, (name, flat) in enumerate(elements):
            inputs[name].reshape(-1)[flat] += by * (1 + number % 7)  # so that no two of a group cancel out
        return replace(ground, inputs=inputs)

    def _effect(self, elements: list[Element]) -> tuple[float, float] | None:
        """By how much the wrong element changes with some inputs, in kernel and oracle, for a change of 1."""
        at = self.flat or 0
        for by in CHANGES:
            dataset = self._changed(self._ground, elements, by)
            made = self._made(dataset)
            if made is None or self._before is None:
                return None
            kernel = float(made[at] - self._before[0][at]) / by
            oracle = float(self._wanted(dataset)[at] - self._before[1][at]) / by
            if not (np.isfinite(kernel) and np.isfinite(oracle)):
                return None
            if kernel or oracle:
                return kernel, oracle
        return 0.0, 0.0

    @cached_property
    def _elements(self) -> list[Element]:
        """Those of all inputs that can be changed a little."""
        return [
            (tensor.name, flat)
            for tensor in self.instance.initialized
            if tensor.dtype.kind == "f"
            for flat in range(tensor.elements)
        ]

    def _differing(self) -> Iterator[Differing]:
        """The inputs' elements that matter otherwise to the kernel than to the oracle; of many, some of each group."""
        every = self._elements
        size = 1 if len(every) <= SINGLY else -(-len(every) // GROUPS)
        if size > 1:  # most kernels that large take what has the result's own place
            near = [element for element in every if element[1] == self.flat]
            for element in near:
                yield from self._within([element])
            every = [element for element in every if element[1] != self.flat]
            size = -(-len(every) // GROUPS)
            if self._effect(every) == (0.0, 0.0):
                return
        groups = [every[start : start + size] for start in range(0, len(every), size)]
        if size > 1:  # of each input one after another, since time may run out
            groups = sorted(groups, key=lambda group: group[0][1])
        searches = [self._within(group) for group in groups]
        count, certain = 0, False  # whether one was missing or foreign, which says more than how much one counts
        for most in (1, SHOWN):  # one of each group, since time may run out, and more where that says little
            for search in searches if count <= SHOWN or not certain else ():
                for match in islice(search, most if size > 1 else SHOWN + 1):
                    count, certain = count + 1, certain or not (match[1] and match[2])
                    yield match

    def _effect_in_time(self, elements: list[Element]) -> tuple[float, float] | None:
        return None if time.process_time() - self._started > SECONDS else self._effect(elements)

    def _within(self, group: list[Element]) -> Iterator[Differing]:
        effect = self._effect_in_time(group)
        if effect is None:
            self._whole = False
        elif np.isclose(*effect, rtol=1e-3, atol=1e-4):
            if effect[0] and self._sound is None and (self._effect(group[:1]) or [0])[0]:
                self._sound = group[0]  # not any of its group: there are others that do not take part
        elif len(group) == 1:
            yield group[0], *effect
        else:
            half = len(group) // 2
            yield from self._within(group[:half])
            yield from self._within(group[half:])

    def told(self) -> Finding | None:
        """The finding; None where nothing differs of the inputs that were tried, and others were not."""
        differing = list(self._differing())
        if len(self._elements) > SINGLY:
            differing += find_counterpart(differing, self._elements, self._effect_in_time)
        if not (differing or (self._whole and self._elements)):
            return None
        missing = [element for element, kernel, oracle in differing if oracle and not kernel]
        foreign = [element for element, kernel, oracle in differing if kernel and not oracle]
        weighed = [(element, kernel / oracle) for element, kernel, oracle in differing if kernel and oracle]
        takers = [*([self._sound] if self._sound else []), *(element for element, _ in weighed)]
        alike = [element for element in takers if element[0] == (missing or takers)[0][0]]
        self._sound = next(iter(alike or takers), None)
        base = self._trail(self.dataset)
        made = base.last_store(self.argument, self.flat or 0)
        way: list[Touch] = []
        followed = foreign or missing or [element for element, _ in weighed] or ([self._sound] if self._sound else [])
        if followed:
            way = self._way(base, followed[:1])
        same = [(one, times) for one, times in weighed if missing and one[0] == missing[0][0]]
        again = [one for one, times in same if not 1 - TWICE / 3 <= times <= TWICE]
        name = name_reason(bool(missing), bool(foreign), bool(again), [times for _, times in weighed])
        steps = [*way[:SHOWN], *([made] if made and made not in way[:SHOWN] else [])]
        ends = [touch.place for touch in way if made is None or touch.place.line != made.place.line]
        # Of what is missing, another element of its array may have the place, which counts twice then.
        instead = foreign or again
        if own := self._only(instead[0], made) if instead else []:
            ends = own  # where it comes in, and where it is taken last
        elif missing and not foreign:
            ends = self._lost(base, way, made)
        elif foreign:
            ends = [*ends[:1], *ends[1:][-1:]]
        elif weighed:
            ends = list({place.line: place for place in ends}.values())[-2:]
        places = {place.line: place for place in [*([made.place] if made else []), *reversed(ends)]}
        return replace(
            make_finding(
                name,
                "information",
                argument=self.argument,
                index=self._index(self.argument, self.flat or 0),
                missing=self._named(missing),
                foreign=self._named(foreign),
                weighed=self._named(again or [element for element, _ in weighed]),
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
        self.backend.watched(trails, beside=lambda **_: (Changed(zeros=True),)).launch(self._request(dataset))
        whole = Trail()
        for trail in trails.values():
            whole.events += trail.events
            whole.floats |= trail.floats
        whole.floats |= {tensor.name: tensor.dtype for tensor in self.instance.tensors if tensor.dtype.kind == "f"}
        return whole

    def _way(self, base: Trail, elements: list[Element]) -> list[Touch]:
        """What a change of elements touches; one of what takes part reaches the result."""
        return touched(self._beside, self._trail(self._moved(*elements)), base)

    def _moved(self, *elements: Element) -> Dataset:
        return self._changed(self._ground, list(elements), CHANGES[0])

    def _only(self, element: Element, made: Touch | None) -> list[SourceLocation]:
        """Where an input comes in on its way to the wrong element, and where it goes last as none does that takes part
        rightly.
        """
        own, rightly = (
            [place for place in self._upstream(one) if made is None or place.line != made.place.line]
            for one in (element, self._sound)
        )
        alone = [place for place in own if place not in rightly or self._sound == element]
        return list(dict.fromkeys([*own[:1], *alone[-1:]])) if alone else []

    def _upstream(self, element: Element | None) -> list[SourceLocation]:
        if element is None:
            return []
        return upstream(self._beside, self._trail(self._moved(element)), self.argument, self.flat or 0)

    def _lost(self, base: Trail, way: list[Touch], made: Touch | None) -> list[SourceLocation]:
        """Where the missing input is seen last, and where one that takes part goes on from there, or is taken last."""
        seen = dict.fromkeys(touch.place for touch in way)
        others = [
            touch
            for touch in self._way(base, [self._sound] if self._sound else self._elements)
            if made is None or touch.place.line != made.place.line
        ]
        end = max((touch.last for touch in way), default=-1)
        on = [touch for touch in others if touch.place not in seen]
        later = [touch.place for touch in on if touch.last > end]
        before = [touch.place for touch in others] or [
            place for place in seen if not made or place.line != made.place.line
        ]
        return later[:1] or [touch.place for touch in on[:1]] or before[-1:]

    def _index(self, name: str, flat: int) -> str:
        return index(flat, next(each.indexed_shape for each in self.instance.tensors if each.name == name))

    def _named(self, elements: list[Element]) -> tuple[str, ...]:
        shown = [f"{name}{self._index(name, flat)}" for name, flat in elements[:SHOWN]]
        return (*shown, *(["..."] if len(elements) > SHOWN else []))
