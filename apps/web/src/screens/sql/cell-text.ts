/** Format of a result's values: by kind and unit of their column. */
import { formatIsoDay, formatTimeOfDay } from "@aglens/ag-model/words";
import { filetimeOfUnixUs, filetimeText } from "xel-parser/format";
import type { SqlResultColumn } from "@aglens/contract";
import { type Figure, formatCount, formatDuration, formatSize, percentFigure } from "../../ui/words.ts";

const DAY_US = 86_400_000_000;
const SECOND_US = 1_000_000;

const ticksOf = (us: number): bigint => filetimeOfUnixUs(BigInt(Math.round(us)));
const plain = (value: string): Figure => ({ value, unit: "" });

/** One value as text or figure; null is an en dash. */
export type CellText = (value: SqlResultColumn["values"][number]) => Figure;

const IDS = /^(?:block|phase|offset|log_block_id)$/u;

/**
 * Format of a column's values. Times have no day where all are of one day, and no decimals where no value needs them.
 */
export function cellText({ name, kind, unit, values }: SqlResultColumn): CellText {
  // A name of digits is not a quantity.
  if (IDS.test(name)) return (value) => plain(value === null ? "–" : String(value));
  const words =
    kind === "time"
      ? timeText(values)
      : kind === "number"
        ? numberWords(unit)
        : (value: unknown) => plain(String(value));
  return (value) => (value === null ? plain("–") : words(value as number));
}

function timeText(values: SqlResultColumn["values"]): (us: number) => Figure {
  const times = values.filter((value): value is number => typeof value === "number");
  const days = new Set(times.map((us) => Math.floor(us / DAY_US)));
  const isComplete = (unit: number): boolean => times.every((us) => us % unit === 0);
  const digits = isComplete(SECOND_US) ? 0 : isComplete(1000) ? 3 : 6;
  const clock = (us: number): string => formatTimeOfDay(ticksOf(us), 0, digits);
  if (days.size < 2) return (us) => plain(clock(us));
  // With the year, because one result may have captures of several years.
  const day = (us: number): string => formatIsoDay(ticksOf(us));
  return isComplete(DAY_US) ? (us) => plain(day(us)) : (us) => plain(`${day(us)} ${clock(us)}`);
}

/** UTC, ISO 8601, for the tip of a cell. */
export const fullTime = (us: number): string => filetimeText(ticksOf(us)).replace(/\dZ$/u, "Z");

const MS_US = 1000;

function numberWords(unit: string | null): (value: number) => Figure {
  switch (unit) {
    case "µs":
      return signedDuration;
    case "ms":
      return (ms) => signedDuration(ms * MS_US);
    case "bytes":
      return (bytes) => formatSize(bytes);
    case "share":
      return (share) => percentFigure(share, 1);
    default:
      return (value) => ({ value: numberText(value), unit: unit ?? "" });
  }
}

function signedDuration(us: number): Figure {
  const figure = formatDuration(Math.abs(us));
  return us < 0 ? { ...figure, value: `−${figure.value}` } : figure;
}

/** A number without a unit: integers in full, others to five digits. */
function numberText(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 10_000) return formatCount(Math.round(value));
  return String(Number(value.toPrecision(5))).replace("-", "−");
}

/** A count of values over a limit, by its name: `over_50_ms`. */
export const isExceeded = (name: string, value: SqlResultColumn["values"][number]): boolean =>
  name.startsWith("over_") && typeof value === "number" && value > 0;
