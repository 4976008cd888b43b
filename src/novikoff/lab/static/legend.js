// What the signs on the plane mean: those that are on it now, and what is known of the point under the pointer.

import { html, svg } from "./dom.js";
import { ownWeight } from "./rule.js";
import { num, t } from "./texts.js";

const SIGNS = {
  line: () => svg("line", { class: "line", x1: 1, y1: 8, x2: 31, y2: 8 }),
  arrow: () => svg("path", { class: "head", d: "M2 7h18V3l10 5-10 5V9H2Z" }),
  band: () => svg("rect", { class: "band", x: 1, y: 2, width: 30, height: 12 }),
  live: () => svg("line", { class: "line live", x1: 1, y1: 8, x2: 31, y2: 8 }),
  best: () => svg("line", { class: "best", x1: 2, y1: 8, x2: 31, y2: 8 }),
  hull: () => svg("polygon", { class: "hull positive", points: "2,14 16,2 30,14" }),
  meeting: () => svg("path", { class: "meeting", d: "M0-7 2-2 7 0 2 2 0 7-2 2-7 0-2-2Z", transform: "translate(16 8)" }),
  mark: () => svg("g", { class: "mark" }, svg("circle", { cx: 16, cy: 8, r: 6 })),
  miss: () => svg("path", { class: "miss", d: "M11 3 21 13M11 13 21 3" }),
  fewest: () => svg("line", { class: "fewest", x1: 0, y1: 8, x2: 32, y2: 8 }),
  count: () => svg("text", { class: "count", x: 12, y: 14 }, "α"),
  added: () => svg("line", { class: "vector added", x1: 1, y1: 8, x2: 31, y2: 8 }),
};

const swatch = (name) => svg("svg", { class: "swatch wide", viewBox: "0 0 32 16", "aria-hidden": "true" }, SIGNS[name]());

/** The signs that can be seen on the plane. */
export function showLegend(node, plane) {
  const seen = (selector) => Boolean(plane.node.querySelector(`${selector}:not(.gone)`));
  const names = [
    ["line", seen(".learnt line.line:not(.live)") && (plane.biased ? "legend-line" : "legend-line-origin")],
    ["line", seen(".learnt path.line:not(.live)") && "legend-curve"],
    ["arrow", seen(".learnt .arrow") && "legend-arrow"],
    ["band", seen(".ground .band") && "legend-band"],
    ["live", seen(".learnt .live") && `legend-${plane.run?.steps.live?.kind ?? "average"}`],
    ["mark", seen(".mark") && "legend-mark"],
    ["miss", seen(".miss") && "legend-miss"],
    ["best", seen(".proof .best:not(.edge)") && "legend-best"],
    ["hull", seen(".proof .hull") && "legend-hull"],
    ["meeting", seen(".meeting") && (plane.run?.proof.witness?.signed ? "legend-meeting-origin" : "legend-meeting")],
    ["fewest", seen(".errors .fewest") && "legend-fewest"],
    ["count", seen(".dual .count") && "legend-count"],
    ["added", seen(".vectors .added") && "legend-added"],
  ].filter(([, words]) => words);
  const wanted = names.map(([name, words]) => `${name} ${t(words)}`).join();
  if (node.dataset.shown === wanted) return;
  node.dataset.shown = wanted;
  node.replaceChildren(...names.map(([name, words]) => html("li", {}, swatch(name), ` ${t(words)}`)));
}

/** What is known of a point at this step: its class, its score, and how far it lies from the line. */
function pointFacts(i, plane) {
  const [x, y, positive] = plane.points[i] ?? [];
  if (x === undefined) return "";
  const facts = { number: i + 1, x: num(x), y: num(y), sign: positive ? "+1" : "−1" };
  const weights = plane.run?.steps.weights?.[plane.step];
  if (!weights || weights.length !== 3) return t("tip", facts);
  const score = weights[0] * x + weights[1] * y + weights[2];
  const length = Math.hypot(weights[0], weights[1]);
  const distance = length ? num(Math.abs(score) / length, 3) : "–";
  const { run, step } = plane;
  if (run.slack) return t("tip-slack", { ...facts, score: num(score, 3), own: num(score + run.slack.amplitude * ownWeight(run, i, step), 3) });
  return t(plane.biased ? "tip-plane" : "tip-plane-origin", { ...facts, score: num(score, 3), distance });
}

/** Show it beside the pointer; null hides it. */
export function showTip(node, plane, i) {
  const known = i !== null && i !== undefined && plane.points[i];
  node.hidden = !known;
  if (!known) return;
  node.textContent = pointFacts(i, plane);
  const { frame } = plane;
  const [left, top] = [frame.x(plane.points[i][0]) / 6, frame.y(plane.points[i][1]) / 6]; // percent
  node.style.left = `min(${left}% + 14px, 100% - 190px)`;
  node.style.top = `calc(${top}% ${top > 20 ? "- 62px" : "+ 16px"})`;
}
