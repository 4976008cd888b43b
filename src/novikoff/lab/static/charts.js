// Four small charts: figures of every step against what is proved of them.

import { html, set, svg } from "./dom.js";
import { num, t } from "./texts.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [300, 118, 42, 16, 6];

class Chart {
  constructor(title) {
    this.title = title;
    this.now = html("span", { class: "now" });
    this.picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title });
    this.node = html("figure", {}, html("figcaption", {}, html("b", {}, title), " ", this.now), this.picture);
    this.hand = svg("line", { class: "hand", y1: TOP, y2: HEIGHT - BOTTOM });
  }

  /** series: {values, kind}; levels: {value, kind}; bars instead of lines where asked for. */
  draw({ series, levels = [], low = null, high = null, logarithmic = false, bars = false, captions, handAt = (k) => k }) {
    Object.assign(this, { captions, handAt });
    const all = [...series.flatMap((one) => one.values), ...levels.map((one) => one.value)].filter((v) => v !== null);
    const count = Math.max(...series.map((one) => one.values.length), bars ? 1 : 2);
    this.scale(all, low, high, logarithmic);
    this.across = bars
      ? (k) => LEFT + ((k - 0.5) / (count || 1)) * (WIDTH - LEFT - 6)
      : (k) => LEFT + (k / (count - 1)) * (WIDTH - LEFT - 6);
    const shapes = bars ? this.bars(series[0].values, count) : series.map((one) => this.line(one));
    const rules = levels.map(({ value, kind }) => this.level(value, kind));
    this.barShapes = bars ? shapes : [];
    this.picture.replaceChildren(...this.axes(count, bars), ...rules, ...shapes, ...(bars ? [] : [this.hand]));
  }

  scale(values, low, high, logarithmic) {
    const f = logarithmic ? (v) => Math.log10(Math.max(v, 1)) : (v) => v;
    this.from = low ?? Math.min(0, ...values);
    this.to = high ?? (Math.max(...values, this.from) || 1);
    if (this.to === this.from) this.to = this.from + 1;
    this.up = (v) => HEIGHT - BOTTOM - ((f(v) - f(this.from)) / (f(this.to) - f(this.from))) * (HEIGHT - BOTTOM - TOP);
  }

  line({ values, kind }) {
    let d = "";
    let pen = "M";
    values.forEach((value, k) => {
      if (value === null) pen = "M";
      else {
        d += `${pen}${this.across(k).toFixed(1)} ${this.up(this.clipped(value)).toFixed(1)}`;
        pen = "L";
      }
    });
    return svg("path", { class: `series ${kind}`, d });
  }

  clipped(value) {
    return Math.min(this.to, Math.max(this.from, value));
  }

  bars(values, count) {
    const width = Math.max(0.5, ((WIDTH - LEFT - 6) / count) * 0.8);
    const bar = (value, k) => ({ x: this.across(k + 1) - width / 2, width, y: this.up(value), height: this.up(0) - this.up(value) });
    return values.map((value, k) => svg("rect", { class: "bar-shape", ...bar(value, k) }));
  }

  level(value, kind) {
    const y = this.up(this.clipped(value));
    return svg("line", { class: `level ${kind}`, x1: LEFT, x2: WIDTH - 6, y1: y, y2: y });
  }

  axes(count, bars) {
    const base = HEIGHT - BOTTOM;
    const label = (x, y, text, anchor) => svg("text", { class: "tick", x, y, "text-anchor": anchor }, text);
    return [
      svg("path", { class: "axes", d: `M${LEFT} ${TOP}V${base}H${WIDTH - 6}` }),
      label(LEFT - 4, TOP + 6, num(this.to, 2), "end"),
      label(LEFT - 4, base, num(this.from, 2), "end"),
      label(LEFT, HEIGHT - 4, bars ? "1" : "0", "middle"),
      label(WIDTH - 6, HEIGHT - 4, String(bars ? count : count - 1), "end"),
    ];
  }

  show(step) {
    const place = this.handAt(step);
    set(this.hand, { x1: this.across(place), x2: this.across(place) });
    this.barShapes.forEach((bar, k) => bar.classList.toggle("current", k + 1 === place));
    const text = this.captions(step);
    this.now.textContent = text;
    this.picture.setAttribute("aria-label", `${this.title}: ${text}`);
  }
}

/** The charts of a run. */
export class Charts {
  constructor(node) {
    this.node = node;
    this.charts = [];
  }

  draw(run) {
    this.charts = [];
    if (run) {
      const { charts, steps } = run;
      if (charts.counts) this.charts.push(updates(charts));
      if (charts.margins) this.charts.push(margins(charts));
      if (charts.loss) this.charts.push(loss(charts));
      if (steps.weights) this.charts.push(cosine(charts));
      if (charts.mistakes) this.charts.push(passes(charts, steps));
    }
    this.node.replaceChildren(...this.charts.map((chart) => chart.node));
  }

  show(step) {
    for (const chart of this.charts) chart.show(step);
  }
}

function updates({ counts, bound: real, of_mistakes: ofMistakes }) {
  const chart = new Chart(t("chart-updates"));
  const bound = real === null ? null : Math.floor(real * (1 + 1e-9));
  const most = counts[counts.length - 1];
  const words = `chart-${ofMistakes ? "mistakes" : "updates"}`;
  chart.draw({
    series: [{ values: counts, kind: "main" }],
    levels: bound === null ? [] : [{ value: bound, kind: "limit" }],
    low: bound > 10 * most ? 1 : 0,
    logarithmic: bound > 10 * most,
    captions: (k) =>
      t(bound === null ? `${words}-none` : `${words}-now`, { now: counts[k], bound: num(bound, 7) }),
  });
  return chart;
}

function margins({ margins: reached, impossible, best }) {
  const chart = new Chart(t("chart-margin"));
  const limits = impossible || reached.map(() => null);  // a rule with variances proves no margin impossible
  const highest = impossible ? impossible.slice(1) : [...reached, best && best[0]];
  const top = Math.max(...highest.filter((v) => v !== null), 0) || 1;
  const bottom = Math.min(0, ...reached.filter((v) => v !== null));
  chart.draw({
    series: [{ values: reached, kind: "main" }, { values: limits, kind: "limit" }],
    levels: [{ value: 0, kind: "zero" }, ...(best ? [{ value: best[0], kind: "good" }] : [])],
    low: Math.max(bottom, -top),
    high: top,
    captions: (k) => {
      const values = { now: num(reached[k], 3), impossible: num(limits[k], 3), best: best && num(best[0], 3) };
      return t(`chart-margin-${best ? "best" : "now"}${impossible ? "" : "-alone"}`, values);
    },
  });
  return chart;
}

function cosine({ along, lengths }) {
  const chart = new Chart(t("chart-cosine"));
  const values = along ? along.map((v, k) => (lengths[k] > 0 ? v / lengths[k] : null)) : [null];
  chart.draw({
    series: [{ values, kind: "main" }],
    levels: [{ value: 1, kind: "good" }, { value: 0, kind: "zero" }],
    low: Math.min(0, ...values.filter((v) => v !== null)),
    high: 1,
    captions: (k) => (along ? t("chart-cosine-now", { now: num(values[k], 4) }) : t("chart-cosine-none")),
    handAt: (k) => (along ? k : 0),
  });
  return chart;
}

function passes({ mistakes, loss: filmed }, { passes: of, step_is: stepIs }) {
  const chart = new Chart(t(filmed ? "chart-wrong" : "chart-passes"));
  const passOf = (k) => (stepIs === "pass" ? k : k ? of[k - 1] : 0);
  chart.draw({
    series: [{ values: mistakes, kind: "main" }],
    bars: true,
    captions: (k) => (k ? t("chart-passes-now", { pass: passOf(k), now: mistakes[passOf(k) - 1] }) : ""),
    handAt: passOf,
  });
  return chart;
}

function loss({ loss: values }) {
  const chart = new Chart(t("chart-loss"));
  chart.draw({ series: [{ values, kind: "main" }], captions: (k) => t("chart-loss-now", { now: num(values[k]) }) });
  return chart;
}
