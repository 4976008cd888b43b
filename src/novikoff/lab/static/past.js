// Undo and redo: experiments as they were.

const KEPT = ["preset", "seed", "first", "second", "species", "learner", "params", "points", "view", "axes"];
const MOST = 200;

export class Past {
  constructor(state) {
    Object.assign(this, { state, behind: [], ahead: [], now: null });
  }

  /** Note the experiment as it is, if it has changed. */
  note() {
    const text = JSON.stringify(KEPT.map((name) => this.state[name]));
    if (text === this.now) return;
    if (this.now !== null) this.behind.push(this.now);
    if (this.behind.length > MOST) this.behind.shift();
    Object.assign(this, { now: text, ahead: [] });
  }

  /** Go one back (-1) or forward (1); false where there is nothing. */
  go(by) {
    const [from, to] = by < 0 ? [this.behind, this.ahead] : [this.ahead, this.behind];
    if (!from.length) return false;
    to.push(this.now);
    this.now = from.pop();
    JSON.parse(this.now).forEach((value, k) => {
      this.state[KEPT[k]] = value;
    });
    return true;
  }
}
