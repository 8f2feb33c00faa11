/**
 * Events written by hand as rows of a live event stream, without the bytes in between. A test of the live model
 * replaces the decoder's `openColumnStream` with `openHandFedStream`, and `eventColumnsOf` with `mergeColumns`.
 */
import type { ColumnStream, EventBatch, StreamRow } from "xel-parser/format";
import type { EventColumns } from "../src/events/index.ts";

const eventsOf = new WeakMap<Uint8Array, EventColumns>();

/** A row with the events of these columns. */
export function handFedRow(columns: EventColumns): StreamRow {
  const data = new Uint8Array();
  eventsOf.set(data, columns);
  return { type: 0, data };
}

/** A stream whose `take` returns the columns of its rows, in the order of their arrival. */
export function openHandFedStream(): ColumnStream {
  let taken: EventColumns[] = [];
  return {
    push({ data }) {
      const columns = eventsOf.get(data)!;
      taken.push(columns);
      return { kind: "events", events: columns.length, undecoded: null };
    },
    take() {
      const batch = taken as unknown as EventBatch;
      taken = [];
      return batch;
    },
  };
}
