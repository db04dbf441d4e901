// Figures that a learner predicts: those beside the lines of the source come into view once each question has an answer
// that is right, or the figures are asked for.
const ROUNDING = 0.015; // relative: a percentage may be rounded to a whole number
const NUMBER = /^(\d[\d_,]*(?:\.\d+)?|\.\d+)\s*%?$/;
const numberIn = (text) => (NUMBER.test(text.trim()) ? Number(text.trim().replace(/[,_%\s]/g, "")) : null);
const shown = (number) => number.toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
const isRight = (number, answer) => Math.abs(number - answer) <= ROUNDING * Math.abs(answer);

Object.assign(View.prototype, {
  // The questions, each with a field and a place for what is said of its answer; null where there are none.
  _predictions() {
    if (!questions.length) return null;
    this.questions = questions.map((question, at) => {
      const field = make("input", { id: `predict-${at}`, inputmode: "decimal", autocomplete: "off", value: question.given, "aria-describedby": `predicted-${at}` });
      return { ...question, field, said: make("output", { id: `predicted-${at}`, for: `predict-${at}` }) };
    });
    this.predicted = make("p", { class: "quiet", role: "status", text: say("predict_intro") });
    this.revealer = make("button", { type: "button", id: "reveal", text: say("predict_show"), onclick: () => this._reveal() });
    this.checker = make("button", { id: "predict", text: say("predict_check") });
    const form = make("form", {}, this.predicted,
      ...this.questions.map(({ sentence, field, said }) => make("div", { class: "question" }, make("label", { for: field.id, text: `${sentence}:` }), field, said)),
      make("div", { class: "buttons" }, this.checker, this.revealer));
    form.addEventListener("submit", (event) => { event.preventDefault(); this._answered(); });
    this.root.classList.add("predicting");
    const all = section("predict", form);
    if (this.questions.some(({ given }) => given)) this._answered();
    return all;
  },

  // Says of each answer whether it is right, and of a right one why.
  _answered() {
    for (const one of this.questions) {
      const number = numberIn(one.field.value), is = number !== null && isRight(number, one.answer), empty = !one.field.value.trim();
      one.right = is;
      one.said.className = is ? "right" : "wrong";
      one.said.replaceChildren(...coded(is ? `✓ ${shown(one.answer)}: ${one.why}` : empty ? "" : `✗ ${say(number === null ? "predict_number" : "predict_wrong")}`));
    }
    if (this.questions.every((one) => one.right)) this._uncover();
  },

  // Gives the answers away, with their reasons.
  _reveal() {
    for (const one of this.questions) {
      one.said.className = one.right ? "right" : "";
      one.said.replaceChildren(...coded(`${one.right ? "✓ " : ""}${shown(one.answer)}: ${one.why}`));
    }
    this._uncover();
  },

  _uncover() {
    this.root.classList.remove("predicting");
    this.predicted.replaceChildren(...coded(say("predict_done")));
    this.revealer.remove();
    if (this.questions.every((one) => one.right)) this.checker.remove();
    this._scroll(); // what a line costs has made it higher
  },
});
