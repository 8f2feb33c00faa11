/** Sentences of rules and refusals. Limits are written as a person entered them, without more digits. */
import { figureText, formatTimeOfDay } from "../words/words.ts";

const SPACE = "\u00A0";
const FILETIME_OF_1970 = 116_444_736_000_000_000n;
const TICKS_PER_MS = 10_000n;

const trimmed = (value: number, decimals = 2): string => String(Number(value.toFixed(decimals)));

/** ms: `15 ms`, `0.5 ms`, `1.5 s`. */
export const delayText = (ms: number): string =>
  ms < 1000 ? `${trimmed(ms)}${SPACE}ms` : `${trimmed(ms / 1000)}${SPACE}s`;

/** s: `15 s`, `5 min`, `90 s`, `2 h`. */
export function periodText(seconds: number): string {
  if (seconds >= 7200 && seconds % 3600 === 0) return `${seconds / 3600}${SPACE}h`;
  if (seconds >= 60 && seconds % 60 === 0) return `${seconds / 60}${SPACE}min`;
  return `${trimmed(seconds)}${SPACE}s`;
}

/** KB of 1,024 bytes, as SQL Server counts queues: `862 KB`, `100 MB`. */
export function queueText(kb: number): string {
  const units = ["KB", "MB", "GB", "TB"];
  let [value, unit] = [kb, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return figureText({ value: trimmed(value, 1), unit: units[unit] }, SPACE);
}

/** UTC time of day of ms since 1970: `14:32:02`. */
export const timeText = (at: number): string =>
  formatTimeOfDay(FILETIME_OF_1970 + BigInt(Math.round(at)) * TICKS_PER_MS, 0);

/** `SQL2`, `SQL2 and SQL3`, `SQL2, SQL3 and SQL4`. */
export const listText = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
