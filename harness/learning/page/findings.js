// What was found: what it is, and each of its sides with its step, its lane and its line.
Object.assign(View.prototype, {
  _findings(findings, key = "findings") {
    const boxes = findings.map((finding) => {
      const remark = finding.severity === "information";
      const sides = finding.sides.map((side, number) => this._side(finding, side, number));
      const remedy = finding.remedy && make("p", { class: "remedy" }, ...this._linked(`${say("remedy")}: ${finding.remedy}.`));
      const box = make("details", { class: remark ? "finding remark" : "finding", open: remark || finding === findings[0] },
        make("summary", { text: `${remark ? "" : "! "}${finding.title}` }), finding.reason && remedy, finding.reason && this._lines(finding), make("div", { class: "sides" }, ...sides.filter(Boolean)), this._between(finding),
        finding.reason ? null : make("p", { class: "message" }, ...this._linked(`${finding.message}.`)), finding.reason ? null : remedy,
        ...(finding.wrong ? [] : finding.items.map((item) => make("p", {}, ...this._linked(item)))),
        finding.paired && finding.count > 1 && make("p", { text: say("one_of", finding) }));
      finding.box = box;
      box.addEventListener("toggle", () => { if (box.open && this.finding !== finding && !remark && !(this.finding?.reason && finding.wrong)) { this.openFinding(finding); this.show(); } });
      return box;
    });
    return section(key, make("div", { class: "found-list", tabindex: 0, role: "group", "aria-label": say(key) }, ...boxes));
  },

  // A sentence of a finding: a line of a source that is shown is a link to it, by its number alone.
  _linked(text) {
    const { files } = this.trace.data, parts = [], named = say("line", { line: "(\\d+)" });
    const places = new RegExp(`(?:[^\\s:(\`]*/)?([^\\s/:(\`]+\\.mojo):(\\d+)(?::\\d+)?|${named}|${say("line_item", { line: "(\\d+)" })}`, "gi");
    let from = 0;
    text = text[0].toUpperCase() + text.slice(1);
    for (const match of text.matchAll(places)) {
      const line = Number(match.slice(2).find(Boolean)), shown = ({ from: first, lines }) => line >= first && line < first + lines.length;
      const file = files.findIndex((one) => (!match[1] || one.name.split("/").pop() === match[1]) && shown(one));
      if (file < 0) continue;
      parts.push(...coded(text.slice(from, match.index)), this._lineLink(file, line, match[1] ? lineName(line) : match[0]));
      from = match.index + match[0].length;
    }
    return [...parts, ...coded(text.slice(from))];
  },

  // The number of the file that a side is in, if its line is shown; else -1.
  _fileOf(side) {
    return this.trace.data.files.findIndex(({ name, from, lines }) => name === side.file && side.line >= from && side.line < from + lines.length);
  },

  _lineLink(file, line, text = lineName(line)) { return make("button", { type: "button", class: "line-link", text, onclick: () => this.toSource(file, line) }); },

  // What is to be checked of a wrong element: its lines, and the heads of the loops around and between them.
  _lines(finding) {
    const { files } = this.trace.data, file = finding.sides.length ? this._fileOf(finding.sides[0]) : -1;
    if (file < 0) return null;
    const { lines, from } = files[file], own = [...new Set(finding.sides.filter((side) => this._fileOf(side) === file).map(({ line }) => line))].sort((one, other) => one - other);
    const around = own.flatMap((line) => branchesOf(files[file], line)).map(({ first }) => first);
    const between = lines.map((_, at) => from + at).filter((line) => line > own[0] && line < own.at(-1));
    const heads = [...new Set([...around, ...between])].filter((line) => /^(?:@parameter |comptime )?(for|while)\b/.test((lines[line - from] ?? "").trim()));
    const links = (some) => some.flatMap((line, at) => [at ? ", " : "", this._lineLink(file, line)]);
    return make("p", { class: "lines" }, ...coded(`${say("these_lines")}: `), ...links(own),
      ...(heads.length ? [`; ${say("their_loops")}: `, ...links(heads.sort((one, other) => one - other))] : []));
  },

  // One of the accesses of a race, or a wrong cell: a click leads to its step.
  _side(finding, side, number) {
    const { trace } = this, mark = finding.paired ? `${number + 1}` : finding.wrong ? "≠" : "!";
    if (finding.wrong) return this._wrongCell(finding, side, mark);
    if (side.step === null && !side.file) return null;
    const file = this._fileOf(side);
    const touch = side.step === null || side.cell === null ? null : trace.touch(side.step, finding.buffer, side.lane, side.cell);
    const does = touch && `${say(VERBS[touch.kind])} ${this._holds(finding.buffer, side.cell, touch.value)}`;
    const facts = [side.step === null ? null : `${say("step")} ${side.step + 1}`, lineName(side.line), side.lane === null || side.lane < 0 ? null : this.name(side.lane)];
    const button = make("button", { type: "button", onclick: () => (side.step === null ? this.toSource(file, side.line) : this.goSide(finding, side)), disabled: side.step === null && file < 0 },
      make("b", { class: "side-mark", text: mark }), make("span", { text: facts.filter(Boolean).join(" · ") }),
      does && make("span", { class: "does", text: does }), side.step !== null && make("code", { text: trace.lineText(side.step) }));
    return (side.button = button);
  },

  // A cell of a result that is wrong: what is there, what belongs there, and who wrote it.
  _wrongCell(finding, side, mark) {
    const { trace } = this, { text, from } = trace.expected.get(finding.buffer)?.get(side.cell) ?? {};
    if (text === undefined) return null;
    const wrote = side.step === null ? say("nobody_wrote") : `${say("step")} ${from + 1} · ${lineName(side.line)} · ${this.name(side.lane)}`;
    const got = side.step === null ? null : trace.touch(side.step, finding.buffer, side.lane, side.cell);
    const facts = make("span", {}, this.cellName(finding.buffer, side.cell), ": ", make("b", { text: say("expected_value", { value: text }) }),
      got && got.value >= 0 ? `, ${say("actual_value", { value: trace.text(got.value) })}` : "");
    const go = () => { if (side.step === null) { this.openFinding(finding); this.cell = [finding.buffer, side.cell]; this.go(Infinity); } else this.goSide(finding, side); };
    return (side.button = make("button", { type: "button", onclick: go }, make("b", { class: "side-mark", text: mark }), facts, make("span", { class: "does", text: wrote })));
  },

  // Of a race: whether lanes met between its sides.
  _between(finding) {
    if (!finding.paired || !finding.id.startsWith("race")) return null;
    const [from, to] = finding.sides.map((side) => side.step);
    const met = this.trace.steps.slice(Math.min(from, to), Math.max(from, to) + 1).filter((step) => syncKind(step.kind) !== null).length;
    const links = finding.sides.map((side) => [this._fileOf(side), side.line]).filter(([file]) => file >= 0).map(([file, line]) => this._lineLink(file, line));
    return make("p", { class: "between" }, ...links.flatMap((link, at) => [at ? ", " : "", link]), links.length ? ": " : "", met ? say("between_some", { count: met }) : say("between_none"));
  },

  // From here on the sides of this finding are marked, and its text is open.
  openFinding(finding) {
    this.finding = finding;
    for (const other of this.severe) if (other.box) other.box.open = other === finding || (finding.reason && other.wrong);
  },

  // The marks of the open finding, which has its card in view: at its own steps both sides, so that a race has both in view.
  _findingMarks() {
    const { finding } = this, lanes = new Map(), cells = this.trace.data.buffers.map(() => new Map()), lines = new Map();
    if (!finding || finding.wrong || finding.reason || !finding.sides.some((side) => side.step === this.step)) return { lanes, cells, lines };
    const sides = finding.sides.map((side, number) => ({ ...side, mark: finding.paired ? `${number + 1}` : "!" }));
    for (const side of sides.sort((one, other) => (one.step === this.step) - (other.step === this.step))) {
      if (side.lane !== null && side.lane >= 0) lanes.set(side.lane, side.mark);
      if (side.cell !== null && side.cell >= 0) cells[finding.buffer].set(side.cell, side.mark);
      if (finding.paired) lines.set(this._rowOf(side.step), `${lines.get(this._rowOf(side.step)) ?? ""}${side.mark}`);
    }
    return { lanes, cells, lines };
  },

  _showFinding({ lines }) {
    for (const row of this.sideRows ?? []) { row.classList.remove("side"); delete row.dataset.side; }
    this.sideRows = [...lines.keys()].filter(Boolean);
    for (const row of this.sideRows) { row.classList.add("side"); row.dataset.side = lines.get(row); }
    for (const finding of this.severe) {
      for (const side of finding.sides) side.button?.setAttribute("aria-current", side.step === this.step && side.step !== null ? "step" : "false");
    }
  },

  _rowOf(step) {
    const { file, line } = this.trace.source(this.trace.steps[step]);
    return this.rows[file][line - this.trace.data.files[file].from];
  },
});
