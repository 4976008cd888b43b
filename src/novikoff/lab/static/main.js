// The page: it asks for a run whenever the experiment changes, and shows the step that is looked at.

import { ask, persist } from "./ask.js";
import { byId, html } from "./dom.js";
import { FewestErrors, showErrors } from "./errors.js";
import { exportAs } from "./exports.js";
import { FunctionDialog } from "./functions.js";
import { Hands } from "./hands.js";
import { LessonPanel } from "./lesson-panel.js";
import { Panels } from "./panels.js";
import { Past } from "./past.js";
import { Plane } from "./plane.js";
import { Player } from "./player.js";
import { sentence } from "./rule.js";
import { Runs } from "./runs.js";
import { options, Settings } from "./settings.js";
import { Stage } from "./stage.js";
import { address, limits, readAddress, state, viewOf } from "./state.js";
import { TableDialog } from "./table.js";
import { t, useWords } from "./texts.js";

const PATIENCE = 1500; // milliseconds after which the page says that it waits
const PASSING = ["copied", "exported"]; // what is said for a moment
const MOMENT = 4000; // milliseconds
const NEARLY = 0.9; // of the points that there may be

let controls; // what the server offers
let loads = 0; // presets asked for: the newest wins
let opened = 0; // addresses
let wantedLanguage = null;
let message = null;
let centred = false; // whether a preset has switched the bias off

// What the page says

/** Say something in the language of the page, or nothing; an error stays until it is mended. */
function say(code, values = {}, kind = "note") {
  message = code && { code, values, kind };
  byId("message").className = kind;
  byId("message").textContent = message ? t(code, named(values)) : "";
  const said = message;
  if (PASSING.includes(code)) setTimeout(() => said === message && say(null), MOMENT);
}

/** A parameter is called as its field is. */
const named = (values) => (values.name && state.params?.[values.name] !== undefined ? { ...values, name: t(`param-${values.name}`) } : values);
const errorText = ({ code, values }) => t(`error-${code ?? "server"}`, named(values ?? {}));
const trouble = (error) => {
  if (error) say(`error-${error.code ?? "server"}`, error.values, "error");
  else if (message?.kind === "error") say(null);
};
const announce = (text) => {
  byId("announcer").textContent = text;
};

// Showing

function onAnswer(experiment, run, newest) {
  stage.load(experiment, run);
  if (!newest) plane.showGhosts(state.points);
  player.load(run ? run.steps.rows.length : 0, newest ? state.step : null);
  panels.load(stage);
  if (errorsMatter()) errors.ask();
  drawErrors();
  lessons.look();
  document.body.dataset.ready = String(Number(document.body.dataset.ready ?? 0) + 1);
}

/** Another learner is wanted than that of the answer which is still shown: the head says whose it is. */
function onStale({ learner }) {
  byId("headline").textContent = t("pending-shown", { learner: t(`learner-${learner}`) });
}

/** Nothing is known of these points yet, so nothing is said of them. */
function onPending(experiment) {
  stage.load(experiment, null);
  player.load(0, 0);
  panels.load(stage);
  byId("headline").textContent = t("pending");
}

function onStep(step, by) {
  stage.show(step, by !== "load");
  panels.show(step);
  if (by !== "load") {
    state.step = step === player.last ? null : step;
    if ((by === "hand" || step === player.last) && stage.run) announce(sentence(stage.run, step, stage.experiment));
    keepAddress();
  }
  lessons.look();
}

/** Of points that separate, the proof says already that a plane makes no error. */
const errorsMatter = () => Boolean(stage.run) && stage.run.proof.verdict !== "separable";

/** The fewest errors, in words and on the plane: those of the points as they are now, or none. */
function drawErrors() {
  const answer = errorsMatter() ? errors.answer(stage.experiment) : null;
  const drawn = state.draw && answer?.checked && state.kind === "plane" ? answer : null;
  plane.showErrors(drawn);
  if (byId("errors")) showErrors(byId("errors"), answer, stage.experiment, Boolean(drawn), answer?.checked && plane.frame.crosses(answer.plane));
  stage.legend();
}

function onErrors() {
  drawErrors();
  if (errorsMatter()) errors.ask();
  document.body.dataset.errors = String(Number(document.body.dataset.errors ?? 0) + 1);
}

let keeping = null;
/** Browsers allow few changes of the address a second. */
function keepAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(writeAddress, 250);
  document.body.dataset.address = "behind";
}
function writeAddress() {
  clearTimeout(keeping);
  history.replaceState(null, "", address(controls.learners));
  document.body.dataset.address = "written";
}

// Changes

/** The experiment has changed: run it again. Null looks at the end of the run. */
function change(step = null) {
  state.step = step;
  past.note();
  undoButtons();
  runs.refresh();
  keepAddress();
  drawErrors();
}

/** Points were edited by hand; a drag goes on until it is final. */
function onEdit(final) {
  loads += 1;
  centred ||= controls.centred.includes(state.preset);
  state.preset = "own";
  byId("preset").value = "own";
  presetControls();
  if (message?.kind === "note") say(null);
  sayCount();
  plane.showGhosts(state.points);
  state.step = null;
  if (final) change();
  else runs.refresh(true);
}

/** The view has changed: only pictures of scores are asked for again. */
function onView() {
  keepAddress();
  drawErrors();
  stage.tip();
  if (stage.run?.steps.frames || stage.run?.steps.live?.frames) runs.refresh(true);
}

function sayCount() {
  const { points: most } = limits;
  const all = state.points.length;
  if (all >= NEARLY * most) say("points-near", { all, most });
  else if (["points-near", "points-full"].includes(message?.code)) say(null);
}

function mayAdd() {
  const { points: most } = limits;
  if (state.points.length < most) return true;
  say("points-full", { most });
  announce(t("points-full", { most }));
  return false;
}

function usePoints(points, step, axes = null) {
  Object.assign(state, { points, axes, view: viewOf(points, state.params.fit_intercept === false) });
  hands.letGo();
  plane.view = state.view;
  sayCount();
  change(step);
}

/** Other points than those for planes through the origin are wanted: the bias that these had switched off is on again. */
function uncentre() {
  if (centred || controls.centred.includes(state.preset)) settings.set("fit_intercept", true);
  centred = false;
}

/** Points that the server has; what was asked for before and comes later is not taken. */
async function loadPreset(step = 0) {
  presetControls();
  if (state.preset === "own") return;
  const mine = ++loads;
  const { first, second, species, seed, preset } = state;
  const query = new URLSearchParams({ first, second, species, seed });
  try {
    const { points } = await persist(() => ask(`/api/preset/${preset}?${query}`), () => mine === loads, trouble);
    if (mine !== loads) return;
    if (controls.centred.includes(preset)) settings.set("fit_intercept", false);
    usePoints(points, step, presetAxes());
  } catch (error) {
    if (mine === loads && error.code !== "aborted") trouble(error);
  }
}

const presetAxes = () => (state.preset === "iris" ? [t(`iris-${state.first}`), t(`iris-${state.second}`)] : null);

function presetControls() {
  byId("iris").hidden = state.preset !== "iris";
  byId("again").hidden = !controls.sampled.includes(state.preset);
  byId("again").textContent = t("again", { number: state.seed + 1 });
}

function travel(by) {
  if (!past.go(by)) return;
  loads += 1;
  hands.letGo();
  plane.view = state.view;
  buildHeader();
  settings.build();
  state.step = null;
  undoButtons();
  runs.refresh();
  keepAddress();
  announce(t(by < 0 ? "said-undone" : "said-redone"));
}

function undoButtons() {
  byId("undo").disabled = !past.behind.length;
  byId("redo").disabled = !past.ahead.length;
}

// Words

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
  byId("draw").checked = state.draw;
  byId("speed").value = state.speed;
  presetControls();
  undoButtons();
}

/** A file of the lab, asked for until it comes. */
async function read(path) {
  const file = await persist(() => ask(path), () => true, trouble);
  if (message?.code === "error-network") say(null);
  return file;
}

const tables = {};
/** The words of a language, asked for once. */
function wordsOf(language) {
  tables[language] ??= read(`/static/texts/${language}.json`);
  tables[language].catch(() => delete tables[language]);
  return tables[language];
}

/** Speak a language once its words are here, unless another is wanted by then. */
async function useLanguage(language) {
  wantedLanguage = language;
  const words = await wordsOf(language);
  if (language !== wantedLanguage) return;
  useWords(words, language);
  state.language = language;
  buildHeader();
  settings.build();
  if (message) say(message.code, message.values, message.kind);
}

async function switchLanguage() {
  await useLanguage(state.language === "en" ? "zh" : "en");
  if (state.preset === "iris") stage.experiment.axes = plane.axes = state.axes = presetAxes();
  plane.redraw();
  stage.write();
  if (!stage.run && document.body.dataset.pending === "true") byId("headline").textContent = t("pending");
  player.say();
  panels.rewrite(stage);
  await lessons.rewrite();
  drawErrors();
  keepAddress();
}

const chosenClass = () => Number(document.querySelector("[name=class]:checked").value);

/** Keys on the plane that are not about points. */
function onKey(key) {
  const classes = { 1: "1", 2: "0" };
  if (key in classes) document.querySelector(`[name=class][value="${classes[key]}"]`).checked = true;
  else if (key === " ") player.toggle();
  else if (key === ",") player.halt(player.step - 1);
  else if (key === ".") player.halt(player.step + 1);
  else if (key === "0") fitView();
  else return false;
  return true;
}

const fitView = () => hands.look(viewOf(state.points, state.params.fit_intercept === false));

function setLecture(on) {
  state.lecture = on;
  document.body.classList.toggle("lecture", on);
  byId("lecture").setAttribute("aria-pressed", String(on));
  if (on && !document.fullscreenElement) document.documentElement.requestFullscreen?.().catch(() => {}); // large type without it
  else if (!on && document.fullscreenElement) document.exitFullscreen();
  keepAddress();
}

// Listening

function listen() {
  const on = (id, name, deed) => byId(id).addEventListener(name, deed);
  on("preset", "change", (event) => {
    uncentre();
    state.preset = event.target.value;
    loadPreset();
  });
  for (const name of ["first", "second", "species"]) {
    on(name, "change", (event) => {
      state[name] = Number(event.target.value);
      loadPreset();
    });
  }
  on("again", "click", () => {
    state.seed += 1;
    loadPreset();
  });
  on("clear", "click", () => {
    uncentre();
    state.preset = "own";
    state.points = [];
    hands.letGo();
    onEdit(true);
  });
  on("undo", "click", () => travel(-1));
  on("redo", "click", () => travel(1));
  on("closer", "click", () => hands.zoom(0.8));
  on("farther", "click", () => hands.zoom(1.25));
  on("fit", "click", fitView);
  on("draw", "change", (event) => {
    state.draw = stage.draw = event.target.checked;
    stage.drawProof();
    drawErrors();
    keepAddress();
  });
  on("speed", "change", (event) => {
    state.speed = Number(event.target.value);
    keepAddress();
  });
  on("language", "click", switchLanguage);
  on("lecture", "click", () => setLecture(!state.lecture));
  on("keys", "click", () => byId("keys-dialog").showModal());
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
  for (const button of document.querySelectorAll("[data-export]")) button.addEventListener("click", () => exportPart(button.dataset.export));
  listenToDocument();
}

async function exportPart(kind) {
  writeAddress();
  byId("export").open = false;
  byId("export").querySelector("summary").focus();
  try {
    await exportAs(kind, stage, state, (body) => ask("/api/page", body));
    say(kind === "link" ? "copied" : "exported");
  } catch (error) {
    if (error.code) trouble(error);
    else say("not-copied", { link: location.href });
  }
}

function listenToDocument() {
  const menus = [...document.querySelectorAll("header details, .bar details")];
  document.addEventListener("click", (event) => {
    for (const menu of menus) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") for (const menu of menus) menu.open = false;
    const writing = event.target.matches("textarea, input[type=text], input[type=number]") || document.querySelector("dialog[open]");
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !writing) {
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      travel(key === "y" || event.shiftKey ? 1 : -1);
    }
  });
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement && state.lecture) setLecture(false);
  });
  window.addEventListener("hashchange", () => open(location.hash));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    plane.cache.clear();
    plane.draw();
  });
}

/** Show what an address holds, and say what could not be read of it; the newest address is the one that is followed. */
async function open(hash) {
  loads += 1;
  const mine = ++opened;
  const { full, names, unread } = readAddress(hash, controls);
  await useLanguage(state.language);
  if (mine !== opened) return;
  document.body.classList.toggle("lecture", state.lecture);
  functions.follow(state.table);
  unread.push(...(await lessons.follow({ full, names })));
  if (mine !== opened) return;
  stage.draw = state.draw;
  buildHeader();
  await panels.arrange(stage);
  if (mine !== opened) return;
  if (unread.length) say("unread", { parts: unread.join(", ") }, "note");
  if (!full && !lessons.hasPoints) return loadPreset(state.step);
  const { step } = state;
  plane.view = state.view;
  hands.letGo();
  change(step);
}

state.view = viewOf([]);
const plane = new Plane(byId("plane"));
const player = new Player(onStep);
const stage = new Stage(plane, (step) => player.halt(step));
const hands = new Hands(plane, state, { onEdit, onView, announce, chosenClass, onKey, mayAdd, onHover: (i) => {
  stage.tip(i);
  lessons.look();
} });
const runs = new Runs({ onAnswer, onPending, onStale, onTrouble: trouble });
const past = new Past(state);
const settings = new Settings(state, () => change());
const panels = new Panels(state, { ask, player, state, onChange: () => lessons.look(), controls: () => controls, setParam: (name, value) => {
  settings.set(name, value);
  change();
} }, () => {
  panels.arrange(stage);
  keepAddress();
});
const errors = new FewestErrors(ask, state, onErrors);
const lessons = new LessonPanel({ ask, read, state, stage, player, panels, settings, announce, controls: () => controls, goTo: (hash) => {
  history.pushState(null, "", hash);
  return open(hash);
} });
const functions = new FunctionDialog({ askServer: ask, errorText, onChange: (table) => {
  state.table = table;
  keepAddress();
} });
new TableDialog({ ask, errorText, limits: () => limits, onUse: (points, axes) => {
  loads += 1;
  uncentre();
  state.preset = "own";
  byId("preset").value = "own";
  presetControls();
  usePoints(points, 0, axes);
} });
const slow = setTimeout(() => { byId("message").textContent = "…"; }, PATIENCE);
wordsOf(/lang=(en|zh)\b/.exec(location.hash)?.[1] ?? state.language); // while the controls are on their way
controls = await persist(() => ask("/api/controls"), () => true, () => {});
clearTimeout(slow);
settings.learners = controls.learners;
Object.assign(limits, controls.limits);
listen();
await open(location.hash);
