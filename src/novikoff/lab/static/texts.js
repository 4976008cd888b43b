// The words of the page, from one file a language.

let words = {};

/** Take these words, and write them wherever the page names one. */
export function useWords(table, language) {
  words = table;
  document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  document.title = t("page-title");
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = t(node.dataset.text);
  for (const node of document.querySelectorAll("[data-label]")) {
    node.setAttribute("aria-label", t(node.dataset.label));
    if (node.matches("button")) node.title = t(node.dataset.label);
  }
}

/** The words under a key with values filled in; {n|one|many} is one of two words, by the number n. */
export function t(key, values = {}) {
  const text = words[key] ?? key;
  if (typeof text !== "string") return text;
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) =>
    one === undefined ? (values[name] ?? "") : Number(values[name]) === 1 ? one : many,
  );
}

/** The key of what is said of planes, where they go through the origin. */
export const ofPlanes = (key, { params }) => (params.fit_intercept === false ? `${key}-origin` : key);

/** A number with few digits and a real minus sign. */
export function num(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  const text = size >= 1e7 || (size > 0 && size < 1e-4) ? value.toExponential(2) : String(Number(value.toPrecision(digits)));
  return text.replaceAll("-", "−");
}

/** The number that somebody wrote, also as a fraction, with a decimal comma or in signs of another width; null where it
    is none. */
export function readNumber(text) {
  const plain = text.replace(/(\d)(?=[¼-¾⅐-⅞])/g, "$1 ").normalize("NFKC").trim().replaceAll("−", "-").replaceAll("⁄", "/").replace(/^([+-]?\d+),(\d+)$/, "$1.$2");
  const parts = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?:\s*\/\s*(\d+\.?\d*))?$/i.exec(plain);
  const value = parts ? Number(parts[1]) / Number(parts[2] ?? 1) : NaN;
  return Number.isFinite(value) ? value : null;
}

/** A whole number, with all its digits as far as they are known. */
export const count = (value) => (Number.isSafeInteger(value) ? String(value) : num(value));
