// Lines and strips of the plane in a view, and the ticks of its axes.

export const SIDE = 600; // of the picture, in its own units

/** How many decimals tell one pixel from the next. */
export const pixel = (view) => (view[1] - view[0]) / SIDE;

export class Frame {
  /** Coordinates of a square view [x from, x to, y from, y to] on the picture. */
  constructor(view) {
    this.view = view;
    this.half = (view[1] - view[0]) / 2;
  }
  x(value) {
    return (SIDE * (value - this.view[0])) / (this.view[1] - this.view[0]);
  }
  y(value) {
    return (SIDE * (this.view[3] - value)) / (this.view[3] - this.view[2]);
  }
  at(point) {
    return `${round(this.x(point[0]))},${round(this.y(point[1]))}`;
  }

  /** The point of the plane w·x + b = 0 nearest to the middle of the view. */
  foot(w1, w2, b) {
    const [left, right, bottom, top] = this.view;
    const [cx, cy] = [(left + right) / 2, (bottom + top) / 2];
    const by = (w1 * cx + w2 * cy + b) / (w1 * w1 + w2 * w2);
    return [cx - by * w1, cy - by * w2];
  }
  ends(foot, n) {
    const far = 4 * this.half;
    const [a, c] = [-far, far].map((s) => [foot[0] - s * n[1], foot[1] + s * n[0]]);
    return { x1: round(this.x(a[0])), y1: round(this.y(a[1])), x2: round(this.x(c[0])), y2: round(this.y(c[1])) };
  }
  strip(foot, n, from, to) {
    const far = 9 * this.half;
    const corner = (s, d) => this.at([foot[0] + d * n[0] - s * n[1], foot[1] + d * n[1] + s * n[0]]);
    return [corner(-far, from), corner(far, from), corner(far, to), corner(-far, to)].join(" ");
  }
  lineOf([w1, w2, b]) {
    const length = Math.hypot(w1, w2);
    return this.ends(this.foot(w1, w2, b), [w1 / length, w2 / length]);
  }

  /** Whether the plane goes through what is looked at. */
  crosses([w1, w2, b]) {
    const [left, right, bottom, top] = this.view;
    const sides = [left, right].flatMap((x) => [bottom, top].map((y) => w1 * x + w2 * y + b > 0));
    return new Set(sides).size === 2;
  }

  /** Whether a point is in what is looked at. */
  holds([x, y]) {
    const [left, right, bottom, top] = this.view;
    return left <= x && x <= right && bottom <= y && y <= top;
  }

  /** The values at which an axis has a line, few whatever the view. */
  ticks(low, high) {
    const step = niceStep(this.half / 2);
    const first = Math.ceil(low / step);
    return [...Array(12).keys()].map((k) => (first + k) * step).filter((value) => value <= high);
  }
}

/** A tenth of a unit of the picture is finer than any screen; far off it is not written at all. */
const round = (value) => Math.round(10 * Math.max(-1e6, Math.min(1e6, value))) / 10;

export function niceStep(room) {
  const power = 10 ** Math.floor(Math.log10(room));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= room * 0.75) ?? room;
}

/** Corners in the order of their angle around their middle. */
export function around(corners) {
  const [cx, cy] = [0, 1].map((j) => corners.reduce((sum, c) => sum + c[j], 0) / corners.length);
  return [...corners].sort((a, b) => Math.atan2(a[1] - cy, a[0] - cx) - Math.atan2(b[1] - cy, b[0] - cx));
}
