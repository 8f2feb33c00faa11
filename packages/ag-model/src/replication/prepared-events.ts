/** What the joins need of one replica's events and that depends on nothing else. */
import {
  fireTime,
  rowsByKind,
  RowsOfKinds,
  shapesOf,
  type EventColumns,
  type EventShapes,
  type RowsByKind,
} from "../events/index.ts";
import type { UniqueIds } from "./ascending-ids.ts";
import { numberIds } from "./event-ids.ts";
import { findOwnBlocks, type OwnBlocks } from "./own-blocks.ts";
import { findOwnDatabases, type OwnDatabases } from "./own-databases.ts";
import { collectInstants, type OwnInstants } from "./own-instants.ts";

/**
 * Plain values and typed arrays, each with a buffer of its own: a thread can hand them to another without a copy. 20 bytes per event,
 * some 130 per block.
 */
export interface PreparedEvents {
  readonly kinds: RowsByKind;
  readonly shapes: EventShapes;
  /** Each log_block_id, once and ascending. */
  readonly ids: UniqueIds;
  readonly databases: OwnDatabases;
  readonly blocks: OwnBlocks;
  /** When each event fired, µs of the server's counter; NaN where it has no start_timestamp. `buildModel` puts an instant there. */
  readonly fire: Float64Array;
  /** The events with NaN. */
  readonly late: Uint32Array;
  readonly instants: OwnInstants;
}

/**
 * Prepares the events of one replica: a function of its columns alone, which whoever decodes them can call
 * in its own thread, beside those of the other replicas, and give to `buildModel` with them (`ServerInput.prepared`). The columns have to be the
 * replica's in full, after `mergeColumns`; where they are not given, `buildModel` prepares them itself and makes the same model.
 */
export function prepareEvents(columns: EventColumns): PreparedEvents {
  const kinds = rowsByKind(columns);
  const shapes = shapesOf(columns);
  const ids = numberIds(columns.blockId);
  const databases = findOwnDatabases({ columns, rowsOf: new RowsOfKinds(kinds), shapes, ids });
  const blocks = findOwnBlocks(ids, shapes, databases.ofShape);
  const { fire, late } = firesOf(columns, columns.start);
  const instants = collectInstants({ columns, shapes, blocks, start: columns.start, fire });
  return { kinds, shapes, ids: { high: ids.high, low: ids.low }, databases, blocks, fire, late, instants };
}

/** When each event fired, and the events of which that is not known. @param start of each event, µs of the server's counter */
export function firesOf(
  { kind, processing, length }: EventColumns,
  start: Float64Array,
): Pick<PreparedEvents, "fire" | "late"> {
  const fire = new Float64Array(length);
  let unknown = 0;
  for (let i = 0; i < length; i++) {
    fire[i] = fireTime(kind[i], start[i], processing[i]);
    if (Number.isNaN(fire[i])) unknown++;
  }
  const late = new Uint32Array(unknown);
  for (let i = 0, n = 0; n < unknown; i++) if (Number.isNaN(fire[i])) late[n++] = i;
  return { fire, late };
}
