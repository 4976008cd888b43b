// Pictures of scores: bytes from the server to a coloured image and the line on which the score is 0.

/** Scores of a picture: each byte is a signed square root, in so many levels. */
export function decoded(text, levels) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return Float32Array.from(new Int8Array(bytes.buffer), (q) => (Math.sign(q) * q * q) / levels ** 2);
}

const BANDS = [0.02, 0.1, 0.25, 0.5];
const FINE = 200; // pixels of a picture, across and upwards
const LEVELS = 2048; // scores from 0 to 1 that are told apart in colour

/** A data URL: the colour of the class, in bands that grow stronger away from the line. */
export function image(scores, size, colours) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = FINE;
  const context = canvas.getContext("2d");
  const picture = context.createImageData(FINE, FINE);
  const pixels = new Uint32Array(picture.data.buffer);
  const shade = shades(colours);
  const cells = Array.from({ length: FINE }, (_, k) => cell((k * (size - 1)) / (FINE - 1), size));
  const line = new Float32Array(size);
  for (let row = 0, at = 0; row < FINE; row++) {
    const { start: j, part: v } = cells[FINE - 1 - row];
    for (let i = 0, k = j * size; i < size; i++, k++) line[i] = scores[k] + v * (scores[k + size] - scores[k]);
    for (let column = 0; column < FINE; column++, at++) {
      const { start: i, part: u } = cells[column];
      pixels[at] = shade[Math.floor(LEVELS * (1 + line[i] + u * (line[i + 1] - line[i])))];
    }
  }
  context.putImageData(picture, 0, 0);
  return canvas.toDataURL();
}

const known = new Map(); // shades by their colours, of which there are two pairs: those of day and of night

/** The pixel of every level, from that of the score −1 to that of 1. */
function shades(colours) {
  const key = String(colours);
  if (!known.has(key)) known.set(key, computeShades(colours));
  return known.get(key);
}

function computeShades(colours) {
  const palette = colours.map(([r, g, b]) => [0, ...BANDS].map((_, band) => word(r, g, b, 24 + 18 * band)));
  return Uint32Array.from({ length: 2 * LEVELS + 1 }, (_, level) => {
    const strength = Math.abs(level + 0.5 - LEVELS) / LEVELS;
    return palette[level >= LEVELS ? 1 : 0][BANDS.filter((band) => strength > band).length];
  });
}

/** The cell of the grid that a place is in, and which part of it lies before the place. */
function cell(place, size) {
  const start = Math.min(size - 2, Math.floor(place));
  return { start, part: place - start };
}

/** A pixel as one number, in the order of this machine's bytes. */
function word(...bytes) {
  return new Uint32Array(Uint8Array.from(bytes).buffer)[0];
}

const CROSSING = 0.2; // of the largest score at a corner: a saddle nearer to 0 is a crossing, as far as bytes tell

/** How the four cuts of a cell are joined whose opposite corners have one sign: around the corners that the middle of the
    saddle, (ac − bd)/(a + c − b − d), is not of one sign with; or crosswise where it is 0. */
function saddlePairs(a, b, c, d) {
  const middle = (a * c - b * d) / (a + c - b - d);
  if (Math.abs(middle) < CROSSING * Math.max(...[a, b, c, d].map(Math.abs))) return [[0, 2], [1, 3]];
  return middle > 0 === a > 0 ? [[0, 1], [2, 3]] : [[3, 0], [1, 2]];
}

/** The line score = 0 as a path in units of cells, from below: marching squares. */
export function zeroLine(scores, size) {
  const path = [];
  const value = (i, j) => scores[j * size + i] || 1e-9;
  const corners = [[0, 0], [1, 0], [1, 1], [0, 1]];
  for (let j = 0; j + 1 < size; j++) {
    for (let i = 0; i + 1 < size; i++) {
      const positive = value(i, j) > 0;
      if (positive === value(i + 1, j) > 0 && positive === value(i, j + 1) > 0 && positive === value(i + 1, j + 1) > 0) continue;
      const cuts = [];
      for (let e = 0; e < 4; e++) {
        const [a, b] = [corners[e], corners[(e + 1) % 4]];
        const [u, v] = [value(i + a[0], j + a[1]), value(i + b[0], j + b[1])];
        if (u > 0 !== v > 0) {
          const part = u / (u - v);
          cuts.push([i + a[0] + part * (b[0] - a[0]), j + a[1] + part * (b[1] - a[1])]);
        }
      }
      const pairs = cuts.length < 4 ? [[0, 1]] : saddlePairs(...corners.map(([a, b]) => value(i + a, j + b)));
      for (const [from, to] of pairs) path.push([cuts[from], cuts[to]]);
    }
  }
  return path;
}
