// A recorded run on a page of its own: played and stepped without a server.

import { byId } from "./dom.js";
import { Plane } from "./plane.js";
import { Player } from "./player.js";
import { sentence } from "./rule.js";
import { Stage } from "./stage.js";
import { viewOf } from "./state.js";
import { num, t, useWords } from "./texts.js";

const recording = JSON.parse(byId("recording").textContent);
const { answer, request } = recording;
const experiment = { params: {}, ...request, axes: recording.axes.length === 2 ? recording.axes : null };
let { language } = recording;

function speak() {
  useWords(recording.texts[language], language);
  byId("language").textContent = t("other-language");
  byId("language").lang = language === "en" ? "zh-Hans" : "en";
  const params = recording.listed.map((name) => `${t(`param-${name}`)} ${valueOf(experiment.params[name])}`);
  byId("learner-line").textContent = [t(`learner-${experiment.learner}`), ...params].join(" · ");
}

/** A parameter's value in words. */
function valueOf(value) {
  if (typeof value === "boolean") return t(value ? "on" : "off");
  return typeof value === "number" ? num(value) : t(`choice-${value}`);
}

function onStep(step, by) {
  stage.show(step, by !== "load");
  if (by === "hand") byId("announcer").textContent = sentence(answer, step, experiment);
}

speak();
const plane = new Plane(byId("plane"));
const player = new Player(onStep);
const stage = new Stage(plane, (step) => player.halt(step));
plane.view = viewOf(experiment.points, experiment.params.fit_intercept === false);
stage.load(experiment, answer);
player.load(answer.steps.rows.length, recording.step);
plane.node.addEventListener("pointermove", (event) => stage.tip(plane.nearest(event)));
plane.node.addEventListener("pointerleave", () => stage.tip());
byId("language").addEventListener("click", () => {
  language = language === "en" ? "zh" : "en";
  speak();
  stage.write();
  player.say();
});
document.body.dataset.ready = "1";
