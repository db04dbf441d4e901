// A step as a picture of its own: what the stage shows, with its colours, in a file that needs no other.
const PAD = 16, SCALE = 2; // of an SVG, in pixels; of a PNG, in pixels for each of them

// What of the stage is copied: boxes with their texts, then texts alone.
const BOXES = ".c, .meeting", TEXTS = ".names span, .head, .block > h3, .buffer > h3 > :not(.fold), .counts span, .exchange-title, h2";

Object.assign(View.prototype, {
  // The stage at this step as an SVG.
  picture() {
    const origin = this.stage.getBoundingClientRect(), style = getComputedStyle(document.body), head = 44;
    const size = { width: Math.ceil(origin.width + 2 * PAD), height: Math.ceil(origin.height + 2 * PAD + head) };
    const title = `${document.querySelector("h1").textContent} · ${this.where.textContent}`, { file, line } = this.trace.source(this.trace.steps[this.step]);
    const root = draw("svg", { xmlns: SVG, ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "font-family": "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" });
    const told = draw("title", {}, title), stage = draw("g", { transform: `translate(${PAD - origin.left} ${PAD + head - origin.top})` });
    root.append(told, draw("rect", { ...size, fill: style.backgroundColor }),
      draw("text", { x: PAD, y: PAD + 12, "font-size": 14, "font-weight": 700, fill: style.color }, title),
      draw("text", { x: PAD, y: PAD + 32, "font-size": 12, fill: style.color, "xml:space": "preserve" }, `${this.trace.data.files[file].name.split("/").pop()}:${line}  ${this.trace.lineText(this.step)}`), stage);
    stage.append(copied(this.flowRoot));
    for (const box of this.stage.querySelectorAll(BOXES)) if (seen(box)) stage.append(...boxOf(box));
    for (const drawing of this.stage.querySelectorAll("svg:not(.flows)")) if (seen(drawing)) stage.append(copied(drawing));
    for (const text of this.stage.querySelectorAll(TEXTS)) if (seen(text) && text.textContent) stage.append(textOf(text, text.closest(".names") ? "middle" : "start"));
    return root;
  },

  async save(kind) {
    const root = this.picture(), text = new XMLSerializer().serializeToString(root);
    const name = `${(this.trace.data.case || this.trace.data.kernel).replace(/\W+/g, "-")}-${this.step + 1}.${kind}`;
    download(kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await painted(text, root), name);
  },
});

const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;

// A drawing of the page at its place, whose styles are written out.
function copied(drawing) {
  const box = drawing.getBoundingClientRect(), view = drawing.viewBox.baseVal, scaled = view && view.width > 0;
  const scale = scaled ? ` scale(${box.width / view.width} ${box.height / view.height})` : "";
  const group = draw("g", { transform: `translate(${box.left} ${box.top})${scale}` });
  for (const part of drawing.querySelectorAll("path, line, rect, circle, text")) {
    const copy = part.cloneNode(true), style = getComputedStyle(part);
    copy.removeAttribute("class");
    for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor"]) copy.setAttribute(name, style.getPropertyValue(name));
    group.append(copy);
  }
  return group;
}

// A cell: its box, its value, its mark and what was expected.
function boxOf(cell) {
  const box = cell.getBoundingClientRect(), style = getComputedStyle(cell), parts = [];
  const stroke = parseFloat(style.borderTopWidth), edge = { x: box.left + stroke / 2, y: box.top + stroke / 2, width: box.width - stroke, height: box.height - stroke, rx: parseFloat(style.borderTopLeftRadius) || 0 };
  parts.push(draw("rect", { ...edge, fill: fillOf(style), stroke: style.borderTopColor, "stroke-width": stroke }));
  if (cell.classList.contains("active")) parts.push(draw("rect", { x: box.left, y: box.bottom - 3, width: box.width, height: 3, fill: style.borderTopColor }));
  if (cell.classList.contains("chosen")) parts.push(draw("rect", { x: box.left - 2, y: box.top - 2, width: box.width + 4, height: box.height + 4, rx: 4, fill: "none", stroke: style.outlineColor, "stroke-width": 2 }));
  if (!cell.closest(".overview")) parts.push(textOf(cell, "middle"));
  const corner = (text, x, anchor) => draw("text", { x, y: box.top + 8, "font-size": 8, "font-weight": 700, fill: style.color, "text-anchor": anchor }, text);
  if (cell.dataset.mark) parts.push(corner(cell.dataset.mark, box.right - 3, "end"));
  if (cell.dataset.expected) parts.push(corner(cell.dataset.expected, box.left + 3, "start"));
  return parts;
}

// The colour of a box; of a pattern the first one.
const fillOf = (style) => style.backgroundImage.match(/rgb[^)]*\)/)?.[0] ?? style.backgroundColor;

function textOf(element, anchor) {
  const range = document.createRange(), style = getComputedStyle(element);
  range.selectNodeContents(element.lastChild ?? element);
  const box = range.getBoundingClientRect(), size = parseFloat(style.fontSize);
  return draw("text", {
    x: anchor === "start" ? box.left : box.left + box.width / 2, y: box.top + box.height / 2 + size * 0.35, "font-size": size,
    "font-family": style.fontFamily, "font-weight": style.fontWeight, fill: style.color, "text-anchor": anchor,
  }, element.textContent.trim());
}

// An SVG as a PNG.
async function painted(text, root) {
  const image = new Image(), canvas = document.createElement("canvas");
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  [canvas.width, canvas.height] = ["width", "height"].map((side) => SCALE * Number(root.getAttribute(side)));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function download(blob, name) {
  const address = URL.createObjectURL(blob), link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
