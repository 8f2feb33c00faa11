import { dumpCommand, infoCommand, runProgram, type Command, type CommandOptions } from "xel-parser/commands";
import { agTypeOf } from "@aglens/ag-model/events";

/** Options of all commands that analyze files. */
const ANALYSIS = {
  primary: {
    type: "string",
    value: "PATH...",
    about: "files of the primary replica, if their events don't show it",
  },
  secondary: { type: "string", value: "PATH...", about: "files of a secondary replica; can be repeated" },
  topology: {
    type: "string",
    value: "XML...",
    about: "topology files in another place than the event files",
  },
  force: { type: "boolean", about: "also files of a format version that is not known" },
} as const satisfies CommandOptions;

const JSON_OUTPUT = {
  json: { type: "boolean", about: "the answer as JSON" },
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
    options: { ...ANALYSIS, ...JSON_OUTPUT },
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
      ...JSON_OUTPUT,
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
      ...JSON_OUTPUT,
    },
    run: async (args) => (await import("@aglens/ag-model/replay-commands")).waiting(args),
  },
  {
    name: "tables",
    operands: "PATH...",
    about: "tables as Arrow or Parquet files: the analysis of a capture, or the events of any other session",
    options: {
      out: { type: "string", value: "DIR", about: "folder to write into, required" },
      parquet: { type: "boolean", about: "Parquet files instead of Arrow files" },
      perfetto: { type: "boolean", about: "a trace for ui.perfetto.dev instead of tables" },
      events: { type: "boolean", about: "the events as they are, a table per event type" },
      event: {
        type: "string",
        multiple: true,
        value: "NAME",
        about: "the same of events of this name only; can be repeated",
      },
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
  {
    name: "session",
    operands: "[STEP]",
    choices: ["create", "start", "file", "stop", "drop"],
    about:
      "T-SQL of the session that records files: all of it, or the step create, start, file, stop or drop",
    options: {
      name: { type: "string", value: "NAME", about: "name of the session" },
      "file-writes": { type: "boolean", about: "also events of file writes, as in the capture guide" },
      clients: { type: "boolean", about: "also session and application of each commit" },
      "without-commits": { type: "boolean", about: "no events of commits" },
    },
    run: async (args) => (await import("./session.ts")).session(args),
  },
];

await runProgram({
  name: "xel",
  commands,
  notes: `
FILE is a .xel file, event XML or a CSV that SSMS saved; - is standard input. A PATH is such a file, a folder or a zip. A
pattern such as *.xel is all its files. A topology XML among the files is used for names. A file of another kind is named
and skipped.
`,
});
