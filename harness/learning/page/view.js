// The page: built once, then only what changed is written.
const KINDS = { [LOAD]: "read", [STORE]: "written", [ATOMIC]: "atomic", [SETTLED]: "" };
const MARKS = { "read": "R", "written": "W", "read written": "RW", "atomic": "A" };
const VERBS = { [LOAD]: "reads", [STORE]: "writes", [ATOMIC]: "updates" };
const MOST = 6; // values that are listed of many
const LARGE = 128; // lanes above which an overview stands over them

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
    this.warp = null; // the one that was chosen in the overview
    this.finding = null; // the one whose sides are marked
    this.pointed = null; // { lane } or { buffer, cell } that the pointer or the focus is on
    this.variable = "auto";
    this.looks = new WeakMap();
    this.several = trace.blocks.length > 1;
    this.problems = trace.data.findings.map((finding) => this._placed(finding));
    this.severe = this.problems.filter((finding) => finding.severity !== "information");
    this.widest = this._widest();
    this._build();
    this._keys();
    if (asked.lane !== undefined) this.lane = Math.min(trace.lanes - 1, Math.max(0, Number(asked.lane) || 0));
    this.start = this._open(asked.step);
    this.go(this.start);
  }

  // A finding whose lanes and cells are counted through what is shown.
  _placed(finding) {
    const { trace } = this;
    const sides = finding.sides.map((side) => ({
      ...side,
      lane: side.lane === null ? null : trace.lane(side.lane),
      cell: side.cell === null || finding.buffer === null ? null : trace.cell(finding.buffer, side.cell),
    }));
    const reason = finding.id.startsWith("check.reason."), wrong = !reason && finding.buffer !== null && trace.expected.has(finding.buffer) && finding.id.startsWith("check.");
    const [, first, second] = /^race\.\w+\.(write|read|atomic)-(write|read|atomic)$/.exec(finding.id) ?? [];
    const title = first ? say("race_title", { first: say(`a_${first}`), second: say(`a_${second}`), name: finding.variable }) : reason ? finding.message : finding.title;
    return { ...finding, title, sides, wrong, reason, paired: sides.length === 2 && sides.every((side) => side.step !== null) && !wrong && !reason };
  }

  // The step to begin with: the one that is asked for, that of the first finding, or the first that does something.
  _open(step) {
    const first = this.severe.find((finding) => finding.sides.some((side) => side.step !== null)) ?? this.severe[0];
    if (first) this.openFinding(first);
    if (step !== undefined) return Number(step) - 1 || 0;
    if (!first) return this.trace.beginning();
    const shown = first.reason ? this.severe.find((finding) => finding.wrong) ?? first : first, side = this._last(shown);
    if (side && side.cell !== null && side.cell >= 0) this.cell = [shown.buffer, side.cell];
    else if (shown.wrong) this.cell = [shown.buffer, shown.sides[0]?.cell ?? 0];
    return side ? side.step : Infinity;
  }

  // The side of a finding at which it has happened: of a race the later one, of wrong results the first that was written.
  _last(finding) {
    const sides = finding.sides.filter((side) => side.step !== null);
    return finding.wrong ? sides[0] : sides.reduce((last, side) => (last && last.step > side.step ? last : side), null);
  }

  // Lets go of the document.
  close() {
    clearInterval(this.playing);
    cancelAnimationFrame(this.scrolling);
    clearTimeout(this.addressing);
    this.observer.disconnect();
    this.closing.abort();
  }

  // How many characters the values of the lanes and of each buffer take.
  _widest() {
    const { trace } = this, length = (text) => (trace.text(text) ?? "·").length, width = (buffer, text) => this._cellWidth(buffer, text);
    const values = trace.data.variables.map(() => 1), held = trace.data.variables.map(() => 0), cells = trace.data.buffers.map(() => []);
    trace.data.buffers.forEach((buffer, at) => { for (const text of new Set(buffer.first ?? [])) cells[at].push(width(at, text ?? -1)); });
    for (const step of trace.steps) {
      for (const { variable, values: texts, set } of step.variables) {
        for (const text of texts) values[variable] = Math.max(values[variable], length(text));
        held[variable] = Math.max(held[variable], trace.lanesOf(set).length);
      }
      for (const { buffer, touches } of step.accesses) for (const { value } of touches) cells[buffer].push(width(buffer, value));
    }
    for (const [buffer, wrong] of trace.expected) for (const { text } of wrong.values()) cells[buffer].push(text.length + 1);
    // What only a few lanes or cells have, and what is very long, does not widen all of them: it is written smaller there.
    const common = values.filter((_, variable) => held[variable] * 4 >= trace.lanes);
    const usual = (lengths, buffer) => lengths.sort((one, other) => one - other)[Math.ceil((trace.cells[buffer].length > 64 ? 0.95 : 1) * lengths.length) - 1] ?? 1;
    return { cells: cells.map(usual), lanes: Math.min(14, Math.max(3, ...common)) };
  }

  // Building.

  _build() {
    const { trace } = this;
    this.source = make("pre", { class: "source", tabindex: 0, "aria-label": say("source"), role: "group" });
    this.happens = make("ul", { class: "happens", tabindex: 0, "aria-label": say("happens") });
    this.details = make("div");
    this.exchanges = trace.steps.flatMap((step, at) => (step.shuffles.some((one) => one.exchanges.some((two) => two.source !== null)) ? [at] : []));
    // Few warps that exchange go across the page, so that each is one line; else the lanes stand beside the source.
    this.wide = this.exchanges.length > 0 && trace.blocks.length * trace.warps <= 2;
    this.dense = trace.lanes > 256;
    this.happens.addEventListener("scroll", () => this._cut(this.happens));
    const note = Object.keys(costs).length ? make("p", { class: "note", text: say("profile_note") }) : null;
    const source = section("source", this.source, note), happens = section("happens", this.happens);
    const found = this.severe.length ? this._findings(this.severe) : null, remarks = this.problems.filter((one) => !this.severe.includes(one));
    const predictions = this._predictions();
    const rest = [section("details", this.details),
      remarks.length ? this._findings(remarks, "remarks") : null, found || predictions ? null : section("findings", make("p", { class: "quiet", text: say("no_findings") })), this._legend()];
    const main = make(this.inside ? "div" : "main", { class: this.wide ? "main wide" : "main" });
    this.root.append(this._heading(), this._controls(), main,
      make(this.inside ? "div" : "footer", { class: "foot" }, ...this._remarks(), make("p", { text: say("keys") })));
    this.stage = this._stage();
    this.found = found?.querySelector(".found-list");
    this.found?.addEventListener("scroll", () => this._cut(this.found));
    this.left = make("div", { class: "left" }, ...(this.wide ? [predictions, source] : [predictions, found, source, happens]).filter(Boolean));
    const right = make("div", { class: "right" }, ...(this.wide ? [found, happens, ...rest] : [this.stage, ...rest]).filter(Boolean));
    main.append(...(this.wide ? [this.stage] : []), this.left, right);
    this._code();
    this._fit();
    this.observer = new ResizeObserver(() => { this._fit(); this._scroll(); this._draw(); });
    this.observer.observe(this.stage);
    addEventListener("resize", () => this._fit(), { signal: this.closing.signal });
    addEventListener("scroll", () => this._scrolled(), { signal: this.closing.signal, passive: true });
  }

  // Of what is opened only the arrows on the screen are drawn.
  _scrolled() {
    if (this.scrolling || !this.stage.querySelector(".open")) return;
    this.scrolling = requestAnimationFrame(() => { this.scrolling = null; this._draw(); });
  }

  // The source takes what the screen has left below it.
  _fit() {
    const from = this.left.getBoundingClientRect().top + scrollY, controls = this.bar.offsetHeight;
    const above = this.wide || from > innerHeight / 2 ? from : Math.max(from, controls);
    this.root.style.setProperty("--above", `${Math.round(Math.min(above, innerHeight - 160))}px`);
    this.root.style.setProperty("--controls", `${controls}px`);
  }

  // Kernel, target, shape and data of the launch.
  _about() {
    const { data } = this.trace;
    const shape = say("grid_block", { grid: extentOf(data.grid), block: extentOf(data.block) });
    const cluster = product(data.cluster) > 1 ? ", " + say("with_cluster", { cluster: extentOf(data.cluster) }) : "";
    const about = [data.kernel, data.target, shape + cluster, data.dataset && say("dataset", { name: data.dataset })];
    return make("span", { class: "about", text: about.filter(Boolean).join(" · ") });
  }

  _heading() {
    const { data } = this.trace;
    return make(this.inside ? "div" : "header", { class: "heading" },
      make(this.inside ? "h2" : "h1", { text: [data.program?.name ?? data.case, data.title].filter(Boolean).join(" · ") || data.kernel }),
      this._launches(),
      data.verdict && make("span", { class: `verdict ${data.verdict === "PASS" ? "right" : "wrong"}`, text: `${say("verdict")}: ${say(`verdict_${data.verdict}`)}` }),
      this.inside ? null : this._about(),
      ...this._notes());
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
    const note = (text, warn = true) => notes.push(make("p", { class: warn ? "note warn" : "note", text }));
    if (program) {
      note(say("launched", program), false);
      if (data.arguments.length) notes.push(make("p", { class: "note" }, make("code", { text: data.arguments.map(([name, text]) => (name ? `${name} = ${text}` : text)).join(", ") })));
      if (program.shown < program.launches) note(say("windowed_launches", program));
    }
    if (data.verdict && !data.agrees) note(say("disagree"));
    if (data.fault) note(say("fault", { reason: data.fault }));
    if (!data.kept) note(say("no_steps"));
    else if (data.kept < data.steps) note(say("windowed_steps", data));
    if (data.blocks) note(say("windowed_blocks", { shown: data.blocks.length, blocks: product(data.grid) }), false);
    return notes;
  }

  // What need not be read first.
  _remarks() {
    const { verdict, agrees } = this.trace.data;
    return verdict && agrees ? [make("p", { class: "note", text: say("of_normal") })] : [];
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
    const saved = ["svg", "png"].map((kind) => button(`save_${kind}`, kind.toUpperCase(), () => this.save(kind), `save-${kind}`));
    this.bar = make("div", { id: "controls", role: "region", "aria-label": say("time") }, make("div", {},
      make("div", { class: "buttons" },
        button("first_step", "⇤", () => this.go(0), "first"), button("previous_barrier", "«", () => this.toBarrier(-1), "previous-barrier"),
        button("previous", "‹", () => this.move(-1), "previous"), this.player, button("next", "›", () => this.move(1), "next"),
        button("next_barrier", "»", () => this.toBarrier(1), "next-barrier"), button("last_step", "⇥", () => this.go(Infinity), "last"),
        by, button("theme", "◐", switchTheme, "theme"), ...saved),
      this.slider, this.where, this._timeline(), this._timeWords(), this.live));
    return this.bar;
  }

  // What the marks of the timeline mean: those that it has.
  _timeWords() {
    const { steps } = this.trace, has = new Set(steps.map((step) => syncKind(step.kind) ?? step.kind));
    const kinds = ["run", "shuffle", "barrier", "mbarrier", "cluster"].filter((kind) => kind === "run" || has.has(kind));
    const found = this.severe.some((finding) => finding.sides.some((side) => side.step !== null)) ? ["bad"] : [];
    return make("p", { class: "time-words" }, ...[...kinds, ...found].map((kind) => make("span", { class: kind, text: say(`time_${kind}`) })), this.inside && this._about());
  }

  // How many lanes run at each step; barriers and findings across.
  _timeline() {
    const { steps, lanes } = this.trace, count = Math.max(1, steps.length), bars = { run: "", shuffle: "" };
    const time = draw("svg", { class: "timeline", viewBox: `0 0 ${count} 34`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const problems = new Set(this.severe.flatMap((finding) => finding.sides.map((side) => side.step)));
    steps.forEach((step, at) => {
      const height = Math.max(1.5, (24 * this.trace.lanesOf(step.active).length) / lanes), kind = syncKind(step.kind);
      if (kind) time.append(draw("line", { class: kind, x1: at + 0.5, x2: at + 0.5, y1: 2, y2: 34, "vector-effect": "non-scaling-stroke" }));
      else bars[step.kind === "shuffle" ? "shuffle" : "run"] += `M${at + 0.12} 34v${-height}h.76V34z`;
      if (problems.has(at)) time.append(draw("rect", { class: "bad", x: at, width: 1, y: 0, height: 6 }));
    });
    time.prepend(...Object.entries(bars).map(([kind, d]) => draw("path", { class: kind, d })));
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

  _legend() {
    const entries = [
      ["active", "active", ""], ["skips", "skips", "↷"], ["elsewhere", "held", ""], ["waiting", "waiting", "‖"], ["ended", "ended", "×"], ["read", "read", "R"],
      ["written", "written", "W"], ["both", "read written", "RW"], ["updated", "atomic", "A"], ["racing", "bad", "!"], ["unwritten", "", "", "·"], ["followed", "held chosen", ""],
    ];
    const item = (key, sample) => make("li", {}, sample, say(key));
    const list = entries.map(([key, look, mark, text]) => item(key, make("span", { class: `c cells ${look}`, "data-mark": mark || null, text: text ?? "", "aria-hidden": "true" })));
    const line = (kind) => {
      const sample = draw("svg", { class: "timeline sample", viewBox: "0 0 34 24", "aria-hidden": "true" });
      sample.append(draw("line", { class: kind, x1: 17, x2: 17, y1: 0, y2: 24 }));
      return sample;
    };
    const arrow = (kind) => draw("svg", { class: "flows sample", viewBox: "0 0 34 24", "aria-hidden": "true" },
      draw("path", { class: kind, d: kind === "read" ? "M17 23V7" : "M17 1V17" }), draw("path", { class: `tip ${kind}`, d: kind === "read" ? tip(17, 1, -1) : tip(17, 23, 1) }));
    list.push(item("flow_read", arrow("read")), item("flow_written", arrow("written")), item("barrier", line("barrier")), item("cluster_barrier", line("cluster")));
    return section("legend", make("ul", { class: "legend" }, ...list));
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
}
