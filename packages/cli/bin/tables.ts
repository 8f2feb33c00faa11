/** `xel tables (arguments of analyze) --out DIR [--parquet]`: the analysis as Arrow or Parquet files (docs/reference/tables.md). */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { answerCommand, isExpected, type Analysis, type AnalyzedCapture } from "@aglens/ag-model/commands";
import { diagnose, type Verdict } from "@aglens/ag-model/diagnosis";
import { captureTables } from "@aglens/ag-model/tables";
import type { ExportTable } from "@aglens/ag-model/tables";
import { encodeExportTable } from "@aglens/contract";
import { encodeParquetTable } from "@aglens/contract/parquet";
import { analyzeEvidence } from "@aglens/engine/analysis";
import { asTabled, evidenceOnClock, type CaptureEvidence } from "@aglens/engine/evidence";
import { EXIT } from "xel-parser/commands";
import { eventTables } from "./event-tables.ts";
import { writePerfetto } from "./perfetto.ts";
import { analysisOf } from "./saved.ts";
import { writingTo } from "./unwritable.ts";

type Write = (text: string) => void;

interface Format {
  readonly extension: string;
  readonly encode: (table: ExportTable, metadata: Readonly<Record<string, string>>) => Uint8Array;
}

const ARROW: Format = { extension: "arrow", encode: encodeExportTable };
const PARQUET: Format = {
  extension: "parquet",
  encode: (table, metadata) => encodeParquetTable(table, metadata, zstdCompressSync),
};

/** Writes the tables of each capture and names the files. */
export async function tables(
  args: readonly string[],
  write: Write = (text) => console.log(text),
): Promise<number> {
  if (args.some((arg) => /^--events?(?:=|$)/u.test(arg))) return eventTables(args, write);
  const format = args.includes("--parquet") ? PARQUET : ARROW;
  const isTrace = args.includes("--perfetto");
  const { out, rest } = takeOut(args.filter((arg) => arg !== "--parquet" && arg !== "--perfetto"));
  if (out === null) {
    console.error("xel tables needs --out DIR, the folder to write into.");
    return EXIT.usage;
  }
  const read = analysisOf(rest);
  // With roles or a topology the analysis is wanted.
  if (!isTrace && !rest.some((arg) => /^--(?!force$)/u.test(arg)) && (await isOfOtherSessions(read))) {
    if (!rest.includes("-")) return eventTables(args, write);
    console.error("Standard input is read once. To write the events of another session, add --events.");
  }
  return answerCommand(
    () => read,
    async (analysis) => {
      const captures = capturesIn(analysis);
      const folders = foldersOf(captures, out);
      for (const [index, capture] of captures.entries())
        await writingTo(folders[index] ?? out, () =>
          isTrace
            ? writePerfetto(capture, folders[index] ?? out, write)
            : writeFiles(capture, folders[index] ?? out, format, write),
        );
    },
  );
}

/** Whether the files have neither data-movement events nor evidence, so that their events are written as they are. */
const isOfOtherSessions = (read: Promise<Analysis>): Promise<boolean> =>
  read.then(
    () => false,
    (error: unknown) => isExpected(error) && error.code === "analyze.nothing",
  );

function takeOut(args: readonly string[]): { out: string | null; rest: string[] } {
  const at = args.findIndex((arg) => arg === "--out" || arg.startsWith("--out="));
  if (at < 0) return { out: null, rest: [...args] };
  if (args[at] !== "--out")
    return { out: args[at]?.slice("--out=".length) || null, rest: args.toSpliced(at, 1) };
  return { out: args[at + 1] ?? null, rest: args.toSpliced(at, 2) };
}

/** A capture with all that its tables are made of. */
export interface CaptureToWrite extends AnalyzedCapture {
  readonly verdict: Verdict;
}

/** Evidence is in the tables of the captures of its server, or of all where no capture has it; without data-movement events it is a capture itself. */
export function capturesIn({ captures, evidence }: Analysis): CaptureToWrite[] {
  if (captures.length === 0 && evidence !== null) {
    const { model, verdict } = analyzeEvidence(evidence);
    const name = model.replicas.map((replica) => replica.name).join(" and ");
    const tabled = asTabled(evidenceOnClock(model, evidence));
    return [{ name, model, verdict, sources: [], warnings: [], evidence: tabled }];
  }
  const onClocks = evidence === null ? [] : captures.map(({ model }) => evidenceOnClock(model, evidence));
  return captures.map((capture, index) => ({
    ...capture,
    verdict: diagnose(capture.model),
    ...(evidence !== null && { evidence: asTabled(ofItsServers(onClocks, index)) }),
  }));
}

/** Events and samples of the servers of one of several captures, and those of servers that no capture has. */
function ofItsServers(onClocks: readonly CaptureEvidence[], index: number): CaptureEvidence {
  const own = onClocks[index]!;
  const hasServer = ({ replicaOf }: CaptureEvidence, server: string): boolean => replicaOf(server) >= 0;
  const isOwn = ({ server }: { readonly server: string | null }): boolean =>
    server === null || hasServer(own, server) || !onClocks.some((each) => hasServer(each, server));
  return { ...own, events: own.events.filter(isOwn), series: own.series.filter(isOwn) };
}

/** A capture alone is written into the folder itself, several into a folder each. */
function foldersOf(captures: readonly AnalyzedCapture[], out: string): string[] {
  if (captures.length < 2) return [out];
  return captures.map(({ name }, index) => {
    const words = name.normalize("NFKD").replaceAll(/[^\p{L}\p{N}]+/gu, "-");
    return join(out, `${index + 1}-${words.replaceAll(/^-|-$/gu, "")}`);
  });
}

async function writeFiles(
  capture: CaptureToWrite,
  folder: string,
  { extension, encode }: Format,
  write: Write,
): Promise<void> {
  const { model, verdict, sources, name, evidence } = capture;
  await mkdir(folder, { recursive: true });
  const { metadata, tables: found } = captureTables(model, verdict, sources, evidence);
  write(name);
  for (const table of found) {
    const path = join(folder, `${table.name}.${extension}`);
    await writeFile(path, encode(table, { ...metadata, capture: name }));
    write(`  ${path}  ${table.length.toLocaleString("en-US")} rows`);
  }
}
