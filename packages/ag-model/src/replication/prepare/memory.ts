/** The memory of a server's events: moved to another thread, or released. */
import type { EventColumns } from "../../events/index.ts";
import type { PreparedEvents } from "./prepared-events.ts";

/** Finds each buffer of plain values and typed arrays once. */
export function buffersIn(value: unknown, found: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else if (typeof value === "object" && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found);
  return found;
}

/** Events of one file, read or prepared. */
interface HeldEvents {
  readonly columns?: EventColumns | null | undefined;
  readonly prepared?: PreparedEvents | null;
}

/** Whether events name clients, and so may have texts of statements. */
export const hasClients = ({ columns, prepared }: HeldEvents): boolean =>
  columns?.clients !== undefined || prepared?.single.clients !== undefined;

/**
 * The memory of events, to move them to another thread without a copy. The content of prepared events may change from
 * version to version: code that moves them between threads of one process calls this function and reads nothing inside.
 */
export const buffersOfEvents = (events: HeldEvents): ArrayBuffer[] => [
  ...buffersIn([events.columns, events.prepared]),
];

/** Frees memory at once, which the garbage collector would do later; a later reader finds the memory empty. */
export type GiveBack = (memory: readonly ArrayBuffer[]) => void;
