// The whole experiment, and the address that holds it.

const DEFAULTS = {
  preset: "and",
  seed: 0,
  first: 2,
  second: 3,
  species: 0,
  learner: "perceptron",
  params: {},
  points: [], // [x, y, class]
  view: null, // [x from, x to, y from, y to], a square
  step: null, // null is the end
  table: "", // the truth table that is looked at, such as 0110
};

export const state = { language: navigator.language.startsWith("zh") ? "zh" : "en", ...DEFAULTS };

const short = (value) => String(Number(value.toFixed(4)));

export function address(learners) {
  const parts = [`lang=${state.language}`, `preset=${state.preset}`, `learner=${state.learner}`];
  if (state.seed) parts.push(`seed=${state.seed}`);
  if (state.preset === "iris") parts.push(`iris=${state.first},${state.second},${state.species}`);
  for (const control of learners[state.learner].controls) {
    const value = state.params[control.name];
    if (value !== control.default) parts.push(`p.${control.name}=${encodeURIComponent(JSON.stringify(value))}`);
  }
  if (state.view) parts.push(`view=${state.view.map(short).join(",")}`);
  if (state.step !== null) parts.push(`step=${state.step}`);
  if (state.table) parts.push(`function=${state.table}`);
  parts.push(`points=${state.points.map((point) => point.map(short).join(",")).join(";")}`);
  return `#${parts.join("&")}`;
}

/** Read an address into the state; false where it holds no points. What it lacks, or cannot be read, has its default. */
export function readAddress(hash, controls) {
  Object.assign(state, DEFAULTS);
  const given = new Map(hash.replace(/^#/, "").split("&").map((part) => part.split(/=(.*)/s).slice(0, 2)));
  const numbers = (text) => (text ?? "").split(",").map(Number);
  if (["en", "zh"].includes(given.get("lang"))) state.language = given.get("lang");
  if (given.has("points")) state.preset = "own";
  if (controls.presets.includes(given.get("preset"))) state.preset = given.get("preset");
  const named = given.get("learner");
  const learner = Object.hasOwn(controls.former_names, named) ? controls.former_names[named] : named;
  if (Object.hasOwn(controls.learners, learner)) state.learner = learner;
  const seed = Number(given.get("seed") ?? 0);
  state.seed = Number.isInteger(seed) && seed >= 0 ? seed : 0;
  const iris = numbers(given.get("iris"));
  if (iris.length === 3 && iris.every(Number.isInteger)) [state.first, state.second, state.species] = iris;
  readParams(given, controls.learners[state.learner].controls);
  const view = numbers(given.get("view"));
  state.view = view.length === 4 && view.every(Number.isFinite) && view[0] < view[1] && view[2] < view[3] ? view : null;
  const step = Number(given.get("step") ?? NaN);
  state.step = Number.isInteger(step) && step >= 0 ? step : null;
  if (/^([01]{4}){1,2}$/.test(given.get("function"))) state.table = given.get("function");
  if (!given.has("points")) return false;
  const points = given.get("points").split(";").filter(Boolean).map(numbers);
  const good = (p) => p.length === 3 && p.every(Number.isFinite) && (p[2] === 0 || p[2] === 1);
  state.points = points.filter(good).slice(0, controls.limits.points);
  return true;
}

function readParams(given, controls) {
  state.params = {};
  for (const control of controls) {
    let value = control.default;
    try {
      if (given.has(`p.${control.name}`)) value = JSON.parse(decodeURIComponent(given.get(`p.${control.name}`)));
    } catch {
      // what cannot be read keeps its default
    }
    state.params[control.name] = value;
  }
}

/** A square that holds all points, and the origin where planes go through it, with room around. */
export function viewOf(points, centred = false) {
  if (!points.length) return [-1, 1, -1, 1];
  const spans = [0, 1].map((j) => {
    const values = [...points.map((point) => point[j]), ...(centred ? [0] : [])];
    return [Math.min(...values), Math.max(...values)];
  });
  const half = Math.max(...spans.map(([low, high]) => (high - low) / 2)) * 1.35 || 1;
  return spans.flatMap(([low, high]) => [(low + high) / 2 - half, (low + high) / 2 + half]).map((v) => Number(short(v)));
}
