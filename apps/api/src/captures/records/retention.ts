/** Checks whether the clock can be trusted before captures are deleted by age: deleted data cannot be restored. */
import { storedFiles } from "../../store/capture-state.ts";
import type { Catalog, CaptureRecord } from "../../store/catalog.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Sweeps run every few minutes; between two of them no clock moves by so much. */
const JUMP_MS = DAY_MS;
/**
 * Nothing is deleted by age for so long after a jump, or after a start that follows a longer stop: time to set the
 * clock.
 */
const GRACE_MS = DAY_MS;

/** The time is noted so often at most: each note is a write that waits for the disk. */
const NOTE_MS = 6 * 3600 * 1000;

const SEEN = "clock of the last sweep";
const HELD = "nothing is deleted by age before";

/**
 * Called by each sweep. Stores the time, and detects a clock that moved by more than a day since the sweep before, in
 * either direction: it was set, or the API was not running.
 * @param now ms since 1970
 * @returns null when captures may be deleted by their age, else the time until which none is (UTC, ISO 8601)
 */
export async function heldUntil(
  facts: Pick<Catalog, "fact" | "saveFact">,
  now: number,
): Promise<string | null> {
  const seen = await facts.fact(SEEN);
  const time = new Date(now).toISOString();
  const passed = seen === null ? Number.POSITIVE_INFINITY : Math.abs(now - Date.parse(seen));
  if (passed > JUMP_MS) await facts.saveFact(HELD, new Date(now + GRACE_MS).toISOString());
  if (passed >= NOTE_MS) await facts.saveFact(SEEN, time);
  const held = await facts.fact(HELD);
  return held !== null && held > time ? held : null;
}

/**
 * The captures to delete, oldest first, until the rest uses no more than a limit: never the newest one, and none that
 * is kept. Kept captures count too: their bytes reduce the space of the others.
 * @param records in any order
 * @param limit bytes of files and results
 * @param bytesBeside other bytes of a capture
 */
export function capturesOverSize(
  records: readonly CaptureRecord[],
  limit: number,
  isKept: (record: CaptureRecord) => boolean,
  bytesBeside: (id: string) => number = () => 0,
): CaptureRecord[] {
  const bytesWith = (record: CaptureRecord): number => bytesOf(record) + bytesBeside(record.id);
  const oldestFirst = records.toSorted((a, b) => (a.created < b.created ? -1 : 1));
  let bytes = oldestFirst.reduce((sum, record) => sum + bytesWith(record), 0);
  const over: CaptureRecord[] = [];
  for (const record of oldestFirst.slice(0, -1)) {
    if (bytes <= limit) break;
    if (isKept(record)) continue;
    over.push(record);
    bytes -= bytesWith(record);
  }
  return over;
}

/** Bytes of files and results. */
export function bytesOf(record: CaptureRecord): number {
  const results = Object.values(storedFiles(record));
  return (
    record.files.reduce((sum, { size }) => sum + size, 0) + results.reduce((sum, { bytes }) => sum + bytes, 0)
  );
}
