// Pictures of scores: bytes from the server to a coloured image and the line on which the score is 0.

/** Scores of a picture: each byte is a signed square root. */
export function decoded(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return Float32Array.from(new Int8Array(bytes.buffer), (q) => (Math.sign(q) * q * q) / 16129);
}

const BANDS = [0.02, 0.1, 0.25, 0.5];
const FINE = 200; // pixels of a picture, across and upwards

/** A data URL: the colour of the class, in bands that grow stronger away from the line. */
export function image(scores, size, colours) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = FINE;
  const context = canvas.getContext("2d");
  const picture = context.createImageData(FINE, FINE);
  const place = (size - 1) / (FINE - 1);
  for (let row = 0, at = 0; row < FINE; row++) {
    for (let column = 0; column < FINE; column++, at += 4) {
      const score = between(scores, size, column * place, (FINE - 1 - row) * place);
      const [r, g, b] = colours[score >= 0 ? 1 : 0];
      let strength = 24;
      for (const bound of BANDS) if (Math.abs(score) > bound) strength += 18;
      picture.data[at] = r;
      picture.data[at + 1] = g;
      picture.data[at + 2] = b;
      picture.data[at + 3] = strength;
    }
  }
  context.putImageData(picture, 0, 0);
  return canvas.toDataURL();
}

/** The score between four neighbours of the grid. */
function between(scores, size, x, y) {
  const [i, j] = [Math.min(size - 2, Math.floor(x)), Math.min(size - 2, Math.floor(y))];
  const [u, v, k] = [x - i, y - j, j * size + i];
  const low = scores[k] + u * (scores[k + 1] - scores[k]);
  return low + v * (scores[k + size] + u * (scores[k + size + 1] - scores[k + size]) - low);
}

/** The line score = 0 as a path in units of cells, from below: marching squares. */
export function zeroLine(scores, size) {
  const path = [];
  const value = (i, j) => scores[j * size + i] || 1e-9;
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
  for (let j = 0; j + 1 < size; j++) {
    for (let i = 0; i + 1 < size; i++) {
      const cuts = [];
      for (let e = 0; e < 4; e++) {
        const [a, b] = [corners[e], corners[(e + 1) % 4]];
        const [u, v] = [value(i + a[0], j + a[1]), value(i + b[0], j + b[1])];
        if (u > 0 !== v > 0) {
          const part = u / (u - v);
          cuts.push([i + a[0] + part * (b[0] - a[0]), j + a[1] + part * (b[1] - a[1])]);
        }
      }
      for (let e = 0; e + 1 < cuts.length; e += 2) path.push([cuts[e], cuts[e + 1]]);
    }
  }
  return path;
}
