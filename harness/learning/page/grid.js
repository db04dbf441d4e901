// Rows of cells with one tab stop: the arrows move, Enter chooses. A row is made when it is first shown.
class Grid {
  constructor(label, choose, columns, width) {
    this.choose = choose;
    this.columns = columns;
    this.rows = [];
    this.root = make("div", { class: "cells", role: "grid", "aria-label": label });
    this.root.style.setProperty("--columns", columns);
    this.root.style.setProperty("--cell", width);
    this.root.addEventListener("keydown", (event) => this.moved(event));
    this.root.addEventListener("click", (event) => {
      const cell = event.target.closest("[role=gridcell]");
      if (cell) { this.stop(cell); choose(Number(cell.dataset.number)); }
    });
  }

  // The numbers of the columns.
  header() {
    const line = make("div", { class: "line names", role: "presentation" });
    line.append(...Array.from({ length: this.columns }, (_, at) => make("span", { role: "columnheader", text: at })));
    this.root.append(make("div", { class: "row", role: "row" }, make("div", { class: "head", role: "presentation" }), line));
  }

  row(head, numbers) {
    const row = { head, numbers, cells: null, grid: this, root: make("div", { class: "row", role: "row", hidden: true }) };
    this.root.append(row.root);
    this.rows.push(row);
    return row;
  }

  show(row, is) {
    if (is && !row.cells) {
      row.cells = row.numbers.map((number) => make("div", { class: "c", role: "gridcell", tabindex: -1, "data-number": number }));
      row.root.append(make("div", { class: "head", role: "rowheader", text: row.head }),
        make("div", { class: "line", role: "presentation" }, ...row.cells));
    }
    row.shown = is;
    row.root.hidden = !is;
  }

  // The cells that are shown, of which one can be tabbed to.
  cells() { return this.rows.filter((row) => row.shown).flatMap((row) => row.cells); }

  settle() {
    const cells = this.cells();
    if (cells.length && !cells.some((cell) => cell.tabIndex === 0)) this.stop(cells[0]);
  }

  stop(cell) {
    if (this.tabbed) this.tabbed.tabIndex = -1;
    this.tabbed = cell;
    cell.tabIndex = 0;
  }

  moved(event) {
    const cells = this.cells(), at = cells.indexOf(document.activeElement);
    if (at < 0) return;
    const row = at - (at % this.columns);
    const to = {
      ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + this.columns, ArrowUp: at - this.columns,
      Home: event.ctrlKey ? 0 : row, End: event.ctrlKey ? cells.length - 1 : row + this.columns - 1,
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(Number(cells[at].dataset.number));
    else if (to === undefined) return;
    else if (cells[to]) { this.stop(cells[to]); cells[to].focus(); }
    event.preventDefault();
    event.stopPropagation();
  }
}

// The grids of the lanes, or of an array: where there are more rows than a screen has room for, those that a step
// touches are shown, and others around them, so that nothing jumps; all of them once it is opened.
class Field {
  constructor(root, most, idle, changed) {
    this.root = root;
    this.most = most;
    this.idle = idle; // rows that are shown where none is touched
    this.rows = [];
    this.at = new Map(); // by the number of its first cell
    this.grids = [];
    this.open = false;
    this.button = make("button", { type: "button", class: "fold", hidden: true, onclick: () => { this.open = !this.open; changed(); } });
  }

  grid(title, grid) {
    const block = make("div", { class: "block" }, title && make("h3", { text: title }), grid.root);
    this.grids.push([grid, block]);
    this.root.append(block);
    for (const row of grid.rows) {
      this.rows.push(row);
      this.at.set(row.numbers[0], row);
    }
  }

  // The rows that are shown, where a row weighs the more the more it is touched; with `keep` those that were shown before.
  choose(weigh, keep = false) {
    const weights = new Map(this.rows.map((row) => [row, weigh(row)])), folds = this.rows.length > this.most + 1; // a button is as large as a row
    const order = folds && !this.open ? [...this.rows].sort((one, other) => weights.get(other) - weights.get(one)) : this.rows;
    const most = order.length && weights.get(order[0]) ? this.most : Math.min(this.most, folds ? this.idle : this.most);
    const before = keep && folds && !this.open ? this.rows.filter((row) => row.shown).slice(0, this.most) : [];
    const wanted = new Set(before.length ? before : order.slice(0, this.open || !folds ? this.rows.length : most));
    for (const row of this.rows) if (Boolean(row.shown) !== wanted.has(row)) row.grid.show(row, wanted.has(row));
    for (const [grid, block] of this.grids) {
      block.hidden = !grid.rows.some((row) => row.shown);
      grid.settle();
    }
    this.root.classList.toggle("open", folds && this.open);
    this.button.hidden = !folds;
    this.button.setAttribute("aria-expanded", this.open);
    const left = order.filter((row) => this.open || !wanted.has(row)), touched = left.filter((row) => weights.get(row) > 0).length;
    this.button.textContent = this.open ? say("fold") : say(touched ? "unfold" : "unfold_idle", { count: left.length, touched });
    return this.rows.filter((row) => row.shown);
  }
}
