#!/usr/bin/env node
import { dumpCommand } from "./dump.ts";
import { infoCommand } from "./info.ts";
import { runProgram } from "./run.ts";

await runProgram({
  name: "xel",
  commands: [dumpCommand(), infoCommand()],
  notes: `
FILE is a .xel file, event XML or a CSV that SSMS saved, or a pattern such as *.xel; - is standard input.
`,
});
