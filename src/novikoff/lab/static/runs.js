// The run that is wanted and the one that is shown: the newest wins, and no answer is shown with points of another.

import { ask, persist } from "./ask.js";
import { experiment, keyOf, state } from "./state.js";

const GRACE = 250; // milliseconds for which the last picture, whole as it was, waits for the next

export class Runs {
  /** `onAnswer(experiment, run)` shows an answer; `onPending(experiment)` shows points of which nothing is known yet;
      `onStale(experiment)` says that what is shown is of another learner than the one that is wanted; `onTrouble(error)` says what went wrong, null that nothing does. */
  constructor({ onAnswer, onPending, onStale, onTrouble }) {
    Object.assign(this, { onAnswer, onPending, onStale, onTrouble, shown: null, asked: null, controller: null, timer: null });
  }

  /** What an answer must fit: the experiment, and the view where it is drawn as a picture. */
  get wanted() {
    return keyOf(state) + (state.pictured ? String(state.view) : "");
  }

  /** The experiment has changed. Of a change that goes on, such as a drag, the answer under way is still of use. */
  refresh(goesOn = false) {
    if (this.shown === this.wanted) {
      this.controller?.abort();
      this.settle();
      return this.onAnswer({ ...this.last[0], axes: state.axes }, this.last[1], true); // perhaps at another step
    }
    document.body.dataset.pending = "true";
    this.timer ??= setTimeout(() => this.waitNoMore(), GRACE);
    this.compare();
    if (this.controller && !goesOn && this.asked !== this.wanted) this.controller.abort();
    if (!this.controller) this.work();
  }

  /** Whose answer is shown, while that of another learner is waited for. */
  compare() {
    if (this.shown !== null && this.last[1] && this.last[0].learner !== state.learner) this.onStale(this.last[0]);
  }

  /** What is shown is what is wanted. */
  settle() {
    clearTimeout(this.timer);
    this.timer = null;
    document.body.dataset.pending = "false";
  }

  /** The answer takes long: what was proved of other points goes. */
  waitNoMore() {
    this.timer = null;
    if (this.shown === this.wanted) return;
    this.shown = null;
    this.onPending(experiment());
  }

  /** Ask until what is shown is what is wanted. */
  async work() {
    while (this.shown !== this.wanted) {
      const [snapshot, key] = [experiment(), this.wanted];
      this.asked = key;
      this.controller = new AbortController();
      const { signal } = this.controller;
      const { points, learner, params, view } = snapshot;
      try {
        const run = await persist(() => ask("/api/run", { points, learner, params, view }, signal), () => this.wanted === key, this.onTrouble);
        this.onTrouble(null);
        this.take(snapshot, key, run);
      } catch (error) {
        if (error.code === "aborted" || ["network", "busy"].includes(error.code)) continue;
        this.take(snapshot, key, null);
        this.onTrouble(error);
      }
    }
    this.controller = null;
  }

  take(snapshot, key, run) {
    clearTimeout(this.timer);
    this.timer = null;
    Object.assign(this, { shown: key, last: [snapshot, run] });
    const newest = key === this.wanted;
    if (newest) document.body.dataset.pending = "false";
    else this.timer = setTimeout(() => this.waitNoMore(), GRACE);
    this.onAnswer(snapshot, run, newest);
    this.compare();
  }
}
