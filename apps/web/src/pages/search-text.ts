/** What a person types to go somewhere in time. */
import { formatDay, formatIsoDay } from "@aglens/ag-model/words";
import { originInDay } from "../charts/axis.ts";

const DAY = 86_400e6;
const UNITS = { min: 60e6, s: 1e6, ms: 1e3, µs: 1, us: 1 } as const;
const OFFSET = /^\+?(\d+(?:\.\d+)?)\s*(min|s|ms|µs|us)?$/u;
const CLOCK_OFFSET = /^\+(\d+):(\d{2}):(\d{2}(?:\.\d+)?)$/u;
const CLOCK =
  /^(?:(\d{4}-\d{2}-\d{2})[ T]|(\d{1,2} [A-Z][a-z]{2}) )?(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*(?:z|utc)?$/iu;

/**
 * The instant that a text means, µs from the capture's origin, or null: an offset (`+45.9 s`, `+250 ms`, `+0:17:30.72`, a
 * bare number is seconds) or a UTC time of day (`02:17`, `02:17:42.371`, with `2016-05-06` or
 * `6 May` before it where the capture has several days). Only instants inside the capture.
 */
export function instantOf(text: string, originTicks: string, durationUs: number): number | null {
  const trimmed = text.trim();
  const at = offsetOf(trimmed) ?? clockOf(trimmed, originTicks, durationUs);
  return at !== null && at >= 0 && at <= durationUs ? at : null;
}

function offsetOf(text: string): number | null {
  const clock = CLOCK_OFFSET.exec(text);
  if (clock) return Math.round((Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3])) * 1e6);
  const match = OFFSET.exec(text);
  return match ? Number(match[1]) * UNITS[(match[2] ?? "s") as keyof typeof UNITS] : null;
}

/** From the first such time of day at or after the origin: a capture may run over midnight. A date chooses its day. */
function clockOf(text: string, originTicks: string, durationUs: number): number | null {
  const match = CLOCK.exec(text);
  if (!match) return null;
  const [hours, minutes, seconds] = [Number(match[3]), Number(match[4]), Number(match[5] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds >= 60) return null;
  const inDay = hours * 3600e6 + minutes * 60e6 + Math.round(seconds * 1e6);
  const first = inDay - originInDay(originTicks);
  // `02:16` while the capture began at 02:16:55 means its beginning, not tomorrow.
  const precision = match[5] === undefined ? 60e6 : 1e6;
  const inside = (us: number): number => (us < 0 && us > -precision ? 0 : us);
  if (match[1] === undefined && match[2] === undefined)
    return first > -precision ? inside(first) : first + DAY;
  for (let us = first; us <= durationUs; us += DAY) {
    const ticks = BigInt(originTicks) + BigInt(Math.round(us * 10));
    if (match[1] === formatIsoDay(ticks) || match[2] === formatDay(ticks)) return inside(us);
  }
  return null;
}
