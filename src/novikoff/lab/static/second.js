// A second learner on the same points, step beside step.

import { keyOf } from "./state.js";
import { html, svg } from "./dom.js";
import { Plane } from "./plane.js";
import { options } from "./settings.js";
import { num, t } from "./texts.js";

export class Panel {
  constructor(node, { ask, state, controls, player, onChange }) {
    Object.assign(this, { ask, state, controls, player, onChange, run: null, key: null });
    this.picture = svg("svg", { viewBox: "0 0 600 600", role: "img", class: "small-plane" });
    this.plane = new Plane(this.picture, "second");
    this.choose = html("select", { id: "rival" });
    this.label = html("span", {});
    this.about = html("p", { class: "note" });
    this.choose.addEventListener("change", () => {
      state.rival = this.choose.value;
      this.load(this.experiment);
    });
    node.replaceChildren(html("label", {}, this.label, " ", this.choose), this.picture, this.about);
    this.rewrite();
  }

  rewrite() {
    this.label.textContent = t("panel-second");
    this.picture.setAttribute("aria-label", t("panel-second"));
    options(this.choose, Object.keys(this.controls().learners), "learner", this.state.rival);
  }

  /** The same points for the other learner, with its own parameters; an answer for other points is not shown. */
  async load(experiment) {
    this.experiment = experiment;
    this.choose.value = this.state.rival;
    const { controls } = this.controls().learners[this.state.rival];
    const params = Object.fromEntries(controls.map((control) => [control.name, control.default]));
    if ("fit_intercept" in params && "fit_intercept" in experiment.params) params.fit_intercept = experiment.params.fit_intercept;
    const { points } = experiment;
    const { view } = experiment;
    const key = keyOf({ points, learner: this.state.rival, params }) + view;
    if (key === this.key) return;
    Object.assign(this, { key, run: null });
    this.plane.load(experiment, view);
    this.about.textContent = "";
    let run = null;
    try {
      run = await this.ask("/api/run", { points, learner: this.state.rival, params, view });
    } catch {
      return; // what is wrong with the points is said of the first learner
    }
    if (key !== this.key) return;
    this.run = run;
    this.show(this.player.step);
    this.onChange();
  }

  show(step) {
    if (!this.run) return;
    const last = this.run.steps.rows.length;
    const now = Math.min(step, last);
    this.plane.show(this.run, now);
    const { steps, outcome, charts } = this.run;
    const margin = steps.live ? null : charts.margins?.[now] ?? null; // of what it predicts with, where that is its plane
    const end = t(steps.step_is === "pass" ? "second-passes" : "second-updates", { step: now, made: steps.made, ...outcome });
    this.about.textContent = [end, margin === null ? "" : t("second-margin", { margin: num(margin, 3) })].join(" ");
    this.picture.setAttribute("aria-label", `${t("panel-second")}: ${this.about.textContent}`);
  }
}
