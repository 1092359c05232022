// The script of the page: sorts the tables of tasks.
"use strict";
(() => {
  // The value of a cell: a number, the text, or null if there is none.
  function valueOf(cell) {
    const {value} = cell.dataset;
    if (value === undefined) return cell.textContent;
    return value === "" ? null : Number(value);
  }

  function compare(a, b) {
    return typeof a === "number" ? a - b : a.localeCompare(b);
  }

  // Sorts by a column, without values last. Numbers are largest first at first.
  function sort(table, column) {
    const titles = [...table.tHead.rows[0].cells];
    const title = titles[column];
    const before = title.getAttribute("aria-sort");
    const descending = before ? before === "ascending"
      : title.classList.contains("number");
    titles.forEach((th) => th.removeAttribute("aria-sort"));
    title.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [valueOf(row.cells[column]), row]);
    rows.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null);
      return descending ? compare(b, a) : compare(a, b);
    });
    body.append(...rows.map(([, row]) => row));
  }

  for (const table of document.querySelectorAll(".tasks")) {
    [...table.tHead.rows[0].cells].forEach((title, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...title.childNodes);
      title.append(button);
      button.addEventListener("click", () => sort(table, column));
    });
  }
})();
