// Charts of values by night, drawn by uPlot: lines with bands, marks of events,
// and stacks. A chart can have the focus; then the arrow keys select a night,
// which is announced. Below it is a table with the same numbers.
"use strict";
(() => {
  const {el, plural} = assay;

  const charts = [];

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name)
      .trim();
  }

  // Labels `05-01` with the year below, or `18:00` with the date below if the
  // step is less than a day. The second line is shown only when it changes.
  function timeLabels(u, splits, axis, space, step) {
    let before = "";
    return splits.map((x) => {
      const text = new Date(x * 1e3).toISOString();
      const [label, below] = step < 86400
        ? [text.slice(11, 16), text.slice(0, 10)]
        : [text.slice(5, 10), text.slice(0, 4)];
      if (below === before) return label;
      before = below;
      return `${label}\n${below}`;
    });
  }

  // The runs of a chart on the horizontal axis: times in seconds or, if the
  // clock went backwards, numbers.
  class Nights {
    // `nights` is the file of all runs.
    constructor(nights) {
      this.runs = nights.runs;
      this.times = this.runs.map((run) => Date.parse(run.started_at) / 1000);
      this.timed = this.times.every((time, i) => Number.isFinite(time) &&
        (i === 0 || time > this.times[i - 1]));
    }
    x(run) {
      return this.timed ? this.times[run] : run;
    }
    // False for a run that is newer than the list of runs.
    has(run) {
      return run < this.runs.length;
    }
    name(run) {
      const night = this.runs[run];
      if (!night) return `run ${run}`;
      const commit = (night.commit || "").slice(0, 10);
      return `${assay.moment(night.started_at)}${commit ? ` ${commit}` : ""}`;
    }
    commit(run) {
      return (this.runs[run] || {}).commit || "";
    }
  }

  // A chart in the element `root`. `spec` has
  //   label      what it shows, for people who do not see it;
  //   nights     a Nights;
  //   lines      [{name, runs, values, color, lower, upper, dash, hidden}]:
  //              `color` is a custom property of the style sheet; `lower` and
  //              `upper` are the bounds of a band;
  //   marks      [{run, text, color, dash}]: vertical lines before a run;
  //   levels     [{run, before, after}]: changes of the first line's level;
  //   stack      true to stack the lines, the first at the bottom;
  //   format     the text of a value, with its unit;
  //   height     in pixels.
  class Chart {
    constructor(root, spec) {
      this.spec = {height: 176, marks: [], levels: [], format: assay.digits,
        ...spec};
      this.box = el("div.chart", {tabIndex: 0, role: "application",
        "aria-roledescription": "chart", "aria-label":
          `${spec.label}. The arrow keys select a night${spec.onOpen
            ? ", Enter opens its commit" : ""}.`});
      this.box.style.height = `${this.spec.height}px`;
      this.readout = el("p.readout");
      this.live = el("p.sr", {"aria-live": "polite"});
      this.legend = el("div");
      this.summary = el("summary");
      this.table = el("div");
      const details = el("details.nights", null, this.summary, this.table);
      details.addEventListener("toggle", () => this.fillTable());
      this.details = details;
      root.replaceChildren(el("figure", null, this.box, this.readout,
        this.live, this.legend, details));
      this.box.addEventListener("keydown", (event) => this.key(event));
      this.range = 0;
      this.join();
      new ResizeObserver(() => {
        const width = this.box.clientWidth;
        if (this.plot && width > 0 && width !== this.plot.width) {
          this.plot.setSize({width, height: this.spec.height});
        }
      }).observe(this.box);
      charts.push(this);
    }

    shownLines() {
      return this.spec.lines.filter((line) => !line.hidden);
    }

    // Puts all lines on the same nights, of the newest `range` nights of the
    // first line (0: all), and draws them.
    join() {
      const first = this.spec.lines[0];
      const from = this.range > 0 && first.runs.length > this.range
        ? first.runs[first.runs.length - this.range] : -1;
      const all = new Set();
      for (const line of this.shownLines()) {
        for (const run of line.runs) {
          if (run >= from && this.spec.nights.has(run)) all.add(run);
        }
      }
      this.runs = [...all].sort((a, b) => a - b);
      const place = new Map(this.runs.map((run, i) => [run, i]));
      const spread = (line, values) => {
        const result = new Array(this.runs.length).fill(null);
        line.runs.forEach((run, i) => {
          const at = place.get(run);
          if (at !== undefined) result[at] = values[i] ?? null;
        });
        return result;
      };
      this.values = this.shownLines().map((line) => ({
        line,
        values: spread(line, line.values),
        lower: line.lower && spread(line, line.lower),
        upper: line.upper && spread(line, line.upper),
      }));
      this.x = this.runs.map((run) => this.spec.nights.x(run));
      this.summary.textContent =
        `${plural(this.runs.length, "night")} as a table`;
      this.page = 0;
      this.draw();
      this.fillTable();
    }

    setRange(range) {
      this.range = range;
      this.join();
    }

    draw() {
      if (this.plot) this.plot.destroy();
      this.plot = null;
      if (this.runs.length === 0) {
        this.readout.textContent = "There are no values.";
        return;
      }
      const data = [this.x];
      const series = [{}];
      const bands = [];
      const dots = this.runs.length < 50;
      const sums = new Array(this.runs.length).fill(0);
      for (const {line, values, lower, upper} of this.values) {
        const stroke = color(line.color);
        let drawn = values;
        if (this.spec.stack) {
          drawn = values.map((value, i) => sums[i] += value ?? 0);
          bands.push(data.length === 1 ? null
            : {series: [data.length, data.length - 1], fill: stroke});
        }
        data.push(drawn);
        series.push({
          stroke: this.spec.stack ? color("--card") : stroke,
          width: this.spec.stack || this.runs.length > 400 ? 1 : 1.5,
          dash: line.dash,
          fill: this.spec.stack && data.length === 2 ? stroke : undefined,
          points: this.spec.stack ? {show: false}
            : {show: dots, size: 5, fill: stroke},
          spanGaps: true,
        });
        if (lower) {
          const bound = {stroke: "transparent", points: {show: false},
            spanGaps: false};
          bands.push({series: [data.length + 1, data.length],
            fill: color("--band")});
          data.push(lower, upper);
          series.push(bound, bound);
        }
      }
      const axis = {
        stroke: color("--soft"),
        font: "12px system-ui, sans-serif",
        grid: {stroke: color("--rule"), width: 1},
        ticks: {show: false},
      };
      const {timed} = this.spec.nights;
      const labels = timed ? timeLabels : (u, splits) => splits.map((x) =>
        Number.isInteger(x) ? String(x) : "");
      this.plot = new uPlot({
        width: this.box.clientWidth || 320,
        height: this.spec.height,
        padding: [18, 14, 0, 0],
        legend: {show: false},
        tzDate: (s) => uPlot.tzDate(new Date(s * 1e3), "Etc/UTC"),
        cursor: {y: false, drag: {x: false, y: false},
          points: {show: !this.spec.stack}, sync: {key: "nights",
            scales: ["x", null]}},
        scales: {
          x: {time: timed, range: (u, min, max) => {
            const pad = (max - min) * 0.015 || (timed ? 43200 : 0.5);
            return [min - pad, max + pad];
          }},
          y: {range: (u, min, max) => this.yRange(min, max)},
        },
        axes: [{...axis, space: 72, values: labels},
          {...axis, space: 36,
            size: (u, values) => 20 + 7.5 * Math.max(4, ...(values || []).map(
              (text) => text.length)),
            values: (u, splits) => splits.map((v) => this.tick(v))}],
        series,
        bands: bands.filter(Boolean),
        hooks: {
          draw: [(u) => {
            this.drawMarks(u);
            performance.mark("chart");
          }],
          setCursor: [(u) => this.show(u.cursor.idx)],
        },
      }, data, this.box);
      this.show(null);
    }

    tick(value) {
      return this.spec.tick ? this.spec.tick(value)
        : String(Number(value.toPrecision(6))).replace("-", "−");
    }

    // The axis covers at least 4 %, so that noise does not fill the chart.
    yRange(min, max) {
      if (min === null || max === null) return [0, 1];
      if (this.spec.stack) return [0, max * 1.05 || 1];
      const middle = (min + max) / 2;
      const half = Math.max((max - min) * 0.55, Math.abs(middle) * 0.02,
        this.spec.least || 1e-12);
      const low = middle - half;
      return [min >= 0 && low < 0 ? 0 : low, middle + half];
    }

    // The horizontal position just before a run, or null outside the chart.
    before(u, run) {
      const at = this.runs.findIndex((other) => other >= run);
      if (at < 0 || (at === 0 && this.runs[0] > run)) return null;
      if (at === 0) return u.bbox.left;
      return Math.round(u.valToPos((this.x[at - 1] + this.x[at]) / 2, "x",
        true));
    }

    drawMarks(u) {
      const {ctx, bbox} = u;
      const pixel = devicePixelRatio;
      const right = bbox.left + bbox.width;
      ctx.save();
      ctx.lineWidth = pixel;
      ctx.font = `${12 * pixel}px system-ui, "DejaVu Sans", sans-serif`;
      ctx.textAlign = "center";
      let taken = -Infinity;
      for (const {run, text, color: name, dash} of this.spec.marks) {
        const x = this.before(u, run);
        if (x === null) continue;
        ctx.strokeStyle = ctx.fillStyle = color(name);
        ctx.setLineDash((dash || []).map((d) => d * pixel));
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        // Texts that would cover each other are left out; the list has all.
        const half = ctx.measureText(text).width / 2;
        const at = Math.min(Math.max(x, bbox.left + half), right - half);
        if (at - half < taken) continue;
        taken = at + half + 4 * pixel;
        ctx.fillText(text, at, bbox.top - 5 * pixel);
      }
      ctx.setLineDash([]);
      ctx.strokeStyle = color("--ink");
      this.levelSegments().forEach(([from, to, level]) => {
        const left = from === null ? bbox.left : this.before(u, from);
        const end = to === null ? right : this.before(u, to);
        if (end === null || (from !== null && left === null &&
            from > this.runs[this.runs.length - 1])) return;
        const y = Math.round(u.valToPos(level, "y", true));
        if (y < bbox.top || y > bbox.top + bbox.height) return;
        ctx.beginPath();
        ctx.moveTo(left === null ? bbox.left : left, y);
        ctx.lineTo(end, y);
        ctx.stroke();
      });
      if (this.spec.stack) this.numberStack(u);
      ctx.restore();
    }

    levelSegments() {
      const {levels} = this.spec;
      return levels.length === 0 ? []
        : [[null, levels[0].run, levels[0].before],
          ...levels.map(({run, after}, i) =>
            [run, levels[i + 1] ? levels[i + 1].run : null, after])];
    }

    // Writes the number of each part of the stack that is high enough at the
    // newest night, as in the legend, so that colours are not needed.
    numberStack(u) {
      const {ctx, bbox} = u;
      const last = this.runs.length - 1;
      let sum = 0;
      ctx.font = `600 ${11 * devicePixelRatio}px system-ui, sans-serif`;
      ctx.textAlign = "right";
      ctx.textBaseline = "middle";
      ctx.fillStyle = color("--on-stack");
      this.values.forEach(({values}, i) => {
        const value = values[last] ?? 0;
        const top = u.valToPos(sum + value, "y", true);
        const bottom = u.valToPos(sum, "y", true);
        sum += value;
        if (bottom - top < 13 * devicePixelRatio) return;
        ctx.fillText(String(i + 1), u.valToPos(this.x[last], "x", true) -
          6 * devicePixelRatio, (top + bottom) / 2);
      });
    }

    text(index) {
      const parts = this.values.map(({line, values, lower, upper}) => {
        const value = values[index];
        if (value === null) return null;
        const interval = lower && lower[index] !== null
          ? ` [${assay.digits(lower[index])}, ${assay.digits(upper[index])}]`
          : "";
        const name = this.values.length > 1 ? `${line.name} ` : "";
        return `${name}${this.spec.format(value)}${interval}`;
      }).filter(Boolean);
      if (this.spec.stack) {
        const sum = this.values.reduce((s, v) => s + (v.values[index] ?? 0), 0);
        return `${this.name(index)}: ${this.spec.format(sum)}, all kernels`;
      }
      return `${this.name(index)}: ${parts.join(", ") || "no value"}`;
    }

    name(index) {
      return this.spec.nights.name(this.runs[index]);
    }

    // `index` is null after the pointer has left the chart.
    show(index) {
      this.index = index ?? this.runs.length - 1;
      this.readout.textContent = this.text(this.index);
      if (this.spec.onNight) this.spec.onNight(this, this.index);
    }

    key(event) {
      if (!this.plot || event.ctrlKey || event.metaKey || event.altKey) return;
      const last = this.runs.length - 1;
      const step = event.shiftKey ? 10 : 1;
      const index = {
        ArrowLeft: this.index - step,
        ArrowDown: this.index - step,
        ArrowRight: this.index + step,
        ArrowUp: this.index + step,
        PageUp: this.index - 30,
        PageDown: this.index + 30,
        Home: 0,
        End: last,
      }[event.key];
      if (event.key === "Enter" && this.spec.onOpen) {
        this.spec.onOpen(this.runs[this.index]);
      }
      if (index === undefined) return;
      event.preventDefault();
      const chosen = Math.min(Math.max(index, 0), last);
      this.plot.setCursor({left: this.plot.valToPos(this.x[chosen], "x"),
        top: this.spec.height / 2});
      this.show(chosen);
      this.live.textContent = this.text(chosen);
    }

    // The numbers, newest night first, fifty to a page.
    fillTable() {
      if (!this.details.open) return;
      const size = 50;
      const pages = Math.ceil(this.runs.length / size);
      const titles = ["Night"];
      for (const {line, lower} of this.values) {
        titles.push(`#${line.name}`);
        if (lower) titles.push("#99 % in");
      }
      const rows = [];
      for (let i = this.runs.length - 1 - this.page * size;
        i >= 0 && rows.length < size; --i) {
        const row = [this.name(i)];
        for (const {values, lower, upper} of this.values) {
          row.push(values[i] === null ? "–" : this.spec.format(values[i]));
          if (lower) {
            row.push(lower[i] === null ? "unknown"
              : `${assay.digits(lower[i])} to ${assay.digits(upper[i])}`);
          }
        }
        rows.push(row);
      }
      const turn = (text, label, step, disabled) => el("button", {
        type: "button", "aria-label": label, disabled, on: {click: () => {
          this.page += step;
          this.fillTable();
        }}}, text);
      this.table.replaceChildren(
        assay.table(`Nights: ${this.spec.label}`, titles, rows),
        pages > 1 && el("div.pager", null,
          el("p.quiet", {role: "status"}, `Page ${this.page + 1} of ${pages}`),
          turn("‹", "Newer nights", -1, this.page === 0),
          turn("›", "Older nights", 1, this.page + 1 >= pages)) || "");
    }
  }

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    charts.forEach((chart) => chart.draw());
  });

  Object.assign(assay, {Chart, Nights});
})();
