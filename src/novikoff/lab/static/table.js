// Points from a table that is pasted or uploaded; the server reads it, here its columns are chosen.

import { byId, html } from "./dom.js";
import { t } from "./texts.js";

export class TableDialog {
  /** `onUse(points)` gets [x, y, class] of every line; `askServer(path, body)` asks the server. */
  constructor({ askServer, onUse, errorText }) {
    Object.assign(this, { askServer, onUse, errorText, columns: [] });
    byId("table").addEventListener("click", () => byId("table-dialog").showModal());
    byId("table-text").addEventListener("input", () => this.read(byId("table-text").value));
    byId("file").addEventListener("change", (event) => this.upload(event.target.files[0]));
    byId("column-class").addEventListener("change", () => this.listClasses());
    byId("table-use").addEventListener("click", () => this.use());
  }

  async upload(file) {
    if (!file) return;
    byId("table-text").value = file.size > 200_000 ? "" : await file.text();
    if (file.size > 200_000) this.fail(t("error-bytes", { most: 200_000 }));
    else await this.read(byId("table-text").value);
  }

  async read(text) {
    this.fail("");
    byId("table-use").disabled = true;
    byId("columns").hidden = true;
    if (!text.trim()) return;
    try {
      this.columns = (await this.askServer("/api/table", { text })).columns;
    } catch (error) {
      return this.fail(this.errorText(error));
    }
    if (byId("table-text").value === text) this.offer();
  }

  offer() {
    const numeric = this.columns.map((column, j) => j).filter((j) => this.columns[j].numbers);
    if (numeric.length < 2 || this.columns.length < 3) return this.fail(t("need-numbers"));
    const options = (places) => places.map((j) => html("option", { value: j }, this.columns[j].name));
    byId("column-x").replaceChildren(...options(numeric));
    byId("column-y").replaceChildren(...options(numeric));
    byId("column-class").replaceChildren(...options(this.columns.map((_, j) => j)));
    byId("column-y").value = numeric[1];
    byId("column-class").value = this.columns.length - 1;
    this.listClasses();
    byId("columns").hidden = false;
    byId("table-use").disabled = false;
  }

  listClasses() {
    const values = [...new Set(this.columns[byId("column-class").value].texts)].sort();
    byId("column-positive").replaceChildren(...values.map((value) => html("option", {}, value)));
    byId("column-positive").value = values[values.length - 1];
  }

  use() {
    const [x, y] = ["column-x", "column-y"].map((id) => this.scaled(this.columns[byId(id).value].numbers));
    const labels = this.columns[byId("column-class").value].texts;
    const positive = byId("column-positive").value;
    this.onUse(labels.map((label, i) => [x[i], y[i], label === positive ? 1 : 0]));
    byId("table-dialog").close();
  }

  scaled(values) {
    if (!byId("scale").checked) return values;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return values.map((v) => (high > low ? Number(((2 * (v - low)) / (high - low) - 1).toFixed(4)) : 0));
  }

  fail(text) {
    byId("table-error").textContent = text;
  }
}
