// The rule with the numbers of a step filled in, and how the run ended.

import { html, pieces } from "./dom.js";
import { num, ofPlanes, t } from "./texts.js";

const tuple = (values) => `(${values.map((v) => num(v)).join(", ")})`;

/** What the step did, as a sentence: for the page, and for those who listen. */
export function sentence(run, step, { points }) {
  const { steps, charts } = run;
  const all = steps.rows.length;
  if (steps.step_is === "pass") return step === 0 ? t("at-start") : t("at-pass", { step, loss: num(charts.loss[step]) });
  const started = steps.weights?.[0].some(Boolean) && steps.weights[0];
  if (step === 0 && started) return t("started", { w: started.slice(0, -1).map((v) => num(v)).join(", "), b: num(started[started.length - 1]) });
  if (step === 0) return t(all ? "nothing-yet" : "no-update", { name: steps.weights ? "w" : "f" });
  const [i] = steps.rows[step - 1];
  const [x, y, positive] = points[i];
  const words = { step, pass: steps.passes[step - 1], x: `${num(x)}, ${num(y)}`, sign: positive ? "+1" : "−1", row_margin: num(steps.row_margins[step - 1]) };
  return t(steps.weights ? "updated" : "updated-kernel", words);
}

/** The sentence, the rule, and at the end how the run ended. */
export function showRule(node, run, step, experiment) {
  node.replaceChildren();
  if (!run) return;
  const { steps } = run;
  node.append(html("p", {}, sentence(run, step, experiment)));
  if (steps.step_is === "update" && step > 0) node.append(html("p", { class: "formula" }, ...pieces(filledIn(run, step, experiment))));
  if (step === steps.rows.length) node.append(...ending(run, experiment).map((text) => html("p", { class: "note" }, text)));
}

/** The weight of the feature that a point has to itself, after a step: A times the steps made on it so far. */
export const ownWeight = ({ steps, slack }, i, step) => steps.signed.slice(0, step).reduce((sum, s, k) => sum + (steps.rows[k][0] === i ? s : 0), 0) * slack.amplitude;

/** w ← w + s·y·x with its numbers, or f ← f + s·y·κ(x, ·). With a slack embedding x has its own feature before its 1. */
function filledIn(run, step, { points, params }) {
  const { weights, signed, features, rows } = run.steps;
  const [i] = rows[step - 1];
  const [x, y, positive] = points[i];
  const factor = `${num(Math.abs(signed[step - 1]))} · ${positive ? "1" : "(−1)"}`;
  if (!weights) return `f ← f + ${factor} · κ ( ${tuple([x, y])}, · )`;
  if (run.slack) {
    const own = ([w1, w2, b], at) => tuple([w1, w2, ownWeight(run, i, at), b]);
    return `w ← ${own(weights[step - 1], step - 1)} + ${factor} · ${tuple([x, y, run.slack.amplitude, 1])} = ${own(weights[step], step)}`;
  }
  const row = features ? features[i] : [x, y];
  const coordinates = (values) => tuple(params.fit_intercept === false ? values.slice(0, -1) : values);
  return `w ← ${coordinates(weights[step - 1])} + ${factor} · ${coordinates([...row, 1])} = ${coordinates(weights[step])}`;
}

function ending(run, experiment) {
  const { steps, outcome, proof } = run;
  const all = steps.rows.length;
  const notes = [`${t(statusOf(run, experiment), { half: num(outcome.required), asked: num(2 * outcome.required) })} ${t(rightOf(run), outcome)}`];
  if (run.cut_by_time) notes.push(t("cut-by-time", outcome));
  if (steps.made > all && steps.step_is === "update") notes.push(t("cut", { made: steps.made, most: all }));
  if (steps.frames && steps.frames.at.length < all + 1) notes.push(t("sparse", { drawn: steps.frames.at.length, all: all + 1 }));
  if (steps.weights && outcome.status === "separated" && proof.verdict !== "separable" && !steps.frames && !run.slack) notes.push(t("no-answer"));
  return notes;
}

/** A run that gave up on points that no plane separates says just that; of points that are all right it is said how
    that is known: by a pass without a mistake, or as they are. */
function statusOf({ steps, outcome, proof, slack }, experiment) {
  const status = outcome.stopped_by === "stalled" ? "stalled" : outcome.status;
  const none = (verdict) => ["inseparable", "quasi-separable"].includes(verdict) && status !== "separated";
  if (slack && status === "separated") return "status-slack-separated";
  if (!steps.weights || steps.frames || slack) return `status-function-${status}${none(proof.own?.verdict) && status !== "inseparable" ? "-inseparable" : ""}`;
  if (none(proof.verdict)) return ofPlanes(status === "inseparable" ? "status-inseparable" : `status-${status}-inseparable`, experiment);
  if (outcome.refused) return ofPlanes("status-refused", experiment);
  if (status === "separated") return outcome.clean ? "status-separated" : "status-function-separated";
  return ["inseparable", "thin"].includes(status) ? ofPlanes(`status-${status}`, experiment) : `status-${status}`;
}

/** Whose points are counted: the last line's, what the learner predicts with, or an earlier line's that it returns. */
function rightOf({ charts, slack, outcome }) {
  if (charts.live_wrong && !slack) return "right-live";
  return outcome.right === outcome.right_by_last ? "right" : "right-returned";
}
