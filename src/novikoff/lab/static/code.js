// The rule in plain Python, with the line that was run last: at the start, at an update, at the end.

import { html } from "./dom.js";
import { t } from "./texts.js";

const FILES = { "xor-features": "perceptron", slack: "perceptron" }; // learners with the rule of another
const ZERO = /\[0(\.0)?\] \* len\(X\[0\]\)/;
const BIAS = "Every x ends with a 1 for the bias; ";
const MARK = /  # ← (\w+)$/;

export class Panel {
  constructor(node) {
    this.title = html("h2", {});
    this.lines = html("ol", { class: "code", lang: "en", tabindex: 0 });
    this.about = html("p", { class: "note" });
    this.texts = new Map();
    node.replaceChildren(this.title, this.lines, this.about);
    this.rewrite();
  }

  rewrite() {
    this.title.textContent = t("panel-code");
    this.lines.setAttribute("aria-label", t("panel-code"));
  }

  async load({ learner, params }, run) {
    Object.assign(this, { run, learner });
    const file = FILES[learner] ?? learner;
    if (!this.texts.has(file)) {
      const answer = await fetch(`/static/rules/${file}.txt`).catch(() => ({ ok: false }));
      this.texts.set(file, answer.ok ? (await answer.text()).trimEnd().split("\n") : []);
    }
    if (this.learner !== learner) return;
    const start = ["w1_init", "w2_init", "b_init"].map((name) => params[name] ?? 0).slice(0, params.fit_intercept === false ? 2 : 3);
    const started = (line) => (start.some(Boolean) && line.includes(" w, ") ? line.replace(ZERO, `[${start.join(", ")}]`) : line);
    const text = this.texts.get(file).map((line) => started(params.fit_intercept === false ? line.replace(BIAS, "") : line));
    this.lines.replaceChildren(...text.map((line) => html("li", { "data-when": MARK.exec(line)?.[1] ?? "" }, html("code", {}, line.replace(MARK, "") || " "))));
    this.about.textContent = t(text.length ? "code-about" : "code-none");
    this.show(this.step ?? 0);
  }

  show(step) {
    this.step = step;
    if (!this.run) return;
    const last = this.run.steps.rows.length;
    const when = step === 0 ? "start" : step < last ? "update" : this.run.outcome.status === "separated" ? "end" : "update";
    for (const line of this.lines.children) {
      line.classList.toggle("current", line.dataset.when === when);
      if (line.dataset.when === when) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }
}
