/** What the joins need of one replica's events and that depends on nothing else. */
import { rowsByKind, type EventColumns, type RowsByKind } from "../events/index.ts";
import { numberIds, type EventIds } from "./event-ids.ts";

/** Plain typed arrays, each with a buffer of its own: a thread can hand them to another without a copy. 8 bytes per event, 8 per id. */
export interface PreparedEvents {
  readonly kinds: RowsByKind;
  readonly ids: EventIds;
}

/**
 * Prepares the events of one replica: a function of its columns alone (`kind`, `blockId`), which whoever decodes them can call
 * in its own thread, beside those of the other replicas, and give to `buildModel` with them (`ServerInput.prepared`). The columns have to be the
 * replica's in full, after `mergeColumns`; where they are not given, `buildModel` prepares them itself and makes the same model.
 */
export const prepareEvents = (columns: EventColumns): PreparedEvents => ({
  kinds: rowsByKind(columns),
  ids: numberIds(columns.blockId),
});

/**
 * The memory of prepared events, to hand them to another thread without a copy. What they hold may change from version to version: whoever
 * moves them between threads of one process asks here and looks at nothing inside.
 */
export const buffersOfPrepared = (prepared: PreparedEvents): ArrayBuffer[] => [...buffersIn(prepared)];

function buffersIn(value: unknown, found: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}
