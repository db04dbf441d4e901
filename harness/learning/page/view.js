// The page: built once, then only what changed is written.
const words = JSON.parse(document.getElementById("words").textContent);
const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const SVG = "http://www.w3.org/2000/svg";
const KINDS = { [LOAD]: "read", [STORE]: "written", [ATOMIC]: "atomic", [SETTLED]: "" };
const MARKS = { "read": "R", "written": "W", "read written": "RW", "atomic": "A" };
const VERBS = { [LOAD]: "reads", [STORE]: "writes", [ATOMIC]: "updates" };
const CELLS = 4096; // of a buffer, at most
const MOST = 6; // values that are listed of many
const ROWS = 12; // of cells, shared among the arrays of a screen; of lanes half as many

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

// Rows of cells with one tab stop: the arrows move, Enter chooses. A row is made when it is first shown.
class Grid {
  constructor(label, choose, columns, width) {
    this.choose = choose;
    this.columns = columns;
    this.rows = [];
    this.root = make("div", { class: "cells", role: "grid", "aria-label": label });
    this.root.style.setProperty("--columns", columns);
    this.root.style.setProperty("--cell", width);
    this.root.addEventListener("keydown", (event) => this.moved(event));
    this.root.addEventListener("click", (event) => {
      const cell = event.target.closest("[role=gridcell]");
      if (cell) { this.stop(cell); choose(Number(cell.dataset.number)); }
    });
  }

  // The numbers of the columns.
  header() {
    const line = make("div", { class: "line names", role: "presentation" });
    line.append(...Array.from({ length: this.columns }, (_, at) => make("span", { role: "columnheader", text: at })));
    this.root.append(make("div", { class: "row", role: "row" }, make("div", { class: "head", role: "presentation" }), line));
  }

  row(head, numbers) {
    const row = { head, numbers, cells: null, grid: this, root: make("div", { class: "row", role: "row", hidden: true }) };
    this.root.append(row.root);
    this.rows.push(row);
    return row;
  }

  show(row, is) {
    if (is && !row.cells) {
      row.cells = row.numbers.map((number) => make("div", { class: "c", role: "gridcell", tabindex: -1, "data-number": number }));
      row.root.append(make("div", { class: "head", role: "rowheader", text: row.head }),
        make("div", { class: "line", role: "presentation" }, ...row.cells));
    }
    row.shown = is;
    row.root.hidden = !is;
  }

  // The cells that are shown, of which one can be tabbed to.
  cells() { return this.rows.filter((row) => row.shown).flatMap((row) => row.cells); }

  settle() {
    const cells = this.cells();
    if (cells.length && !cells.some((cell) => cell.tabIndex === 0)) this.stop(cells[0]);
  }

  stop(cell) {
    if (this.tabbed) this.tabbed.tabIndex = -1;
    this.tabbed = cell;
    cell.tabIndex = 0;
  }

  moved(event) {
    const cells = this.cells(), at = cells.indexOf(document.activeElement);
    if (at < 0) return;
    const row = at - (at % this.columns);
    const to = {
      ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + this.columns, ArrowUp: at - this.columns,
      Home: event.ctrlKey ? 0 : row, End: event.ctrlKey ? cells.length - 1 : row + this.columns - 1,
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(Number(cells[at].dataset.number));
    else if (to === undefined) return;
    else if (cells[to]) { this.stop(cells[to]); cells[to].focus(); }
    event.preventDefault();
    event.stopPropagation();
  }
}

// The grids of the lanes, or of an array: where there are more rows than a screen has room for, those that a step
// touches are shown, and others around them, so that nothing jumps; all of them once it is opened.
class Field {
  constructor(root, most, idle, changed) {
    this.root = root;
    this.most = most;
    this.idle = idle; // rows that are shown where none is touched
    this.rows = [];
    this.at = new Map(); // by the number of its first cell
    this.grids = [];
    this.open = false;
    this.button = make("button", { type: "button", class: "fold", hidden: true, onclick: () => { this.open = !this.open; changed(); } });
  }

  grid(title, grid) {
    const block = make("div", { class: "block" }, title && make("h3", { text: title }), grid.root);
    this.grids.push([grid, block]);
    this.root.append(block);
    for (const row of grid.rows) {
      this.rows.push(row);
      this.at.set(row.numbers[0], row);
    }
  }

  // The rows that are shown, where a row weighs the more the more it is touched.
  choose(weigh) {
    const weights = new Map(this.rows.map((row) => [row, weigh(row)])), folds = this.rows.length > this.most;
    const order = folds && !this.open ? [...this.rows].sort((one, other) => weights.get(other) - weights.get(one)) : this.rows;
    const most = order.length && weights.get(order[0]) ? this.most : Math.min(this.most, this.idle);
    const wanted = new Set(order.slice(0, this.open || !folds ? this.rows.length : most));
    for (const row of this.rows) if (Boolean(row.shown) !== wanted.has(row)) row.grid.show(row, wanted.has(row));
    for (const [grid, block] of this.grids) {
      block.hidden = !grid.rows.some((row) => row.shown);
      grid.settle();
    }
    this.root.classList.toggle("open", folds && this.open);
    this.button.hidden = !folds;
    this.button.setAttribute("aria-expanded", this.open);
    const left = order.slice(most), touched = left.filter((row) => weights.get(row) > 0).length;
    this.button.textContent = this.open ? say("fold") : say("unfold", { count: left.length, touched });
    return this.rows.filter((row) => row.shown);
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
      make(this.inside ? "div" : "header", { class: "heading" },
        make(this.inside ? "h2" : "h1", { text: [data.program?.name ?? data.case, data.title].filter(Boolean).join(" · ") || data.kernel }),
        this._launches(),
        data.verdict && make("span", { class: `verdict ${data.verdict === "PASS" ? "right" : "wrong"}`, text: `${say("verdict")}: ${say(`verdict_${data.verdict}`)}` }),
        make("span", { class: "about", text: about.filter(Boolean).join(" · ") }),
        ...this._notes()),
      this._controls());
    this.source = make("pre", { class: "source", tabindex: 0, "aria-label": say("source"), role: "group" });
    this.happens = make("ul", { class: "happens", tabindex: 0, "aria-label": say("happens") });
    this.details = make("div");
    // Few warps that exchange go across the page, so that each is one line; else the lanes stand beside the source.
    const exchange = trace.steps.some((step) => step.shuffles.some((one) => one.exchanges.some((two) => two.source !== null)));
    const wide = exchange && trace.blocks.length * trace.warps <= 2;
    this.dense = trace.lanes > 256;
    const note = Object.keys(costs).length ? make("p", { class: "note", text: say("profile_note") }) : null;
    const left = make("div", { class: "left" }, this._section("source", this.source, note), this._section("happens", this.happens));
    const lanes = this._lanes(wide, exchange);
    const right = make("div", { class: "right" },
      wide ? null : lanes, this._memory(), this._findings(), this._section("details", this.details), this._legend());
    this.root.append(make(this.inside ? "div" : "main", { class: wide ? "main wide" : "main" }, wide && make("div", { class: "top" }, lanes), left, right),
      make(this.inside ? "div" : "footer", { class: "foot" }, ...this._remarks(), make("p", { text: say("keys") })));
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
    if (data.verdict && !data.agrees) notes.push(make("p", { class: "note warn", text: say("disagree") }));
    if (data.fault) notes.push(make("p", { class: "note warn", text: say("fault", { reason: data.fault }) }));
    if (!data.kept) notes.push(make("p", { class: "note warn", text: say("no_steps") }));
    else if (data.kept < data.steps) notes.push(make("p", { class: "note warn", text: say("windowed_steps", data) }));
    if (data.blocks) notes.push(make("p", { class: "note warn", text: say("windowed_blocks", { shown: data.blocks.length, blocks: product(data.grid) }) }));
    return notes;
  }

  // What need not be read first.
  _remarks() {
    const { verdict, agrees } = this.trace.data;
    return verdict && agrees ? [make("p", { class: "note", text: say("of_normal") })] : [];
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
  _columns(count, characters, room, widest = 40) {
    const usual = Math.max(26, Math.ceil(characters * 6.4) + 7), small = Math.max(20, Math.ceil(characters * 5.3) + 3);
    const dense = this.dense || (count * (usual + 2) > room && count * (small + 1) <= room), width = dense ? small : usual;
    let columns = count;
    while (columns > 4 && columns * (width + 1) > room) columns = Math.ceil(columns / 2);
    const most = Math.floor(room / columns) - 2;
    return [columns, `${Math.max(width, Math.min(most, dense ? 40 : widest))}px`, dense];
  }

  _room(wide) {
    const page = Math.min(1520, this.root.clientWidth);
    if (page <= 620) return page - 36;
    const whole = wide || page <= 860 ? page - 48 : page - 48 - 24 - Math.min(464, (page - 72) / 2);
    return whole - 54;
  }

  _lanes(wide, exchange) {
    const { trace } = this, { warp } = trace.data, width = Math.min(warp, trace.threads);
    const [columns, cell, dense] = this._columns(width, this.widest.lanes, this._room(wide), wide ? 52 : 30);
    const root = (this.lanesRoot = make("div", { class: dense ? "blocks dense" : "blocks" }));
    root.style.setProperty("--wide", `${columns * (parseInt(cell) + 2) + 60}px`);
    if (exchange) root.classList.add("arcs-room");
    const most = columns === width ? ROWS / 2 : ROWS / 3;
    this.laneField = new Field(root, most, most, () => this.show());
    this.laneCells = [];
    trace.blocks.forEach((block, place) => {
      const grid = new Grid(`${say("lanes")}, ${say("block", { block })}`, (lane) => this.follow(lane), columns, cell);
      if (columns === width) grid.header();
      for (let first = 0; first < trace.threads; first += columns) {
        const lanes = Array.from({ length: Math.min(columns, trace.threads - first, warp - (first % warp)) }, (_, at) => place * trace.threads + first + at);
        const own = first % warp, name = say("warp", { warp: Math.floor(first / warp) });
        grid.row(own ? `${own}–${own + lanes.length - 1}` : name, lanes);
      }
      this.laneField.grid(this.several && say("block", { block }), grid);
    });
    this.arcs = [];
    const names = trace.data.variables.map((one, number) => make("option", { value: number, text: one.name }));
    const picker = make("select", { id: "variable", onchange: (event) => { this.variable = event.target.value; this.show(); } },
      make("option", { value: "auto", text: "·" }), ...names);
    this.automatic = picker.firstChild;
    this.meeting = make("p", { class: "meeting", hidden: true });
    return this._section("lanes",
      make("div", { class: "pickers" }, make("label", { for: "variable", text: say("colour_by") }), picker), this.meeting, root, this.laneField.button);
  }

  _memory() {
    const most = Math.max(2, Math.floor(ROWS / this.trace.data.buffers.length));
    this.fields = this.trace.data.buffers.map((buffer, number) => this._buffer(buffer, number, most));
    return this._section("memory", make("div", { class: "buffers" }, ...this.fields.map((field) => field.whole)));
  }

  _buffer(buffer, number, most) {
    const { trace } = this;
    const owners = { block: trace.blocks, lane: Array.from({ length: trace.lanes }, (_, lane) => lane) }[buffer.rows] ?? [null];
    const inner = buffer.shape.length > 1 ? buffer.shape[buffer.shape.length - 1] : Math.min(32, buffer.cells);
    const [columns, cell, dense] = this._columns(inner, this.widest.cells[number], this._room(), 30);
    const root = make("div", { class: dense ? "rows dense" : "rows" }), wanted = this._wantedRows(number, columns);
    root.style.setProperty("--wide", `${columns * (parseInt(cell) + 2) + 60}px`);
    const field = new Field(root, most, 1, () => this.show());
    field.columns = columns;
    const brief = buffer.rows === "block" && owners.length > 1 && buffer.cells <= columns; // a row for each block: it bears its name
    owners.forEach((owner, place) => {
      const whose = owner === null ? "" : buffer.rows === "block" ? say("block", { block: owner }) : this.name(owner);
      const grid = new Grid([buffer.name, whose].filter(Boolean).join(", "), (at) => this.choose(number, at), columns, cell);
      for (let first = 0; first < buffer.cells; first += columns) {
        if (wanted && !wanted.has(place * buffer.cells + first)) continue;
        const cells = Array.from({ length: Math.min(columns, buffer.cells - first) }, (_, at) => place * buffer.cells + first + at);
        grid.row(brief ? whose : `[${this.place(buffer, first)}]`, cells);
      }
      if (grid.rows.length) field.grid(owners.length > 1 && !brief && whose, grid);
    });
    const shown = field.rows.reduce((sum, row) => sum + row.numbers.length, 0);
    const window = wanted ? ` · ${say("windowed_cells", { shown, cells: trace.cells[number].length })}` : "";
    const facts = `${say(buffer.space)} · ${buffer.dtype}[${buffer.shape.join(", ")}]${window}`;
    field.whole = make("div", { class: trace.cells[number].length <= 8 ? "buffer small" : owners.length > 1 ? "buffer several" : "buffer", id: `buffer-${number}` },
      make("h3", {}, make("code", { text: buffer.name }), make("span", { class: "quiet", text: facts })), root, field.button);
    return field;
  }

  // Opens all that is folded.
  unfold() {
    for (const field of [this.laneField, ...this.fields]) field.open = true;
    this.show();
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
      ["written", "written", "W"], ["both", "read written", "RW"], ["updated", "atomic", "A"], ["racing", "bad", "!"], ["unwritten", "", "", "·"], ["followed", "held chosen", ""],
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
