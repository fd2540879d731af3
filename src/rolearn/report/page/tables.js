// Tables of which a part is made at a time: a graph of 500 variables lacks 120,000 edges.

const CHUNK = 100;

// columns: [{head, sort: row -> key or nothing, cell: row -> children, number}]; matcher: what is searched for, in
// lower case, -> row -> whether the row matches.
function makeTable(panel, { label, rows, columns, matcher, count, chosen }) {
  let [listed, made, order, key] = [rows, 0, 1, null];
  const input = make("input", { type: "search", placeholder: `Search ${label}`, "aria-label": `Search ${label}`, spellcheck: "false", autocomplete: "off" });
  const tally = make("output", { class: "soft" });
  const heads = columns.map((column) =>
    make("th", { scope: "col" }, column.sort ? make("button", { type: "button", onclick: () => sortBy(column) }, column.head) : column.head));
  const body = make("tbody");
  const more = make("button", { type: "button", class: "more", onclick: () => add() });
  panel.append(
    make("div", { class: "filter" }, input, tally),
    make("table", { "aria-label": label }, make("thead", {}, make("tr", {}, heads)), body),
    more,
  );

  function add() {
    const next = listed.slice(made, made + CHUNK);
    made += next.length;
    body.append(...next.map((row) => {
      const cells = columns.map((column) => make("td", { class: column.number ? "number" : null }, column.cell(row)));
      return make("tr", { class: chosen(row) ? "chosen" : null }, cells);
    }));
    more.hidden = made >= listed.length;
    more.textContent = `Show more (${(listed.length - made).toLocaleString("en")} left)`;
  }

  function fill() {
    const query = input.value.trim().toLowerCase();
    listed = query ? rows.filter(matcher(query)) : rows;
    if (key) listed = [...listed].sort((a, b) => order * compare(key.sort(a), key.sort(b)));
    tally.textContent = count(listed.length);
    body.replaceChildren();
    made = 0;
    add();
  }

  function sortBy(column) {
    [order, key] = [key === column ? -order : 1, column];
    heads.forEach((head, k) => {
      if (columns[k] === key) head.setAttribute("aria-sort", order > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    fill();
  }

  input.addEventListener("input", fill);
  new IntersectionObserver((seenNow) => { if (seenNow[0].isIntersecting && !more.hidden) add(); }, { root: panel, rootMargin: "300px" }).observe(more);
  fill();
  return {
    search: (words) => { input.value = words; fill(); },
    refresh: () => { [...body.children].forEach((row, k) => row.classList.toggle("chosen", chosen(listed[k]))); },
  };
}

// Whether all words of a query are in a text.
function withWords(query, text) {
  const words = query.split(/\s+/);
  return (row) => words.every((word) => text(row).includes(word));
}

function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  return typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
}
