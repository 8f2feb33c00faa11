/** Whether the clock may be believed when it says that something's time is over: what is deleted does not come back. */
import type { Catalogue } from "../store/catalogue.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Sweeps come every few minutes; between two of them no clock moves by so much. */
const JUMP_MS = DAY_MS;
/** Nothing is deleted by age for so long after a jump, or after a start that was not one of yesterday's: time to set the clock. */
const GRACE_MS = DAY_MS;

/** The time is noted so often at most: each note is a write that waits for the disk. */
const NOTE_MS = 6 * 3600 * 1000;

const SEEN = "clock of the last sweep";
const HELD = "nothing is deleted by age before";

/**
 * Called by each sweep. Notes the time, and finds a clock that moved by more than a day since the sweep before, in either
 * direction: it was set, or the API was not running.
 * @param now ms since 1970
 * @returns null when captures may be deleted by their age, else the time until which none is (UTC, ISO 8601)
 */
export function heldUntil(facts: Pick<Catalogue, "fact" | "saveFact">, now: number): string | null {
  const seen = facts.fact(SEEN);
  const time = new Date(now).toISOString();
  const passed = seen === null ? Number.POSITIVE_INFINITY : Math.abs(now - Date.parse(seen));
  if (passed > JUMP_MS) facts.saveFact(HELD, new Date(now + GRACE_MS).toISOString());
  if (passed >= NOTE_MS) facts.saveFact(SEEN, time);
  const held = facts.fact(HELD);
  return held !== null && held > time ? held : null;
}
