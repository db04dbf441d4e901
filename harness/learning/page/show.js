// What a step looks like.
Object.assign(View.prototype, {
  show() {
    const { trace } = this, step = trace.steps[this.step];
    const { file, line } = trace.source(step);
    this._place(file, line);
    this._showLanes(step);
    this._showMemory(step);
    this._showMeeting(step);
    this._showHappenings(step);
    this._showDetails(step);
    this._scroll();
    this._arcs();
    const launch = launches.length > 1 ? `launch=${launches[this.number].launch}&` : "";
    const asked = `#${launch}step=${this.step + 1}${this.lane === null ? "" : `&lane=${this.lane}`}`;
    history.replaceState(null, "", asked);
    document.body.dataset.step = this.step + 1;
  },

  _place(file, line) {
    const count = this.trace.steps.length, label = say("step_of", { step: this.step + 1, steps: count });
    this.slider.value = this.step + 1;
    this.slider.setAttribute("aria-valuetext", `${label}, ${say("line", { line })}`);
    this.where.textContent = `${label} · ${say("line", { line })}`;
    this.now.setAttribute("x1", this.step + 0.5);
    this.now.setAttribute("x2", this.step + 0.5);
    this.current?.classList.remove("now");
    this.current?.removeAttribute("aria-current");
    this.current = this.rows[file][line - this.trace.data.files[file].from];
    if (!this.current) return;
    this.current.classList.add("now");
    this.current.setAttribute("aria-current", "step");
  },

  // Brings the line into the source's own window, once all beside it has its size.
  _scroll() {
    if (!this.current) return;
    const { offsetTop: top, offsetHeight: height } = this.current, { scrollTop, clientHeight } = this.source;
    if (top < scrollTop + 40 || top + height > scrollTop + clientHeight - 40) this.source.scrollTop = top - clientHeight / 2.4;
  },

  // Writes what is new of a cell.
  _look(cell, text, look, mark) {
    const before = this.looks.get(cell);
    if (before && before[0] === text && before[1] === look && before[2] === mark) return;
    this.looks.set(cell, [text, look, mark]);
    if (!before || before[0] !== text) cell.textContent = text;
    cell.className = `c ${look}`;
    if (mark) cell.dataset.mark = mark;
    else delete cell.dataset.mark;
    cell.setAttribute("aria-selected", look.includes("chosen"));
  },

  // The variable whose values the lanes show: the chosen one, or the one that got a value last.
  _variable() {
    if (this.variable !== "auto") return Number(this.variable);
    for (let at = this.step; at >= 0; at--) {
      const { variables } = this.trace.steps[at];
      if (variables.length) return variables[variables.length - 1].variable;
    }
    return null;
  },

  _showLanes(step) {
    const { trace } = this, states = new Array(trace.lanes).fill("held"), marks = new Array(trace.lanes).fill("");
    const variable = this._variable();
    this.automatic.textContent = variable === null ? say("lanes") : trace.data.variables[variable].name + " ↻";
    trace.lanesOf(step.waiting).forEach((lane) => { states[lane] = "waiting"; marks[lane] = "‖"; });
    trace.lanesOf(step.ended).forEach((lane) => { states[lane] = "ended"; marks[lane] = "×"; });
    trace.lanesOf(step.active).forEach((lane) => { states[lane] = "active"; marks[lane] = ""; });
    for (const finding of this.severe) {
      for (const side of finding.sides) if (side.step === this.step && side.lane !== null && side.lane >= 0) { states[side.lane] += " bad"; marks[side.lane] = "!"; }
    }
    if (this.lane !== null) states[this.lane] += " chosen";
    const rows = this.laneField.choose(({ numbers }) => {
      const own = (word) => numbers.filter((lane) => states[lane].includes(word)).length, running = own("active");
      return 4 * (own("bad") + own("chosen") > 0) + 2 * (running > 0 && running < numbers.length) + (running > 0);
    });
    this.laneCells = [];
    for (const { numbers, cells } of rows) {
      numbers.forEach((lane, at) => {
        const value = variable === null ? String(lane % trace.threads) : trace.text(trace.values[variable][lane]) ?? "·";
        this.laneCells[lane] = cells[at];
        this._look(cells[at], value, value.length > this.widest.lanes ? `${states[lane]} long` : states[lane], marks[lane]);
      });
    }
  },

  _showMemory(step) {
    const { trace } = this, touched = trace.data.buffers.map(() => new Map());
    for (const { kind, buffer, touches } of step.accesses) {
      for (const { lane, cell } of touches) {
        if (kind === SETTLED || cell < 0 || (this.lane !== null && this.by === "lane" && lane !== this.lane)) continue;
        const before = touched[buffer].get(cell) ?? "";
        touched[buffer].set(cell, !before || before === KINDS[kind] ? KINDS[kind] : [before, KINDS[kind]].includes("atomic") ? "atomic" : "read written");
      }
    }
    const bad = trace.data.buffers.map(() => new Set());
    for (const finding of this.severe) {
      for (const side of finding.sides) if (side.step === this.step && side.cell !== null) bad[finding.buffer].add(side.cell);
    }
    this.fields.forEach((field, buffer) => {
      const { cells: length } = trace.data.buffers[buffer], weights = new Map();
      const weigh = (cell, weight) => {
        const at = cell % length, row = field.at.get(cell - at + (at - (at % field.columns)));
        if (row) weights.set(row, Math.max(weight, weights.get(row) ?? 0));
      };
      for (const cell of touched[buffer].keys()) weigh(cell, 1);
      for (const cell of bad[buffer]) weigh(cell, 3);
      if (this.cell?.[0] === buffer) weigh(this.cell[1], 2);
      for (const row of field.choose((row) => weights.get(row) ?? 0)) {
        row.numbers.forEach((at, place) => {
          const text = trace.text(trace.cells[buffer][at]), kind = touched[buffer].get(at) ?? "";
          let look = text === null ? kind : `held ${kind}`.trim(), mark = MARKS[kind] ?? "";
          if (bad[buffer].has(at)) { look += " bad"; mark = "!"; }
          if (this.cell && this.cell[0] === buffer && this.cell[1] === at) look += " chosen";
          this._look(row.cells[place], text ?? "·", look, mark);
        });
      }
    });
  },

  _showMeeting(step) {
    const kind = isMeeting(step.kind);
    this.meeting.hidden = !kind;
    this.meeting.className = `meeting ${kind ?? ""}`;
    if (kind) {
      const name = say(kind === "cluster" ? "cluster_barrier" : "barrier");
      this.meeting.textContent = `${name}: ${say("barrier_passed", { lanes: this._count(step.active) })}`;
    }
  },

  _count(set) {
    const count = this.trace.lanesOf(set).length, total = this.trace.lanes;
    return say(count === total ? "all_lanes" : "some_lanes", { count, total });
  },

  _few(items) {
    const left = items.length - MOST;
    return items.slice(0, MOST).join(", ") + (left > 0 ? `, ${say("more", { count: left })}` : "");
  },

  _showHappenings(step) {
    const { trace } = this, told = [], own = (lane) => this.lane === null || this.by !== "lane" || lane === this.lane;
    let lanes = this._count(step.active);
    const others = [["waiting_n", step.waiting], ["ended_n", step.ended]];
    for (const [key, set] of others) if (trace.lanesOf(set).length) lanes += `, ${say(key, { count: trace.lanesOf(set).length })}`;
    told.push([lanes, ""]);
    for (const { kind, buffer, touches } of step.accesses) {
      const some = touches.filter((touch) => touch.cell >= 0 && own(touch.lane));
      if (kind === SETTLED || !some.length) continue;
      told.push([say(VERBS[kind]), this._few(some.map(({ cell, value }) => `${this.cellName(buffer, cell)} = ${trace.text(value) ?? "?"}`))]);
    }
    for (const { operation, exchanges } of step.shuffles) {
      const some = exchanges.filter((one) => one.source !== null && own(one.lane));
      const line = some.map(({ lane, source, got }) => source < 0
        ? `${this.name(lane)}: ${say("from_inactive")}` : `${this.name(lane)} ${say("gets", { value: trace.text(got), source: this.name(source) })}`);
      told.push([`${say("shuffle")} ${operation}`, this._few(line)]);
    }
    const last = new Map(step.variables.map((one) => [one.variable, one]));
    for (const { variable, set } of last.values()) {
      const values = Array.from(trace.lanesOf(set)).filter(own).map((lane) => trace.text(trace.values[variable][lane]));
      const same = values.every((value) => value === values[0]);
      if (values.length) told.push([trace.data.variables[variable].name, `= ${same ? values[0] : this._few(values)}`]);
    }
    this.happens.replaceChildren(...told.map(([what, how]) => make("li", {}, document.createTextNode(`${what} `), how && make("code", { text: how }))));
    this.live.textContent = `${this.where.textContent}: ${told.slice(0, 3).map((parts) => parts.join(" ")).join("; ")}`;
  },

  _showDetails(step) {
    const { trace } = this, parts = [];
    if (this.lane !== null) {
      const { warp, lane } = trace.where(this.lane);
      const rows = trace.data.variables.map((one, number) => make("tr", {},
        make("th", { scope: "row" }, make("code", { text: one.name })), make("td", { class: "mono", text: trace.text(trace.values[number][this.lane]) ?? say("no_values") })));
      parts.push(make("h3", { text: `${this.name(this.lane)} · ${say("warp", { warp })} · ${say("lane", { lane })}` }),
        make("table", {}, make("tbody", {}, ...rows)),
        make("button", { type: "button", text: say("unfollow"), onclick: () => this.follow(this.lane) }));
    }
    if (this.cell) {
      const [buffer, cell] = this.cell, touches = trace.touched(buffer, cell);
      const entries = touches.map((touch) => {
        const at = trace.source(trace.steps[touch.step]);
        const text = `${say("step")} ${touch.step + 1} · ${say("line", { line: at.line })} · ${this.name(touch.lane)} ${say(VERBS[touch.kind])} ${trace.text(touch.value) ?? "?"}`;
        return make("li", {}, make("button", { type: "button", text, "aria-current": touch.step === this.step ? "step" : null, onclick: () => { this.lane = touch.lane; this.go(touch.step); } }));
      });
      parts.push(make("h3", { text: say("who_touched", { cell: this.cellName(buffer, cell) }) }),
        entries.length ? make("ol", { class: "touches", tabindex: 0, "aria-label": say("details") }, ...entries) : make("p", { text: say("nobody") }));
    }
    if (!parts.length) parts.push(make("p", { class: "quiet", text: say("pick") }));
    this.details.replaceChildren(...parts);
  },

  // Who gets a value from whom, over the lanes of a block.
  _arcs() {
    for (const arcs of this.arcs) arcs.remove();
    this.arcs = [];
    const step = this.trace.steps[this.step], layers = new Map();
    for (const { exchanges } of step?.shuffles ?? []) {
      for (const { lane, source } of exchanges) {
        if (source === null || source === lane) continue;
        const from = source < 0 ? lane : source, place = Math.floor(lane / this.trace.threads);
        if (!this.laneCells[from] || !this.laneCells[lane]) continue; // folded
        const grid = this.laneField.grids[place][0].root, layer = layers.get(place) ?? this._layer(grid, layers, place);
        const [start, end] = [from, lane].map((one) => middle(this.laneCells[one], grid));
        const height = Math.min(42, 9 + Math.abs(end.x - start.x) / 16), top = Math.min(start.y, end.y) - height;
        const path = draw("path", {
          d: `M${start.x} ${start.y} C${start.x} ${top} ${end.x} ${top} ${end.x} ${end.y}`, "marker-end": "url(#arrow)",
          class: source < 0 ? "bad" : this.lane !== null && this.lane !== lane && this.lane !== source ? "dim" : "",
        });
        layer.append(path);
      }
    }
  },

  _layer(grid, layers, place) {
    const layer = draw("svg", { class: "arcs", "aria-hidden": "true" });
    if (!layers.size) {
      const marker = draw("marker", { id: "arrow", viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 5, markerHeight: 5, orient: "auto" });
      marker.append(draw("path", { d: "M0 0 L6 3 L0 6 z" }));
      layer.append(marker);
    }
    grid.append(layer);
    layers.set(place, layer);
    this.arcs.push(layer);
    return layer;
  },
});

const middle = (cell, grid) => {
  const one = cell.getBoundingClientRect(), all = grid.getBoundingClientRect();
  return { x: one.left - all.left + one.width / 2, y: one.top - all.top };
};

if (!document.documentElement.dataset.theme) {
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
// Inside another page it may still be folded away: what is laid out has to fit a width.
const unfolded = new Promise((resolve) => {
  const watching = new ResizeObserver(() => {
    if (!document.documentElement.clientWidth) return;
    watching.disconnect();
    resolve();
  });
  watching.observe(document.documentElement);
});

// Of a program there are several launches: one is shown at a time.
async function open_launch(number, asked = {}) {
  const data = await unpacked(traces[number]), root = document.getElementById("page");
  await unfolded;
  window.view?.close();
  root.replaceChildren();
  window.view = new View(new Trace(data), root, number, asked);
  document.body.dataset.launch = number + 1;
  document.body.dataset.ready = "yes";
}
