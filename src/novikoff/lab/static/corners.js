// The points of a truth table as corners of a square, or of a cube that can be turned, with the plane or the trade.

import { set, svg } from "./dom.js";
import { Turning } from "./turning.js";

const SCALE = 190; // pixels along an edge
const SLACK = 4; // pixels that a click may move
const START = [-1.1, 0.3]; // how far a cube is turned about the upright axis and towards the eye

export class Corners {
  /** `onToggle(row)` is called when a corner is clicked. */
  constructor(node, onToggle) {
    Object.assign(this, { node, onToggle, points: [], values: [], known: null, pressed: null });
    this.turning = new Turning(node, () => this.draw(), { start: START, turns: () => this.solid });
    node.addEventListener("pointerdown", ({ target, clientX, clientY }) => (this.pressed = { row: target.dataset.corner, clientX, clientY }));
    node.addEventListener("pointerup", (event) => this.release(event));
  }

  /** Corners with their values, and what is known of them: weights and a threshold, a trade, or null for nothing yet. */
  show(points, values, known) {
    if (points.length !== this.points.length) this.turning.turned = START;
    Object.assign(this, { points, values, known });
    this.node.classList.toggle("cube", points[0].length === 3);
    this.draw();
  }

  get solid() {
    return this.points[0]?.length === 3;
  }

  /** A corner that was pressed and let go of where it was is toggled. */
  release({ button, clientX, clientY }) {
    const { row, ...from } = this.pressed ?? {};
    this.pressed = null;
    if (button === 0 && row !== undefined && Math.hypot(clientX - from.clientX, clientY - from.clientY) <= SLACK) this.onToggle(Number(row));
  }

  // Drawing

  /** Where a point of the cube is on the screen, and how near the eye. */
  place(point) {
    const [x, y, z] = [0, 1, 2].map((j) => (j < point.length ? point[j] - 0.5 : 0));
    if (!this.solid) return [x * SCALE * 1.2, -y * SCALE * 1.2, 0];
    const [right, down, near] = this.turning.place([x, y, z]);
    return [right * SCALE, down * SCALE, near];
  }

  draw() {
    const { weights, threshold, trade } = this.known ?? {};
    const shapes = [...this.edges(), ...this.names()];
    if (weights) shapes.push(...this.cut(weights, threshold - 0.5));
    if (trade) shapes.push(...this.trade(trade));
    const rows = this.points.map((_, row) => row).sort((a, b) => this.place(this.points[a])[2] - this.place(this.points[b])[2]);
    this.node.replaceChildren(...shapes, ...rows.flatMap((row) => this.corner(row)));
  }

  /** The edges; those that end in the farthest corner of a cube are behind it. */
  edges() {
    const depths = this.points.map((point) => this.place(point)[2]);
    const far = this.solid ? depths.indexOf(Math.min(...depths)) : -1;
    return this.neighbours().map(([a, b]) => {
      const [[x1, y1], [x2, y2]] = [a, b].map((row) => this.place(this.points[row]));
      return svg("line", { class: a === far || b === far ? "edge behind" : "edge", x1, y1, x2, y2 });
    });
  }

  /** Pairs of corners that differ in one input. */
  neighbours() {
    const inputs = this.points[0].length;
    return this.points.flatMap((_, row) => [...Array(inputs)].map((_, j) => [row, row | (1 << j)]).filter(([a, b]) => a !== b));
  }

  /** The names of the inputs, each beside an outer edge of its direction: of the two, the one down and to the left. */
  names() {
    return this.points[0].map((_, j) => {
      const middles = this.points.map((point) => this.place(point.map((v, k) => (k === j ? 0.5 : v))));
      const outer = ([x, y]) => Math.hypot(x, y) + y / 10 - x / 20;
      const [x, y] = middles.reduce((best, one) => (outer(one) > outer(best) ? one : best));
      const outward = 1 + 22 / Math.hypot(x, y);
      return svg("text", { class: "input-name", x: x * outward, y: y * outward + 5, "text-anchor": "middle" }, `x${"₁₂₃"[j]}`);
    });
  }

  /** The plane w·x = middle inside the cube, or the line across the square. */
  cut(weights, middle) {
    const value = (point) => point.reduce((sum, v, j) => sum + v * weights[j], -middle);
    const met = [];
    for (const [a, b] of this.neighbours()) {
      const [from, to] = [this.points[a], this.points[b]];
      if (value(from) * value(to) >= 0) continue; // no corner lies on it
      const part = value(from) / (value(from) - value(to));
      met.push(from.map((v, j) => v + part * (to[j] - v)));
    }
    if (!met.length) return [];
    if (this.solid) return [svg("polygon", { class: "cut", points: this.path(around(met, weights)) })];
    const [[x1, y1], [x2, y2]] = this.lengthened(met);
    return [svg("line", { class: "cut", x1, y1, x2, y2 })];
  }

  /** The ends of a line, drawn a little beyond the square. */
  lengthened([a, b]) {
    const [[x1, y1], [x2, y2]] = [a, b].map((point) => this.place(point));
    const by = 40 / Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [by * (x2 - x1), by * (y2 - y1)];
    return [[x1 - dx, y1 - dy], [x2 + dx, y2 + dy]];
  }

  /** The points of both sides, and the middle that they share. */
  trade(sides) {
    const lines = sides.map((rows, k) =>
      svg("polyline", { class: `hull ${k ? "negative" : "positive"}`, points: this.path(rows.map((row) => this.points[row])) }),
    );
    const centre = this.points[0].map((_, j) => sides[0].reduce((sum, row) => sum + this.points[row][j], 0) / sides[0].length);
    const [x, y] = this.place(centre);
    return [...lines, svg("path", { class: "meeting", d: "M0-11 3-3 11 0 3 3 0 11-3 3-11 0-3-3Z", transform: `translate(${x} ${y})` })];
  }

  path(points) {
    return points.map((point) => this.place(point).slice(0, 2).map((v) => v.toFixed(1)).join(",")).join(" ");
  }

  corner(row) {
    const [x, y] = this.place(this.points[row]);
    const shape = this.values[row]
      ? svg("circle", { class: "point positive", r: 11 })
      : svg("rect", { class: "point negative", x: -10, y: -10, width: 20, height: 20 });
    set(shape, { transform: `translate(${x} ${y})`, "data-corner": row });
    const side = x < -1 ? -1 : 1;
    const label = svg("text", { class: "corner", x: x + side * 17, y: y - 10, "text-anchor": side < 0 ? "end" : "start" }, this.points[row].join(""));
    return [shape, label];
  }
}

/** Corners of a plane figure in the order of their angle around its middle, seen along the plane's normal. */
function around(corners, normal) {
  const middle = normal.map((_, j) => corners.reduce((sum, c) => sum + c[j], 0) / corners.length);
  const from = (c) => c.map((v, j) => v - middle[j]);
  const [first, second] = [from(corners[0]), cross(normal, from(corners[0]))];
  const angle = (c) => Math.atan2(dot(from(c), second) / Math.hypot(...second), dot(from(c), first) / Math.hypot(...first));
  return [...corners].sort((a, b) => angle(a) - angle(b));
}

const dot = (a, b) => a.reduce((sum, v, j) => sum + v * b[j], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
