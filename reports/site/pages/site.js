// The functions that all pages of the site share: loading of data, the address,
// formats, elements, and keys.
//
// The data are scripts of one statement, `assay.load(KIND, VALUE)`, because
// browsers refuse fetch() for pages that were opened from a file. Their names
// are built from checked parts only. Text from the data, such as names of
// models, is written with textContent and never parsed as HTML.
"use strict";
const assay = (() => {
  // A problem that the reader is told about in one sentence.
  class Problem extends Error {}

  const awaited = new Map();
  const loaded = new Map();

  // Called by the data files.
  function load(kind, value) {
    const request = awaited.get(document.currentScript);
    if (request && request.kind === kind) request.value = value;
  }

  // Returns a promise of the value of `data/<file>.js`.
  function request(kind, file, missing) {
    if (loaded.has(file)) return loaded.get(file);
    const promise = new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const entry = {kind};
      awaited.set(script, entry);
      script.src = `data/${file}.js`;
      script.addEventListener("load", () => {
        if (entry.value !== undefined && entry.value !== null) {
          resolve(entry.value);
        } else {
          reject(new Problem(`The file data/${file}.js is damaged; write the ` +
            "site again."));
        }
      });
      script.addEventListener("error", () => reject(new Problem(
        `${missing} (There is no file data/${file}.js.)`)));
      document.head.append(script);
    });
    loaded.set(file, promise);
    return promise;
  }

  function number(text) {
    if (!/^\d{1,9}$/.test(String(text))) {
      throw new Problem(`“${text}” is not a number of a cell or a run.`);
    }
    return Number(text);
  }

  const need = {
    front: () => request("front", "front", "The site has no data yet."),
    nights: () => request("nights", "nights", "The site has no runs yet."),
    cell: async (id) => request("cell", `cells/${number(id)}`,
      `The store has no cell ${id}.`),
    tail: async (group) => request("tail", `tails/${number(group)}`,
      "The newest nights of this cell are missing."),
    run: async (run) => request("run", `runs/${number(run)}`,
      `The store has no run ${run}.`),
    commit: async (sha) => {
      if (!/^[0-9a-f]{7,64}$/.test(sha)) {
        throw new Problem(`“${sha}” is not a commit.`);
      }
      return request("commit", `commits/${sha.slice(0, 12)}`,
        `No run of the store is of commit ${sha.slice(0, 12)}.`);
    },
    // `known` are the names that the front page lists.
    named: async (kind, folder, name, known) => {
      if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/.test(name) ||
          !known.includes(name)) {
        throw new Problem(`The store has no ${kind} “${name}”.`);
      }
      return request(kind, `${folder}/${name}`, `The store has no ${kind} ` +
        `“${name}”.`);
    },
  };

  // Shows a problem instead of the page's contents.
  function fail(error) {
    const box = document.getElementById("problem");
    box.hidden = false;
    box.textContent = error instanceof Problem ? error.message
      : `The page cannot show these data: ${error.message}.`;
    document.body.classList.add("failed");
    document.body.classList.remove("loading");
  }

  // ---- Elements

  // el("a.quiet", {href: "x"}, "text", node, ...): children that are null or
  // false are left out.
  function el(selector, properties, ...children) {
    const [tag, ...classes] = selector.split(".");
    const node = document.createElement(tag);
    if (classes.length > 0) node.className = classes.join(" ");
    for (const [key, value] of Object.entries(properties || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (key === "on") {
        for (const [type, f] of Object.entries(value)) {
          node.addEventListener(type, f);
        }
      } else if (key in node && !key.startsWith("aria") && key !== "list") {
        node[key] = value;
      } else {
        node.setAttribute(key, value);
      }
    }
    append(node, children);
    return node;
  }

  function append(node, children) {
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      node.append(child);
    }
    return node;
  }

  function svg(tag, attributes, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) {
      node.setAttribute(key, value);
    }
    return append(node, children);
  }

  const byId = (id) => document.getElementById(id);

  // Replaces the children of the element with this id. A section that gets
  // nothing is hidden.
  function fill(id, ...children) {
    const box = byId(id);
    box.replaceChildren();
    append(box, children);
    const section = box.closest("[data-optional]");
    if (section) section.hidden = box.childNodes.length === 0;
    return box;
  }

  // A table that can be scrolled sideways. `rows` are lists of texts or nodes.
  // Columns whose title starts with `#` have numbers.
  function table(label, titles, rows) {
    const numeric = titles.map((title) => title.startsWith("#"));
    const names = titles.map((title) => title.replace(/^#/, ""));
    return el("div.scroll", {tabIndex: 0, role: "region",
      "aria-label": `Table: ${label}`},
      el("table", null,
        el("thead", null, el("tr", null, names.map((title, i) =>
          el(numeric[i] ? "th.n" : "th", {scope: "col"}, title)))),
        el("tbody", null, rows.map((row) => el("tr", null,
          row.map((value, i) => el(numeric[i] ? "td.n" : "td", null, value))
        )))));
  }

  function copyButton(code, label) {
    const button = el("button.copy", {type: "button", "aria-label": label},
      "Copy");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        // Without access to the clipboard, the command is selected.
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    return button;
  }

  function command(text, label) {
    const code = el("code", null, text);
    return el("div.command", null, el("pre", {tabIndex: 0, role: "region",
      "aria-label": label.replace(/^Copy t/, "T")}, code),
    copyButton(code, label));
  }

  // ---- Formats

  const group = new Intl.NumberFormat("en");

  function count(n) {
    return group.format(n);
  }

  function plural(n, one, many) {
    return `${count(n)}\u00a0${n === 1 ? one : many || `${one}s`}`;
  }

  // Four significant digits, without an exponent.
  function digits(value) {
    if (value === null || value === undefined || !Number.isFinite(value)) {
      return "?";
    }
    if (value === 0) return "0";
    const magnitude = Math.floor(Math.log10(Math.abs(value)));
    if (magnitude >= 4) return group.format(Math.round(value));
    return value.toFixed(Math.min(Math.max(3 - magnitude, 0), 9));
  }

  const milliseconds = (ms) => `${digits(ms)}\u00a0ms`;

  // A difference in milliseconds, with its sign.
  function difference(ms) {
    if (!Number.isFinite(ms)) return "unbounded";
    const text = ms === 0 ? "0" : String(Number(Math.abs(ms).toPrecision(3)));
    return (ms > 0 ? "+" : ms < 0 ? "−" : "") + text;
  }

  // The part of a variant, for people.
  function variantText(key, value) {
    if (key === "tuning") return value === "none" ? "not tuned" : value;
    return `${key} ${value}`;
  }

  function percent(ratio) {
    if (ratio === null || ratio === undefined || !Number.isFinite(ratio)) {
      return "unbounded";
    }
    const tenths = Math.round(ratio * 1000);
    const text = (Math.abs(tenths) / 10).toFixed(1);
    const sign = tenths > 0 ? "+" : tenths < 0 ? "−" : "";
    return `${sign}${text}\u00a0%`;
  }

  // `+1.2 % [+1.0 %, +1.4 %]`; empty if there is no change.
  function change(ratio, lower, upper) {
    if (ratio === null || ratio === undefined) return "";
    const known = lower !== null && lower !== undefined;
    return percent(ratio) +
      (known ? ` [${percent(lower)}, ${percent(upper)}]` : "");
  }

  function scaled(value, units, step) {
    let i = 0;
    while (Math.abs(value) >= step * 10 && i + 1 < units.length) {
      value /= step;
      ++i;
    }
    return `${digits(value)}\u00a0${units[i]}`;
  }
  const bytes = (n) => scaled(n, ["B", "kB", "MB", "GB"], 1000);
  const many = (n) => scaled(n, ["", "k", "M", "G", "T"], 1000).trim();

  // `2026-11-29T01:00:00Z` as `2026-11-29 01:00`.
  function moment(text) {
    const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(text || "");
    return parts ? `${parts[1]} ${parts[2]}` : String(text || "");
  }
  const day = (text) => moment(text).slice(0, 10);

  function commitLink(sha, before) {
    if (!/^[0-9a-f]{7,64}$/.test(sha || "")) return null;
    return [before || null, el("a.sha", {href: `commit.html#${
      sha.slice(0, 12)}`}, sha.slice(0, 10))];
  }

  // ---- Verdicts and cells

  const kindSigns = {bad: "✕", unjudged: "○", good: "✓", quiet: "·"};

  function sign(status) {
    return el("span.sign", {"aria-hidden": "true"},
      status.sign || kindSigns[status.kind] || "·");
  }

  function badge(status) {
    return el(`span.badge.k-${/^[a-z]+$/.test(status.kind) ? status.kind
      : "quiet"}`, null, sign(status), ` ${status.label || status.name}`);
  }

  function decode(base64) {
    const text = atob(base64 || "");
    const bytesOf = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) bytesOf[i] = text.charCodeAt(i);
    return bytesOf;
  }

  const kNights = 32;

  // The columns of the front page's data, by cell.
  class Cells {
    constructor(front) {
      this.front = front;
      this.size = front.cells.suite.length;
      this.facets = front.strings.map((text) => ({
        fusion: (/fusion (\w+)/.exec(text) || [])[1] || "",
        tuned: /(^|, )tuned/.test(text) ? "tuned" : "not tuned",
      }));
      this.names = [];
    }
    text(column, i) {
      return this.front.strings[this.front.cells[column][i]] ?? "";
    }
    // The value of a filter.
    facet(name, i) {
      if (name === "threads") return String(this.front.cells.threads[i]);
      if (name === "fusion" || name === "tuned") {
        return this.facets[this.front.cells.variant[i]][name];
      }
      return this.text(name, i);
    }
    status(i) {
      return this.front.statuses[this.front.cells.status[i]] ||
        {name: "unknown", label: "unknown", severity: 0, kind: "quiet"};
    }
    value(column, i) {
      const value = this.front.cells[column][i];
      return value === undefined ? null : value;
    }
    // The name in a store: `full/resnet18/host/fusion_on/threads_2`.
    name(i) {
      return this.names[i] ??= [this.text("suite", i), this.text("model", i),
        this.text("device", i), this.text("variant", i).replace(/, /g, "/")
          .replace(/ /g, "_"),
        `threads_${this.front.cells.threads[i]}`].join("/");
    }
    about(i) {
      const threads = this.front.cells.threads[i];
      return [this.text("suite", i), this.text("device", i),
        this.text("variant", i),
        `${threads} thread${threads === 1 ? "" : "s"}`].join(" · ");
    }
    link(i) {
      return el("a.cell", {href: `cell.html#${i}`},
        el("b", null, this.text("model", i)), el("small", null, this.about(i)));
    }
    change(i) {
      if (this.value("change", i) === null) return null;
      return [percent(this.value("change", i)),
        this.value("lower", i) !== null && el("small", null,
          `[${percent(this.value("lower", i))}, ${
            percent(this.value("upper", i))}]`)];
    }
    // The newest nights as a line; the vertical axis covers at least 4 %.
    spark(i) {
      this.sparks ??= decode(this.front.cells.spark);
      const lo = this.value("spark_lo", i);
      const hi = this.value("spark_hi", i);
      const values = this.sparks.subarray(i * kNights, (i + 1) * kNights);
      const half = Math.max((hi - lo) / 2, (hi + lo) / 2 * 0.02) || 1;
      const points = [];
      values.forEach((byte, x) => {
        if (byte === 255) return;
        const at = (lo + (hi - lo) * byte / 254 - (lo + hi) / 2) / half;
        points.push([2 + x * 92 / (kNights - 1), 12 - at * 9]);
      });
      if (points.length === 0) return el("span.quiet", null, "not timed");
      const last = points[points.length - 1];
      const text = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
      return el("span.spark", null,
        svg("svg", {viewBox: "0 0 96 24", width: 96, height: 24,
          "aria-hidden": "true"},
        svg("path", {d: `M${text.join("L")}`}),
        svg("circle", {cx: last[0].toFixed(1), cy: last[1].toFixed(1), r: 2})),
        el("span.sr", null, `${digits(lo)} to ${milliseconds(hi)}`));
    }
  }

  // The values of a run, by cell; NaN and 255 are missing ones.
  function runValues(run) {
    const raw = decode(run.medians);
    const view = new DataView(raw.buffer);
    const verdicts = decode(run.verdicts);
    return {
      median: (i) => 4 * i + 4 <= raw.length ? view.getFloat32(4 * i, true)
        : NaN,
      verdict: (i) => i < verdicts.length ? verdicts[i] : 255,
    };
  }

  // ---- Address

  // The fragment: `#ID&key=value&...`; the front page has no ID. Choices are
  // steps that the back button undoes; typing is not.
  class Address {
    constructor(hasId) {
      this.hasId = hasId;
      this.read();
    }
    read() {
      const parts = location.hash.slice(1).split("&");
      this.id = "";
      if (this.hasId && !parts[0].includes("=")) {
        try {
          this.id = decodeURIComponent(parts.shift());
        } catch {
          this.id = parts[0];
        }
      }
      this.params = new URLSearchParams(parts.join("&"));
    }
    get(key) {
      return this.params.get(key) || "";
    }
    all(key) {
      return this.params.getAll(key);
    }
    // Sets the values of keys; empty ones are removed.
    set(values, {typed = false} = {}) {
      for (const [key, value] of Object.entries(values)) {
        this.params.delete(key);
        for (const one of [value].flat()) {
          if (one !== "" && one !== null) this.params.append(key, one);
        }
      }
      const text = this.params.toString();
      const hash = "#" + [this.hasId ? this.id : "", text].filter(Boolean)
        .join("&");
      if (hash === (location.hash || "#")) return;
      const url = hash === "#" ? location.pathname + location.search : hash;
      if (typed) history.replaceState(null, "", url);
      else history.pushState(null, "", url);
    }
    // `changed` is called with true if the ID is another one.
    follow(changed) {
      addEventListener("popstate", () => {
        const before = this.id;
        this.read();
        changed(this.id !== before);
      });
    }
  }

  // ---- Keys

  const keys = [["?", "show this list"], ["Escape", "close it"]];
  const actions = new Map();

  // Adds a key, with its line in the list; `shown` may name several keys.
  function key(names, shown, text, action) {
    names.forEach((name) => actions.set(name, action));
    keys.unshift([shown, text]);
  }

  function listKeys() {
    let dialog = document.querySelector("dialog");
    if (!dialog) {
      const close = el("button", {type: "button"}, "Close");
      dialog = el("dialog", {"aria-labelledby": "keys"},
        el("h2", {id: "keys"}, "Keys"),
        el("dl", null, keys.map(([shown, text]) => el("div", null,
          el("dt", null, el("kbd", null, shown)), el("dd", null, text)))),
        close);
      close.addEventListener("click", () => dialog.close());
      document.body.append(dialog);
    }
    if (!dialog.open) dialog.showModal();
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // A dialog that was just closed may still have the focus.
    if (event.target.closest(
      "input, select, textarea, dialog[open], .chart")) return;
    if (event.key === "?") {
      listKeys();
    } else if (!actions.has(event.key) || actions.get(event.key)() === false) {
      return;
    }
    event.preventDefault();
  });

  // Starts a page: `page` returns a promise.
  function start(page) {
    const begin = () => {
      document.querySelector(".keys").addEventListener("click", listKeys);
      // The fragment has the filters, so the link must not change it.
      document.querySelector(".skip").addEventListener("click", (event) => {
        event.preventDefault();
        byId("main").focus();
        byId("main").scrollIntoView();
      });
      page().then(() => {
        document.body.classList.remove("loading");
        performance.mark("ready");
      }).catch(fail);
    };
    if (document.readyState === "loading") {
      addEventListener("DOMContentLoaded", begin);
    } else {
      begin();
    }
  }

  return {load, need, fail, start, Problem, Cells, Address, el, svg, append,
    byId, fill, table, command, count, plural, digits, milliseconds, percent,
    change, bytes, many, moment, day, commitLink, badge, sign, runValues, difference,
    variantText, key};
})();
