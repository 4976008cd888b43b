// The neuron: inputs, weights, their sum, and what it says of each point, at this step.

import { html, svg } from "./dom.js";
import { num, t } from "./texts.js";

const MOST = 8; // points that fit into a table

export class Panel {
  constructor(node) {
    this.picture = svg("svg", { viewBox: "0 0 420 170", role: "img" });
    this.table = html("table", { class: "neuron" });
    this.title = html("h2", {});
    node.replaceChildren(this.title, this.picture, this.table);
    this.rewrite();
  }

  rewrite() {
    this.title.textContent = t("panel-neuron");
    this.picture.setAttribute("aria-label", t("panel-neuron"));
  }

  load({ points, kind }, run) {
    Object.assign(this, { points, weights: kind === "plane" ? run?.steps.weights : null });
    if (!this.weights) {
      this.picture.replaceChildren();
      this.table.replaceChildren();
    }
  }

  show(step) {
    if (!this.weights) return;
    const w = this.weights[step];
    this.draw(w);
    this.write(w);
  }

  draw(w) {
    const names = ["x₁", "x₂", "1"];
    const shapes = names.flatMap((name, j) => {
      const y = 28 + 57 * j;
      return [
        svg("line", { class: "axon", x1: 48, y1: y, x2: 218, y2: 85, "stroke-width": 1 + 3 * Math.min(1, Math.abs(w[j]) / (Math.max(...w.map(Math.abs)) || 1)) }),
        svg("circle", { class: "cell", cx: 30, cy: y, r: 19 }),
        svg("text", { class: "cell-name", x: 30, y: y + 5, "text-anchor": "middle" }, name),
        svg("text", { class: "weight", x: 120, y: 28 + 57 * j + (85 - y) * 0.42 - 8, "text-anchor": "middle" }, `${["w₁", "w₂", "b"][j]} = ${num(w[j], 3)}`),
      ];
    });
    shapes.push(
      svg("circle", { class: "cell", cx: 242, cy: 85, r: 25 }),
      svg("text", { class: "cell-name", x: 242, y: 91, "text-anchor": "middle" }, "Σ"),
      svg("line", { class: "axon", x1: 268, y1: 85, x2: 345, y2: 85, "stroke-width": 2 }),
      svg("text", { class: "weight", x: 306, y: 76, "text-anchor": "middle" }, "sign"),
      svg("circle", { class: "cell", cx: 366, cy: 85, r: 21 }),
      svg("text", { class: "cell-name", x: 366, y: 90, "text-anchor": "middle" }, "±1"),
    );
    this.picture.replaceChildren(...shapes);
    this.picture.setAttribute("aria-label", t("neuron-label", { w: w.slice(0, 2).map((v) => num(v, 3)).join(", "), b: num(w[2], 3) }));
  }

  write(w) {
    const head = ["x₁", "x₂", "w·x + b", t("neuron-out"), t("neuron-wanted")].map((text) => html("th", { scope: "col" }, text));
    const rows = this.points.slice(0, MOST).map(([x, y, positive]) => {
      const sum = w[0] * x + w[1] * y + w[2];
      const [out, wanted] = [sum >= 0 ? 1 : -1, positive ? 1 : -1];
      const cells = [num(x, 3), num(y, 3), num(sum, 3), out > 0 ? "+1" : "−1", `${wanted > 0 ? "+1" : "−1"} ${out === wanted ? "✓" : "✗"}`];
      return html("tr", { class: out === wanted ? "yes" : "no" }, ...cells.map((text) => html("td", {}, text)));
    });
    this.table.replaceChildren(html("thead", {}, html("tr", {}, ...head)), html("tbody", {}, ...rows));
  }
}
