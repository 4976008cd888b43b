// The slack embedding x ↦ [x; A·e_i]: its bound on updates over A, smallest at A² = r·δ, and the runs that were made.

import { Chart } from "./chart.js";
import { html, set } from "./dom.js";
import { count, num, t } from "./texts.js";
import { atMost } from "./theorem.js";

export class Panel {
  constructor(node, { setParam, onChange, controls }) {
    const [{ highest }] = controls().learners.slack.controls.filter(({ name }) => name === "amplitude");
    Object.assign(this, { setParam, onChange, highest, made: new Map(), about: null, best: 1 });
    this.slider = html("input", { id: "amplitude", type: "range", step: 0.02, value: 0 });
    this.title = html("h2", {});
    this.label = html("span", {});
    this.now = html("output", { for: "amplitude" });
    this.words = html("p", { role: "status" });
    this.picture = html("div", {});
    node.replaceChildren(this.title, html("p", { class: "bar" }, html("label", {}, this.label, " ", this.slider, " ", this.now)), this.words, this.picture);
    this.slider.addEventListener("input", () => this.choose());
    this.rewrite();
  }

  rewrite() {
    this.title.textContent = t("panel-slack");
    this.label.textContent = t("param-amplitude");
  }

  /** A as the slider has it, in powers of ten of the best one. */
  choose() {
    const A = Number((this.best * 10 ** Number(this.slider.value)).toPrecision(3));
    this.now.textContent = `A = ${num(A, 3)}`;
    this.setParam("amplitude", Math.min(A, this.highest));
  }

  load({ points, params: { amplitude, ...rest } }, run) {
    this.facts = run?.slack ?? null;
    if (run) this.slider.disabled = !this.facts?.best;
    this.best = this.facts?.best || this.best;
    const about = JSON.stringify([points, rest]);
    if (about !== this.about) this.made = new Map(); // runs of other points, or under other parameters
    this.about = about;
    if (this.facts) this.made.set(this.facts.amplitude, run.steps.made);
    this.write();
  }

  show() {}

  write() {
    const { facts } = this;
    this.picture.replaceChildren();
    this.now.textContent = facts ? `A = ${num(facts.amplitude, 3)}` : "";
    if (!facts?.best) {
      this.words.textContent = this.slider.disabled ? t(facts ? "slack-separable" : "slack-none") : t("pending");
      return;
    }
    const { amplitude, best, radius, slack, margin, bound, least, curve } = facts;
    const reach = Math.log10(curve[curve.length - 1][0] / best);
    set(this.slider, { min: -reach, max: reach });
    if (!this.slider.matches(":active")) this.slider.value = Math.log10(amplitude / best); // a drag goes on
    this.slider.setAttribute("aria-valuetext", this.now.textContent);
    this.words.textContent = t("slack-now", { r: num(radius), delta: num(slack), rho: num(margin), made: this.made.get(amplitude), bound: num(bound, 6), most: count(atMost(bound)), best: num(best), least: num(least, 6) });
    this.draw(facts);
    this.onChange();
  }

  draw({ best, amplitude, least, curve }) {
    const at = curve.map(([A]) => A);
    const runs = [...this.made].sort(([a], [b]) => a - b);
    const chart = new Chart("slack", t("chart-slack"), () => {});
    this.picture.append(chart.node);
    chart.draw({
      series: [
        { values: curve.map(([, bound]) => bound), at, kind: "limit" },
        { values: runs.map(([, made]) => made), at: runs.map(([A]) => A), kind: "dots" },
      ],
      levels: [{ value: best, kind: "good", upright: true }, { value: least, kind: "zero" }],
      x: { from: at[0], to: at[at.length - 1], logarithmic: true },
      y: { from: 1, to: curve[0][1], logarithmic: true },
      steps: 0,
      place: () => amplitude,
      stepAt: () => NaN,
      caption: () => t("chart-slack-now"),
    });
  }
}
