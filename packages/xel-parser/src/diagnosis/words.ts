/**
 * Numbers as text (design.md section 7). Number and unit are joined by a no-break space, so that a sentence never
 * breaks between them; a screen may replace it by a thin space.
 */
import { ticksToIso } from "../replication/time.ts";

const SPACE = "\u00A0";
const NONE = "\u2013";

/** Three significant digits, without trailing dots. */
function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  return value.toFixed(2);
}

/** A duration in µs: `608 µs`, `8.02 ms`, `1.24 s`, `2 min 05 s`; en dash for no value. */
export function formatDuration(us: number | null): string {
  if (us === null || !Number.isFinite(us)) return NONE;
  const size = Math.abs(us);
  if (size < 999.5) return `${size < 10 ? trimmed(us) : us.toFixed(0)}${SPACE}µs`;
  if (size < 999_500) return `${threeDigits(us / 1e3)}${SPACE}ms`;
  if (size < 59_950_000) return `${threeDigits(us / 1e6)}${SPACE}s`;
  return minutes(us);
}

function minutes(us: number): string {
  const seconds = Math.round(Math.abs(us) / 1e6);
  const sign = us < 0 ? "-" : "";
  const rest = String(seconds % 60).padStart(2, "0");
  return `${sign}${Math.floor(seconds / 60)}${SPACE}min${SPACE}${rest}${SPACE}s`;
}

const trimmed = (us: number): string => String(Number(us.toFixed(1)));

/** A duration for a sentence, where two digits are enough: `150 ms`, `0.6 ms`, `24 ms`; never µs above 100 µs. */
export function formatRoughly(us: number): string {
  if (!Number.isFinite(us)) return NONE;
  if (Math.abs(us) < 100) return formatDuration(us);
  if (Math.abs(us) < 999_500) return `${roundTo(us / 1e3)}${SPACE}ms`;
  return formatDuration(us);
}

function roundTo(ms: number): string {
  if (Math.abs(ms) >= 9.95) return ms.toFixed(0);
  return String(Number(ms.toFixed(1)));
}

/** A fraction 0..1 as per cent: `71 %`, or with decimals `36.6 %`; en dash for no value. */
export function formatPercent(fraction: number | null, decimals = 0): string {
  if (fraction === null || !Number.isFinite(fraction)) return NONE;
  return `${(fraction * 100).toFixed(decimals)}${SPACE}%`;
}

/** A whole number with thousands separators: `1,108`. */
export function formatCount(n: number): string {
  return Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/gu, ",");
}

/** Bytes in powers of ten: `512 B`, `5.4 MB`; en dash for no value. */
export function formatSize(bytes: number | null): string {
  if (bytes === null || !Number.isFinite(bytes)) return NONE;
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? value.toFixed(0) : value.toFixed(1)}${SPACE}${units[unit]}`;
}

/** ± a duration, in the same unit rules: `±0.24 ms`. Always at least ms, as the design writes it. */
export function formatUncertainty(us: number | null): string {
  if (us === null || !Number.isFinite(us)) return NONE;
  return us < 1e6 ? `±${trimZeros(us / 1e3)}${SPACE}ms` : `±${threeDigits(us / 1e6)}${SPACE}s`;
}

function trimZeros(ms: number): string {
  return ms < 9.995 ? ms.toFixed(2) : threeDigits(ms);
}

/** An offset from the capture's start: `+45.90 s`. */
export function formatOffset(us: number): string {
  return `${us < 0 ? "-" : "+"}${(Math.abs(us) / 1e6).toFixed(2)}${SPACE}s`;
}

/** UTC time of day of an instant, `02:17:28`, rounded to `decimals` digits of a second (0 to 7). */
export function formatTimeOfDay(origin: bigint, us: number, decimals = 0): string {
  const ticks = origin + BigInt(Math.round(us * 10));
  const half = decimals < 7 ? 5n * 10n ** BigInt(6 - decimals) : 0n;
  return ticksToIso(ticks + half).slice(11, decimals === 0 ? 19 : 20 + decimals);
}
