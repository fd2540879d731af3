// Elements. Text only ever becomes text: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

function make(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function draw(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const byId = (id) => document.getElementById(id);

// A name as text, with what can't be seen made visible; an empty name too.
function seen(name) {
  const shown = name.replace(/[\u0000-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)));
  return shown === "" ? "\u2205 (a name without characters)" : shown.replace(/[\u007f-\u009f\u2028\u2029]/g, "\ufffd");
}

const nameOf = (name) => make("bdi", { class: "name" }, seen(name));

const points = (list) => list.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

// The parts of an edge as drawn: shape of geometry.js to attributes.
function paint(parts, shape, size = 1) {
  const [from, middle, to] = shape.line.map((point) => points([point]));
  for (const path of [parts.hit, parts.line]) path.setAttribute("d", `M${from} Q${middle} ${to}`);
  shape.ends.forEach((end, k) => {
    const mark = parts.marks[k];
    if (end.circle) {
      mark.setAttribute("r", RADIUS * size);
      mark.setAttribute("cx", end.circle[0].toFixed(1));
      mark.setAttribute("cy", end.circle[1].toFixed(1));
    } else if (end.arrow) mark.setAttribute("points", points(end.arrow));
  });
}

function edgeParts(marks) {
  const drawn = marks.map((mark) =>
    mark === CIRCLE ? draw("circle", { r: RADIUS }) : mark === ARROWHEAD ? draw("polygon") : null);
  const parts = { hit: draw("path", { class: "hit" }), line: draw("path", { class: "line" }), marks: drawn };
  parts.group = draw("g", { class: "edge" }, parts.hit, parts.line, ...drawn);
  return parts;
}

// A small drawing of an edge between A and B, for legends.
function sign(marks, a = "A", b = "B") {
  const parts = edgeParts(marks);
  const box = (x) => ({ x, y: 10, w: 18, h: 18 });
  paint(parts, shapeOf(marks, box(9), box(83), 0));
  const letter = (x, text) => draw("text", { x, y: 14.5 }, text);
  return draw("svg", { class: "sign", viewBox: "0 0 92 20", "aria-hidden": "true" }, letter(9, a), letter(83, b), parts.group);
}

const MARKS_OF = { o: CIRCLE, "<": ARROWHEAD, ">": ARROWHEAD, "-": TAIL };
const LEFT = { [CIRCLE]: "o", [ARROWHEAD]: "<", [TAIL]: "-" };
const RIGHT = { [CIRCLE]: "o", [ARROWHEAD]: ">", [TAIL]: "-" };
const marksOf = (picture) => [MARKS_OF[picture[0]], MARKS_OF[picture[2]]];
const pictureOf = (marks) => `${LEFT[marks[0]]}-${RIGHT[marks[1]]}`;
const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.01 ? 1 : 0)}%`;

function pValue(p) {
  if (p === null) return "not known";
  if (p === 0) return "0";
  return p < 0.001 ? p.toExponential(1) : p.toFixed(3);
}
