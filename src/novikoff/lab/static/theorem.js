// What Novikoff's theorem says of a run: how many updates there can be, and between what w·u and ‖w‖ stay.

/** Whether it speaks of the learner: its rule makes updates of one size, on mistakes alone. */
export const novikoff = ({ audit }) => audit === "novikoff";

/** The most updates that a bound allows, as they are counted in whole numbers; null where there is no bound. */
export const atMost = (bound) => (bound === null ? null : Math.floor(bound * (1 + 1e-9)));

/** After k updates of size η from w₀, w·u is at least ρηk − ‖w₀‖, ‖w‖ at most √(‖w₀‖² + r²η²k), and their quotient so
    has a floor, once the first is positive. */
export function limits({ rate, radius, best, lengths: [start] }) {
  const floor = (k) => best[0] * rate * k - start;
  const top = (k) => Math.hypot(start, radius * rate * Math.sqrt(k));
  return { rate, start, floor, top, cosine: (k) => (floor(k) > 0 ? floor(k) / top(k) : null) };
}

/** How the size η of an update is written where it is not 1. */
export const written = (rate) => (rate === 1 ? { eta: "", eta2: "" } : { eta: "η", eta2: "η²" });
