import type { ClockSummary } from "@aglens/contract";
import { durationText } from "../ui/words.ts";

type Clock = Pick<ClockSummary, "utcAheadOfPrimaryUs" | "reason">;

/**
 * How far a replica's UTC is from the primary's: `32.5 ms ahead`, `206 ms behind`; null where it is not known. Of a clock that is not
 * one straight line, since it stepped or stood still, it is a mean, which may be true at no time.
 * @param reason why the clock has several windows; empty where it has one
 */
export function aheadWords({ utcAheadOfPrimaryUs: ahead, reason }: Clock, than = ""): string | null {
  if (ahead === null) return null;
  const side = ahead < 0 ? "behind" : than === "" ? "ahead" : "ahead of";
  return [durationText(Math.abs(ahead)), side, than, reason === "" ? "" : "on average"]
    .filter((words) => words !== "")
    .join(" ");
}
