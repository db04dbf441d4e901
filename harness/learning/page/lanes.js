// What each lane does at a step, and the line that says so.
const [ELSEWHERE, RUNS, WAITS, ENDED, DIVERGED, SKIPS] = [0, 1, 2, 3, 4, 5];
const BRANCH = /^(?:@parameter |comptime )?(if|elif|else|while|for)\b/;
const REACH = 400; // steps that are searched for what a lane did before, or does next

// The branches and loops that a line is in, the innermost first: the keyword, the lines of all its arms, those of its own.
function branchesOf({ lines, from }, line) {
  const found = [], depthOf = (text) => (!text?.trim() || text.trim().startsWith("#") ? Infinity : text.search(/\S/));
  const depthAt = (at) => depthOf(lines[at - from]), wordAt = (at) => BRANCH.exec((lines[at - from] ?? "").trim())?.[1];
  const endOf = (head) => {
    let last = head;
    for (let at = head + 1; at < from + lines.length && depthAt(at) > depthAt(head); at++) last = at;
    return last;
  };
  for (let at = line - 1, depth = depthAt(line); at >= from && depth > 0; at--) {
    if (depthAt(at) >= depth) continue;
    depth = depthAt(at);
    if (!wordAt(at)) continue;
    let first = at, last = endOf(at);
    while (/^el/.test(wordAt(first)) && first > from) for (first--; first > from && !(depthAt(first) === depth && wordAt(first)); first--);
    for (let next = last + 1; depthAt(next) === depth && /^el/.test(wordAt(next) ?? ""); next = last + 1) last = endOf(next);
    found.push({ word: wordAt(first), first, last, from: at + 1, to: endOf(at) });
  }
  return found;
}

// Of the lanes in a state, the nearest step before (-1) or after (1) in which each runs; -1 where there is none.
function nearest(trace, number, way, states, state) {
  const found = new Int32Array(trace.lanes).fill(-1);
  let left = states.reduce((sum, one) => sum + (one === state), 0);
  for (let at = number + way, tries = 0; left && trace.steps[at] && tries < REACH; at += way, tries++) {
    for (const lane of trace.lanesOf(trace.steps[at].active)) if (states[lane] === state && found[lane] < 0) { found[lane] = at; left--; }
  }
  return found;
}

// The state of each lane, `skips`: the lanes that a branch or loop keeps from the line, by its keyword and line, and
// `waits`: those that wait, by the line of what they wait at. A lane that does not run while others of its warp do has diverged.
function laneStates(trace, number) {
  const step = trace.steps[number], states = new Uint8Array(trace.lanes), { threads } = trace, { warp } = trace.data;
  trace.lanesOf(step.waiting).forEach((lane) => (states[lane] = WAITS));
  trace.lanesOf(step.ended).forEach((lane) => (states[lane] = ENDED));
  trace.lanesOf(step.active).forEach((lane) => (states[lane] = RUNS));
  trace.stuck(number).forEach((lane) => (states[lane] = WAITS));
  const skips = skipped(trace, number, states), waits = awaited(trace, number, states);
  for (const { lanes } of skips.values()) for (const lane of lanes) states[lane] = SKIPS;
  for (let block = 0; block < trace.lanes; block += threads) {
    for (let first = block; first < block + threads; first += warp) {
      const part = states.subarray(first, Math.min(first + warp, block + threads));
      if (part.includes(RUNS)) part.forEach((state, at) => { if (state === ELSEWHERE || state === SKIPS) part[at] = DIVERGED; });
    }
  }
  return { states, skips, waits };
}

// A lane skips a line that came to the branch, or into another arm of it, and does not go into this arm next.
function skipped(trace, number, states) {
  const { file, line } = trace.source(trace.steps[number]), branches = branchesOf(trace.data.files[file], line), skips = new Map();
  if (!branches.length || !states.includes(ELSEWHERE)) return skips;
  const [before, next] = [-1, 1].map((way) => nearest(trace, number, way, states, ELSEWHERE));
  const lineOf = (at) => (at < 0 || trace.source(trace.steps[at]).file !== file ? -1 : trace.source(trace.steps[at]).line);
  states.forEach((state, lane) => {
    if (state !== ELSEWHERE) return;
    const [was, comes] = [lineOf(before[lane]), lineOf(next[lane])];
    const own = branches.find(({ first, last, from, to }) => was >= first && was <= last && (was < from || was > to)
      && (comes < from || comes > to) && (was < from || comes !== first));
    if (own) (skips.get(own.first) ?? skips.set(own.first, { word: own.word, lanes: [] }).get(own.first)).lanes.push(lane);
  });
  return skips;
}

// What waiting lanes wait at: where they meet next, or where the finding of a deadlock has them.
function awaited(trace, number, states) {
  const waits = new Map();
  if (!states.includes(WAITS)) return waits;
  const [before, next] = [-1, 1].map((way) => nearest(trace, number, way, states, WAITS));
  const places = trace.data.findings.filter((one) => one.id.startsWith("deadlock")).flatMap((one) => one.sides.map((side) => side.line)).sort((one, other) => one - other);
  states.forEach((state, lane) => {
    if (state !== WAITS) return;
    const met = trace.steps[next[lane]], was = before[lane] < 0 ? 0 : trace.source(trace.steps[before[lane]]).line;
    const arrival = met ? undefined : [number, before[lane]].find((at) => at >= 0 && trace.stuck(at).has(lane)); // where it has arrived already
    const line = met && syncKind(met.kind) ? trace.source(met).line : met ? 0
      : arrival !== undefined ? trace.source(trace.steps[arrival]).line : places.find((place) => place > was) ?? 0;
    const kind = (met ?? trace.steps[arrival])?.kind;
    const own = waits.get(line) ?? waits.set(line, { lanes: [], cluster: kind?.startsWith("cluster") }).get(line);
    own.lanes.push(lane);
  });
  for (const own of waits.values()) {
    const blocks = new Set(own.lanes.map((lane) => Math.floor(lane / trace.threads))), waiting = new Set(own.lanes);
    own.others = states.filter((state, lane) => state !== ENDED && !waiting.has(lane) && (own.cluster || blocks.has(Math.floor(lane / trace.threads)))).length;
  }
  return waits;
}

Object.assign(View.prototype, {
  // One line: how many lanes run, skip the line and by which branch, wait and for whom, have ended, are elsewhere.
  _showCounts({ states, skips, waits }) {
    const { trace } = this, { file, line } = trace.source(trace.steps[this.step]), totals = new Array(6).fill(0), parts = [];
    for (const state of states) totals[state]++;
    const shown = (count) => count.toLocaleString(document.documentElement.lang), source = trace.data.files[file];
    const add = (state, key, values) => parts.push([state, say(key, values)]);
    add(RUNS, "overview_run", { count: shown(totals[RUNS]) });
    let apart = totals[DIVERGED];
    for (const [first, { word, lanes }] of skips) {
      const own = lanes.filter((lane) => states[lane] === DIVERGED).length, values = { count: shown(lanes.length), line, word, branch: first, apart: shown(own) };
      apart -= own;
      add(own ? DIVERGED : SKIPS, own ? "lanes_skip_apart" : "lanes_skip", values);
    }
    if (apart) add(DIVERGED, "overview_apart", { count: shown(apart) });
    for (const [place, { lanes, others }] of waits) {
      const what = /[\w.]+(?=\(|\[)/.exec(source.lines[place - source.from] ?? "")?.[0];
      add(WAITS, what ? "wait_at" : "overview_wait", { count: shown(lanes.length), what: `${what}()`, line: place, others: shown(others) });
    }
    if (!waits.size && this.meets) add(WAITS, "overview_wait", { count: 0 });
    if (totals[ENDED]) add(ENDED, "overview_end", { count: shown(totals[ENDED]) });
    if (totals[ELSEWHERE]) add(ELSEWHERE, "overview_other", { count: shown(totals[ELSEWHERE]) });
    this.counts.replaceChildren(...parts.map(([state, text]) => make("span", {}, sampleOf(state), make("span", {}, ...coded(text)))));
  },
});
