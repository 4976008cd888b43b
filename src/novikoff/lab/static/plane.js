// The plane: the points of an experiment, what is learnt at a step, and the proof. What is drawn belongs together.

import { decoded, image, zeroLine } from "./contours.js";
import { set, svg } from "./dom.js";
import { around, Frame, niceStep, SIDE } from "./geometry.js";
import { num } from "./texts.js";

const MOTION = 260; // milliseconds in which a plane moves to its next place
export const GRAB = 14; // pixels around a point that are taken for it
const MANY = 100; // points that are drawn smaller
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export class Plane {
  /** `id` tells its definitions from those of other planes on the page. */
  constructor(node, id = "plane") {
    Object.assign(this, { node, id, view: [-1, 1, -1, 1], points: [], axes: null, overlays: new Set(), cache: new Map(), run: null, step: 0 });
    const clip = svg("clipPath", { id: `${id}-inside` }, svg("rect", { width: SIDE, height: SIDE }));
    this.layers = {};
    const clipped = svg("g", { "clip-path": `url(#${id}-inside)` });
    for (const name of ["ground", "grid", "learnt", "proof", "vectors", "points", "ghosts", "errors", "meet", "dual", "marks"]) {
      this.layers[name] = svg("g", { class: name, "aria-hidden": "true" });
      clipped.append(this.layers[name]);
    }
    node.append(svg("defs", {}, clip, this.arrowHead("head"), this.arrowHead("grow")), svg("rect", { class: "frame", width: SIDE, height: SIDE }), clipped);
    this.makeLearnt();
  }

  arrowHead(name) {
    const head = svg("path", { class: name, d: "M0 0 8 4 0 8Z" });
    return svg("marker", { id: `${this.id}-${name}`, viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 5, markerHeight: 5, orient: "auto" }, head);
  }

  makeLearnt() {
    const shapes = {
      positive: svg("polygon", { class: "half positive" }),
      negative: svg("polygon", { class: "half negative" }),
      band: svg("polygon", { class: "band" }),
      picture: svg("image", { width: SIDE, height: SIDE, preserveAspectRatio: "none" }),
      zero: svg("path", { class: "line" }),
      line: svg("line", { class: "line" }),
      arrow: svg("line", { class: "arrow", "marker-end": `url(#${this.id}-head)` }),
      live: svg("line", { class: "line live" }),
    };
    this.shapes = shapes;
    this.layers.ground.append(shapes.picture, shapes.positive, shapes.negative, shapes.band);
    this.layers.learnt.append(shapes.zero, shapes.line, shapes.arrow, shapes.live);
  }

  get frame() {
    return new Frame(this.view);
  }

  // Points

  /** Draw these points, without anything that was learnt or proved of others. */
  load({ points, axes, params }, view) {
    this.halt();
    Object.assign(this, { points, axes, view, biased: params.fit_intercept !== false, run: null, step: 0, proof: null, errors: null });
    this.cache.clear();
    this.redraw();
  }

  /** Draw everything in another view. */
  look(view) {
    this.halt();
    this.view = view;
    this.redraw();
  }

  redraw() {
    const { frame } = this;
    this.drawPoints(frame);
    this.layers.ghosts.replaceChildren();
    this.drawGrid(frame);
    this.showProof(this.proof);
    this.showErrors(this.errors);
    this.draw();
  }

  /** Points that have not moved since they were drawn last are left alone. */
  drawPoints(frame) {
    const shapes = [...this.layers.points.children];
    const sized = this.points.length > MANY;
    if (shapes.length !== this.points.length || sized !== this.sized) {
      this.layers.points.replaceChildren(...this.points.map((point, i) => this.pointShape(frame, point, i)));
    } else {
      this.points.forEach((point, i) => {
        const place = `translate(${frame.at(point)})`;
        if (shapes[i].classList.contains("positive") !== Boolean(point[2])) shapes[i].replaceWith(this.pointShape(frame, point, i));
        else if (shapes[i].getAttribute("transform") !== place) set(shapes[i], { transform: place });
      });
    }
    this.sized = sized;
  }

  pointShape(frame, [x, y, positive], i, kind = "point") {
    const size = this.points.length > MANY ? 0.75 : 1;
    const shape = positive
      ? svg("circle", { class: `${kind} positive`, r: 7 * size })
      : svg("rect", { class: `${kind} negative`, x: -6 * size, y: -6 * size, width: 12 * size, height: 12 * size });
    set(shape, { transform: `translate(${frame.at([x, y])})`, "data-point": i });
    return shape;
  }

  /** Points that are wanted but of which nothing is known yet: only their outlines, where they are few. */
  showGhosts(wanted) {
    const changed = wanted.map((point, i) => [point, i]).filter(([point, i]) => String(point) !== String(this.points[i]));
    const { frame } = this;
    const few = changed.length <= 3 ? changed : [];
    this.layers.ghosts.replaceChildren(...few.map(([point, i]) => this.pointShape(frame, point, i, "ghost")));
  }

  drawGrid(frame) {
    const wanted = JSON.stringify([this.view, this.axes]);
    if (wanted === this.gridded) return;
    this.gridded = wanted;
    const marks = [];
    const [left, right, bottom, top] = this.view;
    const step = niceStep(frame.half / 2);
    for (const v of frame.ticks(left, right)) {
      marks.push(gridLine(frame.x(v), 0, frame.x(v), SIDE, v, step), tick(frame.x(v) + 3, SIDE - 5, v, step));
    }
    for (const v of frame.ticks(bottom, top)) {
      marks.push(gridLine(0, frame.y(v), SIDE, frame.y(v), v, step), tick(4, frame.y(v) - 4, v, step));
    }
    const [across, up] = this.axes ?? ["x₁", "x₂"];
    marks.push(
      svg("text", { class: "axis-name", x: SIDE - 6, y: SIDE - 22, "text-anchor": "end" }, `${across} →`),
      svg("text", { class: "axis-name", x: 6, y: 18 }, `↑ ${up}`),
    );
    this.layers.grid.replaceChildren(...marks);
  }

  /** The point that a pointer is at, of those that are drawn or of others; null where none is within so many pixels. */
  nearest({ clientX, clientY }, within = GRAB, points = this.points) {
    const { left, top, width } = this.node.getBoundingClientRect();
    const { frame } = this;
    let [best, found] = [within, null];
    points.forEach(([x, y], i) => {
      const off = Math.hypot((frame.x(x) * width) / SIDE - (clientX - left), (frame.y(y) * width) / SIDE - (clientY - top));
      if (off <= best) [best, found] = [off, i];
    });
    return found;
  }

  // What is learnt

  /** What is learnt at a step of a run on these points; the plane moves there if the step is the next one. */
  show(run, step, moving = true) {
    const next = run && run === this.run && step === this.step + 1;
    Object.assign(this, { run, step });
    this.halt();
    if (next && moving && run.steps.weights && !run.steps.frames && !stillness.matches) this.move(run.steps.weights[step - 1], run.steps.weights[step]);
    else this.draw();
  }

  move(from, to) {
    const start = performance.now();
    const beat = (now) => {
      const part = Math.min(1, (now - start) / MOTION);
      if (part === 1) return this.draw();
      this.draw(from.map((v, j) => v + part * (to[j] - v)));
      this.moving = requestAnimationFrame(beat);
    };
    this.draw(from);
    this.moving = requestAnimationFrame(beat);
  }

  halt() {
    cancelAnimationFrame(this.moving);
  }

  draw(between = null) {
    const { run, step, frame } = this;
    for (const shape of Object.values(this.shapes)) shape.classList.add("gone");
    if (run) {
      const { weights, frames, live } = run.steps;
      if (frames) this.showPicture(frame, frames, step);
      else if (weights) this.showPlane(frame, between ?? weights[step], between || run.slack ? 0 : run.charts.margins[step], live?.frames);
      if (live?.frames) this.showPicture(frame, live.frames, step);
      else if (live && frame.crosses(live.planes[step])) this.reveal("live", frame.lineOf(live.planes[step]));
    }
    this.drawOverlays(frame);
    this.drawMarks();
  }

  showPlane(frame, [w1, w2, b], margin, pictured) {
    const length = Math.hypot(w1, w2);
    if (!length) {
      const whole = { points: `0,0 ${SIDE},0 ${SIDE},${SIDE} 0,${SIDE}` };
      if (b && !pictured) this.reveal(b > 0 ? "positive" : "negative", whole);
      return;
    }
    const [n, foot, { half }] = [[w1 / length, w2 / length], frame.foot(w1, w2, b), frame];
    if (!pictured) {
      this.reveal("positive", { points: frame.strip(foot, n, 0, 9 * half) });
      this.reveal("negative", { points: frame.strip(foot, n, -9 * half, 0) });
    }
    const reach = (margin * Math.hypot(w1, w2, b)) / length;
    if (margin > 0 && !pictured && [-reach, 0, reach].some((by) => frame.crosses([w1, w2, b + by * length]))) this.reveal("band", { points: frame.strip(foot, n, -reach, reach) });
    if (!frame.crosses([w1, w2, b])) return;
    this.reveal("line", frame.ends(foot, n));
    const tip = [foot[0] + n[0] * half * 0.22, foot[1] + n[1] * half * 0.22];
    this.reveal("arrow", { x1: frame.x(foot[0]), y1: frame.y(foot[1]), x2: frame.x(tip[0]), y2: frame.y(tip[1]) });
  }

  showPicture(frame, frames, step) {
    let k = frames.at.length - 1;
    while (frames.at[k] > step) k--;
    const drawn = this.drawnPicture(frames, k);
    const [left, right, bottom, top] = frames.view;
    const box = { x: frame.x(left), y: frame.y(top), width: frame.x(right) - frame.x(left), height: frame.y(bottom) - frame.y(top) };
    this.reveal("picture", { href: drawn.href, ...box });
    const [dx, dy] = [box.width / (frames.size - 1), box.height / (frames.size - 1)];
    const place = ([i, j]) => `${(box.x + i * dx).toFixed(1)} ${(box.y + box.height - j * dy).toFixed(1)}`;
    if (drawn.path.length) this.reveal("zero", { d: drawn.path.map(([a, b]) => `M${place(a)}L${place(b)}`).join("") });
    this.shapes.zero.classList.toggle("live", frames !== this.run.steps.frames);
  }

  drawnPicture(frames, k) {
    const key = frames.data[k];
    if (!this.cache.has(key)) {
      const scores = decoded(key, frames.levels);
      const colours = ["--negative", "--positive"].map((name) => rgb(getComputedStyle(this.node).getPropertyValue(name)));
      this.cache.set(key, { href: image(scores, frames.size, colours), path: zeroLine(scores, frames.size) });
    }
    return this.cache.get(key);
  }

  reveal(name, attributes) {
    set(this.shapes[name], attributes);
    this.shapes[name].classList.remove("gone");
  }

  // Overlays of lessons: how often each point was updated on, and the rule as vectors

  /** Show one of "dual", "vectors", or not. */
  overlay(name, on) {
    this.overlays[on ? "add" : "delete"](name);
    this.drawOverlays(this.frame);
  }

  drawOverlays(frame) {
    const known = this.run?.steps.step_is === "update";
    this.layers.dual.replaceChildren(...(known && this.overlays.has("dual") ? this.counts(frame) : []));
    this.layers.vectors.replaceChildren(...(known && this.overlays.has("vectors") ? this.arrows(frame) : []));
  }

  counts(frame) {
    const counts = new Map();
    for (const [i] of this.run.steps.rows.slice(0, this.step)) counts.set(i, (counts.get(i) ?? 0) + 1);
    return [...counts].map(([i, count]) =>
      svg("text", { class: "count", x: frame.x(this.points[i][0]) + 10, y: frame.y(this.points[i][1]) - 9 }, String(count)),
    );
  }

  /** w before the update, what was added, and w after it, from the origin; without their bias. */
  arrows(frame) {
    const { weights, rows } = this.run.steps;
    if (!weights || weights[0].length !== 3) return [];
    const arrow = (kind, [x1, y1], [x2, y2]) =>
      svg("line", { class: `vector ${kind}`, x1: frame.x(x1), y1: frame.y(y1), x2: frame.x(x2), y2: frame.y(y2), "marker-end": `url(#${this.id}-${kind === "added" ? "grow" : "head"})` });
    const now = weights[this.step];
    if (!this.step) return [];
    const before = weights[this.step - 1];
    const [x, y, positive] = this.points[rows[this.step - 1][0]];
    const name = svg("text", { class: "vector-name", x: frame.x((before[0] + now[0]) / 2) + 8, y: frame.y((before[1] + now[1]) / 2) }, positive ? "+ x" : "− x");
    const shapes = [arrow("added", before, now), arrow("after", [0, 0], now), name];
    if (Math.hypot(before[0], before[1])) shapes.unshift(arrow("before", [0, 0], before));
    if (x || y) shapes.unshift(svg("line", { class: "vector row", x1: frame.x(0), y1: frame.y(0), x2: frame.x(x), y2: frame.y(y) }));
    return shapes;
  }

  // Proofs

  /** The certificate: a plane with its margin, or the two combinations and the point in which they meet. */
  showProof(proof) {
    this.proof = proof;
    this.layers.proof.replaceChildren();
    this.layers.meet.replaceChildren();
    if (proof?.plane) this.layers.proof.append(...this.bestPlane(proof));
    if (proof?.witness) {
      this.layers.proof.append(...this.hulls(proof.witness));
      const place = `translate(${this.frame.at(proof.witness.meeting)})`;
      this.layers.meet.append(svg("path", { class: "meeting", d: "M0-11 3-3 11 0 3 3 0 11-3 3-11 0-3-3Z", transform: place }));
    }
  }

  /** The plane with the fewest errors that was found, and a cross on every point that it has wrong; null for none. */
  showErrors(answer) {
    this.errors = answer;
    const { frame } = this;
    const shapes = [];
    if (answer && frame.crosses(answer.plane)) shapes.push(svg("line", { class: "fewest", ...frame.lineOf(answer.plane) }));
    for (const i of answer?.rows ?? []) shapes.push(this.cross(frame, i, "wrong"));
    this.layers.errors.replaceChildren(...shapes);
  }

  cross(frame, i, kind) {
    return svg("path", { class: kind, d: "M-6-6 6 6M-6 6 6-6", transform: `translate(${frame.at(this.points[i])})` });
  }

  bestPlane({ plane: [w1, w2, b], distance }) {
    const length = Math.hypot(w1, w2);
    if (!length) return [];
    const { frame } = this;
    const [foot, n] = [frame.foot(w1, w2, b), [w1 / length, w2 / length]];
    const shifted = (by) => frame.ends([foot[0] + by * n[0], foot[1] + by * n[1]], n);
    const edges = distance ? [-distance, distance] : [];
    const inView = [...edges, 0].filter((by) => frame.crosses([w1, w2, b - by * length]));
    return inView.map((by) => svg("line", { class: by ? "best edge" : "best", ...shifted(by) }));
  }

  /** The points of each class that are averaged; without a bias, all signed points. */
  hulls({ rows, signed }) {
    const { frame } = this;
    const sign = (i) => (this.points[i][2] ? 1 : -1);
    const place = (i) => this.points[i].slice(0, 2).map((v) => (signed ? sign(i) * v : v));
    const groups = signed ? [rows] : [rows.filter((i) => sign(i) > 0), rows.filter((i) => sign(i) < 0)];
    return groups.map((group, k) => {
      const points = around(group.map(place)).map((p) => frame.at(p)).join(" ");
      return svg(group.length > 2 ? "polygon" : "polyline", { class: `hull ${signed ? "both" : k ? "negative" : "positive"}`, points });
    });
  }

  // Marks

  /** Rings around the point of the update, crosses on all that are wrong after a pass; then what hands point at. */
  drawMarks() {
    const { run, step, frame } = this;
    const rows = (run && step > 0 ? run.steps.rows[step - 1] : []).filter((i) => frame.holds(this.points[i]));
    const marks = run?.steps.step_is === "pass" ? rows.map((i) => this.cross(frame, i, "miss")) : rows.map((i) => this.ring(frame, i));
    this.layers.marks.replaceChildren(...marks, ...(this.handMarks?.(frame) ?? []));
  }

  ring(frame, i) {
    return svg("g", { class: "mark", transform: `translate(${frame.at(this.points[i])})` }, svg("circle", { r: 13 }));
  }
}

function gridLine(x1, y1, x2, y2, value, step) {
  return svg("line", { class: Math.abs(value) < step / 2 ? "axis" : "mesh", x1, y1, x2, y2 });
}

/** A tick has as many digits as tell it from the next. */
function tick(x, y, value, step) {
  const digits = Math.max(4, Math.ceil(Math.log10(Math.abs(value) / step || 1)) + 1);
  return svg("text", { class: "tick", x, y }, Math.abs(value) < step / 2 ? "0" : num(value, Math.min(17, digits)));
}

function rgb(colour) {
  const hex = colour.trim().slice(1);
  return [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16));
}
