// Words and elements.
const words = JSON.parse(document.getElementById("words").textContent);
const say = (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
const SVG = "http://www.w3.org/2000/svg";

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

function draw(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A sentence that begins with a capital.
const rich = (text) => coded(text[0].toUpperCase() + text.slice(1));

// What stands in backticks is code.
function coded(text) {
  return text.split("`").map((part, at) => (at % 2 ? make("code", { text: part }) : document.createTextNode(part)));
}

// What stands below the lines of a source, by file and line: what was found there.
function notesOf(findings) {
  const notes = new Map();
  for (const { severity, title, sides, sites, id } of findings) {
    if (id?.startsWith("check.reason.")) continue;
    const note = id?.startsWith("check.wrong-value") ? say("stores_wrong") : `! ${title}`;
    for (const key of new Set((sides ?? sites).filter((side) => side.file).map((side) => `${side.file}:${side.line}`))) {
      if (severity !== "information") notes.set(key, [...new Set([...notes.get(key) ?? [], note])]);
    }
  }
  return notes;
}

// Of a notebook's cell the lines above it have no number.
const lineName = (line) => (line > 0 ? say("line", { line }) : say("line_above"));

function sourceRow(line, text, found = [], costs = [], onclick = null) {
  const below = (kind, texts) => texts.length && make("span", { class: "costs" }, ...texts.map((one) => make("span", { class: kind, text: one })));
  return make("span", { class: `row${found.some((one) => one.startsWith("!")) ? " bad" : ""}${/\S{40}/.test(text) ? " long" : ""}`, ...(onclick && { onclick }) },
    make("span", { class: "number", text: line > 0 ? line : "" }), document.createTextNode(text || " "), below("found", found), below("cost", costs));
}

function section(key, ...children) {
  return make("section", { class: `section-${key}`, "aria-labelledby": `h-${key}` }, make("h2", { id: `h-${key}`, text: say(key) }), ...children);
}

// The colours of the page follow the system, as it changes, until somebody chooses.
const dark = matchMedia("(prefers-color-scheme: dark)");
let themeChosen = Boolean(document.documentElement.dataset.theme);
const followSystem = () => { if (!themeChosen) document.documentElement.dataset.theme = dark.matches ? "dark" : "light"; };
dark.addEventListener("change", followSystem);
followSystem();

function switchTheme() {
  themeChosen = true;
  document.documentElement.dataset.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
}
