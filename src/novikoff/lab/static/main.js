// The page: it asks the server for a run whenever the experiment changes, and shows the step that is looked at.

import { Charts } from "./charts.js";
import { byId, html } from "./dom.js";
import { FewestErrors, showErrors } from "./errors.js";
import { exportAs } from "./exports.js";
import { FunctionDialog } from "./functions.js";
import { Plane } from "./plane.js";
import { Player } from "./player.js";
import { showChain, showProof, showRule } from "./proof.js";
import { address, readAddress, state, viewOf } from "./state.js";
import { TableDialog } from "./table.js";
import { speak, t } from "./texts.js";

const PATIENCE = 1000; // milliseconds after which the page says that it waits
const CENTRED = ["tight", "worst"]; // meant for planes through the origin
const SAMPLED = ["margin", "overlap", "circles", "spirals"];

let controls; // what the server offers
let run = null; // the answer to the last experiment
let asking = false;
let again = false;

// Asking the server

async function askServer(path, body) {
  let response;
  try {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    response = await fetch(path, body === undefined ? {} : post);
  } catch {
    throw { code: "network", values: {} };
  }
  const answer = await response.json().catch(() => ({ error: { code: "server", values: {} } }));
  if (answer.error) throw answer.error;
  return answer;
}

const errorText = ({ code, values }) => t(`error-${code ?? "server"}`, values);

/** Run the experiment again; only the newest of many changes is waited for. */
async function refresh(step = null) {
  state.step = step;
  drawErrors();
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  const waiting = setTimeout(() => { byId("message").textContent = t("working"); }, PATIENCE);
  do {
    again = false;
    const { points, learner, params, view } = state;
    try {
      run = await askServer("/api/run", { points, learner, params, view });
      byId("message").textContent = "";
    } catch (error) {
      run = null;
      byId("message").textContent = errorText(error);
    }
  } while (again);
  clearTimeout(waiting);
  asking = false;
  showRun();
}

function showRun() {
  ({ kind: state.kind, audit: state.audit } = controls.learners[state.learner]);
  plane.cache.clear();
  drawProof();
  charts.draw(run);
  if (errorsMatter()) errors.ask();
  writeProof();
  player.load(run ? run.steps.rows.length : 0, state.step);
  document.body.dataset.ready = String(Number(document.body.dataset.ready ?? 0) + 1);
}

function drawProof() {
  plane.showProof(byId("draw").checked ? run?.proof : null);
  drawErrors();
}

function writeProof() {
  showProof(byId("proof"), run, state);
  drawErrors();
}

/** Of points that separate, the proof says already that a plane makes no error. */
const errorsMatter = () => Boolean(run) && run.proof.verdict !== "separable";

/** The fewest errors, in words and on the plane: those of the points as they are now, or none. */
function drawErrors() {
  const answer = errorsMatter() ? errors.answer() : null;
  plane.showErrors(byId("draw").checked && answer?.checked ? answer : null);
  if (byId("errors")) showErrors(byId("errors"), answer, state, answer?.checked && plane.crosses(answer.plane));
}

function onErrors(current) {
  if (current) drawErrors();
  else if (errorsMatter()) errors.ask();
  document.body.dataset.errors = String(Number(document.body.dataset.errors ?? 0) + 1);
}

function showStep(step) {
  plane.show(run, step);
  charts.show(step);
  showRule(byId("rule"), run, step, state);
  if (byId("chain")) showChain(byId("chain"), run, step);
  state.step = step === player.last ? null : step;
  keepAddress();
}

let keeping = null;
/** Browsers allow few changes of the address a second. */
function keepAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(writeAddress, 250);
}
function writeAddress() {
  clearTimeout(keeping);
  history.replaceState(null, "", address(controls.learners));
}

// Points

function onEdit(final) {
  state.preset = "own";
  byId("preset").value = "own";
  presetControls();
  refresh();
  if (final) keepAddress();
}

function usePoints(points, step = null) {
  state.points = points;
  state.view = viewOf(points, state.params.fit_intercept === false);
  plane.selected = plane.cursor = null;
  plane.drawPoints();
  return refresh(step);
}

async function loadPreset(step = null) {
  presetControls();
  if (state.preset === "own") return;
  const { first, second, species, seed } = state;
  const query = new URLSearchParams({ first, second, species, seed });
  if (CENTRED.includes(state.preset)) setParam("fit_intercept", false);
  await usePoints((await askServer(`/api/preset/${state.preset}?${query}`)).points, step);
}

function presetControls() {
  byId("iris").hidden = state.preset !== "iris";
  byId("again").hidden = !SAMPLED.includes(state.preset);
}

// Controls

function options(select, values, name, chosen) {
  select.replaceChildren(...values.map((value) => html("option", { value }, t(`${name}-${value}`))));
  select.value = chosen;
}

function buildHeader() {
  options(byId("preset"), controls.presets, "preset", state.preset);
  byId("preset").append(html("option", { value: "own" }, t("own")));
  byId("preset").value = state.preset;
  const columns = controls.iris.map((_, j) => j);
  options(byId("first"), columns, "iris", state.first);
  options(byId("second"), columns, "iris", state.second);
  options(byId("species"), [0, 1, 2], "species", state.species);
  byId("language").textContent = t("other-language");
  byId("language").lang = state.language === "en" ? "zh-Hans" : "en";
  byId("keys-list").replaceChildren(...t("keys-list").flatMap(([key, use]) => [html("dt", {}, key), html("dd", {}, use)]));
  presetControls();
}

function buildControls() {
  const choose = html("select", { id: "learner" });
  options(choose, Object.keys(controls.learners), "learner", state.learner);
  choose.addEventListener("change", () => useLearner(choose.value));
  const fields = controls.learners[state.learner].controls.map(field);
  byId("controls").replaceChildren(html("label", {}, `${t("learner")} `, choose), ...fields);
  hideUnused();
}

function useLearner(name) {
  const before = state.params;
  state.learner = name;
  state.params = Object.fromEntries(controls.learners[name].controls.map((c) => [c.name, c.default]));
  for (const kept of ["fit_intercept", "random_state", "order", "eta0"]) {
    if (kept in before && kept in state.params) state.params[kept] = before[kept];
  }
  buildControls();
  byId("learner").focus();
  refresh();
}

function field(control) {
  const { name, kind, choices, lowest, highest, optional } = control;
  const input = kind === "choice" ? html("select") : html("input", { type: kind === "switch" ? "checkbox" : "number" });
  input.id = `param-${name}`;
  if (kind === "choice") options(input, choices, "choice", state.params[name]);
  else if (kind === "switch") input.checked = state.params[name];
  else {
    Object.assign(input, { min: lowest, max: highest, step: kind === "integer" ? 1 : "any", value: state.params[name] ?? "" });
    if (optional) input.placeholder = t("auto");
  }
  input.addEventListener("change", () => {
    const blank = optional && input.value === "";
    const value = { switch: input.checked, choice: input.value }[kind] ?? (blank ? null : Number(input.value));
    if (kind !== "choice" && kind !== "switch" && !blank && !input.checkValidity()) return input.reportValidity();
    state.params[name] = value;
    hideUnused();
    refresh();
  });
  return html("label", { "data-param": name }, `${t(`param-${name}`)} `, input);
}

function hideUnused() {
  for (const { name, only } of controls.learners[state.learner].controls) {
    const hidden = only && !only[1].includes(state.params[only[0]]);
    document.querySelector(`[data-param="${name}"]`).hidden = Boolean(hidden);
  }
}

function setParam(name, value) {
  if (!(name in state.params)) return;
  state.params[name] = value;
  buildControls();
}

// Language and the rest

async function useLanguage() {
  await speak(state.language);
  buildHeader();
  buildControls();
}

async function switchLanguage() {
  state.language = state.language === "en" ? "zh" : "en";
  await useLanguage();
  const { step } = player;
  charts.draw(run);
  writeProof();
  player.load(player.last, step);
}

const announce = (text) => {
  byId("announcer").textContent = text;
};

const chosenClass = () => Number(document.querySelector("[name=class]:checked").value);

/** Keys on the plane that are not about points. */
function onKey(key) {
  const classes = { 1: "1", 2: "0" };
  if (key in classes) document.querySelector(`[name=class][value="${classes[key]}"]`).checked = true;
  else if (key === " ") player.toggle();
  else if (key === ",") player.halt(player.step - 1);
  else if (key === ".") player.halt(player.step + 1);
  else return false;
  if (key === "," || key === ".") announce(t("said-step", { step: player.step }));
  return true;
}

function listen() {
  byId("preset").addEventListener("change", (event) => {
    if (CENTRED.includes(state.preset)) setParam("fit_intercept", true);
    state.preset = event.target.value;
    loadPreset();
  });
  for (const name of ["first", "second", "species"]) {
    byId(name).addEventListener("change", (event) => {
      state[name] = Number(event.target.value);
      loadPreset();
    });
  }
  byId("again").addEventListener("click", () => {
    state.seed += 1;
    loadPreset();
  });
  byId("clear").addEventListener("click", () => {
    state.points = [];
    plane.selected = null;
    plane.drawPoints();
    onEdit(true);
  });
  byId("draw").addEventListener("change", drawProof);
  byId("language").addEventListener("click", switchLanguage);
  byId("keys").addEventListener("click", () => byId("keys-dialog").showModal());
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
  for (const button of document.querySelectorAll("[data-export]")) {
    button.addEventListener("click", async () => {
      writeAddress();
      await exportAs(button.dataset.export, byId("plane"), state, run);
      if (button.dataset.export === "link") byId("message").textContent = t("copied");
      byId("export").open = false;
      byId("export").querySelector("summary").focus();
    });
  }
  document.addEventListener("click", (event) => {
    if (!byId("export").contains(event.target)) byId("export").open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") byId("export").open = false;
  });
  window.addEventListener("hashchange", () => open(location.hash));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    plane.cache.clear();
    plane.show(run, player.step);
  });
}

/** Show what an address holds. */
async function open(hash) {
  const full = readAddress(hash, controls);
  await useLanguage();
  functions.follow(state.table);
  if (!full) return loadPreset(state.step);
  state.view ??= viewOf(state.points);
  plane.drawPoints();
  return refresh(state.step);
}

state.view = viewOf([]);
const plane = new Plane(byId("plane"), state, { onEdit, announce, chosenClass, onKey });
const charts = new Charts(byId("charts"));
const player = new Player(showStep);
const errors = new FewestErrors(askServer, state, onErrors);
const functions = new FunctionDialog({ askServer, errorText, onChange: (table) => {
  state.table = table;
  keepAddress();
} });
new TableDialog({ askServer, errorText, onUse: (points) => {
  state.preset = "own";
  byId("preset").value = "own";
  presetControls();
  usePoints(points);
} });
controls = await askServer("/api/controls");
listen();
await open(location.hash);
