// The timeline of a replay: a row for each pipe, a bar for each op.

const TRACK = 30;

class PipesChart extends Chart {
  constructor(canvas, pipes) {
    super(canvas, { x0: 0, x1: Math.max(pipes.makespan, 1), y0: 0, y1: 1 }, false);
    this.pipes = pipes;
    this.over = -1;
  }

  paint(c) {
    const p = this.pipes, v = this.view;
    this.ceiling = 6;
    this.floor = this.ceiling + p.tracks.length * TRACK;
    const row = (track) => this.ceiling + track * TRACK;
    for (let track = 0; track < p.tracks.length; track++) {
      line(c, this.left, row(track) + TRACK - 0.5, this.right, row(track) + TRACK - 0.5, colours.faint);
      write(c, fitting(p.tracks[track], this.left, 6.4), this.left - 8, row(track) + TRACK / 2, colours.ink, "right", `600 11px ${SANS}`);
    }
    for (const tick of ticks(v.x0, v.x1, Math.max(2, (this.right - this.left) / 80), false)) {
      line(c, this.x(tick), this.ceiling, this.x(tick), this.floor + 4, colours.faint);
      const edge = this.x(tick) > this.right - 20;
      write(c, number(tick), this.x(tick), this.floor + 14, colours.muted, edge ? "right" : "center");
    }
    write(c, "ticks", this.left - 8, this.floor + 14, colours.muted, "right");
    c.save();
    c.beginPath();
    c.rect(this.left, 0, this.right - this.left, this.floor + 1);
    c.clip();
    for (let k = 0; k < p.start.length; k++) {
      if (p.end[k] < v.x0 || p.start[k] > v.x1) continue;
      const [x0, x1, y] = [this.x(p.start[k]), this.x(p.end[k]), row(p.track[k]) + 4];
      c.fillStyle = colours.buffers[p.name[k] % COLOURS];
      c.fillRect(x0, y, Math.max(x1 - x0 - (x1 - x0 > 4 ? 1 : 0), 0.8), TRACK - 9);
      if (x1 - x0 > 30) {
        const left = Math.max(x0, this.left);
        write(c, fitting(p.words[p.name[k]], Math.min(x1, this.right) - left, 6.7), left + 5, y + (TRACK - 9) / 2, colours.onfill, "left", `11px ${MONO}`);
      }
      if (k === this.over) {
        c.strokeStyle = colours.ink;
        c.lineWidth = 2;
        c.strokeRect(x0, y, Math.max(x1 - x0 - 1, 1), TRACK - 9);
      }
    }
    for (const [first, second, lost] of p.waits.slice(0, 60)) this.wait(c, row, first, second, lost);
    c.restore();
  }

  // From the end of what is waited for to the start of what waits.
  wait(c, row, first, second, lost) {
    const p = this.pipes;
    const [x0, y0] = [this.x(p.end[first]), row(p.track[first]) + TRACK / 2];
    const [x1, y1] = [this.x(p.start[second]), row(p.track[second]) + TRACK / 2];
    c.strokeStyle = colours.bad;
    c.lineWidth = 2;
    c.setLineDash([4, 3]);
    c.beginPath();
    c.moveTo(x0, y0);
    c.bezierCurveTo(x0 + 26, y0, x1 - 26, y1, x1, y1);
    c.stroke();
    c.setLineDash([]);
    c.fillStyle = colours.bad;
    c.beginPath();
    c.moveTo(x1 + 1, y1);
    c.lineTo(x1 - 7, y1 - 4);
    c.lineTo(x1 - 7, y1 + 4);
    c.fill();
    if (p.waits.length > 6) return;
    const text = `${number(lost)} ticks`;
    c.font = `600 11px ${SANS}`;
    tag(c, text, Math.max(x0, x1) + 12 + c.measureText(text).width, (y0 + y1) / 2, colours.bad);
  }

  at(e) {
    const box = this.canvas.getBoundingClientRect();
    const track = Math.floor((e.clientY - box.top - this.ceiling) / TRACK);
    const t = this.place(e).x;
    const p = this.pipes;
    for (let k = 0; k < p.start.length; k++) {
      if (p.track[k] === track && t >= p.start[k] && t < p.end[k]) return k;
    }
    return -1;
  }

  point(place, e) {
    const k = place ? this.at(e) : -1;
    if (k !== this.over) {
      this.over = k;
      this.later();
    }
    const p = this.pipes;
    tell(k < 0 ? null : [p.words[p.name[k]], p.tracks[p.track[k]],
      `ticks [${number(p.start[k])}, ${number(p.end[k])})`, `takes ${number(p.end[k] - p.start[k])}`], e);
  }

  step(key) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!by) return false;
    const v = this.view, far = (v.x1 - v.x0) * 0.2 * by;
    this.look({ ...v, x0: v.x0 + far, x1: v.x1 + far });
    return true;
  }
}
