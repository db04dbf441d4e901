"""Pages in a real browser: what they show is what the simulator did."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from harness.learning.page import render_page as html
from harness.learning.replay import DecodedTrace
from harness.learning.trace import Trace
from harness.learning.words import load_phrases
from harness.simt.rows import Row
from tests.browser.conftest import HIDDEN
from tests.learning.traced import CASES, Snapshot, traced

pytestmark = pytest.mark.slow  # where Playwright is installed

# What each cell shows, by the buffer's name, the owner's number in the grid, and the place.
CELLS = """() => Object.fromEntries(view.trace.data.buffers.flatMap((buffer, number) =>
  [...document.querySelectorAll(`#buffer-${number} [role=gridcell]`)].map((cell) => {
    const at = Number(cell.dataset.number);
    const owner = buffer.rows === "grid" ? 0 : view.trace.blocks[Math.floor(at / buffer.cells)];
    return [[buffer.name, owner, at % buffer.cells].join(" "), cell.textContent];
  }).filter(([, text]) => text !== "·")))"""
ACTIVE = "() => [...document.querySelectorAll('.blocks .c.active')].map((cell) => Number(cell.dataset.number))"
LANES = "() => [...document.querySelectorAll('.blocks [role=gridcell]')].map((cell) => cell.textContent)"


# Every case on NVIDIA, and one of each kind on the other vendors' targets: memory, and lanes that exchange.
PLACES = [(id, "nvidia") for id in CASES]
PLACES += [(id, target) for target in ("amd:gfx942", "apple:apple-m4") for id in ("p15", CASES[3])]


@pytest.mark.parametrize(("id", "target"), PLACES)
def test_the_numbers_on_screen_are_the_simulators_at_every_step(id, target, opened, written):
    page, watched = opened(id, target=target, at="#step=1"), written(id, target=target)[1]
    page.evaluate("view.unfold()")

    for step, snapshot in enumerate(watched.snapshots, 1):
        assert page.evaluate("document.body.dataset.step") == str(step)
        assert page.evaluate(CELLS) == {" ".join(map(str, key)): text for key, text in snapshot.items()}
        page.keyboard.press("ArrowRight")
    assert page.locator("#where").inner_text().startswith(f"Step {len(watched.snapshots)} of {len(watched.snapshots)}")


@pytest.mark.parametrize("id", ["p15", "p26:conditional-max"])
def test_the_lanes_show_who_runs_and_what_their_variables_hold(id, opened):
    page, data = opened(id, at="#step=1"), traced(id)[0].data
    replay = DecodedTrace(data)
    variable = 1
    page.select_option("#variable", str(variable))
    page.evaluate("view.unfold()")

    for step, state in zip(replay.steps, replay.states(), strict=True):
        assert page.evaluate(ACTIVE) == step.active.tolist()
        held = state.variables[variable]
        shown = [replay.text(held[lane]) if lane in held else "·" for lane in range(len(page.evaluate(LANES)))]
        assert page.evaluate(LANES) == shown
        page.click("#next")


def test_any_step_can_be_reached_from_any_other(opened, written):
    page, watched = opened("p34:reduction", at="#step=66"), written("p34:reduction")[1]
    page.evaluate("view.unfold()")

    for step in (66, 3, 65, 64, 20, 1):
        page.evaluate(f"view.go({step - 1})")
        shown = page.evaluate(CELLS)
        assert shown == {" ".join(map(str, key)): text for key, text in watched.snapshots[step - 1].items()}


def test_stepping_by_barrier_and_by_lane(opened):
    page = opened("p15")

    def line() -> str:
        return page.locator("pre .now").inner_text().split(maxsplit=1)[1]

    page.select_option("#by", "barrier")
    passed = []
    for _ in range(7):
        page.click("#next")
        passed.append(line())
    assert passed == ["barrier()"] * 7
    page.click("#first")
    page.locator(".blocks .c[data-number='5']").click()  # it loads, and never adds
    page.select_option("#by", "lane")
    seen = []
    while page.locator("#slider").input_value() != page.locator("#slider").get_attribute("max"):
        page.click("#next")
        seen.append(line())
    assert "cache[local_i] = a[batch, global_i]" in seen
    assert not {"cache[local_i] = 0", "cache[local_i] += addend"} & set(seen)


def test_more_than_a_page_can_hold_is_windowed_and_told(opened):
    page = opened("p15@scale")

    assert "16 of 129 blocks are shown" in page.locator("header").inner_text()
    page.evaluate("view.unfold()")
    large = page.evaluate("view.trace.data.buffers.findIndex((buffer) => buffer.cells > 500000)")
    shown = page.locator(f"#buffer-{large} [role=gridcell]").count()
    assert 0 < shown <= 4096
    assert f"{shown} of 528771 cells are shown" in page.locator(f"#buffer-{large} h3 >> nth=0").inner_text()
    reads = f"(step) => step.accesses.some((access) => access.buffer === {large})"
    page.evaluate(f"view.go(view.trace.steps.findIndex({reads}))")
    assert page.locator(f"#buffer-{large} .c.read").count() > 0
    page.keyboard.press("End")
    assert page.locator("#slider").input_value() == page.locator("#slider").get_attribute("max")


@pytest.mark.parametrize("id", CASES)
def test_source_cells_and_lanes_are_in_view_together_at_every_step(id, opened):
    page = opened(id, width=1280, height=800, at="#step=1")

    for step in range(page.evaluate("view.trace.steps.length")):
        assert (step, page.evaluate(HIDDEN)) == (step, [])
        touched = "view.trace.steps[view.step].accesses.some((access) => access.kind !== SETTLED)"
        assert page.evaluate(touched) == (page.locator(".buffer .c[data-mark]:visible").count() > 0)
        page.keyboard.press("ArrowRight")


def test_what_is_folded_opens_and_says_how_much_it_is(opened):
    page = opened("p34:reduction")

    fold = page.locator("#h-lanes ~ .fold")
    assert page.locator(".blocks .c:visible").count() < 200
    assert fold.get_attribute("aria-expanded") == "false" and "touched now" in fold.inner_text()
    fold.focus()
    page.keyboard.press("Enter")
    assert page.locator(".blocks .c:visible").count() == 1024
    page.keyboard.press("Enter")
    assert page.locator(".blocks .c:visible").count() < 200
    page.evaluate("view.follow(1000)")
    assert page.locator(".blocks .c.chosen:visible").count() == 1, "who is followed is never folded away"


@pytest.mark.parametrize("width", [1280, 360])
def test_no_line_of_the_source_is_cut(width, opened):
    page = opened("p34:reduction", width=width)

    assert (
        page.evaluate(
            "document.querySelector('pre.source').scrollWidth - document.querySelector('pre.source').clientWidth"
        )
        == 0
    )


def test_what_reads_and_writes_is_not_called_atomic(opened):
    page = opened("p34:reduction")
    page.evaluate(
        "view.toLine(0, view.trace.data.lines.map(([, line]) => line).find((line) => "
        "view.trace.data.files[0].lines[line - view.trace.data.files[0].from].includes('+= shared_mem')))"
    )

    assert page.locator(".buffer .c[data-mark=RW]").count() > 0 and page.locator(".buffer .c.atomic").count() == 0
    assert "read and written now" in page.locator(".legend").inner_text()


@pytest.mark.parametrize("id", ["p26:parallel-max", "p34:reduction"])  # cells as they are, and small ones
@pytest.mark.parametrize("mark", ["W", "A"])
def test_no_mark_hides_a_digit(id, mark, opened):
    page = opened(id, width=1280, height=800)
    page.evaluate("view.go(view.trace.steps.findIndex((step) => step.accesses.some(({kind}) => kind === 1)))")
    if mark == "A":
        page.locator(".buffer .c[data-mark]").evaluate_all(
            "(all) => all.forEach((one) => view._look(one, '0/256', 'held atomic', 'A'))"
        )

    # From the mark's lower edge up to the upper one of the value, each with the blank that a line has above its digits.
    common = page.evaluate("""() => [...document.querySelectorAll(".buffer .c[data-mark]")]
      .filter((one) => one.offsetParent).map((one) => {
        const range = document.createRange(), mark = getComputedStyle(one, "::after");
        range.selectNodeContents(one);
        const top = one.getBoundingClientRect().top + one.clientTop + parseFloat(mark.top);
        return top + parseFloat(mark.fontSize) - range.getBoundingClientRect().top;
      })""")
    assert common and max(common) < 3.5
    top = "(all) => all.map((one) => parseFloat(getComputedStyle(one, '::after').top))"
    assert min(page.locator(".buffer .c[data-mark]:visible").evaluate_all(top)) >= 0, "the edge cuts what is above it"


@pytest.mark.parametrize("id", ["p26:parallel-max", "p34:reduction"])
def test_a_value_without_room_keeps_its_first_digits(id, opened):
    page = opened(id, width=1280, height=800)

    seen = page.evaluate("""() => {
      const cell = document.querySelector(".blocks .c"), range = document.createRange();
      cell.className = "c active long";
      cell.textContent = "(24.0, 25.0, 26.0, 27.0)";
      range.selectNodeContents(cell);
      const [text, box] = [range, cell].map((one) => one.getBoundingClientRect());
      return [text.left >= box.left, text.top >= box.top && text.bottom <= box.bottom,
        getComputedStyle(cell).textOverflow];
    }""")
    assert seen == [True, True, "ellipsis"]


@pytest.mark.parametrize(("width", "named"), [(1440, "31"), (420, "24–31")])
def test_lanes_have_their_numbers_and_no_arrow_crosses_a_value(width, named, opened):
    page = opened("p26:parallel-max", width=width)
    page.evaluate("view.go(view.trace.steps.findIndex((step) => step.kind === 'shuffle'))")

    assert named in page.locator(".blocks [role=columnheader], .blocks [role=rowheader]").all_inner_texts()
    assert page.evaluate("getComputedStyle(document.querySelector('.stage > .flows')).zIndex") == "-1"
    clear = "(cells) => cells.filter((one) => getComputedStyle(one).backgroundColor.includes('rgba')).length"
    assert page.locator(".blocks .c:visible").evaluate_all(clear) == 0, "what is behind a cell does not show"
    box = page.locator(".exchange-picture").bounding_box()
    assert box["y"] + box["height"] <= page.locator(".blocks").bounding_box()["y"]


def test_barriers_are_lines_across(opened):
    page = opened("p34:reduction")

    assert page.locator("#controls line.barrier").count() == 9
    assert page.locator("#controls line.cluster").count() == 1
    page.keyboard.press("PageDown")
    assert "Barrier" in page.locator(".meeting").inner_text()


def test_a_race_shows_both_sides(opened):
    page = opened("p15", wrong="p15")

    sides = page.locator(".finding:not(.remark) .sides >> nth=0").locator("button")
    assert page.locator("pre .bad").count() >= 2
    for side in (0, 1):
        sides.nth(side).click()
        assert page.locator(".blocks .c.bad").count() >= 1
        assert page.locator(".buffer .c.bad").count() >= 1


def test_the_keyboard_alone_suffices(opened):
    page = opened("p15", wrong="p15")

    def tab_to(fits: str) -> None:
        for _ in range(60):
            if page.evaluate(f"document.activeElement.matches({fits!r})"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {fits}")

    tab_to(".blocks [role=gridcell]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.locator(".blocks .c.chosen").get_attribute("data-number") == "2"
    assert "local_i" in page.locator("table").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("table").count() == 0
    page.keyboard.press("End")
    tab_to(".finding button")
    page.keyboard.press("Enter")
    assert page.locator(".blocks .c.bad").count() >= 1
    tab_to(".buffer [role=gridcell]")
    page.keyboard.press("Enter")
    assert page.get_by_text("Who touched").count() == 1


def test_a_cell_says_who_touched_it(opened):
    page = opened("p15")
    page.evaluate("view.choose(2, 0)")

    assert page.locator("ol.touches li").count() == 8
    assert "block 0 thread 0 writes 0.0" in page.locator("ol.touches li").first.inner_text()


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 420])
def test_axe_finds_nothing(language, theme, width, opened):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened("p15", wrong="p15", language=language, theme=theme, width=width)

    assert page.evaluate("document.documentElement.lang") == language
    assert {"en": "FINDING", "ko": "문제 발견"}[language] in page.locator(".verdict").inner_text()
    assert page.locator(".finding p code").first.inner_text().endswith("()")  # what to call is told as code
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".finding button").nth(1).click()
    response = axe.run(page).response
    assert [(violation["id"], violation["nodes"][0]["html"][:120]) for violation in response["violations"]] == []
    # Contrast over a pattern cannot be measured; nothing else may be doubtful.
    assert {rule["id"] for rule in response["incomplete"]} <= {"color-contrast"}


@pytest.mark.parametrize("id", CASES)
@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_any_page(id, language, theme, opened):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(id, language=language, theme=theme)
    page.keyboard.press("End")
    page.locator(".blocks [role=gridcell] >> nth=1").click()

    violations = axe.run(page).response["violations"]
    assert [(violation["id"], violation["nodes"][0]["html"][:120]) for violation in violations] == []


@pytest.mark.parametrize("width", [320, 500, 700, 900])
def test_every_width_is_enough(width, opened):
    """In a lesson of the site a page has less room than a screen."""
    page = opened("p34:reduction", width=width)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_that_is_folded_away_waits_until_it_has_a_width(browser, written):
    file, _ = written("p15")
    page = browser.new_page()
    page.goto("about:blank")
    page.goto(file.parent.as_uri())
    page.set_content(f'<details><summary>Open</summary><iframe src="{file.as_uri()}" width="700"></iframe></details>')
    page.locator("summary").click()
    frame = page.frame_locator("iframe")
    frame.locator("body[data-ready]").wait_for()

    assert frame.locator(".blocks .row >> nth=1").locator("[role=gridcell]").count() == 8
    page.close()


@pytest.fixture(scope="module")
def long(tmp_path_factory) -> tuple[Path, list[Snapshot]]:
    """A page of 1,024 lanes and a thousand steps, and what memory held at each."""
    trace, watched = traced("p34:reduction")
    steps, times = trace.data["kept"], -(-1000 // trace.data["kept"])
    parts = []
    for number in range(times):
        for part in copy.deepcopy(trace.data["parts"]):
            for name, table in part.items():
                if name != "steps" and table["step"]:
                    table["step"][0] += number * steps
            parts.append(part)
    data = trace.data | {"parts": parts, "steps": steps * times, "kept": steps * times}
    file = tmp_path_factory.mktemp("long") / "long.html"
    file.write_text(html([Trace(data)], load_phrases("en")), encoding="utf-8")
    return file, watched.snapshots * times


# Of the rows on the page how many are laid out, and which of the screen's are not.
LAID_OUT = """() => {
  const rows = [...document.querySelectorAll(".row[role=row] > .line")].filter((one) => !one.closest("[hidden]"));
  const laid = rows.filter((one) => one.checkVisibility({ contentVisibilityAuto: true }));
  const boxes = new Map(rows.map((one) => [one, one.getBoundingClientRect()]));
  const seen = rows.filter((one) => boxes.get(one).top < innerHeight && boxes.get(one).bottom > 0);
  return { rows: rows.length, laid: laid.length, missing: seen.filter((one) => !laid.includes(one)).length };
}"""


def test_of_a_thousand_lanes_that_are_opened_what_is_beyond_the_screen_waits(long, shown):
    file, snapshots = long
    page = shown(file, width=1280, height=800)
    folded = page.evaluate(LAID_OUT)
    assert folded["laid"] == folded["rows"], "what is folded is short"
    page.evaluate("view.unfold()")

    for at in (1, 2, 500, 501, 999):
        page.evaluate(f"view.go({at - 1})")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("view.step") == at
        held = page.evaluate(CELLS)
        assert {" ".join(map(str, key)): text for key, text in snapshots[at].items()}.items() <= held.items()
        assert len(page.evaluate(ACTIVE)) == page.evaluate(
            "view.trace.lanesOf(view.trace.steps[view.step].active).length"
        )

    for place in (0, 1200, 3000):
        page.evaluate(f"scrollTo(0, {place})")
        page.wait_for_function(f"() => ({LAID_OUT})().missing === 0")
        opened = page.evaluate(LAID_OUT)
        assert opened["laid"] < opened["rows"] * 3 / 4 and opened["rows"] > folded["rows"]


def test_a_line_says_what_its_requests_cost(shown, tmp_path):
    """Below the line, in the order of its columns; what is no access and parts no warp says nothing."""
    trace = traced("p15")[0]
    name, first = trace.data["files"][0]["name"], trace.data["files"][0]["from"]
    rows = [
        Row(name, first + 1, 9, "shared store", requests=4, passes=8, least_passes=4),
        Row(name, first + 1, 20, "global load", requests=4, sectors=18, least_sectors=4),
        Row(name, first + 2, 5, "branch", requests=4, divergent=1),
        Row(name, first + 3, 5, "branch", requests=4),
        Row(name, first + 3, 9, "arithmetic", operations=64),
    ]
    file = tmp_path / "costs.html"
    file.write_text(html([trace], load_phrases("en"), rows), encoding="utf-8")
    page = shown(file)

    lines = page.locator("pre.source .row")
    assert lines.nth(1).locator(".cost").all_inner_texts() == ["store: 2 passes (1)", "load: 4.5 sectors (1)"]
    assert lines.nth(2).locator(".cost").all_inner_texts() == ["1 of 4 warps part"]
    assert page.locator(".cost").count() == 3


def test_an_mbarrier_alone_in_its_line_is_told_in_words_there(shown, tmp_path):
    """In the place of p15's results, which are one in a row; its title has the same words in any cell."""
    data = traced("p15")[0].data
    texts = ["mbarrier 1 0/256" if text == "15.0" else text for text in data["texts"]]
    file = tmp_path / "alone.html"
    file.write_text(html([Trace(data | {"texts": texts})], load_phrases("en")), encoding="utf-8")
    page = shown(file, at=f"#step={len(traced('p15')[1].snapshots)}")

    cell = page.locator(".buffer .c", has_text="phase 1 · 0/256 arrived")
    assert cell.count() == 1 and cell.get_attribute("title") == "phase 1, 0 of 256 arrivals"
    assert cell.evaluate("(one) => one.scrollWidth <= one.clientWidth && !one.classList.contains('long')")
    page.keyboard.press("Home")
    others = page.locator(".buffer .c[title]")
    assert others.all_inner_texts() == ["0/256"], "among others there is no room"
    words = [others.first.get_attribute(name) for name in ("title", "aria-label")]
    assert words == ["phase 1, 0 of 256 arrivals"] * 2


def test_what_is_not_known_is_left_out(shown, tmp_path):
    """As what an atomic gives may be: the values of the first access that has some."""
    data = copy.deepcopy(traced("p15")[0].data)
    values = next(own for part in data["parts"] for own in part["accesses"]["values"] if own)
    values[:] = [-1] * len(values)
    file = tmp_path / "unknown.html"
    file.write_text(html([Trace(data)], load_phrases("en")), encoding="utf-8")
    page = shown(file)
    page.evaluate("""() => {
      const unknown = ({ touches }) => touches.some(({ value }) => value < 0);
      const number = view.trace.steps.findIndex((step) => step.accesses.some(unknown));
      const { buffer, touches } = view.trace.steps[number].accesses.find(unknown);
      view.go(number);
      view.choose(buffer, touches[0].cell);
    }""")

    told = page.locator(".happens").inner_text(), page.locator("ol.touches").inner_text()
    assert not [text for text in told if "?" in text or "= ," in text or text.endswith("= ")]
    assert page.locator(".happens li >> nth=0").inner_text().count("[") > 0


def test_an_mbarrier_shows_its_arrivals_and_is_told_in_words(shown, tmp_path):
    """In the place of p15's partial sums: a cell has room for the counts alone, words have the phase too."""
    data = traced("p15")[0].data
    texts = ["mbarrier 2 3/8" if text == "4.0" else text for text in data["texts"]]
    file = tmp_path / "mbarrier.html"
    file.write_text(html([Trace(data | {"texts": texts})], load_phrases("en")), encoding="utf-8")
    page = shown(file)
    stored = "({ kind, touches }) => kind === STORE && touches.some((touch) => touch.value === text)"
    page.evaluate(
        f"(name) => {{ const text = view.trace.data.texts.indexOf(name); "
        f"view.go(view.trace.steps.findIndex((step) => step.accesses.some({stored}))); }}",
        "mbarrier 2 3/8",
    )
    page.evaluate("view.choose(view.trace.data.buffers.findIndex((one) => one.space === 'shared'), 4)")

    assert "3/8" in page.locator(".buffer .c").all_inner_texts()
    assert "= phase 2, 3 of 8 arrivals" in page.locator(".happens").inner_text()
    assert "writes phase 2, 3 of 8 arrivals" in page.locator("ol.touches").inner_text()
    assert "mbarrier 2" not in page.locator("main").inner_text()
