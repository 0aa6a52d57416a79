// The whole page: theme, search, keys, and what is drawn when.

document.body.append(tip);
readColours();

// Charts that are far below are made when they come near.
const EAGER = 6;
const views = [];
const makers = new Map();
const near = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) ready(entry.target);
}, { rootMargin: "600px" });

function ready(article) {
  const maker = makers.get(article);
  if (!maker) return;
  makers.delete(article);
  near.unobserve(article);
  maker();
}

let words = "";

for (const article of all("article.scope")) {
  makers.set(article, () => {
    const view = new ScopeView(article, sheets[article.dataset.f].scopes[article.dataset.s]);
    views.push(view);
    if (words) view.search(words);
    else view.chart.draw();
  });
}
for (const article of all("article.pipes")) {
  makers.set(article, () => new PipesChart(one("canvas", article), sheets[article.dataset.f].pipes).draw());
}
[...makers.keys()].forEach((article, k) => (k < EAGER ? ready(article) : near.observe(article)));

const field = one("#search"), output = one("#found");

function search() {
  const start = performance.now();
  words = field.value.trim().toLowerCase();
  let count = 0;
  for (const view of views) view.search(words);
  if (words) for (const sheet of sheets) for (const scope of sheet.scopes) {
    for (const name of scope.lower) if (name.includes(words)) count++;
  }
  output.textContent = words ? (count ? `${number(count)} found` : "none found") : "";
  root.dataset.found = words ? count : "";
  root.dataset.searchMs = (performance.now() - start).toFixed(1);
}

let waiting = 0;
field.addEventListener("input", () => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(search);
});
field.addEventListener("keydown", (e) => {
  if (e.key !== "Enter") return;
  const view = views.find((v) => v.chart.found && v.chart.found.includes(1));
  if (view) {
    view.choose(view.chart.found.indexOf(1));
    view.chart.canvas.focus();
  }
});

addEventListener("keydown", (e) => {
  const typing = e.target.closest && e.target.closest("input, textarea");
  if (e.key === "/" && !typing) {
    field.focus();
    field.select();
    e.preventDefault();
  } else if (e.key === "Escape") {
    tell(null);
    if (field.value) {
      field.value = "";
      search();
    }
    for (const view of views) view.choose(-1);
    if (typing) field.blur();
  }
});
addEventListener("scroll", () => tell(null), { passive: true });

// Light, dark, or as the system has it.
const dark = matchMedia("(prefers-color-scheme: dark)");

function redraw() {
  readColours();
  hatches.clear();
  for (const chart of charts) chart.draw();
}

one("#theme").addEventListener("click", () => {
  const now = root.dataset.theme || (dark.matches ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  try { localStorage.setItem("memplan-theme", root.dataset.theme); } catch { /* A page from a file. */ }
  redraw();
});
dark.addEventListener("change", redraw);

// Paper is light, and everything is on it.
let before = null;
addEventListener("beforeprint", () => {
  for (const article of [...makers.keys()]) ready(article);
  before = root.dataset.theme || null;
  root.dataset.theme = "light";
  redraw();
});
addEventListener("afterprint", () => {
  if (before) root.dataset.theme = before;
  else delete root.dataset.theme;
  redraw();
});

// `#search=acc` opens the page with a search, for links and for tests.
const asked = /[#&]search=([^&]*)/.exec(location.hash);
root.dataset.drawMs = (performance.now() - began).toFixed(1);
root.dataset.readyMs = performance.now().toFixed(1);
if (asked) {
  // What is no proper escape stands for itself.
  try { field.value = decodeURIComponent(asked[1]); } catch { field.value = asked[1]; }
  search();
}
root.dataset.ready = "true";
