// Points from a table that is pasted or uploaded; the server reads it, here its columns are chosen.

import { byId, html } from "./dom.js";
import { t } from "./texts.js";

const PAUSE = 250; // milliseconds without a key after which the text is read

export class TableDialog {
  /** `onUse(points, axes)` gets [x, y, class] of every line and the names of both columns; `limits()` says how many, how
      far, and how large a text. */
  constructor({ ask, onUse, errorText, limits }) {
    Object.assign(this, { askServer: ask, onUse, errorText, limits, columns: [], lines: [], reading: 0 });
    byId("table").addEventListener("click", () => byId("table-dialog").showModal());
    byId("table-text").addEventListener("input", () => this.wait());
    byId("file").addEventListener("change", (event) => this.upload(event.target.files[0]));
    byId("header").addEventListener("change", () => this.read(byId("header").checked));
    byId("column-class").addEventListener("change", () => this.listClasses());
    for (const id of ["column-x", "column-y", "column-positive", "scale"]) byId(id).addEventListener("change", () => this.judge());
    byId("table-use").addEventListener("click", () => this.use());
  }

  wait() {
    clearTimeout(this.timer);
    this.clear();
    this.timer = setTimeout(() => this.read(null), PAUSE);
  }

  clear() {
    this.reading += 1;
    this.fail("");
    byId("table-use").disabled = true;
    byId("columns").hidden = true;
  }

  async upload(file) {
    if (!file) return;
    const { bytes: most } = this.limits();
    byId("table-text").value = file.size > most ? "" : await file.text();
    this.clear();
    if (file.size > most) this.fail(t("error-bytes", { most }));
    else await this.read(null);
  }

  /** Ask for the columns; only the newest question is answered. */
  async read(header) {
    this.clear();
    const [text, mine] = [byId("table-text").value, this.reading];
    if (!text.trim()) return;
    try {
      const answer = await this.askServer("/api/table", { text, header });
      if (mine !== this.reading) return;
      Object.assign(this, { columns: answer.columns, lines: answer.lines });
      byId("header").checked = answer.header;
      this.offer();
    } catch (error) {
      if (mine === this.reading) this.fail(this.errorText(error));
    }
  }

  offer() {
    const numeric = this.columns.map((_, j) => j).filter((j) => this.columns[j].numbers);
    byId("columns").hidden = false;
    if (numeric.length < 2 || this.columns.length < 3) {
      byId("columns").hidden = true;
      return this.fail(t("need-numbers"));
    }
    const options = (places) => places.map((j) => html("option", { value: j }, this.columns[j].name));
    byId("column-x").replaceChildren(...options(numeric));
    byId("column-y").replaceChildren(...options(numeric));
    byId("column-class").replaceChildren(...options(this.columns.map((_, j) => j)));
    byId("column-y").value = numeric[1];
    byId("column-class").value = this.columns.length - 1;
    this.listClasses();
  }

  listClasses() {
    const values = [...new Set(this.column("class").texts)].sort();
    byId("column-positive").replaceChildren(...values.map((value) => html("option", {}, value)));
    byId("column-positive").value = values[values.length - 1];
    this.judge();
  }

  column(role) {
    return this.columns[byId(`column-${role}`).value];
  }

  /** The points, and the lines that are left out as one of their cells is no number. */
  points() {
    const [x, y] = ["x", "y"].map((role) => this.scaled(this.column(role).numbers));
    const positive = byId("column-positive").value;
    const rows = this.column("class").texts.map((label, i) => [x[i], y[i], label === positive ? 1 : 0]);
    const missing = rows.map((_, i) => i).filter((i) => x[i] === null || y[i] === null);
    return { points: rows.filter((_, i) => !missing.includes(i)), missing };
  }

  /** Whether the points can be used, and what is wrong if not; lines that are left out are named. */
  judge() {
    const { points, missing } = this.points();
    const { far } = this.limits();
    const distant = points.some(([x, y]) => Math.max(Math.abs(x), Math.abs(y)) > far);
    const classes = new Set(points.map(([, , positive]) => positive)).size;
    byId("table-use").disabled = distant || classes < 2;
    if (distant) return this.fail(t("table-far", { most: far }));
    if (classes < 2) return this.fail(t("table-classes"));
    if (!missing.length) return this.fail("");
    const role = this.column("x").numbers[missing[0]] === null ? "x" : "y";
    const cell = this.column(role).texts[missing[0]];
    this.fail(t(missing.length === 1 ? "table-missing" : "table-missing-several", { lines: missing.length, line: this.lines[missing[0]], column: this.column(role).name, cell }));
  }

  use() {
    const { points } = this.points();
    this.onUse(points, ["x", "y"].map((role) => this.column(role).name.slice(0, 40)));
    byId("table-dialog").close();
  }

  scaled(values) {
    if (!byId("scale").checked) return values;
    const known = values.filter((v) => v !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    return values.map((v) => (v === null ? null : high > low ? Number(((2 * (v - low)) / (high - low) - 1).toFixed(4)) : 0));
  }

  fail(text) {
    byId("table-error").textContent = text;
  }
}
