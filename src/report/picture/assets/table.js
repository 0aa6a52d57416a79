// The table of buffers: sorted by a column, filtered by the search, made in portions.

const PORTION = 100;

class Table {
  constructor(element, scope, choose) {
    this.scope = scope;
    this.choose = choose;
    this.body = one("tbody", element);
    this.more = one(".more", element);
    this.heads = all("th[data-key]", element);
    this.keys = this.heads.map((head) => head.dataset.key);
    this.key = null;
    this.down = false;
    this.found = null;
    this.shown = PORTION;
    this.chosen = -1;
    this.order = Uint32Array.from({ length: scope.count }, (_, at) => at);
    for (const head of this.heads) one("button", head).addEventListener("click", () => this.sort(head));
    one("button", this.more).addEventListener("click", () => { this.shown += PORTION * 5; this.render(); });
    this.body.addEventListener("click", (e) => this.pick(e.target.closest("tr")));
    this.body.addEventListener("keydown", (e) => this.keyed(e));
    this.ways();
  }

  sort(head) {
    const key = head.dataset.key;
    this.down = this.key === key ? !this.down : ["size", "slots"].includes(key);
    this.key = key;
    const value = this.value(key), sign = this.down ? -1 : 1;
    const before = (a, b) => {
      const [x, y] = [value(a), value(b)];
      return (x < y ? -1 : x > y ? 1 : 0) * sign || a - b;
    };
    this.order.sort(before);
    for (const h of this.heads) h.setAttribute("aria-sort", h !== head ? "none" : this.down ? "descending" : "ascending");
    this.shown = PORTION;
    this.render();
  }

  value(key) {
    const b = this.scope.map.buffers;
    const line = (text) => Number(text.split(":").pop()) || 0;
    return {
      name: (at) => this.scope.lower[at],
      size: (at) => b.size[at],
      slots: (at) => b.slots[at],
      offset: (at) => (b.offsets[at].length ? b.offsets[at][0] : -1),
      live: (at) => (b.live[at].length ? b.live[at][0] : -1),
      pipes: (at) => this.scope.pipe(at),
      line: (at) => line(b.line[at] || ""),
    }[key];
  }

  filter(found) {
    this.found = found;
    this.shown = PORTION;
    this.render();
  }

  render() {
    const rows = [];
    let left = 0;
    for (const at of this.order) {
      if (this.found && !this.found[at]) continue;
      if (rows.length < this.shown) rows.push(this.row(at));
      else left++;
    }
    if (!rows.length) rows.push(make("tr", {}, make("td", { colspan: this.keys.length, class: "note" }, "nothing found")));
    this.body.replaceChildren(...rows);
    this.more.hidden = left === 0;
    one("span", this.more).textContent = `${number(left)} more`;
    this.ways();
  }

  row(at) {
    const row = make("tr", { "data-b": at, class: at === this.chosen ? "chosen" : null });
    for (const key of this.keys) {
      if (key === "name") row.append(make("th", { scope: "row" }, make("span", { class: `dot b${at % COLOURS}` }), make("bdi", {}, this.scope.name(at))));
      else row.append(make("td", { class: ["pipes"].includes(key) ? null : "n" }, this.cell(key, at)));
    }
    return row;
  }

  cell(key, at) {
    const b = this.scope.map.buffers;
    return {
      size: () => number(b.size[at]),
      slots: () => String(b.slots[at]),
      offset: () => b.offsets[at].map(number).join(", "),
      live: () => ranges(b.live[at]),
      pipes: () => this.scope.pipe(at),
      line: () => b.line[at] || "",
    }[key]();
  }

  // One row is in the order of tabs; arrows go on from there.
  ways() {
    all("tr[data-b]", this.body).forEach((row, k) => row.setAttribute("tabindex", k ? "-1" : "0"));
  }

  pick(row) {
    if (row && row.dataset.b !== undefined) this.choose(Number(row.dataset.b));
  }

  keyed(e) {
    const row = e.target.closest("tr");
    if (!row || e.target !== row) return;
    if (e.key === "Enter" || e.key === " ") this.pick(row);
    else if (e.key === "ArrowDown" && row.nextElementSibling) row.nextElementSibling.focus();
    else if (e.key === "ArrowUp" && row.previousElementSibling) row.previousElementSibling.focus();
    else return;
    e.preventDefault();
  }

  mark(at) {
    this.chosen = at;
    for (const row of all("tr[data-b]", this.body)) row.classList.toggle("chosen", Number(row.dataset.b) === at);
  }
}
