/** Reads texts that a user types to go to a time. */
import { formatDay, formatIsoDay } from "@aglens/ag-model/words";
import type { CaptureTime } from "../ui/words.ts";
import { instantsAt, localTicks, minutesOf, type Zone } from "../ui/zone.ts";

const TICKS_PER_DAY = 864_000_000_000n;
const TICKS_PER_SECOND = 10_000_000n;
const UNITS = { min: 60e6, s: 1e6, ms: 1e3, µs: 1, us: 1 } as const;
const OFFSET = /^\+?(\d+(?:\.\d+)?)\s*(min|s|ms|µs|us)?$/u;
const CLOCK_OFFSET = /^\+(\d+):(\d{2}):(\d{2}(?:\.\d+)?)$/u;
const CLOCK =
  /^(?:(?<date>\d{4}-\d{2}-\d{2})[ T]|(?<day>\d{1,2} [A-Z][a-z]{2}) )?(?<hours>\d{1,2}):(?<minutes>\d{2})(?::(?<seconds>\d{2}(?:\.\d+)?))?\s*(?<clock>z|utc|(?:utc|gmt)?\s*[+\u2212-]\d{1,2}(?::?\d{2})?)?$/iu;

/**
 * The time that a text means, µs from the capture's origin, or null: an offset (`+45.9 s`, `+250 ms`, `+0:17:30.72`, a
 * bare number is seconds) or a time of day (`02:17`, `02:17:42.371`, with `2016-05-06` or `6 May` before it where the capture has
 * several days). A time of day is one of the capture's zone unless an offset from UTC is after it: `02:17 UTC`, `02:17+02:00`.
 * Only times inside the capture.
 */
export function instantOf(text: string, capture: CaptureTime): number | null {
  const trimmed = text.trim();
  const at = offsetOf(trimmed) ?? clockOf(trimmed, capture);
  return at !== null && at >= 0 && at <= capture.durationUs ? at : null;
}

function offsetOf(text: string): number | null {
  const clock = CLOCK_OFFSET.exec(text);
  if (clock) return Math.round((Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3])) * 1e6);
  const match = OFFSET.exec(text);
  return match ? Number(match[1]) * UNITS[(match[2] ?? "s") as keyof typeof UNITS] : null;
}

/** From the first such time of day at or after the origin: a capture may run over midnight. A date chooses its day. */
function clockOf(text: string, { originTicks, durationUs, zone: shown }: CaptureTime): number | null {
  const { date, day, clock, ...parts } = CLOCK.exec(text)?.groups ?? {};
  const [hours, minutes, seconds] = [
    Number(parts["hours"]),
    Number(parts["minutes"]),
    Number(parts["seconds"] ?? 0),
  ];
  if (!(hours <= 23 && minutes <= 59 && seconds < 60)) return null;
  const zone: Zone | undefined =
    clock === undefined ? shown : { kind: "server", minutes: minutesOf(clock), name: null };
  const origin = BigInt(originTicks);
  const inDay =
    BigInt(hours * 3600 + minutes * 60) * TICKS_PER_SECOND + BigInt(Math.round(seconds * 1e6)) * 10n;
  const first = (localTicks(zone, origin) / TICKS_PER_DAY) * TICKS_PER_DAY + inDay;
  // `02:16` while the capture began at 02:16:55 means its beginning, not tomorrow.
  const precision = parts["seconds"] === undefined ? 60e6 : 1e6;
  for (let local = first; Number(local - first) / 10 <= durationUs + DAY_US; local += TICKS_PER_DAY) {
    if (date !== undefined && date !== formatIsoDay(local)) continue;
    if (day !== undefined && day !== formatDay(local)) continue;
    const after = instantsAt(zone, local).map((ticks) => Number(ticks - origin) / 10);
    const us = after.find((each) => each > -precision);
    if (us !== undefined) return Math.max(0, us);
  }
  return null;
}

const DAY_US = 86_400e6;
