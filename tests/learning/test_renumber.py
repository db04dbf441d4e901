"""A trace of a file is numbered as the cell is that stands in it."""

from __future__ import annotations

import copy

from harness.catalogue import find_case
from harness.learning.renumber import renumber
from harness.learning.trace import Trace
from tests.generate.stored_traces import data_of, target_of

P15 = find_case("p15")
ABOVE = 54  # lines of the file before the region


def test_lines_are_counted_from_the_cell_and_its_file_bears_its_name():
    data = data_of(P15, target_of(P15))
    name, before = data["files"][0]["name"], copy.deepcopy(data)
    message = f"see {name}:60:9"
    side = {"file": name, "line": 60, "at": 0, "lane": 0, "who": None, "step": 6, "cell": 0}
    found = {"id": "race", "message": message, "items": [message], "sides": [side, side | {"file": "other.mojo"}]}
    trace = Trace({**data, "findings": [found]})

    own = renumber(trace, name, "cell", ABOVE, lambda text: text.replace(f"{name}:60", "cell:6")).data

    assert own["files"][0]["name"] == "cell" and own["files"][0]["from"] == data["files"][0]["from"] - ABOVE
    assert [line for _, line in own["lines"]] == [line - ABOVE for _, line in data["lines"]]
    assert own["parts"] == data["parts"] and own["files"][0]["lines"] == data["files"][0]["lines"]
    (told,) = own["findings"]
    assert [(side["file"], side["line"]) for side in told["sides"]] == [("cell", 6), ("other.mojo", 60)]
    assert told["message"] == "see cell:6:9" == told["items"][0]
    assert {key: trace.data[key] for key in before} == before | {"findings": [found]}, "the trace itself stays"
    assert found["sides"][0]["line"] == 60
