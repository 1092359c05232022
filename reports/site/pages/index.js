// The front page: what needs attention first, then all cells with filters, and
// what else is new.
"use strict";
assay.start(async () => {
  const {el, fill, byId, count, plural, percent, moment, day, badge, commitLink,
    Cells, Address, Grid, Filters} = assay;
  const front = await assay.need.front();
  const cells = new Cells(front);
  const address = new Address(false);
  const all = [...Array(cells.size).keys()];
  const statuses = all.map((i) => cells.status(i));
  const commitOf = new Map(front.commits.map((commit) => [commit.run, commit]));

  // ---- Head

  const {attention, improvements} = front;
  function headline() {
    if (cells.size === 0) return "The store has no cells yet";
    const of = (name) => attention.filter((i) => statuses[i].name === name)
      .length;
    const wrong = of("wrong_output");
    const failed = of("infrastructure");
    const slower = attention.length - wrong - failed;
    const parts = [
      slower > 0 && plural(slower, "regression"),
      wrong > 0 && plural(wrong, "wrong output"),
      failed > 0 && plural(failed, "failure"),
    ].filter(Boolean);
    if (parts.length === 0) return "Nothing needs attention";
    const last = parts.pop();
    const text = parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
    return `${text} need${attention.length === 1 ? "s" : ""} attention`;
  }
  byId("headline").textContent = headline();
  document.title = `Assay: ${headline()}`;
  const newest = front.newest || {};
  fill("lead", newest.started_at
    ? ["Newest run ", el("time", null, moment(newest.started_at)),
      commitLink(newest.commit, " at "), ". "] : null,
  `${plural(cells.size, "cell")}, ${plural(front.nights, "run")}, store `,
  el("code", null, front.store), ".");

  // The sets of cells that the list can show.
  const isWrong = (i) => statuses[i].kind === "bad" &&
    statuses[i].name !== "regressed";
  const isRegression = new Set(attention.filter((i) => !isWrong(i)));
  const sets = {
    attention: new Set(attention),
    regressions: isRegression,
    failures: new Set(all.filter(isWrong)),
    unjudged: new Set(all.filter((i) => statuses[i].kind === "unjudged")),
    improvements: new Set(improvements),
    published: new Set(all.filter((i) => cells.value("published", i) >= 0)),
    acknowledged: new Set(all.filter((i) =>
      cells.value("acknowledged", i) >= 0)),
  };
  sets.rest = new Set(all.filter((i) => !["regressions", "failures",
    "unjudged", "improvements"].some((name) => sets[name].has(i))));
  const toCells = () => setTimeout(() =>
    byId("cells-title").scrollIntoView({block: "start"}));
  fill("tiles", [["Regressions", "regressions", "bad"],
    ["Wrong or failed", "failures", "bad"],
    ["Improvements", "improvements", "good"],
    ["Not judged", "unjudged", "unjudged"],
    ["Without change", "rest", "quiet"]].map(([title, name, kind]) => {
    const n = sets[name].size;
    const inside = [el("b", null, count(n)), el("span", null, title)];
    return el(`li.t-${n > 0 ? kind : "none"}`, null, n > 0
      ? el("a", {href: `#show=${name}`, on: {click: toCells}}, inside)
      : el("span.tile", null, inside));
  }));

  // ---- Lists

  const culprits = new Map();
  for (const bisection of front.bisections) {
    culprits.set(String(bisection.cell), bisection);
  }
  const bisectionOf = (i) => culprits.get(cells.name(i)) ||
    culprits.get(cells.name(i).split("/").slice(1).join("/"));

  // Where a change was published and what a bisection found; of other cells,
  // the reason.
  function since(i) {
    if (!isRegression.has(i)) return cells.text("reason", i);
    const run = cells.value("published", i);
    const commit = run >= 0 ? commitOf.get(run) : null;
    const found = bisectionOf(i);
    return el("span.since", null,
      commit && ["since ", el("time", null, day(commit.started_at)),
        commitLink(commit.sha, " at ")],
      found && [commit ? "; " : "", el("a", {href: `bisection.html#${
        found.name}`}, found.culprit ? "culprit found" : "bisected")],
      !commit && !found && cells.text("reason", i));
  }

  // One change of a model often concerns many of its cells: only the first is
  // shown, with the number of the others.
  function grouped(ids, keyOf) {
    const groups = new Map();
    for (const i of ids) {
      const key = JSON.stringify([cells.text("model", i), keyOf(i)]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(i);
    }
    return [...groups.values()];
  }
  const others = (group, show) => group.length > 1 && el("a.others", {
    href: `#${new URLSearchParams({show,
      model: cells.text("model", group[0])})}`, on: {click: toCells}},
  `and ${plural(group.length - 1, "more cell")}`);
  const rest = (ids, groups, show) => ids.length > groups.flat().length &&
    el("p", null, el("a", {href: `#show=${show}`, on: {click: toCells}},
      `All ${count(ids.length)} in the list`));

  function shortList(label, ids, show) {
    if (ids.length === 0) return null;
    const shown = grouped(ids, (i) => isRegression.has(i)
      ? cells.value("published", i) : statuses[i].name).slice(0, 8);
    const row = (group) => {
      const [i] = group;
      const slower = isRegression.has(i);
      return el("tr", null,
        el("td", null, cells.link(i), others(group, show)),
        el("td", {"data-title": "What"}, slower
          ? el("span.badge.k-bad", null, el("span.sign",
            {"aria-hidden": "true"}, "▲"), " slower") : badge(statuses[i])),
        el("td.n", {"data-title": "Change"}, slower && cells.change(i)),
        el("td", {"data-title": "Details"}, since(i)),
        el("td", {"data-title": "32 nights"}, cells.spark(i)));
    };
    return [el("table.grid.list.short", {"aria-label": label},
      el("thead", null, el("tr", null, ["Cell", "What", "Change", "Details",
        "32 nights"].map((title) => el(title === "Change" ? "th.n" : "th",
        {scope: "col"}, title)))),
      el("tbody", null, shown.map(row))),
    rest(ids, shown, show)];
  }
  fill("attention", shortList("Cells that need attention", attention,
    "attention"));

  const items = (values, show) => values.length === 0 ? null
    : el("ul.items", null, values.map((value) => el("li", null, show(value))));
  // The newest comparison of an improved cell may be one of a later night.
  const faster = grouped(improvements, () => 0).slice(0, 6);
  fill("improvements", items(faster, (group) => {
    const [i] = group;
    return [el("span.cell", null, cells.link(i), others(group,
      "improvements")), cells.value("change", i) < 0 && statuses[i].name ===
      "improved" ? el("span.k-good", null, "▼ ",
      percent(cells.value("change", i))) : cells.spark(i)];
  }), rest(improvements, faster, "improvements"));
  fill("bisections", items(front.bisections.slice(0, 6), (b) => [
    el("a.cell", {href: `bisection.html#${b.name}`}, el("b", null, b.cell),
      el("small", null, String(b.status || "").replace(/_/g, " "))),
    el("span", null, commitLink(b.culprit), " ",
      typeof b.change === "number" ? percent(b.change) : b.change)]));
  fill("acknowledgements", items(front.acknowledgements, (a) => [
    el("span.cell", null, el("b", null, a.cell), el("small", null,
      `${a.kind} by ${a.author}: ${a.reason}`)),
    el("span.quiet", null, a.until ? `until ${day(a.until)}`
      : "does not expire")]));
  fill("commits", items(front.commits.slice(-200).sort((a, b) => b.run - a.run)
    .slice(0, 10), (commit) => [
    el("span", null, commitLink(commit.sha) || `run ${commit.run}`, " ",
      el("small", null, moment(commit.started_at))),
    el("span", null, commit.published > 0 && el("span.k-bad", null,
      `▲ ${count(commit.published)} slower`),
    commit.published > 0 && commit.improved > 0 && ", ",
    commit.improved > 0 && el("span.k-good", null,
      `▼ ${count(commit.improved)} faster`))]));
  fill("devices", items(front.devices, (device) => [
    el("a.cell", {href: `device.html#${encodeURIComponent(device.key)}`},
      el("b", null, device.name || device.key), el("small", null,
        [plural(device.cells, "cell"), device.last_seen &&
          `last seen ${day(device.last_seen)}`].filter(Boolean).join(", "))),
    el("span.quiet", null, device.state || "")]));
  fill("census", items(front.census, (suite) => {
    const rest = Object.entries(suite.not_judged || {});
    return [el("span.cell", null, el("b", null, suite.suite),
      el("small", null, rest.map(([reason, n]) =>
        `${count(n)} ${reason.replace(/_/g, " ")}`).join(", "))),
    el("span", null, `${count(suite.judged)} of ${count(suite.cells)}`)];
  }));

  // ---- All cells

  const show = el("select", {id: "show"}, [["", "all"],
    ["attention", "needs attention"], ["regressions", "regressions"],
    ["failures", "wrong or failed"], ["improvements", "improvements"],
    ["unjudged", "not judged"], ["rest", "without change"],
    ["published", "published changes"], ["acknowledged", "acknowledged"]].map(
    ([value, text]) => el("option", {value}, text)));
  const draw = () => {
    show.value = address.get("show");
    if (show.selectedIndex < 0) show.value = "";
    const set = sets[show.value];
    const rows = filters.matching();
    grid.show(set ? rows.filter((i) => set.has(i)) : rows);
  };
  show.addEventListener("change", () => filters.apply({show: show.value}));
  const rank = new Map(attention.map((i, at) => [i, at]));
  const order = [...all].sort((a, b) =>
    (rank.get(a) ?? Infinity) - (rank.get(b) ?? Infinity) ||
    statuses[b].severity - statuses[a].severity || a - b);
  const grid = new Grid(byId("cells"), {label: "All cells", address,
    pageSize: 25, kind: "list", 
    empty: cells.size === 0 ? "There are no cells."
      : "No cell matches the filters.", columns: [
      {id: "name", title: "Cell", value: (i) => cells.name(i),
        show: (i) => cells.link(i)},
      {id: "verdict", title: "Verdict", value: (i) => -statuses[i].severity,
        show: (i) => [badge(statuses[i]),
          cells.value("acknowledged", i) >= 0 &&
            el("small", null, "acknowledged"),
          isRegression.has(i) && statuses[i].name !== "regressed" &&
            el("small.k-bad", null, "▲ published as slower"),
          /bad|unjudged/.test(statuses[i].kind) && cells.text("reason", i) &&
            el("small", null, cells.text("reason", i))]},
      {id: "median", title: "Median, ms", numeric: true, down: true,
        value: (i) => cells.value("median_ms", i),
        show: (i) => cells.value("median_ms", i) === null ? "–"
          : assay.digits(cells.value("median_ms", i))},
      {id: "change", title: "Change", numeric: true, down: true,
        value: (i) => cells.value("change", i),
        show: (i) => cells.change(i) ?? "–"},
      {id: "nights", title: "32 nights", show: (i) => cells.spark(i)},
    ]});
  const filters = new Filters(byId("filters"), cells, address, draw, {
    rows: order, extra: [el("label", null, "Show ", show)]});
  assay.gridKeys(grid);
  draw();
  address.follow(() => {
    filters.restore();
    draw();
  });
});
