// Long tables of cells: filters, sorting, pages and keys. What is shown is kept
// in the address. Only the rows of one page exist as elements, so tables of
// ten thousand rows are fast.
"use strict";
(() => {
  const {el, count, byId} = assay;

  // A table of `columns`, each an object of
  //   id, title   the name in the address, and the heading;
  //   value(row)  what rows are sorted by: a number, a text or null;
  //   show(row)   the contents, a node or a text;
  //   numeric     true to align it right;
  //   down        true if the first click sorts in decreasing order.
  // `kind` is a class for the style.
  // A row is anything, for example the index of a cell.
  class Grid {
    constructor(root, {label, columns, address, pageSize = 50, empty, kind}) {
      this.columns = columns;
      this.address = address;
      this.pageSize = pageSize;
      this.empty = empty;
      this.rows = [];
      this.heads = columns.map((column) => {
        if (!column.value) {
          return el(column.numeric ? "th.n" : "th", {scope: "col"},
            column.title);
        }
        const button = el("button.sort", {type: "button"}, column.title,
          el("span.arrow", {"aria-hidden": "true"}));
        button.addEventListener("click", () => this.sortBy(column));
        return el(column.numeric ? "th.n" : "th", {scope: "col"}, button);
      });
      this.body = el("tbody");
      // The headings are not visible on phones.
      this.order = el("select", {"aria-label": "Sort by"},
        el("option", {value: ""}, "default order"),
        columns.filter((c) => c.value).flatMap((column) => [
          el("option", {value: column.id}, `${column.title}, increasing`),
          el("option", {value: `-${column.id}`},
            `${column.title}, decreasing`)]));
      this.order.addEventListener("change", () => {
        this.address.set({sort: this.order.value, page: ""});
        this.draw();
      });
      this.status = el("p.quiet", {role: "status"});
      const turn = (text, label, step) => {
        const button = el("button", {type: "button", "aria-label": label},
          text);
        button.addEventListener("click", () => this.turn(step));
        return button;
      };
      this.back = turn("‹", "Previous page", -1);
      this.next = turn("›", "Next page", 1);
      root.replaceChildren(
        el("div.phone", null, "Sorted by ", this.order),
        el(kind ? `table.grid.${kind}` : "table.grid", {"aria-label": label},
          el("thead", null, el("tr", null, this.heads)), this.body),
        el("div.pager", null, this.status, this.back, this.next));
    }

    // Shows these rows; their order is the default order.
    show(rows) {
      this.rows = rows;
      this.draw();
    }

    sortBy(column) {
      const now = this.address.get("sort");
      const first = column.down ? `-${column.id}` : column.id;
      const second = column.down ? column.id : `-${column.id}`;
      this.address.set({page: "",
        sort: now === first ? second : now === second ? "" : first});
      this.draw();
    }

    sorted() {
      const wanted = this.address.get("sort");
      const column = this.columns.find((c) => c.value &&
        c.id === wanted.replace(/^-/, ""));
      this.heads.forEach((head, i) => {
        const sorts = this.columns[i] === column;
        const down = wanted.startsWith("-");
        if (sorts) {
          head.setAttribute("aria-sort", down ? "descending" : "ascending");
        } else {
          head.removeAttribute("aria-sort");
        }
        const arrow = head.querySelector(".arrow");
        if (arrow) arrow.textContent = sorts ? (down ? " ↓" : " ↑") : "";
      });
      this.order.value = column ? wanted : "";
      if (!column) return this.rows;
      const sense = wanted.startsWith("-") ? -1 : 1;
      const keyed = this.rows.map((row, i) => [column.value(row), i, row]);
      keyed.sort(([a, i], [b, j]) => {
        // Rows without a value are last in both orders.
        const missing = (a === null) - (b === null);
        if (missing !== 0) return missing;
        return (a < b ? -sense : a > b ? sense : 0) || i - j;
      });
      return keyed.map(([, , row]) => row);
    }

    draw() {
      const rows = this.sorted();
      const pages = Math.max(Math.ceil(rows.length / this.pageSize), 1);
      this.page = Math.min(Math.max(
        (parseInt(this.address.get("page"), 10) || 1), 1), pages);
      const from = (this.page - 1) * this.pageSize;
      const shown = rows.slice(from, from + this.pageSize);
      this.body.replaceChildren(...shown.map((row) => el("tr", null,
        this.columns.map((column) => el(column.numeric ? "td.n" : "td",
          {"data-title": column.title}, column.show(row))))));
      this.status.textContent = rows.length === 0
        ? this.empty || "Nothing matches."
        : `${count(from + 1)} to ${count(from + shown.length)} of ` +
          count(rows.length);
      this.back.disabled = this.page === 1;
      this.next.disabled = this.page === pages;
      this.back.hidden = this.next.hidden = pages === 1;
    }

    // Returns false if there is no such page.
    turn(step) {
      const page = this.page + step;
      const pages = Math.ceil(this.rows.length / this.pageSize);
      if (page < 1 || page > pages) return false;
      this.address.set({page: page === 1 ? "" : page});
      this.draw();
      return true;
    }

    links() {
      return [...this.body.querySelectorAll("tr")].map((row) =>
        row.querySelector("a"));
    }

    // Moves the focus by a number of rows, also to the next page.
    move(step) {
      const links = this.links();
      if (links.length === 0) return false;
      const row = document.activeElement.closest("tr");
      const at = links.findIndex((link) => link.closest("tr") === row);
      if (at < 0) {
        links[0].focus();
      } else if (links[at + step]) {
        links[at + step].focus();
      } else if (this.turn(step)) {
        const others = this.links();
        others[step > 0 ? 0 : others.length - 1].focus();
      }
      return true;
    }
  }

  // The facets by which cells are filtered, with their titles.
  const facets = [["suite", "Suite"], ["model", "Model"], ["device", "Device"],
    ["fusion", "Fusion"], ["tuned", "Tuning"], ["threads", "Threads"]];

  // The form of filters: a search, a select for each facet with more than one
  // value, and buttons for the verdicts. `extra` adds fields to it.
  class Filters {
    constructor(form, cells, address, changed,
      {verdictOf = (i) => cells.status(i), rows, extra = []} = {}) {
      this.cells = cells;
      this.address = address;
      this.changed = changed;
      this.verdictOf = verdictOf;
      this.rows = rows || [...Array(cells.size).keys()];
      this.search = el("input", {type: "search", id: "q", autocomplete: "off",
        spellcheck: false, placeholder: "Search cells"});
      this.search.addEventListener("input", () => this.apply(
        {q: this.search.value}, {typed: true}));
      this.selects = facets.map(([name, title]) => this.select(name, title))
        .filter(Boolean);
      this.verdicts = this.countVerdicts().map(([status, n]) => {
        const button = el("button.verdict", {type: "button",
          "aria-pressed": "false", "data-verdict": status.name},
        assay.badge(status), " ", el("b", null, count(n)));
        button.addEventListener("click", () => {
          const on = button.getAttribute("aria-pressed") !== "true";
          button.setAttribute("aria-pressed", on);
          this.apply({verdict: this.verdicts.filter((b) =>
            b.getAttribute("aria-pressed") === "true")
            .map((b) => b.dataset.verdict)});
        });
        return button;
      });
      const reset = el("button", {type: "button"}, "Clear filters");
      reset.addEventListener("click", () => {
        this.address.set({q: "", verdict: "", show: "", page: "", min: "",
          ...Object.fromEntries(facets.map(([name]) => [name, ""]))});
        this.restore();
        this.changed();
      });
      this.reset = reset;
      form.addEventListener("submit", (event) => event.preventDefault());
      form.replaceChildren(
        el("div.choices", null,
          el("label.search", {htmlFor: "q"}, el("span.sr", null, "Search"),
            this.search, el("kbd", {"aria-hidden": "true"}, "/")),
          this.selects.map(([, select, title]) =>
            el("label", null, `${title} `, select)), extra, reset),
        el("div.verdicts", {role: "group", "aria-label": "Verdicts"},
          this.verdicts));
      this.restore();
      assay.key(["/"], "/", "search", () => {
        this.search.focus();
        this.search.select();
      });
      this.search.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        this.search.value = "";
        this.apply({q: ""}, {typed: true});
        this.search.blur();
      });
    }

    apply(values, how) {
      this.address.set({...values, page: ""}, how);
      this.changed();
    }

    select(name, title) {
      const values = [...new Set(this.rows.map((i) =>
        this.cells.facet(name, i)))];
      if (values.length < 2) return null;
      values.sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
      const select = el("select", {id: name},
        el("option", {value: ""}, "all"),
        values.map((value) => el("option", {value}, value || "none")));
      select.addEventListener("change", () => this.apply(
        {[name]: select.value}));
      return [name, select, title];
    }

    countVerdicts() {
      const counts = new Map();
      for (const i of this.rows) {
        const status = this.verdictOf(i);
        if (status) counts.set(status, (counts.get(status) || 0) + 1);
      }
      return [...counts].sort(([a], [b]) => b.severity - a.severity);
    }

    // Shows the address in the form.
    restore() {
      this.search.value = this.address.get("q");
      for (const [name, select] of this.selects) {
        select.value = this.address.get(name);
        // A value that no cell has.
        if (select.selectedIndex < 0) select.value = "";
      }
      const wanted = this.address.all("verdict");
      this.verdicts.forEach((button) => button.setAttribute("aria-pressed",
        wanted.includes(button.dataset.verdict)));
    }

    // Returns the rows that match the address.
    matching() {
      const {cells, address} = this;
      const words = address.get("q").toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = facets.map(([name]) => [name, address.get(name)])
        .filter(([name, value]) => value !== "" &&
          this.selects.some(([other]) => other === name));
      const verdicts = address.all("verdict");
      this.reset.hidden = words.length + wanted.length + verdicts.length === 0
        && address.get("show") === "" && address.get("min") === "";
      return this.rows.filter((i) =>
        wanted.every(([name, value]) => cells.facet(name, i) === value) &&
        (verdicts.length === 0 ||
          verdicts.includes((this.verdictOf(i) || {}).name)) &&
        (words.length === 0 || this.has(words, i)));
    }

    has(words, i) {
      const name = this.cells.name(i);
      const text = (this.lower ??= [])[i] ??= name.toLowerCase();
      return words.every((word) => text.includes(word));
    }
  }

  // Keys that move through the rows of a table.
  function gridKeys(grid) {
    assay.key(["j"], "j, ↓", "next row", () => grid.move(1));
    assay.key(["k"], "k, ↑", "row before", () => grid.move(-1));
    assay.key(["n"], "n", "next page", () => grid.turn(1));
    assay.key(["p"], "p", "page before", () => grid.turn(-1));
    assay.key([], "Enter", "open the row", () => false);
    grid.body.addEventListener("keydown", (event) => {
      const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      grid.move(step);
    });
  }

  // A select of cells that move at least so much.
  function threshold(address, changed) {
    const select = el("select", null, [["", "all"], ["0.01", "1 %"],
      ["0.02", "2 %"], ["0.05", "5 %"], ["0.1", "10 %"]].map(
      ([value, text]) => el("option", {value}, text)));
    select.addEventListener("change", () => {
      address.set({min: select.value, page: ""});
      changed();
    });
    return {
      field: el("label", null, "Change of at least ", select),
      restore() {
        select.value = address.get("min");
        if (select.selectedIndex < 0) select.value = "";
      },
      least: () => Number(select.value) || 0,
    };
  }

  // Lists cells before and after: in `rows`, [before, after] in milliseconds
  // for each cell that has both. Used for commits and for two runs.
  class Comparison {
    constructor(cells, address, {before, after, verdictOf, empty}) {
      this.before = before;
      this.after = after;
      this.cells = cells;
      const rows = [];
      for (let i = 0; i < cells.size; ++i) {
        if (before(i) > 0 || after(i) > 0) rows.push(i);
      }
      const ratio = (i) => before(i) > 0 && after(i) > 0
        ? after(i) / before(i) - 1 : null;
      this.ratio = ratio;
      this.rows = rows.sort((a, b) => Math.abs(ratio(b) ?? -1) -
        Math.abs(ratio(a) ?? -1));
      const draw = () => this.draw();
      this.threshold = threshold(address, draw);
      this.filters = new Filters(byId("filters"), cells, address, draw,
        {verdictOf, rows: this.rows, extra: [this.threshold.field]});
      const ms = (of) => (i) => of(i) > 0 ? assay.digits(of(i)) : "–";
      this.grid = new Grid(byId("cells"), {label: "Cells before and after",
        address, empty, columns: [
          {id: "name", title: "Cell", value: (i) => cells.name(i),
            show: (i) => cells.link(i)},
          {id: "verdict", title: "Verdict",
            value: (i) => -(verdictOf(i) || {severity: -1}).severity,
            show: (i) => verdictOf(i) ? assay.badge(verdictOf(i)) : "–"},
          {id: "before", title: "Before, ms", numeric: true,
            value: (i) => before(i) > 0 ? before(i) : null, show: ms(before)},
          {id: "after", title: "After, ms", numeric: true,
            value: (i) => after(i) > 0 ? after(i) : null, show: ms(after)},
          {id: "change", title: "Change", numeric: true, down: true,
            value: ratio, show: (i) => ratioNode(ratio(i), verdictOf(i))},
        ]});
      gridKeys(this.grid);
      this.restore();
    }
    restore() {
      this.threshold.restore();
      this.filters.restore();
      this.draw();
    }
    draw() {
      const least = this.threshold.least();
      this.grid.show(this.filters.matching().filter((i) =>
        least === 0 || Math.abs(this.ratio(i)) >= least));
    }
    // Text about all cells that both sides have.
    summary() {
      const ratios = this.rows.map(this.ratio).filter((r) => r !== null);
      if (ratios.length === 0) return "No cell was timed on both sides.";
      const mean = Math.exp(ratios.reduce((sum, r) => sum + Math.log1p(r), 0) /
        ratios.length) - 1;
      const slower = ratios.filter((r) => r >= 0.02).length;
      const faster = ratios.filter((r) => r <= -0.02).length;
      return `${assay.plural(ratios.length, "cell")} on both sides: ` +
        `${count(slower)} at least 2 % slower, ${count(faster)} at least 2 % ` +
        `faster; geometric mean ${assay.percent(mean)}.`;
    }
  }

  // A change with its bar, 5 % at full length. It has a colour only if it was
  // judged to be one; the sign says the direction.
  function ratioNode(ratio, status) {
    if (ratio === null) return "–";
    const length = Math.min(Math.abs(ratio) / 0.05, 1) * 39 + 1;
    const name = status ? status.name : "";
    const kind = name === "regressed" && ratio > 0 ? "bad"
      : name === "improved" && ratio < 0 ? "good" : "quiet";
    return el("span.ratio", null,
      assay.svg("svg", {viewBox: "0 0 80 10", width: 80, height: 10,
        "aria-hidden": "true"},
      assay.svg("path", {class: "axis", d: "M40 0V10"}),
      assay.svg("rect", {class: kind, height: 6, y: 2,
        x: ratio > 0 ? 40 : 40 - length, width: length})),
      assay.percent(ratio));
  }

  Object.assign(assay, {Grid, Filters, gridKeys, Comparison, ratioNode});
})();
