// A picture in three dimensions that is turned by pointer, arrow keys, and slowly by itself.

const STEP = Math.PI / 24; // that an arrow key turns
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export class Turning {
  /** `onTurn()` draws it again; `start` is how far it is turned about the upright axis and towards the eye, `spin` how far
      it turns by itself in a second, `turns()` whether it can be turned. */
  constructor(node, onTurn, { start = [-0.7, 0.45], spin = 0, turns = () => true } = {}) {
    Object.assign(this, { node, onTurn, turned: start, spin, turns, pressed: null, touched: false });
    node.addEventListener("pointerdown", (event) => this.press(event));
    node.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) node.addEventListener(name, () => (this.pressed = null));
    node.addEventListener("keydown", (event) => this.key(event));
    if (spin && !stillness.matches) this.beat(performance.now());
  }

  /** Turn by itself until somebody else does. */
  beat(before) {
    requestAnimationFrame((now) => {
      if (this.touched) return;
      if (this.node.isConnected && this.node.getClientRects().length) this.turn((this.spin * Math.min(100, now - before)) / 1000, 0);
      this.beat(now);
    });
  }

  turn(aside, up) {
    const [about, towards] = this.turned;
    this.turned = [about + aside, Math.max(-Math.PI / 2, Math.min(Math.PI / 2, towards + up))];
    this.onTurn();
  }

  press(event) {
    if (event.button !== 0 || !this.turns()) return;
    this.touched = true;
    this.pressed = [event.clientX, event.clientY];
    this.node.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (!this.pressed) return;
    const [x, y] = this.pressed;
    this.pressed = [event.clientX, event.clientY];
    this.turn((event.clientX - x) / 120, (event.clientY - y) / 120);
  }

  key(event) {
    const moves = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
    if (!this.turns() || !moves[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.touched = true;
    this.turn(...moves[event.key]);
  }

  /** Where a point is on the screen, in units of its own, and how near the eye. */
  place([x, y, z]) {
    const [about, towards] = this.turned;
    const [cos, sin, rise, fall] = [Math.cos(about), Math.sin(about), Math.cos(towards), Math.sin(towards)];
    const [right, depth] = [x * cos - y * sin, x * sin + y * cos];
    return [right, -(z * rise + depth * fall), z * fall - depth * rise];
  }
}
