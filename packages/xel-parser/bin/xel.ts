#!/usr/bin/env node
import { dump } from "./dump.ts";
import { info } from "./info.ts";
import { runCommand } from "./run.ts";

const usage = `Usage: xel COMMAND ...

  xel dump FILE [--event NAME]...   one JSON line per event, in file order
  xel info FILE                     what the file holds: events by name, times, damage

With --force, a file of a format version that is not known is tried.
FILE is a .xel file, event XML or a CSV that SSMS saved; - is standard input. Exit code: 0 done, 1 damaged or unreadable input, 2 wrong usage.
`;

await runCommand({ commands: { dump: (args) => dump(args), info: (args) => info(args) }, usage });
