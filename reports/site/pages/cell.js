// The page of a cell: its history with bands, what changed, its kernels, and
// what is known about its newest night.
"use strict";
assay.start(async () => {
  const {el, fill, byId, need, plural, percent, digits, milliseconds, moment,
    day, commitLink, Address, Chart, Nights} = assay;
  const address = new Address(true);
  address.follow((other) => {
    if (other) location.reload();
    else restore();
  });

  // The values of two files of nights, by the names of the columns of both.
  // `keys` are the runs; a column that a file lacks is null there.
  function joined(old, added, keys) {
    const all = {};
    const from = added[keys].findIndex((run) =>
      old[keys].length === 0 || run > old[keys][old[keys].length - 1]);
    const fresh = from < 0 ? added[keys].length : from;
    for (const column of new Set([...Object.keys(old),
      ...Object.keys(added)])) {
      all[column] = [
        ...(old[column] || old[keys].map(() => null)),
        ...(added[column] || added[keys].map(() => null)).slice(fresh)];
    }
    return all;
  }

  // Kernels of both files as columns by name, the largest first.
  function joinedKernels(parts) {
    const runs = [];
    const columns = new Map();
    for (const part of parts.filter(Boolean)) {
      part.runs.forEach((run, i) => {
        if (runs.length > 0 && run <= runs[runs.length - 1]) return;
        runs.push(run);
        part.names.forEach((name, k) => {
          if (!columns.has(name)) {
            columns.set(name, {name, kind: part.kinds[k] || "", sum: 0,
              ms: new Map()});
          }
          const column = columns.get(name);
          column.ms.set(run, part.ms[i][k]);
          column.sum += part.ms[i][k] || 0;
        });
      });
    }
    const largest = [...columns.values()].sort((a, b) =>
      (a.name === "others") - (b.name === "others") || b.sum - a.sum);
    const shown = runs.slice(-200);
    return {runs: shown, columns: largest.slice(0, 13).map((column) => ({
      name: column.name, kind: column.kind,
      values: shown.map((run) => column.ms.get(run) ?? null)}))};
  }

  // A cell: its older nights, and the newest ones with all that is known.
  async function whole(id) {
    const group = Math.floor(Number(id) / 100);
    const [old, tail] = await Promise.all([need.cell(id), need.tail(group)]);
    const mine = tail.cells.find((other) => other.id === Number(id));
    if (!mine || !mine.nights) {
      throw new assay.Problem(`The store has no cell ${id}.`);
    }
    if (mine.model === undefined) {
      throw new assay.Problem(`The store no longer has the cell ${mine.name}.`);
    }
    return {...mine, nights: joined(old.nights, mine.nights, "run"),
      events: [...old.events, ...mine.events].sort((a, b) =>
        a.night - b.night),
      artifacts: [...old.artifacts, ...mine.artifacts],
      kernels: joinedKernels([old.kernels, mine.kernels])};
  }

  if (!/^\d{1,9}$/.test(address.id)) {
    throw new assay.Problem("The address names no cell, as in cell.html#12; " +
      "the overview has links to all cells.");
  }
  const [cell, allNights] = await Promise.all([whole(address.id),
    need.nights()]);
  const nights = new Nights(allNights);
  const runs = cell.nights.run;
  const last = runs.length - 1;

  // ---- Head

  const threads = plural(cell.threads, "thread");
  const variant = Object.entries(cell.variant || {}).map(([key, value]) =>
    assay.variantText(key, value)).join(", ");
  document.title = `Assay: ${cell.model} on ${cell.device}, ${threads}`;
  byId("headline").textContent = cell.model;
  fill("crumbs", el("a", {href: `index.html#${new URLSearchParams({
    suite: cell.suite})}`}, cell.suite), " / ", el("a", {href: `index.html#${
    new URLSearchParams({suite: cell.suite, model: cell.model})}`},
  cell.model));
  fill("lead", el("span", {id: "device"}, cell.device),
    [variant, threads].filter(Boolean).map((text) => ` · ${text}`));

  const fact = (title, value, note) => value === null || value === undefined
    ? null : el("li", null, el("small", null, title), el("b", null, value),
      note && el("small", null, note));
  const at = (column) => last >= 0 && cell.nights[column]
    ? cell.nights[column][last] : null;
  const median = at("median");
  const judged = [...cell.events].reverse().find((event) =>
    event.change !== null && event.change !== undefined);
  fill("summary",
    el("li", {id: "verdict", hidden: true}),
    fact("Median", median === null ? null : milliseconds(median),
      at("lower") === null ? "no interval" : `99 % in [${
        digits(at("lower"))}, ${digits(at("upper"))}]`),
    judged && fact("Last change", percent(judged.change), judged.lower === null
      || judged.lower === undefined ? "without interval"
      : `in [${percent(judged.lower)}, ${percent(judged.upper)}]`),
    at("reference") > 0 && median > 0 ? fact("Other runtime",
      milliseconds(at("reference")), `${digits(at("reference") / median)
      } times our median`) : null,
    fact("Nights", assay.count(runs.length), last >= 0
      ? `last ${day((nights.runs[runs[last]] || {}).started_at)}` : null));
  fill("notes", cell.reason && el("p.note", null, cell.reason),
    (cell.acknowledgements || []).filter((a) => a.silent).map((a) =>
      el("p.note", null, `Silent, because ${a.author} wrote: ${a.reason}`)));

  // ---- History

  const eventSign = (event) => {
    const causes = event.causes || [];
    if (event.published) return ["▲", "--bad"];
    if (event.change < 0 && event.upper < 0) return ["▼", "--good"];
    if (causes.includes("code") || causes.includes("layout")) {
      return ["●", "--soft"];
    }
    if (causes.includes("method")) return ["□", "--soft"];
    if (causes.includes("machine")) return ["◇", "--soft"];
    return event.change > 0 ? ["▲", "--bad"] : event.change < 0
      ? ["▼", "--good"] : ["●", "--soft"];
  };
  const isProgram = (event) => (event.causes || []).some((cause) =>
    cause === "code" || cause === "layout");
  const isLatency = (event) => !event.metric || /^latency/.test(
    event.metric);
  const marksOf = (events) => events.map((event) => {
    const [text, color] = eventSign(event);
    const shows = event.published || text === "▼";
    return {run: event.night, color, dash: isProgram(event) || shows ? []
      : [3, 4], text: shows && event.change ? `${text} ${percent(event.change)}`
      : text};
  });

  const column = (name) => (cell.nights[name] || []).some((v) => v !== null &&
    v !== undefined) ? cell.nights[name] : null;
  const lines = [{name: "Assay", runs, values: cell.nights.median,
    lower: cell.nights.lower, upper: cell.nights.upper, color: "--accent"}];
  if (column("reference")) {
    lines.push({name: "other runtime", key: "reference", runs,
      values: cell.nights.reference, color: "--line-2", dash: [6, 4],
      hidden: true});
  }
  const charts = [];
  let history = null;
  if (last >= 0) {
    history = new Chart(byId("history"), {
      label: `Median time of each night of ${cell.model}`,
      nights, lines, height: 300, format: milliseconds,
      marks: marksOf(cell.events.filter(isLatency)),
      levels: (cell.levels || []).map((level) => ({run: level.night,
        before: level.before, after: level.after})),
      onOpen: (run) => {
        const sha = nights.commit(run);
        if (sha) location.href = `commit.html#${sha.slice(0, 12)}`;
      },
    });
    charts.push(history);
  } else {
    fill("history", el("p.quiet", null, "This cell was never timed."));
    byId("ranges").hidden = byId("reading").hidden = true;
  }

  // Buttons that switch lines on and off; the address has those that are on.
  const toggles = new Map();
  function addToggle(line) {
    if (!history) {
      byId("lines").append(el("a", {href: line.href}, line.name));
      return;
    }
    const colors = {"--line-2": "2", "--line-3": "3", "--line-4": "4",
      "--line-5": "5", "--line-6": "6"};
    const button = el(`button.line.l-${colors[line.color]}`, {type: "button",
      "aria-pressed": "false"}, assay.svg("svg", {viewBox: "0 0 24 4",
      width: 24, height: 4, "aria-hidden": "true"}, assay.svg("path",
      {d: "M0 2H24", "stroke-dasharray": (line.dash || []).join(" ")})),
    ` ${line.name}`, line.href && " ");
    button.addEventListener("click", () => {
      const on = new Set(address.all("line"));
      if (!on.delete(line.key)) on.add(line.key);
      address.set({line: [...on]});
      restore();
    });
    toggles.set(line.key, {line, button});
    byId("lines").append(el("span.toggle", null, button, line.href &&
      el("a", {href: line.href, "aria-label": `Page of ${line.name}`}, "↗")));
  }
  lines.filter((line) => line.key).forEach(addToggle);

  const spans = [["30", "30"], ["90", "90"], ["365", "365"], ["", "all"]];
  const buttons = spans.map(([value, text], i) => {
    const button = el("button", {type: "button", "aria-pressed": "false"},
      text);
    const choose = () => {
      address.set({nights: value});
      restore();
    };
    button.addEventListener("click", choose);
    assay.key([String(i + 1)], String(i + 1),
      `show ${value || "all"} nights`, choose);
    return [value, button];
  });
  fill("ranges", buttons.map(([, button]) => button));

  function restore() {
    const range = /^(30|90|365)$/.test(address.get("nights"))
      ? Number(address.get("nights")) : 0;
    for (const [value, button] of buttons) {
      button.setAttribute("aria-pressed", value === (range ? String(range)
        : ""));
    }
    const on = address.all("line");
    let changed = false;
    for (const [key, {line, button}] of toggles) {
      button.setAttribute("aria-pressed", on.includes(key));
      if (line.hidden === on.includes(key)) changed = true;
      line.hidden = !on.includes(key);
    }
    for (const chart of charts) {
      if (chart.range !== range) chart.setRange(range);
      else if (changed && chart === history) chart.join();
    }
  }
  restore();

  // ---- What changed

  const list = (values, show) => values.length === 0 ? null
    : el("ul.items.wide", null, values.map((v) => el("li", null, show(v))));
  const eventItem = (event) => {
    const [text, color] = eventSign(event);
    const before = event.commit_before || "";
    return [
      el(`span.event.c${color.slice(1)}`, null, el("span.sign",
        {"aria-hidden": "true"}, text), el("span", null,
        el("time", null, moment((nights.runs[event.night] || {}).started_at)),
        isLatency(event) ? null : ` ${event.metric}`,
        event.change === null || event.change === undefined ? null
          : el("b", null, ` ${assay.change(event.change, event.lower,
            event.upper)}`))),
      el("span.cell", null,
        el("span", null, (event.causes || []).map((cause) =>
          [el("span.tag", null, cause), " "]),
        event.published && [el("span.tag.k-bad", null, "published"), " "],
        event.what),
        el("small", null, event.reason,
          commitLink(event.commit || nights.commit(event.night),
            event.reason ? " · commit " : "commit "),
          before && before !== event.commit
            ? commitLink(before, ", before ") : null)),
    ];
  };
  const newestFirst = [...cell.events].reverse();
  fill("events", list(newestFirst.slice(0, 8), eventItem),
    newestFirst.length > 8 && el("details", null, el("summary", null,
      `${plural(newestFirst.length - 8, "older change")}`),
    list(newestFirst.slice(8), eventItem)));

  // ---- Kernels

  const attribution = cell.attribution || [];
  fill("attribution", attribution.length > 0 && assay.table(
    "Kernels of the newest comparison",
    ["Kernel", "#Before, ms", "#After, ms", "#Change, ms", "#99 % in",
      "Code", "Work", "Cause"],
    attribution.map((k) => [k.kernel, digits(k.base_ms), digits(k.run_ms),
      assay.difference(k.change),
      k.lower === null || k.lower === undefined ? "unknown"
        : `${assay.difference(k.lower)} to ${assay.difference(k.upper)}`,
      k.same_code ? "same" : "changed", k.work || "", k.cause || ""])));

  if (cell.kernels.runs.length > 0) {
    // The largest kernel is the lowest of the stack.
    const stack = cell.kernels.columns.map((column, k) => ({...column,
      runs: cell.kernels.runs, color: `--stack-${k % 13 + 1}`}));
    byId("kernels-title").closest("section").hidden = false;
    let legend = null;
    const chart = new Chart(byId("kernels"), {
      label: `Time of the kernels of ${cell.model}, stacked`, nights,
      lines: stack, stack: true, height: 280, format: milliseconds,
      onNight: (self, index) => legend && stack.forEach((line, k) => {
        legend[k].textContent = self.values[k].values[index] === null ? "–"
          : milliseconds(self.values[k].values[index]);
      }),
    });
    legend = stack.map(() => el("span.n"));
    // The order of the legend is that of the stack, from the top.
    chart.legend.replaceChildren(el("ol.legend", null, stack.map((line, k) =>
      el("li", null, el(`span.swatch.s-${k % 13 + 1}`, {"aria-hidden": "true"},
        String(k + 1)), el("span.cell", null, line.name,
        line.kind && el("small", null, line.kind)), legend[k])).reverse()));
    chart.show(null);
    charts.push(chart);
  }

  // ---- Other values

  const more = [
    ["p99", "p99", "Slow tail", milliseconds],
    ["load", "load", "Loading", milliseconds],
    ["memory", "memory", "Memory", assay.bytes],
    ["instructions", "instructions", "Instructions", assay.many],
  ].filter(([name]) => column(name));
  byId("more-title").textContent = more.map(([, , title], i) =>
    i === 0 ? title : title.toLowerCase()).join(", ") || "More";
  fill("more", more.map(([name]) => el("div", {id: `more-${name}`})));
  for (const [name, metric, title, format] of more) {
    const box = byId(`more-${name}`);
    const place = el("div");
    box.append(el("h3", null, title), place);
    charts.push(new Chart(place, {label: `${title} of ${cell.model}`, nights,
      lines: [{name: title, runs, values: cell.nights[name],
        color: "--accent"}],
      format, tick: format === milliseconds ? undefined : format,
      marks: marksOf(cell.events.filter((event) => event.metric === metric))}));
  }
  restore();

  // ---- Facts

  fill("reproduce", cell.reproduce && assay.command(cell.reproduce,
    "Copy the command that measures this cell again"), traceLinks());
  fill("facts", (cell.facts || []).length > 0 && el("dl.facts-list", null,
    cell.facts.map(([label, text]) => el("div", null,
      el("dt", null, label.replace(/_/g, " ")), el("dd", null,
        // Digits that say nothing are left out.
        /^-?\d+\.\d{7,}$/.test(text) ? String(Number(Number(text)
          .toPrecision(6))) : String(text))))));
  fill("acknowledgements", list(cell.acknowledgements || [], (a) => [
    el("span.cell", null, el("b", null, a.kind), el("small", null,
      `${a.author}, ${day(a.made_at)}`)),
    el("span.cell", null, a.reason, el("small", null, a.silent
      ? "holds for the level of now" : "does not hold for the level of now",
    a.until ? `, until ${day(a.until)}` : ""))]));
  fill("bisections", list(cell.bisections || [], (name) => [
    el("a", {href: `bisection.html#${encodeURIComponent(name)}`}, name)]));
  const artifacts = [...(cell.artifacts || [])].reverse();
  fill("artifacts", artifacts.length > 0 && assay.table("Artifacts",
    ["Since", "Digest"], artifacts.slice(0, 50).map((a) => [
      nights.name(a.night), el("code", null, String(a.digest).slice(0, 16))])),
  artifacts.length > 50 && el("p.quiet", null,
    `${plural(artifacts.length - 50, "older artifact")} not shown`));

  // A trace of the cell, if it has one: a path inside the site.
  function traceLinks() {
    const trace = cell.trace || "";
    if (!/^[A-Za-z0-9_-][A-Za-z0-9._/-]*$/.test(trace) ||
        trace.includes("..")) return null;
    const url = new URL(trace, location.href).href;
    return el("p", null, el("a", {href: trace, download: ""},
      "Trace of one inference"), ", to open in ", el("a", {rel: "noreferrer",
      href: location.protocol === "file:" ? "https://ui.perfetto.dev/"
        : `https://ui.perfetto.dev/#!/?url=${encodeURIComponent(url)}`},
    "Perfetto"));
  }

  // After the chart was drawn: the verdict, and the cells of the same model.
  setTimeout(async () => {
    const colors = ["--line-3", "--line-4", "--line-5", "--line-6"];
    const dashes = [[2, 3], [8, 3], [8, 3, 2, 3]];
    const siblings = (cell.siblings || []).filter((id) =>
      Number.isInteger(id)).slice(0, colors.length * dashes.length);
    try {
      const others = (await Promise.all(siblings.map(whole))).map((other) => {
        const differs = Object.entries(other.variant || {}).filter(
          ([key, value]) => (cell.variant || {})[key] !== value)
          .map(([key, value]) => assay.variantText(key, value));
        if (other.threads !== cell.threads) {
          differs.push(plural(other.threads, "thread"));
        }
        return {other, differs};
      });
      // Those that differ in one respect come first.
      others.sort((a, b) => a.differs.length - b.differs.length);
      others.forEach(({other, differs}, i) => {
        const line = {name: differs.join(", ") || `cell ${other.id}`,
          key: String(other.id), runs: other.nights.run,
          values: other.nights.median, color: colors[i % colors.length],
          dash: dashes[Math.floor(i / colors.length)], hidden: true,
          href: `cell.html#${other.id}`};
        lines.push(line);
        addToggle(line);
      });
    } catch {
      // The page is complete without them.
    }
    restore();
    try {
      const cells = new assay.Cells(await need.front());
      const id = Number(address.id);
      if (id >= cells.size) return;
      const box = byId("verdict");
      box.append(el("small", null, "Verdict"), assay.badge(cells.status(id)));
      box.hidden = false;
      const known = cells.front.devices.find((d) => d.name === cell.device ||
        d.key === cell.device);
      if (known) {
        byId("device").replaceChildren(el("a", {href: `device.html#${
          encodeURIComponent(known.key)}`}, cell.device));
      }
    } catch {
      // The verdict is on the front page, too.
    } finally {
      performance.mark("siblings");
    }
  });
});
