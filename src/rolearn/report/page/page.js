// Puts the page together; `data` is what contents.py gives.

const started = performance.now();
const data = JSON.parse(byId("data").textContent);
let chosen = null;

byId("title").textContent = `What rolearn learned from ${seen(data.title)}`;
document.title = `rolearn: ${seen(data.title)}`;
byId("about").textContent = data.about;
byId("legend").append(...data.legend.map(({ marks, says }) => make("li", {}, sign(marks), make("span", {}, says))));
if (data.frequencies) byId("legend").append(make("li", {}, "The thicker a line, the more resamples have the edge."));

const TABS = ["details", "edges", "absent", "run"];

function openTab(name) {
  for (const tab of TABS) {
    byId(`tab-${tab}`).setAttribute("aria-selected", tab === name);
    byId(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
    byId(`panel-${tab}`).hidden = tab !== name;
  }
}

TABS.forEach((name, k) => {
  const tab = byId(`tab-${name}`);
  tab.addEventListener("click", () => openTab(name));
  tab.addEventListener("keydown", (event) => {
    const turn = { ArrowRight: 1, ArrowLeft: TABS.length - 1 }[event.key];
    if (!turn) return;
    const next = TABS[(k + turn) % TABS.length];
    openTab(next);
    byId(`tab-${next}`).focus();
  });
});

const details = makeDetails(data, choose, (name) => {
  absent.search(name);
  openTab("absent");
});
const picture = makePicture(data, choose);
if (data.frequencies) data.edges.forEach((edge, k) => picture.thicken(k, 1 - details.sharesOf(...edge.ends).none));

function choose(selection) {
  if (selection?.pair) {
    const edge = details.edgeOf(...selection.pair);
    if (edge !== undefined) selection = { edge };
  }
  chosen = selection;
  const given = selection?.pair ? details.absentOf(...selection.pair)?.[2] : [];
  picture.highlight(selection, given || []);
  details.show(selection);
  if (selection) openTab("details");
  edgeTable.refresh();
  absent.refresh();
}

const lower = (names) => names.map((name) => name.toLowerCase()).join("\n");
const link = (text, selection) => make("button", { type: "button", class: "link", onclick: () => choose(selection) }, seen(text));
const hasShares = data.frequencies !== null;
const shareOfAny = (i, j) => 1 - details.sharesOf(i, j).none;
const shareOfSame = (edge) => details.sharesOf(...edge.ends)[pictureOf(edge.marks)] || 0;

// The whole name of a variable finds its pairs; anything else is looked for in all names of a row.
function absentMatcher(query) {
  const exact = data.names.flatMap((name, i) => (name.trim().toLowerCase() === query ? [i] : []));
  if (exact.length) return (row) => exact.includes(row[0]) || exact.includes(row[1]);
  return withWords(query, (row) => (row.search ??= lower([row[0], row[1], ...row[2]].map((i) => data.names[i]))));
}

const edgeTable = makeTable(byId("panel-edges"), {
  label: "edges",
  rows: data.edges.map((edge, k) => ({ ...edge, k, search: lower([edge.text, edge.says]) })),
  matcher: (query) => withWords(query, (row) => row.search),
  count: (n) => `${n} of ${data.edges.length}`,
  chosen: (row) => chosen?.edge === row.k,
  columns: [
    { head: "Edge", sort: (row) => row.text, cell: (row) => link(row.text, { edge: row.k }) },
    { head: "Says", cell: (row) => row.says },
    ...(hasShares ? [
      { head: "Same marks", number: true, sort: shareOfSame, cell: (row) => percent(shareOfSame(row)) },
      { head: "Any edge", number: true, sort: (row) => shareOfAny(...row.ends), cell: (row) => percent(shareOfAny(...row.ends)) },
    ] : []),
  ],
});

const absent = makeTable(byId("panel-absent"), {
  label: "absent edges",
  rows: data.absent,
  matcher: absentMatcher,
  count: (n) => `${n.toLocaleString("en")} of ${data.absent.length.toLocaleString("en")}`,
  chosen: (row) => chosen?.pair !== undefined && [...chosen.pair].sort((a, b) => a - b).join() === `${row[0]},${row[1]}`,
  columns: [
    { head: "No edge between", sort: (row) => data.names[row[0]], cell: (row) => link(`${data.names[row[0]]}, ${data.names[row[1]]}`, { pair: [row[0], row[1]] }) },
    { head: "Independent given", sort: (row) => row[2].length, cell: (row) => (row[2].length ? row[2].flatMap((i, k) => (k ? [", ", nameOf(data.names[i])] : [nameOf(data.names[i])])) : make("span", { class: "soft" }, "nothing")) },
    { head: "p", number: true, sort: (row) => row[3], cell: (row) => pValue(row[3]) },
    { head: "Why", number: true, sort: (row) => data.reasons[row[4]][0], cell: (row) => make("span", { title: data.reasons[row[4]][1] }, data.reasons[row[4]][0]) },
    ...(hasShares ? [{ head: "Edge in", number: true, sort: (row) => shareOfAny(row[0], row[1]), cell: (row) => percent(shareOfAny(row[0], row[1])) }] : []),
  ],
});

showRun(data);
details.show(null);

const find = byId("find");
let [matches, turn] = [[], -1];
find.addEventListener("input", () => {
  const words = find.value.trim().toLowerCase();
  matches = words ? data.names.flatMap((name, i) => (name.toLowerCase().includes(words) ? [i] : [])) : [];
  turn = -1;
  if (chosen) choose(null);
  picture.mark(words ? new Set(matches) : null);
  byId("found").textContent = words ? `${matches.length} found` : "";
});
find.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    find.value = "";
    find.dispatchEvent(new Event("input"));
  }
  if (event.key !== "Enter" || !matches.length) return;
  turn = (turn + 1) % matches.length;
  choose({ vertex: matches[turn] });
  picture.mark(new Set(matches));
  picture.reveal(matches[turn]);
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName)) return;
  event.preventDefault();
  find.focus();
});

byId("zoom-in").addEventListener("click", () => picture.zoom(1.25));
byId("zoom-out").addEventListener("click", () => picture.zoom(0.8));
byId("fit").addEventListener("click", () => picture.fit());
byId("reset").addEventListener("click", () => picture.home());

requestAnimationFrame(() => requestAnimationFrame(() => {
  document.documentElement.dataset.drawn = Math.round(performance.now() - started);
}));
