// The learner with its parameters, as fields of a form.

import { byId, html } from "./dom.js";
import { t } from "./texts.js";

const KEPT = ["fit_intercept", "random_state", "order", "eta0", "w1_init", "w2_init", "b_init"]; // parameters that another learner takes over

export function options(select, values, name, chosen) {
  select.replaceChildren(...values.map((value) => html("option", { value }, t(`${name}-${value}`))));
  select.value = chosen;
}

export class Settings {
  /** `onChange()` is called when the learner or a parameter of the state has changed. */
  constructor(state, onChange) {
    Object.assign(this, { state, onChange, learners: {} });
    byId("controls").addEventListener("submit", (event) => event.preventDefault());
  }

  get controls() {
    return this.learners[this.state.learner].controls;
  }

  build() {
    const { kind, audit, pictured } = this.learners[this.state.learner];
    Object.assign(this.state, { kind, audit, pictured });
    const choose = html("select", { id: "learner" });
    options(choose, Object.keys(this.learners), "learner", this.state.learner);
    choose.addEventListener("change", () => {
      this.choose(choose.value);
      byId("learner").focus();
      this.onChange();
    });
    byId("controls").replaceChildren(html("label", {}, `${t("learner")} `, choose), ...this.controls.map((control) => this.field(control)));
    this.hideUnused();
  }

  choose(name) {
    const before = this.state.params;
    this.state.learner = name;
    this.state.params = Object.fromEntries(this.controls.map((control) => [control.name, control.default]));
    for (const kept of KEPT) if (kept in before && kept in this.state.params) this.state.params[kept] = before[kept];
    this.build();
  }

  /** Set a parameter, where the learner has it. */
  set(name, value) {
    if (!(name in this.state.params)) return;
    this.state.params[name] = value;
    this.build();
  }

  field(control) {
    const { name, kind, choices, lowest, highest, optional } = control;
    const input = kind === "choice" ? html("select") : html("input", { type: kind === "switch" ? "checkbox" : "number" });
    input.id = `param-${name}`;
    const value = this.state.params[name];
    if (kind === "choice") options(input, choices, "choice", value);
    else if (kind === "switch") input.checked = value;
    else {
      Object.assign(input, { min: lowest, max: highest, step: kind === "integer" ? 1 : "any", value: value ?? "" });
      if (optional) input.placeholder = t("auto");
    }
    input.addEventListener("change", () => this.take(control, input));
    return html("label", { "data-param": name }, `${t(`param-${name}`)} `, input);
  }

  take({ name, kind, optional }, input) {
    const blank = optional && input.value === "";
    if (kind !== "choice" && kind !== "switch" && !blank && (input.value === "" || !input.checkValidity())) return input.reportValidity();
    this.state.params[name] = { switch: input.checked, choice: input.value }[kind] ?? (blank ? null : Number(input.value));
    this.hideUnused();
    this.onChange();
  }

  hideUnused() {
    for (const { name, only } of this.controls) {
      const hidden = only && !only[1].includes(this.state.params[only[0]]);
      document.querySelector(`[data-param="${name}"]`).hidden = Boolean(hidden);
    }
  }
}
