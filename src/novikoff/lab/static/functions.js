// A truth table of two or three inputs: toggled here, weighed by the server, and drawn as a square or a cube.

import { Corners } from "./corners.js";
import { byId, formula, html } from "./dom.js";
import { t } from "./texts.js";

const EXAMPLES = { 2: "0001", 3: "00010111" }; // AND, and the majority of three

export class FunctionDialog {
  /** `onChange(table)` gets the table, a text of 0 and 1, or "" when the dialog is closed. */
  constructor({ askServer, errorText, onChange }) {
    Object.assign(this, { askServer, errorText, onChange, table: EXAMPLES[2] });
    this.corners = new Corners(byId("corners"), (row) => this.toggle(row));
    byId("function").addEventListener("click", () => this.open(this.table));
    byId("function-dialog").addEventListener("close", () => onChange(""));
    for (const choice of this.choices()) choice.addEventListener("change", () => this.show(EXAMPLES[choice.value]));
  }

  choices() {
    return [...document.querySelectorAll("[name=inputs]")];
  }

  /** Show the table that an address holds, if it holds one. */
  follow(table) {
    if (table) this.open(table);
    else byId("function-dialog").close();
  }

  open(table) {
    if (!byId("function-dialog").open) byId("function-dialog").showModal();
    this.show(table);
    this.choices().find((choice) => choice.checked).focus();
  }

  toggle(row) {
    const values = [...this.table];
    values[row] = values[row] === "1" ? "0" : "1";
    this.show(values.join(""));
  }

  /** Show a table, without what was known of another one, and ask for what is known of it. */
  async show(table) {
    this.table = table;
    this.inputs = Math.log2(table.length);
    for (const choice of this.choices()) choice.checked = Number(choice.value) === this.inputs;
    byId("turn").hidden = this.inputs < 3;
    this.write(null);
    this.onChange(table);
    try {
      const answer = await this.askServer("/api/function", { table: [...table].map(Number) });
      if (this.table === table) this.write(answer);
    } catch (error) {
      if (this.table === table) byId("function-answer").replaceChildren(html("p", { class: "error" }, this.errorText(error)));
    }
  }

  write(answer) {
    const known = answer?.checked ? answer : null;
    this.writeTable(known);
    this.corners.show(this.points(), [...this.table].map(Number), known);
    if (!answer) return byId("function-answer").replaceChildren();
    byId("function-answer").replaceChildren(...(known ? this.sentences(known) : [html("p", {}, t("no-answer"))]));
  }

  points() {
    return [...this.table].map((_, row) => [...row.toString(2).padStart(this.inputs, "0")].map(Number));
  }

  writeTable(known) {
    const names = [...Array(this.inputs)].map((_, j) => html("th", { scope: "col" }, formula(`x_${j + 1}`)));
    const sum = known?.weights ? [html("th", { scope: "col" }, formula("w · x"))] : [];
    const head = html("tr", {}, ...names, html("th", { scope: "col" }, formula("f")), ...sum);
    const rows = this.points().map((point, row) => this.tableRow(point, row, known));
    const focused = document.activeElement?.dataset.row; // it stays where it was in the table
    byId("function-table").replaceChildren(html("thead", {}, head), html("tbody", {}, ...rows));
    if (focused) byId("function-table").querySelector(`[data-row="${focused}"]`)?.focus();
  }

  tableRow(point, row, known) {
    const value = this.table[row];
    const said = t("function-value", { point: point.join(", "), value });
    const button = html("button", { type: "button", "data-row": row, "aria-pressed": String(value === "1"), "aria-label": said }, value);
    button.addEventListener("click", () => this.toggle(row));
    const cells = point.map((bit) => html("td", {}, String(bit)));
    const sum = known?.weights && known.weights.reduce((total, w, j) => total + w * point[j], 0);
    const compared = known?.weights ? [html("td", {}, formula(`${minus(sum)} ${sum >= known.threshold ? "≥" : "<"} ${minus(known.threshold)}`))] : [];
    const traded = known?.trade?.flat().includes(row);
    return html("tr", traded ? { class: "traded" } : {}, ...cells, html("td", {}, button), ...compared);
  }

  sentences({ weights, threshold, trade }) {
    const mark = html("span", { class: `verdict ${weights ? "yes" : "no"}`, "aria-hidden": "true" }, weights ? "✓" : "✗");
    const title = html("h2", {}, mark, ` ${weights ? t("function-yes") : t("function-no")} `, html("small", {}, t("checked")));
    return [title, ...(weights ? this.weightLines(weights, threshold) : this.tradeLines(trade))];
  }

  weightLines(weights, threshold) {
    const sum = weighted(weights);
    const where = html("p", {}, `${t("function-where")} `, formula(`${sum} ≥ ${minus(threshold)}`));
    if (!weights.some(Boolean)) return [where, html("p", {}, t("function-constant"))];
    return [where, html("p", {}, `${t("function-smallest")} `, formula(`${sum} = ${minus(threshold - 0.5)}`))];
  }

  tradeLines(trade) {
    const points = this.points();
    const sides = trade.map((rows) => rows.map((row) => `( ${points[row].join(" , ")} )`).join(" + "));
    const total = points[0].map((_, j) => trade[0].reduce((sum, row) => sum + points[row][j], 0));
    const lines = sides.map((side, k) =>
      html("p", { class: "formula" }, html("span", { class: `tag ${k ? "negative" : "positive"}` }, `f = ${1 - k}`), " ", formula(`${side} = ( ${total.join(" , ")} )`)),
    );
    return [html("p", {}, t("function-trade")), ...lines, html("p", {}, t("function-why"))];
  }
}

const minus = (value) => String(value).replace("-", "−");

/** Σ w_j·x_j, written without ones and zeros. */
function weighted(weights) {
  const terms = weights.map((w, j) => [w, `${Math.abs(w) === 1 ? "" : `${Math.abs(w)} · `}x_${j + 1}`]).filter(([w]) => w);
  return terms.map(([w, term], k) => `${w < 0 ? "− " : k ? "+ " : ""}${term}`).join(" ") || "0";
}
