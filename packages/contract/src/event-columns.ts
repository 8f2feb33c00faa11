import { CHUNK_VALUES, columnOfChunks, joinedChunks, type PackedParts } from "@aglens/ag-model/numbers";
import { eventIndexOf, EventRun, RUN_COLUMNS, recordOf, type EventIndex } from "@aglens/ag-model/replication";
import type { BytesColumn, Column, DecodedColumns } from "./arrow-columns.ts";

/**
 * The index of events as a table with a row for each chunk of its packed columns, run after run: its replica, the
 * number of its events, and for each column its base, top, width and bytes. The rest of the instants, a number for each
 * block, is stored next to the blocks (`fractionColumns`).
 */
export function chunkColumns({ runs }: EventIndex): Record<string, Column | BytesColumn> {
  const events = runs.flatMap((run) => eventsOfChunks(run.length));
  const replicas = runs.flatMap((run) => eventsOfChunks(run.length).map(() => run.replica));
  const columns: Record<string, Column | BytesColumn> = {
    replica: Uint8Array.from(replicas),
    events: Uint16Array.from(events),
  };
  for (const name of RUN_COLUMNS) {
    const { base, top, width, start, bytes } = joinedChunks(runs.map((run) => run.parts[name]));
    Object.assign(columns, {
      [`${name}.base`]: base,
      [`${name}.top`]: top,
      [`${name}.width`]: width,
      [`${name}.bytes`]: { start, bytes },
    });
  }
  return columns;
}

const eventsOfChunks = (events: number): number[] =>
  Array.from({ length: Math.ceil(events / CHUNK_VALUES) }, (_, chunk) =>
    Math.min(CHUNK_VALUES, events - chunk * CHUNK_VALUES),
  );

const fractionName = (replica: number): string => `fraction${replica}`;

/** By block, the fraction of a µs of each replica's events; empty for a replica with whole numbers. */
export const fractionColumns = ({ runs }: EventIndex): Record<string, Float64Array> =>
  Object.fromEntries(
    runs
      .filter(({ parts }) => parts.fraction.length > 0)
      .map(({ replica, parts }) => [fractionName(replica), parts.fraction]),
  );

/** Reads the output of `chunkColumns` and `fractionColumns`. */
export function eventsFrom(chunks: DecodedColumns, blocks: DecodedColumns): EventIndex {
  const replicas = chunks.column("replica") as Uint8Array;
  const events = chunks.column("events") as Uint16Array;
  const parts = recordOf(RUN_COLUMNS, (name) => chunkParts(chunks, name));
  const found = new Set(replicas);
  return eventIndexOf(
    [...found].map((replica) => {
      const [from, end] = [replicas.indexOf(replica), replicas.lastIndexOf(replica) + 1];
      const length = events.subarray(from, end).reduce((sum, count) => sum + count, 0);
      const name = fractionName(replica);
      return new EventRun({
        replica,
        ...recordOf(RUN_COLUMNS, (column) => columnOfChunks(parts[column], from, end, length)),
        fraction: blocks.names.includes(name) ? (blocks.column(name) as Float64Array) : new Float64Array(),
      });
    }),
  );
}

/** The index of a model that is used before its index has been read. */
export class LateEventIndex implements EventIndex {
  #index: EventIndex | null = null;

  take(index: EventIndex): void {
    this.#index = index;
  }

  get length(): number {
    return this.#taken().length;
  }

  get runs(): EventIndex["runs"] {
    return this.#taken().runs;
  }

  #taken(): EventIndex {
    if (this.#index === null) throw new Error("The index of events was asked before it was read.");
    return this.#index;
  }
}

const chunkParts = (chunks: DecodedColumns, name: string): PackedParts => ({
  length: chunks.length,
  base: chunks.column(`${name}.base`) as Float64Array,
  top: chunks.column(`${name}.top`) as Float64Array,
  width: chunks.column(`${name}.width`) as Uint8Array,
  ...chunks.bytes(`${name}.bytes`),
});
