// What a map shows beside its rectangles.

// Buffers by their first rectangle: in time, and by address.
function orders(scope) {
  const p = scope.pieces, first = new Map();
  for (let k = 0; k < p.n; k++) if (!first.has(p.buffer[k])) first.set(p.buffer[k], k);
  const list = [...first.keys()], k = (at) => first.get(at);
  const time = (a, b) => p.start[k(a)] - p.start[k(b)] || p.low[k(a)] - p.low[k(b)] || a - b;
  const place = (a, b) => p.low[k(a)] - p.low[k(b)] || p.start[k(a)] - p.start[k(b)] || a - b;
  return { time: [...list].sort(time), place: [...list].sort(place) };
}

// Where the second of a stalling pair begins, and the bytes that it shares with the first.
function stallMarks(scope) {
  const s = scope.map.shares, b = scope.map.buffers, marks = [];
  for (let k = 0; k < s.first.length && s.kind[k] === STALLS; k++) {
    const [first, second] = [s.first[k], s.second[k]];
    for (const o of b.offsets[second]) {
      for (const f of b.offsets[first]) {
        const [low, high] = [Math.max(o, f), Math.min(o + scope.taken(second), f + scope.taken(first))];
        if (low < high && b.live[second].length) marks.push([b.live[second][0], low, high]);
      }
    }
  }
  return marks;
}

// Parts of rectangles that others are drawn over; not looked for among very many.
function overlaps(p) {
  const found = [];
  const order = [...Array(p.n).keys()].filter((k) => p.low[k] < p.high[k]).sort((a, b) => p.start[a] - p.start[b] || a - b);
  let alive = [];
  for (const k of p.n <= 3000 ? order : []) {
    alive = alive.filter((other) => p.end[other] > p.start[k]);
    for (const other of alive) {
      const [low, high] = [Math.max(p.low[k], p.low[other]), Math.min(p.high[k], p.high[other])];
      if (low < high) found.push([other, k, p.start[k], Math.min(p.end[k], p.end[other]), low, high]);
    }
    alive.push(k);
  }
  return found;
}

const hatches = new Map();

// Slanted lines of a colour.
function hatch(c, colour) {
  if (!hatches.has(colour)) {
    const tile = make("canvas", { width: 8, height: 8 });
    const t = tile.getContext("2d");
    t.strokeStyle = colour;
    t.globalAlpha = 0.55;
    t.lineWidth = 1.2;
    t.beginPath();
    for (const x of [-4, 4]) { t.moveTo(x - 1, 9); t.lineTo(x + 9, -1); }
    t.stroke();
    hatches.set(colour, c.createPattern(tile, "repeat"));
  }
  return hatches.get(colour);
}

// A word on a piece of paper, so that it can be read on everything.
function tag(c, text, right, y, colour) {
  c.font = `600 11px ${SANS}`;
  const width = c.measureText(text).width;
  c.globalAlpha = 0.85;
  c.fillStyle = colours.paper;
  c.fillRect(right - width - 4, y - 8, width + 8, 16);
  c.globalAlpha = 1;
  write(c, text, right, y, colour, "right", `600 11px ${SANS}`);
}
