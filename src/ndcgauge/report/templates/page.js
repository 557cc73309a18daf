"use strict";
// Sorts and filters what is in the page already; without it everything is there, in the order of the document.
// The state stands in the fragment of the address, so that a view can be sent: #sort=p1-q.3.d&find=p1-q:301
(() => {
  const state = { sort: new Map(), find: new Map() };

  const remember = () => {
    const parts = [];
    for (const [id, [column, down]] of state.sort) parts.push(`sort=${id}.${column}.${down ? "d" : "a"}`);
    for (const [id, text] of state.find) if (text) parts.push(`find=${id}:${encodeURIComponent(text)}`);
    const next = parts.length ? "#" + parts.join("&") : location.pathname + location.search;
    try { history.replaceState(null, "", next); } catch { /* a page that was opened as data has no address */ }
  };

  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = Number(text.replaceAll(",", ""));
    return text !== "" && !Number.isNaN(number) ? number : text;
  };

  const compare = (a, b) => {
    const numbers = [typeof a === "number", typeof b === "number"];
    if (numbers[0] && numbers[1]) return a - b;
    // Numbers before words: what has no value comes last.
    if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  };

  const sort = (table, column, down) => {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row, place) => [value(row, column), place, row]);
    rows.sort((x, y) => {
      const mixed = typeof x[0] !== typeof y[0];
      const order = compare(x[0], y[0]);
      return (down && !mixed ? -order : order) || x[1] - y[1];
    });
    body.append(...rows.map((each) => each[2]));
    Array.from(table.tHead.rows[0].cells, (cell, place) => {
      if (place === column) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    if (table.id) state.sort.set(table.id, [column, down]);
  };

  const filter = (table, text) => {
    const wanted = text.toLowerCase();
    let shown = 0;
    for (const row of table.tBodies[0].rows) {
      row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
      shown += row.hidden ? 0 : 1;
    }
    table.dispatchEvent(new CustomEvent("shown", { detail: shown }));
    state.find.set(table.id, text);
  };

  for (const table of document.querySelectorAll("table.data")) {
    if (table.tBodies[0].rows.length < 2) continue;
    Array.from(table.tHead.rows[0].cells, (cell, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      button.title = "sort by this column";
      button.addEventListener("click", () => {
        sort(table, column, cell.getAttribute("aria-sort") === "ascending");
        remember();
      });
      cell.append(button);
    });
  }

  for (const table of document.querySelectorAll("table.filtered")) {
    const line = document.createElement("p");
    line.className = "filter";
    const label = document.createElement("label");
    const input = document.createElement("input");
    input.type = "search";
    label.append("Queries with ", input);
    const count = document.createElement("span");
    count.setAttribute("aria-live", "polite");
    line.append(label, count);
    table.closest(".scroll").before(line);
    table.addEventListener("shown", (event) => { count.textContent = `${event.detail} shown`; });
    input.addEventListener("input", () => { filter(table, input.value); remember(); });
    table.find = (text) => { input.value = text; filter(table, text); };
  }

  // A click on a point that is off the diagonal shows its query.
  for (const figure of document.querySelectorAll("figure[data-queries]")) {
    const queries = JSON.parse(figure.dataset.queries);
    const table = figure.closest(".pair").querySelector("table.filtered");
    figure.querySelectorAll(".mark-off use").forEach((point, place) => {
      if (place >= queries.length || !table) return;
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = queries[place];
      point.append(title);
      point.addEventListener("click", () => {
        table.closest("details").open = true;
        table.find(queries[place]);
        table.scrollIntoView({ block: "center" });
        remember();
      });
    });
  }

  const plain = document.getElementById("report-document");
  const link = document.getElementById("download");
  if (plain && link) {
    const blob = new Blob([plain.textContent], { type: "application/json" });
    link.setAttribute("href", URL.createObjectURL(blob));
    link.download = "ndcgauge-report.json";
    link.textContent = "download it (.json)";
  }

  addEventListener("beforeprint", () => {
    for (const each of document.querySelectorAll("details:not(.queries)")) each.open = true;
  });

  for (const part of location.hash.slice(1).split("&")) {
    const sorted = /^sort=([\w-]+)\.(\d+)\.([ad])$/.exec(part);
    const found = /^find=([\w-]+):(.*)$/.exec(part);
    const table = document.getElementById((sorted ?? found)?.[1] ?? "");
    if (!table?.tBodies) continue;
    if (sorted && Number(sorted[2]) < table.tHead.rows[0].cells.length) sort(table, Number(sorted[2]), sorted[3] === "d");
    if (found && table.find) {
      table.closest("details").open = true;
      try { table.find(decodeURIComponent(found[2])); } catch { /* no text of ours */ }
    }
  }
})();
