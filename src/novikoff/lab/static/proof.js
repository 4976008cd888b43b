// The proof panel, and the rule with its numbers filled in.

import { formula, html, pieces } from "./dom.js";
import { num, t } from "./texts.js";

const MARKS = { separable: "✓", "quasi-separable": "≈", inseparable: "✗", unknown: "?" };
const ROOM = 6; // points written out in a combination

const tuple = (values) => `(${values.map((v) => num(v)).join(", ")})`;

/** Whether the bound r²/ρ² and the chain ρ·k ≤ w·u ≤ ‖w‖ ≤ r√k are those of this run. */
const novikoff = ({ kind, audit }) => kind === "plane" && audit === "novikoff";

/** The verdict on the points, and the inequalities of the whole run. */
export function showProof(node, run, state) {
  node.replaceChildren();
  if (!run) return;
  const { proof } = run;
  const mark = html("span", { class: `verdict ${proof.verdict}`, "aria-hidden": "true" }, MARKS[proof.verdict]);
  const title = html("h2", {}, mark, ` ${t(`verdict-${proof.verdict}`)}`);
  if (proof.checked) title.append(" ", html("small", {}, t("checked")));
  node.append(title);
  node.append(...{ separable, "quasi-separable": quasi, inseparable, unknown }[proof.verdict](run, state));
  if (proof.verdict !== "separable") node.append(html("section", { id: "errors" })); // written when it is answered
  if (run.audit?.length) node.append(...audit(run.audit));
}

function separable({ proof, steps }, state) {
  const [lo, hi] = proof.margin;
  const lines = [html("p", {}, t("say-separable", { lo: num(lo), hi: num(hi) }))];
  if (!novikoff(state)) return lines;
  const bound = `r^2 / ρ^2 = ${num(proof.radius ** 2)} / ${num(lo ** 2)} = ${num(proof.bound, 6)}`;
  const sentence = html("p", {}, t("say-radius", { radius: num(proof.radius) }), " ", formula(bound), " ", t("say-here", { made: steps.made }));
  const names = "ρ · Σ s ≤ w · u ≤ ‖ w ‖ ≤ r · √ ( Σ s^2 )";
  return [...lines, sentence, html("p", {}, t("say-chain"), " ", formula(names)), html("p", { class: "formula", id: "chain" })];
}

/** Novikoff's proof at one step, in numbers: ρ·Σs ≤ w·u ≤ ‖w‖ ≤ r·√Σs². */
export function showChain(node, run, step) {
  const { along, lengths, travelled, radius } = run.charts;
  const steps = travelled.length > 1 ? travelled[1] : 0;
  const values = [run.proof.margin[0] * travelled[step], along[step], lengths[step], radius * steps * Math.sqrt(step)];
  node.replaceChildren(formula(values.map((v) => num(v)).join(" ≤ ")));
}

/** The chain of the notes for the whole run, each term with its number. */
function audit(lines) {
  const rows = lines.map(({ relation, term, value, holds }) =>
    html("tr", {}, html("td", {}, relation), html("td", { lang: "en" }, term), html("td", {}, num(value, 5)), html("td", {}, relation && (holds ? "✓" : "✗"))),
  );
  const table = html("table", {}, html("tbody", {}, ...rows));
  return [html("p", {}, t(lines[0].term.includes("ρ") ? "say-audit" : "say-audit-half")), table];
}

function quasi({ proof }, state) {
  return [html("p", {}, t("say-quasi", { strict: proof.strict.length })), ...combination(proof, state), ...elsewhere(state)];
}

function inseparable({ proof }, state) {
  return [html("p", {}, t("say-inseparable")), ...combination(proof, state), ...elsewhere(state)];
}

/** A word on learners whose planes lie in another space. */
function elsewhere({ kind }) {
  return kind === "plane" ? [] : [html("p", {}, t("say-own"))];
}

function unknown({ proof }) {
  return [html("p", {}, t("say-unknown", { reason: proof.reason }))];
}

function combination({ witness }, state) {
  const { rows, written, meeting, signed } = witness;
  const point = (i) => state.points[i];
  const sign = (i) => (point(i)[2] ? 1 : -1);
  const place = (i) => tuple(point(i).slice(0, 2).map((v) => (signed ? sign(i) * v : v)));
  const groups = signed ? [rows] : [1, -1].map((s) => rows.filter((i) => sign(i) === s));
  const sums = groups.map((group) => {
    const terms = group.slice(0, ROOM).map((i) => `${written[rows.indexOf(i)]} · ${place(i)}`);
    const rest = group.length > ROOM ? " + …" : "";
    return html("p", { class: "formula" }, ...pieces(`${terms.join(" + ")}${rest} = ${tuple(meeting)}`));
  });
  if (!signed) ["positive", "negative"].forEach((name, k) => sums[k].prepend(html("span", { class: `tag ${name}` }, t(name)), " "));
  return [...sums, html("p", {}, t(signed ? "say-origin" : "say-meet"))];
}

/** What the step did: the rule, with its numbers. */
export function showRule(node, run, step, state) {
  node.replaceChildren();
  if (!run) return;
  const { steps, charts } = run;
  const all = steps.rows.length;
  const notes = step === all ? ending(run, all) : [];
  if (steps.step_is === "pass") node.append(html("p", {}, ofPass(charts, step)));
  else if (step === 0) node.append(html("p", {}, t(all ? "nothing-yet" : "no-update", { name: steps.weights ? "w" : "f" })));
  else node.append(...ofUpdate(steps, step, state));
  node.append(...notes.map((text) => html("p", { class: "note" }, text)));
}

function ofPass({ loss }, step) {
  return step === 0 ? t("at-start") : t("at-pass", { step, loss: num(loss[step]) });
}

function ofUpdate(steps, step, state) {
  const [i] = steps.rows[step - 1];
  const [x, y, positive] = state.points[i];
  const words = { step, pass: steps.passes[step - 1], x: `${num(x)}, ${num(y)}`, sign: positive ? "+1" : "−1", row_margin: num(steps.row_margins[step - 1]) };
  const sentence = t(steps.weights ? "updated" : "updated-kernel", words);
  return [html("p", {}, sentence), html("p", { class: "formula" }, ...pieces(filledIn(steps, step, i, state)))];
}

/** w ← w + s·y·x with its numbers, or f ← f + s·y·κ(x, ·). */
function filledIn({ weights, signed, features }, step, i, { points, params }) {
  const [x, y, positive] = points[i];
  const factor = `${num(Math.abs(signed[step - 1]))} · ${positive ? "1" : "(−1)"}`;
  if (!weights) return `f ← f + ${factor} · κ ( ${tuple([x, y])}, · )`;
  const row = features ? features[i] : [x, y];
  const coordinates = (values) => tuple(params.fit_intercept ? values : values.slice(0, -1));
  return `w ← ${coordinates(weights[step - 1])} + ${factor} · ${coordinates([...row, 1])} = ${coordinates(weights[step])}`;
}

function ending({ steps, outcome }, all) {
  const status = steps.weights ? outcome.status : `function-${outcome.status}`;
  const notes = [`${t(`status-${status}`)} ${t("right", outcome)}`];
  if (steps.made > all && steps.step_is === "update") notes.push(t("cut", { made: steps.made, most: all }));
  if (steps.result) notes.push(t("result"));
  if (steps.frames && steps.frames.at.length < all + 1) notes.push(t("sparse", { drawn: steps.frames.at.length, all: all + 1 }));
  return notes;
}
