// What was found: what it is, and each of its sides with its step, its lane and its line.
Object.assign(View.prototype, {
  _findings(findings, key = "findings") {
    const boxes = findings.map((finding) => {
      const remark = finding.severity === "information";
      const sides = finding.sides.map((side, number) => this._side(finding, side, number));
      const remedy = finding.remedy && make("p", {}, ...rich(`${say("remedy")}: ${finding.remedy}.`));
      const box = make("details", { class: remark ? "finding remark" : "finding", open: remark || finding === findings[0] },
        make("summary", { text: `${remark ? "" : "! "}${finding.title}` }), finding.reason && remedy, make("div", { class: "sides" }, ...sides.filter(Boolean)), this._between(finding),
        finding.paired && finding.count > 1 && make("p", { text: say("one_of", finding) }),
        finding.reason ? null : make("p", {}, ...rich(`${finding.message}.`)), ...(finding.wrong ? [] : finding.items.map((item) => make("p", {}, ...rich(item)))),
        finding.reason ? null : remedy);
      finding.box = box;
      box.addEventListener("toggle", () => { if (box.open && this.finding !== finding && !remark && !(this.finding?.reason && finding.wrong)) { this.openFinding(finding); this.show(); } });
      return box;
    });
    return section(key, make("div", { class: "found-list", tabindex: 0, role: "group", "aria-label": say(key) }, ...boxes));
  },

  // One of the accesses of a race, or a wrong cell: a click leads to its step.
  _side(finding, side, number) {
    const { trace } = this, mark = finding.paired ? `${number + 1}` : finding.wrong ? "≠" : "!";
    if (finding.wrong) return this._wrongCell(finding, side, mark);
    if (side.step === null && !side.file) return null;
    const touch = side.step === null || side.cell === null ? null : trace.touch(side.step, finding.buffer, side.lane, side.cell);
    const does = touch && `${say(VERBS[touch.kind])} ${this.cellName(finding.buffer, side.cell)}${touch.value < 0 ? "" : ` = ${trace.told(touch.value)}`}`;
    const facts = [side.step === null ? null : `${say("step")} ${side.step + 1}`, lineName(side.line), side.lane === null || side.lane < 0 ? null : this.name(side.lane)];
    const button = make("button", { type: "button", disabled: side.step === null, onclick: () => this.goSide(finding, side) },
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
      got ? `, ${say("actual_value", { value: trace.text(got.value) ?? "?" })}` : "");
    const go = () => { if (side.step === null) { this.openFinding(finding); this.cell = [finding.buffer, side.cell]; this.go(Infinity); } else this.goSide(finding, side); };
    return (side.button = make("button", { type: "button", onclick: go }, make("b", { class: "side-mark", text: mark }), facts, make("span", { class: "does", text: wrote })));
  },

  // Of a race: whether lanes met between its sides.
  _between(finding) {
    if (!finding.paired || !finding.id.startsWith("race")) return null;
    const [from, to] = finding.sides.map((side) => side.step);
    const met = this.trace.steps.slice(Math.min(from, to), Math.max(from, to) + 1).filter((step) => syncKind(step.kind) !== null).length;
    return make("p", { class: "between", text: met ? say("between_some", { count: met }) : say("between_none") });
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
