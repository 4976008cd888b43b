// How few errors a plane can make: asked for apart from the run, as it may take a second.

import { html, svg } from "./dom.js";
import { ofPlanes, t } from "./texts.js";

const PAUSE = 250; // milliseconds without a change after which it is asked for

export class FewestErrors {
  /** `onEnd()` is called when a question has been answered, or could not be. */
  constructor(ask, state, onEnd) {
    Object.assign(this, { askServer: ask, state, onEnd, asked: null, found: null, waiting: null, asking: false });
  }

  question({ points, params }) {
    return JSON.stringify({ points, fit_intercept: params.fit_intercept ?? true });
  }

  /** What is known of these points, if they are those that are wanted; null if that is not answered yet. */
  answer(experiment) {
    const question = this.question(experiment);
    return this.asked === question && question === this.question(this.state) ? this.found : null;
  }

  /** Ask for the points as they are, once they have stopped changing; one question at a time. */
  ask() {
    clearTimeout(this.waiting);
    if (!this.asking && this.asked !== this.question(this.state)) this.waiting = setTimeout(() => this.send(), PAUSE);
  }

  async send() {
    if (new Set(this.state.points.map(([, , positive]) => positive)).size < 2) return; // by now there may be others
    const question = this.question(this.state);
    this.asking = true;
    try {
      this.found = await this.askServer("/api/errors", JSON.parse(question));
    } catch {
      this.found = { checked: false };
    }
    this.asked = question;
    this.asking = false;
    this.onEnd();
  }
}

/** Both numbers, or that they are not known; `drawn` is whether the line is on the picture, `visible` whether it crosses what is seen. */
export function showErrors(node, answer, experiment, drawn, visible) {
  const title = html("h3", {}, swatch(), ` ${t("errors-title")}`);
  node.replaceChildren(title);
  if (!answer?.checked) return node.append(html("p", { class: "note" }, answer ? t("no-answer") : t("errors-searching")));
  const { errors, lower_bound: least, optimal } = answer;
  title.append(" ", html("small", {}, t("checked")));
  const numbers = { points: experiment.points.length, errors, least };
  const made = t(drawn ? "errors-drawn" : "errors-made", numbers);
  node.append(html("p", {}, `${made} ${t(ofPlanes(optimal ? "errors-optimal" : "errors-bounded", experiment), numbers)}`));
  if (drawn && !visible) node.append(html("p", { class: "note" }, t("errors-outside")));
}

function swatch() {
  const line = svg("line", { class: "fewest", x1: 0, y1: 8, x2: 32, y2: 8 });
  return svg("svg", { class: "swatch wide", viewBox: "0 0 32 16", "aria-hidden": "true" }, line);
}
