// The charts of a run: figures of every step against what is proved of them. A chart that would be empty is not there.

import { Chart } from "./chart.js";
import { count, num, t } from "./texts.js";
import { atMost, limits, novikoff, written } from "./theorem.js";

const FAR = 12; // how many times more than was made a bound may be before its axis is logarithmic
const SMOOTH = 120; // points of a curve that is computed

export class Charts {
  constructor(node, onStep) {
    Object.assign(this, { node, onStep, charts: [], width: 0 });
    new ResizeObserver(([{ contentRect: { width } }]) => {
      if (width === this.width) return; // higher or lower, as words are longer or shorter
      this.width = width;
      for (const chart of this.charts) chart.fit();
    }).observe(node);
  }

  /** Draw those of a run; `only` names the ones that are wanted, null all. */
  draw(run, experiment, only = null) {
    const wanted = run ? chartsOf(run, experiment).filter(([name]) => !only || only.includes(name)) : [];
    const names = wanted.map(([name, , title]) => title ?? t(`chart-${name}`)).join();
    if (names !== this.names || this.language !== document.documentElement.lang) {
      Object.assign(this, { names, language: document.documentElement.lang });
      this.charts = wanted.map(([name, , title]) => new Chart(name, title ?? t(`chart-${name}`), this.onStep));
      this.node.replaceChildren(...this.charts.map((chart) => chart.node));
      for (const chart of this.charts) chart.fit();
    }
    wanted.forEach(([, make], k) => this.charts[k].draw(make()));
  }

  show(step) {
    for (const chart of this.charts) chart.show(step);
  }
}

/** Names of charts with what they show, where there is something to show, and their titles where these differ by run. */
function chartsOf(run, experiment) {
  const { charts, steps } = run;
  const found = [];
  if (charts.along && experiment.kind === "plane" && novikoff(experiment) && charts.bound) found.push(["race", () => race(run), raceTitle(run)]);
  else if (charts.counts && charts.bound !== null) found.push(["bound", () => bound(run), charts.of_mistakes ? t("chart-bound-of-mistakes") : undefined]);
  if (charts.margins) found.push(["margin", () => margins(run)]);
  if (charts.live_wrong || (charts.wrong && !charts.along)) found.push(["wrong", () => wrong(run)]);
  else if (charts.along) found.push(["cosine", () => cosine(run, novikoff(experiment))]);
  if (charts.loss) found.push(["loss", () => loss(run)]);
  if (charts.mistakes?.length) found.push([steps.step_is === "pass" ? "misses" : "passes", () => passes(run)]);
  return found;
}

const lastOf = ({ steps }) => steps.rows.length;

function raceTitle(run) {
  const { rate, start } = limits(run.charts);
  return t(start ? "chart-race-from" : "chart-race", written(rate));
}

/** ρ·k below, r·√k above, w·u and ‖w‖ of the run between them: they cross at r²/ρ², and there the run must have ended.
    From weights w₀ the floor begins at −‖w₀‖ and the top at ‖w₀‖. */
function race(run) {
  const { along, lengths, bound: cross } = run.charts;
  const { rate, start, floor, top } = limits(run.charts);
  const last = lastOf(run);
  const logarithmic = cross > FAR * Math.max(1, last);
  const end = Math.max(cross, last, 2) * 1.1;
  const ks = [...Array(SMOOTH).keys()].map((j) => (logarithmic ? end ** (j / (SMOOTH - 1)) : (end * j) / (SMOOTH - 1)));
  const at = along.map((_, k) => k);
  return {
    series: [
      { values: ks.map(floor), at: ks, kind: "floor" },
      { values: ks.map(top), at: ks, kind: "limit" },
      { values: along, at, kind: "good", name: "w·u" },
      { values: lengths, at, kind: "main", name: "‖w‖" },
    ],
    levels: [{ value: cross, kind: "zero", upright: true }],
    x: { from: logarithmic ? 1 : 0, to: end, logarithmic },
    y: { from: logarithmic ? run.charts.best[0] * rate : -start, to: top(end), logarithmic },
    steps: last,
    caption: (k) => t(start ? "chart-race-start" : "chart-race-now", { ...written(rate), now: k, floor: num(floor(k), 3), along: num(along[k], 3), length: num(lengths[k], 3), top: num(top(k), 3), cross: num(cross, 6) }),
  };
}

/** Updates so far against the most there can be. */
function bound(run) {
  const { counts, bound: real, of_mistakes: ofMistakes } = run.charts;
  const most = atMost(real);
  const made = counts[counts.length - 1];
  const logarithmic = most > FAR * Math.max(1, made);
  return {
    series: [{ values: counts, kind: "main" }],
    levels: [{ value: most, kind: "limit" }],
    y: { from: logarithmic ? 1 : 0, to: Math.max(most, 1) * (logarithmic ? 1.5 : 1.08), logarithmic },
    steps: lastOf(run),
    caption: (k) => t(ofMistakes ? "chart-bound-mistakes" : "chart-bound-now", { now: counts[k], bound: count(most) }),
  };
}

function margins(run) {
  const { margins: reached, impossible, best } = run.charts;
  const limits = impossible || reached.map(() => null);  // a rule with variances proves no margin impossible
  const highest = impossible ? impossible.slice(1) : [...reached, best && best[0]];
  const top = Math.max(...highest.filter((v) => v !== null), 0) || 1;
  const bottom = Math.min(0, ...reached.filter((v) => v !== null));
  return {
    series: [{ values: reached, kind: "main" }, { values: limits, kind: "limit" }],
    levels: [{ value: 0, kind: "zero" }, ...(best ? [{ value: best[0], kind: "good" }] : [])],
    y: { from: Math.max(bottom, -top), to: top },
    steps: lastOf(run),
    caption: (k) => {
      if (!k) return "";
      const values = { now: num(reached[k], 3), impossible: num(limits[k], 3), best: best && num(best[0], 3) };
      return t(`chart-margin-${best ? "best" : "now"}${impossible ? "" : "-alone"}`, values);
    },
  };
}

/** The cosine, and the floor below which it cannot be, where the theorem speaks of the rule: √k·ρ/r of a run from zero. */
function cosine(run, floored) {
  const { along, lengths } = run.charts;
  const { rate, start, cosine: least } = limits(run.charts);
  const values = along.map((v, k) => (lengths[k] > 0 ? v / lengths[k] : null));
  const floor = along.map((_, k) => (floored ? least(k) : null));
  const words = (k) => (floor[k] === null ? "chart-cosine-alone" : start ? "chart-cosine-start" : "chart-cosine-now");
  return {
    series: [{ values, kind: "main" }, { values: floor, kind: "floor" }],
    levels: [{ value: 1, kind: "good" }],
    y: { from: Math.min(0, ...values.filter((v) => v !== null)), to: 1 },
    steps: lastOf(run),
    caption: (k) => (values[k] === null ? "" : t(words(k), { ...written(rate), now: num(values[k]), floor: num(floor[k]) })),
  };
}

/** How many points are wrong after each update: by the last plane, and by what the learner predicts with. */
function wrong(run) {
  const { wrong: last, live_wrong: live } = run.charts;
  return {
    series: [{ values: last, kind: live ? "faint" : "main" }, ...(live ? [{ values: live, kind: "live" }] : [])],
    steps: lastOf(run),
    caption: (k) => (live ? t(run.slack ? "chart-wrong-slack" : "chart-wrong-live", { last: last[k], live: live[k] }) : t("chart-wrong-now", { last: last[k] })),
  };
}

function passes(run) {
  const { mistakes } = run.charts;
  const { passes: of, step_is: stepIs } = run.steps;
  const passOf = (k) => (stepIs === "pass" ? k : k ? of[k - 1] : 0);
  return {
    series: [{ values: mistakes, kind: "main" }],
    bars: true,
    steps: mistakes.length,
    last: lastOf(run),
    place: passOf,
    stepAt: (x) => (stepIs === "pass" ? Math.round(x) : of.filter((pass) => pass <= Math.round(x)).length),
    caption: (k) => (k ? t("chart-passes-now", { pass: passOf(k), now: mistakes[passOf(k) - 1] }) : t("chart-passes-start", { passes: mistakes.length })),
  };
}

function loss(run) {
  const { loss: values } = run.charts;
  return { series: [{ values, kind: "main" }], steps: lastOf(run), caption: (k) => (k ? t("chart-loss-now", { now: num(values[k]) }) : "") };
}
