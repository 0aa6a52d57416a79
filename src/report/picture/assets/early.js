(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  // Whatever goes wrong can be seen from outside of the page.
  const told = (what) => { root.dataset.errors = (root.dataset.errors || "") + what + "\n"; };
  addEventListener("error", (e) => told(e.message || "error"));
  addEventListener("unhandledrejection", (e) => told(String(e.reason)));
  // Storage may be closed to pages from files.
  let kept = null;
  try { kept = localStorage.getItem("memplan-theme"); } catch { kept = null; }
  const asked = /[#&]theme=(light|dark)/.exec(location.hash);
  if (asked) kept = asked[1];
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
})();
