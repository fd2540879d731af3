// The graph: drawn once, then moved, zoomed and highlighted.
// `choose` is called with what the reader picked: {vertex: i}, {edge: k}, {pair: [i, j]} or null.

function makePicture(data, choose) {
  const svg = byId("picture");
  const world = draw("g");
  const boxes = data.centers.map(([x, y], i) => ({ x, y, w: data.sizes[i][0], h: data.sizes[i][1] }));
  const touching = data.names.map(() => []);
  const view = { x: 0, y: 0, k: 1 };
  const widest = Math.max(...data.sizes.map(([width]) => width));
  let selection = null;
  let size = 1; // of boxes and marks: larger where a large graph is shown whole, for there is room between them

  const edges = data.edges.map((edge, k) => {
    edge.ends.forEach((i) => touching[i].push(k));
    const parts = edgeParts(edge.marks);
    parts.group.dataset.edge = k;
    return parts;
  });
  const vertices = data.names.map((name, i) => {
    const { w, h } = boxes[i];
    const text = draw("text", { y: 4.4 }, seen(data.labels[i]));
    if (data.labels[i].trim()) {
      text.setAttribute("textLength", Math.max(w - 18, 4));
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
    const box = draw("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 4 });
    return draw("g", { class: "vertex", "data-vertex": i }, draw("title", {}, seen(name)), box, text);
  });
  world.append(...edges.map((parts) => parts.group), ...vertices);
  svg.append(world);

  function paintEdge(k) {
    const { ends, marks, bend } = data.edges[k];
    paint(edges[k], shapeOf(marks, boxes[ends[0]], boxes[ends[1]], bend, size), size);
  }

  function placeBox(i) {
    const { x, y, w } = boxes[i];
    vertices[i].setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${w / data.sizes[i][0]})`);
  }

  function place(i) {
    placeBox(i);
    touching[i].forEach(paintEdge);
  }

  function resize(wanted) {
    size = Math.max(1, Math.min(wanted, 1.45, 1 + 22 / widest));
    boxes.forEach((box, i) => {
      const grown = touching[i].length ? size : Math.min(size, 1 + 10 / widest); // those without edges are close together
      [box.w, box.h] = data.sizes[i].map((length) => length * grown);
      placeBox(i);
    });
    edges.forEach((_, k) => paintEdge(k));
  }

  function home() {
    data.centers.forEach(([x, y], i) => Object.assign(boxes[i], { x, y }));
    fit();
  }

  function show() {
    world.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.k})`);
  }

  function zoom(factor, x, y) {
    const { width, height } = svg.getBoundingClientRect();
    const [cx, cy] = [x ?? width / 2, y ?? height / 2];
    const k = Math.min(Math.max(view.k * factor, 0.05), 8);
    view.x = cx - ((cx - view.x) * k) / view.k;
    view.y = cy - ((cy - view.y) * k) / view.k;
    view.k = k;
    show();
  }

  function fit() {
    const { width, height } = svg.getBoundingClientRect();
    if (!boxes.length || !width || !height) return;
    const reach = (low, key, length) => boxes.map((box) => box[key] + (low ? -1 : 1) * (box[length] / 2 + 22));
    const left = Math.min(0, ...reach(true, "x", "w"));
    const top = Math.min(0, ...reach(true, "y", "h"));
    const right = Math.max(data.extent[0], ...reach(false, "x", "w"));
    const bottom = Math.max(data.extent[1], ...reach(false, "y", "h"));
    view.k = Math.min(width / (right - left), height / (bottom - top), 1.5);
    view.x = (width - view.k * (left + right)) / 2;
    view.y = (height - view.k * (top + bottom)) / 2;
    resize(0.95 / view.k);
    show();
  }

  // Move the view no more than it takes to have a vertex well inside it.
  function reveal(i) {
    const { width, height } = svg.getBoundingClientRect();
    const margin = 60;
    const x = boxes[i].x * view.k + view.x;
    const y = boxes[i].y * view.k + view.y;
    view.x += Math.max(margin - x, 0) + Math.min(width - margin - x, 0);
    view.y += Math.max(margin - y, 0) + Math.min(height - margin - y, 0);
    show();
  }

  // Who is chosen, who is in the separating set, and what stays bright.
  function highlight(chosen, given = []) {
    selection = chosen;
    const bold = new Set(chosen?.pair || (chosen?.vertex !== undefined ? [chosen.vertex] : []));
    const bright = new Set([...bold, ...given]);
    const lit = new Set();
    if (chosen?.edge !== undefined) {
      lit.add(chosen.edge);
      data.edges[chosen.edge].ends.forEach((i) => bold.add(i).size && bright.add(i));
    }
    if (chosen?.vertex !== undefined) {
      touching[chosen.vertex].forEach((k) => lit.add(k) && data.edges[k].ends.forEach((i) => bright.add(i)));
    }
    vertices.forEach((vertex, i) => {
      vertex.classList.toggle("chosen", bold.has(i));
      vertex.classList.toggle("given", given.includes(i));
      vertex.classList.toggle("dim", Boolean(chosen) && !bright.has(i));
    });
    edges.forEach(({ group }, k) => {
      group.classList.toggle("chosen", chosen?.edge === k);
      group.classList.toggle("dim", Boolean(chosen) && !lit.has(k));
    });
  }

  // Mark the vertices whose names match; null for no search.
  function mark(found) {
    vertices.forEach((vertex, i) => {
      vertex.classList.toggle("found", Boolean(found?.has(i)));
      if (!selection) vertex.classList.toggle("dim", Boolean(found) && !found.has(i));
    });
    if (!selection) edges.forEach(({ group }) => group.classList.toggle("dim", Boolean(found)));
  }

  listenToPointers({ svg, boxes, view, place, show, zoom, choose, selected: () => selection });
  listenToKeys({ svg, boxes, touching, data, zoom, fit, choose, reveal, selected: () => selection });
  showTips(svg, data);
  home();
  addEventListener("resize", fit);
  addEventListener("beforeprint", fit);
  const thicken = (k, share) => edges[k].group.style.setProperty("--width", 0.8 + 2.4 * share);
  return { highlight, mark, reveal, thicken, zoom, fit, home, touching };
}

function listenToPointers({ svg, boxes, view, place, show, zoom, choose, selected }) {
  const pointers = new Map();
  let drag = null;
  const local = (event) => {
    const frame = svg.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, local(event));
    const vertex = event.target.closest(".vertex");
    const edge = event.target.closest(".edge");
    drag = { i: vertex ? Number(vertex.dataset.vertex) : null, k: edge ? Number(edge.dataset.edge) : null, moved: 0 };
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = local(event);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (pointers.size === 2) {
      const was = spread();
      pointers.set(event.pointerId, now);
      zoom(spread() / was, now[0], now[1]);
      drag.moved = Infinity;
      return;
    }
    drag.moved += Math.abs(dx) + Math.abs(dy);
    if (drag.moved < 4) return;
    pointers.set(event.pointerId, now);
    svg.classList.add("dragging");
    if (drag.i === null) {
      view.x += dx;
      view.y += dy;
      show();
    } else {
      boxes[drag.i].x += dx / view.k;
      boxes[drag.i].y += dy / view.k;
      place(drag.i);
    }
  });
  const release = (event) => {
    pointers.delete(event.pointerId);
    svg.classList.remove("dragging");
    if (event.type === "pointerup" && drag && drag.moved < 4) {
      const earlier = selected()?.vertex;
      if (drag.k !== null) choose({ edge: drag.k });
      else if (drag.i === null) choose(null);
      else if (event.shiftKey && earlier !== undefined && earlier !== drag.i) choose({ pair: [earlier, drag.i] });
      else choose({ vertex: drag.i });
    }
    if (!pointers.size) drag = null;
  };
  svg.addEventListener("pointerup", release);
  svg.addEventListener("pointercancel", release);
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.004), ...local(event));
  }, { passive: false });
}

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function listenToKeys({ svg, boxes, touching, data, zoom, fit, choose, reveal, selected }) {
  let here = null; // the vertex whose edges E goes through
  let turn = -1;

  function step([dx, dy]) {
    if (here === null) return boxes.length ? 0 : null;
    let [best, least] = [here, Infinity];
    boxes.forEach((box, i) => {
      const [x, y] = [box.x - boxes[here].x, box.y - boxes[here].y];
      const along = x * dx + y * dy;
      const far = along + 2 * Math.abs(x * dy - y * dx);
      if (i !== here && along > 1 && far < least) [best, least] = [i, far];
    });
    return best;
  }

  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (selected()?.vertex !== undefined) here = selected().vertex;
    const direction = DIRECTIONS[event.key];
    if (direction) {
      [here, turn] = [step(direction), -1];
      if (here === null) return;
      choose({ vertex: here });
      reveal(here);
    } else if (event.key.toLowerCase() === "e" && here !== null && touching[here].length) {
      const count = touching[here].length;
      turn = (turn + (event.shiftKey ? count - 1 : 1) + (turn < 0 && event.shiftKey ? 1 : 0)) % count;
      const k = touching[here][turn];
      choose({ edge: k });
      data.edges[k].ends.forEach(reveal);
    } else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit();
    else if (event.key === "Escape") choose(null);
    else return;
    event.preventDefault();
  });
}

function showTips(svg, data) {
  const tip = byId("tip");
  svg.addEventListener("pointermove", (event) => {
    const edge = event.target.closest?.(".edge");
    tip.hidden = !edge || event.buttons !== 0;
    if (tip.hidden) return;
    tip.textContent = data.edges[edge.dataset.edge].says;
    const frame = svg.parentElement.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    tip.style.left = `${Math.max(Math.min(x + 14, frame.width - tip.offsetWidth - 8), 8)}px`;
    tip.style.top = `${y + 18 + tip.offsetHeight > frame.height ? y - tip.offsetHeight - 12 : y + 18}px`;
  });
  svg.addEventListener("pointerleave", () => { tip.hidden = true; });
}
