/** What a person types to go somewhere in time. */
import { originInDay } from "../charts/axis.ts";

const DAY = 86_400e6;
const UNITS = { min: 60e6, s: 1e6, ms: 1e3, µs: 1, us: 1 } as const;
const OFFSET = /^\+?(\d+(?:\.\d+)?)\s*(min|s|ms|µs|us)?$/u;
const CLOCK = /^(?:\d{4}-\d{2}-\d{2}[ T])?(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?\s*(?:z|utc)?$/iu;

/**
 * The instant that a text means, µs from the capture's origin, or null: an offset (`+45.9 s`, `+250 ms`, a bare number is
 * seconds) or a UTC time of day (`02:17`, `02:17:42.371`, a date before it is ignored). Only instants inside the capture.
 */
export function instantOf(text: string, originTicks: string, durationUs: number): number | null {
  const trimmed = text.trim();
  const at = offsetOf(trimmed) ?? clockOf(trimmed, originTicks);
  return at !== null && at >= 0 && at <= durationUs ? at : null;
}

function offsetOf(text: string): number | null {
  const match = OFFSET.exec(text);
  return match ? Number(match[1]) * UNITS[(match[2] ?? "s") as keyof typeof UNITS] : null;
}

/** From the first such time of day at or after the origin: a capture may run over midnight. */
function clockOf(text: string, originTicks: string): number | null {
  const match = CLOCK.exec(text);
  if (!match) return null;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  if (hours > 23 || minutes > 59 || seconds >= 60) return null;
  const inDay = hours * 3600e6 + minutes * 60e6 + Math.round(seconds * 1e6);
  const first = inDay - originInDay(originTicks);
  if (first >= 0) return first;
  // `02:16` while the capture began at 02:16:55 means its beginning, not tomorrow.
  const precision = match[3] === undefined ? 60e6 : 1e6;
  return first > -precision ? 0 : first + DAY;
}
