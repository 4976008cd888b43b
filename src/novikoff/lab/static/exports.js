// The picture as SVG or PNG, the points as CSV, the experiment as Python.

const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "paint-order", "opacity", "display", "font-size", "font-family", "font-style", "font-weight"];
const PIXELS = 1200;

/** A copy of the picture that looks the same without the page's style sheet. */
function picture(plane) {
  const copy = plane.cloneNode(true);
  const originals = [plane, ...plane.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((node, k) => {
    const style = getComputedStyle(originals[k]);
    for (const name of STYLES) node.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-label", "aria-describedby", "aria-hidden", "data-label"]) node.removeAttribute(name);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", PIXELS / 2);
  copy.setAttribute("height", PIXELS / 2);
  copy.removeAttribute("id");
  return new XMLSerializer().serializeToString(copy);
}

async function bitmap(source) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = PIXELS;
  canvas.getContext("2d").drawImage(image, 0, 0, PIXELS, PIXELS);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** `askPage(body)` asks the server for the experiment as a page of its own. */
export async function exportAs(kind, stage, state, askPage) {
  const { experiment, run, plane, step } = stage;
  const text = (content, type) => new Blob([content], { type });
  if (kind === "svg") save(text(picture(plane.node), "image/svg+xml"), "novikoff.svg");
  if (kind === "png") save(await bitmap(picture(plane.node)), "novikoff.png");
  if (kind === "csv") {
    const lines = experiment.points.map(([x, y, positive]) => `${x},${y},${positive ? 1 : -1}`);
    save(text(["x,y,class", ...lines, ""].join("\n"), "text/csv"), "novikoff.csv");
  }
  if (kind === "py" && run) save(text(run.code, "text/x-python"), "experiment.py");
  if (kind === "page" && run) {
    const { points, learner, params, view, axes } = experiment;
    const looked = { language: state.language, step, axes };
    save(text((await askPage({ points, learner, params, view, looked })).html, "text/html"), "novikoff.html");
  }
  if (kind === "link") await navigator.clipboard.writeText(location.href);
}
