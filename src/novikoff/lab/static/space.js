// The points lifted by the XOR features into three dimensions, (z₁, z₂, z₁z₂), with the plane that cuts them there.

import { html, set, svg } from "./dom.js";
import { num, t } from "./texts.js";
import { Turning } from "./turning.js";

const SCALE = 105; // pixels of a unit
const BITS = [-1, 1];
const CORNERS = BITS.flatMap((x) => BITS.flatMap((y) => BITS.map((z) => [x, y, z])));
const EDGES = CORNERS.flatMap((a, i) => CORNERS.slice(i + 1).filter((b) => a.filter((v, j) => v !== b[j]).length === 1).map((b) => [a, b]));

export class Panel {
  constructor(node, { onChange }) {
    this.picture = svg("svg", { viewBox: "-200 -180 400 360", tabindex: 0, role: "application" });
    this.about = html("p", { class: "note" });
    this.title = html("h2", {});
    node.replaceChildren(this.title, this.picture, this.about);
    this.turning = new Turning(this.picture, () => {
      this.draw();
      if (this.turning.touched && !this.told) {
        this.told = true;
        onChange();
      }
    }, { spin: 0.35 });
    this.rewrite();
  }

  rewrite() {
    this.title.textContent = t("panel-space");
    this.picture.setAttribute("aria-label", t("space-label"));
  }

  load({ points, learner }, run) {
    const lifted = points.map(([x, y, positive]) => [2 * x - 1, 2 * y - 1, (2 * x - 1) * (2 * y - 1), positive]);
    const largest = [0, 1, 2].map((j) => Math.max(1, ...lifted.map((z) => Math.abs(z[j]))));
    Object.assign(this, { largest, weights: learner === "xor-features" ? run?.steps.weights : null, step: 0 });
    this.points = lifted.map((z) => [...[0, 1, 2].map((j) => z[j] / largest[j]), z[3]]);
    this.draw();
  }

  show(step) {
    this.step = step;
    const w = this.weights?.[step];
    this.about.textContent = w ? t("space-plane", { w: w.slice(0, 3).map((v) => num(v, 3)).join(", "), b: num(w[3], 3) }) : t("space-none");
    this.draw();
  }

  at(point) {
    const [x, y, near] = this.turning.place(point);
    return [x * SCALE, y * SCALE, near];
  }

  draw() {
    const line = ([a, b], kind) => {
      const [[x1, y1], [x2, y2]] = [this.at(a), this.at(b)];
      return svg("line", { class: kind, x1, y1, x2, y2 });
    };
    const names = ["z₁", "z₂", "z₁z₂"].map((name, j) => {
      const [x, y] = this.at([-1.15, -1.15, -1.15].map((v, k) => (k === j ? 0.2 : v)));
      return svg("text", { class: "input-name", x, y, "text-anchor": "middle" }, name);
    });
    const shapes = [...(this.points ?? [])].sort((a, b) => this.at(a)[2] - this.at(b)[2]).map((point) => this.corner(point));
    this.picture.replaceChildren(...EDGES.map((edge) => line(edge, "edge behind")), ...this.cut(), ...names, ...shapes);
  }

  corner(point) {
    const [x, y] = this.at(point);
    const shape = point[3] ? svg("circle", { class: "point positive", r: 9 }) : svg("rect", { class: "point negative", x: -8, y: -8, width: 16, height: 16 });
    set(shape, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
    return shape;
  }

  /** The plane inside the box: where it meets the edges, in the order of their angle on the screen. */
  cut() {
    const w = this.weights?.[this.step];
    if (!w || !w.slice(0, 3).some(Boolean)) return [];
    const value = (p) => p.reduce((sum, v, j) => sum + w[j] * v * this.largest[j], w[3]);
    const met = EDGES.flatMap(([a, b]) => {
      const [u, v] = [value(a), value(b)];
      return u === 0 ? [a] : v === 0 ? [b] : u > 0 === v > 0 ? [] : [a.map((x, j) => x + (u / (u - v)) * (b[j] - x))];
    });
    if (met.length < 3) return [];
    const places = met.map((p) => this.at(p));
    const [cx, cy] = [0, 1].map((j) => places.reduce((sum, p) => sum + p[j], 0) / places.length);
    const turn = ([x, y]) => Math.atan2(y - cy, x - cx);
    const points = places.sort((a, b) => turn(a) - turn(b)).map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    return [svg("polygon", { class: "cut", points })];
  }
}
