// Compares any two runs, cell by cell. The address is `#A,B`.
"use strict";
assay.start(async () => {
  const {el, fill, byId, need, moment, Address, Cells} = assay;
  const address = new Address(true);
  const [front, nights] = await Promise.all([need.front(), need.nights()]);
  const cells = new Cells(front);
  const runs = nights.runs;
  if (runs.length === 0) throw new assay.Problem("The site has no runs yet.");

  const suitesOf = (run) => [runs[run].suites].flat().join(", ");
  function title(run) {
    return [moment(runs[run].started_at), (runs[run].commit || "").slice(0, 10),
      suitesOf(run)].filter(Boolean).join(" · ");
  }
  // Without runs in the address: the newest one, and the one before it with
  // the same suites.
  function chosen() {
    if (address.id === "") {
      const b = runs.length - 1;
      let a = Math.max(b - 1, 0);
      for (let i = b - 1; i >= 0; --i) {
        if (suitesOf(i) !== suitesOf(b)) continue;
        a = i;
        break;
      }
      return [a, b];
    }
    const parts = /^(\d{1,9}),(\d{1,9})$/.exec(address.id);
    const pair = parts ? [Number(parts[1]), Number(parts[2])] : [];
    if (pair.length === 0 || pair.some((run) => run >= runs.length)) {
      throw new assay.Problem(`“${address.id}” does not name two runs of the ` +
        `store, as in compare.html#0,${runs.length - 1}.`);
    }
    return pair;
  }

  const [a, b] = chosen();
  const pick = (label, value) => {
    const select = el("select", {"aria-label": label}, runs.map((run, i) =>
      el("option", {value: i}, title(i))).reverse());
    select.value = value;
    select.addEventListener("change", go);
    return select;
  };
  const first = pick("Run before", a);
  const second = pick("Run after", b);
  function go() {
    address.id = `${first.value},${second.value}`;
    address.set({page: ""});
    location.reload();
  }
  const swap = el("button", {type: "button"}, "Swap");
  swap.addEventListener("click", () => {
    [first.value, second.value] = [second.value, first.value];
    go();
  });
  byId("runs").addEventListener("submit", (event) => event.preventDefault());
  fill("runs", el("label", null, el("span", null, "Before"), first),
    el("label", null, el("span", null, "After"), second), swap);
  document.title = `Assay: ${title(a)} and ${title(b)}`;

  const [old, now] = (await Promise.all([need.run(a), need.run(b)]))
    .map(assay.runValues);
  const comparison = new assay.Comparison(cells, address, {
    before: old.median, after: now.median,
    verdictOf: (i) => front.statuses[now.verdict(i)] || null,
    empty: "No cell matches."});
  fill("summary", comparison.summary());
  const changes = runs.slice(Math.min(a, b) + 1, Math.max(a, b) + 1)
    .filter((run) => run.changes);
  const links = [a, b].map((run) => runs[run].commit).map((sha, i) =>
    assay.commitLink(sha, i === 0 ? "Commits: " : " and "));
  fill("environment", links, changes.length > 0 &&
    [" · Changes of the machine between them: ", changes.slice(-5)
      .map((run) => `${moment(run.started_at)}: ${run.changes}`).join("; "),
    changes.length > 5 ? "; …" : ""]);
  address.follow((other) => other ? location.reload() : comparison.restore());
});
