// The script of the page: draws charts when they become visible, filters the
// cells, fills tables of nights when they are opened, and copies commands.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const cards = [...document.querySelectorAll("article")];
  const timed = data.times.every((t) => t !== null);

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name);
  }

  function milliseconds(ms) {
    return ms === null ? "?" : String(ms);
  }

  // Text for one night.
  function describe(cell, night) {
    const [lower, upper] = [cell.lower[night], cell.upper[night]];
    const [words, symbol] = data.statuses[cell.verdict[night]];
    const interval = lower === null ? "" : ` [${lower}, ${upper}]`;
    return `${data.runs[cell.run[night]]}: ` +
      `${milliseconds(cell.median[night])} ms${interval}, ${symbol} ${words}`;
  }

  // Segments of constant level: [first night, end, level].
  function levels(cell) {
    const changes = cell.changes || [];
    if (changes.length === 0) return [];
    const result = [[0, changes[0][0], changes[0][1]]];
    changes.forEach(([night, , after], i) => {
      const next = changes[i + 1];
      result.push([night, next ? next[0] : cell.run.length, after]);
    });
    return result;
  }

  // The x coordinate halfway between a night and the preceding one.
  function between(u, night) {
    const x = u.data[0];
    return Math.round(u.valToPos((x[night - 1] + x[night]) / 2, "x", true));
  }

  function drawMarks(u, cell) {
    const {ctx, bbox} = u;
    const pixel = devicePixelRatio;
    const vertical = (x, dash) => {
      ctx.setLineDash(dash.map((d) => d * pixel));
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    };
    ctx.save();
    ctx.lineWidth = pixel;
    ctx.font = `${12 * pixel}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.strokeStyle = ctx.fillStyle = color("--soft");
    for (const [night, sign] of cell.environments || []) {
      const x = between(u, night);
      vertical(x, [3, 4]);
      ctx.fillText(sign, x, bbox.top - 4 * pixel);
    }
    const colors = {"▲": "--bad", "▼": "--good"};
    for (const [night, , , text] of cell.changes || []) {
      ctx.strokeStyle = ctx.fillStyle = color(colors[text[0]] || "--soft");
      const x = between(u, night);
      const half = ctx.measureText(text).width / 2;
      const right = bbox.left + bbox.width;
      vertical(x, []);
      ctx.fillText(text, Math.min(Math.max(x, bbox.left + half), right - half),
        bbox.top - 4 * pixel);
    }
    ctx.strokeStyle = color("--ink");
    ctx.setLineDash([]);
    for (const [first, end, level] of levels(cell)) {
      const y = Math.round(u.valToPos(level, "y", true));
      ctx.beginPath();
      ctx.moveTo(first === 0 ? bbox.left : between(u, first), y);
      ctx.lineTo(end === cell.run.length ? bbox.left + bbox.width
        : between(u, end), y);
      ctx.stroke();
    }
    ctx.restore();
  }

  function xRange(u, min, max) {
    const pad = (max - min) * 0.02 || (timed ? 43200 : 0.5);
    return [min - pad, max + pad];
  }

  // The y axis covers at least 4 %, so that noise does not fill the chart.
  function yRange(u, min, max) {
    const middle = (min + max) / 2;
    const half = Math.max((max - min) * 0.55, middle * 0.02);
    return [middle - half, middle + half];
  }

  // Labels `05-01` with the year below, or `18:00` with the date below if the
  // step is less than a day. The second line is shown only when it changes.
  function xLabels(u, splits, axis, space, step) {
    let before = "";
    return splits.map((x) => {
      if (!timed) return data.runs[x] === undefined ? "" : String(x + 1);
      const text = new Date(x * 1e3).toISOString();
      const [label, below] = step < 86400
        ? [text.slice(11, 16), text.slice(0, 10)]
        : [text.slice(5, 10), text.slice(0, 4)];
      if (below === before) return label;
      before = below;
      return `${label}\n${below}`;
    });
  }

  function options(cell, width, onNight) {
    const axis = {
      stroke: color("--soft"),
      font: "12px system-ui, sans-serif",
      grid: {stroke: color("--rule"), width: 1},
      ticks: {show: false},
    };
    const bound = {stroke: "transparent", points: {show: false}};
    return {
      width,
      height: 176,
      padding: [18, 20, 0, 0],
      legend: {show: false},
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), "Etc/UTC"),
      cursor: {y: false, drag: {x: false, y: false}},
      scales: {x: {time: timed, range: xRange}, y: {range: yRange}},
      axes: [{...axis, space: 72, values: xLabels}, {...axis, size: 56}],
      series: [
        {},
        {
          stroke: color("--accent"),
          width: 1.5,
          points: {show: cell.run.length < 40, size: 5},
        },
        bound,
        bound,
      ],
      bands: [{series: [3, 2], fill: color("--band")}],
      hooks: {
        draw: [(u) => drawMarks(u, cell)],
        setCursor: [(u) => onNight(u.cursor.idx)],
      },
    };
  }

  class Chart {
    constructor(box, cell) {
      this.box = box;
      this.cell = cell;
      this.readout = box.parentElement.querySelector(".readout");
      this.night = cell.run.length - 1;
      this.x = cell.run.map((run) => timed ? data.times[run] : run);
      box.addEventListener("keydown", (event) => this.key(event));
      new ResizeObserver(() => {
        if (this.plot) {
          this.plot.setSize({width: box.clientWidth, height: 176});
        }
      }).observe(box);
      this.show(this.night);
      this.draw();
    }

    draw() {
      if (this.plot) this.plot.destroy();
      const {median, lower, upper} = this.cell;
      this.plot = new uPlot(
        options(this.cell, this.box.clientWidth, (night) => this.show(night)),
        [this.x, median, lower, upper], this.box);
    }

    // `night` is null after the pointer has left the chart.
    show(night) {
      this.night = night ?? this.cell.run.length - 1;
      const text = describe(this.cell, this.night);
      this.readout.textContent = text;
      this.box.setAttribute("aria-valuenow", this.night + 1);
      this.box.setAttribute("aria-valuetext", text);
    }

    key(event) {
      const last = this.cell.run.length - 1;
      const night = {
        ArrowLeft: this.night - 1,
        ArrowDown: this.night - 1,
        ArrowRight: this.night + 1,
        ArrowUp: this.night + 1,
        Home: 0,
        End: last,
      }[event.key];
      if (night === undefined) return;
      event.preventDefault();
      const chosen = Math.min(Math.max(night, 0), last);
      this.plot.setCursor({
        left: this.plot.valToPos(this.x[chosen], "x"),
        top: this.plot.valToPos(this.cell.median[chosen], "y"),
      });
      this.show(chosen);
    }
  }

  const charts = [];
  const onScreen = new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      onScreen.unobserve(target);
      const index = cards.indexOf(target.closest("article"));
      charts.push(new Chart(target, data.cells[index]));
    }
  }, {rootMargin: "400px"});
  document.querySelectorAll(".chart").forEach((box) => onScreen.observe(box));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    charts.forEach((chart) => chart.draw());
  });

  // Tables of nights, newest first.
  function fillNights(details, cell) {
    const box = details.querySelector(".scroll");
    if (box.firstChild) return;
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const title of ["Night", "Median, ms", "99 % in", "Verdict"]) {
      const th = document.createElement("th");
      th.scope = "col";
      th.textContent = title;
      head.append(th);
    }
    const body = table.createTBody();
    for (let night = cell.run.length - 1; night >= 0; --night) {
      const row = body.insertRow();
      const [words, symbol] = data.statuses[cell.verdict[night]];
      const lower = cell.lower[night];
      for (const text of [
        data.runs[cell.run[night]],
        milliseconds(cell.median[night]),
        lower === null ? "too few samples" : `[${lower}, ${cell.upper[night]}]`,
        `${symbol} ${words}`,
      ]) {
        row.insertCell().textContent = text;
      }
    }
    box.append(table);
  }
  cards.forEach((card, index) => {
    const details = card.querySelector("details.nights");
    details?.addEventListener("toggle", () => {
      if (details.open) fillNights(details, data.cells[index]);
    });
  });

  // Filters. They are stored in the URL fragment, so a view can be shared.
  const form = document.querySelector(".filters");
  const selects = [...form.querySelectorAll("select")];
  const buttons = [...form.querySelectorAll("[data-verdict]")];
  const pressed = (button) => button.getAttribute("aria-pressed") === "true";

  function filter() {
    const verdicts = buttons.filter(pressed).map((b) => b.dataset.verdict);
    const wanted = new URLSearchParams();
    for (const select of selects) {
      // The first option selects all.
      if (select.selectedIndex > 0) wanted.set(select.id, select.value);
    }
    let shown = 0;
    for (const card of cards) {
      const fits = [...wanted].every(([key, value]) =>
        card.dataset[key] === value) &&
        (verdicts.length === 0 || verdicts.includes(card.dataset.verdict));
      card.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    verdicts.forEach((verdict) => wanted.append("verdict", verdict));
    document.getElementById("shown").textContent =
      `${shown} of ${cards.length} cells`;
    history.replaceState(null, "", `#${wanted}`);
  }

  function readAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const select of selects) {
      const values = [...select.options].map((option) => option.value);
      select.selectedIndex =
        Math.max(values.indexOf(wanted.get(select.id), 1), 0);
    }
    const verdicts = wanted.getAll("verdict");
    for (const button of buttons) {
      button.setAttribute("aria-pressed",
        verdicts.includes(button.dataset.verdict));
    }
    if ([...wanted].length > 0) filter();
  }

  selects.forEach((select) => select.addEventListener("change", filter));
  buttons.forEach((button) => button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", !pressed(button));
    filter();
  }));
  form.addEventListener("reset", () => {
    buttons.forEach((b) => b.setAttribute("aria-pressed", false));
    // The selects are reset after this event.
    setTimeout(filter);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  readAddress();

  // Copy buttons. Without access to the clipboard, the command is selected.
  for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }
})();
