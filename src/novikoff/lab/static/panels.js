// The panels beside the plane: which are shown, each loaded when it is first wanted.

import { byId } from "./dom.js";

const MODULES = {
  code: () => import("./code.js"),
  weights: () => import("./weights.js"),
  space: () => import("./space.js"),
  second: () => import("./second.js"),
  growth: () => import("./growth.js"),
  neuron: () => import("./neuron.js"),
  slack: () => import("./slack.js"),
};

export class Panels {
  /** `context` is given to every panel: what it needs besides its node. */
  constructor(state, context, onToggle) {
    Object.assign(this, { state, context, made: {} });
    for (const box of this.boxes()) {
      box.addEventListener("change", () => {
        const { show } = state;
        state.show = box.checked ? [...show, box.value] : show.filter((name) => name !== box.value);
        onToggle();
      });
    }
  }

  boxes() {
    return [...document.querySelectorAll("[name=show]")];
  }

  has(name) {
    return this.state.show.includes(name);
  }

  /** Show the panels that are wanted, with this run at this step. */
  async arrange(stage) {
    for (const node of document.querySelectorAll("[data-panel]")) node.hidden = !this.has(node.dataset.panel);
    for (const box of this.boxes()) box.checked = this.has(box.value);
    for (const name of ["dual", "vectors"]) stage.plane.overlay(name, this.has(name));
    const wanted = Object.keys(MODULES).filter((name) => this.has(name) && !this.made[name]);
    await Promise.all(wanted.map(async (name) => {
      const { Panel } = await MODULES[name]();
      this.made[name] ??= new Panel(byId(`panel-${name}`), this.context);
    }));
    this.load(stage);
    stage.legend();
  }

  get shown() {
    return Object.entries(this.made).filter(([name]) => this.has(name)).map(([, panel]) => panel);
  }

  load(stage) {
    if (!stage.experiment) return; // nothing was shown yet
    for (const panel of this.shown) panel.load(stage.experiment, stage.run);
    this.show(stage.step);
  }

  show(step) {
    for (const panel of this.shown) panel.show(step);
  }

  /** Write them again, in another language. */
  rewrite(stage) {
    for (const panel of Object.values(this.made)) panel.rewrite?.();
    this.load(stage);
  }
}
