// The page: built once, then only what changed is written.
const words = JSON.parse(document.getElementById("words").textContent);
const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const SVG = "http://www.w3.org/2000/svg";
const KINDS = { [LOAD]: "read", [STORE]: "written", [ATOMIC]: "read written", [SETTLED]: "" };
const MARKS = { "read": "R", "written": "W", "read written": "RW" };
const VERBS = { [LOAD]: "reads", [STORE]: "writes", [ATOMIC]: "updates" };
const CELLS = 4096; // of a buffer, at most
const MOST = 6; // values that are listed of many

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child));
  return made;
}

// A sentence that begins with a capital.
const rich = (text) => coded(text[0].toUpperCase() + text.slice(1));

// What stands in backticks is code.
function coded(text) {
  return text.split("`").map((part, at) => (at % 2 ? make("code", { text: part }) : document.createTextNode(part)));
}

function draw(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// What stands below the lines of a source, by file and line: what was found there.
function notesOf(findings) {
  const notes = new Map();
  for (const { severity, title, sides, sites } of findings) {
    for (const key of new Set((sides ?? sites).map((side) => `${side.file}:${side.line}`))) {
      if (severity !== "information") notes.set(key, [...new Set([...notes.get(key) ?? [], `! ${title}`])]);
    }
  }
  return notes;
}

function sourceRow(line, text, found = [], costs = [], onclick = null) {
  const below = (kind, texts) => texts.length && make("span", { class: "costs" }, ...texts.map((one) => make("span", { class: kind, text: one })));
  return make("span", { class: found.length ? "row bad" : "row", ...(onclick && { onclick }) },
    make("span", { class: "number", text: line }), document.createTextNode(text || " "), below("found", found), below("cost", costs));
}

// Rows of cells with one tab stop: the arrows move, Enter chooses.
class Grid {
  constructor(label, choose) {
    this.cells = [];
    this.choose = choose;
    this.root = make("div", { class: "cells", role: "grid", "aria-label": label });
    this.root.addEventListener("keydown", (event) => this.moved(event));
    this.root.addEventListener("click", (event) => {
      const cell = event.target.closest("[role=gridcell]");
      if (cell) { this.stop(cell); choose(Number(cell.dataset.number)); }
    });
  }

  // The numbers of the columns.
  header(columns, width) {
    const line = make("div", { class: "line names", role: "presentation" });
    line.style.setProperty("--columns", columns);
    line.style.setProperty("--cell", width);
    line.append(...Array.from({ length: columns }, (_, at) => make("span", { role: "columnheader", text: at })));
    this.root.append(make("div", { class: "row", role: "row" }, make("div", { class: "head", role: "presentation" }), line));
  }

  row(head, numbers, columns, width) {
    const line = make("div", { class: "line", role: "presentation" });
    line.style.setProperty("--columns", columns);
    line.style.setProperty("--cell", width);
    for (const number of numbers) {
      const cell = make("div", { class: "c", role: "gridcell", tabindex: this.cells.length ? -1 : 0, "data-number": number });
      this.cells.push(cell);
      line.append(cell);
    }
    this.root.append(make("div", { class: "row", role: "row" }, make("div", { class: "head", role: "rowheader", text: head }), line));
    this.columns = columns;
  }

  stop(cell) {
    const before = this.cells.find((one) => one.tabIndex === 0);
    if (before) before.tabIndex = -1;
    cell.tabIndex = 0;
  }

  moved(event) {
    const at = this.cells.indexOf(document.activeElement);
    if (at < 0) return;
    const row = at - (at % this.columns);
    const to = {
      ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + this.columns, ArrowUp: at - this.columns,
      Home: event.ctrlKey ? 0 : row, End: event.ctrlKey ? this.cells.length - 1 : row + this.columns - 1,
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(Number(this.cells[at].dataset.number));
    else if (to === undefined) return;
    else if (this.cells[to]) { this.stop(this.cells[to]); this.cells[to].focus(); }
    event.preventDefault();
    event.stopPropagation();
  }
}

class View {
  constructor(trace, root, number, asked) {
    this.trace = trace;
    this.root = root;
    this.number = number; // among the launches of a program
    this.inside = document.body.classList.contains("live"); // within a page that has a heading of its own
    this.closing = new AbortController();
    this.step = 0;
    this.by = "line";
    this.lane = null; // the one that is followed
    this.cell = null; // [buffer, cell]
    this.variable = "auto";
    this.looks = new WeakMap();
    this.several = trace.blocks.length > 1;
    this.problems = trace.data.findings.map((finding) => ({
      ...finding,
      sides: finding.sides.map((side) => ({
        ...side,
        lane: side.lane === null ? null : trace.lane(side.lane),
        cell: side.cell === null || finding.buffer === null ? null : trace.cell(finding.buffer, side.cell),
      })),
    }));
    this.severe = this.problems.filter((finding) => finding.severity !== "information");
    this.widest = this._widest();
    this._build();
    this._keys();
    if (asked.lane !== undefined) this.lane = Math.min(trace.lanes - 1, Math.max(0, Number(asked.lane) || 0));
    this.go(Number(asked.step) - 1 || 0);
  }

  // Lets go of the document.
  close() {
    clearInterval(this.playing);
    this.observer.disconnect();
    this.closing.abort();
  }

  // How many characters the values of each variable and buffer take.
  _widest() {
    const { trace } = this, length = (text) => (trace.text(text) ?? "·").length;
    const values = trace.data.variables.map(() => 1), cells = trace.data.buffers.map(() => 1);
    trace.data.buffers.forEach((buffer, at) => (buffer.first ?? []).forEach((text) => (cells[at] = Math.max(cells[at], length(text ?? -1)))));
    for (const step of trace.steps) {
      for (const one of step.variables) for (const text of one.values) values[one.variable] = Math.max(values[one.variable], length(text));
      for (const one of step.accesses) for (const touch of one.touches) cells[one.buffer] = Math.max(cells[one.buffer], length(touch.value));
    }
    // What only a few lanes have, and what is very long, does not widen all of them: it is written smaller there.
    const held = trace.data.variables.map(() => 0);
    for (const step of trace.steps) for (const one of step.variables) held[one.variable] = Math.max(held[one.variable], trace.lanesOf(one.set).length);
    const common = values.filter((_, variable) => held[variable] * 4 >= trace.lanes);
    return { values, cells, lanes: Math.min(14, Math.max(3, ...common)) };
  }

  // Building.

  _build() {
    const { trace } = this, { data } = trace;
    const shape = say("grid_block", { grid: data.grid.join(", "), block: data.block.join(", ") });
    const cluster = product(data.cluster) > 1 ? ", " + say("with_cluster", { cluster: data.cluster.join(", ") }) : "";
    const about = [data.kernel, data.target, shape + cluster, data.dataset && say("dataset", { name: data.dataset })];
    this.root.append(
      make(this.inside ? "div" : "header", { class: "head" },
        make(this.inside ? "h2" : "h1", { text: [data.program?.name ?? data.case, data.title].filter(Boolean).join(" · ") || data.kernel }),
        this._launches(),
        data.verdict && make("span", { class: `verdict ${data.verdict === "PASS" ? "right" : "wrong"}`, text: `${say("verdict")}: ${say(`verdict_${data.verdict}`)}` }),
        make("span", { class: "about", text: about.filter(Boolean).join(" · ") }),
        ...this._notes()),
      this._controls());
    this.source = make("pre", { class: "source", tabindex: 0, "aria-label": say("source"), role: "group" });
    this.happens = make("ul", { class: "happens" });
    this.details = make("div");
    // Few warps go across the page, so that each is one line; many stand beside the source, small.
    const wide = trace.blocks.length * trace.warps <= 4;
    this.dense = trace.lanes > 256;
    const left = make("div", { class: "left" },
      this._section("source", this.source, Object.keys(costs).length ? make("p", { class: "note", text: say("profile_note") }) : null), this._section("happens", this.happens), this._findings(), this._section("details", this.details));
    const lanes = this._lanes(wide);
    const right = make("div", { class: "right" }, wide ? null : lanes, this._memory(), this._legend());
    this.root.append(make(this.inside ? "div" : "main", { class: "main" }, wide && make("div", { class: "top" }, lanes), left, right), make(this.inside ? "div" : "footer", { class: "foot" }, make("p", { text: say("keys") })));
    this._code();
    this.observer = new ResizeObserver(() => this._arcs());
    this.observer.observe(this.lanesRoot);
  }

  // Which launch of the program is shown.
  _launches() {
    if (launches.length < 2) return null;
    const options = launches.map((one, number) => make("option", { value: number, selected: number === this.number, text: `${one.bad ? "! " : ""}${one.launch} · ${one.kernel}` }));
    const pick = make("select", { id: "launch", onchange: async (event) => {
      await open_launch(Number(event.target.value));
      document.getElementById("launch").focus();
    } }, ...options);
    return make("div", { class: "pickers" }, make("label", { for: "launch", text: say("launch") }), pick);
  }

  _notes() {
    const { data } = this.trace, notes = [], { program } = data;
    if (program) {
      notes.push(make("p", { class: "note", text: say("launched", program) }));
      if (data.arguments.length) notes.push(make("p", { class: "note" }, make("code", { text: data.arguments.map(([name, text]) => (name ? `${name} = ${text}` : text)).join(", ") })));
      if (program.shown < program.launches) notes.push(make("p", { class: "note warn", text: say("windowed_launches", program) }));
    }
    if (data.verdict) notes.push(make("p", { class: data.agrees ? "note" : "note warn", text: say(data.agrees ? "of_normal" : "disagree") }));
    if (data.fault) notes.push(make("p", { class: "note warn", text: say("fault", { reason: data.fault }) }));
    if (!data.kept) notes.push(make("p", { class: "note warn", text: say("no_steps") }));
    else if (data.kept < data.steps) notes.push(make("p", { class: "note warn", text: say("windowed_steps", data) }));
    if (data.blocks) notes.push(make("p", { class: "note warn", text: say("windowed_blocks", { shown: data.blocks.length, blocks: product(data.grid) }) }));
    return notes;
  }

  _section(key, ...children) {
    return make("section", { "aria-labelledby": `h-${key}` }, make("h2", { id: `h-${key}`, text: say(key) }), ...children);
  }

  _controls() {
    const button = (label, sign, act, id) => make("button", { type: "button", id, "aria-label": say(label), title: say(label), text: sign, onclick: act });
    this.player = button("play", "▶", () => this.play(), "play");
    this.slider = make("input", { type: "range", id: "slider", min: 1, max: Math.max(1, this.trace.steps.length), value: 1, "aria-label": say("time") });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value) - 1));
    this.where = make("div", { id: "where" });
    this.live = make("div", { class: "hidden", "aria-live": "polite", id: "live" });
    const by = make("select", { id: "by", "aria-label": say("stepping"), onchange: (event) => (this.by = event.target.value) },
      ...["line", "barrier", "lane"].map((kind) => make("option", { value: kind, text: say(`by_${kind}`) })));
    const theme = button("theme", "◐", () => {
      const dark = document.documentElement.dataset.theme === "dark";
      document.documentElement.dataset.theme = dark ? "light" : "dark";
    }, "theme");
    this.time = this._timeline();
    return make("div", { id: "controls", role: "region", "aria-label": say("time") }, make("div", {},
      make("div", { class: "buttons" },
        button("first_step", "⇤", () => this.go(0), "first"), button("previous_barrier", "«", () => this.toBarrier(-1), "previous-barrier"),
        button("previous", "‹", () => this.move(-1), "previous"), this.player, button("next", "›", () => this.move(1), "next"),
        button("next_barrier", "»", () => this.toBarrier(1), "next-barrier"), button("last_step", "⇥", () => this.go(Infinity), "last"), by, theme),
      this.slider, this.where, this.time, this.live));
  }

  // How many lanes run at each step; barriers and findings across.
  _timeline() {
    const { steps, lanes } = this.trace, count = Math.max(1, steps.length);
    const time = draw("svg", { class: "timeline", viewBox: `0 0 ${count} 34`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const problems = new Set(this.severe.flatMap((finding) => finding.sides.map((side) => side.step)));
    steps.forEach((step, at) => {
      const height = Math.max(1.5, (24 * this.trace.lanesOf(step.active).length) / lanes), kind = isMeeting(step.kind);
      if (kind) {
        time.append(draw("line", { class: kind, x1: at + 0.5, x2: at + 0.5, y1: 2, y2: 34, "vector-effect": "non-scaling-stroke" }));
      } else {
        time.append(draw("rect", { class: step.kind === "shuffle" ? "shuffle" : "run", x: at + 0.12, width: 0.76, y: 34 - height, height }));
      }
      if (problems.has(at)) time.append(draw("rect", { class: "bad", x: at, width: 1, y: 0, height: 6 }));
    });
    this.now = draw("line", { class: "now", y1: 0, y2: 34, "vector-effect": "non-scaling-stroke" });
    time.append(this.now);
    time.addEventListener("click", (event) => {
      const box = time.getBoundingClientRect();
      this.go(Math.floor(((event.clientX - box.left) / box.width) * count));
    });
    return time;
  }

  _code() {
    const notes = notesOf(this.severe);
    this.rows = this.trace.data.files.map((file, number) => file.lines.map((text, at) => {
      const line = file.from + at, key = `${file.name}:${line}`;
      const row = sourceRow(line, text, notes.get(key), costs[key], () => this.toLine(number, line));
      this.source.append(row);
      return row;
    }));
  }

  // Columns that fit the values: all lanes of a warp in one line, or half of them and so on.
  _columns(count, characters, room) {
    const usual = Math.max(26, Math.ceil(characters * 6.4) + 7), small = Math.max(20, Math.ceil(characters * 5.45) + 3);
    const dense = this.dense || (count * (usual + 2) > room && count * (small + 1) <= room), width = dense ? small : usual;
    let columns = count;
    while (columns > 4 && columns * (width + 1) > room) columns = Math.ceil(columns / 2);
    const most = Math.floor(room / columns) - 2;
    return [columns, `${Math.max(width, Math.min(most, dense ? 40 : 52))}px`, dense];
  }

  _room(wide) {
    const page = Math.min(1520, this.root.clientWidth);
    if (page <= 620) return page - 36;
    const whole = wide || page <= 1000 ? page - 48 : page - 48 - 32 - Math.min(448, (page - 80) / 2);
    return whole - 54;
  }

  _lanes(wide) {
    const { trace } = this, { warp } = trace.data;
    this.grids = [];
    this.laneCells = [];
    const width = Math.min(warp, trace.threads);
    const [columns, cell, dense] = this._columns(width, this.widest.lanes, this._room(wide));
    const root = (this.lanesRoot = make("div", { class: dense ? "blocks dense" : "blocks" }));
    root.style.setProperty("--wide", `${columns * (parseInt(cell) + 2) + 60}px`);
    if (trace.steps.some((step) => step.shuffles.some((one) => one.exchanges.some((two) => two.source !== null)))) root.classList.add("arcs-room");
    trace.blocks.forEach((block, place) => {
      const grid = new Grid(`${say("lanes")}, ${say("block", { block })}`, (lane) => this.follow(lane));
      if (columns === width) grid.header(columns, cell);
      for (let first = 0; first < trace.threads; first += warp) {
        const lanes = Array.from({ length: Math.min(warp, trace.threads - first) }, (_, at) => place * trace.threads + first + at);
        grid.row(say("warp", { warp: first / warp }), lanes, columns, cell);
      }
      this.grids.push(grid);
      this.laneCells.push(...grid.cells);
      root.append(make("div", { class: "block" }, this.several && make("h3", { text: say("block", { block }) }), grid.root));
    });
    this.arcs = [];
    const names = trace.data.variables.map((one, number) => make("option", { value: number, text: one.name }));
    const picker = make("select", { id: "variable", onchange: (event) => { this.variable = event.target.value; this.show(); } },
      make("option", { value: "auto", text: "·" }), ...names);
    this.automatic = picker.firstChild;
    this.meeting = make("p", { class: "meeting", hidden: true });
    return this._section("lanes",
      make("div", { class: "pickers" }, make("label", { for: "variable", text: say("colour_by") }), picker), this.meeting, root);
  }

  _memory() {
    this.bufferCells = [];
    const parts = this.trace.data.buffers.map((buffer, number) => {
      const { trace } = this, all = [];
      const owners = { block: trace.blocks, lane: Array.from({ length: trace.lanes }, (_, lane) => lane) }[buffer.rows] ?? [null];
      const inner = buffer.shape.length > 1 ? buffer.shape[buffer.shape.length - 1] : Math.min(32, buffer.cells);
      const [columns, cell, dense] = this._columns(inner, this.widest.cells[number], this._room());
      const root = make("div", { class: dense ? "rows dense" : "rows" }), wanted = this._wantedRows(number, columns);
      root.style.setProperty("--wide", `${columns * (parseInt(cell) + 2) + 60}px`);
      owners.forEach((owner, place) => {
        const whose = owner === null ? "" : buffer.rows === "block" ? say("block", { block: owner }) : this.name(owner);
        const label = [buffer.name, whose].filter(Boolean).join(", ");
        const grid = new Grid(label, (at) => this.choose(number, at));
        for (let first = 0; first < buffer.cells; first += columns) {
          if (wanted && !wanted.has(place * buffer.cells + first)) continue;
          const cells = Array.from({ length: Math.min(columns, buffer.cells - first) }, (_, at) => place * buffer.cells + first + at);
          grid.row(`[${this.place(buffer, first)}]`, cells, columns, cell);
        }
        if (!grid.cells.length) return;
        for (const made of grid.cells) all.push([Number(made.dataset.number), made]);
        root.append(make("div", { class: "block" }, whose && owners.length > 1 && make("h3", { text: whose }), grid.root));
      });
      this.bufferCells.push(all);
      const window = wanted ? ` · ${say("windowed_cells", { shown: all.length, cells: trace.cells[number].length })}` : "";
      const facts = `${say(buffer.space)} · ${buffer.dtype}[${buffer.shape.join(", ")}]${window}`;
      return make("div", { class: "buffer", id: `buffer-${number}` },
        make("h3", {}, make("code", { text: buffer.name }), make("span", { class: "quiet", text: facts })), root);
    });
    return this._section("memory", ...parts);
  }

  // Of a buffer that a page cannot hold, the first cells of the rows that are shown: those of findings, then those
  // that lanes touch, from the first step on. Null where all are.
  _wantedRows(number, columns) {
    const { trace } = this, { cells } = trace.data.buffers[number], total = trace.cells[number].length;
    if (total <= CELLS) return null;
    const wanted = new Set(), most = Math.max(1, Math.floor(CELLS / columns));
    const add = (cell) => {
      const at = cell % cells;
      if (cell >= 0 && wanted.size < most) wanted.add(cell - at + (at - (at % columns)));
    };
    for (const finding of this.severe) if (finding.buffer === number) for (const side of finding.sides) add(side.cell ?? -1);
    for (const step of trace.steps) {
      if (wanted.size === most) break;
      for (const access of step.accesses) if (access.buffer === number) for (const touch of access.touches) add(touch.cell);
    }
    if (!wanted.size) for (let cell = 0; cell < total && wanted.size < most; cell += columns) add(cell);
    return wanted;
  }

  _findings() {
    if (!this.problems.length) return this._section("findings", make("p", { text: say("no_findings") }));
    const boxes = this.problems.map((finding) => {
      const sides = finding.sides.map((side, number) => {
        const names = finding.sides.length > 1 && finding.sides[0].lane !== finding.sides[1].lane ? [`${say(number ? "second_side" : "first_side")}: `] : [""];
        const step = side.step === null ? "" : ` · ${say("step")} ${side.step + 1}`;
        const text = `${names[0]}${say("line", { line: side.line })}${side.lane === null ? "" : ` · ${this.name(side.lane)}`}${step}`;
        return make("button", { type: "button", text, disabled: side.step === null, onclick: () => this.goSide(finding, side) });
      });
      const title = `${finding.severity === "information" ? "" : "! "}${finding.title}`;
      return make("div", { class: finding.severity === "information" ? "finding remark" : "finding" },
        make("h3", { text: title }), make("p", {}, ...rich(`${finding.message}.`)), ...finding.items.map((item) => make("p", {}, ...rich(item))),
        finding.remedy && make("p", {}, ...rich(`${say("remedy")}: ${finding.remedy}.`)), make("div", { class: "sides" }, ...sides));
    });
    return this._section("findings", ...boxes);
  }

  _legend() {
    const entries = [
      ["active", "active", ""], ["elsewhere", "held", ""], ["waiting", "waiting", "‖"], ["ended", "ended", "×"], ["read", "read", "R"],
      ["written", "written", "W"], ["updated", "read written", "RW"], ["racing", "bad", "!"], ["unwritten", "", "", "·"], ["followed", "held chosen", ""],
    ];
    const list = entries.map(([key, look, mark, text]) => make("li", {}, make("span", { class: `c cells ${look}`, "data-mark": mark || null, text: text ?? "", "aria-hidden": "true" }), say(key)));
    list.push(make("li", {}, this._sample("barrier"), say("barrier")), make("li", {}, this._sample("cluster"), say("cluster_barrier")));
    return this._section("legend", make("ul", { class: "legend" }, ...list));
  }

  _sample(kind) {
    const sample = draw("svg", { class: "timeline", viewBox: "0 0 34 24", "aria-hidden": "true" });
    sample.style.width = "34px";
    sample.append(draw("line", { class: kind, x1: 17, x2: 17, y1: 0, y2: 24 }));
    return sample;
  }

  // Names.

  name(lane) {
    const { block, thread } = this.trace.where(lane);
    return (this.several ? say("block", { block }) + " " : "") + say("thread", { thread });
  }

  place(buffer, at) {
    let rest = at % buffer.cells;
    return [...buffer.shape].reverse().map((extent, index, all) => {
      const part = index === all.length - 1 ? rest : rest % extent;
      rest = Math.floor(rest / extent);
      return part;
    }).reverse().join(", ");
  }

  cellName(number, cell) {
    const buffer = this.trace.data.buffers[number], owner = Math.floor(cell / buffer.cells);
    const whose = buffer.rows === "block" && this.several ? ` (${say("block", { block: this.trace.blocks[owner] })})`
      : buffer.rows === "lane" ? ` (${this.name(owner)})` : "";
    return `${buffer.name}[${this.place(buffer, cell)}]${whose}`;
  }

  // Going.

  go(step) {
    if (!this.trace.steps.length) return;
    this.step = Math.max(0, Math.min(this.trace.steps.length - 1, step));
    this.trace.seek(this.step);
    this.show();
  }

  move(by) {
    if (this.by === "barrier") return this.toBarrier(by);
    if (this.by === "lane" && this.lane !== null) return this.toStep(by, (step) => this.trace.lanesOf(step.active).includes(this.lane));
    return this.go(this.step + by);
  }

  toStep(by, fits) {
    for (let at = this.step + by; this.trace.steps[at]; at += by) if (fits(this.trace.steps[at])) return this.go(at);
    return this.go(by > 0 ? Infinity : 0);
  }

  toBarrier(by) { return this.toStep(by, (step) => isMeeting(step.kind)); }

  toLine(file, line) {
    const { steps } = this.trace, fits = (step) => { const at = this.trace.source(step); return at.file === file && at.line === line; };
    for (let at = 1; at <= steps.length; at++) {
      const step = (this.step + at) % steps.length;
      if (fits(steps[step])) return this.go(step);
    }
  }

  goSide(finding, side) {
    if (side.lane !== null) this.lane = side.lane;
    if (side.cell !== null && side.cell >= 0) this.cell = [finding.buffer, side.cell];
    this.go(side.step);
  }

  play() {
    const stop = () => {
      clearInterval(this.playing);
      this.playing = null;
      this.player.textContent = "▶";
      this.player.setAttribute("aria-label", say("play"));
    };
    if (this.playing) return stop();
    if (this.step === this.trace.steps.length - 1) this.go(0);
    this.player.textContent = "‖";
    this.player.setAttribute("aria-label", say("pause"));
    this.playing = setInterval(() => {
      this.move(1);
      if (this.step === this.trace.steps.length - 1) stop();
    }, 700);
  }

  follow(lane) { this.lane = this.lane === lane ? null : lane; this.cell = null; this.show(); }

  choose(buffer, cell) {
    const same = this.cell && this.cell[0] === buffer && this.cell[1] === cell;
    this.cell = same ? null : [buffer, cell];
    this.show();
  }

  _keys() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || /^(SELECT)$/.test(event.target.tagName)) return;
      const own = event.target.type === "range" || event.target.tagName === "BUTTON";
      const act = {
        ArrowLeft: () => this.move(-1), ArrowRight: () => this.move(1), PageUp: () => this.toBarrier(-1), PageDown: () => this.toBarrier(1),
        Home: () => this.go(0), End: () => this.go(Infinity), " ": () => !own && this.play(),
        Escape: () => { this.lane = this.cell = null; this.show(); },
      }[event.key];
      if (!act || (event.key === " " && own)) return;
      act();
      event.preventDefault();
    }, { signal: this.closing.signal });
  }
}

const isMeeting = (kind) => (kind.startsWith("cluster") ? "cluster" : kind === "barrier" ? "barrier" : null);
