/** Events and samples of a capture's other files, as tables: the same in every capture, with or without such files. */
import type { EvidenceSeries, FolderEvidence } from "@aglens/evidence";
import { formatLsn, type CaptureModel } from "../replication/index.ts";
import { instants, integers, labels, numbers, texts, type ExportTable, type TableColumn } from "./table.ts";
import { utcColumn } from "./utc.ts";

export const EVIDENCE_TABLES = ["evidence_events", "evidence_samples"] as const;
export type EvidenceTable = (typeof EVIDENCE_TABLES)[number];

export const isEvidenceTable = (name: string): name is EvidenceTable =>
  (EVIDENCE_TABLES as readonly string[]).includes(name);

/** Evidence on the capture's clock; its texts are written as they are, so sensitive ones were removed before. */
export interface TabledEvidence extends Pick<FolderEvidence, "events" | "series" | "failovers"> {
  /** µs since 1970 of the capture's origin. */
  readonly originUs: number;
  /** Half width of the uncertainty that a server's clock adds at a time, µs. */
  readonly errorAt: (server: string | null, us: number) => number;
}

/** The evidence of a capture without other files. */
export const NO_EVIDENCE: TabledEvidence = {
  events: [],
  series: [],
  failovers: [],
  originUs: 0,
  errorAt: () => 0,
};

type Origin = Pick<CaptureModel, "origin">;

/** One of the tables in parts of `rows` rows; one part without a row for an empty table. */
export function* evidenceTableParts(
  model: Origin,
  evidence: TabledEvidence,
  name: EvidenceTable,
  rows: number,
): Generator<ExportTable> {
  if (name === "evidence_events") yield* eventsTableParts(model, evidence, rows);
  else yield* samplesTableParts(model, evidence, rows);
}

/** One of the tables in one part. */
export function evidenceTable(model: Origin, evidence: TabledEvidence, name: EvidenceTable): ExportTable {
  const [table] = evidenceTableParts(model, evidence, name, Infinity);
  return table;
}

/** A name of code as other tables have such words: `slowIo` is `slow_io`. */
export const asWord = (name: string): string =>
  name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

function* eventsTableParts(model: Origin, evidence: TabledEvidence, rows: number): Generator<ExportTable> {
  const { events } = evidence;
  yield eventsTable(model, { ...evidence, events: events.slice(0, rows) });
  for (let first = rows; first < events.length; first += rows)
    yield eventsTable(model, { ...evidence, events: events.slice(first, first + rows) });
}

function eventsTable(
  { origin }: Origin,
  { events, failovers, originUs, errorAt }: TabledEvidence,
): ExportTable {
  const at = Float64Array.from(events, ({ atUs }) => Math.round(atUs - originUs));
  const causes = new Map(
    failovers.flatMap(({ kind, events: own }) => own.map((event) => [event, asWord(kind)] as const)),
  );
  return {
    name: "evidence_events",
    length: events.length,
    columns: [
      utcColumn(origin, at, "when it happened"),
      instants("at", at, "when it happened"),
      numbers(
        "at_uncertainty_us",
        "µs",
        Float64Array.from(events, ({ sources: [best], server, atUs }) =>
          Math.ceil((best?.plusMinusUs ?? Number.NaN) + errorAt(server, atUs)),
        ),
        "how far it can be off",
      ),
      instants(
        "from",
        Float64Array.from(events, ({ fromUs }) =>
          fromUs === null ? Number.NaN : Math.round(fromUs - originUs),
        ),
        "start of a duration that ended then; null for a single time",
      ),
      named("kind", events.map(({ kind }) => asWord(kind))), // prettier-ignore
      named("server", events.map(({ server }) => server), "whose files report it"), // prettier-ignore
      named("ag", events.map(({ group }) => group), "availability group that it is about"), // prettier-ignore
      named("database", events.map(({ database }) => database)), // prettier-ignore
      named("replica", events.map(({ replica }) => replica), "the other replica that it is about"), // prettier-ignore
      numbers(
        "message",
        "",
        Float64Array.from(events, ({ message }) => message ?? Number.NaN),
        "number of SQL Server's message; null where it isn't known",
      ),
      named("state_before", events.map(({ states }) => states?.[0] ?? null)), // prettier-ignore
      named("state_after", events.map(({ states }) => states?.[1] ?? null)), // prettier-ignore
      integers("count", Int32Array.from(events, ({ count }) => count), "such as reported I/O requests"), // prettier-ignore
      texts("text", events.map(({ text }) => text)), // prettier-ignore
      texts("lsn", events.map(({ lsn }) => (lsn === null ? null : formatLsn(lsn))), "from which a replica counts again, as in blocks"), // prettier-ignore
      named("failover_cause", events.map((event) => causes.get(event) ?? null), "of the failover that it is part of"), // prettier-ignore
      {
        name: "sources",
        unit: "",
        about: "each file that reports it, and the line or event in it",
        kind: "texts",
        values: events.map(({ sources }) => sources.map(({ file, place }) => `${file}:${place}`)),
      },
    ],
  };
}

/** Texts that repeat, each with its number; -1 for none. */
function numbered(values: readonly (string | null)[]): { codes: Int32Array; texts: string[] } {
  const numbers = new Map<string, number>();
  const codes = Int32Array.from(values, (value) => {
    if (value === null) return -1;
    if (!numbers.has(value)) numbers.set(value, numbers.size);
    return numbers.get(value) ?? -1;
  });
  return { codes, texts: [...numbers.keys()] };
}

function named(name: string, values: readonly (string | null)[], about = ""): TableColumn {
  const { codes, texts: found } = numbered(values);
  return labels(name, codes, found, about);
}

/** Some samples of a series, from index `first` up to `end`. */
interface Piece {
  readonly series: EvidenceSeries;
  readonly first: number;
  readonly end: number;
}

function* samplesTableParts(model: Origin, evidence: TabledEvidence, rows: number): Generator<ExportTable> {
  let pieces: Piece[] = [];
  let room = rows;
  for (const series of evidence.series) {
    const { length } = series.values;
    for (let first = 0, end = 0; first < length; first = end) {
      if (room === 0) {
        yield samplesTable(model, evidence, pieces);
        [pieces, room] = [[], rows];
      }
      end = Math.min(length, first + room);
      room -= end - first;
      pieces.push({ series, first, end });
    }
  }
  yield samplesTable(model, evidence, pieces);
}

function samplesTable(
  { origin }: Origin,
  { originUs }: TabledEvidence,
  pieces: readonly Piece[],
): ExportTable {
  const length = pieces.reduce((sum, { first, end }) => sum + end - first, 0);
  const at = new Float64Array(length);
  const values = new Float64Array(length);
  let row = 0;
  const ends = pieces.map(({ series, first, end }) => {
    values.set(series.values.subarray(first, end), row);
    for (let i = first; i < end; i++) at[row++] = Math.round(series.atUs[i] - originUs);
    return row;
  });
  const each = (name: string, of: (series: EvidenceSeries) => string | null, about = ""): TableColumn => {
    const ofPieces = numbered(pieces.map(({ series }) => of(series)));
    const codes = new Int32Array(length);
    for (const [i, end] of ends.entries()) codes.fill(ofPieces.codes[i], ends[i - 1] ?? 0, end);
    return labels(name, codes, ofPieces.texts, about);
  };
  return {
    name: "evidence_samples",
    length,
    columns: [
      utcColumn(origin, at, "when it was read; of a delta the end of its interval"),
      instants("at", at, "when it was read; of a delta the end of its interval"),
      each("metric", ({ metric }) => metric),
      each("unit", ({ unit }) => asWord(unit), "of value: ms, count, bytes, share or per_second"),
      each("server", ({ server }) => server),
      each("instance", ({ of }) => of, "wait type, volume, file, database or scheduler"),
      each("form", ({ form }) => form, "sample, delta, cumulative or reference"),
      numbers("value", "", values, "its unit is in the column unit"),
      each("source", ({ source: { file, column } }) => `${file}:${column}`, "file and its column"),
    ],
  };
}
