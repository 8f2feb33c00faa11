import { dump, EXIT_CODES_TEXT, info, runCommand } from "xel-parser/commands";
import { agTypeOf } from "@aglens/ag-model/events";

const usage = `Usage: xel COMMAND ...

  xel dump FILE [--event NAME]...   one JSON line per event, in file order
  xel info FILE                     what the file holds: events by name, times, damage
  xel analyze PATH...               replication analysis of capture files of every server, in any order
  xel what-if ... [--change ...]    what commits would take with one thing changed; paths as for analyze
  xel waiting ... [--statements]    how long log blocks waited behind others, and commits by session and application; paths
                                    as for analyze
  xel tables ... --out DIR          blocks, hops, commits, stages, histograms, clocks, findings, events and evidence as Arrow
                                    files, with --parquet as Parquet files; paths as for analyze. With --events, and for
                                    files of other sessions, their events as they are, a table per event type
  xel check ... [--report FILE]     whether the files are as AG Lens expects, as text without names and ids to send to us;
                                    paths as for analyze
  xel session [STEP] [--name NAME]  T-SQL of the session that records files: all of it, or the STEP create, start, file, stop
                                    or drop; with --file-writes, --clients or --without-commits as in the capture guide

With --force, a file of a format version that is not known is tried.
FILE is a .xel file, event XML or a CSV that SSMS saved; - is standard input. A PATH is such a file, a folder or a zip. A
topology XML among the files is used for names. A file of another kind is named and skipped. analyze and tables also read
ERRORLOG, AlwaysOn_health and other files of a support folder, and accept saved captures (.aglens).

${EXIT_CODES_TEXT}`;

await runCommand({
  commands: {
    dump: (args) => dump(args, { typeOf: agTypeOf }),
    info: (args) => info(args, { typeOf: agTypeOf }),
    // Loaded on demand: it imports the complete analysis.
    analyze: async (args) => (await import("./saved.ts")).analyze(args),
    "what-if": async (args) => (await import("@aglens/ag-model/replay-commands")).whatIf(args),
    waiting: async (args) => (await import("@aglens/ag-model/replay-commands")).waiting(args),
    check: async (args) => (await import("@aglens/ag-model/check-command")).check(args),
    session: async (args) => (await import("./session.ts")).session(args),
    tables: async (args) => (await import("./tables.ts")).tables(args),
  },
  usage,
});
