// Everything that pointer and keys do on the plane: points are added, moved, removed; the view is zoomed and moved.

import { svg } from "./dom.js";
import { pixel } from "./geometry.js";
import { GRAB } from "./plane.js";
import { roundTo, squareView } from "./state.js";
import { num, t } from "./texts.js";

const STEPS = 40; // moves of the cursor from edge to edge
const ZOOM = 1.25;

export class Hands {
  /** `onEdit(final)` is called when the wanted points have changed, `onView()` when the view has, `announce(text)` with
      what the keys did, `onHover(i, event)` with the point under the pointer or null; `mayAdd()` says whether there is room. */
  constructor(plane, state, calls) {
    Object.assign(this, { plane, state, ...calls, node: plane.node, cursor: null, selected: null });
    plane.handMarks = (frame) => this.marks(frame);
    const on = (name, deed, options) => this.node.addEventListener(name, deed, options);
    on("pointerdown", (event) => this.press(event));
    on("pointermove", (event) => this.drag(event));
    on("pointerleave", () => this.onHover(null));
    for (const name of ["pointerup", "pointercancel"]) on(name, () => this.release());
    on("contextmenu", (event) => {
      event.preventDefault();
      const i = this.nearest(event);
      if (i !== null) this.remove(i);
    });
    on("wheel", (event) => this.wheel(event), { passive: false });
    on("keydown", (event) => this.key(event));
    for (const name of ["focus", "blur"]) on(name, () => plane.drawMarks());
  }

  /** Forget what was pointed at. */
  letGo() {
    Object.assign(this, { cursor: null, selected: null, dragged: undefined, moved: undefined, panned: undefined });
  }

  marks(frame) {
    const chosen = this.state.points[this.selected];
    if (chosen) return [svg("circle", { class: "selected", r: 11, transform: `translate(${frame.at(chosen)})` })];
    if (!this.cursor || document.activeElement !== this.node) return [];
    return [svg("path", { class: "cursor", d: "M-10 0H10M0-10V10", transform: `translate(${frame.at(this.cursor)})` })];
  }

  // Places

  /** Where a pointer is on the plane, as finely as pixels are. */
  world(event) {
    const box = this.box ?? this.place();
    const [left, right, bottom, top] = this.state.view;
    const [u, v] = [(event.pageX - box.left) / box.side, (event.pageY - box.top) / box.side];
    return this.inside([left + u * (right - left), top - v * (top - bottom)]);
  }

  /** Where the picture is on the page. To ask for it makes the browser lay out the page, so a drag remembers it. */
  place() {
    const { left, top, width } = this.node.getBoundingClientRect();
    return { left: left + scrollX, top: top + scrollY, side: width };
  }

  inside([x, y]) {
    const [left, right, bottom, top] = this.state.view;
    const near = (value, low, high) => roundTo(Math.min(high, Math.max(low, value)), pixel(this.state.view));
    return [near(x, left, right), near(y, bottom, top)];
  }

  nearest(event) {
    return this.plane.nearest(event, GRAB * (event.pointerType === "touch" ? 1.6 : 1), this.state.points);
  }

  // Pointer

  press(event) {
    if (event.button === 1 || (event.button === 0 && event.shiftKey)) {
      event.preventDefault();
      this.panned = [event.clientX, event.clientY];
      this.node.setPointerCapture(event.pointerId);
    }
    if (event.button !== 0 || event.shiftKey) return;
    this.node.focus({ preventScroll: true });
    const i = this.nearest(event);
    if (i === null) this.add(this.world(event));
    else {
      this.selected = this.dragged = i;
      this.box = this.place();
      this.plane.drawMarks();
    }
    this.node.setPointerCapture(event.pointerId);
  }

  drag(event) {
    if (this.panned) return this.pan(event);
    if (this.dragged === undefined) return this.onHover(this.nearest(event), event);
    this.moved = true;
    this.state.points[this.dragged].splice(0, 2, ...this.world(event));
    this.onEdit(false);
  }

  release() {
    const moved = this.dragged !== undefined && this.moved;
    this.dragged = this.moved = this.panned = this.box = undefined;
    if (moved) this.onEdit(true);
  }

  // The view

  pan(event) {
    const by = (2 * this.plane.frame.half) / this.node.getBoundingClientRect().width;
    const [dx, dy] = [by * (this.panned[0] - event.clientX), by * (event.clientY - this.panned[1])];
    this.panned = [event.clientX, event.clientY];
    const [left, right, bottom, top] = this.state.view;
    this.look([left + dx, right + dx, bottom + dy, top + dy]);
  }

  wheel(event) {
    if (!event.ctrlKey && document.activeElement !== this.node) return; // a page that is scrolled is not zoomed
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, this.world(event));
  }

  /** Make the view larger (by > 1) or smaller around a place. */
  zoom(by, [x, y] = this.middle()) {
    const [left, right, bottom, top] = this.state.view;
    this.look([x + (left - x) * by, x + (right - x) * by, y + (bottom - y) * by, y + (top - y) * by]);
  }

  look(view) {
    const good = squareView(view);
    if (!good) return;
    this.state.view = good;
    this.plane.look(good);
    this.onView();
  }

  // Points

  add([x, y]) {
    if (!this.mayAdd()) return;
    const positive = this.chosenClass();
    this.state.points.push([x, y, positive]);
    this.selected = null;
    this.cursor = [x, y];
    this.changed("said-added", x, y, positive);
  }

  remove(i) {
    this.state.points.splice(i, 1);
    this.selected = null;
    this.onEdit(true);
    this.announce(t("said-removed", { all: this.state.points.length }));
  }

  changed(words, x, y, positive) {
    this.onEdit(true);
    this.plane.drawMarks();
    this.announce(t(words, { x: num(x), y: num(y), sign: positive ? "+1" : "−1" }));
  }

  // Keys

  key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const point = this.state.points[this.selected];
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (moves[key]) this.arrow(moves[key], event.shiftKey && point);
    else if (key === "Enter") this.add(this.cursor ?? this.middle());
    else if (key === "n" || key === "p") this.select(key === "n" ? 1 : -1);
    else if (key === "+" || key === "=") this.zoom(1 / ZOOM);
    else if (key === "-") this.zoom(ZOOM);
    else if (key === "c" && point) {
      point[2] = 1 - point[2];
      this.changed("said-class", ...point);
    } else if ((key === "Delete" || key === "Backspace") && point) this.remove(this.selected);
    else if (key === "Escape") {
      this.selected = null;
      this.plane.drawMarks();
      return;
    } else if (!this.onKey(key)) return;
    event.preventDefault();
  }

  middle() {
    const [left, right, bottom, top] = this.state.view;
    return this.inside([(left + right) / 2, (bottom + top) / 2]);
  }

  arrow([dx, dy], point) {
    const by = (2 * this.plane.frame.half) / STEPS;
    const from = point || (this.cursor ?? this.middle());
    const to = this.inside([from[0] + dx * by, from[1] + dy * by]);
    if (point) {
      point.splice(0, 2, ...to);
      this.changed("said-moved", ...to);
      return;
    }
    this.selected = null;
    this.cursor = to;
    this.plane.drawMarks();
    this.announce(t("said-cursor", { x: num(to[0]), y: num(to[1]) }));
  }

  select(by) {
    const all = this.state.points.length;
    if (!all) return;
    this.selected = this.selected === null ? (by > 0 ? 0 : all - 1) : (this.selected + by + all) % all;
    const [x, y, positive] = this.state.points[this.selected];
    this.cursor = [x, y];
    this.plane.drawMarks();
    this.onHover(this.selected);
    this.announce(t("said-selected", { number: this.selected + 1, all, x: num(x), y: num(y), sign: positive ? "+1" : "−1" }));
  }
}
