// The whole experiment as it is wanted, and the address that holds it.

export const DEFAULT_PANELS = ["controls", "proof", "charts"]; // what is shown unless something else is asked for
const EXTRA = ["rule", "dual", "vectors", "code", "weights", "space", "second", "growth", "neuron", "slack"];
const DEFAULTS = {
  preset: "and",
  seed: 0,
  first: 2,
  second: 3,
  species: 0,
  learner: "perceptron",
  params: {},
  points: [], // [x, y, class]
  view: null, // [x from, x to, y from, y to], a square around the points unless something else is asked for
  axes: null, // names of the coordinates
  step: 0, // null is the end
  table: "", // the truth table that is looked at, such as 0110
  show: DEFAULT_PANELS,
  draw: true, // whether the proof is drawn
  speed: 2,
  rival: "averaged", // the second learner
  lesson: "",
  lecture: false,
};

/** What the server allows, once it has said so. */
export const limits = { view: Infinity };

export const state = { language: navigator.language.startsWith("zh") ? "zh" : "en", ...DEFAULTS };

/** A copy of what a run is asked for. */
export function experiment() {
  const { learner, params, view, kind, audit, axes } = state;
  return { points: state.points.map((point) => [...point]), learner, params: { ...params }, view: [...view], kind, audit, axes };
}

/** What an answer depends on. */
export const keyOf = ({ points, learner, params }) => JSON.stringify([points, learner, params]);

// Writing

export function address(learners) {
  const parts = [`lang=${state.language}`];
  if (state.lesson) parts.push(`lesson=${state.lesson}`);
  parts.push(`preset=${state.preset}`, `learner=${state.learner}`);
  if (state.seed) parts.push(`seed=${state.seed}`);
  if (state.preset === "iris") parts.push(`iris=${state.first},${state.second},${state.species}`);
  for (const control of learners[state.learner].controls) {
    const value = state.params[control.name];
    if (value !== control.default) parts.push(`p.${control.name}=${encodeURIComponent(JSON.stringify(value))}`);
  }
  parts.push(`view=${state.view.join(",")}`);
  parts.push(`step=${state.step ?? "end"}`);
  if (state.table) parts.push(`function=${state.table}`);
  if (String(state.show) !== String(DEFAULT_PANELS)) parts.push(`show=${state.show.join(",")}`);
  if (!state.draw) parts.push("draw=0");
  if (state.speed !== DEFAULTS.speed) parts.push(`speed=${state.speed}`);
  if (state.rival !== DEFAULTS.rival) parts.push(`rival=${state.rival}`);
  if (state.lecture) parts.push("lecture=1");
  if (state.axes) parts.push(`axes=${state.axes.map(encodeURIComponent).join(",")}`);
  parts.push(`points=${state.points.map((point) => point.join(",")).join(";")}`);
  return `#${parts.join("&")}`;
}

// Reading

const numbers = (text) => text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
const whole = (text, most) => (/^\d{1,12}$/.test(text) && Number(text) <= most ? Number(text) : undefined);
const oneOf = (text, all) => (all.includes(text) ? text : undefined);

/** How each part of an address is read: undefined where it cannot be. */
const READERS = {
  lang: (text) => ({ language: oneOf(text, ["en", "zh"]) }),
  lesson: (text) => ({ lesson: /^[a-z]{1,20}$/.test(text) ? text : undefined }),
  preset: (text, { presets }) => ({ preset: oneOf(text, [...presets, "own"]) }),
  learner: (text, { learners, former_names: former }) => ({ learner: oneOf(Object.hasOwn(former, text) ? former[text] : text, Object.keys(learners)) }),
  rival: (text, { learners }) => ({ rival: oneOf(text, Object.keys(learners)) }),
  seed: (text) => ({ seed: whole(text, limits.seed) }),
  iris: (text) => {
    const [first, second, species, ...rest] = text.split(",").map((part, k) => whole(part, k < 2 ? 3 : 2));
    return rest.length ? { first: undefined } : { first, second, species };
  },
  view: (text) => ({ view: squareView(numbers(text)) }),
  step: (text) => ({ step: text === "end" ? null : whole(text, 1e9) }),
  function: (text) => ({ table: /^([01]{4}){1,2}$/.test(text) ? text : undefined }),
  show: (text) => ({ show: text.split(",").every((name) => [...DEFAULT_PANELS, ...EXTRA].includes(name)) ? text.split(",") : undefined }),
  draw: (text) => ({ draw: { 0: false, 1: true }[text] }),
  lecture: (text) => ({ lecture: { 0: false, 1: true }[text] }),
  speed: (text) => ({ speed: Number(text) >= 0 && Number(text) <= 6 ? Number(text) : undefined }),
  axes: (text) => ({ axes: axisNames(text.split(",")) }),
};

function axisNames(texts) {
  try {
    return texts.length === 2 ? texts.map((text) => decodeURIComponent(text).slice(0, 40)) : undefined;
  } catch {
    return undefined;
  }
}

/** Read an address into the state; what it lacks, or cannot be read, has its default.
    Returns whether it holds points, the names of what was read, and what could not be. */
export function readAddress(hash, controls) {
  Object.assign(state, DEFAULTS, { params: {}, points: [] });
  const given = new Map(hash.replace(/^#/, "").split("&").filter(Boolean).map((part) => part.split(/=(.*)/s).slice(0, 2)));
  const unread = [];
  if (given.has("points")) Object.assign(state, { preset: "own", step: null });
  for (const [name, text] of given) {
    if (name === "points" || name.startsWith("p.")) continue;
    const values = Object.hasOwn(READERS, name) ? READERS[name](text ?? "", controls) : { unknown: undefined };
    if (Object.values(values).includes(undefined)) unread.push(name);
    else Object.assign(state, values);
  }
  readParams(given, controls.learners[state.learner].controls, unread);
  if (given.has("points")) readPoints(given.get("points") ?? "", unread);
  state.view ??= viewOf(state.points, state.params.fit_intercept === false); // a run may be asked for at any moment
  const names = [...given.keys()].filter((name) => !unread.includes(name));
  return { full: given.has("points"), names, unread: unread.map((name) => name.slice(0, 30)) };
}

function readPoints(text, unread) {
  const { points: most, far } = limits;
  const points = text.split(";").filter(Boolean).map(numbers);
  const good = points.filter((p) => p.length === 3 && Math.abs(p[0]) <= far && Math.abs(p[1]) <= far && (p[2] === 0 || p[2] === 1));
  state.points = good.slice(0, most);
  if (good.length < points.length) unread.push(`points (${points.length - good.length})`);
  if (good.length > most) unread.push(`points > ${most}`);
}

function readParams(given, controls, unread) {
  state.params = Object.fromEntries(controls.map((control) => [control.name, control.default]));
  for (const [name, text] of given) {
    if (!name.startsWith("p.")) continue;
    const control = controls.find((one) => `p.${one.name}` === name);
    let value;
    try {
      value = JSON.parse(decodeURIComponent(text));
    } catch {
      value = undefined;
    }
    if (control && isValue(control, value)) state.params[control.name] = value;
    else unread.push(name);
  }
}

/** Whether a parameter may have this value. */
function isValue({ kind, choices, optional, lowest, highest }, value) {
  if (kind === "choice") return choices.includes(value);
  if (kind === "switch") return typeof value === "boolean";
  if (value === null) return optional;
  return typeof value === "number" && value >= lowest && value <= highest && (kind === "number" || Number.isInteger(value));
}

// Views

/** A square around the middle of what is asked for; undefined where that cannot be drawn. */
export function squareView(view) {
  if (view.length !== 4 || !view.every((v) => Math.abs(v) <= limits.view) || !(view[0] < view[1] && view[2] < view[3])) return undefined;
  const centre = [(view[0] + view[1]) / 2, (view[2] + view[3]) / 2];
  const half = Math.max(view[1] - view[0], view[3] - view[2]) / 2;
  if (half < 1e-9 * Math.max(1e-290, ...centre.map(Math.abs))) return undefined; // floats would not tell its points apart
  const even = Math.abs(view[1] - view[0] - (view[3] - view[2])) <= 1e-9 * half;
  return even ? view : centre.flatMap((c) => [c - half, c + half]);
}

/** A square that holds all points, and the origin where planes go through it, with room around. */
export function viewOf(points, centred = false) {
  if (!points.length) return [-1, 1, -1, 1];
  const spans = [0, 1].map((j) => {
    const values = [...points.map((point) => point[j]), ...(centred ? [0] : [])];
    return [Math.min(...values), Math.max(...values)];
  });
  const half = Math.max(...spans.map(([low, high]) => (high - low) / 2)) * 1.35 || 1;
  const [fine, finer] = [half / 1000, half / 10000]; // middle and size are rounded, so that it stays a square
  const reach = roundTo(half, fine);
  return spans.flatMap(([low, high]) => [-reach, reach].map((by) => roundTo(roundTo((low + high) / 2, fine) + by, finer)));
}

/** A value with as many decimals as tell things this far apart. */
export function roundTo(value, apart) {
  const places = Math.ceil(-Math.log10(apart));
  if (places > 100) return value;
  return places > 0 ? Number(value.toFixed(places)) : Math.round(value / 10 ** -places) * 10 ** -places;
}
