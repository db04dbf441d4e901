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
    if (at) return at.lane !== undefined ? at.lane === flow.lane : at.buffer === flow.buffer && at.cell === flow.cell;
    return null;
  },

  _drawFlows(step) {
    const flows = this.flows = this._flows(step), origin = this.stage.getBoundingClientRect(), boxes = new Map();
    const box = (element) => {
      if (!boxes.has(element)) boxes.set(element, element.getBoundingClientRect());
      return boxes.get(element);
    };
    const shapes = {};
    const stresses = flows.map((flow) => this._stressed(flow)), some = stresses.some(Boolean);
    flows.forEach((flow, at) => {
      const lane = box(this.laneCells[flow.lane]), cell = box(this._cellAt(flow.buffer, flow.cell));
      const own = `${KINDS[flow.kind]}${some && !stresses[at] ? " dim" : ""}`, path = (shapes[own] ??= { lines: "", tips: "" });
      const [x, y] = [lane.left - origin.left + lane.width / 2, lane.bottom - origin.top];
      const [u, v] = [cell.left - origin.left + cell.width / 2, cell.top - origin.top];
      // Beside one another a read and a write of the same cell by the same lane can both be seen, and those of several blocks.
      const [side, bend] = [(flow.kind === LOAD ? -2 : 2) + this._shift(flow.lane), Math.max(8, (v - y) / 2.4)];
      const round = (number) => number.toFixed(1);
      path.lines += `M${round(x + side)} ${round(y)}C${round(x + side)} ${round(y + bend)} ${round(u + side)} ${round(v - bend)} ${round(u + side)} ${round(v)}`;
      path.tips += flow.kind === LOAD ? tip(round(x + side), round(y), -1) : tip(round(u + side), round(v), 1);
    });
    const order = Object.entries(shapes).sort(([one], [other]) => other.includes("dim") - one.includes("dim"));
    this.flowRoot.replaceChildren(...order.flatMap(([own, { lines, tips }]) => [draw("path", { class: own, d: lines }), draw("path", { class: `tip ${own}`, d: tips })]));
    this.flowRoot.classList.toggle("many", flows.length > MANY && !some);
  },

  // By how many pixels the arrows of a block stand beside those of the other ones.
  _shift(lane) {
    const blocks = Math.min(4, this.trace.blocks.length);
    return ((Math.floor(lane / this.trace.threads) % blocks) - (blocks - 1) / 2) * 5;
  },

  // The pointer or the focus is on a cell: its arrows stand out.
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
    this.picture.setAttribute("height", bottom + (aligned ? 2 : 14));
    this.picture.replaceChildren(...links, ...ends);
  }
}
