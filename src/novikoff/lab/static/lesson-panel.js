// The guided path: a lesson beside the picture, its task watched, its question answered by running it.

import { byId, html } from "./dom.js";
import { LESSONS } from "./lessons.js";
import { address, DEFAULT_PANELS, readAddress } from "./state.js";
import { readNumber, t } from "./texts.js";

const KEPT = ["lang", "lesson", "lecture", "speed", "function", "step"]; // parts of an address that a lesson leaves as they are

export class LessonPanel {
  /** `lab` has what a lesson looks at: stage, player, panels, state, and how it asks and reads. */
  constructor(lab) {
    Object.assign(this, { lab, words: {}, lesson: null, hasPoints: false, done: false, given: "", verdict: null });
    byId("lessons").addEventListener("click", () => this.open(LESSONS[0].name));
    const panel = (name) => lab.panels.made[name];
    this.context = { stage: lab.stage, player: lab.player, panel, run: (hash) => this.run(hash), growth: (family, size) => lab.ask("/api/growth", { family, size }) };
  }

  /** Go to a lesson; the button that was pressed is gone then, so its title takes the focus. */
  async open(name) {
    await this.lab.goTo(`#lang=${this.lab.state.language}&lesson=${name}`);
    byId("lesson").querySelector("h2")?.focus();
  }

  /** Show the lesson that the address names, if it names one; where it holds no points, as the lesson starts.
      Returns what of the address is not followed, by the names of its parts. */
  async follow({ full, names }) {
    const { state } = this.lab;
    this.hasPoints = full;
    this.lesson = LESSONS.find((lesson) => lesson.name === state.lesson) ?? null;
    this.lab.stage.only = this.lesson?.charts ?? null;
    byId("lesson").hidden = !this.lesson;
    document.body.classList.toggle("learning", Boolean(this.lesson));
    if (!this.lesson) {
      const unread = state.lesson ? ["lesson"] : [];
      state.lesson = "";
      return unread;
    }
    if (!full) this.begin(names.includes("step"));
    Object.assign(this, { done: false, given: "", verdict: null });
    await this.rewrite();
    return full ? [] : names.filter((name) => !KEPT.includes(name));
  }

  /** The experiment with which the lesson starts, at its step or the one that is asked for. */
  begin(stepped) {
    const { state, settings } = this.lab;
    const { language, lesson, lecture, speed, table, step } = state;
    this.hasPoints = readAddress(this.lesson.start, this.lab.controls()).full;
    Object.assign(state, { language, lesson, lecture, speed, table, ...(stepped ? { step } : {}) });
    settings.build();
  }

  /** Write the lesson once its words are here, unless it, or the language, was left meanwhile. */
  async rewrite() {
    const { lesson, lab: { state: { language } } } = this;
    if (!lesson) return;
    this.words[language] ??= await this.lab.read(`/static/texts/lessons-${language}.json`);
    if (lesson === this.lesson && language === this.lab.state.language) this.write();
  }

  write() {
    const words = this.words[this.lab.state.language][this.lesson.name];
    const number = LESSONS.indexOf(this.lesson);
    const contents = html("ol", { class: "contents" }, ...LESSONS.map((lesson) => this.entry(lesson)));
    this.task = html("p", { class: "task" }, html("span", { class: "tick-box", "aria-hidden": "true" }, "○"), " ", html("b", {}, t("task")), ` ${words.task}`);
    this.told = html("p", { role: "status", class: "told" });
    const title = html("h2", { tabindex: -1 }, t("lesson-number", { number: number + 1, all: LESSONS.length, title: words.title }));
    const details = html("details", {}, html("summary", {}, t("lesson-list")), contents);
    byId("lesson").replaceChildren(title, ...words.text.map((text) => html("p", {}, text)), this.task, this.form(words), this.told, this.way(number), details);
    this.showDone();
    this.showVerdict();
  }

  entry(lesson) {
    const here = lesson === this.lesson;
    const link = html("a", { href: `#lang=${this.lab.state.language}&lesson=${lesson.name}`, ...(here ? { "aria-current": "page" } : {}) }, this.words[this.lab.state.language][lesson.name].title);
    return html("li", {}, link);
  }

  /** Before, next, and the free lab. */
  way(number) {
    const button = (words, deed, attributes = {}) => {
      const node = html("button", { type: "button", ...attributes }, t(words));
      node.addEventListener("click", deed);
      return node;
    };
    const neighbours = [[number - 1, "lesson-before"], [number + 1, "lesson-next"]].filter(([k]) => LESSONS[k]);
    const buttons = neighbours.map(([k, words]) => button(words, () => this.open(LESSONS[k].name), { id: words }));
    return html("p", { class: "bar" }, ...buttons, button("lesson-free", () => this.leave(), { id: "lesson-free" }));
  }

  /** Go on with the experiment, without the lesson and with what the free lab shows. */
  leave() {
    const { state, controls, goTo } = this.lab;
    Object.assign(state, { lesson: "", show: [...new Set([...DEFAULT_PANELS, ...state.show])] });
    return goTo(address(controls().learners));
  }

  form(words) {
    const { question } = this.lesson;
    const form = html("form", { class: "question" }, html("p", { id: "question" }, html("b", {}, t("question")), ` ${words.question}`));
    if (question.kind === "number") {
      const field = html("input", { id: "answer", type: "text", inputmode: "decimal", autocomplete: "off", size: 8, "aria-labelledby": "question" });
      field.value = this.given;
      form.append(field);
    } else {
      const name = "answer";
      const labels = question.options.map((value, k) => html("label", {}, html("input", { type: "radio", name, value, required: "" }), ` ${words.options[k]}`));
      form.append(html("fieldset", { "aria-labelledby": "question" }, ...labels));
    }
    for (const field of form.querySelectorAll("[type=radio]")) field.checked = field.value === this.given;
    form.append(html("button", { type: "submit", id: "try" }, t("try")));
    form.addEventListener("input", (event) => {
      Object.assign(this, { given: event.target.value, verdict: null });
      this.showVerdict();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.judge(question, question.kind === "number" ? readNumber(this.given) : this.given);
    });
    return form;
  }

  /** Run it, and say whether the answer is right; of a lesson that was left nothing is said. */
  async judge(question, value) {
    const { lesson, given } = this;
    const say = (verdict) => {
      if (lesson !== this.lesson || given !== this.given) return;
      this.verdict = verdict;
      this.showVerdict();
    };
    if (value === null) return say({ code: "no-number" });
    say({ code: "trying" });
    try {
      say({ right: await question.check(this.context, value) });
    } catch (error) {
      say({ code: `error-${error.code ?? "server"}`, values: error.values ?? {} });
    }
  }

  /** What is said of the answer: right, wrong, or why neither is known. */
  showVerdict() {
    const { told, verdict } = this;
    const { right, code, values } = verdict ?? {};
    const words = this.words[this.lab.state.language]?.[this.lesson.name];
    if (!words) return; // they come, and then all is written
    told.className = right === undefined ? "told" : `told ${right ? "yes" : "no"}`;
    told.textContent = verdict === null ? "" : code ? t(code, values) : right ? `✓ ${words.right}` : `✗ ${words.wrong}`;
    if (right === undefined) delete told.dataset.answered;
    else told.dataset.answered = String(right);
  }

  /** Whether the task is done: looked at whenever something is shown. */
  look() {
    if (!this.lesson || this.done || !this.task) return;
    if (!this.lesson.done(this.context)) return;
    this.done = true;
    this.showDone();
    this.lab.announce(t("task-done"));
  }

  showDone() {
    this.task.classList.toggle("done", this.done);
    this.task.firstChild.textContent = this.done ? "✓" : "○";
    if (this.done) this.task.append(" ", html("span", { class: "hidden" }, t("task-done")));
  }

  /** Make an experiment apart from the one that is shown. */
  async run(hash) {
    const { ask, controls } = this.lab;
    const given = new URLSearchParams(hash);
    const learner = given.get("learner") ?? "perceptron";
    const params = Object.fromEntries([...given].filter(([name]) => name.startsWith("p.")).map(([name, text]) => [name.slice(2), JSON.parse(text)]));
    const preset = given.get("preset");
    const points = preset ? (await ask(`/api/preset/${preset}?seed=${given.get("seed") ?? 0}`)).points : given.get("points").split(";").map((point) => point.split(",").map(Number));
    const all = Object.fromEntries(controls().learners[learner].controls.map((control) => [control.name, control.default]));
    return ask("/api/run", { points, learner, params: { ...all, ...params } });
  }
}
