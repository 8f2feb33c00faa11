import type { Capture } from "@aglens/contract";
import { capturesTexts as texts } from "../../messages/captures.ts";

const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "long" };
const TIME: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };

/**
 * `Draft. Deleted on 29 November at 10:41 unless analyzed.`, in the time zone of the browser; empty for captures that
 * are not drafts.
 */
export function draftText({ isDraft, expires }: Pick<Capture, "isDraft" | "expires">): string {
  if (isDraft !== true || expires === null) return "";
  const at = new Date(expires);
  const day = at.toLocaleDateString("en-GB", DAY);
  return texts.draftDeleted(day, at.toLocaleTimeString("en-GB", TIME));
}
