// The proof panel: what is proved of the points, first in the space of the learner, and Novikoff's inequalities.

import { formula, html, pieces } from "./dom.js";
import { count, num, ofPlanes, t } from "./texts.js";
import { atMost, limits, novikoff } from "./theorem.js";

const MARKS = { separable: "✓", "quasi-separable": "≈", inseparable: "✗", unknown: "?" };
const ROOM = 6; // points written out in a combination

const tuple = (values) => `(${values.map((v) => num(v)).join(", ")})`;

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
  const { verdict, margin, most, reason } = proof.own;
  if (verdict === "unknown") return [html("p", {}, most === null ? t("say-unknown", { reason }) : t("say-own-thin", { most: num(most) }))];
  if (verdict !== "separable") return [html("p", {}, t("say-own-none"))];
  const numbers = { margin: num(margin[0]), made: charts.made, bound: count(atMost(charts.bound)) };
  if (kind !== "slack") return [html("p", {}, t("say-own", numbers))];
  const embedding = { amplitude: num(slack.amplitude), slack: num(slack.slack), rho: num(slack.margin), bound: count(atMost(slack.bound)) };
  return [html("p", {}, t("say-slack", embedding)), html("p", {}, t("say-own-slack", numbers))];
}

/** What is said of the theorem of another rule than Novikoff's: its bound, or which of its premises fails. */
function theoremOf({ charts, outcome }, best) {
  if (charts.bound !== null) return charts.of_mistakes ? "say-theorem-mistakes" : "say-theorem";
  if (charts.lengths[0]) return "say-no-theorem-start";
  return 2 * outcome.required > best ? "say-no-theorem-margin" : "say-no-theorem";
}

function separable(run, experiment) {
  const { proof, steps, charts, outcome } = run;
  const [lo, hi] = proof.margin;
  const lines = [html("p", {}, t(ofPlanes("say-separable", experiment), { distance: num(proof.distance), lo: num(lo), hi: num(hi) }))];
  if (experiment.kind !== "plane") return lines;
  if (!novikoff(experiment)) {
    return [...lines, html("p", {}, t(theoremOf(run, lo), { bound: count(atMost(charts.bound)), made: charts.made, asked: num(2 * outcome.required, 6), best: num(lo, 6) }))];
  }
  const [start] = charts.lengths; // ‖w₀‖
  const most = start ? "( r^2 + 2 ρ ‖ w_0 ‖ / η ) / ρ^2" : "r^2 / ρ^2";
  const bound = `M ≤ ⌊ ${most} ⌋ = ⌊ ${num(charts.bound, 7)} ⌋ = ${count(atMost(charts.bound))}`;
  const theorem = html("p", {}, t(start ? "say-radius-start" : "say-radius", { radius: num(proof.radius), start: num(start) }), " ", formula(bound), " ", t("say-here", { made: steps.made }));
  const names = start ? "ρ · Σ s − ‖ w_0 ‖ ≤ w · u ≤ ‖ w ‖ ≤ √ ( ‖ w_0 ‖^2 + r^2 · Σ s^2 )" : "ρ · Σ s ≤ w · u ≤ ‖ w ‖ ≤ r · √ ( Σ s^2 )";
  return [...lines, theorem, html("p", {}, t("say-chain"), " ", formula(names)), html("p", { class: "formula", id: "chain" })];
}

/** Novikoff's proof at one step, in numbers: ρ·Σs ≤ w·u ≤ ‖w‖ ≤ r·√Σs²; from w₀, ρ·Σs − ‖w₀‖ and √(‖w₀‖² + r²·Σs²). */
export function showChain(node, { charts }, step) {
  const { floor, top } = limits(charts);
  node.replaceChildren(formula([floor(step), charts.along[step], charts.lengths[step], top(step)].map((v) => num(v)).join(" ≤ ")));
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
