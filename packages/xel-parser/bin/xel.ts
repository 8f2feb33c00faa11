#!/usr/bin/env node
import { dump } from "./dump.ts";
import { EXIT_CODES_TEXT } from "./exit-codes.ts";
import { info } from "./info.ts";
import { runCommand } from "./run.ts";

const usage = `Usage: xel COMMAND ...

  xel dump FILE [--event NAME]...   one JSON line per event, in file order
  xel info FILE                     what the file holds: events by name, times, damage

With --force, a file of a format version that is not known is tried.
FILE is a .xel file, event XML or a CSV that SSMS saved; - is standard input.

${EXIT_CODES_TEXT}`;

await runCommand({ commands: { dump: (args) => dump(args), info: (args) => info(args) }, usage });
