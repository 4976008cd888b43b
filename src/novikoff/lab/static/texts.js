// The words of the page, from one file a language.

let words = {};

export const LANGUAGES = ["en", "zh"];

export async function speak(language) {
  words = await (await fetch(`/static/texts/${language}.json`)).json();
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = t(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", t(node.dataset.label));
    if (node.matches("button")) node.title = t(node.dataset.label);
  }
}

export function t(key, values = {}) {
  const text = words[key] ?? key;
  return typeof text === "string" ? text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "") : text;
}

/** A number with few digits and a real minus sign. */
export function num(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = Math.abs(value) >= 1e7 ? value.toExponential(2) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}
