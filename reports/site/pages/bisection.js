// The page of a bisection: the report of //ci:bisect.
"use strict";
assay.start(async () => {
  const {el, fill, byId, need, plural, percent, commitLink, Address} =
    assay;
  const address = new Address(true);
  address.follow((other) => other && location.reload());
  const front = await need.front();
  const report = await need.named("bisection", "bisections", address.id,
    front.bisections.map((b) => b.name));
  const ids = new Map();
  const cells = new assay.Cells(front);
  for (let i = 0; i < cells.size; ++i) ids.set(cells.name(i), i);

  // The reports name cells without their suite.
  function cellTitle(suite, name) {
    const id = ids.get(`${suite}/${name}`) ?? ids.get(name);
    return id === undefined
      ? el("a", {href: `index.html#${new URLSearchParams({q: name})}`}, name)
      : el("a", {href: `cell.html#${id}`}, name);
  }
  const words = (name) => String(name || "").replace(/_/g, " ");
  const seconds = (s) => s >= 120 ? `${Math.round(s / 60)}\u00a0min`
    : `${Math.round(s)}\u00a0s`;

  function commitItem(commit) {
    return el("li", null,
      el("span", null, commitLink(commit.commit) || commit.commit),
      el("span.cell", null, el("b", null, commit.subject),
        el("small", null, [commit.author, commit.date].filter(Boolean)
          .join(" · "))));
  }

  // The interval on an axis that contains zero.
  function interval(finding) {
    const {lower, upper, relative_change: change} = finding;
    if (![lower, upper, change].every(Number.isFinite)) return null;
    const low = Math.min(lower, 0);
    const high = Math.max(upper, 0);
    const pad = (high - low) * 0.05 || 0.01;
    const x = (v) => (v - low + pad) / (high - low + 2 * pad) * 240;
    const kind = lower > 0 ? "bad" : upper < 0 ? "good" : "quiet";
    return assay.svg("svg", {class: "interval", viewBox: "0 0 240 24",
      width: 240, height: 24, role: "img", "aria-label":
        `${percent(change)}, interval from ${percent(lower)} to ${
          percent(upper)}`},
    assay.svg("path", {class: "axis", d: `M${x(0)} 2V22`}),
    assay.svg("text", {x: x(0) + 4, y: 22}, "0"),
    assay.svg("rect", {class: kind, x: x(lower), y: 9, height: 6, rx: 3,
      width: Math.max(x(upper) - x(lower), 2)}),
    assay.svg("circle", {class: kind, cx: x(change), cy: 12, r: 5}));
  }

  function findingNode(finding, cell) {
    const suspects = finding.suspects || [];
    const share = finding.kernel_ms / finding.whole_ms;
    return el("article", null,
      el("h3", null, finding.change || "A change"),
      interval(finding),
      el("p", null, suspects.length > 1
        ? `One of ${plural(suspects.length, "commit")}, because those in ` +
          "between cannot be told apart." : null,
      finding.confirmed ? " Confirmed beside its parent."
        : " Not confirmed beside its parent.",
      Number.isFinite(finding.error) && finding.error > 0
        ? ` The probability of an error is at most ${
          Number((100 * finding.error).toPrecision(2))} %.` : null),
      el("ul.items.wide", null, suspects.map(commitItem)),
      finding.kernel && el("dl.facts-list", null,
        el("div", null, el("dt", null, "kernel"), el("dd", null,
          finding.kernel)),
        el("div", null, el("dt", null, "its change"), el("dd", null,
          `${assay.difference(finding.kernel_ms)}\u00a0ms`, Number.isFinite(share)
            ? `, ${Math.round(100 * share)} % of the whole` : null)),
        finding.cause && el("div", null, el("dt", null, "since"),
          el("dd", null, finding.cause)),
        finding.work && el("div", null, el("dt", null, "work"),
          el("dd", null, finding.work))),
      finding.reproduce && assay.command(finding.reproduce,
        `Copy the command that shows the change of ${cell} again`));
  }

  function reportNode(part, level) {
    return [
      level > 0 && el("h2", null, "Branch merged by ", commitLink(part.merge) ||
        part.merge || "a culprit"),
      el("p.lead", null, "From ", commitLink(part.good), " (good) to ",
        commitLink(part.bad), ` (bad), suite ${part.suite}. `,
        `${plural(part.builds, "build")} in ${seconds(part.building_s)}.`),
      (part.cells || []).map((cell) => el("section", null,
        el(level > 0 ? "h3" : "h2", null, cellTitle(part.suite, cell.cell)),
        el("p", null, el("span.tag", null, words(cell.status)), ` ${
          words(cell.metric)}`, cell.reason ? `: ${cell.reason}` : null),
        (cell.findings || []).map((finding) =>
          findingNode(finding, cell.cell)),
        el("p.quiet", null, `${plural(cell.candidates, "candidate")}, ${
          plural(cell.measurements, "measurement")} in ${
          seconds(cell.measuring_s)}`))),
      (part.branches || []).map((branch) => reportNode(branch, level + 1)),
    ].flat(3);
  }

  const found = (report.cells || []).flatMap((cell) => cell.findings || []);
  const first = found.flatMap((finding) => finding.suspects || [])[0];
  byId("headline").textContent = found.length === 0 ? "No culprit was found"
    : found.length === 1 && found[0].suspects.length === 1
      ? `Culprit: commit ${String(first.commit).slice(0, 10)}`
      : `${plural(found.length, "change")} found`;
  document.title = `Assay: bisection ${address.id}`;
  fill("crumbs", el("a", {href: "index.html"}, "Bisections"), " / ",
    address.id);
  fill("lead", found.length === 1 && found[0].suspects.length === 1
    ? [first.subject, first.author, first.date].filter(Boolean).join(" · ")
    : null);
  fill("report", reportNode(report, 0));
});
