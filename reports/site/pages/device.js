// The page of a device: its health over the nights, its boards, and what
// changed on it.
"use strict";
assay.start(async () => {
  const {el, fill, byId, need, count, percent, moment, day, Address,
    Chart, Nights} = assay;
  const address = new Address(true);
  const front = await need.front();
  const known = front.devices.find((device) => device.key === address.id);
  const [device, allNights] = await Promise.all([need.named("device",
    "devices", address.id, front.devices.map((d) => d.key)), need.nights()]);
  const nights = new Nights(allNights);

  const name = known.name || known.key;
  byId("headline").textContent = name;
  document.title = `Assay: device ${name}`;
  fill("crumbs", el("a", {href: "index.html"}, "Devices"), " / ", name);
  fill("lead", [known.state, `${assay.plural(known.cells, "cell")}`,
    known.last_seen && `last seen ${day(known.last_seen)}`].filter(Boolean)
    .join(" · "), " · ", el("a", {href: `index.html#${new URLSearchParams(
    {device: name})}`}, "its cells"));

  const specs = [
    ["noise", "Noise", "relative spread of programs that did not change",
      percentOf],
    ["level", "Common movement", "of all programs that did not change, against "
      + "the first night", percentOf],
    ["canary", "Canary", "right verdicts about programs of known slow-down",
      percentOf],
    ["temperature", "Temperature", "the highest of the night",
      (v) => `${short(v)}\u00a0°C`],
    ["throttled", "Throttled", "rows during which the clock was lowered",
      count],
    ["disturbed", "Disturbed", "rows during which something else ran", count],
  ];
  function short(value) {
    return String(Number(value.toPrecision(4)));
  }
  function percentOf(ratio) {
    return percent(ratio).replace(/^\+/, "");
  }
  const present = specs.filter(([key]) => (device[key] || []).some((v) =>
    v !== null && v !== undefined));
  fill("charts", present.length > 0 ? present.map(([key]) =>
    el("div", {id: `chart-${key}`}))
    : el("p.quiet", null, "Nothing was recorded about its health."));
  const changes = device.changes || [];
  const charts = present.map(([key, title, about, format, tick]) => {
    const place = el("div");
    byId(`chart-${key}`).append(el("h3", null, title),
      el("p.quiet", null, about), place);
    return new Chart(place, {label: `${title}, ${about}, of ${name}`, nights,
      lines: [{name: title, runs: device.runs, values: device[key],
        color: "--accent"}],
      format, tick: tick || format,
      least: key === "throttled" || key === "disturbed" ? 1 : 0.005,
      marks: changes.map((change) => ({run: change.run, text: "◇",
        color: "--soft", dash: [3, 4]}))});
  });

  const buttons = [["30", "30"], ["90", "90"], ["365", "365"], ["", "all"]].map(
    ([value, text], i) => {
      const choose = () => {
        address.set({nights: value});
        restore();
      };
      assay.key([String(i + 1)], String(i + 1),
        `show ${value || "all"} nights`, choose);
      return [value, el("button", {type: "button", on: {click: choose}},
        text)];
    });
  fill("ranges", buttons.map(([, button]) => button));
  function restore() {
    const range = /^(30|90|365)$/.test(address.get("nights"))
      ? Number(address.get("nights")) : 0;
    buttons.forEach(([value, button]) => button.setAttribute("aria-pressed",
      value === (range ? String(range) : "")));
    charts.forEach((chart) => chart.range !== range && chart.setRange(range));
  }
  restore();
  address.follow((other) => other ? location.reload() : restore());

  fill("changes", changes.length > 0 && el("ul.items.wide", null,
    [...changes].reverse().slice(0, 100).map((change) => el("li", null,
      el("span", null, el("time", null,
        moment((nights.runs[change.run] || {}).started_at))),
      el("span", null, change.what)))));
  fill("boards", (device.boards || []).length > 0 && assay.table("Boards",
    ["Board", "#Rows", "Last seen"], device.boards.map((board) => [board.name,
      count(board.rows), moment(board.last_seen)])));
  const facts = Object.entries(device.facts || {});
  fill("facts", facts.length > 0 && el("dl.facts-list", null, facts.map(
    ([key, value]) => el("div", null, el("dt", null, key.replace(/_/g, " ")),
      el("dd", null, String(value))))));
});
