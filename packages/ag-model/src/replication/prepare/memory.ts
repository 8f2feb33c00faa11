/** The memory of a server's events: handed to another thread, or given back. */
import type { EventColumns } from "../../events/index.ts";
import type { PreparedEvents } from "./prepared-events.ts";

/** Each buffer that plain values and typed arrays hold, once. */
export function buffersIn(value: unknown, found: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}

/**
 * The memory of events, to hand them to another thread without a copy. What prepared events hold may change from version to version:
 * whoever moves them between threads of one process asks here and looks at nothing inside.
 */
export const buffersOfEvents = (events: {
  readonly columns?: EventColumns | null | undefined;
  readonly prepared?: PreparedEvents | null;
}): ArrayBuffer[] => [...buffersIn([events.columns, events.prepared])];

/** Makes memory free for other things at once, where a collector would come to it later; whoever still looks at it finds it empty. */
export type GiveBack = (memory: readonly ArrayBuffer[]) => void;
