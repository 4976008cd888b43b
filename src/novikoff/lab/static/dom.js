// Making elements.

const NAMESPACES = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };

function made(namespace, name, attributes, children) {
  const node = namespace ? document.createElementNS(NAMESPACES[namespace], name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export const html = (name, attributes = {}, ...children) => made("", name, attributes, children);
export const svg = (name, attributes = {}, ...children) => made("svg", name, attributes, children);
export const byId = (id) => document.getElementById(id);

/** Set attributes; null takes one away. */
export function set(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null) node.removeAttribute(key);
    else node.setAttribute(key, value);
  }
}

/** A formula as MathML, from a line such as "‖w‖^2 ≤ 3": names, numbers, signs; ^ and _ raise and lower what follows. */
export function formula(line) {
  const tokens = line.match(/(?<=^|[(,·+=←≤]\s*)−[\d.]+|[\d.]+(?:e[+−]?\d+)?|\p{L}|[^\s]/gu) ?? [];
  const nodes = [];
  for (let k = 0; k < tokens.length; k++) {
    const raised = { "^": "msup", _: "msub" }[tokens[k]];
    if (raised && nodes.length && k + 1 < tokens.length) {
      nodes.push(made("math", raised, {}, [nodes.pop(), symbol(tokens[++k])]));
    } else nodes.push(symbol(tokens[k]));
  }
  return made("math", "math", { lang: "en" }, nodes);
}

/** The same in pieces that end before + and =, so that a long line can be broken there. */
export function pieces(line) {
  return line.split(/ (?=[+=←] )/).flatMap((piece) => [formula(piece), " "]);
}

function symbol(token) {
  const name = /\d/.test(token) ? "mn" : /\p{L}/u.test(token) ? "mi" : "mo";
  const fixed = name === "mo" ? { stretchy: "false", ...("+=←".includes(token) ? { form: "infix" } : {}) } : {};
  return made("math", name, token === "‖" ? { ...fixed, lspace: "0", rspace: "0" } : fixed, [token]);
}
