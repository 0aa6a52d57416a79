// What is known about the buffer that is chosen.

function details(panel, scope, at, choose) {
  if (at < 0) {
    panel.replaceChildren(...alive(scope, choose));
    return;
  }
  const b = scope.map.buffers;
  const rows = [["size", bytes(b.size[at]) + (b.slots[at] > 1 ? ` \u00d7 ${b.slots[at]} slots` : "")]];
  if (b.taken.length && b.taken[at] !== b.size[at]) rows.push(["takes", `${bytes(b.taken[at])} a slot`]);
  if (b.offsets[at].length) rows.push([b.offsets[at].length > 1 ? "offsets" : "offset", b.offsets[at].map(number).join(", ")]);
  if (b.offsets[at].length > b.slots[at]) rows.push(["promoted", `to ${b.offsets[at].length} slots`]);
  rows.push(["live", ranges(b.live[at])]);
  if (b.live[at].length) rows.push(["from", scope.step(b.live[at][0])], ["to", scope.step(b.live[at][b.live[at].length - 1] - 1)]);
  if (scope.pipe(at)) rows.push(["pipes", scope.pipe(at)]);
  if (b.line.length && b.line[at]) rows.push(["line", b.line[at]]);
  const list = make("dl", {}, ...rows.flatMap(([key, value]) => [make("dt", {}, key), make("dd", {}, value)]));
  const title = make("h4", {}, make("span", { class: `dot b${at % COLOURS}` }), make("bdi", {}, scope.name(at)));
  panel.replaceChildren(title, list, ...sharing(scope, at, choose));
}

// Nothing is chosen: who makes the largest load.
function alive(scope, choose) {
  const SHOWN = 14;
  const b = scope.map.buffers, step = scope.map.max_load_at, here = [];
  for (let at = 0; at < scope.count; at++) {
    for (let r = 0; r < b.live[at].length; r += 2) {
      const takes = scope.taken(at) * Math.max(b.slots[at], b.offsets[at].length);
      if (b.live[at][r] <= step && step < b.live[at][r + 1] && takes > 0) here.push([at, takes]);
    }
  }
  here.sort((x, y) => y[1] - x[1] || x[0] - y[0]);
  const items = here.slice(0, SHOWN).map(([at, takes]) => make("li", {}, way(scope, at, choose), make("span", {}, ` ${bytes(takes)}`)));
  return [make("h5", {}, `alive at ${scope.step(step)}`), make("ul", {}, ...items),
    make("p", { class: "note" }, here.length > SHOWN ? `${number(here.length - SHOWN)} more. ` : "", "Point at a buffer, or go there with the arrow keys.")];
}

// A name that leads to its buffer.
function way(scope, at, choose) {
  const button = make("button", { type: "button", class: "way" }, make("bdi", {}, scope.name(at)));
  button.addEventListener("click", () => choose(at));
  return button;
}

function ranges(live) {
  const parts = [];
  for (let r = 0; r < live.length; r += 2) parts.push(`[${number(live[r])}, ${number(live[r + 1])})`);
  return parts.join(" ") || "never";
}

// Who has some of its bytes at another time.
function sharing(scope, at, choose) {
  const SHOWN = 12;
  const partners = scope.partners(at);
  if (scope.map.stack) return [];
  if (!partners.length) return [make("p", { class: "note" }, "Shares bytes with nobody.")];
  const items = partners.slice(0, SHOWN).map(({ other, kind, cost, why }) => {
    const how = kind === STALLS ? `stalls, cost ${number(cost)}` : kind === IN_PLACE ? "in place" : "";
    const words = [how, why].filter(Boolean).join(" \u00b7 ");
    return make("li", { class: kind === STALLS ? "stall" : null }, way(scope, other, choose), words ? make("span", {}, ` ${words}`) : null);
  });
  const more = partners.length - SHOWN;
  return [make("h5", {}, "shares bytes with"), make("ul", {}, ...items),
    more > 0 ? make("p", { class: "note" }, `${number(more)} more`) : null].filter(Boolean);
}
