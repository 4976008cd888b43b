// The plane: points, what is learnt at a step, and the proof; and everything that pointer and keys do to points.

import { decoded, image, zeroLine } from "./contours.js";
import { set, svg } from "./dom.js";
import { num, t } from "./texts.js";

const SIDE = 600;
const GRAB = 14; // pixels around a point that take hold of it
const STEPS = 40; // moves of the cursor from edge to edge

export class Plane {
  /** `onEdit(final)` is called when points have changed, `announce(text)` with what the keys did. */
  constructor(node, state, { onEdit, announce, chosenClass, onKey }) {
    Object.assign(this, { node, state, onEdit, announce, chosenClass, onKey, cursor: null, selected: null, cache: new Map() });
    const clip = svg("clipPath", { id: "inside" }, svg("rect", { width: SIDE, height: SIDE }));
    this.layers = {};
    const clipped = svg("g", { "clip-path": "url(#inside)" });
    for (const name of ["ground", "grid", "learnt", "proof", "points", "errors", "meet", "marks"]) {
      this.layers[name] = svg("g", { class: name, "aria-hidden": "true" });
      clipped.append(this.layers[name]);
    }
    node.append(svg("defs", {}, clip, arrowHead()), svg("rect", { class: "frame", width: SIDE, height: SIDE }), clipped);
    this.makeLearnt();
    this.listen();
  }

  makeLearnt() {
    const shapes = {
      positive: svg("polygon", { class: "half positive" }),
      negative: svg("polygon", { class: "half negative" }),
      band: svg("polygon", { class: "band" }),
      picture: svg("image", { width: SIDE, height: SIDE, preserveAspectRatio: "none" }),
      zero: svg("path", { class: "line" }),
      line: svg("line", { class: "line" }),
      arrow: svg("line", { class: "arrow", "marker-end": "url(#head)" }),
      result: svg("line", { class: "line result" }),
    };
    this.shapes = shapes;
    this.layers.ground.append(shapes.picture, shapes.positive, shapes.negative, shapes.band);
    this.layers.learnt.append(shapes.zero, shapes.line, shapes.arrow, shapes.result);
    this.mark = svg("g", { class: "mark" }, svg("circle", { r: 13 }));
    this.cross = svg("path", { class: "cursor", d: "M-10 0H10M0-10V10" });
    this.ring = svg("circle", { class: "selected", r: 11 });
  }

  // Coordinates

  get half() {
    return (this.state.view[1] - this.state.view[0]) / 2;
  }
  x(value) {
    const [left, right] = this.state.view;
    return (SIDE * (value - left)) / (right - left);
  }
  y(value) {
    const [, , bottom, top] = this.state.view;
    return (SIDE * (top - value)) / (top - bottom);
  }
  at(point) {
    return `${this.x(point[0])},${this.y(point[1])}`;
  }
  world(event) {
    const box = this.node.getBoundingClientRect();
    const [left, right, bottom, top] = this.state.view;
    const [u, v] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const rounded = (value) => Number(value.toPrecision(3));
    return this.inside([rounded(left + u * (right - left)), rounded(top - v * (top - bottom))]);
  }
  inside([x, y]) {
    const [left, right, bottom, top] = this.state.view;
    return [Math.min(right, Math.max(left, x)), Math.min(top, Math.max(bottom, y))];
  }

  // Drawing

  /** Points and axes; what is learnt is drawn by `show`. */
  drawPoints() {
    this.layers.points.replaceChildren(...this.state.points.map((point, i) => this.pointShape(point, i)));
    this.drawGrid();
    this.drawMarks();
  }

  pointShape([x, y, positive], i) {
    const place = `translate(${this.x(x)} ${this.y(y)})`;
    const size = this.state.points.length > 100 ? 0.75 : 1;
    const shape = positive
      ? svg("circle", { class: "point positive", r: 7 * size })
      : svg("rect", { class: "point negative", x: -6 * size, y: -6 * size, width: 12 * size, height: 12 * size });
    set(shape, { transform: place, "data-point": i });
    return shape;
  }

  drawGrid() {
    const step = niceStep(this.half / 2);
    const marks = [];
    const [left, right, bottom, top] = this.state.view;
    for (let v = Math.ceil(left / step) * step; v <= right; v += step) {
      marks.push(gridLine(this.x(v), 0, this.x(v), SIDE, v, step), tick(this.x(v) + 3, SIDE - 5, v, step));
    }
    for (let v = Math.ceil(bottom / step) * step; v <= top; v += step) {
      marks.push(gridLine(0, this.y(v), SIDE, this.y(v), v, step), tick(4, this.y(v) - 4, v, step));
    }
    this.layers.grid.replaceChildren(...marks);
  }

  /** What is learnt at a step of a run; null for nothing. */
  show(run, step) {
    for (const shape of Object.values(this.shapes)) shape.classList.add("gone");
    if (run) {
      const { weights, frames, result, rows } = run.steps;
      const last = step === rows.length;
      if (frames) this.showPicture(frames, step);
      else if (weights) this.showPlane(weights[step], run.charts.margins[step]);
      if (last && result) this.showResult(result);
    }
    this.updated = run && step > 0 ? run.steps.rows[step - 1] : [];
    this.drawMarks();
  }

  showPlane(weights, margin) {
    const [w1, w2, b] = weights;
    const length = Math.hypot(w1, w2);
    const sides = { positive: b > 0 || length > 0, negative: b < 0 || length > 0 };
    if (!length) {
      for (const side of ["positive", "negative"]) {
        const whole = { points: `0,0 ${SIDE},0 ${SIDE},${SIDE} 0,${SIDE}` };
        if (sides[side]) this.reveal(side, whole);
      }
      return;
    }
    const [n, foot] = [[w1 / length, w2 / length], this.foot(w1, w2, b)];
    this.reveal("positive", { points: this.strip(foot, n, 0, 9 * this.half) });
    this.reveal("negative", { points: this.strip(foot, n, -9 * this.half, 0) });
    this.reveal("line", this.ends(foot, n));
    const reach = (margin * Math.hypot(w1, w2, b)) / length;
    if (margin > 0) this.reveal("band", { points: this.strip(foot, n, -reach, reach) });
    const tip = [foot[0] + n[0] * this.half * 0.22, foot[1] + n[1] * this.half * 0.22];
    const [x1, y1, x2, y2] = [this.x(foot[0]), this.y(foot[1]), this.x(tip[0]), this.y(tip[1])];
    this.reveal("arrow", { x1, y1, x2, y2 });
  }

  showPicture(frames, step) {
    let k = frames.at.length - 1;
    while (frames.at[k] > step) k--;
    const drawn = this.drawnPicture(frames, k);
    const [left, right, bottom, top] = frames.view;
    const box = { x: this.x(left), y: this.y(top), width: this.x(right) - this.x(left), height: this.y(bottom) - this.y(top) };
    this.reveal("picture", { href: drawn.href, ...box });
    const [dx, dy] = [box.width / (frames.size - 1), box.height / (frames.size - 1)];
    const place = ([i, j]) => `${(box.x + i * dx).toFixed(1)} ${(box.y + box.height - j * dy).toFixed(1)}`;
    this.reveal("zero", { d: drawn.path.map(([a, b]) => `M${place(a)}L${place(b)}`).join("") });
  }

  drawnPicture(frames, k) {
    const key = frames.data[k];
    if (!this.cache.has(key)) {
      const scores = decoded(key);
      const colours = ["--negative", "--positive"].map((name) => rgb(getComputedStyle(this.node).getPropertyValue(name)));
      this.cache.set(key, { href: image(scores, frames.size, colours), path: zeroLine(scores, frames.size) });
    }
    return this.cache.get(key);
  }

  showResult(result) {
    if (!result.plane) {
      for (const name of ["positive", "negative", "band"]) this.shapes[name].classList.add("gone");
      return this.showPicture(result, 0);
    }
    if (Math.hypot(result.plane[0], result.plane[1])) this.reveal("result", this.lineOf(result.plane));
  }

  /** The certificate: a plane with its margin, or the two combinations and the point in which they meet. */
  showProof(proof) {
    this.layers.proof.replaceChildren();
    this.layers.meet.replaceChildren();
    if (proof?.plane) this.layers.proof.append(...this.bestPlane(proof));
    if (proof?.witness) {
      this.layers.proof.append(...this.hulls(proof.witness));
      this.layers.meet.append(this.star(proof.witness.meeting));
    }
  }

  /** The plane with the fewest errors that was found, and a cross on every point that it has wrong; null for none. */
  showErrors(answer) {
    const shapes = [];
    if (answer && this.crosses(answer.plane)) shapes.push(svg("line", { class: "fewest", ...this.lineOf(answer.plane) }));
    for (const i of answer?.rows ?? []) {
      shapes.push(svg("path", { class: "wrong", d: "M-6-6 6 6M-6 6 6-6", transform: `translate(${this.at(this.state.points[i])})` }));
    }
    this.layers.errors.replaceChildren(...shapes);
  }

  /** Whether the plane goes through what is looked at. */
  crosses([w1, w2, b]) {
    const [left, right, bottom, top] = this.state.view;
    const sides = [left, right].flatMap((x) => [bottom, top].map((y) => w1 * x + w2 * y + b > 0));
    return new Set(sides).size === 2;
  }

  bestPlane({ plane: [w1, w2, b], margin }) {
    const length = Math.hypot(w1, w2);
    if (!length) return [];
    const [foot, n] = [this.foot(w1, w2, b), [w1 / length, w2 / length]];
    const reach = margin ? (margin[0] * Math.hypot(w1, w2, b)) / length : 0;
    const shifted = (by) => this.ends([foot[0] + by * n[0], foot[1] + by * n[1]], n);
    const lines = (reach ? [-reach, reach] : []).map((by) => svg("line", { class: "best edge", ...shifted(by) }));
    return [...lines, svg("line", { class: "best", ...shifted(0) })];
  }

  /** The points of each class that are averaged; without a bias, all signed points. */
  hulls({ rows, signed }) {
    const sign = (i) => (this.state.points[i][2] ? 1 : -1);
    const place = (i) => this.state.points[i].slice(0, 2).map((v) => (signed ? sign(i) * v : v));
    const groups = signed ? [rows] : [rows.filter((i) => sign(i) > 0), rows.filter((i) => sign(i) < 0)];
    return groups.map((group, k) => {
      const points = around(group.map(place)).map((p) => this.at(p)).join(" ");
      return svg(group.length > 2 ? "polygon" : "polyline", { class: `hull ${signed ? "both" : k ? "negative" : "positive"}`, points });
    });
  }

  star([x, y]) {
    return svg("path", { class: "meeting", d: "M0-11 3-3 11 0 3 3 0 11-3 3-11 0-3-3Z", transform: `translate(${this.x(x)} ${this.y(y)})` });
  }

  drawMarks() {
    const marks = (this.updated ?? []).filter((i) => i < this.state.points.length).map((i) => {
      const mark = this.mark.cloneNode(true);
      mark.setAttribute("transform", `translate(${this.at(this.state.points[i])})`);
      return mark;
    });
    const chosen = this.state.points[this.selected];
    if (chosen) marks.push(this.placed(this.ring, chosen));
    else if (this.cursor && document.activeElement === this.node) marks.push(this.placed(this.cross, this.cursor));
    this.layers.marks.replaceChildren(...marks);
  }

  placed(shape, point) {
    shape.setAttribute("transform", `translate(${this.at(point)})`);
    return shape;
  }

  reveal(name, attributes) {
    set(this.shapes[name], attributes);
    this.shapes[name].classList.remove("gone");
  }

  lineOf([w1, w2, b]) {
    const length = Math.hypot(w1, w2);
    return this.ends(this.foot(w1, w2, b), [w1 / length, w2 / length]);
  }

  /** The point of the plane nearest to the middle of the view. */
  foot(w1, w2, b) {
    const [left, right, bottom, top] = this.state.view;
    const [cx, cy] = [(left + right) / 2, (bottom + top) / 2];
    const by = (w1 * cx + w2 * cy + b) / (w1 * w1 + w2 * w2);
    return [cx - by * w1, cy - by * w2];
  }
  ends(foot, n) {
    const far = 4 * this.half;
    const [a, c] = [-far, far].map((s) => [foot[0] - s * n[1], foot[1] + s * n[0]]);
    return { x1: this.x(a[0]), y1: this.y(a[1]), x2: this.x(c[0]), y2: this.y(c[1]) };
  }
  strip(foot, n, from, to) {
    const far = 9 * this.half;
    const corner = (s, d) => this.at([foot[0] + d * n[0] - s * n[1], foot[1] + d * n[1] + s * n[0]]);
    return [corner(-far, from), corner(far, from), corner(far, to), corner(-far, to)].join(" ");
  }

  // Pointer and keys

  listen() {
    this.node.addEventListener("pointerdown", (event) => this.press(event));
    this.node.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) this.node.addEventListener(name, () => this.release());
    this.node.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const i = this.nearest(event);
      if (i !== null) this.remove(i);
    });
    this.node.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["focus", "blur"]) this.node.addEventListener(name, () => this.drawMarks());
  }

  nearest(event) {
    const scale = this.node.getBoundingClientRect().width / SIDE;
    const reach = GRAB * (event.pointerType === "touch" ? 1.6 : 1);
    const box = this.node.getBoundingClientRect();
    let [best, found] = [reach, null];
    this.state.points.forEach((point, i) => {
      const off = Math.hypot(this.x(point[0]) * scale - (event.clientX - box.left), this.y(point[1]) * scale - (event.clientY - box.top));
      if (off <= best) [best, found] = [off, i];
    });
    return found;
  }

  press(event) {
    if (event.button !== 0) return;
    this.node.focus({ preventScroll: true });
    const i = this.nearest(event);
    if (i === null) this.add(this.world(event));
    else {
      this.selected = this.dragged = i;
      this.drawMarks();
    }
    this.node.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (this.dragged === undefined) return;
    this.moved = true;
    this.state.points[this.dragged].splice(0, 2, ...this.world(event));
    this.drawPoints();
    this.onEdit(false);
  }

  release() {
    if (this.dragged !== undefined && this.moved) this.onEdit(true);
    this.dragged = this.moved = undefined;
  }

  add([x, y]) {
    this.state.points.push([x, y, this.chosenClass()]);
    this.selected = null;
    this.cursor = [x, y];
    this.changed("said-added", x, y, this.chosenClass());
  }

  remove(i) {
    this.state.points.splice(i, 1);
    this.selected = null;
    this.drawPoints();
    this.onEdit(true);
    this.announce(t("said-removed", { all: this.state.points.length }));
  }

  changed(words, x, y, positive) {
    this.drawPoints();
    this.onEdit(true);
    this.announce(t(words, { x: num(x), y: num(y), sign: positive ? "+1" : "−1" }));
  }

  key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const point = this.state.points[this.selected];
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[key]) this.arrow(moves[key], event.shiftKey && point);
    else if (key === "Enter") this.add(this.cursor ?? this.middle());
    else if (key === "n" || key === "p") this.select(key === "n" ? 1 : -1);
    else if (key === "c" && point) {
      point[2] = 1 - point[2];
      this.changed("said-added", ...point);
    } else if ((key === "Delete" || key === "Backspace") && point) this.remove(this.selected);
    else if (key === "Escape") {
      this.selected = null;
      this.drawMarks();
      return;
    } else if (!this.onKey(key)) return;
    event.preventDefault();
  }

  middle() {
    const [left, right, bottom, top] = this.state.view;
    return [left, bottom].map((low, j) => Number(((low + [right, top][j]) / 2).toPrecision(3)));
  }

  arrow([dx, dy], point) {
    const by = (2 * this.half) / STEPS;
    const from = point || (this.cursor ?? this.middle());
    const to = this.inside([from[0] + dx * by, from[1] + dy * by]).map((v) => Number(v.toFixed(4)));
    if (point) {
      point.splice(0, 2, ...to);
      this.changed("said-moved", ...to);
      return;
    }
    this.selected = null;
    this.cursor = to;
    this.drawMarks();
    this.announce(t("said-cursor", { x: num(to[0]), y: num(to[1]) }));
  }

  select(by) {
    const all = this.state.points.length;
    if (!all) return;
    this.selected = this.selected === null ? (by > 0 ? 0 : all - 1) : (this.selected + by + all) % all;
    const [x, y, positive] = this.state.points[this.selected];
    this.cursor = [x, y];
    this.drawMarks();
    this.announce(t("said-selected", { number: this.selected + 1, all, x: num(x), y: num(y), sign: positive ? "+1" : "−1" }));
  }
}

function arrowHead() {
  const head = svg("path", { class: "head", d: "M0 0 8 4 0 8Z" });
  return svg("marker", { id: "head", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto" }, head);
}

function gridLine(x1, y1, x2, y2, value, step) {
  return svg("line", { class: Math.abs(value) < step / 2 ? "axis" : "mesh", x1, y1, x2, y2 });
}

function tick(x, y, value, step) {
  const text = Math.abs(value) < step / 2 ? "0" : num(Number(value.toPrecision(6)), 4);
  return svg("text", { class: "tick", x, y }, text);
}

export function niceStep(room) {
  const power = 10 ** Math.floor(Math.log10(room));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= room * 0.9999);
}

/** Corners in the order of their angle around their middle. */
function around(corners) {
  const [cx, cy] = [0, 1].map((j) => corners.reduce((sum, c) => sum + c[j], 0) / corners.length);
  return [...corners].sort((a, b) => Math.atan2(a[1] - cy, a[0] - cx) - Math.atan2(b[1] - cy, b[0] - cx));
}

function rgb(colour) {
  const hex = colour.trim().slice(1);
  return [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
}
