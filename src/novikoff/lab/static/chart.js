// A small chart: lines, levels or bars over the steps of a run, with a hand at the step that is looked at.

import { html, set, svg } from "./dom.js";
import { num, t } from "./texts.js";

const [LEFT, RIGHT, BOTTOM, TOP, HEIGHT] = [46, 8, 18, 8, 132];
const NARROWEST = 220;
const FAR = 1e5; // pixels: no screen is so wide
const EDGE = 2; // pixels that a line on the border may be drawn beyond it

/** A scale from values to pixels, linear or logarithmic; what is not positive has no place on a logarithmic one. */
function scale(from, to, start, end, logarithmic) {
  const low = logarithmic ? Math.max(from, 1e-12) : from;
  const f = logarithmic ? (v) => (v > 0 ? Math.log10(v) : NaN) : (v) => v;
  const room = f(to) - f(low) || 1;
  const place = (v) => Math.max(-FAR, Math.min(FAR, start + ((f(v) - f(low)) / room) * (end - start)));
  const value = (p) => {
    const part = f(low) + ((p - start) / (end - start)) * room;
    return logarithmic ? 10 ** part : part;
  };
  return Object.assign(place, { from: low, to, logarithmic, value });
}

export class Chart {
  /** `onStep(step)` is called when a step is chosen on the chart. */
  constructor(name, title, onStep) {
    Object.assign(this, { title, onStep, step: 0 });
    this.now = html("span", { class: "now" });
    this.names = html("span", { class: "names" });
    this.picture = svg("svg", { role: "img", "aria-label": title, height: HEIGHT });
    this.node = html("figure", { "data-chart": name }, html("figcaption", {}, html("b", {}, title), " ", this.names, this.now), this.picture);
    this.hand = svg("line", { class: "hand", y1: TOP, y2: HEIGHT - BOTTOM });
    this.picture.addEventListener("click", (event) => this.pick(event, this.onStep));
    this.picture.addEventListener("pointermove", (event) => this.pick(event, (step) => this.say(step)));
    this.picture.addEventListener("pointerleave", () => this.say(this.step));
  }

  /** spec: series [{values, kind, at, name}], levels [{value, kind}], bars, steps (the last one), x and y {from, to, logarithmic},
      caption(step), place(step) on the x axis and stepAt(place), ticks. */
  draw(spec) {
    this.spec = { levels: [], x: {}, y: {}, place: (k) => k, stepAt: (x) => Math.round(x), ...spec };
    this.step = 0;
    this.names.replaceChildren(...this.spec.series.filter(({ name }) => name).flatMap(({ name, kind }) => [html("span", { class: `tag ${kind}` }, name), " "]));
    if (!this.width) this.fit();
    else this.redraw();
  }

  /** Draw in the width that there is, so that letters keep their size; to ask for it makes the browser lay out the page. */
  fit() {
    this.width = Math.max(NARROWEST, this.node.clientWidth - 16);
    if (this.spec) this.redraw();
  }

  redraw() {
    const { series, levels, bars, x, y, steps } = this.spec;
    const { width } = this;
    set(this.picture, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
    const values = [...series.flatMap((one) => one.values), ...levels.map((one) => one.value)].filter((v) => v !== null && Number.isFinite(v));
    const low = y.from ?? Math.min(0, ...values);
    this.across = scale(x.from ?? (bars ? 0.5 : 0), x.to ?? (bars ? steps + 0.5 : Math.max(1, steps)), LEFT, width - RIGHT, x.logarithmic);
    this.up = scale(low, Math.max(y.to ?? Math.max(...values, low), low + 1e-9 * Math.abs(low)) || low + 1, HEIGHT - BOTTOM, TOP, y.logarithmic);
    const shapes = bars ? this.bars(series[0].values) : series.map((one) => this.line(one));
    this.barShapes = bars ? shapes : [];
    this.picture.replaceChildren(...this.axes(width, bars), this.window(width, [...levels.map((one) => this.level(one, width)), ...shapes, ...(bars ? [] : [this.hand])]));
    this.show(this.step);
  }

  /** What is seen of shapes: those parts that lie between the axes. */
  window(width, shapes) {
    const box = { x: LEFT - EDGE, y: TOP - EDGE, width: width - RIGHT - LEFT + 2 * EDGE, height: HEIGHT - BOTTOM - TOP + 2 * EDGE };
    return svg("svg", { ...box, viewBox: `${box.x} ${box.y} ${box.width} ${box.height}` }, ...shapes);
  }

  line({ values, kind, at }) {
    let [d, pen] = ["", "M"];
    values.forEach((value, k) => {
      const place = value === null ? [NaN] : [this.across(at ? at[k] : k), this.up(value)];
      if (!place.every(Number.isFinite)) pen = "M";
      else {
        d += `${pen}${place.map((v) => v.toFixed(1)).join(" ")}`;
        pen = "L";
      }
    });
    if (kind === "dots") d = d.replaceAll("L", "M").replace(/M([^M]+)/g, "M$1h0"); // each a line of no length, with round ends
    return svg("path", { class: `series ${kind}`, d });
  }

  bars(values) {
    const width = Math.max(0.5, (this.across(2) - this.across(1)) * 0.8 || 20);
    return values.map((value, k) => svg("rect", { class: "bar-shape", x: this.across(k + 1) - width / 2, width, y: this.up(value), height: Math.max(0, this.up(0) - this.up(value)) }));
  }

  level({ value, kind, upright }, width) {
    const place = upright ? { x1: this.across(value), x2: this.across(value), y1: TOP, y2: HEIGHT - BOTTOM } : { x1: LEFT, x2: width - RIGHT, y1: this.up(value), y2: this.up(value) };
    return svg("line", { class: `level ${kind}`, ...place });
  }

  axes(width, bars) {
    const base = HEIGHT - BOTTOM;
    const label = (x, y, text, anchor) => svg("text", { class: "tick", x, y, "text-anchor": anchor }, text);
    const [{ from: left, to: right, logarithmic: wide }, { from, to, logarithmic: tall }] = [this.across, this.up];
    const marked = [wide && "x", tall && "y"].filter(Boolean);
    return [
      svg("path", { class: "axes", d: `M${LEFT} ${TOP}V${base}H${width - RIGHT}` }),
      label(LEFT - 4, TOP + 6, num(to, 2), "end"),
      label(LEFT - 4, base, num(from, 2), "end"),
      ...(bars ? this.numbered(right - 0.5).map((k) => label(this.across(k), HEIGHT - 4, num(k), "middle")) : [label(LEFT, HEIGHT - 4, num(left, 3), "middle"), label(width - RIGHT, HEIGHT - 4, num(right, 4), "end")]),
      ...(marked.length ? [label((LEFT + width) / 2, HEIGHT - 4, t("log-axis", { axes: marked.join(", ") }), "middle")] : []),
    ];
  }

  /** The bars that have a number below them: the first and the last, which may be the same. */
  numbered(last) {
    return [...new Set([1, Math.max(1, Math.round(last))])];
  }

  /** The step under the pointer. */
  pick(event, deed) {
    const box = this.picture.getBoundingClientRect();
    const step = this.spec.stepAt(this.across.value(event.clientX - box.left));
    if (Number.isFinite(step)) deed(Math.max(0, Math.min(this.spec.last ?? this.spec.steps, step)));
  }

  show(step) {
    this.step = step;
    const place = this.spec.place(step);
    const across = this.across(place);
    set(this.hand, Number.isFinite(across) ? { x1: across, x2: across, visibility: null } : { visibility: "hidden" });
    this.barShapes.forEach((bar, k) => bar.classList.toggle("current", k + 1 === place));
    this.say(step);
    this.picture.setAttribute("aria-label", `${this.title}: ${this.now.textContent}`);
  }

  say(step) {
    this.now.textContent = this.spec.caption(step);
  }
}
