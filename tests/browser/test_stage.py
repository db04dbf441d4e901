"""What moves on a page, where it begins, and what can be taken along: it agrees with what was recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from harness.learning.replay import DecodedTrace, RecordedAccess, Step
from harness.simt.observing.columns import SETTLED
from tests.learning.traced import traced

pytestmark = pytest.mark.slow  # where Playwright is installed

WIDE = {"width": 1440, "height": 900}
ARROWS = "view.flows.map(({ kind, lane, buffer, cell }) => [kind, lane, buffer, cell].join(' '))"
DRAWN = "[...document.querySelectorAll('.stage > .flows path:not(.tip)')].map((one) => one.getAttribute('d')).join('')"
LINKS = ".exchange .link"


def first_effect(data: Mapping[str, Any]) -> int:
    """The number of the first step that touches memory that other lanes see, exchanges, or is a barrier; from 1."""

    def shared(access: RecordedAccess) -> bool:
        return access.kind != SETTLED and data["buffers"][access.buffer]["space"] != "local"

    def begins(step: Step) -> bool:
        return bool(any(map(shared, step.accesses)) or step.shuffles or step.synchronizations)

    return 1 + next(at for at, step in enumerate(DecodedTrace(data).steps) if begins(step))


@pytest.mark.parametrize("id", ["p15", "p26:parallel-max", "p34:reduction"])
def test_a_page_opens_where_the_kernel_does_something(id, opened):
    page = opened(id)

    assert page.evaluate("view.step + 1") == first_effect(traced(id)[0].data) > 1


def test_both_lines_of_a_race_are_in_view(opened):
    page = opened("p15", wrong="p15", width=1280, height=800)

    marked = page.evaluate("""() => {
      const frame = view.source.getBoundingClientRect();
      return [...document.querySelectorAll("pre .side")].map((row) => [row.dataset.side, row.getBoundingClientRect()])
        .map(([side, box]) => [side, box.top >= frame.top && box.bottom <= frame.bottom]);
    }""")
    assert sorted(marked) == [["1", True], ["2", True]]


def test_a_race_opens_at_its_later_access_with_both_sides_marked(opened, written):
    page, data = opened("p15", wrong="p15", width=1280, height=800), written("p15", wrong="p15")[1]
    race = page.evaluate("view.finding")
    assert race["id"].startswith("race.") and data is not None

    steps = [side["step"] for side in race["sides"]]
    assert page.evaluate("view.step") == max(steps)
    marks = page.locator(".blocks .c.bad").evaluate_all("(all) => all.map(({ dataset: d }) => [+d.number, d.mark])")
    assert [[side["lane"], str(number)] for number, side in enumerate(race["sides"], 1)] == sorted(
        (mark for mark in marks if mark[1] != "!"), key=lambda mark: mark[1]
    )
    told = page.locator(".finding:not(.remark)[open] .sides").inner_text()
    for side in race["sides"]:
        assert page.evaluate(f"view.trace.lineText({side['step']})") in told
        assert f"step {side['step'] + 1} · line {side['line']}" in told
    assert "No barrier lies between the two." in page.locator(".finding:not(.remark)[open]").inner_text()
    bottom = "(one) => one.getBoundingClientRect().bottom"
    assert page.locator(".finding:not(.remark)[open] .sides").evaluate(bottom) < 800, "both sides above the fold"


def test_an_access_out_of_bounds_opens_at_its_step(opened):
    page = opened("p15", wrong="bound")

    side = page.evaluate("view.finding.sides[0]")
    assert page.evaluate("view.finding.id").startswith("out-of-bounds")
    assert page.evaluate("[view.step, view.trace.source(view.trace.steps[view.step]).line]") == [
        side["step"],
        side["line"],
    ]
    assert str(side["lane"]) in page.locator(".blocks .c.bad").evaluate_all(
        "(all) => all.map((one) => one.dataset.number)"
    )


def test_wrong_results_open_at_the_write_with_what_belongs_there(opened):
    page = opened("p15", wrong="mismatch")

    finding = page.evaluate("view.severe.find((one) => one.wrong)")
    assert finding["id"].startswith("check.wrong-value")
    assert page.evaluate("view.step") == finding["sides"][0]["step"]
    cells = page.locator(".buffer .c.wrong").evaluate_all(
        "(all) => all.map((one) => [one.textContent, one.dataset.expected])"
    )
    assert cells == [[text, f"≠{wanted}"] for text, wanted in zip(_halves(), _sums(), strict=True)]
    assert "expected 15.0, got 6.0" in page.locator(".finding:not(.remark)[open] >> nth=1").inner_text()
    size = "parseFloat(getComputedStyle(document.querySelector('.c.wrong'), '::before').fontSize)"
    assert page.evaluate(size) >= 10, "the expected value is no smaller than the one that is there"
    page.keyboard.press("Home")
    assert page.locator(".buffer .c.wrong").count() == 0, "before it is written last nothing is wrong yet"


def test_what_a_wrong_element_lacks_is_the_first_card(opened):
    page = opened("p15", wrong="mismatch")

    card = page.locator(".finding:not(.remark) >> nth=0")
    assert card.locator("summary").inner_text().startswith("! output[0, 0] leaves out a[0, 4]")
    assert "Remedy" in card.inner_text()
    for side in page.evaluate("view.severe[0].sides"):
        assert page.evaluate(f"view.trace.lanesOf(view.trace.steps[{side['step']}].active).includes({side['lane']})")
    row = page.locator("pre .now")
    assert row.locator(".found").all_inner_texts() == ["stores the wrong value"]
    assert "bad" not in row.get_attribute("class").split(), "the line that only stores it is not marked as the fault"


def test_what_happens_leads_with_what_one_lane_computes(opened):
    page = opened("p34:reduction", at="#step=1")
    page.evaluate("view.go(view.trace.steps.findIndex((_, at) => view.trace.lineText(at).includes('+= shared_mem')))")

    lane, others = page.evaluate("view._leading(view.trace.steps[view.step])"), page.locator(".happens li >> nth=0")
    number = page.evaluate("view.step")
    step = DecodedTrace(traced("p34:reduction")[0].data).steps[number]
    told = others.inner_text()
    left, right, value = (
        float(part) for part in told.split("] (block 0) = ")[1].split(" (")[0].replace(" = ", " + ").split(" + ")
    )
    assert lane == step.active.tolist()[0] and left + right == value
    assert told.startswith("block 0 thread 0: shared_mem[0]") and f"likewise: {len(step.active) - 1}" in told


def test_the_marks_of_the_timeline_are_named_in_view(opened):
    page = opened("p15", wrong="p15", width=1280, height=800)

    words = page.locator(".time-words span").all_inner_texts()
    assert words == ["height: lanes that run", "barrier", "finding"]
    assert page.locator(".time-words").bounding_box()["y"] < 150


def test_marks_are_those_of_the_card_in_view(opened):
    page = opened("p15", wrong="p15")

    marks = page.locator(".stage .c.bad:not(.legend .c)").evaluate_all("(all) => all.map((one) => one.dataset.mark)")
    assert sorted(marks) == ["1", "2", "2"]
    card = page.locator(".finding:not(.remark)[open]")
    count = page.evaluate("view.finding.count")
    assert count > 1 and f"One of {count} such pairs of accesses is shown." in card.inner_text()
    assert "hazard" not in card.inner_text() and "a write and a read of cache" in card.inner_text()
    assert page.evaluate("view.found.classList.contains('cut')")


def _sums() -> list[str]:
    return [str(float(sum(range(row * 6, row * 6 + 6)))) for row in range(4)]


def _halves() -> list[str]:
    """What the tree comes to that begins with strides of 2: elements 0 to 3."""
    return [str(float(sum(range(row * 6, row * 6 + 4)))) for row in range(4)]


@pytest.mark.parametrize("id", ["p15", "p26:pair-swap"])
def test_arrows_are_the_accesses_at_every_step(id, opened):
    page, replay = opened(id, at="#step=1", **WIDE), DecodedTrace(traced(id)[0].data)
    page.evaluate("view.unfold()")

    for step in replay.steps:
        recorded = [
            f"{access.kind} {lane} {access.buffer} {cell}"
            for access in step.accesses
            if access.kind != SETTLED
            for lane, cells in zip(access.lanes.tolist(), access.cells.tolist(), strict=True)
            for cell in cells
        ]
        assert sorted(page.evaluate(ARROWS)) == sorted(recorded)
        drawn = page.evaluate(DRAWN).count("M")
        assert drawn == page.evaluate("view.drawn.length") > 0 or not recorded
        told = page.locator(".partly").inner_text()
        assert (f"{drawn} of {len(recorded)} arrows" in told) == (drawn < len(recorded))
        # Those of each lane are drawn where it is pointed at, and no others.
        for lane in {one.split()[1] for one in recorded[:: max(1, len(recorded) // 4)]}:
            page.evaluate(f"view._point(view.laneCells[{lane}])")
            own = [one for one in recorded if one.split()[1] == lane]
            assert page.evaluate(DRAWN).count("M") == len(own)
        page.evaluate("view._point(null)")
        page.keyboard.press("ArrowRight")


def test_an_arrow_goes_from_the_lane_to_the_cell(opened):
    """And what is read comes from the cell: its tip is at the lane."""
    page = opened("p15", **WIDE)
    ends = """(kind) => {
      const [flow] = view.drawn.filter((one) => one.kind === kind), box = (one) => one.getBoundingClientRect();
      const [origin, lane] = [view.stage, view.laneCells[flow.lane]].map(box);
      const cell = box(view._cellAt(flow.buffer, flow.cell));
      const name = kind === STORE ? "written" : "read";
      const [tip] = document.querySelector(`.stage > .flows .tip.${name}`).getAttribute("d").match(/[-\\d.]+ [-\\d.]+/);
      const target = kind === STORE ? cell.top : lane.bottom;
      return Math.abs(Number(tip.split(" ")[1]) + origin.top - target);
    }"""

    for kind in (1, 0):
        page.evaluate(
            f"view.go(view.trace.steps.findIndex((step) => step.accesses.some((one) => one.kind === {kind})))"
        )
        assert page.evaluate(ends, kind) < 1


# Of the points of each arrow, those well inside of a cell: it begins and ends at its own.
CROSSED = """() => [...document.querySelectorAll(".stage > .flows path:not(.tip)")].flatMap((path) => {
  const origin = view.stage.getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".stage .c")].filter((one) => one.offsetParent)
    .map((one) => one.getBoundingClientRect());
  const places = Array.from({ length: path.getTotalLength() / 2 }, (_, at) => path.getPointAtLength(2 * at));
  const within = (box, x, y) => x > box.left + 4 && x < box.right - 4 && y > box.top + 4 && y < box.bottom - 4;
  return places.map(({ x, y }) => [x + origin.left, y + origin.top])
    .filter(([x, y]) => boxes.some((box) => within(box, x, y)));
})"""


@pytest.mark.parametrize("wrong", ["p15", "mismatch", None])
def test_no_arrow_crosses_a_cell_or_a_word(wrong, opened):
    page = opened("p15", wrong=wrong, width=1280, height=800)

    assert page.evaluate("view.drawn.length") > 0
    assert page.evaluate(CROSSED) == []
    words = ".stage h2, .buffer > h3 > span, .buffer > h3 > code, .row > .head, .partly"
    clear = "(all) => all.filter((one) => getComputedStyle(one).backgroundColor.includes('rgba')).length"
    assert page.locator(words).evaluate_all(clear) == 0


def test_of_a_finding_only_its_own_arrows_are_drawn(opened):
    page = opened("p15", wrong="p15")
    side = page.evaluate("view.finding.sides.find((side) => side.step === view.step)")
    assert page.evaluate("view.drawn.map((flow) => [flow.lane, flow.cell])") == [[side["lane"], side["cell"]]]

    page = opened("p15", wrong="mismatch")
    writer = page.evaluate("view.severe.find((one) => one.wrong).sides[0].lane")
    assert page.evaluate("new Set(view.drawn.map((flow) => flow.lane)).size") == 1
    assert page.evaluate("view.drawn[0].lane") == writer


@pytest.mark.parametrize(
    ("id", "target", "lanes"), [("p26:parallel-max", "nvidia", 32), ("p26:conditional-max", "amd:gfx942", 64)]
)
def test_an_exchange_has_an_arrow_for_each_lane(id, target, lanes, opened):
    page = opened(id, target=target, width=1280)
    page.evaluate("view.go(view.exchanges[0])")

    assert page.locator(LINKS).count() == lanes
    assert page.locator(".exchange.now").count() == 1
    assert page.locator(".exchange-picture").bounding_box()["height"] >= (100 if lanes == 64 else 80)
    # The end of each arrow stands at the lane that gets, its beginning at the one that gives.
    ends = page.locator(LINKS).evaluate_all(
        "(all) => all.map((one) => one.getAttribute('d').match(/[-\\d.]+/g).map(Number)).map((d) => [d[0], d[6]])"
    )
    places = sorted({x for pair in ends for x in pair})
    got = [[places.index(start), places.index(end)] for start, end in ends]
    data = traced(id, target=target)[0].data if target != "nvidia" else traced(id)[0].data
    step = next(step for step in DecodedTrace(data).steps if step.shuffles)
    assert len(places) == lanes
    assert sorted(got) == sorted(
        map(list, zip(step.shuffles[-1].sources.tolist(), step.shuffles[-1].lanes.tolist(), strict=True))
    )
    page.evaluate("view.go(0)")
    assert (
        page.locator(".exchange.now").count() == 0 and "Next exchange" in page.locator(".exchange-title").inner_text()
    )


def test_the_overview_shows_every_lane_and_leads_to_a_warp(opened):
    page, replay = (
        opened("p34:reduction", at="#step=1", width=1280, height=800),
        DecodedTrace(traced("p34:reduction")[0].data),
    )
    length = """() => [...document.querySelectorAll(".overview .c path.run")]
      .map((path) => path.getAttribute("d") ?? "")
      .map((d) => [...d.matchAll(/M(\\d+) \\d+H(\\d+)/g)].reduce((sum, [, from, to]) => sum + (to - from), 0))"""

    for number, step in enumerate(replay.steps):
        page.evaluate(f"view.go({number})")
        runs = page.evaluate(length)
        assert len(runs) == 32 and runs == [
            sum(1 for lane in step.active.tolist() if lane // 32 == warp) for warp in range(32)
        ]
        assert f"{len(step.active):,} run" in page.locator(".counts").inner_text()
    page.evaluate("view.go(12)")
    warp = page.locator(".overview [role=gridcell] >> nth=27")
    assert warp.get_attribute("aria-label").startswith("block 3 warp 3: 32 run")
    page.locator(".overview [role=gridcell] >> nth=0").focus()
    for key in (*["ArrowDown"] * 3, *["ArrowRight"] * 3, "Enter"):
        page.keyboard.press(key)
    shown = page.locator(".blocks .c:visible").evaluate_all("(all) => all.map((one) => Number(one.dataset.number))")
    assert set(range(27 * 32, 28 * 32)) <= set(shown)
    assert any("block 3" in name for name in page.locator(".buffer .block:visible h3").all_inner_texts())
    page.keyboard.press("Escape")
    assert page.evaluate("view.warp") is None


def test_lanes_that_a_branch_leaves_behind_have_diverged(opened):
    page = opened("p34:reduction", at="#step=1")
    few = "(step) => [1, 8].includes(view.trace.lanesOf(step.active).length)"
    page.evaluate(f"view.go(view.trace.steps.findIndex({few}))")

    assert "diverged" in page.locator(".counts").inner_text()


COUNTS = "[...document.querySelectorAll('.counts > span')].map((one) => one.textContent)"


def numbers(told: list[str]) -> list[int]:
    """How many lanes each part of the line under the lanes is about."""
    return [int(part.split()[0].replace(",", "")) for part in told]


@pytest.mark.parametrize("id", ["p15", "p26:conditional-max", "p34:reduction"])
def test_the_line_under_the_lanes_says_of_each_lane_what_it_does(id, opened):
    page, data = opened(id, at="#step=1"), traced(id)[0].data
    steps, lines = DecodedTrace(data).steps, data["lines"]

    for number, step in enumerate(steps):
        page.evaluate(f"view.go({number})")
        told = page.evaluate(COUNTS)
        assert told[0] == f"{len(step.active):,} run" and sum(numbers(told)) == page.evaluate("view.trace.lanes")
        skipping = {part for part in told if "skip line" in part}
        branch = {int(part.split("of line ")[1].split(")")[0]) for part in skipping}
        away = set(range(page.evaluate("view.trace.lanes"))) - {*step.active.tolist(), *step.finished.tolist()}
        last = {lane: own.line for own in steps[:number] for lane in own.active.tolist() if lane in away}
        assert sum(numbers(list(skipping))) >= sum(1 for line in last.values() if lines[line][1] in branch)


@pytest.mark.parametrize(
    ("wrong", "line", "told"),
    [
        (
            "p15",
            "addend = cache[local_i + stride]",
            ["16 run", "16 skip line {line} (if of line {above}), 16 diverged"],
        ),
        ("p15", "cache[local_i] = 0", ["8 run", "24 skip line {line} (if of line {else_of}), 24 diverged"]),
        ("p15", "barrier()", ["32 run"]),
    ],
)
def test_lanes_that_a_branch_keeps_from_the_line_are_told_with_the_branch(wrong, line, told, opened):
    page = opened("p15", wrong=wrong)
    page.evaluate(f"view.go(view.trace.steps.findIndex((_, at) => view.trace.lineText(at) === {line!r}))")

    number = page.evaluate("view.trace.source(view.trace.steps[view.step]).line")
    wanted = [part.format(line=number, above=number - 1, else_of=number - 3) for part in told]
    assert page.evaluate(COUNTS) == [*wanted, "0 wait"]
    skips = page.locator(".blocks .c.skips[data-mark='↷'], .blocks .c.bad").count()
    assert skips >= (16 if len(told) > 1 else 0) and "skips this line" in page.locator(".legend").inner_text()


def test_lanes_that_wait_are_told_with_what_they_wait_at_and_for_whom(opened):
    """At the last step of a deadlock those that have arrived at a barrier wait there, too."""
    page = opened("p34:reduction", wrong="deadlock", width=1280, height=800)
    page.keyboard.press("End")

    last = "view.trace.steps[view.trace.steps.length - 1]"
    line, cluster = (page.evaluate(f"view.severe[0].sides[{number}].line") for number in range(2))
    waiting, arrived = (page.evaluate(f"view.trace.lanesOf({last}.{lanes}).length") for lanes in ("waiting", "active"))
    total = page.evaluate("view.trace.lanes")
    assert waiting > 0 and arrived > 0 and page.evaluate(f"{last}.kind") == "cluster.arrive"
    assert page.evaluate(COUNTS) == [
        "0 run",
        f"{waiting:,} wait at barrier() line {line} for {total - waiting:,} lanes",
        f"{arrived:,} wait at cluster_sync() line {cluster} for {total - arrived:,} lanes",
    ]
    told = page.locator(".meeting").inner_text()
    assert f"{arrived} of {total} lanes arrive and wait; {arrived} of {total} have arrived" in told
    assert page.locator(".blocks .c.waiting").count() > 0 == page.locator(".blocks .c.active").count()


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(("id", "wrong"), [("p15", "p15"), ("p15", "mismatch"), ("p34:reduction", "deadlock")])
def test_a_remedy_is_read_without_scrolling(id, wrong, language, opened):
    page = opened(id, wrong=wrong, language=language, width=1280, height=800)

    inside = page.evaluate("""() => {
      const card = view.severe[0].box, frame = view.found.getBoundingClientRect();
      const faded = view.found.classList.contains("cut") ? 19 : 0; // the height of the mask
      return [...card.querySelectorAll(view.severe[0].reason ? ".remedy" : ".remedy, .message")]
        .map((one) => one.getBoundingClientRect())
        .map((box) => box.height > 0 && box.top >= frame.top && box.bottom <= frame.bottom - faded);
    }""")
    assert inside and all(inside), "above what fades out"


@pytest.mark.parametrize(
    ("id", "wrong", "card"),
    [("p15", "p15", ".between"), ("p15", "mismatch", ".lines"), ("p34:reduction", "deadlock", "")],
)
def test_a_line_that_a_finding_names_is_a_link_to_it(id, wrong, card, opened):
    page = opened(id, wrong=wrong, width=1280, height=800)
    step, links = page.evaluate("view.step"), page.locator(f".finding[open] {card} .line-link")

    lines = {side["line"] for side in page.evaluate("view.severe[0].sides")}
    named = [int(text.removeprefix("line ")) for text in links.all_inner_texts()]
    assert lines <= set(named) and ".mojo:" not in page.locator(".finding[open] >> nth=0").inner_text()
    heads = [number for number in named if number not in lines]
    if card == ".lines":
        assert page.evaluate(f"view.trace.data.files[0].lines[{heads[0]} - view.trace.data.files[0].from].trim()") == (
            "while stride > 0:"
        )
    for number, link in zip(named, links.all(), strict=True):
        link.click()
        assert page.locator("pre .sought .number").inner_text() == str(number)
        assert page.evaluate("""() => {
          const frame = view.source.getBoundingClientRect();
          const box = document.querySelector("pre .sought").getBoundingClientRect();
          return box.top >= frame.top && box.bottom <= frame.bottom;
        }""")
    assert page.evaluate("view.step") == step, "it does not leave the step"
    page.keyboard.press("Home")
    assert page.locator("pre .sought").count() == 0


def test_the_values_of_an_exchange_are_told_as_before_and_after(opened):
    page = opened("p26:parallel-max", width=1280, height=800)
    page.locator(".exchange-title").click()

    labels, texts = page.locator(".exchange text.side"), page.locator(".exchange text:not(.side)").all_text_contents()
    assert labels.all_text_contents() == ["before", "after"] and len(texts) == 32
    first = page.locator(".exchange text:not(.side) >> nth=0").bounding_box()
    for box in (label.bounding_box() for label in labels.all()):
        assert box["x"] >= 0 and box["x"] + box["width"] < first["x"]
    page.keyboard.press("ArrowRight")
    assert labels.all_text_contents() == ["before"], "the cells hold what later steps made"


def test_no_grey_is_too_faint(opened):
    """Bars of time and of lanes that are elsewhere have three times the light of the paper, or a third."""
    page = opened("p15")
    ratios = []
    for _ in range(2):
        ratios += page.evaluate("""() => {
          const light = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number).map((part) => part / 255)
            .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
            .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
          const paper = light(getComputedStyle(document.body).backgroundColor);
          const greys = [...document.querySelectorAll(".timeline .run, .timeline .barrier")];
          return greys.map((one) => getComputedStyle(one))
            .map((style) => light(style.fill === "rgb(0, 0, 0)" ? style.stroke : style.fill))
            .map((own) => (Math.max(own, paper) + 0.05) / (Math.min(own, paper) + 0.05));
        }""")
        page.click("#theme")
    assert ratios and min(ratios) >= 3


@pytest.mark.parametrize(("id", "width"), [("p15", 1280), ("p26:parallel-max", 1280), ("p34:reduction", 420)])
def test_a_step_is_saved_as_an_svg_that_shows_the_same(id, width, opened, tmp_path: Path):
    page = opened(id, width=width)
    with page.expect_download() as saved:
        page.click("#save-svg")
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)

    root = ElementTree.parse(file).getroot()
    name = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{name}svg" and file.name == f"{id.replace(':', '-')}-{page.evaluate('view.step + 1')}.svg"
    texts = ["".join(text.itertext()) for text in root.iter(f"{name}text")]
    cells = page.locator(".stage .c:visible").all_inner_texts()
    assert cells and not [text for text in cells if text and text not in texts]
    assert any(page.evaluate("view.trace.lineText(view.step)") in text for text in texts)
    arrows = [
        path for path in root.iter(f"{name}path") if path.get("stroke") not in (None, "none") and "C" in path.get("d")
    ]
    assert sum(path.get("d").count("M") for path in arrows) >= page.evaluate("view.drawn.length") > 0
    assert not [tag for tag in root.iter() if "class" in tag.attrib or "style" in tag.attrib], (
        "it needs no style of the page"
    )


def test_a_step_is_saved_as_a_png(opened, tmp_path: Path):
    page = opened("p15")
    with page.expect_download() as saved:
        page.click("#save-png")
    file = tmp_path / "step.png"
    saved.value.save_as(file)

    content = file.read_bytes()
    assert content.startswith(b"\x89PNG\r\n")
    size = [int.from_bytes(content[at : at + 4], "big") for at in (16, 20)]
    assert size == [
        2 * math.ceil(side)
        for side in page.evaluate("['width', 'height'].map((one) => Number(view.picture().getAttribute(one)))")
    ]


def test_the_colours_follow_the_system_until_somebody_chooses(opened):
    page, theme = opened("p15"), "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "light"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => {theme} === 'dark'")
    page.click("#theme")
    assert page.evaluate(theme) == "light"
    page.evaluate("() => { window.heard = 0; dark.addEventListener('change', () => (window.heard += 1)); }")
    page.emulate_media(color_scheme="light")
    page.wait_for_function("() => window.heard === 1")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => window.heard === 2")
    assert page.evaluate(theme) == "light"


def test_on_paper_it_is_light_and_without_buttons(opened):
    page = opened("p15", theme="dark")
    page.emulate_media(media="print")

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("button:visible").count() == 0


@pytest.mark.parametrize(("motion", "moves"), [("reduce", False), ("no-preference", True)])
def test_arrows_move_only_where_that_is_wanted(motion, moves, opened):
    page = opened("p15")
    page.emulate_media(reduced_motion=motion)
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowLeft")

    named = page.evaluate("getComputedStyle(document.querySelector('.stage > .flows path')).animationName")
    assert (named != "none") == moves
