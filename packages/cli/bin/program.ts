import {
  dumpCommand,
  infoCommand,
  JSON_OPTIONS,
  runProgram,
  type Command,
  type CommandOptions,
} from "xel-parser/commands";
import { agTypeOf } from "@aglens/ag-model/events";
import { EVENT_TABLE_OPTIONS } from "./event-table-options.ts";
import { sessionCommand } from "./session.ts";

/** Options of all commands that analyze files. */
const ANALYSIS = {
  primary: {
    type: "string",
    value: "PATH...",
    about: "files of the primary replica, if their events don't show it",
  },
  secondary: {
    type: "string",
    multiple: true,
    value: "PATH...",
    about: "files of a secondary replica; can be repeated",
  },
  topology: {
    type: "string",
    value: "XML...",
    about: "topology files in another place than the event files",
  },
  force: { type: "boolean", about: "also files of a format version that is not known" },
} as const satisfies CommandOptions;

const types = { typeOf: agTypeOf };

// Most commands are loaded on demand: they import the complete analysis.
const commands: readonly Command[] = [
  dumpCommand(types),
  infoCommand(types),
  {
    name: "analyze",
    operands: "PATH...",
    about: "replication analysis of capture files of every server, in any order",
    options: { ...ANALYSIS, ...JSON_OPTIONS },
    notes: `analyze also reads ERRORLOG, AlwaysOn_health and other files of a support folder, and accepts saved captures (.aglens).
`,
    run: async (args) => (await import("./saved.ts")).analyze(args),
  },
  {
    name: "what-if",
    operands: "PATH...",
    about: "what commits would take with one thing changed",
    options: {
      ...ANALYSIS,
      change: {
        type: "string",
        multiple: true,
        value: "CHANGE",
        about:
          "a change, such as async:SQL2 or network:SQL2:0.2ms; without it, every change that the capture allows",
      },
      ...JSON_OPTIONS,
    },
    run: async (args) => (await import("@aglens/ag-model/replay-commands")).whatIf(args),
  },
  {
    name: "waiting",
    operands: "PATH...",
    about: "how long log blocks waited behind others, and commits by session and application",
    options: {
      ...ANALYSIS,
      statements: { type: "boolean", about: "also statements, without literals" },
      ...JSON_OPTIONS,
    },
    run: async (args) => (await import("@aglens/ag-model/replay-commands")).waiting(args),
  },
  {
    name: "tables",
    operands: "PATH...",
    about: "tables as Arrow or Parquet files: the analysis of a capture, or the events of any other session",
    options: {
      format: {
        type: "string",
        value: "FORMAT",
        choices: ["arrow", "parquet", "perfetto"],
        flags: { parquet: "parquet", perfetto: "perfetto" },
        about: "Arrow files (the default), Parquet files, or a trace for ui.perfetto.dev instead of tables",
      },
      perfetto: { type: "boolean", about: "short for --format perfetto" },
      ...EVENT_TABLE_OPTIONS,
      ...ANALYSIS,
    },
    notes: `Captures have tables of blocks, hops, commits, stages, histograms, clocks, findings, events and evidence. Files without
data-movement events are written as with --events: statements and names of people as they are in the files.
`,
    run: async (args) => (await import("./tables.ts")).tables(args),
  },
  {
    name: "check",
    operands: "PATH...",
    about: "whether the files are as AG Lens expects, as text without names and ids to send to us",
    options: {
      report: { type: "string", value: "FILE", about: "file to write the text into" },
      ...ANALYSIS,
    },
    run: async (args) => (await import("@aglens/ag-model/check-command")).check(args),
  },
  sessionCommand,
];

// The single executable loads this script with `require`, which allows no `await` here.
void runProgram({
  name: "xel",
  commands,
  notes: `
FILE is a .xel file, event XML or a CSV that SSMS saved; - is standard input. A PATH is such a file, a folder or a zip. A
pattern such as *.xel is all its files. A topology XML among the files is used for names. A file of another kind is named
and skipped.
`,
});
