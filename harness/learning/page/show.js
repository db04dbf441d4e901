// What a step looks like.
const LANE_LOOKS = ["held", "active", "waiting", "ended", "skips", "skips"]; // by a lane's state
const LANE_MARKS = ["", "", "‖", "×", "↷", "↷"];

Object.assign(View.prototype, {
  show() {
    const { trace } = this, step = trace.steps[this.step];
    const { file, line } = trace.source(step);
    const marks = this._findingMarks();
    this._place(file, line);
    this._showLanes(marks);
    this._showMemory(step, marks);
    this._showMeeting(step);
    this._showHappenings(step);
    this._showDetails();
    this._showFinding(marks);
    this._scroll();
    for (const list of [this.happens, this.found]) if (list) this._cut(list);
    this._draw();
    clearTimeout(this.addressing);
    this.addressing = setTimeout(() => this._address(), 100); // a browser takes longer for it than for a step
    document.body.dataset.step = this.step + 1;
  },

  // The address leads to the launch, the step and the lane.
  _address() {
    const launch = launches.length > 1 ? `launch=${launches[this.number].launch}&` : "";
    history.replaceState(null, "", `#${launch}step=${this.step + 1}${this.lane === null ? "" : `&lane=${this.lane}`}`);
  },

  _place(file, line) {
    const count = this.trace.steps.length, label = say("step_of", { step: this.step + 1, steps: count });
    this.slider.value = this.step + 1;
    this.slider.setAttribute("aria-valuetext", `${label}, ${lineName(line)}`);
    this.where.textContent = `${label} · ${lineName(line)}`;
    this.now.setAttribute("x1", this.step + 0.5);
    this.now.setAttribute("x2", this.step + 0.5);
    this.source.querySelector(".sought")?.classList.remove("sought");
    this.current?.classList.remove("now");
    this.current?.removeAttribute("aria-current");
    this.current = this.rows[file][line - this.trace.data.files[file].from];
    if (!this.current) return;
    this.current.classList.add("now");
    this.current.setAttribute("aria-current", "step");
  },

  // Brings the line, and of a race the other side's, into the source's own window, once all beside it has its size.
  _scroll() {
    if (!this.current) return;
    const { scrollTop, clientHeight } = this.source, rows = [this.current, ...(this.sideRows ?? [])];
    const from = Math.min(...rows.map((row) => row.offsetTop)), to = Math.max(...rows.map((row) => row.offsetTop + row.offsetHeight));
    const { offsetTop: top, offsetHeight: height } = this.current;
    if (rows.length > 1 && to - from <= clientHeight - 8) this.source.scrollTop = from - (clientHeight - (to - from)) / 2;
    else if (top < scrollTop + 40 || top + height > scrollTop + clientHeight - 40) this.source.scrollTop = top - (clientHeight - height) / 2.4;
  },

  // Marks a list of which there is more below.
  _cut(list) { list.classList.toggle("cut", list.scrollHeight - list.clientHeight - list.scrollTop > 4); },

  // Writes what is new of a cell.
  _look(cell, text, look, mark, expected = "") {
    const before = this.looks.get(cell);
    if (before && before[0] === text && before[1] === look && before[2] === mark && before[3] === expected) return;
    this.looks.set(cell, [text, look, mark, expected]);
    if (!before || before[0] !== text) cell.textContent = text;
    cell.className = `c ${look}`;
    if (mark) cell.dataset.mark = mark;
    else delete cell.dataset.mark;
    if (expected) cell.dataset.expected = expected;
    else delete cell.dataset.expected;
    cell.setAttribute("aria-selected", look.includes("chosen"));
  },

  // Says in words what a cell has only signs for.
  _name(cell, words) {
    if ((cell.title || null) === words) return;
    for (const name of ["title", "aria-label"]) if (words) cell.setAttribute(name, words); else cell.removeAttribute(name);
  },

  // A value as a cell of a buffer shows it: an `mbarrier` in words where one or two of them have a line to themselves.
  _cellText(buffer, number) {
    const { trace } = this;
    return (this._inner(buffer) <= 2 && trace.state(number)) || trace.text(number);
  },

  // The characters that it takes; words have room beside them, and those of Korean are two wide.
  _cellWidth(buffer, number) {
    const text = this._cellText(buffer, number) ?? "·", words = text !== this.trace.text(number);
    return words ? text.replace(/[^\x00-\xff]/g, "xx").length + 2 : text.length;
  },

  // A cell and what it holds, if that is known.
  _holds(buffer, cell, value) { return `${this.cellName(buffer, cell)}${value < 0 ? "" : ` = ${this.trace.told(value)}`}`; },

  // The variable whose values the lanes show: the chosen one, or the one that got a value last.
  _variable() {
    if (this.variable !== "auto") return Number(this.variable);
    for (let at = this.step; at >= 0; at--) {
      const { variables } = this.trace.steps[at];
      if (variables.length) return variables[variables.length - 1].variable;
    }
    return null;
  },

  _showLanes(marks) {
    const { trace } = this, lanes = laneStates(trace, this.step), { states } = lanes, variable = this._variable();
    this.automatic.textContent = variable === null ? say("lanes") : trace.data.variables[variable].name + " ↻";
    this.overview?.show(states);
    this._showCounts(lanes);
    const rows = this.laneField.choose(({ numbers }) => this._laneWeight(numbers, states, marks));
    this.laneCells = [];
    for (const { numbers, cells } of rows) {
      numbers.forEach((lane, at) => {
        const value = variable === null ? String(lane % trace.threads) : trace.text(trace.values[variable][lane]) ?? "·";
        const bad = marks.lanes.get(lane), long = value.length > this.widest.lanes ? " long" : "";
        const look = `${LANE_LOOKS[states[lane]]}${bad === undefined ? "" : " bad"}${lane === this.lane ? " chosen" : ""}${long}`;
        this.laneCells[lane] = cells[at];
        this._look(cells[at], value, look, bad ?? LANE_MARKS[states[lane]]);
      });
    }
  },

  // Rows of lanes that are looked at come first, then those whose lanes go apart, then those that run.
  _laneWeight(numbers, states, marks) {
    const running = numbers.filter((lane) => states[lane] === RUNS).length;
    const entered = this.warp !== null && this._warpOf(numbers[0]) === this.warp;
    const special = numbers.some((lane) => marks.lanes.has(lane) || lane === this.lane);
    return 8 * special + 4 * entered + 2 * (running > 0 && running < numbers.length) + (running > 0);
  },

  _warpOf(lane) {
    const { threads, warps, data } = this.trace;
    return Math.floor(lane / threads) * warps + Math.floor((lane % threads) / data.warp);
  },

  _showMemory(step, marks) {
    const { trace } = this, touched = trace.data.buffers.map(() => new Map()), ranks = trace.data.buffers.map(() => new Map());
    for (const { kind, buffer, touches } of step.accesses) {
      for (const { lane, cell } of touches) {
        if (kind === SETTLED || cell < 0 || (this.lane !== null && this.by === "lane" && lane !== this.lane)) continue;
        const before = touched[buffer].get(cell) ?? "";
        ranks[buffer].set(cell, Math.max(this._rank(lane), ranks[buffer].get(cell) ?? 0));
        touched[buffer].set(cell, !before || before === KINDS[kind] ? KINDS[kind] : [before, KINDS[kind]].includes("atomic") ? "atomic" : "read written");
      }
    }
    const weighed = this.fields.map((field, buffer) => this._cellWeights(field, buffer, ranks[buffer], marks.cells[buffer]));
    const keep = weighed.every((weights) => !weights.size); // where a step touches nothing, nothing jumps
    this.fields.forEach((field, buffer) => {
      const weights = weighed[buffer], wrong = trace.expected.get(buffer);
      for (const row of field.choose((row) => weights.get(row) ?? 0, keep)) {
        row.numbers.forEach((at, place) => {
          const held = trace.cells[buffer][at], text = this._cellText(buffer, held), kind = touched[buffer].get(at) ?? "", expected = wrong?.get(at);
          let look = text === null ? kind : `held ${kind}`.trim(), mark = MARKS[kind] ?? "", due = "";
          if (text !== null && text.length > this.widest.cells[buffer]) look += " long";
          if (marks.cells[buffer].has(at)) { look += " bad"; mark = marks.cells[buffer].get(at); }
          if (expected && this.step >= expected.from) { look += " wrong"; due = `≠${expected.text}`; }
          if (this.cell && this.cell[0] === buffer && this.cell[1] === at) look += " chosen";
          this._look(row.cells[place], text ?? "·", look, mark, due);
          this._name(row.cells[place], trace.state(held) && trace.told(held));
        });
      }
    });
  },

  // From 1 to 2, how much the cells of a lane are worth to be shown: those of lanes that are shown themselves.
  _rank(lane) {
    if (lane === this.lane) return 2;
    return lane >= 0 && this._warpOf(lane) === this.warp ? 1.9 : 1 + 1 / (3 + lane);
  },

  // Of the rows of a buffer that have something to show, how much it is.
  _cellWeights(field, buffer, ranks, bad) {
    const { cells: length, rows } = this.trace.data.buffers[buffer], weights = new Map();
    const weigh = (cell, weight) => {
      const at = cell % length, row = field.at.get(cell - at + (at - (at % field.columns)));
      if (row) weights.set(row, Math.max(weight, weights.get(row) ?? 0));
    };
    for (const [cell, rank] of ranks) weigh(cell, rank);
    if (this.warp !== null && rows === "block") weigh(Math.floor(this.warp / this.trace.warps) * length, 1.5);
    for (const [cell, { from }] of this.trace.expected.get(buffer) ?? []) if (from <= this.step) weigh(cell, 3);
    if (this.cell?.[0] === buffer) weigh(this.cell[1], 4);
    for (const cell of bad.keys()) weigh(cell, 5);
    return weights;
  },

  _showMeeting(step) {
    const family = syncKind(step.kind) ?? (step.kind === "warp" ? "warp" : null);
    this.meeting.hidden = !family;
    this.meeting.className = `meeting ${family ?? ""}`;
    if (!family) return;
    const name = say({ cluster: "cluster_barrier", mbarrier: "mbarrier", warp: "warp_sync" }[family] ?? "barrier"), lanes = this._count(step.active);
    const arrives = step.kind.endsWith(".arrive"), stuck = this.trace.stuck(this.step).size === this.trace.lanesOf(step.active).length;
    const key = arrives ? (stuck ? "barrier_stuck" : "barrier_arrived") : step.kind.endsWith(".wait") ? "barrier_waited" : "barrier_passed";
    const state = arrives && family === "mbarrier" ? this._arrivals(step) : "", arrived = arrives ? this.trace.arrived(this.step) : 0;
    this.meeting.textContent = `${name}: ${state && !stuck ? say("mbarrier_arrived", { lanes, state }) : say(key, { lanes, arrived, total: this.trace.lanes })}`;
  },

  // The phase and the arrivals of the first `mbarrier` of a step, in words.
  _arrivals(step) {
    const { trace } = this, values = step.accesses.flatMap(({ touches }) => touches.map((touch) => touch.value));
    const value = values.find((one) => one >= 0 && mbarrierOf(trace.data.texts[one])?.arrived);
    return value === undefined ? "" : trace.told(value);
  },

  _count(set) {
    const count = this.trace.lanesOf(set).length, total = this.trace.lanes;
    return say(count === total ? "all_lanes" : "some_lanes", { count, total });
  },

  _few(items) {
    const left = items.length - MOST;
    return items.slice(0, MOST).join(", ") + (left > 0 ? `, ${say("more", { count: left })}` : "");
  },

  // The lane whose doings are told first: the followed one, that of the finding or of the chosen cell, or the first.
  _leading(step) {
    if (this.lane !== null) return this.lane;
    const side = this.finding?.sides.find((one) => one.step === this.step && one.lane !== null && one.lane >= 0);
    const touches = step.accesses.flatMap(({ kind, buffer, touches: all }) => (kind === SETTLED ? [] : all.map((touch) => ({ buffer, ...touch }))));
    const touch = touches.find((one) => this.cell && one.buffer === this.cell[0] && one.cell === this.cell[1]) ?? touches.find((one) => one.lane >= 0);
    return side?.lane ?? touch?.lane ?? -1;
  },

  // What a lane does, with its values. What it computes is told where two values come to the one that it stores.
  _rule(step, lane) {
    const { trace } = this, reads = [], writes = [], text = trace.lineText(this.step);
    for (const { kind, buffer, touches } of step.accesses) {
      for (const touch of touches) if (kind !== SETTLED && touch.lane === lane && touch.cell >= 0) (kind === LOAD ? reads : writes).push({ kind, buffer, ...touch });
    }
    const valueOf = (one) => trace.told(one.value), named = (one) => this.cellName(one.buffer, one.cell);
    const [write] = writes, stores = writes.length === 1 && write.kind === STORE && [...reads, write].every(({ value }) => value >= 0);
    if (stores && reads.length === 2) {
      const [, again, between] = /^[^=]*?([-+*])= |\]\s*([-+*/])\s*\w+\[/.exec(text) ?? [], sign = again ?? between;
      const own = reads.findIndex((one) => one.buffer === write.buffer && one.cell === write.cell);
      const [one, other] = (again && own === 1 ? [...reads].reverse() : reads).map(valueOf), [a, b] = [Number(one), Number(other)];
      const comes = { "+": a + b, "-": a - b, "*": a * b, "/": a / b }[sign], wanted = Number(valueOf(write));
      if (Math.abs(comes - wanted) <= 1e-5 * Math.max(1, Math.abs(wanted))) return `${named(write)} = ${one} ${sign} ${other} = ${valueOf(write)}`;
    }
    if (stores && reads.length === 1 && valueOf(reads[0]) === valueOf(write)) return `${named(write)} = ${named(reads[0])} = ${valueOf(write)}`;
    const told = (key, some) => (some.length ? `${say(key)} ${some.slice(0, 3).map((one) => this._holds(one.buffer, one.cell, one.value)).join(", ")}${some.length > 3 ? ", …" : ""}` : "");
    return [told("reads", reads), told(write ? VERBS[write.kind] : "writes", writes)].filter(Boolean).join("; ");
  },

  _showHappenings(step) {
    const { trace } = this, told = [], own = (lane) => this.lane === null || this.by !== "lane" || lane === this.lane;
    const lead = this._leading(step), rule = lead < 0 ? "" : this._rule(step, lead), alike = trace.lanesOf(step.active).length - 1;
    if (rule) told.push([`${this.name(lead)}:`, rule + (alike > 0 ? ` (${say("likewise", { count: alike })})` : "")]);
    for (const { kind, buffer, touches } of step.accesses) {
      const some = touches.filter((touch) => touch.cell >= 0 && own(touch.lane));
      if (kind === SETTLED || !some.length) continue;
      const shown = some.slice(0, 3).map(({ cell, value }) => this._holds(buffer, cell, value));
      told.push([say(VERBS[kind]), shown.join(", ") + (some.length > 3 ? `, ${say("more", { count: some.length - 3 })}` : "")]);
    }
    for (const { operation, exchanges } of step.shuffles) {
      const some = exchanges.filter((one) => one.source !== null && own(one.lane));
      const shown = some.slice(0, MOST).map(({ lane, source, got }) => source < 0
        ? `${this.name(lane)}: ${say("from_inactive")}` : `${this.name(lane)} ${say("gets", { value: trace.text(got), source: this.name(source) })}`);
      told.push([`${operation}:`, this._few([...shown, ...new Array(some.length - shown.length)])]);
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

  _showDetails() {
    const parts = [...(this.lane === null ? [] : this._laneDetails()), ...(this.cell ? this._cellDetails(...this.cell) : [])];
    this.details.replaceChildren(...(parts.length ? parts : [make("p", { class: "quiet", text: say("pick") })]));
  },

  _laneDetails() {
    const { trace } = this, { warp, lane } = trace.where(this.lane);
    const rows = trace.data.variables.map((one, number) => make("tr", {},
      make("th", { scope: "row" }, make("code", { text: one.name })), make("td", { class: "mono", text: trace.text(trace.values[number][this.lane]) ?? say("no_values") })));
    return [make("h3", { text: `${this.name(this.lane)} · ${say("warp", { warp })} · ${say("lane", { lane })}` }),
      make("table", {}, make("tbody", {}, ...rows)),
      make("button", { type: "button", text: say("unfollow"), onclick: () => this.follow(this.lane) })];
  },

  _cellDetails(buffer, cell) {
    const { trace } = this, expected = trace.expected.get(buffer)?.get(cell);
    const entries = trace.touched(buffer, cell).map((touch) => {
      const at = trace.source(trace.steps[touch.step]);
      const text = `${say("step")} ${touch.step + 1} · ${lineName(at.line)} · ${this.name(touch.lane)} ${say(VERBS[touch.kind])} ${trace.told(touch.value)}`.trim();
      return make("li", {}, make("button", { type: "button", text, "aria-current": touch.step === this.step ? "step" : null, onclick: () => { this.lane = touch.lane; this.go(touch.step); } }));
    });
    return [make("h3", { text: say("who_touched", { cell: this.cellName(buffer, cell) }) }),
      expected && make("p", { class: "due", text: `${say("expected_value", { value: expected.text })}, ${say("actual_value", { value: trace.text(trace.cells[buffer][cell]) ?? say("nobody_wrote") })}` }),
      entries.length ? make("ol", { class: "touches", tabindex: 0, "aria-label": say("details") }, ...entries) : make("p", { text: say("nobody") })].filter(Boolean);
  },
});

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
