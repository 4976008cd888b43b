// The lessons: where each starts, what is shown, what is to be done, and a question that is answered by running it.
// Their words are in texts/lessons-*.json under the same names.

const close = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));
const atEnd = ({ player, stage }) => Boolean(stage.run) && player.last > 0 && player.step === player.last;
const last = (values) => values[values.length - 1];

/** A number is asked for; `truth(lab)` finds it out by a run. */
const number = (truth) => ({ kind: "number", check: async (lab, answer) => close(await truth(lab), answer) });
/** One of some options is asked for; `holds(lab, option)` tries the one that is chosen. */
const choice = (options, holds) => ({ kind: "choice", options, check: holds });

const FOUR = "points=2,1,1;2,1.4,1;1,1.5,0;0.5,2,0";

export const LESSONS = [
  {
    name: "gates",
    start: "preset=and&step=0&show=neuron,proof",
    done: atEnd,
    question: choice(["and", "or", "not", "xor"], async (lab, gate) => (await lab.run(`preset=${gate}`)).proof.verdict !== "separable"),
  },
  {
    name: "rule",
    start: `p.fit_intercept=false&${FOUR}&view=-4.5,4.5,-4.5,4.5&step=0&show=vectors,code`,
    done: ({ player }) => player.step >= 1,
    question: number(async (lab) => {
      const { steps } = await lab.run(`p.fit_intercept=false&${FOUR}`);
      const score = (k) => 2 * steps.weights[k][0] + 1 * steps.weights[k][1];
      return score(1) - score(0);
    }),
  },
  {
    name: "plane",
    start: "preset=or&step=end&show=proof",
    done: ({ stage }) => stage.hovered !== null && stage.hovered !== undefined,
    question: choice(["0.5", "1", "2"], async (lab, factor) => {
      const [once, twice] = await Promise.all([lab.run("preset=or"), lab.run("preset=or&p.eta0=2")]);
      return close(last(twice.charts.margins), Number(factor) * last(once.charts.margins));
    }),
  },
  {
    name: "novikoff",
    start: "preset=and&step=0&show=charts,proof",
    charts: ["race"],
    done: atEnd,
    question: choice(["fewer", "same", "more"], async (lab, answer) => {
      const [slow, fast] = await Promise.all([lab.run("preset=and"), lab.run("preset=and&p.eta0=10")]);
      return answer === ["fewer", "same", "more"][1 + Math.sign(fast.steps.made - slow.steps.made)];
    }),
  },
  {
    name: "tight",
    start: "preset=tight&p.fit_intercept=false&step=0&show=growth,proof",
    done: ({ panel }) => panel("growth")?.shown === "tight" && panel("growth").size >= 6,
    question: number(async (lab) => (await lab.growth("tight", 7)).updates),
  },
  {
    name: "worst",
    start: "preset=worst&p.fit_intercept=false&step=0&show=growth,proof",
    done: ({ panel }) => panel("growth")?.shown === "worst" && panel("growth").size === 12,
    question: number(async (lab) => (await lab.growth("worst", 5)).updates),
  },
  {
    name: "xor",
    start: "preset=xor&step=0&show=proof",
    done: ({ stage }) => stage.run?.proof.verdict === "separable",
    question: number(async (lab) => (await lab.run("preset=xor")).proof.witness.meeting[0]),
  },
  {
    name: "lift",
    start: "preset=xor&learner=xor-features&step=0&show=space,proof",
    done: (lab) => atEnd(lab) && Boolean(lab.panel("space")?.told),
    question: choice(["0", "1", "2"], async (lab, feature) => {
      const w = last((await lab.run("preset=xor&learner=xor-features")).steps.weights);
      return w.every((v, j) => (j === Number(feature)) === (v !== 0) || j === 3);
    }),
  },
  {
    name: "slack",
    start: "preset=overlap&learner=slack&p.amplitude=40&step=end&show=slack,proof",
    done: ({ stage }) => Boolean(stage.run?.slack) && stage.run.slack.bound <= 1.02 * stage.run.slack.least,
    question: choice(["r", "delta", "both"], async (lab, name) => {
      const { slack } = await lab.run("preset=overlap&learner=slack");
      const A = { r: slack.radius, delta: slack.slack, both: Math.sqrt(slack.radius * slack.slack) }[name];
      const { slack: tried } = await lab.run(`preset=overlap&learner=slack&p.amplitude=${A}`);
      return close(tried.bound, slack.bound); // the learner left to itself takes the A with the smallest bound
    }),
  },
  {
    name: "dual",
    start: "preset=and&step=0&show=dual,code",
    done: atEnd,
    question: number(async (lab) => (await lab.run("preset=and")).steps.rows.filter(([i]) => i === 3).length),
  },
  {
    name: "kernels",
    start: "preset=circles&learner=kernel&step=0&show=controls,dual,proof",
    done: ({ stage }) => stage.run?.outcome.right === stage.experiment.points.length && stage.experiment.learner === "kernel" && stage.experiment.params.kernel === "poly",
    question: choice(["1", "2"], async (lab, degree) => (await lab.run(`preset=circles&learner=kernel&p.kernel="poly"&p.degree=${degree}`)).outcome.status === "separated"),
  },
  {
    name: "margin",
    start: "preset=margin&seed=3&learner=margin&step=0&show=controls,second,charts&rival=perceptron",
    charts: ["margin"],
    done: (lab) => atEnd(lab) && lab.stage.experiment.learner === "margin" && Boolean(lab.panel("second")?.run),
    question: choice(["perceptron", "margin"], async (lab, learner) => {
      const other = learner === "margin" ? "perceptron" : "margin";
      const [one, two] = await Promise.all([learner, other].map((name) => lab.run(`preset=margin&seed=3&learner=${name}`)));
      return last(one.charts.margins) > last(two.charts.margins);
    }),
  },
  {
    name: "pocket",
    start: "preset=overlap&learner=pocket&step=0&show=controls,charts,proof",
    charts: ["wrong"],
    done: ({ stage }) => ["averaged", "voted"].includes(stage.experiment?.learner) && Boolean(stage.run),
    question: number(async (lab) => last((await lab.run("preset=overlap&learner=pocket")).charts.live_wrong)),
  },
  {
    name: "layers",
    start: "preset=xor&learner=mlp&p.hidden=4&step=0&show=controls,charts,proof",
    done: atEnd,
    question: choice(["1", "4"], async (lab, hidden) => (await lab.run(`preset=xor&learner=mlp&p.hidden=${hidden}`)).outcome.right === 4),
  },
];
