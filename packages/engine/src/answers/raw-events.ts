/** Raw events, read again from the source files by their byte offset. */
import type { RawEvent, RawEvents } from "@aglens/contract";
import {
  durationFieldOf,
  eventPlacesFrom,
  type FirstEvent,
  type PlacedEvent,
  toSequenceEvent,
  unlistedEvents,
} from "@aglens/ag-model/query";
import type { CaptureModel } from "@aglens/ag-model/replication";
import {
  openXel,
  XelFormatError,
  type MetadataPlace,
  type OpenXel,
  type ReadAt,
  type XelEvent,
} from "xel-parser/format";
import { eventHoldsText } from "./raw-event-text.ts";
import type { OpenSource, SourceFile } from "./source-file.ts";

/** Events to read for one answer, and the filters for its events. */
export interface RawEventsWanted {
  readonly from: number;
  readonly to: number;
  readonly replicas: readonly number[] | null;
  /** Index of the database whose blocks the events belong to; null for all. */
  readonly database: number | null;
  readonly first: FirstEvent;
  /** 1 for a block whose events are wanted, by row; null or absent for all. Events of other blocks are not read. */
  readonly blocks?: Uint8Array | null;
  /** Event names; null for all. */
  readonly names: readonly string[] | null;
  /** In the name or the value of a field or an action, in any case; "" for all. */
  readonly text: string;
  /** Most events to read. */
  readonly read: number;
}

/** Events of a range from one place on; no more are read than requested. */
export async function rawEventsOf(
  model: CaptureModel,
  wanted: RawEventsWanted,
  open: OpenSource,
): Promise<RawEvents> {
  const { total, position, places: all } = eventPlacesFrom(model, wanted, wanted.first, wanted.read);
  const { blocks = null } = wanted;
  const numbered = all.map((place, index) => ({ ...place, position: position + index }));
  const places = blocks === null ? numbered : numbered.filter(({ block }) => blocks[block] === 1);
  const decoded = await readEvents(model, places, open, "skip");
  const events: RawEvent[] = [];
  const counts = new NameCounts();
  let unreadable = 0;
  for (const [index, place] of places.entries()) {
    const event = decoded[index];
    if (event === undefined) {
      unreadable++;
      continue;
    }
    counts.add(event.name, model.files[place.file]!.replica);
    if (wanted.names !== null && !wanted.names.includes(event.name)) continue;
    const raw = rawEvent(model, place, event);
    if (eventHoldsText(raw, wanted.text)) events.push(raw);
  }
  const end = position + all.length;
  return {
    total,
    position,
    read: all.length,
    next: end < total ? end : null,
    events,
    names: counts.list(),
    unreadable,
    unlisted: unlistedEvents(model),
  };
}

function rawEvent(
  model: CaptureModel,
  place: PlacedEvent & Pick<RawEvent, "position">,
  event: XelEvent,
): RawEvent {
  const { blocks, phases, files } = model;
  const { block, file, position } = place;
  return {
    ...toSequenceEvent(model, place, event),
    position,
    block,
    database: blocks.database[block]!,
    onPrimary: phases[blocks.phase[block]!]?.primary === files[file]?.replica,
    fileIndex: file,
    durationField: durationFieldOf(event.name),
  };
}

/** How often each event name was read, by replica. */
class NameCounts {
  readonly #counts = new Map<string, RawEvents["names"][number]>();

  add(name: string, replica: number): void {
    const key = `${replica} ${name}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { name, replica, count: 1 });
    else known.count++;
  }

  list = (): RawEvents["names"] => [...this.#counts.values()];
}

/**
 * The events at places of the files, in the same order; undefined where their file is missing.
 * @param damaged "skip": also undefined where the bytes are no event; "throw": that is an error
 * @throws XelFormatError
 */
export async function readEvents(
  model: CaptureModel,
  places: readonly Pick<PlacedEvent, "file" | "offset">[],
  open: OpenSource,
  damaged: "skip" | "throw",
): Promise<(XelEvent | undefined)[]> {
  const events: (XelEvent | undefined)[] = places.map(() => undefined);
  for (const file of new Set(places.map((place) => place.file))) {
    const bytes = await open(model.files[file]?.name ?? "");
    if (bytes === null) continue;
    try {
      const eventAt = await eventReader(bytes, model.files[file]?.metadata);
      for (const [index, place] of places.entries()) {
        if (place.file !== file) continue;
        const event = eventAt(place.offset);
        events[index] = await (damaged === "skip" ? event.catch(undefinedIfDamaged) : event);
      }
    } finally {
      await bytes.close();
    }
  }
  return events;
}

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof XelFormatError)) throw error;
}

const AHEAD_BYTES = 1024 * 1024;

/**
 * Reads events of one file. Each read fetches more than it needs: neighbors in time are neighbors in their file.
 * @param metadata places that the analysis found: without them the entire file is searched
 */
async function eventReader(
  file: SourceFile,
  metadata: readonly MetadataPlace[] | undefined,
): Promise<(offset: number) => Promise<XelEvent>> {
  let start = 0;
  let ahead: Uint8Array = new Uint8Array(0);
  // The headers that opening looks at are far from each other.
  let read: ReadAt = (offset, length) => file.read(offset, length);
  const xel = await openedBy((offset, length) => read(offset, length), file.size, metadata);
  read = async (offset, length) => {
    if (offset < start || offset + length > start + ahead.length) {
      ahead = await file.read(offset, Math.max(length, AHEAD_BYTES));
      start = offset;
    }
    return ahead.subarray(offset - start, offset - start + length);
  };
  return (offset) => xel.eventAt(offset);
}

/**
 * Opens a file by the known places of its metadata. Where these are wrong, the file is damaged, and its metadata is
 * searched.
 */
async function openedBy(
  read: ReadAt,
  size: number,
  metadata: readonly MetadataPlace[] | undefined,
): Promise<OpenXel> {
  if (metadata === undefined) return openXel(read, size);
  return openXel(read, size, { metadata }).catch((error: unknown) => {
    undefinedIfDamaged(error);
    return openXel(read, size);
  });
}
