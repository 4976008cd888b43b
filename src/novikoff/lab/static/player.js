// Play, pause, step, back, reset, speed: which step of the run is looked at.

import { byId } from "./dom.js";
import { t } from "./texts.js";

export class Player {
  /** `onShow(step, by)` is called whenever another step is to be looked at: by "load", "play" or "hand". */
  constructor(onShow) {
    this.onShow = onShow;
    this.last = this.step = 0;
    this.timer = null;
    byId("reset").addEventListener("click", () => this.halt(0));
    byId("end").addEventListener("click", () => this.halt(this.last));
    byId("back").addEventListener("click", () => this.halt(this.step - 1));
    byId("step").addEventListener("click", () => this.halt(this.step + 1));
    byId("play").addEventListener("click", () => this.toggle());
    byId("time").addEventListener("input", (event) => this.halt(Number(event.target.value)));
  }

  /** A new run with this many steps; null looks at its end. */
  load(last, step) {
    this.pause();
    this.last = last;
    byId("time").max = last;
    this.go(step === null ? last : step, "load");
  }

  go(step, by = "hand") {
    this.step = Math.max(0, Math.min(this.last, step));
    const words = t("step-of", { step: this.step, all: this.last });
    byId("time").value = this.step;
    byId("time").setAttribute("aria-valuetext", words);
    byId("count").textContent = words;
    byId("back").disabled = byId("reset").disabled = this.step === 0;
    byId("step").disabled = byId("end").disabled = this.step === this.last;
    byId("play").disabled = this.last === 0;
    this.onShow(this.step, by);
  }

  halt(step) {
    this.pause();
    this.go(step);
  }

  toggle() {
    if (this.timer !== null) return this.pause();
    if (this.step === this.last) this.go(0, "play");
    this.button("pause");
    this.beat();
  }

  /** Steps a second are a power of two, from 1 to 64. */
  beat() {
    this.timer = setTimeout(() => {
      this.go(this.step + 1, "play");
      if (this.step < this.last) this.beat();
      else this.pause();
    }, 1000 / 2 ** Number(byId("speed").value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.button("play");
  }

  button(word) {
    const play = byId("play");
    play.title = t(word);
    play.dataset.label = word;
    play.setAttribute("aria-label", t(word));
    byId("play-word").textContent = t(word);
    byId("play-word").dataset.text = word;
  }

  /** The same in another language. */
  say() {
    this.button(this.timer === null ? "play" : "pause");
    this.go(this.step, "load");
  }
}
