import type { Compared } from "./effect.ts";
import type { Settings } from "./settings.ts";
import { SEVERITIES, type Severity } from "./verdict.ts";

/** A time over its limit is worth a notice where it is a part of commit latency that counts, or where no commit is known. */
export const severityByShare = (share: number, { noticeShare }: Settings): Severity =>
  share < noticeShare ? "none" : "notice";

/**
 * Severity of a window by what it does to commits: the time's own excess, as far as commits got slower by it. A time that is
 * hidden behind another one is worth a notice all the same: it is next when the other is mended.
 */
export function severityOfWindow(meanUs: number, commits: Compared, settings: Settings): Severity {
  const { inside, outside } = commits;
  const slower = inside.mean - outside.mean;
  if (Number.isNaN(slower)) return "notice";
  if (Math.min(meanUs, slower) >= settings.slowEffectUs) return "slow";
  return Math.max(meanUs, slower) >= settings.noticeShare * outside.mean ? "notice" : "none";
}

/** A limit passed by what commits hardly wait for is worth a notice at most. */
export const severityOfLimit = (passed: Severity, share: number, { noticeShare }: Settings): Severity =>
  share < noticeShare && passed === "slow" ? "notice" : passed;

/** The more severe of two. */
export const worse = (a: Severity, b: Severity): Severity =>
  SEVERITIES.indexOf(a) >= SEVERITIES.indexOf(b) ? a : b;
