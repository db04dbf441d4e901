// All lanes at once, a small picture for each warp: who runs, skips the line, waits, has ended, or is elsewhere.
// Of a state, from where to where its bar goes in a picture that is 10 high: the shape says it, not the colour alone.
const BARS = { [RUNS]: ["run", 0, 10], [WAITS]: ["wait", 5, 10], [ENDED]: ["end", 9, 10], [ELSEWHERE]: ["other", 4, 6], [DIVERGED]: ["apart", 2, 4], [SKIPS]: ["skip", 7, 8] };
const STATES = [["overview_run", RUNS], ["overview_apart", DIVERGED], ["overview_skip", SKIPS], ["overview_wait", WAITS], ["overview_other", ELSEWHERE], ["overview_end", ENDED]];

function sampleOf(state) {
  const [name, top, bottom] = BARS[state];
  return draw("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, draw("path", { class: name, d: `M0 ${top}H10V${bottom}H0z` }));
}

class Overview {
  constructor(view) {
    this.view = view;
    const { trace } = view, { warp } = trace.data, pixels = this._pixels();
    this.warps = [];
    this.root = make("div", { class: "overview" });
    const grid = new Grid(say("overview"), (number) => view.enter(number), trace.warps, `${Math.min(warp, trace.threads) * pixels + 4}px`);
    trace.blocks.forEach((block, place) => {
      const numbers = Array.from({ length: trace.warps }, (_, at) => place * trace.warps + at), row = grid.row(say("block", { block }), numbers);
      grid.show(row, true);
      row.cells.forEach((cell, at) => this._addWarp(cell, place * trace.threads + at * warp, (place + 1) * trace.threads));
    });
    grid.root.style.setProperty("--wide", `${trace.warps * (Math.min(warp, trace.threads) * pixels + 6) + 56}px`);
    grid.settle();
    this.root.append(grid.root);
  }

  // Pixels of a lane: as many as fit beside one another, in two or three columns where there are many blocks.
  _pixels() {
    const { trace } = this.view, across = trace.warps * Math.min(trace.data.warp, trace.threads), columns = trace.blocks.length > 12 ? 3 : trace.blocks.length > 6 ? 2 : 1;
    const room = this.view._room() / columns - trace.warps * 6 - (columns - 1) * 66;
    return Math.max(0.5, Math.min(4, Math.floor((10 * room) / across) / 10));
  }

  _addWarp(cell, first, end) {
    const count = Math.min(this.view.trace.data.warp, end - first), paths = {};
    for (const [state, [name]] of Object.entries(BARS)) paths[state] = draw("path", { class: name });
    cell.append(draw("svg", { viewBox: `0 0 ${count} 10`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...Object.values(paths)));
    this.warps.push({ cell, first, count, paths, key: null });
  }

  show(states) {
    this.warps.forEach((warp, number) => {
      const own = states.subarray(warp.first, warp.first + warp.count), key = own.join("");
      warp.cell.classList.toggle("chosen", number === this.view.warp);
      warp.cell.setAttribute("aria-selected", number === this.view.warp);
      if (key !== warp.key) this._drawWarp(warp, own, number);
      warp.key = key;
    });
  }

  _drawWarp(warp, own, number) {
    const shapes = {}, counts = {};
    for (let at = 0; at < own.length;) {
      let end = at;
      while (end < own.length && own[end] === own[at]) end++;
      const [, top, bottom] = BARS[own[at]];
      shapes[own[at]] = `${shapes[own[at]] ?? ""}M${at} ${top}H${end}V${bottom}H${at}z`;
      counts[own[at]] = (counts[own[at]] ?? 0) + end - at;
      at = end;
    }
    for (const [state, path] of Object.entries(warp.paths)) path.setAttribute("d", shapes[state] ?? "");
    const { trace } = this.view, block = trace.blocks[Math.floor(number / trace.warps)];
    const told = STATES.filter(([, state]) => counts[state]).map(([name, state]) => say(name, { count: counts[state] }));
    warp.cell.setAttribute("aria-label", `${say("block", { block })} ${say("warp", { warp: number % trace.warps })}: ${told.join(", ")}`);
  }
}
