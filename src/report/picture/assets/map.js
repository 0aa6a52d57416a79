// The map of a scope: the load over the buffers, on the same steps.

const REGION = 16;

class MapChart extends Chart {
  constructor(canvas, scope, choose) {
    super(canvas, { x0: scope.from, x1: scope.to, y0: 0, y1: scope.top }, true);
    this.scope = scope;
    this.choose = choose;
    // What is searched for: 1 for each buffer that is found; null for no search.
    this.found = null;
    this.chosen = -1;
    this.partners = new Map();
    this.over = -1;
    this.depth = Math.min(3, scope.steps.regions.reduce((most, r) => Math.max(most, r.depth + 1), 0));
    this.order = null;
    this.stalls = stallMarks(scope);
  }

  paint(c) {
    this.loadTop = 20;
    this.loadFloor = 100;
    this.ceiling = this.loadFloor + 22 + this.depth * REGION;
    this.floor = this.height - 24;
    this.axes(c);
    this.regions(c);
    c.save();
    c.beginPath();
    c.rect(this.left, this.ceiling, this.right - this.left, this.floor - this.ceiling);
    c.clip();
    this.buffers(c);
    this.marks(c);
    c.restore();
    this.limits(c);
    this.loadCurve(c);
    this.moment(c);
  }

  loadY(n) { return this.loadFloor - n / this.full.y1 * (this.loadFloor - this.loadTop); }

  axes(c) {
    const v = this.view;
    for (const tick of ticks(v.y0, v.y1, 6, true)) {
      line(c, this.left, this.y(tick), this.right, this.y(tick), colours.faint);
      write(c, about(tick), this.left - 8, this.y(tick), colours.muted, "right");
    }
    write(c, "0", this.left - 8, this.loadFloor, colours.muted, "right");
    const most = this.scope.map.max_load;
    if (this.loadFloor - this.loadY(most) > 12) write(c, about(most), this.left - 8, this.loadY(most), colours.muted, "right");
    write(c, "load", 4, this.loadTop - 8, colours.muted, "left", `600 11px ${SANS}`);
    write(c, this.scope.map.stack ? "in all" : "address", 4, this.ceiling - 15, colours.muted, "left", `600 11px ${SANS}`);
    line(c, this.left, this.floor + 0.5, this.right, this.floor + 0.5, colours.rule);
    const each = (this.right - this.left) / (v.x1 - v.x0);
    const named = this.scope.steps.at.length > 0 && each >= 34;
    if (!named) {
      for (const tick of ticks(v.x0, v.x1, Math.max(2, (this.right - this.left) / 70), false)) {
        line(c, this.x(tick), this.floor, this.x(tick), this.floor + 4, colours.rule);
        const edge = this.x(tick) > this.right - 20;
        write(c, number(tick), this.x(tick), this.floor + 14, colours.muted, edge ? "right" : "center");
      }
      return;
    }
    for (let t = Math.floor(v.x0); t < v.x1; t++) {
      const word = this.scope.steps.words[this.scope.steps.at[t]] || String(t);
      const middle = this.x(t + 0.5);
      if (middle < this.left || middle > this.right) continue;
      line(c, this.x(t), this.floor, this.x(t), this.floor + 4, colours.rule);
      write(c, fitting(word, each + 6, 5.8), middle, this.floor + 14, colours.muted, "center");
    }
  }

  regions(c) {
    for (const r of this.scope.steps.regions) {
      if (r.depth >= this.depth || r.end <= this.view.x0 || r.start >= this.view.x1) continue;
      const [x0, x1] = [Math.max(this.left, this.x(r.start)) + 1, Math.min(this.right, this.x(r.end)) - 1];
      const y = this.loadFloor + 8 + r.depth * REGION;
      if (x1 <= x0) continue;
      c.fillStyle = colours.band;
      c.fillRect(x0, y, x1 - x0, REGION - 3);
      write(c, fitting(r.name, x1 - x0, 5.6), x0 + 5, y + 7, colours.muted, "left", `10px ${SANS}`);
    }
  }

  // How plainly a buffer is shown: 2 chosen, 1 as always, 0 behind the others.
  weight(at) {
    if (at === this.chosen) return 2;
    if (this.chosen >= 0 && this.partners.has(at)) return 1;
    if (this.found) return this.found[at];
    return this.chosen >= 0 ? 0 : 1;
  }

  buffers(c) {
    const p = this.scope.pieces, v = this.view, names = [];
    for (let colour = 0; colour < COLOURS; colour++) {
      c.fillStyle = colours.buffers[colour];
      for (let k = 0; k < p.n; k++) {
        const at = p.buffer[k];
        if (at % COLOURS !== colour || p.end[k] <= v.x0 || p.start[k] >= v.x1) continue;
        if (p.high[k] <= v.y0 || p.low[k] >= v.y1) continue;
        const [x0, x1, y0, y1] = [this.x(p.start[k]), this.x(p.end[k]), this.y(p.high[k]), this.y(p.low[k])];
        // A gap where there is room for one.
        const [gapX, gapY] = [x1 - x0 > 4 ? 1 : 0, y1 - y0 > 4 ? 1 : 0];
        c.globalAlpha = this.weight(at) ? 1 : 0.16;
        c.fillRect(x0, y0, Math.max(x1 - x0 - gapX, 0.6), Math.max(y1 - y0 - gapY, 0.6));
        if (x1 - x0 > 30 && y1 - y0 >= 12) names.push([k, x0, x1, y0, y1]);
      }
    }
    this.both(c);
    for (const [k, x0, x1, y0, y1] of names) {
      const slot = p.slot[k] < 0 ? "" : ` \u00b7${p.slot[k]}`;
      const left = Math.max(x0, this.left);
      const name = fitting(this.scope.name(p.buffer[k]) + slot, Math.min(x1, this.right) - left, 6.7);
      c.globalAlpha = this.weight(p.buffer[k]) ? 1 : 0.35;
      if (name) write(c, name, left + 5, (Math.max(y0, this.ceiling) + Math.min(y1, this.floor)) / 2, colours.onfill, "left", `11px ${MONO}`);
    }
    c.globalAlpha = 1;
  }

  // Where two hold the same bytes at once (in place, exclusive), each has a corner: the first that of the past.
  both(c) {
    this.overlaps = this.overlaps || overlaps(this.scope.pieces);
    const p = this.scope.pieces;
    for (const [first, second, start, end, low, high] of this.overlaps) {
      const [x0, x1, y0, y1] = [this.x(start), this.x(end) - 1, this.y(high), this.y(low) - 1];
      const corner = (at, ...points) => {
        c.globalAlpha = this.weight(at) ? 1 : 0.16;
        c.fillStyle = colours.buffers[at % COLOURS];
        c.beginPath();
        for (const [x, y] of points) c.lineTo(x, y);
        c.fill();
      };
      c.clearRect(x0, y0, x1 - x0, y1 - y0);
      corner(p.buffer[first], [x0, y0], [x0, y1], [x1, y1]);
      corner(p.buffer[second], [x0, y0], [x1, y0], [x1, y1]);
    }
    c.globalAlpha = 1;
  }

  // Outlines of what is chosen, of those that share its bytes, and where one pipe waits for another.
  marks(c) {
    const p = this.scope.pieces;
    for (const [start, low, high] of this.stalls) {
      // The same in both themes: it lies on the colours of buffers.
      c.fillStyle = "#a3261b";
      c.fillRect(this.x(start), this.y(high), 5, Math.max(2, this.y(low) - this.y(high)));
    }
    for (let k = 0; k < p.n; k++) {
      const at = p.buffer[k], partner = this.partners.get(at);
      const found = this.found && this.found[at] && this.scope.count > 400;
      if (at !== this.chosen && at !== this.over && partner === undefined && !found) continue;
      const [x0, y0] = [this.x(p.start[k]), this.y(p.high[k])];
      c.strokeStyle = partner === STALLS && at !== this.chosen ? colours.bad : colours.ink;
      c.lineWidth = at === this.chosen ? 2.5 : 1.5;
      c.setLineDash(at === this.chosen || at === this.over || found ? [] : [4, 3]);
      c.strokeRect(x0 + 0.5, y0 + 0.5, Math.max(this.x(p.end[k]) - x0 - 2, 1.5), Math.max(this.y(p.low[k]) - y0 - 2, 1.5));
    }
    c.setLineDash([]);
  }

  limits(c) {
    const m = this.scope.map, inside = (n) => n >= this.view.y0 && n <= this.view.y1;
    const clip = (n) => Math.min(this.floor, Math.max(this.ceiling, this.y(n)));
    for (const [start, end] of m.reserved) {
      c.fillStyle = hatch(c, colours.muted);
      c.fillRect(this.left, clip(end), this.right - this.left, clip(start) - clip(end));
    }
    const over = m.peak === null && m.usable !== null && this.full.y1 > m.usable;
    if (over) {
      c.fillStyle = hatch(c, colours.bad);
      c.fillRect(this.left, clip(this.full.y1), this.right - this.left, clip(m.usable) - clip(this.full.y1));
    }
    const across = (n, text, colour, dash, below) => {
      if (n === null || !inside(n)) return;
      line(c, this.left, this.y(n), this.right, this.y(n), colour, 1.5, dash);
      if (text) tag(c, text, this.right - 4, this.y(n) + (below ? 9 : -9), colour);
    };
    across(m.capacity, `capacity ${short(m.capacity)}`, colours.bad, [], true);
    if (m.usable !== m.capacity) across(m.usable, `usable ${short(m.usable)}`, colours.bad, [2, 2], true);
    const near = m.capacity !== null && Math.abs(this.y(m.peak) - this.y(m.capacity)) < 34;
    across(m.peak, near ? "" : `peak ${bytes(m.peak)}`, colours.ink, [6, 4], false);
  }

  loadCurve(c) {
    const m = this.scope.map, zero = this.loadY(0);
    c.save();
    c.beginPath();
    c.rect(this.left, 0, this.right - this.left, zero + 1);
    c.clip();
    c.beginPath();
    c.moveTo(this.left, zero);
    let last = zero;
    for (const [step, n] of m.load) {
      const x = Math.min(Math.max(this.x(step), this.left - 2), this.right + 2);
      c.lineTo(x, last);
      last = this.loadY(n);
      c.lineTo(x, last);
    }
    c.lineTo(this.x(this.scope.to), last);
    c.lineTo(this.x(this.scope.to), zero);
    c.fillStyle = colours.loadfill;
    c.fill();
    c.strokeStyle = colours.load;
    c.lineWidth = 1.5;
    c.stroke();
    c.restore();
    line(c, this.left, zero + 0.5, this.right, zero + 0.5, colours.rule);
    line(c, this.left, this.loadY(m.lower_bound), this.right, this.loadY(m.lower_bound), colours.ink, 1.3, [1.5, 3]);
    if (m.usable !== null && m.usable <= this.full.y1) {
      line(c, this.left, this.loadY(m.usable), this.right, this.loadY(m.usable), colours.bad, 1.5);
    }
    if (m.capacity !== null && m.capacity > this.full.y1) {
      // On the side on which the words about the largest load are not.
      const left = m.max_load_at > (this.view.x0 + this.view.x1) / 2;
      write(c, `capacity ${short(m.capacity)} \u2191`, left ? this.left + 4 : this.right - 4, 9, colours.bad, left ? "left" : "right", `600 11px ${SANS}`);
    }
  }

  // The step of the largest load, through both.
  moment(c) {
    const m = this.scope.map, [x0, x1] = [this.x(m.max_load_at), this.x(m.max_load_at + 1)];
    if (!m.max_load || x1 < this.left || x0 > this.right) return;
    c.globalAlpha = 0.1;
    c.fillStyle = colours.ink;
    c.fillRect(x0, this.loadTop, Math.max(1, x1 - x0), this.floor - this.loadTop);
    c.globalAlpha = 1;
    line(c, x0 + 0.5, this.loadTop, x0 + 0.5, this.floor, colours.ink, 1, [3, 3]);
    if (x1 - x0 > 3) line(c, x1 - 0.5, this.loadTop, x1 - 0.5, this.floor, colours.ink, 1, [3, 3]);
    const text = `${bytes(m.max_load)} at ${this.scope.step(m.max_load_at)}`;
    c.font = `600 11px ${SANS}`;
    const half = c.measureText(text).width / 2;
    const middle = Math.min(Math.max((x0 + x1) / 2, this.left + half), this.right - half);
    write(c, text, middle, 9, colours.ink, "center", `600 11px ${SANS}`);
  }

  // The rectangle at a place; the last drawn is on top.
  at(place) {
    const p = this.scope.pieces;
    const near = (this.view.x1 - this.view.x0) / (this.right - this.left) * 1.5;
    let best = -1;
    for (let k = 0; k < p.n; k++) {
      if (place.y < p.low[k] || place.y >= p.high[k]) continue;
      if (place.x >= p.start[k] && place.x < p.end[k]) best = k;
      else if (best < 0 && place.x >= p.start[k] - near && place.x < p.end[k] + near) best = k;
    }
    return best;
  }

  click(place) {
    const k = place.over ? this.at(place) : -1;
    this.choose(k < 0 ? -1 : this.scope.pieces.buffer[k]);
  }

  point(place, e) {
    const k = place && place.over ? this.at(place) : -1;
    const over = k < 0 ? -1 : this.scope.pieces.buffer[k];
    if (over !== this.over) {
      this.over = over;
      this.later();
    }
    if (k >= 0) tell(this.words(k), e);
    else if (place && !place.over && place.x >= this.full.x0 && place.x < this.full.x1) tell(this.loadWords(Math.floor(place.x)), e);
    else tell(null);
  }

  words(k) {
    const p = this.scope.pieces, at = p.buffer[k], b = this.scope.map.buffers;
    const lines = [this.scope.name(at) + (p.slot[k] < 0 ? "" : `, slot ${p.slot[k]}`)];
    lines.push(bytes(b.size[at]) + (b.slots[at] > 1 ? ` a slot, ${b.slots[at]} slots` : ""));
    if (!this.scope.map.stack) lines.push(`bytes [${number(p.low[k])}, ${number(p.high[k])})`);
    lines.push(`steps [${number(p.start[k])}, ${number(p.end[k])})`);
    if (this.scope.pipe(at)) lines.push(`pipes ${this.scope.pipe(at)}`);
    if (b.line.length && b.line[at]) lines.push(`line ${b.line[at]}`);
    return lines;
  }

  loadWords(step) {
    let load = 0;
    for (const [from, n] of this.scope.map.load) if (from <= step) load = n;
    return [this.scope.step(step), `${bytes(load)} in use`];
  }

  // Arrow keys: to the next buffer in time, or by address.
  step(key) {
    const by = { ArrowRight: ["time", 1], ArrowLeft: ["time", -1], ArrowUp: ["place", 1], ArrowDown: ["place", -1] }[key];
    if (!by || !this.scope.pieces.n) return false;
    this.order = this.order || orders(this.scope);
    const order = this.order[by[0]], now = order.indexOf(this.chosen);
    this.choose(order[now < 0 ? 0 : (now + by[1] + order.length) % order.length]);
    return true;
  }
}
