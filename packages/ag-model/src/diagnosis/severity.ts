import type { Compared } from "./effect.ts";
import type { Settings } from "./settings.ts";
import { SEVERITIES, type Severity } from "./verdict.ts";

/** A time over its limit is a notice where it is a noticeable share of commit latency, or where no commit is known. */
export const severityByShare = (share: number, { noticeShare }: Settings): Severity =>
  share < noticeShare ? "none" : "notice";

/**
 * Severity of a window by its effect on commits: the time's own excess, as far as commits got slower by it. A time that
 * is hidden by another one is still a notice: it becomes visible when the other is fixed.
 */
export function severityOfWindow(meanUs: number, commits: Compared, settings: Settings): Severity {
  const { inside, outside } = commits;
  const slower = inside.mean - outside.mean;
  if (Number.isNaN(slower)) return "notice";
  if (Math.min(meanUs, slower) >= settings.slowEffectUs) return "slow";
  return Math.max(meanUs, slower) >= settings.noticeShare * outside.mean ? "notice" : "none";
}

/** A limit that was passed by a time that commits hardly wait for is a notice at most. */
export const severityOfLimit = (passed: Severity, share: number, { noticeShare }: Settings): Severity =>
  share < noticeShare && passed === "slow" ? "notice" : passed;

/** The more severe of two. */
export const worse = (a: Severity, b: Severity): Severity =>
  SEVERITIES.indexOf(a) >= SEVERITIES.indexOf(b) ? a : b;
