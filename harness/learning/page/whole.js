// A page that has all that it shows.
const costs = JSON.parse(document.getElementById("costs").textContent); // of lines of the source, where a profile was asked for
const questions = JSON.parse(document.getElementById("questions").textContent); // that a learner answers before the costs are shown
const launches = JSON.parse(document.getElementById("launches").textContent);
const traces = [...document.querySelectorAll("script.trace")].map((one) => one.textContent);

{
  const asked = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const number = launches.findIndex((one) => String(one.launch) === asked.launch);
  open_launch(Math.max(0, number), asked);
}
