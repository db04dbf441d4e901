"""A launch's memory is freed when the launch is over, without a garbage collection."""

import gc
import weakref

import pytest

from harness import simt
from tests.benchmarks.workloads import CASES, large


class Watch(simt.Observer):
    """Keeps the engine as observers do, and a weak reference to its memory."""

    def launch_begin(self, engine):
        """See `Observer`."""
        self.engine = engine
        self.watched = weakref.ref(engine)


@pytest.mark.parametrize("make", [lambda: large("axis_sum:64"), *CASES.values()], ids=["axis_sum", *CASES])
def test_nothing_refers_to_the_engine_after_a_launch(make):
    """With cycles, peak memory would grow with the number of launches."""
    gc.disable()
    try:
        watch = Watch()
        make().run((watch, *simt.observers()))
        watched = watch.watched
        del watch

        assert watched() is None
    finally:
        gc.enable()
