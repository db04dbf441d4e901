"""What a launch of a program costs above its own simulation."""

import pytest

from tests.benchmarks.programs import LAUNCH_MS, launch_ms


@pytest.mark.full
@pytest.mark.parametrize("observed", [20, 200])
def test_two_hundred_launches_cost_less_than_three_milliseconds_each_above_their_simulation(observed: int):
    own, above = launch_ms(2, observed)

    assert own > 0
    assert above < LAUNCH_MS
