import { dump, info, runCommand } from "xel-parser/commands";
import { agTypeOf } from "@aglens/ag-model/events";

const usage = `Usage: xel COMMAND ...

  xel dump FILE [--event NAME]...   one JSON line per event, in file order
  xel info FILE                     what the file holds: events by name, times, damage
  xel analyze FILE...               replication analysis of capture files of every server, in any order
  xel what-if ... [--change ...]    what commits would take with one thing changed; files as for analyze
  xel waiting ...                   how long log blocks waited behind others; files as for analyze
  xel tables ... --out DIR          blocks, hops, commits, stages, histograms, clocks, findings and events as Arrow files,
                                    with --parquet as Parquet files; files as for analyze

With --force, a file of a format version that is not known is tried.
FILE is a .xel file, event XML or a CSV that SSMS saved; - is standard input. Where several files are taken, a FILE may be a
zip of them, with a topology XML beside them. analyze and tables also take captures that were saved (.aglens). Exit code: 0 done, 1 damaged or unreadable input, 2 wrong usage.
`;

await runCommand({
  commands: {
    dump: (args) => dump(args, { typeOf: agTypeOf }),
    info: (args) => info(args, { typeOf: agTypeOf }),
    // Loaded on demand: it brings the whole analysis with it.
    analyze: async (args) => (await import("./saved.ts")).analyze(args),
    "what-if": async (args) => (await import("@aglens/ag-model/replay-commands")).whatIf(args),
    waiting: async (args) => (await import("@aglens/ag-model/replay-commands")).waiting(args),
    tables: async (args) => (await import("./tables.ts")).tables(args),
  },
  usage,
});
