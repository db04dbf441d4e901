// The trace: what the simulator recorded, and what everything held at each step.
const KEYFRAME = 64, ROOM = 1 << 26; // steps between keyframes at least; numbers that keyframes may hold
const SHUFFLES = { "shfl.bfly": "shuffle_xor", "shfl.down": "shuffle_down", "shfl.up": "shuffle_up", "shfl.idx": "shuffle_idx" }; // as Mojo calls them
const LOAD = 0, STORE = 1, ATOMIC = 2, SETTLED = 3;

async function unpacked(base64) {
  const bytes = Uint8Array.from(atob(base64.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const sums = (column) => {
  let total = 0;
  return column.map((difference) => (total += difference));
};
const SUMMED = new Set(["line", "step", "cells", "sources"]);

function* rows(part, table) {
  const columns = Object.entries(part[table] ?? {}).map(([name, column]) => [
    name,
    !SUMMED.has(name) ? column : Array.isArray(column[0]) ? column.map(sums) : sums(column),
  ]);
  const count = columns.length ? columns[0][1].length : 0;
  for (let row = 0; row < count; row++) {
    yield Object.fromEntries(columns.map(([name, column]) => [name, column[row]]));
  }
}

// An `mbarrier` or a token of one, as a recording writes them.
const mbarrierOf = (text) => /^(?:mbarrier (?<phase>\d+) (?<arrived>\d+)\/(?<expected>\d+)(?: (?<bytes>-?\d+)B)?|token (?<token>\d+))$/.exec(text)?.groups;

// What an atomic gives is not known of an `mbarrier`: what it becomes is.
function settle(accesses, buffer, touches) {
  const held = new Map(touches.map((touch) => [touch.cell, touch.value]));
  for (const access of accesses) {
    if (access.kind !== ATOMIC || access.buffer !== buffer) continue;
    for (const touch of access.touches) if (touch.value < 0) touch.value = held.get(touch.cell) ?? -1;
  }
}

// How far a grid or block goes in x, y and z, but for what is 1 at the end.
const extentOf = (extent) => extent.slice(0, 1 + Math.max(0, extent.findLastIndex((size) => size > 1))).join(", ");
const product = (extent) => extent.reduce((one, other) => one * other, 1);

class Trace {
  constructor(data) {
    this.data = data;
    this.threads = product(data.block);
    this.blocks = data.blocks ?? Array.from({ length: product(data.grid) }, (_, block) => block);
    this.lanes = this.blocks.length * this.threads;
    this.warps = Math.ceil(this.threads / data.warp);
    this._place = new Map(this.blocks.map((block, place) => [block, place]));
    this._sets = data.sets.map(() => null);
    this.steps = [];
    for (const part of data.parts) this._read(part);
    this.expected = this._expected();
    this._owners = data.buffers.map((buffer) => ({ block: this.blocks.length, lane: this.lanes })[buffer.rows] ?? 1);
    this._begin();
  }

  // Lanes are counted through the blocks that are shown; the trace counts them in the grid.
  lane(number) {
    const place = this._place.get(Math.floor(number / this.threads));
    return place === undefined ? -1 : place * this.threads + (number % this.threads);
  }

  lanesOf(set) {
    if (!this._sets[set]) {
      const runs = this.data.sets[set], lanes = [];
      for (let at = 0; at < runs.length; at += 2) {
        for (let lane = runs[at]; lane < runs[at] + runs[at + 1]; lane++) lanes.push(this.lane(lane));
      }
      this._sets[set] = Int32Array.from(lanes);
    }
    return this._sets[set];
  }

  // A cell of a buffer, counted through the rows that are shown; -1 where its row is not.
  cell(buffer, number) {
    const { cells, rows } = this.data.buffers[buffer];
    const owner = Math.floor(number / cells), at = number % cells;
    const row = rows === "block" ? this._place.get(owner) ?? -1 : rows === "lane" ? this.lane(owner) : 0;
    return row < 0 ? -1 : row * cells + at;
  }

  _read(part) {
    for (const row of rows(part, "steps")) {
      this.steps.push({ ...row, accesses: [], shuffles: [], barriers: [], variables: [] });
    }
    for (const row of rows(part, "accesses")) {
      const lanes = row.kind === SETTLED ? null : this.lanesOf(row.set), touches = [];
      const count = lanes ? lanes.length : row.cells.length;
      for (let n = 0; n < count; n++) {
        const first = row.cells.length === 1 ? row.cells[0] : row.cells[n];
        for (let step = 0; step < row.span; step++) {
          const value = row.values.length === 0 ? -1 : row.values.length === 1 ? row.values[0] : row.values[n * row.span + step];
          touches.push({ lane: lanes ? lanes[n] : -1, cell: this.cell(row.buffer, first + step), value });
        }
      }
      const { accesses } = this.steps[row.step];
      if (row.kind === SETTLED) settle(accesses, row.buffer, touches);
      accesses.push({ kind: row.kind, buffer: row.buffer, touches });
    }
    for (const row of rows(part, "shuffles")) {
      const lanes = this.lanesOf(row.set), one = (column, n) => (column.length === 1 ? column[0] : column[n]);
      // What a lane gets is what its source gave: given are the values of the lanes themselves.
      const exchanges = Array.from(lanes, (lane, n) => ({
        lane,
        source: row.sources.length ? (row.sources[n] < 0 ? -1 : this.lane(row.sources[n])) : null,
        gave: one(row.given, n),
        got: one(row.got, n),
      }));
      this.steps[row.step].shuffles.push({ operation: SHUFFLES[row.operation] ?? row.operation, exchanges });
    }
    for (const row of rows(part, "barriers")) this.steps[row.step].barriers.push(row);
    for (const row of rows(part, "variables")) this.steps[row.step].variables.push(row);
  }

  _begin() {
    this.cells = this.data.buffers.map((buffer, number) => {
      const held = new Int32Array(buffer.cells * this._owners[number]).fill(-1);
      (buffer.first ?? []).forEach((text, at) => { if (text !== null) held[at] = text; });
      return held;
    });
    this.values = this.data.variables.map(() => new Int32Array(this.lanes).fill(-1));
    this._frames = [];
    const size = [...this.cells, ...this.values].reduce((sum, held) => sum + held.length, 0);
    this._every = Math.max(KEYFRAME, Math.ceil((this.steps.length * size) / ROOM));
    this.at = -1;
    this.steps.forEach((step, number) => {
      if (number % this._every === 0) this._frames.push(this._copy());
      this._apply(step);
    });
    this.seek(0);
  }

  _copy() {
    return { cells: this.cells.map((held) => held.slice()), values: this.values.map((held) => held.slice()) };
  }

  // What a step leaves: an atomic's outcome is told when the step ends.
  _apply(step) {
    for (const { kind, buffer, touches } of step.accesses) {
      if (kind !== STORE && kind !== SETTLED) continue;
      for (const { cell, value } of touches) if (cell >= 0 && value >= 0) this.cells[buffer][cell] = value;
    }
    for (const { variable, set, values } of step.variables) {
      this.lanesOf(set).forEach((lane, n) => (this.values[variable][lane] = values.length === 1 ? values[0] : values[n]));
    }
  }

  seek(step) {
    if (!this.steps.length) return;
    if (step !== this.at + 1 || this.at < 0) {
      const frame = Math.floor(step / this._every);
      if (!(this.at >= frame * this._every && this.at <= step)) {
        const { cells, values } = this._frames[frame];
        this.cells.forEach((held, number) => held.set(cells[number]));
        this.values.forEach((held, number) => held.set(values[number]));
        this.at = frame * this._every - 1;
      }
    }
    while (this.at < step) this._apply(this.steps[++this.at]);
  }

  // The state of an `mbarrier` in words that fit a cell with room; null for any other value.
  state(number) {
    const state = number < 0 ? null : mbarrierOf(this.data.texts[number]);
    return state?.arrived ? say("mbarrier_cell", state) : null;
  }

  // A value as a cell shows it, where an `mbarrier` has its arrivals alone and a token its phase.
  text(number) {
    if (number < 0) return null;
    const { arrived, expected, token } = mbarrierOf(this.data.texts[number]) ?? {};
    return arrived ? `${arrived}/${expected}` : token ? say("mbarrier_token", { phase: token }) : this.data.texts[number];
  }

  // The same in words; nothing for a value that is not known.
  told(number) {
    const state = number < 0 ? null : mbarrierOf(this.data.texts[number]);
    if (!state?.arrived) return this.text(number) ?? "";
    return say("mbarrier_state", state) + (state.bytes ? `, ${say("mbarrier_bytes", state)}` : "");
  }

  source(step) {
    const [file, line] = this.data.lines[step.line];
    return { file, line };
  }

  where(lane) {
    const place = Math.floor(lane / this.threads), thread = lane % this.threads;
    return { block: this.blocks[place], thread, warp: Math.floor(thread / this.data.warp), lane: thread % this.data.warp };
  }

  // Of results that are wrong, by buffer and cell the value that belongs there, and the step from which it is missed.
  _expected() {
    const wrong = new Map();
    for (const { buffer, cells, texts } of this.data.expected ?? []) {
      wrong.set(buffer, new Map(cells.map((cell, at) => [this.cell(buffer, cell), { text: texts[at], from: 0 }])));
    }
    this.steps.forEach((step, number) => {
      for (const { kind, buffer, touches } of step.accesses) {
        if (kind === LOAD || !wrong.has(buffer)) continue;
        for (const { cell } of touches) if (wrong.get(buffer).has(cell)) wrong.get(buffer).get(cell).from = number;
      }
    });
    return wrong;
  }

  // The first step in which lanes touch memory that others see, exchange values or meet; before it they only count.
  beginning() {
    const shared = (access) => access.kind !== SETTLED && this.data.buffers[access.buffer].space !== "local";
    const begins = (step) => step.accesses.some(shared) || step.shuffles.length > 0 || syncKind(step.kind) !== null;
    return Math.max(0, this.steps.findIndex(begins));
  }

  // The lanes that arrive at a barrier in a step and never go on: they run no later step, and the launch ends in a
  // deadlock, in whose finding this line is.
  stuck(number) {
    const step = this.steps[number], searched = Boolean(step.stuck), known = (step.stuck ??= new Set());
    if (searched || !step.kind.endsWith(".arrive")) return known;
    const { file, line } = this.source(step), { name } = this.data.files[file];
    const sides = this.data.findings.filter((one) => one.id.startsWith("deadlock")).flatMap((one) => one.sides);
    if (!sides.some((side) => side.file === name && side.line === line)) return known;
    for (const lane of this.lanesOf(step.active)) known.add(lane);
    for (const { active } of this.steps.slice(number + 1)) for (const lane of this.lanesOf(active)) known.delete(lane);
    return known;
  }

  // How many lanes have arrived at the barrier of a step, and did not go on before it.
  arrived(number) {
    const family = this.steps[number].kind.split(".")[0], lanes = new Set();
    for (let at = number; at >= 0; at--) {
      const { kind, active } = this.steps[at];
      if (kind.startsWith(family) && kind.endsWith(".wait")) break;
      if (kind === `${family}.arrive`) for (const lane of this.lanesOf(active)) lanes.add(lane);
    }
    return lanes.size;
  }

  // A step as another trace of the same kernel may have it: its line, and how often that ran before.
  moment(number) {
    const text = this.lineText(number);
    const times = this.steps.slice(0, number).filter((_, at) => this.lineText(at) === text).length;
    return { text, times, number };
  }

  stepOf({ text, times, number }) {
    const same = this.steps.flatMap((_, at) => (this.lineText(at) === text ? [at] : []));
    return same[Math.min(times, same.length - 1)] ?? Math.min(number, this.steps.length - 1);
  }

  lineText(number) {
    const { file, line } = this.source(this.steps[number]), source = this.data.files[file];
    return (source.lines[line - source.from] ?? "").trim();
  }

  // What a lane does to a cell in a step, the last of it; null where it does nothing.
  touch(number, buffer, lane, cell) {
    let last = null;
    for (const access of this.steps[number].accesses) {
      if (access.buffer !== buffer || access.kind === SETTLED) continue;
      for (const touch of access.touches) if (touch.cell === cell && touch.lane === lane) last = { kind: access.kind, ...touch };
    }
    return last;
  }

  // Every access to a cell, in order.
  touched(buffer, cell) {
    const found = [];
    this.steps.forEach((step, number) => {
      for (const access of step.accesses) {
        if (access.buffer !== buffer || access.kind === SETTLED) continue;
        for (const touch of access.touches) if (touch.cell === cell) found.push({ step: number, kind: access.kind, ...touch });
      }
    });
    return found;
  }
}

// At what lanes meet in a step: `barrier`, `cluster`, `mbarrier`, or null.
const syncKind = (kind) => ["barrier", "cluster", "mbarrier"].find((family) => kind.split(".")[0] === family) ?? null;
