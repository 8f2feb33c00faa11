/**
 * Numbers, units and times as the product prints them (design section 7): three significant digits, the unit changes
 * at 1,000, one thin space before the unit, an en dash where there is no value.
 */

const THIN = "\u2009";
const NONE = "–";

/** A figure and its unit apart, so that units can be drawn in a quieter colour. */
export interface Figure {
  readonly value: string;
  readonly unit: string;
}

/** Three significant digits of a number from 0 up to 1,000; trailing zeros stay, so columns keep their precision. */
function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  return value.toFixed(2);
}

/** A duration in µs as figure and unit: `8.02` and `ms`; an en dash and no unit when there is none. */
export function formatDuration(us: number | null | undefined): Figure {
  if (us === null || us === undefined || !Number.isFinite(us)) return { value: NONE, unit: "" };
  const size = Math.abs(us);
  if (size < 999.5) return { value: size >= 10 || us === 0 ? us.toFixed(0) : threeDigits(us), unit: "µs" };
  if (size < 999_500) return { value: threeDigits(us / 1e3), unit: "ms" };
  if (size < 59_950_000) return { value: threeDigits(us / 1e6), unit: "s" };
  return minutes(us);
}

/** From a minute up: `2 min 05` and `s`; from an hour up: `1 h 04` and `min`. */
function minutes(us: number): Figure {
  const sign = us < 0 ? "−" : "";
  const seconds = Math.round(Math.abs(us) / 1e6);
  if (seconds < 3600) {
    return {
      value: `${sign}${Math.floor(seconds / 60)}${THIN}min ${String(seconds % 60).padStart(2, "0")}`,
      unit: "s",
    };
  }
  const whole = Math.round(seconds / 60);
  return {
    value: `${sign}${Math.floor(whole / 60)}${THIN}h ${String(whole % 60).padStart(2, "0")}`,
    unit: "min",
  };
}

/** A duration in µs as text: `8.02 ms`. */
export function durationText(us: number | null | undefined): string {
  const { value, unit } = formatDuration(us);
  return unit === "" ? value : `${value}${THIN}${unit}`;
}

const count = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A count with thousands separators: `16,622`. */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? NONE : count.format(value);
}

/** A share 0..1 as percent: whole in sentences (digits 0), one decimal in tables (digits 1). */
export function formatPercent(share: number | null | undefined, digits = 0): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return NONE;
  return `${(share * 100).toFixed(digits)}${THIN}%`;
}

/**
 * An offset from the capture's origin, in µs: `+45.90 s`.
 * `stepUs` is the distance that must stay visible (an axis step); it decides the decimals.
 */
export function formatOffset(us: number, stepUs = 10_000): string {
  const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(stepUs / 1e6) - 1e-9)));
  const sign = us < 0 ? "−" : "+";
  return `${sign}${(Math.abs(us) / 1e6).toFixed(decimals)}${THIN}s`;
}

/** UTC time of day of a time in µs after the origin: `02:17:42.371`. `digits` are those after the second, up to 7. */
export function formatUtc(originTicks: string, us: number, digits = 3): string {
  const ticks = BigInt(originTicks) + BigInt(Math.round(us * 10));
  const ofDay = ((ticks % 864_000_000_000n) + 864_000_000_000n) % 864_000_000_000n;
  const seconds = Number(ofDay / 10_000_000n);
  const part = (value: number): string => String(value).padStart(2, "0");
  const clock = `${part(Math.floor(seconds / 3600))}:${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
  if (digits <= 0) return clock;
  return `${clock}.${String(ofDay % 10_000_000n)
    .padStart(7, "0")
    .slice(0, digits)}`;
}

/** A size in bytes with powers of ten: `512 B`, `5.4 MB`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return NONE;
  if (bytes < 1000) return `${bytes}${THIN}B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 99.5 ? value.toFixed(0) : value.toFixed(1)}${THIN}${units[unit]}`;
}

/** A clock uncertainty in µs: `±0.24 ms`. */
export function formatUncertainty(us: number | null | undefined): string {
  return us === null || us === undefined || !Number.isFinite(us)
    ? NONE
    : `±${(us / 1000).toFixed(2)}${THIN}ms`;
}
