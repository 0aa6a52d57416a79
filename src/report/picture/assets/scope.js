// One scope of the page: map, details, table and arcs show the same choice.

class ScopeView {
  constructor(article, scope) {
    this.article = article;
    this.scope = scope;
    const choose = (at) => this.choose(at);
    this.choosing = choose;
    this.panel = one(".details", article);
    this.chart = new MapChart(one("canvas", article), scope, choose);
    this.table = new Table(one("details.buffers", article), scope, choose);
    this.arcs = all(".arc", article);
    this.nodes = all(".node", article);
    details(this.panel, scope, -1, choose);
    for (const name of all(".name[data-b]", article)) this.way(name);
    for (const node of this.nodes) node.addEventListener("click", () => choose(Number(node.dataset.b)));
  }

  // A name in the text becomes a way to the map.
  way(name) {
    const button = make("button", { type: "button", class: "way" }, ...name.childNodes);
    button.addEventListener("click", () => {
      this.choose(Number(name.dataset.b));
      this.chart.canvas.scrollIntoView({ block: "nearest", behavior: quiet() ? "auto" : "smooth" });
    });
    name.replaceChildren(button);
  }

  choose(at) {
    const chart = this.chart;
    chart.chosen = at;
    chart.partners = new Map(at < 0 ? [] : this.scope.partners(at).map((p) => [p.other, p.kind]));
    chart.later();
    details(this.panel, this.scope, at, this.choosing);
    this.table.mark(at);
    for (const arc of this.arcs) {
      const on = at >= 0 && (Number(arc.dataset.first) === at || Number(arc.dataset.second) === at);
      arc.classList.toggle("on", on);
      arc.classList.toggle("off", at >= 0 && !on);
    }
    for (const node of this.nodes) node.classList.toggle("on", Number(node.dataset.b) === at);
  }

  // Shows what is found; returns how many.
  search(words) {
    let found = null, count = 0;
    if (words) {
      found = new Uint8Array(this.scope.count);
      this.scope.lower.forEach((name, at) => { if (name.includes(words)) { found[at] = 1; count++; } });
    }
    this.chart.found = found;
    this.chart.draw();
    this.table.filter(found);
    // The only one that there is, is meant.
    if (count === 1) this.choose(found.indexOf(1));
    else if (this.chart.chosen >= 0 && words) this.choose(-1);
    return count;
  }
}

const quiet = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
