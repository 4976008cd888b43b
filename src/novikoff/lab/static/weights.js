// Weight space: every point of the data is a half-plane of weights, and a run walks into their common part.

import { html, svg } from "./dom.js";
import { Frame, SIDE } from "./geometry.js";
import { num, t } from "./texts.js";

const MOST = 120; // lines that are drawn

/** What is left of a polygon on the side a·x + b·y + c > 0 of a line. */
function clip(polygon, [a, b, c]) {
  const value = ([x, y]) => a * x + b * y + c;
  return polygon.flatMap((p, k) => {
    const q = polygon[(k + 1) % polygon.length];
    const [u, v] = [value(p), value(q)];
    const met = u > 0 !== v > 0 ? [p.map((x, j) => x + (u / (u - v)) * (q[j] - x))] : [];
    return u > 0 ? [p, ...met] : met;
  });
}

export class Panel {
  constructor(node) {
    this.picture = svg("svg", { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", class: "small-plane" });
    this.title = html("h2", {});
    this.about = html("p", { class: "note" });
    node.replaceChildren(this.title, this.picture, this.about);
    this.rewrite();
  }

  rewrite() {
    this.title.textContent = t("panel-weights");
    this.picture.setAttribute("aria-label", t("panel-weights"));
  }

  load({ points, kind, params }, run) {
    const weights = kind === "plane" ? run?.steps.weights : null;
    Object.assign(this, { points, weights, run, kind, biased: params.fit_intercept !== false });
    if (!weights) return;
    const reach = Math.max(1e-9, ...weights.map(([w1, w2]) => Math.max(Math.abs(w1), Math.abs(w2)))) * 1.3;
    this.frame = new Frame([-reach, reach, -reach, reach]);
  }

  show(step) {
    if (!this.weights) {
      this.picture.replaceChildren();
      this.about.textContent = this.kind === "plane" ? "" : t("weights-none"); // of a plane there may be no run yet
      return;
    }
    const [w1, w2, b] = this.weights[step];
    const { frame } = this;
    const bias = this.biased ? b : 0;
    const signed = this.points.map(([x, y, positive]) => (positive ? [x, y, bias] : [-x, -y, -bias]));
    const [left, right, bottom, top] = frame.view;
    const corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
    const cone = signed.reduce((polygon, line) => (polygon.length ? clip(polygon, line) : polygon), corners);
    const lines = signed.slice(0, MOST).filter(([x, y]) => Math.hypot(x, y)).map((line, i) => {
      const updated = step && this.run.steps.rows[step - 1][0] === i;
      return svg("line", { class: `weight-line ${this.points[i][2] ? "positive" : "negative"}${updated ? " current" : ""}`, ...frame.lineOf(line) });
    });
    const path = this.weights.slice(0, step + 1).map((w) => frame.at(w)).join(" ");
    const [x, y] = [frame.x(w1), frame.y(w2)];
    this.picture.replaceChildren(
      svg("rect", { class: "frame", width: SIDE, height: SIDE }),
      svg("line", { class: "mesh", x1: 0, x2: SIDE, y1: SIDE / 2, y2: SIDE / 2 }),
      svg("line", { class: "mesh", y1: 0, y2: SIDE, x1: SIDE / 2, x2: SIDE / 2 }),
      ...(cone.length > 2 ? [svg("polygon", { class: "cone", points: cone.map((p) => frame.at(p)).join(" ") })] : []),
      ...lines,
      svg("polyline", { class: "walk", points: path }),
      svg("circle", { class: "walker", cx: x, cy: y, r: 9 }),
      svg("text", { class: "axis-name", x: SIDE - 8, y: SIDE / 2 - 8, "text-anchor": "end" }, "w₁ →"),
      svg("text", { class: "axis-name", x: SIDE / 2 + 8, y: 20 }, "↑ w₂"),
    );
    const words = { w: `${num(w1, 3)}, ${num(w2, 3)}`, b: num(bias, 3) };
    this.about.textContent = [t(this.biased ? "weights-slice" : "weights-all", words), cone.length > 2 ? "" : t("weights-empty")].join(" ");
    this.picture.setAttribute("aria-label", `${t("panel-weights")}: ${this.about.textContent}`);
  }
}
