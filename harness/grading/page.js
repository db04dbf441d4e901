"use strict";
const form = document.querySelector("form");
const rows = [...document.querySelectorAll("tbody tr")];
const shown = document.querySelector("#shown");
const body = document.querySelector("tbody");
form.hidden = false;
function apply() {
  const name = form.elements.person.value.toLowerCase();
  const verdict = form.elements.verdict.value;
  let count = 0;
  for (const row of rows) {
    const fits = row.dataset.person.toLowerCase().includes(name)
      && (!verdict || row.dataset.verdicts.split(" ").includes(verdict));
    row.hidden = !fits;
    count += fits;
  }
  shown.textContent = `${count} of ${rows.length} shown`;
}
function sort() {
  const points = (row) => Number(row.dataset.points);
  const by = form.elements.order.value;
  const order = rows.slice();
  if (by === "most") order.sort((a, b) => points(b) - points(a));
  if (by === "least") order.sort((a, b) => points(a) - points(b));
  body.append(...order);
}
form.addEventListener("input", apply);
form.elements.order.addEventListener("change", sort);
form.addEventListener("submit", (event) => event.preventDefault());
apply();
