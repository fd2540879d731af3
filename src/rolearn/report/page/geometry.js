// Where an edge runs and where its marks are: as export/scene.py and export/layout.py have it, for boxes that move.
// A box is {x, y, w, h} by its center; a curve is quadratic, given by three points [x, y].

const ARROW = 10;
const RADIUS = 4;
const [CIRCLE, ARROWHEAD, TAIL] = [1, 2, 3];

function at(curve, t) {
  const s = 1 - t;
  return [0, 1].map((k) => s * s * curve[0][k] + 2 * s * t * curve[1][k] + t * t * curve[2][k]);
}

function part(curve, start, stop) {
  const weights = [(1 - start) * (1 - stop), (1 - start) * stop + (1 - stop) * start, start * stop];
  const middle = [0, 1].map((k) => weights[0] * curve[0][k] + weights[1] * curve[1][k] + weights[2] * curve[2][k]);
  return [at(curve, start), middle, at(curve, stop)];
}

// The ends that an edge aims at: off the center of a wide box, towards the other box.
function anchors(a, b) {
  const slack = [a, b].map((box) => Math.max(box.w - box.h, 0) * 0.35);
  const gap = b.x - a.x;
  const total = Math.max(slack[0] + slack[1], 1);
  const shift = slack.map((room) => Math.min(room, (Math.abs(gap) * room) / total) * Math.sign(gap));
  return [[a.x + shift[0], a.y], [b.x - shift[1], b.y]];
}

function curveBetween(a, b, bend) {
  const [from, to] = anchors(a, b);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  return [from, [(from[0] + to[0]) / 2 - bend * dy, (from[1] + to[1]) / 2 + bend * dx], to];
}

// The last t, by halving, at which a point of the curve still is `near`.
function lastNear(curve, start, near) {
  let [low, high] = [start, 1];
  for (let step = 0; step < 20; step++) {
    const t = (low + high) / 2;
    if (near(at(curve, t))) low = t;
    else high = t;
  }
  return high;
}

function leaves(curve, box, distance) {
  return lastNear(curve, 0, ([x, y]) =>
    Math.hypot(Math.max(Math.abs(x - box.x) - box.w / 2, 0), Math.max(Math.abs(y - box.y) - box.h / 2, 0)) <= distance);
}

function away(curve, start, distance) {
  const [x, y] = at(curve, start);
  return lastNear(curve, start, (point) => Math.hypot(point[0] - x, point[1] - y) < distance);
}

// The mark where a curve leaves the box it starts in: {t: where the line is first seen, circle or arrow}.
function endOf(mark, curve, box, size) {
  const border = leaves(curve, box, 0);
  if (mark === TAIL) return { t: border };
  if (mark === CIRCLE) {
    const middle = leaves(curve, box, RADIUS * size);
    return { t: away(curve, middle, RADIUS * size), circle: at(curve, middle) };
  }
  const base = away(curve, border, ARROW * size);
  const [tip, back] = [at(curve, border), at(curve, base)];
  const side = [(tip[1] - back[1]) * 0.45, (back[0] - tip[0]) * 0.45];
  return { t: base, arrow: [tip, [back[0] + side[0], back[1] + side[1]], [back[0] - side[0], back[1] - side[1]]] };
}

// What is seen of an edge: {line: a curve, ends: the two marks}, the marks `size` times as large as usual.
function shapeOf(marks, a, b, bend, size = 1) {
  const curve = curveBetween(a, b, bend);
  const ends = [endOf(marks[0], curve, a, size), endOf(marks[1], [...curve].reverse(), b, size)];
  return { line: part(curve, ends[0].t, 1 - ends[1].t), ends };
}
