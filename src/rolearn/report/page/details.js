// The panels: what is known of the edge, pair or variable chosen, and of the run.

function makeDetails(data, choose, showAbsent) {
  const panel = byId("panel-details");
  const key = (i, j) => (i < j ? `${i},${j}` : `${j},${i}`);
  const edgeOf = new Map(data.edges.map((edge, k) => [key(...edge.ends), k]));
  const absentOf = new Map(data.absent.map((row) => [key(row[0], row[1]), row]));
  const sharesOf = new Map((data.frequencies || []).map(([i, j, shares]) => [key(i, j), shares]));
  const vertexLink = (i) => make("button", { type: "button", class: "link", onclick: () => choose({ vertex: i }) }, seen(data.names[i]));
  const edgeLink = (k) => make("button", { type: "button", class: "link", onclick: () => choose({ edge: k }) }, seen(data.edges[k].text));
  const listOf = (names) => names.flatMap((i, k) => (k ? [", ", vertexLink(i)] : [vertexLink(i)]));

  function frequencies(i, j) {
    if (!data.frequencies) return [];
    const shares = sharesOf.get(key(i, j)) || { none: 1 };
    const [a, b] = i < j ? [i, j] : [j, i];
    const rows = Object.entries(shares).map(([picture, share]) => make("div", { class: "share" },
      picture === "none" ? make("span", {}, "no edge") : sign(marksOf(picture)),
      make("meter", { min: 0, max: 1, value: share, "aria-label": picture }), make("span", {}, percent(share))));
    return [make("h2", {}, "In resamples of the rows"),
      make("p", { class: "soft" }, "A is ", nameOf(data.names[a]), ", B is ", nameOf(data.names[b]), "."), ...rows];
  }

  function ofEdge(k) {
    const { ends, marks, says } = data.edges[k];
    return [make("h2", {}, "Edge"), make("p", {}, vertexLink(ends[0]), ` ${pictureOf(marks)} `, vertexLink(ends[1])),
      make("p", { class: "sentence" }, says), ...frequencies(...ends)];
  }

  function why([i, j, given, p, reason, rows]) {
    const set = given.length ? ["given ", ...listOf(given)] : ["as they are, given nothing"];
    const level = data.alpha;
    const [short, long] = data.reasons[reason];
    if (short === "isolated") return [make("p", { class: "sentence" }, `No edge: ${long}.`)];
    return [
      make("p", { class: "sentence" }, "No edge: ", nameOf(data.names[i]), " and ", nameOf(data.names[j]), " are independent ", ...set, "."),
      make("dl", {}, make("dt", {}, "p-value of that test"), make("dd", {}, pValue(p)),
        ...(rows === null ? [] : [make("dt", {}, "Rows behind it"), make("dd", {}, rows.toLocaleString("en"))]),
        make("dt", {}, "Why the edge went"), make("dd", {}, `${short}: ${long}`)),
      p !== null && p < level
        ? make("p", { class: "doubt" }, `A place to doubt: the p-value is below the level of the tests, ${level}. The rows speak against this independence, but other evidence outweighs it.`)
        : null,
    ];
  }

  function ofPair(i, j) {
    const row = absentOf.get(key(i, j));
    const heading = [make("h2", {}, "Pair"), make("p", {}, vertexLink(i), " and ", vertexLink(j))];
    const reason = row ? why(row) : [make("p", {}, "No edge, and no separating set is recorded.")];
    return [...heading, ...reason, ...frequencies(i, j)];
  }

  function ofVertex(i) {
    const joined = data.edges.flatMap((edge, k) => (edge.ends.includes(i) ? [k] : []));
    const items = joined.map((k) => make("li", {}, edgeLink(k), make("div", { class: "soft" }, data.edges[k].says)));
    const others = data.names.length - 1 - joined.length;
    return [
      make("h2", {}, "Variable"), make("p", { class: "sentence" }, nameOf(data.names[i])),
      data.kinds[i] ? make("p", { class: "soft" }, `Its column is ${data.kinds[i]}.`) : null,
      make("p", { class: "soft" }, `Number ${data.order.indexOf(i) + 1} of ${data.order.length} in the order of removal.`),
      make("h2", {}, joined.length ? `${joined.length} edge${joined.length > 1 ? "s" : ""}` : "No edges"),
      make("ul", { class: "plain" }, items),
      others ? make("p", {}, make("button", { type: "button", onclick: () => showAbsent(data.names[i]) }, `Why no edge to the other ${others}`)) : null,
      make("p", { class: "soft" }, "Shift and a click on another variable shows what is between the two."),
    ];
  }

  function nothing() {
    const key = (name) => make("kbd", {}, name);
    return [
      make("h2", {}, "How to read this"),
      make("p", {}, "Point at an edge to read what its marks mean; click it, or a variable, for more. Drag variables, drag the background, turn the wheel to zoom."),
      make("p", {}, "A tail is a cause, an arrowhead is not, a circle leaves open which. No edge: some set of the variables makes the two independent."),
      ...warnings(data),
      make("div", { id: "keys" }, make("h2", {}, "Keys in the graph"),
        make("p", {}, key("\u2190"), " ", key("\u2191"), " ", key("\u2192"), " ", key("\u2193"), " next variable, ", key("E"), " its next edge, ",
          key("+"), " ", key("-"), " zoom, ", key("0"), " all, ", key("Esc"), " nothing chosen. ", key("/"), " finds a variable.")),
    ];
  }

  function show(chosen) {
    const content = !chosen ? nothing() : chosen.edge !== undefined ? ofEdge(chosen.edge)
      : chosen.vertex !== undefined ? ofVertex(chosen.vertex) : ofPair(...chosen.pair);
    panel.replaceChildren(...content.filter(Boolean));
    panel.scrollTop = 0;
  }

  return { show, edgeOf: (i, j) => edgeOf.get(key(i, j)), absentOf: (i, j) => absentOf.get(key(i, j)), sharesOf: (i, j) => ({ none: 0, ...(sharesOf.get(key(i, j)) || { none: 1 }) }) };
}

// Notes, conflicts and what makes the graph invalid, each under its heading.
function warnings(data) {
  const known = data.knowledge && ["The graph has the marks that your knowledge forces, besides those learned.", ...data.knowledge];
  const blocks = [["Knowledge", known || []], ["Notes", data.notes], ["What makes this graph no valid one", data.problems], ["Conflicts between separating sets", data.conflicts]];
  return blocks.flatMap(([heading, lines]) => (lines.length
    ? [make("h2", {}, heading), make("ul", { class: "plain doubt" }, lines.map((line) => make("li", {}, seen(line))))] : []));
}

function showRun(data) {
  const pairs = (list) => make("dl", {}, list.flatMap(([name, value]) => [make("dt", {}, seen(name)), make("dd", {}, seen(value))]));
  byId("panel-run").append(...[
    make("h2", {}, "Result"), make("p", {}, `${data.about}.`), pairs(data.run),
    ...warnings(data),
    make("h2", {}, "Repeat it"),
    data.command ? make("pre", { id: "command", tabindex: 0 }, data.command) : null,
    make("pre", { id: "python", tabindex: 0 }, data.python),
    data.reading.length ? make("h2", {}, "Data") : null, pairs(data.reading),
    make("h2", {}, "Settings"),
    make("dl", {}, data.settings.flatMap(([name, value, usual]) =>
      [make("dt", {}, name), make("dd", {}, usual ? seen(value) : make("strong", {}, seen(value)), usual ? "" : " (not the default)")])),
    make("h2", {}, "Order of removal"),
    make("p", {}, data.order.flatMap((i, k) => (k ? [", ", nameOf(data.names[i])] : [nameOf(data.names[i])]))),
    make("h2", {}, "Versions"), pairs(data.versions),
  ].filter(Boolean));
}
