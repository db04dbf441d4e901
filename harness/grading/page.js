"use strict";
const form = document.querySelector("form");
const table = document.querySelector("table");
const people = [...document.querySelectorAll("tbody[data-person]")];
const shown = document.querySelector("#shown");
form.hidden = false;
function open(person, is) {
  person.querySelector("button").setAttribute("aria-expanded", String(is));
  person.querySelector(".found").hidden = !is;
}
function apply() {
  const name = form.elements.person.value.toLowerCase();
  const verdict = form.elements.verdict.value;
  const mode = form.elements.mode.value;
  let count = 0;
  for (const person of people) {
    const all = person.dataset.verdicts.split(" ");
    const fits = person.dataset.person.toLowerCase().includes(name)
      && (!verdict || (mode ? all[mode] === verdict : all.includes(verdict)));
    person.hidden = !fits;
    count += fits;
  }
  shown.textContent = `${count} of ${people.length} shown`;
}
function sort() {
  const points = (person) => Number(person.dataset.points);
  const by = form.elements.order.value;
  const order = people.slice();
  if (by === "most") order.sort((a, b) => points(b) - points(a));
  if (by === "least") order.sort((a, b) => points(a) - points(b));
  table.append(...order);
}
for (const person of people) open(person, false);
table.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) open(button.closest("tbody"), button.getAttribute("aria-expanded") === "false");
});
form.addEventListener("input", apply);
form.elements.order.addEventListener("change", sort);
form.addEventListener("submit", (event) => event.preventDefault());
apply();
document.body.dataset.ready = "";
