// Going from step to step, and choosing what is looked at.
Object.assign(View.prototype, {
  go(step) {
    if (!this.trace.steps.length) return;
    this.step = Math.max(0, Math.min(this.trace.steps.length - 1, step));
    this.trace.seek(this.step);
    this.show();
  },

  move(by) {
    if (this.by === "barrier") return this.toBarrier(by);
    if (this.by === "lane" && this.lane !== null) return this.toStep(by, (step) => this.trace.lanesOf(step.active).includes(this.lane));
    return this.go(this.step + by);
  },

  toStep(by, fits) {
    for (let at = this.step + by; this.trace.steps[at]; at += by) if (fits(this.trace.steps[at])) return this.go(at);
    return this.go(by > 0 ? Infinity : 0);
  },

  toBarrier(by) { return this.toStep(by, (step) => syncKind(step.kind) !== null); },

  toLine(file, line) {
    const { steps } = this.trace, fits = (step) => { const at = this.trace.source(step); return at.file === file && at.line === line; };
    for (let at = 1; at <= steps.length; at++) {
      const step = (this.step + at) % steps.length;
      if (fits(steps[step])) return this.go(step);
    }
  },

  // Brings a line into the source's window and marks it, until the next step is shown.
  toSource(file, line) {
    const row = this.rows[file][line - this.trace.data.files[file].from], { source } = this;
    source.querySelector(".sought")?.classList.remove("sought");
    row.classList.add("sought");
    source.scrollTop = row.offsetTop - (source.clientHeight - row.offsetHeight) / 2.4;
    row.scrollIntoView({ block: "nearest" }); // on a narrow screen the source is elsewhere on the page
  },

  goSide(finding, side) {
    this.openFinding(finding);
    if (side.cell !== null && side.cell >= 0) this.cell = [finding.buffer, side.cell];
    this.go(side.step);
  },

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
  },

  follow(lane) { this.lane = this.lane === lane ? null : lane; this.cell = null; this.show(); },

  choose(buffer, cell) {
    const same = this.cell && this.cell[0] === buffer && this.cell[1] === cell;
    this.cell = same ? null : [buffer, cell];
    this.show();
  },

  // Brings a warp of the overview, counted through the blocks that are shown, and its block's memory into view.
  enter(warp) { this.warp = this.warp === warp ? null : warp; this.show(); },

  release() {
    this.lane = this.cell = this.warp = null;
    this.show();
  },

  _keys() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || /^(SELECT)$/.test(event.target.tagName)) return;
      const own = event.target.type === "range" || /^(BUTTON|SUMMARY)$/.test(event.target.tagName);
      const act = {
        ArrowLeft: () => this.move(-1), ArrowRight: () => this.move(1), PageUp: () => this.toBarrier(-1), PageDown: () => this.toBarrier(1),
        Home: () => this.go(0), End: () => this.go(Infinity), " ": () => !own && this.play(), Escape: () => this.release(),
      }[event.key];
      if (!act || (event.key === " " && own)) return;
      act();
      event.preventDefault();
    }, { signal: this.closing.signal });
  },
});
