// What is drawn of a step: lanes above, memory below, and between them what moves.
const CELLS = 4096; // of a buffer, at most
const ROOMY = 52; // pixels of a cell where lanes are few
const ROWS = 12; // of cells, shared among the arrays of a screen; of lanes half as many

Object.assign(View.prototype, {
  _stage() {
    this.flowRoot = draw("svg", { class: "flows", "aria-hidden": "true" });
    // Few lanes leave room for larger cells; not on a narrow screen, and not where an array has long rows.
    this.roomy = Math.min(this.trace.data.warp, this.trace.threads) <= 8 && this._room() > 600 && this.trace.data.buffers.every((_, number) => this._inner(number) <= 10);
    const lanes = this._lanes(), memory = this._memory();
    const stage = make("div", { class: this.roomy ? "stage roomy" : "stage" }, this.flowRoot, lanes, memory);
    const point = (event) => this._point(event.target.closest?.("[role=gridcell]"));
    for (const kind of ["pointerover", "focusin"]) stage.addEventListener(kind, point);
    stage.addEventListener("pointerleave", () => this._point(null));
    return stage;
  },

  // Columns that fit the values: all lanes of a warp in one line, or half of them and so on.
  _columns(count, characters, room, widest = 40) {
    const usual = Math.max(26, Math.ceil(characters * (this.roomy ? 7.3 : 6.4)) + 7), small = Math.max(20, Math.ceil(characters * 5.3) + 3);
    const fitting = (width, columns = count) => (columns > 4 && columns * width > room ? fitting(width, Math.ceil(columns / 2)) : columns);
    // Cells are smaller where a line has more of them then.
    const dense = this.dense || fitting(small + 1) > fitting(usual + 2), width = dense ? small : usual, columns = fitting(width + 1);
    const most = Math.floor(room / columns) - 2;
    return { columns, cell: `${Math.max(width, Math.min(most, dense ? 40 : widest))}px`, dense };
  },

  // Pixels that a line of cells has.
  _room() {
    const page = Math.min(1520, this.root.clientWidth);
    if (page <= 620) return page - 36;
    const whole = this.wide || page <= 860 ? page - 48 : page - 48 - 24 - Math.min(464, (page - 72) / 2);
    return whole - 54;
  },

  // The lanes' columns: as wide as the cells of arrays, if they fit, so that what moves goes straight down; where all
  // lanes of a warp nearly fit in one line, long values are written smaller.
  _laneColumns() {
    const { trace } = this, width = Math.min(trace.data.warp, trace.threads), room = this._room(), widest = this.wide ? 52 : this.roomy ? ROOMY : 30;
    const own = this._columns(width, this.widest.lanes, room, widest);
    const arrays = this.widest.cells.filter((_, buffer) => this._inner(buffer) >= own.columns);
    const shared = this._columns(width, Math.min(9, Math.max(this.widest.lanes, ...arrays)), room, widest);
    if (shared.columns === own.columns && own.columns > 0 && (own.columns === width || !this.wide)) return shared;
    if (this.wide && own.columns < width && room / width >= 30) {
      const cell = Math.floor(room / width) - 1;
      this.widest.lanes = Math.floor((cell - 3) / 5.3);
      return { columns: width, cell: `${cell}px`, dense: true };
    }
    return own;
  },

  // How many cells of an array follow on one another: its last extent.
  _inner(number) {
    const { shape, cells } = this.trace.data.buffers[number];
    return shape.length > 1 ? shape[shape.length - 1] : cells;
  },

  _lanes() {
    const { trace } = this, width = Math.min(trace.data.warp, trace.threads);
    const { columns, cell, dense } = (this.laneShape = this._laneColumns());
    const root = (this.lanesRoot = make("div", { class: dense ? "blocks dense" : "blocks" }));
    root.style.setProperty("--wide", `${columns * (parseInt(cell) + 2) + 60}px`);
    const most = columns === width ? ROWS / 2 : this.wide && 2 * columns >= width ? 2 : ROWS / 3;
    this.laneField = new Field(root, most, most, () => this.show());
    this.laneCells = [];
    this._laneGrids(columns, cell, columns === width);
    const names = trace.data.variables.map((one, number) => make("option", { value: number, text: one.name }));
    const picker = make("select", { id: "variable", onchange: (event) => { this.variable = event.target.value; this.show(); } },
      make("option", { value: "auto", text: "·" }), ...names);
    this.automatic = picker.firstChild;
    this.meeting = make("p", { class: "meeting", hidden: true });
    this.meets = trace.steps.some((step) => syncKind(step.kind) || step.kind === "warp"); // it has its place at all steps: nothing jumps
    this.counts = make("p", { class: "counts" });
    this.exchange = this.exchanges.length ? new Exchange(this) : null;
    this.overview = trace.lanes > LARGE ? new Overview(this) : null;
    return section("lanes", make("div", { class: "pickers" }, make("label", { for: "variable", text: say("colour_by") }), picker, this.meets && this.meeting, this.wide && this.counts),
      this.wide ? null : this.counts, this.overview?.root, this.exchange?.root, root, this.laneField.button);
  },

  // A grid for each block; of blocks of one line each a single one, in which each line bears its block's name.
  _laneGrids(columns, cell, numbered) {
    const { trace } = this, { warp } = trace.data, single = this.several && trace.threads <= columns;
    const gridOf = (name) => {
      const grid = new Grid(name, (lane) => this.follow(lane), columns, cell);
      if (numbered) grid.header();
      return grid;
    };
    const all = single ? gridOf(say("lanes")) : null;
    trace.blocks.forEach((block, place) => {
      const title = say("block", { block }), grid = all ?? gridOf(`${say("lanes")}, ${title}`);
      for (let first = 0; first < trace.threads; first += columns) {
        const lanes = Array.from({ length: Math.min(columns, trace.threads - first, warp - (first % warp)) }, (_, at) => place * trace.threads + first + at);
        const own = first % warp, name = say("warp", { warp: Math.floor(first / warp) });
        grid.row(single ? title : own ? `${own}–${own + lanes.length - 1}` : name, lanes);
      }
      if (!single) this.laneField.grid(this.several && title, grid);
    });
    if (single) this.laneField.grid(null, all);
  },

  _memory() {
    // Arrays of one row take their own, the others share what is left.
    const own = this.trace.cells.map((cells) => cells.length <= 8), large = Math.max(1, own.filter((one) => !one).length);
    const most = Math.max(2, Math.floor((ROWS - (this.overview ? 2 : 0) - own.filter(Boolean).length) / large));
    this.fields = this.trace.data.buffers.map((buffer, number) => this._buffer(buffer, number, most));
    // The nearest to the lanes first: what moves has the shortest way.
    const near = (number) => ["shared", "global", "local"].indexOf(this.trace.data.buffers[number].space) * 2 + (this.trace.cells[number].length > 8);
    const order = this.fields.map((_, number) => number).sort((one, other) => near(one) - near(other));
    const memory = section("memory", make("div", { class: "buffers" }, ...order.map((number) => this.fields[number].whole)));
    this.partly = make("span", { class: "quiet partly" });
    memory.firstChild.after(this.partly);
    return memory;
  },

  // The columns of an array: those of the lanes, if its values fit there, written smaller perhaps.
  _cellColumns(number, room) {
    const inner = this._inner(number), { columns, cell, dense } = this.laneShape, characters = this.widest.cells[number];
    const own = this._columns(Math.min(32, inner), characters, room, this.roomy ? parseInt(cell) : 30);
    if (inner < columns || (inner !== columns && inner % columns) || characters * (dense ? 4 : 4.8) + 3 > parseInt(cell) * 1.25) return own;
    this.widest.cells[number] = Math.min(characters, Math.floor((parseInt(cell) - 3) / (dense ? 5.3 : 6.3)));
    return this.laneShape;
  },

  _buffer(buffer, number, most) {
    const { trace } = this, room = this._room();
    const owners = { block: trace.blocks, lane: Array.from({ length: trace.lanes }, (_, lane) => lane) }[buffer.rows] ?? [null];
    const { columns, cell, dense } = this._cellColumns(number, room);
    const root = make("div", { class: dense ? "rows dense" : "rows" }), wanted = this._wantedRows(number, columns);
    const wide = columns * (parseInt(cell) + (dense ? 1 : 2)) + 54, beside = Math.max(1, Math.floor((room + 54) / (wide + 12)));
    root.style.setProperty("--wide", `${wide + 6}px`);
    // Of many arrays those that a step leaves alone are their names alone.
    const idle = buffer.space !== "local" && trace.data.buffers.length <= 3 ? 1 : 0;
    const field = new Field(root, most * (owners.length > 1 ? 1 : beside), idle, () => this.show());
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
      if (grid.rows.length > 1 && beside > 1) grid.root.classList.add("beside");
      if (grid.rows.length) field.grid(owners.length > 1 && !brief && whose, grid);
    });
    const shown = field.rows.reduce((sum, row) => sum + row.numbers.length, 0);
    const window = wanted ? ` · ${say("windowed_cells", { shown, cells: trace.cells[number].length })}` : "";
    const facts = `${say(buffer.space)} · ${buffer.dtype}[${buffer.shape.join(", ")}]${window}`;
    const size = trace.cells[number].length <= 8 ? "buffer small" : field.rows.length > 4 || (owners.length > 1 && !brief) ? "buffer several" : "buffer";
    field.whole = make("div", { class: size, id: `buffer-${number}` },
      make("h3", {}, make("code", { text: buffer.name }), make("span", { class: "quiet", text: facts }), field.button), root);
    return field;
  },

  // Opens all that is folded.
  unfold() {
    for (const field of [this.laneField, ...this.fields]) field.open = true;
    this.show();
  },

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
  },

  // The element of a cell of memory, if it is shown.
  _cellAt(buffer, cell) {
    const field = this.fields[buffer], at = cell % this.trace.data.buffers[buffer].cells;
    const row = field.at.get(cell - at + (at - (at % field.columns)));
    return row?.shown ? row.cells[at % field.columns] : null;
  },
});
