// A drawing on a canvas: sharp on every screen, in the colours of the theme, with a view that can be
// brought closer and moved.

let colours = null;

function readColours() {
  const style = getComputedStyle(root);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  colours = { buffers: [] };
  for (const name of ["paper", "ink", "muted", "rule", "faint", "load", "loadfill", "bad", "badfill", "onfill", "band"]) {
    colours[name] = get(name);
  }
  for (let k = 0; k < COLOURS; k++) colours.buffers.push(get(`b${k}`));
}

const charts = [];
const SANS = 'ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif';
const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, monospace';

class Chart {
  // `full`: the whole view {x0, x1, y0, y1}; `rules`: whether y can be zoomed.
  constructor(canvas, full, tall) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.full = full;
    this.view = { ...full };
    this.tall = tall;
    this.drag = null;
    this.asked = false;
    this.sized = "";
    charts.push(this);
    new ResizeObserver(() => this.later()).observe(canvas);
    canvas.addEventListener("pointerdown", (e) => this.press(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", (e) => this.release(e));
    canvas.addEventListener("pointerleave", () => { this.drag = null; this.point(null, null); });
    canvas.addEventListener("dblclick", (e) => this.zoom(0.5, this.place(e)));
    canvas.addEventListener("keydown", (e) => this.key(e));
    canvas.addEventListener("wheel", (e) => {
      // Alone the wheel scrolls the page.
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      this.zoom(e.deltaY > 0 ? 1.25 : 0.8, this.place(e));
    }, { passive: false });
    for (const button of all("[data-zoom]", canvas.closest("figure"))) {
      button.addEventListener("click", () => this.zoomBy(button.dataset.zoom));
    }
  }

  // Draws with the next frame, once however often it is asked.
  later() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.draw(); });
  }

  draw() {
    const { width, height } = this.canvas.getBoundingClientRect();
    if (!width || !height) return;
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    const size = `${width}x${height}x${ratio}`;
    if (size !== this.sized) {
      this.sized = size;
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.width = width;
    this.height = height;
    this.left = width < 520 ? 58 : 76;
    this.right = width - 12;
    const c = this.context;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    this.paint(c);
  }

  x(t) { return this.left + (t - this.view.x0) / (this.view.x1 - this.view.x0) * (this.right - this.left); }
  y(a) { return this.floor - (a - this.view.y0) / (this.view.y1 - this.view.y0) * (this.floor - this.ceiling); }

  // Where on the axes an event is.
  place(e) {
    const box = this.canvas.getBoundingClientRect();
    const v = this.view;
    const part = (e.clientX - box.left - this.left) / (this.right - this.left);
    const rise = (this.floor - (e.clientY - box.top)) / (this.floor - this.ceiling);
    return { x: v.x0 + part * (v.x1 - v.x0), y: v.y0 + rise * (v.y1 - v.y0), over: rise <= 1.0001 };
  }

  press(e) { this.drag = { e, view: { ...this.view }, moved: false }; }

  move(e) {
    const d = this.drag;
    if (!d || !(e.buttons & 1)) return this.point(this.place(e), e);
    const [dx, dy] = [e.clientX - d.e.clientX, e.clientY - d.e.clientY];
    if (!d.moved && Math.hypot(dx, dy) < 4) return undefined;
    d.moved = true;
    const v = d.view;
    const right = dx / (this.right - this.left) * (v.x1 - v.x0);
    const up = this.tall ? dy / (this.floor - this.ceiling) * (v.y1 - v.y0) : 0;
    this.look({ x0: v.x0 - right, x1: v.x1 - right, y0: v.y0 + up, y1: v.y1 + up });
    return undefined;
  }

  release(e) {
    const moved = this.drag && this.drag.moved;
    this.drag = null;
    if (!moved) this.click(this.place(e));
  }

  zoomBy(how) {
    if (how === "all") this.look({ ...this.full });
    else this.zoom(how === "in" ? 0.6 : 1 / 0.6, null);
  }

  // Closer around a place, or around the middle.
  zoom(factor, at) {
    const v = this.view;
    const x = at ? at.x : (v.x0 + v.x1) / 2;
    const y = at && at.over ? at.y : (v.y0 + v.y1) / 2;
    const tall = this.tall ? factor : 1;
    this.look({
      x0: x - (x - v.x0) * factor, x1: x + (v.x1 - x) * factor,
      y0: y - (y - v.y0) * tall, y1: y + (v.y1 - y) * tall,
    });
  }

  // Another view, inside of the whole.
  look(v) {
    const inside = (low, high, from, to, least) => {
      const span = Math.min(Math.max(high - low, least), to - from);
      const start = Math.min(Math.max(low, from), to - span);
      return [start, start + span];
    };
    const f = this.full;
    const [x0, x1] = inside(v.x0, v.x1, f.x0, f.x1, Math.min(2, f.x1 - f.x0));
    const [y0, y1] = inside(v.y0, v.y1, f.y0, f.y1, Math.min(16, f.y1 - f.y0));
    this.view = { x0, x1, y0, y1 };
    this.canvas.classList.toggle("closer", x1 - x0 < f.x1 - f.x0 || y1 - y0 < f.y1 - f.y0);
    this.later();
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const zoom = { "+": "in", "=": "in", "-": "out", "0": "all" }[e.key];
    if (zoom) this.zoomBy(zoom);
    else if (!this.step(e.key)) return;
    e.preventDefault();
  }

  // For what is drawn to say.
  step() { return false; }
  click() {}
  point() {}
}

// Up to `most` round numbers between two.
function ticks(from, to, most, binary) {
  const span = Math.max(to - from, 1);
  let step = 1;
  if (binary) while (span / step > most) step *= 2;
  else for (let k = 0; span / step > most; k++) step = [2, 5, 10][k % 3] * 10 ** Math.floor(k / 3);
  const found = [];
  for (let n = Math.ceil(from / step) * step; n <= to; n += step) found.push(n);
  return found;
}

// As much of a text as fits into a width of letters that are equally wide.
function fitting(text, width, letter) {
  const room = Math.floor((width - 8) / letter);
  if (text.length <= room) return text;
  return room >= 4 ? `${text.slice(0, room - 1)}\u2026` : "";
}

function line(c, x0, y0, x1, y1, colour, width = 1, dash = []) {
  c.strokeStyle = colour;
  c.lineWidth = width;
  c.setLineDash(dash);
  c.beginPath();
  c.moveTo(x0, y0);
  c.lineTo(x1, y1);
  c.stroke();
  c.setLineDash([]);
}

function write(c, text, x, y, colour, align = "left", font = `11px ${SANS}`) {
  c.font = font;
  c.textAlign = align;
  c.textBaseline = "middle";
  c.fillStyle = colour;
  c.fillText(text, x, y);
}

// The words at the pointer.
const tip = make("div", { class: "tip", role: "presentation", hidden: true });

function tell(lines, e) {
  if (!lines) {
    tip.hidden = true;
    return;
  }
  tip.replaceChildren(...lines.map((text, at) => make(at ? "span" : "strong", {}, text)));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const x = Math.min(e.clientX + 14, innerWidth - box.width - 8);
  const y = e.clientY + 18 + box.height > innerHeight ? e.clientY - box.height - 12 : e.clientY + 18;
  tip.style.transform = `translate(${Math.max(4, x)}px, ${Math.max(4, y)}px)`;
}
