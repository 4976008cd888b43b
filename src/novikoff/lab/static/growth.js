// The families of data on which the bound is met and on which it grows without measure: updates by dimension.

import { Chart } from "./chart.js";
import { html } from "./dom.js";
import { count, t } from "./texts.js";
import { atMost } from "./theorem.js";

const START = 4;

export class Panel {
  constructor(node, { ask, state, onChange, controls }) {
    const { families, sizes: [fewest, most] } = controls().growth;
    Object.assign(this, { ask, state, onChange, families, fewest, answers: new Map(), size: 0 });
    this.slider = html("input", { id: "size", type: "range", min: fewest, max: most, value: START });
    this.family = html("select", { id: "family" });
    this.labels = [html("span", {}), html("span", {})];
    this.now = html("output", { for: "size" });
    this.about = html("p", { role: "status" });
    this.charts = html("div", { class: "pair" });
    const [first, second] = [html("label", {}, this.labels[0], " ", this.family), html("label", {}, this.labels[1], " ", this.slider, " ", this.now)];
    node.replaceChildren(html("p", { class: "bar" }, first, second), this.about, this.charts);
    this.slider.addEventListener("input", () => this.draw());
    this.family.addEventListener("change", () => this.draw());
    this.rewrite();
  }

  rewrite() {
    const chosen = this.family.value || (this.families.includes(this.state.lesson) ? this.state.lesson : this.families[0]);
    this.labels[0].textContent = t("growth-family");
    this.labels[1].textContent = t("growth-size");
    this.family.replaceChildren(...this.families.map((name) => html("option", { value: name }, t(`preset-${name}`))));
    this.family.value = chosen;
  }

  load() {
    if (this.lesson !== this.state.lesson) {
      this.lesson = this.state.lesson;
      this.slider.value = START;
      this.size = 0;
      if (this.families.includes(this.lesson)) this.family.value = this.lesson;
    }
    this.draw();
  }

  show() {}

  /** What is known of a size, asked for once. */
  async answer(family, size) {
    const key = `${family} ${size}`;
    if (!this.answers.has(key)) this.answers.set(key, this.ask("/api/growth", { family, size }));
    try {
      return await this.answers.get(key);
    } catch (error) {
      this.answers.delete(key);
      throw error;
    }
  }

  async draw() {
    const [family, size] = [this.family.value, Number(this.slider.value)];
    this.now.textContent = `m = ${size}`;
    const sizes = [...Array(size - this.fewest + 1).keys()].map((k) => k + this.fewest);
    try {
      const all = await Promise.all(sizes.map((m) => this.answer(family, m)));
      if (family === this.family.value && size === Number(this.slider.value)) this.write(family, all);
    } catch {
      this.about.textContent = t("error-network");
    }
  }

  write(family, all) {
    const last = all[all.length - 1];
    this.size = last.size;
    this.shown = family;
    this.about.textContent = t(`growth-${family}`, { m: last.size, updates: last.updates, bound: count(atMost(last.bound)) });
    const by = new Chart("growth", t("chart-growth"), () => {});
    const rows = new Chart("rows", t("chart-rows"), () => {});
    this.charts.replaceChildren(by.node, rows.node);
    const at = all.map((one) => one.size);
    const tall = family === "worst";
    by.draw({
      series: [{ values: all.map((one) => one.updates), at, kind: "main" }, { values: all.map((one) => one.bound), at, kind: "limit" }],
      x: { from: this.fewest, to: Math.max(this.fewest + 1, last.size) },
      y: { from: tall ? 1 : 0, logarithmic: tall },
      steps: 0,
      place: () => last.size,
      stepAt: () => NaN,
      caption: () => t("chart-growth-now", { now: last.updates }),
    });
    rows.draw({
      series: [{ values: last.of_rows }],
      bars: true,
      y: { from: 0, to: Math.max(...last.of_rows), logarithmic: false },
      steps: last.size,
      stepAt: () => NaN,
      caption: () => last.of_rows.join(", "),
    });
    this.onChange();
  }
}
