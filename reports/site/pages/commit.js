// The page of a commit: all cells in its run and in the run before.
"use strict";
assay.start(async () => {
  const {el, fill, byId, need, plural, moment, Address, Cells, badge} = assay;
  const address = new Address(true);
  if (address.id === "") {
    throw new assay.Problem("The address names no commit, as in " +
      "commit.html#0123456789ab; the overview has links to the newest ones.");
  }
  const [commit, front, nights] = await Promise.all([
    need.commit(address.id.toLowerCase()), need.front(), need.nights()]);
  const cells = new Cells(front);

  byId("headline").textContent = commit.subject || `Commit ${
    commit.sha.slice(0, 12)}`;
  document.title = `Assay: commit ${commit.sha.slice(0, 12)}`;
  const runText = (run) => moment((nights.runs[run] || {}).started_at) ||
    `run ${run}`;
  const before = commit.runs_before || [];
  fill("lead", el("code", null, commit.sha.slice(0, 12)),
    [commit.author, commit.date].filter(Boolean).map((text) => ` · ${text}`),
    ` · ${plural(commit.runs.length, "run")}: `,
    commit.runs.slice(0, 4).map(runText).join(", "),
    commit.runs.length > 4 ? ", …" : "");

  // ---- What is known about it

  const list = (values, show) => values.length === 0 ? null
    : el("ul.items.wide", null, values.map((v) => el("li", null, show(v))));
  const cellOf = (id) => Number.isInteger(id) && id >= 0 && id < cells.size
    ? cells.link(id) : el("span", null, String(id));
  const limited = (id, values, show, what) => fill(id,
    list(values.slice(0, 8), show), values.length > 8 && el("details", null,
      el("summary", null, plural(values.length - 8, `more ${what}`)),
      list(values.slice(8, 500), show)));
  const size = (event) => (event.published ? 1e6 : 0) +
    Math.abs(event.change || 0);
  limited("events", [...(commit.events || [])].sort((a, b) =>
    size(b) - size(a)), (event) => [
    cellOf(event.cell),
    el("span.cell", null, el("span", null,
      event.change !== null && event.change !== undefined &&
        [el("b", {className: event.published ? "k-bad" : event.upper < 0
          ? "k-good" : ""}, `${event.published ? "▲ " : event.upper < 0 ? "▼ "
          : ""}${assay.change(event.change, event.lower, event.upper)}`), " "],
      (event.causes || []).map((cause) => [el("span.tag", null, cause), " "]),
      event.metric && !/^latency/.test(event.metric)
        ? `${event.metric}: ` : null, event.what),
    el("small", null, event.reason))], "change");
  fill("bisections", list(commit.bisections || [], (b) => {
    const name = typeof b === "string" ? b : b.name;
    return [el("a", {href: `bisection.html#${encodeURIComponent(name)}`},
      name), typeof b === "string" ? null : el("span.quiet", null,
      String(b.change || b.status || ""))];
  }));
  const kernels = new Map();
  for (const {kernel, cell} of commit.kernels || []) {
    if (!kernels.has(kernel)) kernels.set(kernel, []);
    kernels.get(kernel).push(cell);
  }
  limited("kernels", [...kernels], ([kernel, ids]) => [
    el("code.cell", null, kernel),
    el("details", null, el("summary", null, plural(ids.length, "cell")),
      ids.map((id) => el("div", null, cellOf(id))))], "kernel");

  // ---- Before and after

  // The newest value of each cell in these runs.
  async function values(runs) {
    const newest = [...runs].sort((a, b) => b - a).slice(0, 8);
    const files = await Promise.all(newest.map((run) => need.run(run)));
    const parts = files.map(assay.runValues);
    return {
      median: (i) => {
        for (const part of parts) {
          const ms = part.median(i);
          if (ms > 0) return ms;
        }
        return NaN;
      },
      status: (i) => {
        for (const part of parts) {
          const status = front.statuses[part.verdict(i)];
          if (status) return status;
        }
        return null;
      },
    };
  }
  const [old, now] = await Promise.all([values(before), values(commit.runs)]);
  const comparison = new assay.Comparison(cells, address, {
    before: old.median, after: now.median, verdictOf: now.status,
    empty: "No cell matches."});
  const pair = [before, commit.runs].map((runs) => Math.max(...runs));
  fill("summary", before.length === 0
    ? "There is no run before it to compare with. "
    : `${comparison.summary()} The nights differ by noise and by the machine, ` +
      "too; the verdicts come from measurements side by side. ",
  pair.every((run) => Number.isFinite(run)) && el("a", {
    href: `compare.html#${pair.join(",")}`}, "The two newest runs alone"));
  address.follow((other) => other ? location.reload() : comparison.restore());
});
