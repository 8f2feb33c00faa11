/** Of which seconds the verdict and the figures beside it are. */
import type { LivePicture } from "@aglens/contract";

/** `last 15 s`: one window for all that is said at a glance. */
export function judgedWords(judged: LivePicture["judged"]): string {
  if (judged === null) return "last seconds";
  return `last ${Math.max(1, Math.round((judged.to - judged.from) / 1e6))}\u00a0s`;
}
