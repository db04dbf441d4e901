// What moves in a step: between lanes and cells of memory, and between lanes.
const FLOWS = 600; // arrows that are drawn of a step
const MANY = 96; // above which they are thin

const tip = (x, y, way) => `M${x} ${y}l-3.5 ${-6 * way}h7z`; // of an arrow that goes down (1) or up (-1)

Object.assign(View.prototype, {
  _draw() {
    const step = this.trace.steps[this.step];
    if (!step) return;
    this._drawFlows(step);
    this.exchange?.draw(this.step);
  },

  // What lanes that are shown read and write of cells that are shown: { kind, lane, buffer, cell }.
  _flows(step) {
    const flows = [], isSeen = this._onScreen();
    for (const { kind, buffer, touches } of step.accesses) {
      if (kind === SETTLED) continue;
      for (const { lane, cell } of touches) {
        if (flows.length === FLOWS) return flows;
        const [from, to] = [this.laneCells[lane], cell >= 0 && this._cellAt(buffer, cell)];
        if (from && to && isSeen(from) && isSeen(to)) flows.push({ kind, lane, buffer, cell });
      }
    }
    return flows;
  },

  // Whether a cell's row is on the screen or near it: of rows that are opened the others are not laid out.
  _onScreen() {
    const known = new Map();
    return (cell) => {
      const row = cell.parentElement.parentElement;
      if (!known.has(row)) {
        const box = row.closest(".open") ? row.getBoundingClientRect() : null;
        known.set(row, !box || (box.bottom > -100 && box.top < innerHeight + 100));
      }
      return known.get(row);
    };
  },

  // Whether an arrow is about what is looked at: what is pointed at, else the lane and the cell that are chosen.
  _stressed(flow) {
    const at = this.pointed ?? (this.lane !== null ? { lane: this.lane } : null);
    return Boolean(at) && (at.lane !== undefined ? at.lane === flow.lane : at.buffer === flow.buffer && at.cell === flow.cell);
  },

  // Which arrows are drawn: those of what is looked at; else of the race that is open or the chosen cell, or else of the
  // first block's row of lanes that is nearest to the memory. All at once would hide one another.
  _drawn(flows) {
    const stressed = flows.filter((flow) => this._stressed(flow));
    if (this.pointed && stressed.length) return stressed;
    if (this.lane !== null) return stressed;
    const { finding, cell: chosen } = this, [buffer, cell] = chosen ?? [], sides = finding?.paired ? finding.sides.filter((side) => side.step === this.step) : [];
    const at = (flow) => (flow.buffer === buffer && flow.cell === cell) || (flow.buffer === finding?.buffer && sides.some((side) => side.lane === flow.lane && side.cell === flow.cell));
    const lanes = new Set(flows.filter(at).map((flow) => flow.lane)), blockOf = (flow) => Math.floor(flow.lane / this.trace.threads);
    if (lanes.size) return flows.filter((flow) => lanes.has(flow.lane));
    const last = Math.max(...flows.filter((flow) => blockOf(flow) === blockOf(flows[0])).map((flow) => flow.lane)), row = this.laneCells[last]?.parentElement;
    return flows.filter((flow) => this.laneCells[flow.lane].parentElement === row);
  },

  _drawFlows(step) {
    const flows = this.flows = this._flows(step), drawn = this.drawn = this._drawn(flows), origin = this.stage.getBoundingClientRect(), boxes = new Map();
    const box = (element) => {
      if (!boxes.has(element)) boxes.set(element, element.getBoundingClientRect());
      return boxes.get(element);
    };
    const shapes = {}, round = (number) => number.toFixed(1);
    const [lanesEnd, memoryStart] = [box(this.lanesRoot).bottom - origin.top, box(this.fields[0].whole.parentElement).top - origin.top];
    for (const flow of drawn) {
      const lane = box(this.laneCells[flow.lane]), cell = box(this._cellAt(flow.buffer, flow.cell));
      const path = (shapes[KINDS[flow.kind]] ??= { lines: "", tips: "" }), side = flow.kind === LOAD ? -2 : 2;
      const [x, y] = [lane.left - origin.left + lane.width / 2 + side, lane.bottom - origin.top];
      const [u, v] = [cell.left - origin.left + cell.width / 2 + side, cell.top - origin.top];
      // Past other rows an arrow goes between their columns, so that no cell lies on it.
      const above = lanesEnd - y > 12, below = v - memoryStart > 60, [from, to] = [above ? lane.right - origin.left + 1 : x, below ? cell.left - origin.left - 1 : u];
      const [start, end] = [above ? lanesEnd : y, below ? memoryStart : v], bend = Math.max(8, (end - start) / 2.4);
      path.lines += `M${round(x)} ${round(y)}${above ? `C${round(x)} ${round(y + 5)} ${round(from)} ${round(y)} ${round(from)} ${round(y + 6)}V${round(start)}` : ""}`
        + `C${round(from)} ${round(start + bend)} ${round(to)} ${round(end - bend)} ${round(to)} ${round(end)}`
        + (below ? `V${round(v - 9)}C${round(to)} ${round(v - 3)} ${round(u)} ${round(v - 9)} ${round(u)} ${round(v)}` : "");
      path.tips += flow.kind === LOAD ? tip(round(x), round(y), -1) : tip(round(u), round(v), 1);
    }
    this.flowRoot.replaceChildren(...Object.entries(shapes).flatMap(([own, { lines, tips }]) => [draw("path", { class: own, d: lines }), draw("path", { class: `tip ${own}`, d: tips })]));
    this.flowRoot.classList.toggle("many", drawn.length > MANY);
    this.partly.textContent = drawn.length < flows.length ? say("arrows_of", { shown: drawn.length, count: flows.length }) : "";
  },

  // The pointer or the focus is on a cell: its arrows are drawn.
  _point(cell) {
    const number = cell && Number(cell.dataset.number), buffer = cell?.closest(".buffer")?.id.replace("buffer-", "");
    const pointed = !cell || cell.closest(".overview") ? null : buffer === undefined ? { lane: number } : { buffer: Number(buffer), cell: number };
    if (JSON.stringify(pointed) === JSON.stringify(this.pointed)) return;
    this.pointed = pointed;
    this._draw();
  },
});

// The last exchange between the lanes of a warp, or the first that comes: what each gives above, who gets it below.
class Exchange {
  constructor(view) {
    this.view = view;
    this.which = null; // of the exchanges of a step; the last one unless another is asked for
    this.title = make("button", { type: "button", class: "exchange-title", onclick: () => this.clicked() });
    this.picture = draw("svg", { class: "exchange-picture", "aria-hidden": "true" });
    this.root = make("div", { class: "exchange" }, this.title, this.picture);
  }

  // Goes to the step of the exchange; there, to the next of its exchanges.
  clicked() {
    if (this.view.step !== this.at) return this.view.go(this.at);
    this.which = (this.shown + 1) % this.count;
    return this.draw(this.at);
  }

  draw(step) {
    const { view } = this, { exchanges } = view, before = this.at;
    this.at = exchanges.filter((at) => at <= step).pop() ?? exchanges[0];
    const all = view.trace.steps[this.at].shuffles.filter((one) => one.exchanges.some((two) => two.source !== null));
    if (before !== this.at) this.which = null;
    this.count = all.length;
    this.shown = this.which ?? all.length - 1;
    const { operation, exchanges: pairs } = all[this.shown], warps = new Map();
    for (const pair of pairs) if (pair.lane >= 0) (warps.get(this._warpOf(pair.lane)) ?? warps.set(this._warpOf(pair.lane), []).get(this._warpOf(pair.lane))).push(pair);
    const asked = view.lane !== null ? this._warpOf(view.lane) : view.warp, warp = warps.has(asked) ? asked : [...warps.keys()][0];
    const more = warps.size - 1, name = `${view.several ? say("block", { block: view.trace.blocks[Math.floor(warp / view.trace.warps)] }) + " " : ""}${say("warp", { warp: warp % view.trace.warps })}`;
    this.title.textContent = `${say(this.at === step ? "exchange_now" : this.at < step ? "exchange_before" : "exchange_next", { operation, step: this.at + 1 })}${this.count > 1 ? ` (${say("exchange_nth", { number: this.shown + 1, total: this.count })})` : ""} · ${name}${more ? `, ${say("exchange_more", { count: more })}` : ""}`;
    this.root.classList.toggle("now", this.at === step);
    this._drawPairs(warps.get(warp) ?? [], warp);
  }

  _warpOf(lane) {
    const { threads, warps, data } = this.view.trace;
    return Math.floor(lane / threads) * warps + Math.floor((lane % threads) / data.warp);
  }

  // Where the lanes of a warp stand: above their own cells where these are one line, else spread over the width.
  _middles(first, count) {
    const { view } = this, from = this.picture.getBoundingClientRect(), cells = Array.from({ length: count }, (_, at) => view.laneCells[first + at]);
    const boxes = cells.every(Boolean) ? cells.map((cell) => cell.getBoundingClientRect()) : [];
    if (boxes.length && boxes.every((box) => Math.abs(box.top - boxes[0].top) < 2)) return { xs: boxes.map((box) => box.left - from.left + box.width / 2), aligned: true };
    return { xs: Array.from({ length: count }, (_, at) => ((at + 0.5) * from.width) / count), aligned: false };
  }

  _drawPairs(pairs, warp) {
    const { trace } = this.view, { warps, threads, data } = trace;
    const start = (warp % warps) * data.warp, count = Math.min(data.warp, threads - start), first = Math.floor(warp / warps) * threads + start;
    const { xs, aligned } = this._middles(first, count), pitch = count > 1 ? xs[1] - xs[0] : 40, bottom = count > 32 ? 132 : 82;
    const gives = new Map(pairs.map((pair) => [pair.lane, trace.text(pair.gave) ?? "·"])), longest = Math.max(...[...gives.values()].map((text) => text.length));
    const size = [10.5, 9].find((pixels) => longest * pixels * 0.6 + 3 <= pitch), links = [], ends = [];
    for (const { lane, source } of pairs) {
      if (source === null) continue;
      const from = xs[(source < 0 ? lane : source) - first], to = xs[lane - first];
      const look = source < 0 ? "bad" : this.view.lane !== null && ![lane, source].includes(this.view.lane) ? "dim" : "";
      links.push(draw("path", { class: `link ${look}`, d: `M${from.toFixed(1)} 17C${from.toFixed(1)} ${bottom / 2 + 12} ${to.toFixed(1)} ${bottom / 2 - 8} ${to.toFixed(1)} ${bottom - 5}` }),
        draw("path", { class: `tip ${look}`, d: tip(to.toFixed(1), bottom, 1) }));
    }
    xs.forEach((x, at) => {
      if (size && gives.has(first + at)) ends.push(draw("text", { x: x.toFixed(1), y: 11, "font-size": size }, gives.get(first + at)));
      else ends.push(draw("circle", { cx: x.toFixed(1), cy: 14, r: 2 }));
      if (!aligned && (pitch >= 13 || at % 4 === 0)) ends.push(draw("text", { class: "soft", x: x.toFixed(1), y: bottom + 10, "font-size": 9 }, at));
    });
    // Beside what the lanes give and, at the step itself, beside the cells that show what they have then.
    if (aligned && size && xs[0] - longest * size * 0.3 > 38) {
      for (const [key, y] of [["exchange_from", 11], ...(this.view.step === this.at ? [["exchange_to", bottom]] : [])]) {
        ends.push(draw("text", { class: "soft side", x: 0, y, "font-size": 10.5 }, say(key)));
      }
    }
    this.picture.setAttribute("height", bottom + (aligned ? 2 : 14));
    this.picture.replaceChildren(...links, ...ends);
  }
}
