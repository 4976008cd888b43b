// A run and its points, shown together: plane, rule, charts, proof. Nothing of one run is shown with points of another.

import { Charts } from "./charts.js";
import { byId } from "./dom.js";
import { showLegend, showTip } from "./legend.js";
import { headline, showChain, showProof } from "./proof.js";
import { showRule } from "./rule.js";

export class Stage {
  constructor(plane, onStep) {
    Object.assign(this, { plane, experiment: null, run: null, step: 0, draw: true, only: null });
    this.charts = new Charts(byId("charts"), onStep);
  }

  /** Show an experiment with its answer; null shows its points alone. */
  load(experiment, run) {
    Object.assign(this, { experiment, run });
    this.plane.load(experiment, this.plane.view);
    this.write();
  }

  /** Everything that is said of the run, in the language of the page. */
  write() {
    this.drawProof();
    this.charts.draw(this.run, this.experiment, this.only);
    showProof(byId("proof"), this.run, this.experiment);
    byId("headline").replaceChildren(...headline(this.run, this.experiment));
  }

  /** The proof is one of planes: on the picture of another learner it would only confuse. */
  drawProof() {
    this.plane.showProof(this.draw && this.run && this.experiment.kind === "plane" ? this.run.proof : null);
    this.legend();
  }

  show(step, moving = true) {
    this.step = step;
    this.plane.show(this.run, step, moving);
    this.charts.show(step);
    showRule(byId("rule"), this.run, step, this.experiment);
    if (byId("chain")) showChain(byId("chain"), this.run, step);
    this.legend();
    this.tip(this.hovered);
  }

  legend() {
    showLegend(byId("legend"), this.plane);
  }

  tip(i = null) {
    this.hovered = i;
    showTip(byId("tip"), this.plane, i);
  }
}
