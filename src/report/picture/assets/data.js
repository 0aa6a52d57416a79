// What the page knows: the data of the document, made ready to be drawn and searched.

const began = performance.now();
const root = document.documentElement;
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const grouped = new Intl.NumberFormat("en-US");
const number = (n) => grouped.format(n);
const bytes = (n) => `${number(n)} B`;

// A number of bytes in few letters: 64 KiB.
function short(n) {
  for (const [unit, name] of [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]]) {
    if (n >= unit && n % unit === 0) return `${number(n / unit)} ${name}`;
  }
  return bytes(n);
}

// About so many bytes, in few letters: 1.4 GiB.
function about(n) {
  for (const [unit, name] of [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"]]) {
    if (n >= unit && short(n).length > 8) return `${(n / unit).toFixed(1)} ${name}`;
  }
  return short(n);
}

// An element with attributes and children; texts are texts, never markup.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const FREE = 0, IN_PLACE = 1, STALLS = 2;
const COLOURS = 8;

// One scope: names, rectangles in typed arrays, and who shares with whom.
class Scope {
  constructor(map, steps) {
    const b = map.buffers;
    this.map = map;
    this.steps = steps;
    this.count = b.id.length;
    const times = new Map();
    for (const name of b.name) times.set(name, (times.get(name) || 0) + 1);
    this.names = b.name.map((name, at) => (times.get(name) > 1 ? `${name}#${b.id[at]}` : name));
    this.lower = this.names.map((name) => name.toLowerCase());
    this.pieces = map.stack ? this.stacked() : this.placed();
    [this.from, this.to] = [Infinity, 0];
    for (const live of b.live) {
      if (live.length) {
        this.from = Math.min(this.from, live[0]);
        this.to = Math.max(this.to, live[live.length - 1]);
      }
    }
    this.load = map.load.reduce((most, [, n]) => Math.max(most, n), 0);
    const there = Math.max(this.load, map.peak || 0, map.max_load, map.lower_bound, 1);
    const room = Math.ceil(there * 1.08) + 1;
    this.top = map.capacity !== null && map.capacity / 2 <= there ? Math.max(room, map.capacity) : room;
    this.pairs = null;
  }

  taken(at) {
    const b = this.map.buffers;
    return b.taken.length ? b.taken[at] : b.size[at];
  }

  name(at) { return this.names[at]; }

  pipe(at) {
    const b = this.map.buffers;
    return b.pipes.length ? b.pipe_words[b.pipes[at]] : "";
  }

  step(at) {
    const most = at === this.map.max_load_at ? this.map.max_load_name : null;
    const word = this.steps.words[this.steps.at[at]] || most;
    return word ? `${word} (step ${number(at)})` : `step ${number(at)}`;
  }

  // Rectangles of a plan: each slot of a buffer through each of its live ranges.
  placed() {
    const { offsets, live } = this.map.buffers;
    let n = 0;
    for (let at = 0; at < this.count; at++) n += offsets[at].length * (live[at].length >> 1);
    const p = rectangles(n);
    for (let at = 0, k = 0; at < this.count; at++) {
      for (let slot = 0; slot < offsets[at].length; slot++) {
        for (let r = 0; r < live[at].length; r += 2, k++) {
          p.buffer[k] = at;
          p.slot[k] = offsets[at].length > 1 ? slot : -1;
          [p.start[k], p.end[k]] = [live[at][r], live[at][r + 1]];
          [p.low[k], p.high[k]] = [offsets[at][slot], offsets[at][slot] + this.taken(at)];
        }
      }
    }
    return p;
  }

  // Rectangles without a plan: buffers alive together, one on another.
  stacked() {
    const stack = this.map.stack;
    const p = rectangles(stack.buffer.length);
    for (let k = 0; k < p.n; k++) {
      const at = p.buffer[k] = stack.buffer[k];
      p.slot[k] = -1;
      [p.start[k], p.end[k]] = [stack.start[k], stack.end[k]];
      p.low[k] = stack.base[k];
      p.high[k] = p.low[k] + this.taken(at) * this.map.buffers.slots[at];
    }
    return p;
  }

  // Those that share bytes with a buffer at another time, stalling ones first.
  partners(at) {
    const s = this.map.shares;
    if (s.left_out || (!s.first.length && this.count > 2000)) return this.neighbours(at);
    if (!this.pairs) {
      this.pairs = new Map();
      const add = (from, to, k) => {
        if (!this.pairs.has(from)) this.pairs.set(from, []);
        this.pairs.get(from).push({ other: to, kind: s.kind[k], cost: s.cost[k], why: s.words[s.why[k]] });
      };
      for (let k = 0; k < s.first.length; k++) {
        add(s.first[k], s.second[k], k);
        add(s.second[k], s.first[k], k);
      }
    }
    return this.pairs.get(at) || [];
  }

  // The same from the plan itself, where the list of pairs would be too long.
  neighbours(at) {
    const { offsets } = this.map.buffers;
    const found = [];
    for (let other = 0; other < this.count && found.length < 200; other++) {
      if (other === at) continue;
      const meets = offsets[at].some((a) => offsets[other].some(
        (o) => a < o + this.taken(other) && o < a + this.taken(at)));
      if (meets) found.push({ other, kind: FREE, cost: 0, why: "" });
    }
    return found;
  }
}

function rectangles(n) {
  const numbers = () => new Float64Array(n);
  return { n, buffer: new Uint32Array(n), slot: new Int32Array(n), start: numbers(), end: numbers(), low: numbers(), high: numbers() };
}

const page = JSON.parse(one("#data").textContent);
const sheets = page.sheets.map((sheet) => {
  const scopes = sheet.maps.map((map) => new Scope(map, sheet.steps));
  // The scopes of a function are drawn on the same steps.
  const from = Math.min(...scopes.map((s) => s.from)), to = Math.max(...scopes.map((s) => s.to));
  for (const scope of scopes) [scope.from, scope.to] = from < to ? [from, to] : [0, 1];
  return { pipes: sheet.pipes, scopes };
});
