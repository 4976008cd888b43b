// The proof panel: what is proved of the points, first in the space of the learner, and Novikoff's inequalities.

import { formula, html, pieces } from "./dom.js";
import { num, ofPlanes, t } from "./texts.js";

const MARKS = { separable: "✓", "quasi-separable": "≈", inseparable: "✗", unknown: "?" };
const ROOM = 6; // points written out in a combination

const tuple = (values) => `(${values.map((v) => num(v)).join(", ")})`;

/** Whether the bound r²/ρ² and the chain ρ·k ≤ w·u ≤ ‖w‖ ≤ r√k are those of this run. */
export const novikoff = ({ kind, audit }) => kind === "plane" && audit === "novikoff";

function heading(verdict, checked, words = `verdict-${verdict}`, level = "h2") {
  const mark = html("span", { class: `verdict ${verdict}`, "aria-hidden": "true" }, MARKS[verdict]);
  const title = html(level, {}, mark, ` ${t(words)}`);
  if (checked) title.append(" ", html("small", {}, t("checked")));
  return title;
}

/** The verdict in one line, for a place beside the picture. */
export function headline(run, experiment) {
  if (!run) return [];
  const { proof, outcome } = run;
  const [first, words] = verdictOf(run, experiment);
  const mark = html("span", { class: `verdict ${first.verdict}`, "aria-hidden": "true" }, MARKS[first.verdict]);
  const about = experiment.kind === "film" ? t("right", outcome) : first.checked ? t("checked") : "";
  return [mark, html("b", {}, t(words)), html("span", { class: "note" }, about || proof.reason || "")];
}

/** What the panel speaks of first: the space of the learner. */
function verdictOf({ proof, outcome }, experiment) {
  const { kind, points } = experiment;
  if (kind === "plane") return [proof, ofPlanes(`verdict-${proof.verdict}`, experiment)];
  if (proof.own) return [proof.own, `own-${proof.own.verdict}`];
  if (kind === "film") return [{ verdict: outcome.right === points.length ? "separable" : "unknown" }, outcome.right === points.length ? "own-film-right" : "own-film"];
  return [{ verdict: "unknown" }, "own-open"];
}

/** The verdict on the points, and the inequalities of the whole run. */
export function showProof(node, run, experiment) {
  node.replaceChildren();
  if (!run) return;
  const { proof } = run;
  const plane = experiment.kind === "plane";
  const [first, words] = verdictOf(run, experiment);
  node.append(heading(first.verdict, first.checked, words));
  if (!plane) node.append(...ownSpace(run, experiment), heading(proof.verdict, proof.checked, ofPlanes(`as-plane-${proof.verdict}`, experiment), "h3"));
  node.append(...{ separable, "quasi-separable": quasi, inseparable, unknown }[proof.verdict](run, experiment));
  if (proof.verdict !== "separable") node.append(html("section", { id: "errors" })); // written when it is answered
  if (run.audit?.length) node.append(audit(run.audit, run.slack));
}

/** What is known of the space of the learner's features. */
function ownSpace({ proof, charts, outcome, slack }, { kind }) {
  if (kind === "film") return [html("p", {}, t("say-film", outcome))];
  if (!proof.own) return [html("p", {}, t("say-open", outcome))];
  if (proof.own.verdict !== "separable") return [html("p", {}, t("say-own-none"))];
  const [lo] = proof.own.margin;
  const { made } = charts;
  const about = kind === "slack" ? [html("p", {}, t("say-slack", { amplitude: num(slack.amplitude), slack: num(slack.slack), bound: num(slack.bound, 6) }))] : [];
  return [...about, html("p", {}, t("say-own", { margin: num(lo), made, bound: num(charts.bound === null ? null : Math.floor(charts.bound * (1 + 1e-9)), 7) }))];
}

function separable({ proof, steps, charts }, experiment) {
  const [lo, hi] = proof.margin;
  const lines = [html("p", {}, t(ofPlanes("say-separable", experiment), { distance: num(proof.distance), lo: num(lo), hi: num(hi) }))];
  if (experiment.kind !== "plane") return lines;
  if (!novikoff(experiment)) {
    const bound = charts.bound === null ? null : Math.floor(charts.bound * (1 + 1e-9));
    const { made } = charts;
    return [...lines, html("p", {}, t(bound === null ? (charts.lengths[0] ? "say-no-theorem-start" : "say-no-theorem") : charts.of_mistakes ? "say-theorem-mistakes" : "say-theorem", { bound: num(bound, 7), made }))];
  }
  const [start] = charts.lengths; // ‖w₀‖
  const squares = `${num(proof.radius ** 2)} / ${num(lo ** 2)} = ${num(proof.bound, 6)}`;
  const bound = start ? `M ≤ ( r^2 + 2 ρ ‖ w_0 ‖ / η ) / ρ^2 = ${num(charts.bound, 6)}` : `M ≤ r^2 / ρ^2 = ${squares}`;
  const theorem = html("p", {}, t(start ? "say-radius-start" : "say-radius", { radius: num(proof.radius), start: num(start) }), " ", formula(bound), " ", t("say-here", { made: steps.made }));
  const names = start ? "ρ · Σ s − ‖ w_0 ‖ ≤ w · u ≤ ‖ w ‖ ≤ √ ( ‖ w_0 ‖^2 + r^2 · Σ s^2 )" : "ρ · Σ s ≤ w · u ≤ ‖ w ‖ ≤ r · √ ( Σ s^2 )";
  return [...lines, theorem, html("p", {}, t("say-chain"), " ", formula(names)), html("p", { class: "formula", id: "chain" })];
}

/** Novikoff's proof at one step, in numbers: ρ·Σs ≤ w·u ≤ ‖w‖ ≤ r·√Σs²; from w₀, ρ·Σs − ‖w₀‖ and √(‖w₀‖² + r²·Σs²). */
export function showChain(node, run, step) {
  const { along, lengths, travelled, radius } = run.charts;
  const steps = travelled.length > 1 ? travelled[1] : 0;
  const [start] = lengths;
  const values = [run.proof.margin[0] * travelled[step] - start, along[step], lengths[step], Math.hypot(start, radius * steps * Math.sqrt(step))];
  node.replaceChildren(formula(values.map((v) => num(v)).join(" ≤ ")));
}

/** The chain of the notes for the whole run, each term with its number. */
function audit(lines, slack) {
  const rows = lines.map(({ relation, term, value, holds }) =>
    html("tr", {}, html("td", {}, relation), html("td", { lang: "en" }, term), html("td", {}, num(value, 5)), html("td", {}, relation && (holds ? "✓" : "✗"))),
  );
  const about = t(slack ? "say-audit-slack" : lines[0].term.includes("ρ") ? "say-audit" : "say-audit-half");
  return html("details", { class: "chain" }, html("summary", {}, about), html("table", {}, html("tbody", {}, ...rows)));
}

function quasi({ proof }, experiment) {
  return [html("p", {}, t(ofPlanes("say-quasi", experiment), { strict: proof.strict.length })), ...combination(proof, experiment)];
}

function inseparable({ proof }, experiment) {
  return [html("p", {}, t(ofPlanes("say-inseparable", experiment))), ...combination(proof, experiment)];
}

function unknown({ proof }) {
  return [html("p", {}, t("say-unknown", { reason: proof.reason }))];
}

function combination({ witness }, { points }) {
  const { rows, written, meeting, signed } = witness;
  const sign = (i) => (points[i][2] ? 1 : -1);
  const place = (i) => tuple(points[i].slice(0, 2).map((v) => (signed ? sign(i) * v : v)));
  const groups = signed ? [rows] : [1, -1].map((s) => rows.filter((i) => sign(i) === s));
  const sums = groups.map((group) => {
    const terms = group.slice(0, ROOM).map((i) => `${written[rows.indexOf(i)]} · ${place(i)}`);
    const rest = group.length > ROOM ? " + …" : "";
    return html("p", { class: "formula" }, ...pieces(`${terms.join(" + ")}${rest} = ${tuple(meeting)}`));
  });
  if (!signed) ["positive", "negative"].forEach((name, k) => sums[k].prepend(html("span", { class: `tag ${name}` }, t(name)), " "));
  return [...sums, html("p", {}, t(signed ? "say-origin" : "say-meet"))];
}
