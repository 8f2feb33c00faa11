/** The model and its verdict as tables for other tools. */
import { windowsOf, type Finding, type Verdict, type Window } from "../diagnosis/verdict.ts";
import { EVENTS, type EventColumns } from "../events/index.ts";
import { filetimeText } from "xel-parser/format";
import { eventsByBlock, type CaptureModel } from "../replication/index.ts";
import { microsecondsToTicks } from "../replication/clocks/time.ts";
import {
  EVIDENCE_TABLES,
  evidenceTable,
  evidenceTableParts,
  isEvidenceTable,
  NO_EVIDENCE,
  type TabledEvidence,
} from "./evidence-tables.ts";
import { idsOf, namesOf } from "./replica-names.ts";
import { isRowTable, ROW_TABLES, rowTable, rowTableParts } from "./row-tables.ts";
import { histogramsTable } from "./histograms.ts";
import { stagesTable } from "./stages.ts";
import {
  flags,
  instants,
  integers,
  labels,
  numbers,
  texts,
  type ExportTable,
  type TableColumn,
} from "./table.ts";
import { utcColumn } from "./utc.ts";

/** All output of `xel tables`. */
export interface CaptureTables {
  /** Text metadata of every table: origin, reference clock, version. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly tables: readonly ExportTable[];
}

/**
 * The tables of a capture. `sources` are the event columns that the model was built from: the index of events takes
 * names and modes from them.
 */
export function captureTables(
  model: CaptureModel,
  verdict: Verdict,
  sources: readonly EventColumns[],
  evidence = NO_EVIDENCE,
): CaptureTables {
  return {
    metadata: tableMetadata(model),
    tables: [
      ...ROW_TABLES.map((name) => rowTable(model, name)),
      stagesTable(model),
      histogramsTable(model),
      clocksTable(model),
      findingsTable(model, verdict),
      ...EVIDENCE_TABLES.map((name) => evidenceTable(model, evidence, name)),
      eventsTable(model, sources),
    ],
  };
}

/** The tables of a capture without its events, which would be the largest part. */
export const TABLES_AT_REST = [
  ...ROW_TABLES,
  "stages",
  "histograms",
  "clocks",
  "findings",
  ...EVIDENCE_TABLES,
] as const;
export type TableAtRest = (typeof TABLES_AT_REST)[number];

/** Yields a table in parts of `rows` blocks, commits or samples, of which one is in memory at a time. */
export function tableParts(
  model: CaptureModel,
  verdict: Pick<Verdict, "findings">,
  name: TableAtRest,
  rows: number,
  evidence: TabledEvidence = NO_EVIDENCE,
): Iterable<ExportTable> {
  if (isRowTable(name)) return rowTableParts(model, name, rows);
  if (isEvidenceTable(name)) return evidenceTableParts(model, evidence, name, rows);
  if (name === "stages") return [stagesTable(model)];
  if (name === "histograms") return [histogramsTable(model)];
  return [name === "clocks" ? clocksTable(model) : findingsTable(model, verdict)];
}

/** Text metadata of every table of a capture: origin, reference clock, version. */
export const tableMetadata = (model: CaptureModel): Readonly<Record<string, string>> => ({
  format: "aglens-tables-2",
  origin: filetimeText(model.origin),
  origin_ticks: model.origin.toString(),
  reference: model.replicas[0].name,
  reference_id: model.replicas[0].id,
});

function clocksTable(model: CaptureModel): ExportTable {
  const windows = model.clocks.flatMap((clock) =>
    clock.windows.map((window) => ({ ...window, clock, replica: clock.secondary + 1 })),
  );
  const column = (name: string, unit: string, value: (w: (typeof windows)[number]) => number): TableColumn =>
    numbers(name, unit, Float64Array.from(windows, value));
  const replica = Int32Array.from(windows, (w) => w.replica);
  return {
    name: "clocks",
    length: windows.length,
    columns: [
      utcColumn(
        model.origin,
        Float64Array.from(windows, (w) => w.from),
        "start of the interval",
      ),
      labels("replica", replica, namesOf(model), "whose counter"),
      labels("replica_id", replica, idsOf(model)),
      labels(
        "against",
        Int32Array.from(windows, (w) => w.clock.against),
        namesOf(model),
      ),
      column("from", "µs", (w) => w.from),
      column("to", "µs", (w) => w.to),
      column("offset_us", "µs", (w) => w.offsetUs),
      column("drift_ppm", "ppm", (w) => w.driftPpm),
      column("drift_low_ppm", "ppm", (w) => w.driftPpmFeasible[0]),
      column("drift_high_ppm", "ppm", (w) => w.driftPpmFeasible[1]),
      column("bound_us", "µs", (w) => w.uncertaintyUs),
    ],
  };
}

function findingsTable(model: CaptureModel, { findings }: Pick<Verdict, "findings">): ExportTable {
  const column = <T>(of: (finding: Finding) => T): T[] => findings.map(of);
  const figures = (of: (finding: Finding) => number | null | undefined): Float64Array =>
    Float64Array.from(findings, (finding) => of(finding) ?? Number.NaN);
  const from = figures(({ window }) => window?.from);
  const replica = Int32Array.from(findings, (finding) => finding.replica ?? -1);
  const database = Int32Array.from(findings, (finding) => finding.database ?? -1);
  const slower = (inside?: number | null, outside?: number | null): number =>
    (inside ?? Number.NaN) - (outside ?? Number.NaN);
  return {
    name: "findings",
    length: findings.length,
    columns: [
      utcColumn(model.origin, from, "when it began; null where it is about no time"),
      integers("rank", Int32Array.from(findings.keys())),
      texts(
        "rule",
        column(({ rule }) => rule),
      ),
      texts(
        "cause",
        column(({ cause }) => cause),
      ),
      texts(
        "severity",
        column((finding) => finding.severity),
      ),
      labels("replica", replica, namesOf(model)),
      labels("replica_id", replica, idsOf(model)),
      labels(
        "database",
        database,
        model.databases.map(({ name }) => name),
      ),
      instants("from", from),
      instants(
        "to",
        figures(({ window }) => window?.to),
      ),
      {
        name: "windows",
        unit: "",
        about: "each time that it happened, from/to, UTC",
        kind: "texts",
        values: column((finding) => windowsOf(finding).map((window) => intervalText(model.origin, window))),
      },
      numbers(
        "share",
        "share",
        figures(({ share }) => share),
      ),
      numbers(
        "effect_p50_us",
        "µs",
        figures(({ effect }) => slower(effect?.p50Inside, effect?.p50Outside)),
      ),
      numbers(
        "effect_p95_us",
        "µs",
        figures(({ effect }) => slower(effect?.p95Inside, effect?.p95Outside)),
      ),
      texts(
        "threshold",
        column(({ threshold }) => threshold),
      ),
      texts(
        "source",
        column(({ source }) => source),
      ),
      texts(
        "sentence",
        column((finding) => finding.sentence),
      ),
      {
        name: "check_next",
        unit: "",
        about: "",
        kind: "texts",
        values: column(({ checkNext }) => checkNext),
      },
      // The verdict's first sentence is about its first finding.
      flags(
        "headline",
        Uint8Array.from(findings, (_, rank) => (rank === 0 ? 1 : 0)),
        "the verdict's own",
      ),
    ],
  };
}

/** `2016-05-06T02:17:28.1000000Z/2016-05-06T02:17:29.3000000Z` (ISO 8601). */
const intervalText = (origin: bigint, { from, to }: Window): string =>
  [from, to].map((us) => filetimeText(origin + microsecondsToTicks(us))).join("/");

/** The events of each block; `sources` in any order, matched to the model's files by name. */
function eventsTable(model: CaptureModel, sources: readonly EventColumns[]): ExportTable {
  const { files } = model;
  const events = eventsByBlock(model.events, model.blocks.length);
  const { length } = model.events;
  const found = files.map((file) => {
    const source = sources.find((each) => each.files.some(({ name }) => name === file.name));
    return (
      source &&
      rowsByOffset(
        source,
        source.files.findIndex(({ name }) => name === file.name),
      )
    );
  });
  const kinds = new Int32Array(length).fill(-1);
  const modes = new Int32Array(length);
  const block = new Int32Array(length);
  for (let row = 0; row < model.blocks.length; row++)
    block.fill(row, events.start[row], events.start[row + 1]);
  for (let i = 0; i < length; i++) {
    const place = found[events.file[i]];
    const row = place?.rows.get(events.offset[i]);
    if (place === undefined || row === undefined) continue;
    kinds[i] = place.source.kind[row];
    modes[i] = place.source.mode[row];
  }
  const replica = Int32Array.from(events.file, (file) => files[file].replica);
  return {
    name: "events",
    length,
    columns: [
      utcColumn(model.origin, events.fire, "when it fired"),
      integers("block", block, "row of blocks"),
      labels("replica", replica, namesOf(model), "whose file holds it"),
      labels(
        "name",
        kinds,
        EVENTS.map(({ name }) => name),
      ),
      integers("mode", modes),
      labels(
        "file",
        Int32Array.from(events.file),
        files.map(({ name }) => name),
      ),
      numbers("offset", "bytes", events.offset),
      instants("fire", events.fire),
    ],
  };
}

function rowsByOffset(
  source: EventColumns,
  file: number,
): { source: EventColumns; rows: Map<number, number> } {
  const rows = new Map<number, number>();
  for (let row = 0; row < source.length; row++)
    if (source.file[row] === file) rows.set(source.offset[row], row);
  return { source, rows };
}
