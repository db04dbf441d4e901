// The page of a watch: what it is told as it is told, and the picture that is looked at stays where it is over a save.
let launches = [], traces = [], now = null, drawn = null;
const costs = {}, questions = [];
const at = (id) => document.getElementById(id);
const prose = (html) => {
  const made = make("div", { class: "prose" });
  made.innerHTML = html; // of our own lessons; a policy of the page runs no script in it
  return made;
};
const ask = (what) => fetch(what, { method: "POST" });

function told(state) {
  const fresh = !now || now.case !== state.case || now.lesson !== state.lesson;
  now = state;
  document.title = `${{ right: "✓", wrong: "✗", open: "○" }[state.kind]} ${state.case}`;
  at("state").replaceChildren(
    make("h1", { text: `${state.case} · ${state.title}` }),
    make("p", { class: `verdict ${state.kind}`, id: "verdict", role: "status" }, ...coded(state.said[0])),
    ...state.said.slice(1).map((line) => make("p", { class: "note" }, ...coded(line))),
    make("p", { class: "about", text: say("live_when", state) }),
    make("p", { class: "about", id: "drawing", role: "status" }));
  if (fresh) {
    at("lesson").setAttribute("aria-label", say("live_lesson"));
    at("lesson").replaceChildren(
      make("details", { id: "read", open: innerWidth > 1500, ontoggle: folded }, make("summary", { text: say("live_lesson") }), prose(state.lesson)),
      make("section", { "aria-labelledby": "h-hints" }, make("h2", { id: "h-hints", text: say("live_hints") }), make("div", { id: "hints" })),
      make("p", {}, make("button", { type: "button", id: "go-on", text: say("live_next"), onclick: () => ask("next") })),
      make("p", { class: "quiet", text: say("live_keys") }));
  }
  if (drawn !== null && drawn.case !== state.case) forget();
  compose();
}

function helped({ case: name, seen, total }) {
  if (!now || name !== now.case) return;
  const button = seen.length < total && make("button", { type: "button", id: "hint", onclick: () => ask("hint"),
    text: say("live_hint", { number: seen.length + 1, total }) });
  const had = document.activeElement?.id === "hint";
  at("hints").replaceChildren(
    ...seen.map(({ title, text }) => make("details", { open: true }, make("summary", { text: title }), prose(text))),
    button || make("p", { class: "quiet", text: say(total ? "live_no_hint" : "live_none") }));
  if (had) (at("hint") ?? at("go-on")).focus();
}

// A picture takes the place of the one before: the step, the lane and what is chosen stay.
async function pictured(picture) {
  if (!now || picture.case !== now.case) return;
  drawn = picture;
  if (picture.traces.length) {
    ({ launches, traces } = picture);
    await draw_anew();
  }
  compose();
}

async function draw_anew() {
  const { trace, step, start, lane, by, variable, number } = window.view ?? {};
  const focus = document.activeElement?.id, scrolled = scrollY;
  // Who has gone to a step stays at that line, as often as it has run; else the picture opens where there is something to see.
  const moment = trace?.steps.length && step !== start ? trace.moment(step) : null;
  await open_launch(Math.min(number ?? 0, traces.length - 1), { lane: lane ?? undefined });
  if (moment && window.view.trace.steps.length) window.view.go(window.view.trace.stepOf(moment));
  if (by) at("by").value = window.view.by = by;
  if (variable && [...at("variable").options].some((one) => one.value === variable)) {
    at("variable").value = window.view.variable = variable;
    window.view.show();
  }
  if (focus) at(focus)?.focus({ preventScroll: true });
  scrollTo(0, scrolled);
}

// A lesson that is folded away leaves its column to the picture, which is laid out for the room that it has.
function folded() {
  turn = turn.then(() => window.view && draw_anew()).catch((error) => console.error(error));
}

function forget() {
  window.view?.close();
  window.view = drawn = null;
  at("page").replaceChildren();
}

// What is told beside the picture: what it does not show itself.
function compose() {
  const here = drawn !== null && drawn.number === now.number && drawn.traces.length > 0;
  const coming = now.drawn && !(drawn && drawn.number === now.number);
  const key = here ? "live_drawn" : coming ? "live_drawing" : drawn?.why ? "live_failed" : "live_undrawn";
  const first = !window.view && !here && !drawn?.why;
  at("drawing").textContent = say(first ? `${key}_first` : key, { why: drawn?.why });
  at("page").classList.toggle("stale", Boolean(window.view) && !here);
  const shown = new Set(here ? window.view.trace.data.findings.map((finding) => finding.id) : []);
  const left = now.findings.filter((finding) => !shown.has(finding.id));
  at("told").replaceChildren(make("div", {}, ...left.map(box)), make("div", {}, ...(here ? [] : now.sources.map(listing))));
  at("told").hidden = here && !left.length;
  // What is only a remark stands below the picture, what is wrong above it.
  if (here && left.every((finding) => finding.severity === "information")) at("page").after(at("told"));
  else at("page").before(at("told"));
  const focused = at("told").querySelector(".bad, .focus");
  if (focused) focused.parentElement.scrollTop = focused.offsetTop - focused.parentElement.offsetTop - 60;
  document.body.dataset.number = now.number;
  document.body.dataset.drawn = here ? now.number : "";
}

function box(finding) {
  const remark = finding.severity === "information";
  return make("div", { class: remark ? "finding remark" : "finding" },
    make("h2", { text: `${remark ? "" : "! "}${finding.title}` }), ...finding.sites.map(site), make("p", {}, ...rich(`${finding.message}.`)),
    ...finding.items.flatMap((item) => item.split("\n")).map((line) => make("p", { class: "mono item", text: line })),
    finding.remedy && make("p", {}, ...rich(`${say("remedy")}: ${finding.remedy}.`)));
}

// A line where something was found, with its text.
function site({ file, line }) {
  const source = now.sources.find((one) => one.name === file), text = source?.lines[line - source.from]?.trim();
  return make("p", { class: "site" }, make("span", { class: "quiet", text: `${file}:${line}` }), text && make("code", { text }));
}

function listing(file) {
  const notes = notesOf(now.findings);
  const pre = make("pre", { class: "source", tabindex: 0, role: "group", "aria-label": `${say("source")}: ${file.name}` });
  pre.append(...file.lines.map((text, index) => {
    const row = sourceRow(file.from + index, text, notes.get(`${file.name}:${file.from + index}`));
    if (file.from + index === file.focus) row.classList.add("focus");
    return row;
  }));
  return make("section", {}, make("h2", { text: file.name }), pre);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
  if (event.key === "h" && at("hint")) ask("hint");
  if (event.key === "n") ask("next");
});

at("state").replaceChildren(make("h1", { text: say("live") }), make("p", { class: "about", text: say("live_wait") }));
const stream = new EventSource("events");
let turn = Promise.resolve(); // one after the other: a picture takes a while
for (const [name, act] of Object.entries({ state: told, hints: helped, picture: pictured })) {
  stream.addEventListener(name, (event) => (turn = turn.then(() => act(JSON.parse(event.data))).catch((error) => console.error(error))));
}
stream.addEventListener("open", () => { document.body.dataset.ready = "yes"; at("lost")?.remove(); });
stream.addEventListener("error", () => {
  if (!at("lost")) at("state").append(make("p", { class: "note warn", id: "lost", role: "alert", text: say("live_lost") }));
});
